  // The row of a set of tag_store, packed. From the highest bit:
  //   {valid, waiting, tags, rcs, committed, positions, free_line, ranks, rrpvs, signatures, reused}
  // The first six belong to the tag entries, the last four to the data lines. Part of a parameter list.
  localparam integer PositionW = (DataWays < 3) ? 1 : $clog2(DataWays),
  localparam integer FreeW     = $clog2(DataWays + 1),
  localparam integer RowW      = TagWays * (TagW + RcW + PositionW + 3) + FreeW +
                                 DataWays * (PositionW + RrpvW + SignatureW + 1)
