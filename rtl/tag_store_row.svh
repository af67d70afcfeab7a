  // The row of a set of tag_store, packed. From the highest bit:
  //   {ranks, valid, waiting, tags, rcs, committed, positions, free_line, rrpvs, signatures, reused}
  // valid to positions belong to the tag entries, ranks and rrpvs to reused to the data lines. The fields
  // that a replacement policy uses lie side by side. Part of a parameter list.
  localparam integer PositionW = (DataWays < 3) ? 1 : $clog2(DataWays),
  localparam integer FreeW     = $clog2(DataWays + 1),
  localparam integer RowW      = TagWays * (TagW + RcW + PositionW + 3) + FreeW +
                                 DataWays * (PositionW + RrpvW + SignatureW + 1)
