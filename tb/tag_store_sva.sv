// Checkers of tag_store. The lockstep top and the formal harness instantiate them; the checkers
// instantiate the cover points (tb/tag_store_cover.sv).
// They track the owner of each data line from the answers, in order, and check each answer against it.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_index            the set is set_index's of the line
//   a_outcome          the outcome is one of the five; the reason of a RESERVATION_FAIL is one of three
//   a_found            a line with a data line hits; a waiting line is pending, or fails
//   a_hit, a_pending   the data line is the line's; pending needs permission, and tells a dead line
//   a_miss             the line had no data line and gets the lowest free one, or the evicted one;
//                      its RC is enough; it has permission
//   a_bypass           the line had no data line; its RC is not enough; it has permission
//   a_fail             RESERVATION_FAIL: its reason is the first that applies
//   a_evicted          the evicted line was present and did not wait
//   a_write            WRITE and INVALIDATE evict the line's data line, or tell that it is dead now
//   a_fill             FILL finds its line waiting at its position, and drops a dead line
//   a_events           tie, saturated, aged, emptied, distant only where they are possible
//   a_named            fields that operation and outcome do not name are 0; a RESERVATION_FAIL has
//                      no event
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/tag_store.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than three are in flight
//   a_answered         a request is answered in the third cycle after it at the latest; with ProbeStage,
//                      where it may wait for the request ahead in its set, in the fourth, or in the
//                      cycle after another answer
`default_nettype none

module tag_store_sva #(
  parameter integer            LineW        = 42,
  parameter integer            IndexW       = 5,
  parameter [IndexW:0]         Polynomial   = 37,
  parameter [IndexW*LineW-1:0] Matrix       = 0,
  parameter integer            TagWays      = 8,
  parameter integer            DataWays     = 4,
  parameter integer            RcW          = 6,
  parameter integer            Threshold    = 2,
  parameter integer            AllocationRc = 1,
  parameter integer            CompareAbove = 0,
  parameter integer            AgeTwice     = 0,
  parameter integer            LfuAny       = 0,
  parameter integer            Replacement  = 0,
  parameter integer            RrpvW        = 2,
  parameter integer            SignatureW   = 8,
  parameter integer            CounterW     = 3,
  parameter integer            ProbeStage   = 0,
  localparam integer           PositionW    = (DataWays < 3) ? 1 : $clog2(DataWays),
  localparam integer           FreeW        = $clog2(DataWays + 1)
) (
  input wire logic                  clk_i,
  input wire logic                  rst_ni,

  input wire logic                  request_valid_i,
  input wire logic                  request_ready_i,
  input wire logic [2:0]            op_i,
  input wire logic [LineW-1:0]      line_i,
  input wire logic [PositionW-1:0]  position_i,
  input wire logic                  may_miss_i,
  input wire logic                  may_bypass_i,
  input wire logic                  conventional_i,
  input wire logic [SignatureW-1:0] signature_i,

  input wire logic                  response_valid_i,
  input wire logic                  response_ready_i,
  input wire logic [2:0]            outcome_response_i,
  input wire logic [1:0]            reason_response_i,
  input wire logic [IndexW-1:0]     index_response_i,
  input wire logic [PositionW-1:0]  position_response_i,
  input wire logic                  evicted_response_i,
  input wire logic [LineW-1:0]      evicted_line_response_i,
  input wire logic [PositionW-1:0]  evicted_position_response_i,
  input wire logic                  dead_response_i,
  input wire logic                  dropped_response_i,
  input wire logic                  error_response_i,
  input wire logic [RcW-1:0]        rc_response_i,
  input wire logic                  replaced_response_i,
  input wire logic                  tie_response_i,
  input wire logic                  saturated_response_i,
  input wire logic                  aged_response_i,
  input wire logic                  emptied_response_i,
  input wire logic                  distant_response_i
);

`include "tag_store_constants.svh"
  localparam integer Sets = 1 << IndexW;
  localparam [DataWays-1:0] LowestLine = 1;
  localparam integer Above = (CompareAbove != 0) ? 1 : 0, Due = Threshold + Above;
  localparam AnyIsCandidate = LfuAny != 0, IsShip = Replacement == 2;

  // verilator coverage_off
  logic unused_parameters;  // lockstep checks their effect
  logic [LineW-1:0] unused_line;
  // verilator coverage_on
  assign unused_parameters = &{TagWays[0], FreeW[0], AgeTwice[0], RrpvW[0], CounterW[0]};

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight now, for two cycles and so on; and whether a request was accepted in the cycle
  // after the request before it.
  localparam Waits = ProbeStage != 0;
  localparam integer Stages = Waits ? 4 : 3;
  localparam integer RequestW = 3 + LineW + PositionW + 3 + SignatureW;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [9*Stages-1:0]   in_flight_for;
  logic [8:0]            in_flight, oldest;
  logic                  was_reset, is_full_queue, fits, agrees;
  logic [2:0]            op;
  logic [LineW-1:0]      line;
  logic [PositionW-1:0]  position;
  logic [SignatureW-1:0] signature;
  logic                  may_miss, may_bypass, conventional, behind;
  assign in_flight = in_flight_for[8:0];
  assign oldest    = in_flight_for[9*(Stages-1)+:9];
  assign offered =
      {op_i, line_i, position_i, may_miss_i, may_bypass_i, conventional_i, signature_i};
  assign {op, line, position, may_miss, may_bypass, conventional, signature} =
      waiting_requests[RequestW-1:0];
  request_queue #(
    .Width (RequestW),
    .Stages(Stages)
  ) queue (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .accepted_i (accepted),
    .answered_i (answered),
    .offered_i  (offered),
    .was_reset_o(was_reset),
    .waiting_o  (waiting_requests),
    .behind_o   (behind),
    .inside_o   (in_flight_for),
    .full_o     (is_full_queue),
    .fits_o     (fits),
    .agrees_o   (agrees)
  );

  // The data lines: owner, valid, waiting. A line that waits and is not valid is dead: it was written,
  // invalidated or flushed. A row that was not written since the reset, or, for `valid`, since the last
  // FLUSH, is zeros.
  logic [LineW-1:0]    owner_q   [0:(1<<(IndexW+PositionW))-1];
  logic [DataWays-1:0] valid_q   [0:Sets-1];
  logic [DataWays-1:0] waiting_q [0:Sets-1];
  logic [DataWays-1:0] written_q [0:Sets-1];
  logic [DataWays-1:0] removed_q [0:Sets-1];
  logic [Sets-1:0]     valid_live_q, waiting_live_q;

  logic [DataWays-1:0] valid, waiting, same, here, there, asked;
  logic [IndexW-1:0]   set_of_line;
  assign valid   = valid_live_q[index_response_i] ? valid_q[index_response_i] : {DataWays{1'b0}};
  assign waiting = waiting_live_q[index_response_i] ? waiting_q[index_response_i]
                                                    : {DataWays{1'b0}};
  genvar g;
  generate
    for (g = 0; g < DataWays; g = g + 1) begin : gen_line
      assign same[g]  = (valid[g] || waiting[g]) &&
                        owner_q[{index_response_i, g[PositionW-1:0]}] == line;
      assign asked[g] = position == g[PositionW-1:0];
      assign here[g]  = position_response_i == g[PositionW-1:0];
      assign there[g] = evicted_position_response_i == g[PositionW-1:0] && evicted_response_i;
    end
  endgenerate
  set_index_network #(
    .LineW     (LineW),
    .IndexW    (IndexW),
    .Polynomial(Polynomial),
    .Matrix    (Matrix)
  ) u_network (
    .line_i         (line),
    .index_o        (set_of_line),
    .inverse_tag_i  ({LineW-IndexW{1'b0}}),
    .inverse_index_i({IndexW{1'b0}}),
    .inverse_line_o (unused_line)
  );

  logic is_probe, is_fill, is_write, is_invalidate, is_flush;
  assign is_probe      = op == PROBE;
  assign is_fill       = op == FILL;
  assign is_write      = op == WRITE;
  assign is_invalidate = op == INVALIDATE;
  assign is_flush      = op >= FLUSH;
  logic hits, pends, misses, bypasses, fails;
  assign hits     = is_probe && outcome_response_i == HIT;
  assign pends    = is_probe && outcome_response_i == HIT_PENDING;
  assign misses   = is_probe && outcome_response_i == MISS;
  assign bypasses = is_probe && outcome_response_i == BYPASS;
  assign fails    = is_probe && outcome_response_i == RESERVATION_FAIL;

  logic                is_there, is_pending, is_dead, all_wait, is_enough, fills;
  integer              rc;
  logic [DataWays-1:0] free_now;  // free data lines, the evicted one included
  assign is_there   = |(same & ~waiting);
  assign is_pending = |(same & waiting);
  assign is_dead    = |(same & ~valid);
  assign all_wait   = &waiting;
  assign free_now   = ~(valid | waiting) | there;
  assign rc         = {{32-RcW{1'b0}}, rc_response_i};
  assign is_enough  = rc >= (conventional ? Above : Due);
  assign fills      = is_fill && !error_response_i;

  logic [DataWays-1:0] dies;
  assign dies = same & {DataWays{dead_response_i && (is_write || is_invalidate)}};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_live_q   <= {Sets{1'b0}};
      waiting_live_q <= {Sets{1'b0}};
    end else if (answered && is_flush) begin
      valid_live_q <= {Sets{1'b0}};
    end else if (answered) begin
      valid_live_q[index_response_i]   <= 1'b1;
      waiting_live_q[index_response_i] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (answered && !is_flush) begin
      valid_q[index_response_i]   <= (valid & ~there & ~dies) | (here & {DataWays{misses}});
      waiting_q[index_response_i] <= (waiting & ~(here & {DataWays{fills}})) |
                                     (here & {DataWays{misses}});
      written_q[index_response_i] <= (written_q[index_response_i] & ~(here & {DataWays{misses}})) |
                                     (dies & {DataWays{is_write}});
      removed_q[index_response_i] <= (removed_q[index_response_i] & ~(here & {DataWays{misses}})) |
                                     (dies & {DataWays{is_invalidate}});
    end
    if (answered && misses) owner_q[{index_response_i, position_response_i}] <= line;
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i &&
            outcome_response_i == $past(outcome_response_i) &&
            reason_response_i == $past(reason_response_i) &&
            index_response_i == $past(index_response_i) &&
            position_response_i == $past(position_response_i) &&
            evicted_response_i == $past(evicted_response_i) &&
            evicted_line_response_i == $past(evicted_line_response_i) &&
            evicted_position_response_i == $past(evicted_position_response_i) &&
            dead_response_i == $past(dead_response_i) &&
            dropped_response_i == $past(dropped_response_i) &&
            error_response_i == $past(error_response_i) && rc_response_i == $past(rc_response_i) &&
            replaced_response_i == $past(replaced_response_i) &&
            tie_response_i == $past(tie_response_i) &&
            saturated_response_i == $past(saturated_response_i) &&
            aged_response_i == $past(aged_response_i) &&
            emptied_response_i == $past(emptied_response_i) &&
            distant_response_i == $past(distant_response_i));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || in_flight >= 3);
      a_answered: assert (oldest == 0 || response_valid_i ||
                          (Waits && $past(response_valid_i)));
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_index: assert (index_response_i == (is_flush ? {IndexW{1'b0}} : set_of_line));
      a_outcome: assert (outcome_response_i <= RESERVATION_FAIL && reason_response_i <= FAIL_BYPASS);
      if (is_probe) begin
        a_found: assert ((!is_there || hits) &&
                         (!is_pending || pends || (fails && reason_response_i == FAIL_MISS)));
      end
      if (hits) a_hit: assert (|(same & here & valid & ~waiting));
      if (pends) begin
        a_pending: assert (|(same & here & waiting) && may_miss && dead_response_i == is_dead);
      end
      if (misses) begin
        a_miss: assert (!(|same) && may_miss && is_enough &&
                        here == (free_now & (~free_now + LowestLine)) &&
                        (AnyIsCandidate || evicted_response_i == &(valid | waiting)));
      end
      if (bypasses) begin
        a_bypass: assert (!(|same) && may_bypass && !is_enough &&
                          (AnyIsCandidate || !evicted_response_i));
      end
      if (fails && reason_response_i == FAIL_LINE) a_fail_line: assert (!(|same) && all_wait);
      if (fails && reason_response_i == FAIL_MISS) begin
        a_fail_miss: assert (!may_miss && (is_pending || (!(|same) && !all_wait)));
      end
      if (fails && reason_response_i == FAIL_BYPASS) begin
        a_fail_bypass: assert (!may_bypass && !(|same));
      end
      if (evicted_response_i) begin
        a_evicted: assert (|(there & valid & ~waiting) && evicted_line_response_i ==
                           owner_q[{index_response_i, evicted_position_response_i}]);
      end
      if (is_write || is_invalidate) begin
        a_write: assert (evicted_response_i == is_there &&
                         (!is_there || evicted_line_response_i == line) &&
                         dead_response_i == (is_pending && !is_dead));
      end
      if (is_fill) begin
        a_fill: assert (error_response_i == !(|(same & waiting & asked)) &&
                        (error_response_i || position_response_i == position) &&
                        dropped_response_i == (!error_response_i && is_dead));
      end
      a_events: assert ((!tie_response_i || replaced_response_i) &&
                        (!replaced_response_i || misses || bypasses) &&
                        (!saturated_response_i ||
                         ((bypasses || (misses && conventional)) && (&rc_response_i) &&
                          !replaced_response_i)) &&
                        (!aged_response_i || misses || (evicted_response_i && !is_invalidate)) &&
                        (!emptied_response_i || aged_response_i) &&
                        (!distant_response_i || (misses && IsShip)));
      a_named: assert ((is_probe || outcome_response_i == 0) && (fails || reason_response_i == 0) &&
                       (hits || pends || misses || fills || position_response_i == 0) &&
                       (misses || bypasses || is_write || is_invalidate || !evicted_response_i) &&
                       (evicted_response_i ||
                        (evicted_line_response_i == 0 && evicted_position_response_i == 0)) &&
                       (pends || is_write || is_invalidate || !dead_response_i) &&
                       (is_fill || (!dropped_response_i && !error_response_i)) &&
                       (hits || (pends && !dead_response_i) || misses || bypasses ||
                        rc_response_i == 0));
    end
  end

  tag_store_cover #(
    .LineW       (LineW),
    .IndexW      (IndexW),
    .DataWays    (DataWays),
    .RcW         (RcW),
    .Threshold   (Threshold),
    .AllocationRc(AllocationRc),
    .CompareAbove(CompareAbove),
    .Replacement (Replacement),
    .SignatureW  (SignatureW)
  ) u_cover (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .active_i       (!was_reset),
    .answered_i     (answered),
    .behind_i       (behind),
    .op_i           (op),
    .line_i         (line),
    .may_miss_i     (may_miss),
    .may_bypass_i   (may_bypass),
    .conventional_i (conventional),
    .signature_i    (signature),
    .outcome_i      (outcome_response_i),
    .reason_i       (reason_response_i),
    .index_i        (index_response_i),
    .evicted_i      (evicted_response_i),
    .dead_i         (dead_response_i),
    .dropped_i      (dropped_response_i),
    .error_i        (error_response_i),
    .rc_i           (rc_response_i),
    .replaced_i     (replaced_response_i),
    .tie_i          (tie_response_i),
    .saturated_i    (saturated_response_i),
    .aged_i         (aged_response_i),
    .emptied_i      (emptied_response_i),
    .distant_i      (distant_response_i),
    .valid_i        (valid),
    .waiting_i      (waiting),
    .same_i         (same),
    .here_i         (here),
    .was_written_i  (|(same & written_q[index_response_i])),
    .was_removed_i  (|(same & removed_q[index_response_i])),
    .offered_i      (request_valid_i),
    .accepted_i     (accepted),
    .offered_flush_i(op_i[2]),
    .full_i         (is_full_queue),
    .waits_i        (!request_ready_i && !is_full_queue),
    .taken_i        (response_ready_i)
  );

`ifdef GOLDMEM_CROSS
  // For the crosses: the request before the answered one.
  logic              before_any_q, cross_set, cross_line, cross_flush;
  logic [2:0]        before_op_q;
  logic [LineW-1:0]  before_line_q;
  logic [IndexW-1:0] before_index_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) before_any_q <= 1'b0;
    else if (answered) before_any_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (answered) begin
      before_op_q    <= op;
      before_line_q  <= line;
      before_index_q <= index_response_i;
    end
  end
  assign cross_flush = behind && before_any_q && before_op_q >= FLUSH;
  assign cross_line  = behind && before_any_q && before_op_q < FLUSH && !is_flush &&
                       line == before_line_q;
  assign cross_set   = behind && before_any_q && before_op_q < FLUSH && !is_flush &&
                       line != before_line_q && index_response_i == before_index_q;
  logic [19:0] cross_kind;
  logic [3:0] cross_hazard;
  assign cross_kind[0] = hits;
  assign cross_kind[1] = pends && !dead_response_i;
  assign cross_kind[2] = pends && dead_response_i;
  assign cross_kind[3] = misses && !evicted_response_i;
  assign cross_kind[4] = misses && evicted_response_i;
  assign cross_kind[5] = bypasses && !replaced_response_i;
  assign cross_kind[6] = bypasses && replaced_response_i;
  assign cross_kind[7] = fails && reason_response_i == FAIL_LINE;
  assign cross_kind[8] = fails && reason_response_i == FAIL_MISS;
  assign cross_kind[9] = fails && reason_response_i == FAIL_BYPASS;
  assign cross_kind[10] = is_fill && !error_response_i && !dropped_response_i;
  assign cross_kind[11] = is_fill && dropped_response_i;
  assign cross_kind[12] = is_fill && error_response_i;
  assign cross_kind[13] = is_write && evicted_response_i;
  assign cross_kind[14] = is_write && dead_response_i;
  assign cross_kind[15] = is_write && !evicted_response_i && !dead_response_i;
  assign cross_kind[16] = is_invalidate && evicted_response_i;
  assign cross_kind[17] = is_invalidate && dead_response_i;
  assign cross_kind[18] = is_invalidate && !evicted_response_i && !dead_response_i;
  assign cross_kind[19] = is_flush;
  assign cross_hazard[0] = !(cross_set || cross_line || cross_flush);
  assign cross_hazard[1] = cross_set;
  assign cross_hazard[2] = cross_line;
  assign cross_hazard[3] = cross_flush;
  cross_cover #(
    .Kinds  (20),
    .Hazards(4)
  ) u_cross (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .response_valid_i (response_valid_i),
    .response_ready_i (response_ready_i),
    .kind_i           (cross_kind),
    .hazard_i         (cross_hazard)
  );
`endif

endmodule

`default_nettype wire
