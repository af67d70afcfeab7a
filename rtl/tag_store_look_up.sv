// What tag_store needs to know of a row before it decides: which entry the request's line matches, who
// owns which data line, which entry would give way (LFU) and which data line (its policy):
// combinational. An entry is in use when it is valid or waits.
`default_nettype none

module tag_store_look_up #(
  parameter integer TagW      = 37,
  parameter integer TagWays   = 8,
  parameter integer DataWays  = 4,
  parameter integer RcW       = 6,
  parameter integer LfuAny    = 0,
  parameter integer AgeW      = 2,  // of an LRU rank or an RRPV
  localparam integer PositionW = (DataWays < 3) ? 1 : $clog2(DataWays)
) (
  input  wire logic [TagW-1:0]               tag_i,  // of the request
  input  wire logic [TagWays-1:0]            valid_i,
  input  wire logic [TagWays-1:0]            waiting_i,
  input  wire logic [TagWays*TagW-1:0]       tag_row_i,
  input  wire logic [TagWays*RcW-1:0]        rc_i,
  input  wire logic [TagWays-1:0]            committed_i,
  input  wire logic [TagWays*PositionW-1:0]  place_i,
  input  wire logic [DataWays*AgeW-1:0]      age_i,  // the largest one's line gives way

  output logic      [TagWays-1:0]            match_o,
  output logic      [TagWays*DataWays-1:0]   owns_o,      // way and position
  output logic      [TagWays-1:0]            smallest_o,  // candidates of the smallest RC; the lowest
  output logic      [TagWays-1:0]            lowest_smallest_o,
  output logic                               has_victim_o,  // a data line that does not wait; which
  output logic      [DataWays-1:0]           victim_o
);

  genvar g, p;
  generate
    for (g = 0; g < TagWays; g = g + 1) begin : gen_entry
      assign match_o[g] = (valid_i[g] || waiting_i[g]) && tag_row_i[g*TagW+:TagW] == tag_i;
      for (p = 0; p < DataWays; p = p + 1) begin : gen_line
        assign owns_o[g*DataWays+p] = (waiting_i[g] || (valid_i[g] && committed_i[g])) &&
                                      place_i[g*PositionW+:PositionW] == p[PositionW-1:0];
      end
    end
  endgenerate

  largest #(
    .N    (TagWays),
    .Width(RcW)
  ) u_lfu (
    .value_i   (~rc_i),
    .eligible_i(valid_i & ~((LfuAny != 0) ? waiting_i : committed_i)),
    .all_o     (smallest_o),
    .lowest_o  (lowest_smallest_o)
  );

  logic [DataWays-1:0] owned, held, all_victims;  // held: by an entry that waits
  always_comb begin : own
    integer i;
    owned = {DataWays{1'b0}};
    held  = {DataWays{1'b0}};
    for (i = 0; i < TagWays; i = i + 1) begin
      owned = owned | owns_o[i*DataWays+:DataWays];
      held  = held | (owns_o[i*DataWays+:DataWays] & {DataWays{waiting_i[i]}});
    end
  end
  largest #(
    .N    (DataWays),
    .Width(AgeW)
  ) u_victim (
    .value_i   (age_i),
    .eligible_i(owned & ~held),
    .all_o     (all_victims),
    .lowest_o  (victim_o)
  );
  assign has_victim_o = |all_victims;

endmodule

`default_nettype wire
