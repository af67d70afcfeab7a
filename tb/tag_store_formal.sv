// Formal harnesses of tag_store. tag_store_row_formal: from any row that satisfies the invariants a
// transaction or a FLUSH leads to a row that satisfies them; a row of zeros satisfies them; hence they
// always hold. tag_store_formal: the whole block with its checkers, any requests, any waits.
`default_nettype none

module tag_store_row_formal #(
  parameter integer TagW         = 2,
  parameter integer TagWays      = 3,
  parameter integer DataWays     = 2,
  parameter integer RcW          = 2,
  parameter integer Threshold    = 2,
  parameter integer AllocationRc = 1,
  parameter integer CompareAbove = 0,
  parameter integer AgeTwice     = 0,
  parameter integer LfuAny       = 0,
  parameter integer Replacement  = 0,
  parameter integer RrpvW        = 2,
  parameter integer SignatureW   = 1,
  parameter integer CounterW     = 1,
  localparam integer PositionW    = (DataWays < 3) ? 1 : $clog2(DataWays),
  localparam integer FreeW        = $clog2(DataWays + 1)
) (
  input wire logic [2:0]                    op_i,
  input wire logic [TagW-1:0]               tag_i,
  input wire logic [PositionW-1:0]          position_i,
  input wire logic                          may_miss_i,
  input wire logic                          may_bypass_i,
  input wire logic                          conventional_i,
  input wire logic [SignatureW-1:0]         signature_i,
  input wire logic [CounterW-1:0]           doubt_i,
  input wire logic [TagWays-1:0]            valid_i,
  input wire logic [TagWays-1:0]            waiting_i,
  input wire logic [TagWays*TagW-1:0]       tag_row_i,
  input wire logic [TagWays*RcW-1:0]        rc_i,
  input wire logic [TagWays-1:0]            committed_i,
  input wire logic [TagWays*PositionW-1:0]  place_i,
  input wire logic [FreeW-1:0]              free_line_i,
  input wire logic [DataWays*PositionW-1:0] rank_i,
  input wire logic [DataWays*RrpvW-1:0]     rrpv_i,
  input wire logic [DataWays*SignatureW-1:0] line_signature_i,
  input wire logic [DataWays-1:0]           reused_i
);

`include "tag_store_constants.svh"

  logic                          changes, evicted, dead, dropped, error;
  logic                          replaced, tie, saturated, aged, emptied, distant;
  logic                          learns, learn_doubts;
  logic [SignatureW-1:0]         learn_signature;
  logic [DataWays*RrpvW-1:0]     rrpvs;
  logic [DataWays*SignatureW-1:0] signatures;
  logic [DataWays-1:0]           reused;
  logic [TagWays-1:0]            valid, waiting, committed;
  logic [TagWays*TagW-1:0]       tag_row;
  logic [TagWays*RcW-1:0]        rcs;
  logic [TagWays*PositionW-1:0]  place;
  logic [FreeW-1:0]              free_line;
  logic [DataWays*PositionW-1:0] ranks;
  logic [2:0]                    outcome;
  logic [1:0]                    reason;
  logic [PositionW-1:0]          position, evicted_position;
  logic [TagW-1:0]               evicted_tag;
  logic [RcW-1:0]                rc;
  logic [TagWays-1:0]            match, smallest, lowest_smallest;
  logic [TagWays*DataWays-1:0]   owns;
  logic                          has_victim;
  logic [DataWays-1:0]           victim;
  localparam integer RowW = TagWays * (TagW + RcW + PositionW + 3) + FreeW +
                            DataWays * (PositionW + RrpvW + SignatureW + 1);
  logic [RowW-1:0]               row, next_row;
  assign row = {rank_i, valid_i, waiting_i, tag_row_i, rc_i, committed_i, place_i, free_line_i, rrpv_i,
                line_signature_i, reused_i};
  assign {ranks, valid, waiting, tag_row, rcs, committed, place, free_line, rrpvs, signatures, reused} =
      next_row;
  tag_store_look_up #(
    .TagW(TagW), .TagWays(TagWays), .DataWays(DataWays), .RcW(RcW),
    .LfuAny(LfuAny), .Replacement(Replacement), .RrpvW(RrpvW), .SignatureW(SignatureW)
  ) look_up (
    .tag_i(tag_i), .row_i(row), .match_o(match), .owns_o(owns),
    .smallest_o(smallest), .lowest_smallest_o(lowest_smallest), .has_victim_o(has_victim),
    .victim_o(victim)
  );
  tag_store_decide #(
    .TagW(TagW), .TagWays(TagWays), .DataWays(DataWays),
    .RcW(RcW), .Threshold(Threshold), .AllocationRc(AllocationRc), .CompareAbove(CompareAbove),
    .AgeTwice(AgeTwice), .Replacement(Replacement), .RrpvW(RrpvW),
    .SignatureW(SignatureW), .CounterW(CounterW)
  ) dut (
    .match_i(match), .owns_i(owns), .smallest_i(smallest), .lowest_smallest_i(lowest_smallest),
    .has_victim_i(has_victim), .victim_i(victim),
    .signature_i(signature_i), .doubt_i(doubt_i), .row_i(row), .row_o(next_row),
    .learns_o(learns), .learn_signature_o(learn_signature), .learn_doubts_o(learn_doubts),
    .distant_o(distant),
    .op_i(op_i), .tag_i(tag_i), .position_i(position_i), .may_miss_i(may_miss_i),
    .may_bypass_i(may_bypass_i), .conventional_i(conventional_i), .changes_o(changes),
    .outcome_o(outcome), .reason_o(reason),
    .position_o(position), .evicted_o(evicted), .evicted_tag_o(evicted_tag),
    .evicted_position_o(evicted_position), .dead_o(dead), .dropped_o(dropped), .error_o(error),
    .answer_rc_o(rc), .replaced_o(replaced), .tie_o(tie), .saturated_o(saturated), .aged_o(aged),
    .emptied_o(emptied)
  );

  // The row before the transaction, after the transaction, and after a FLUSH.
  logic [4:0] before_it, after_it, flushed;
  tag_store_row #(
    .TagW(TagW), .TagWays(TagWays), .DataWays(DataWays)
  ) row_before (
    .valid_i(valid_i), .waiting_i(waiting_i), .tag_row_i(tag_row_i), .committed_i(committed_i),
    .place_i(place_i), .free_line_i(free_line_i), .rank_i(rank_i), .counted_o(before_it[0]),
    .owned_o(before_it[1]), .tags_o(before_it[2]), .waiting_o(before_it[3]), .order_o(before_it[4])
  );
  tag_store_row #(
    .TagW(TagW), .TagWays(TagWays), .DataWays(DataWays)
  ) row_after (
    .valid_i(valid), .waiting_i(waiting), .tag_row_i(tag_row), .committed_i(committed),
    .place_i(place), .free_line_i(free_line), .rank_i(ranks), .counted_o(after_it[0]),
    .owned_o(after_it[1]), .tags_o(after_it[2]), .waiting_o(after_it[3]), .order_o(after_it[4])
  );
  tag_store_row #(
    .TagW(TagW), .TagWays(TagWays), .DataWays(DataWays)
  ) row_flushed (
    .valid_i({TagWays{1'b0}}), .waiting_i(waiting_i), .tag_row_i(tag_row_i),
    .committed_i(committed_i), .place_i(place_i), .free_line_i(free_line_i), .rank_i(rank_i),
    .counted_o(flushed[0]), .owned_o(flushed[1]), .tags_o(flushed[2]), .waiting_o(flushed[3]),
    .order_o(flushed[4])
  );

  // An entry that waits keeps its way and position until its own FILL.
  logic [TagWays-1:0] stays;
  genvar g;
  generate
    for (g = 0; g < TagWays; g = g + 1) begin : gen_stays
      assign stays[g] = !waiting_i[g] ||
          (tag_row[g*TagW+:TagW] == tag_row_i[g*TagW+:TagW] &&
           place[g*PositionW+:PositionW] == place_i[g*PositionW+:PositionW] &&
           (waiting[g] || (op_i == FILL && tag_row_i[g*TagW+:TagW] == tag_i &&
                           place_i[g*PositionW+:PositionW] == position_i)));
    end
  endgenerate

  // Ranks are maintained under LRU only.
  localparam IsLru = Replacement == 0;
  always_comb begin
    assume ((before_it | {!IsLru, 4'b0000}) == 5'b11111);
    p_counted: assert (after_it[0]);
    p_owned: assert (after_it[1]);
    p_tags: assert (after_it[2]);
    p_waiting: assert (after_it[3]);
    p_order: assert (!IsLru || after_it[4]);
    p_flushed: assert ((flushed | {!IsLru, 4'b0000}) == 5'b11111);
    p_waiting_stays: assert (&stays);
    p_fail: assert (!(op_i == PROBE && outcome == RESERVATION_FAIL) ||
                    (!changes && !evicted && !aged && !emptied && rc == 0 && !learns));
    p_unchanged: assert (changes || (valid == valid_i && waiting == waiting_i &&
                                     tag_row == tag_row_i && rcs == rc_i &&
                                     committed == committed_i && place == place_i &&
                                     ranks == rank_i && rrpvs == rrpv_i &&
                                     signatures == line_signature_i && reused == reused_i &&
                                     !learns));
    p_permission: assert (!(op_i == PROBE && outcome == MISS && !may_miss_i) &&
                          !(op_i == PROBE && outcome == BYPASS && !may_bypass_i));
    p_position: assert (!(op_i == PROBE && outcome == MISS) ||
                        {{32-PositionW{1'b0}}, position} < DataWays);
  end

endmodule

module tag_store_formal #(
  parameter integer                 LineW        = 3,
  parameter integer                 IndexW       = 1,
  parameter [IndexW:0]              Polynomial   = 3,
  parameter integer                 TagWays      = 3,
  parameter integer                 DataWays     = 2,
  parameter integer                 RcW          = 2,
  parameter integer                 Threshold    = 2,
  parameter integer                 AgeTwice     = 0,
  parameter integer                 LfuAny       = 0,
  parameter integer                 Replacement  = 0,
  parameter integer                 ProbeStage   = 0,
  localparam integer                PositionW    = (DataWays < 3) ? 1 : $clog2(DataWays),
  localparam integer                FreeW        = $clog2(DataWays + 1)
) (
  input wire logic                 clk_i,
  input wire logic                 rst_ni,
  input wire logic                 request_valid_i,
  input wire logic [2:0]           op_i,
  input wire logic [LineW-1:0]     line_i,
  input wire logic [PositionW-1:0] position_i,
  input wire logic                 may_miss_i,
  input wire logic                 may_bypass_i,
  input wire logic                 conventional_i,
  input wire logic                 signature_i,
  input wire logic                 response_ready_i
);

  logic                 request_ready, response_valid, evicted, dead, dropped, error, replaced, tie;
  logic                 saturated, aged, emptied, distant;
  logic [2:0]           outcome;
  logic [1:0]           reason;
  logic [IndexW-1:0]    index;
  logic [PositionW-1:0] position, evicted_position;
  logic [LineW-1:0]     evicted_line;
  logic [RcW-1:0]       rc;

  tag_store #(
    .LineW(LineW), .IndexW(IndexW), .Polynomial(Polynomial), .TagWays(TagWays),
    .DataWays(DataWays), .RcW(RcW), .Threshold(Threshold),
    .AgeTwice(AgeTwice), .LfuAny(LfuAny), .Replacement(Replacement), .RrpvW(2), .SignatureW(1),
    .CounterW(1), .ProbeStage(ProbeStage)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .request_valid_i(request_valid_i),
    .request_ready_o(request_ready), .op_i(op_i), .line_i(line_i), .position_i(position_i),
    .may_miss_i(may_miss_i), .may_bypass_i(may_bypass_i), .conventional_i(conventional_i),
    .signature_i(signature_i), .response_valid_o(response_valid),
    .response_ready_i(response_ready_i), .outcome_o(outcome), .reason_o(reason),
    .index_o(index), .position_o(position), .evicted_o(evicted),
    .evicted_line_o(evicted_line), .evicted_position_o(evicted_position), .dead_o(dead),
    .dropped_o(dropped), .error_o(error), .rc_o(rc), .replaced_o(replaced), .tie_o(tie),
    .saturated_o(saturated), .aged_o(aged), .emptied_o(emptied), .distant_o(distant)
  );

  tag_store_sva #(
    .LineW(LineW), .IndexW(IndexW), .Polynomial(Polynomial), .TagWays(TagWays),
    .DataWays(DataWays), .RcW(RcW), .Threshold(Threshold),
    .AgeTwice(AgeTwice), .LfuAny(LfuAny), .Replacement(Replacement), .RrpvW(2), .SignatureW(1),
    .CounterW(1), .ProbeStage(ProbeStage)
  ) sva (
    .clk_i(clk_i), .rst_ni(rst_ni), .request_valid_i(request_valid_i),
    .request_ready_i(request_ready), .op_i(op_i), .line_i(line_i), .position_i(position_i),
    .may_miss_i(may_miss_i), .may_bypass_i(may_bypass_i), .conventional_i(conventional_i),
    .signature_i(signature_i), .response_valid_i(response_valid),
    .response_ready_i(response_ready_i),
    .outcome_response_i(outcome), .reason_response_i(reason), .index_response_i(index),
    .position_response_i(position), .evicted_response_i(evicted),
    .evicted_line_response_i(evicted_line), .evicted_position_response_i(evicted_position),
    .dead_response_i(dead), .dropped_response_i(dropped), .error_response_i(error),
    .rc_response_i(rc), .replaced_response_i(replaced), .tie_response_i(tie),
    .saturated_response_i(saturated), .aged_response_i(aged), .emptied_response_i(emptied),
    .distant_response_i(distant)
  );

  // The environment: reset in the first cycle only; an offered request is stable until accepted.
  logic                         started, waiting_q;
  logic [LineW+PositionW+6:0]   request, request_q;
  assign request =
      {op_i, line_i, position_i, may_miss_i, may_bypass_i, conventional_i, signature_i};
  initial started = 1'b0;
  always @(posedge clk_i) begin
    started   <= 1'b1;
    waiting_q <= started && request_valid_i && !request_ready;
    request_q <= request;
    assume (rst_ni == started);
    if (started && waiting_q) assume (request_valid_i && request == request_q);
  end

endmodule

`default_nettype wire
