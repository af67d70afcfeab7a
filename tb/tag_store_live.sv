// Masks the don't-cares of a row of tag_store, for proofs that compare two rows. Kept are the entries in
// use, the counts and Positions of entries that have one, Free_Line of a row with valid entries, and the
// replacement state of their data lines.
`default_nettype none

module tag_store_live #(
  parameter integer TagW        = 2,
  parameter integer TagWays     = 3,
  parameter integer DataWays    = 2,
  parameter integer RcW         = 2,
  parameter integer Due         = 2,
  parameter integer MostRc      = 2,
  parameter integer Replacement = 0,
  parameter integer RrpvW       = 2,
  parameter integer SignatureW  = 1,
  parameter integer RowW        = 36,
  localparam integer PositionW   = (DataWays < 3) ? 1 : $clog2(DataWays),
  localparam integer FreeW       = $clog2(DataWays + 1)
) (
  input  wire logic [RowW-1:0] row_i,  // packed as in rtl/tag_store_row.svh
  output logic      [RowW-1:0] live_o,
  output logic                 kept_o  // the invariants hold; no count exceeds MostRc, and no count of
);                                     // an entry without a data line reaches Due

  localparam IsLru = Replacement == 0, IsShip = Replacement == 2;

  logic [TagWays-1:0]             valid, waiting, committed, in_use, owners, live_committed;
  logic [TagWays*TagW-1:0]        tags, live_tags;
  logic [TagWays*RcW-1:0]         rcs, live_rcs;
  logic [TagWays*PositionW-1:0]   positions, live_positions;
  logic [FreeW-1:0]               free_line, live_free_line;
  logic [DataWays*PositionW-1:0]  ranks, live_ranks;
  logic [DataWays*RrpvW-1:0]      rrpvs, live_rrpvs;
  logic [DataWays*SignatureW-1:0] signatures, live_signatures;
  logic [DataWays-1:0]            reused, live_reused, used;
  assign {ranks, valid, waiting, tags, rcs, committed, positions, free_line, rrpvs, signatures,
          reused} = row_i;
  assign live_o = {live_ranks, valid, waiting, live_tags, live_rcs, live_committed, live_positions,
                   live_free_line, live_rrpvs, live_signatures, live_reused};

  assign in_use         = valid | waiting;
  assign live_committed = committed & valid;
  assign owners         = waiting | live_committed;
  assign live_free_line = free_line & {FreeW{|valid}};
  assign live_reused    = reused & used & {DataWays{IsShip}};
  genvar g;
  generate
    for (g = 0; g < TagWays; g = g + 1) begin : gen_entry
      assign live_tags[g*TagW+:TagW] = tags[g*TagW+:TagW] & {TagW{in_use[g]}};
      assign live_rcs[g*RcW+:RcW] = rcs[g*RcW+:RcW] & {RcW{valid[g]}};
      assign live_positions[g*PositionW+:PositionW] =
          positions[g*PositionW+:PositionW] & {PositionW{owners[g]}};
    end
    for (g = 0; g < DataWays; g = g + 1) begin : gen_line
      assign live_ranks[g*PositionW+:PositionW] =
          ranks[g*PositionW+:PositionW] & {PositionW{used[g] && IsLru}};
      assign live_rrpvs[g*RrpvW+:RrpvW] = rrpvs[g*RrpvW+:RrpvW] & {RrpvW{used[g] && !IsLru}};
      assign live_signatures[g*SignatureW+:SignatureW] =
          signatures[g*SignatureW+:SignatureW] & {SignatureW{used[g] && IsShip}};
    end
  endgenerate
  logic   low;
  integer i, p;
  always_comb begin
    used = {DataWays{1'b0}};
    low  = 1'b1;
    for (i = 0; i < TagWays; i = i + 1) begin
      if ({{32-RcW{1'b0}}, live_rcs[i*RcW+:RcW]} > MostRc) low = 1'b0;
      if (!committed[i] && live_rcs[i*RcW+:RcW] != 0 &&
          {{32-RcW{1'b0}}, live_rcs[i*RcW+:RcW]} >= Due) low = 1'b0;
      for (p = 0; p < DataWays; p = p + 1) begin
        if (live_committed[i] && positions[i*PositionW+:PositionW] == p[PositionW-1:0]) used[p] = 1'b1;
      end
    end
  end

  logic counted, owned, tags_differ, waiting_owns, ordered;
  tag_store_row #(
    .TagW(TagW), .TagWays(TagWays), .DataWays(DataWays)
  ) row (
    .valid_i(valid), .waiting_i(waiting), .tag_row_i(tags), .committed_i(committed),
    .place_i(positions), .free_line_i(free_line), .rank_i(ranks), .counted_o(counted),
    .owned_o(owned), .tags_o(tags_differ), .waiting_o(waiting_owns), .order_o(ordered)
  );
  assign kept_o = counted && owned && tags_differ && waiting_owns && (ordered || !IsLru) && low;

endmodule

`default_nettype wire
