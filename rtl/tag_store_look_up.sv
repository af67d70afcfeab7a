// Look-up of tag_store in a row, before the decision: the entry that matches the request's line, the
// owner of each data line, the LFU victim among the entries, and the replacement policy's victim among
// the data lines: combinational. An entry is in use when it is valid or waits.
`default_nettype none

module tag_store_look_up #(
  parameter integer TagW        = 37,
  parameter integer TagWays     = 8,
  parameter integer DataWays    = 4,
  parameter integer RcW         = 6,
  parameter integer LfuAny      = 0,
  parameter integer Replacement = 0,
  parameter integer RrpvW       = 2,
  parameter integer SignatureW  = 8,
`include "tag_store_row.svh"
) (
  input  wire logic [TagW-1:0]               tag_i,  // of the request
  input  wire logic [RowW-1:0]               row_i,

  output logic      [TagWays-1:0]            match_o,
  output logic      [TagWays*DataWays-1:0]   owns_o,      // by way and position
  output logic      [TagWays-1:0]            smallest_o,  // candidates of the smallest RC; the lowest
  output logic      [TagWays-1:0]            lowest_smallest_o,
  output logic                               has_victim_o,  // a data line that does not wait; which
  output logic      [DataWays-1:0]           victim_o
);

  logic [TagWays-1:0]             valid, waiting, committed;
  logic [TagWays*TagW-1:0]        tags;
  logic [TagWays*RcW-1:0]         rcs;
  logic [TagWays*PositionW-1:0]   positions;
  logic [FreeW-1:0]               unused_free_line;
  logic [DataWays*PositionW-1:0]  ranks;
  logic [DataWays*RrpvW-1:0]      rrpvs;
  logic [DataWays*SignatureW-1:0] unused_signatures;
  logic [DataWays-1:0]            unused_reused;
  assign {ranks, valid, waiting, tags, rcs, committed, positions, unused_free_line, rrpvs,
          unused_signatures, unused_reused} = row_i;

  // The data line with the largest age is the victim.
  localparam integer AgeW = (Replacement == 0) ? PositionW : RrpvW;
  logic [DataWays*AgeW-1:0] ages;
  generate
    if (Replacement == 0) begin : gen_ranks
      // verilator coverage_off
      logic unused_rrpvs;
      // verilator coverage_on
      assign unused_rrpvs = &rrpvs;
      assign ages         = ranks;
    end else begin : gen_rrpvs
      // verilator coverage_off
      logic unused_ranks;
      // verilator coverage_on
      assign unused_ranks = &ranks;
      assign ages         = rrpvs;
    end
  endgenerate

  genvar g, p;
  generate
    for (g = 0; g < TagWays; g = g + 1) begin : gen_entry
      assign match_o[g] = (valid[g] || waiting[g]) && tags[g*TagW+:TagW] == tag_i;
      for (p = 0; p < DataWays; p = p + 1) begin : gen_line
        assign owns_o[g*DataWays+p] = (waiting[g] || (valid[g] && committed[g])) &&
                                      positions[g*PositionW+:PositionW] == p[PositionW-1:0];
      end
    end
  endgenerate

  largest #(
    .N    (TagWays),
    .Width(RcW)
  ) u_lfu (
    .value_i   (~rcs),
    .eligible_i(valid & ~((LfuAny != 0) ? waiting : committed)),
    .all_o     (smallest_o),
    .lowest_o  (lowest_smallest_o)
  );

  logic [DataWays-1:0] owned, held, all_victims;  // held: owned by an entry that waits
  always_comb begin : own
    integer i;
    owned = {DataWays{1'b0}};
    held  = {DataWays{1'b0}};
    for (i = 0; i < TagWays; i = i + 1) begin
      owned = owned | owns_o[i*DataWays+:DataWays];
      held  = held | (owns_o[i*DataWays+:DataWays] & {DataWays{waiting[i]}});
    end
  end
  largest #(
    .N    (DataWays),
    .Width(AgeW)
  ) u_victim (
    .value_i   (ages),
    .eligible_i(owned & ~held),
    .all_o     (all_victims),
    .lowest_o  (victim_o)
  );
  assign has_victim_o = |all_victims;

endmodule

`default_nettype wire
