// A row of sharing_tracker, for proofs: part of sharing_tracker_twin and, with GOLDMEM_INVARIANT, of
// sharing_tracker_sva. Fields, each for all entries, from the lowest bit: tag, mark, sharer, pointer,
// count, last, rank, valid.
  localparam integer Sets = 1 << IndexW;
  localparam integer TagW = LineW - IndexW;
  localparam integer PointersW = Slots * CuW;
  localparam [CuW-1:0] Highest = LastCu[CuW-1:0];
  localparam [CountW-1:0] AllInUse = Slots[CountW-1:0];
  localparam integer MarkAt = Ways * TagW;
  localparam integer SharerAt = MarkAt + Ways * Cus;
  localparam integer PointerAt = SharerAt + Ways * Cus;
  localparam integer CountAt = PointerAt + Ways * PointersW;
  localparam integer LastAt = CountAt + Ways * CountW;
  localparam integer RankAt = LastAt + Ways * CuW;
  localparam integer ValidAt = RankAt + Ways * WayW;
  localparam integer RowW = ValidAt + Ways;

  // Returns the last supplier; with NoneAbove a number above the highest CU counts as the highest CU,
  // since the lowest CU follows in both cases.
  function automatic [CuW-1:0] turn(input [CuW-1:0] last);
    turn = NoneAbove != 0 && last >= Highest ? Highest : last;
  endfunction

  // Returns 1 if two rows are equal in the valid entries.
  function automatic same_row(input [RowW-1:0] a, input [RowW-1:0] b);
    integer w, p;
    begin
      same_row = a[ValidAt+:Ways] == b[ValidAt+:Ways];
      for (w = 0; w < Ways; w = w + 1) begin
        if (a[ValidAt+w]) begin
          if (a[w*TagW+:TagW] != b[w*TagW+:TagW] ||
              a[MarkAt+w*Cus+:Cus] != b[MarkAt+w*Cus+:Cus] ||
              turn(a[LastAt+w*CuW+:CuW]) != turn(b[LastAt+w*CuW+:CuW]) ||
              a[RankAt+w*WayW+:WayW] != b[RankAt+w*WayW+:WayW]) same_row = 1'b0;
          if (!HasPointers && a[SharerAt+w*Cus+:Cus] != b[SharerAt+w*Cus+:Cus]) same_row = 1'b0;
          if (HasPointers && a[CountAt+w*CountW+:CountW] != b[CountAt+w*CountW+:CountW]) same_row = 1'b0;
          for (p = 0; p < Slots; p = p + 1) begin
            if (HasPointers && a[CountAt+w*CountW+:CountW] > p[CountW-1:0] &&
                a[PointerAt+(w*Slots+p)*CuW+:CuW] != b[PointerAt+(w*Slots+p)*CuW+:CuW]) same_row = 1'b0;
          end
        end
      end
    end
  endfunction

  // The invariant of a row's valid entries.
  function automatic entries_hold(input [RowW-1:0] a);
    integer w, v, p, q;
    reg [WayW:0] k;
    begin
      entries_hold = 1'b1;
      k            = {WayW+1{1'b0}};
      for (w = 0; w < Ways; w = w + 1) if (a[ValidAt+w]) k = k + 1'b1;
      for (w = 0; w < Ways; w = w + 1) begin
        if (a[ValidAt+w]) begin
          if ({1'b0, a[RankAt+w*WayW+:WayW]} >= k || {1'b0, a[LastAt+w*CuW+:CuW]} >= Units) entries_hold = 1'b0;
          for (v = 0; v < w; v = v + 1) begin
            if (a[ValidAt+v] && (a[RankAt+w*WayW+:WayW] == a[RankAt+v*WayW+:WayW] ||
                                 a[w*TagW+:TagW] == a[v*TagW+:TagW])) entries_hold = 1'b0;
          end
          if (a[MarkAt+w*Cus+:Cus] == 0 && (HasPointers ? a[CountAt+w*CountW+:CountW] == 0 :
                                                          a[SharerAt+w*Cus+:Cus] == 0)) entries_hold = 1'b0;
          if (HasPointers && a[CountAt+w*CountW+:CountW] > AllInUse) entries_hold = 1'b0;
          for (p = 0; p < Slots; p = p + 1) begin
            if (HasPointers && a[CountAt+w*CountW+:CountW] > p[CountW-1:0]) begin
              if ({1'b0, a[PointerAt+(w*Slots+p)*CuW+:CuW]} >= Units) entries_hold = 1'b0;
              for (q = 0; q < p; q = q + 1) begin
                if (a[PointerAt+(w*Slots+p)*CuW+:CuW] == a[PointerAt+(w*Slots+q)*CuW+:CuW]) entries_hold = 1'b0;
              end
            end
          end
        end
      end
    end
  endfunction

  // Returns the sharers of entry w as a mask.
  function automatic [Cus-1:0] sharers_of(input [RowW-1:0] a, input integer w);
    integer p, c;
    begin
      sharers_of = HasPointers ? {Cus{1'b0}} : a[SharerAt+w*Cus+:Cus];
      for (p = 0; p < Slots; p = p + 1) begin
        for (c = 0; c < Cus; c = c + 1) begin
          if (HasPointers && a[CountAt+w*CountW+:CountW] > p[CountW-1:0] &&
              a[PointerAt+(w*Slots+p)*CuW+:CuW] == c[CuW-1:0]) sharers_of[c] = 1'b1;
        end
      end
    end
  endfunction
