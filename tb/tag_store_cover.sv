// Cover points of tag_store: the events that a lockstep run must reach, in terms of an answer, the
// request right behind it, and the set's data lines as tracked by tb/tag_store_sva.sv.
`default_nettype none

module tag_store_cover #(
  parameter integer LineW        = 42,
  parameter integer IndexW       = 5,
  parameter integer DataWays     = 4,
  parameter integer RcW          = 6,
  parameter integer Threshold    = 2,
  parameter integer AllocationRc = 1,
  parameter integer CompareAbove = 0,
  parameter integer Replacement  = 0,
  parameter integer SignatureW   = 8
) (
  input wire logic                  clk_i,
  input wire logic                  rst_ni,
  input wire logic                  active_i,  // not in the first cycle after reset

  // The answered request, and whether it was accepted right behind the request before it.
  input wire logic                  answered_i,
  input wire logic                  behind_i,
  input wire logic [2:0]            op_i,
  input wire logic [LineW-1:0]      line_i,
  input wire logic                  may_miss_i,
  input wire logic                  may_bypass_i,
  input wire logic                  conventional_i,
  input wire logic [SignatureW-1:0] signature_i,

  // The answer.
  input wire logic [2:0]            outcome_i,
  input wire logic [1:0]            reason_i,
  input wire logic [IndexW-1:0]     index_i,
  input wire logic                  evicted_i,
  input wire logic                  dead_i,
  input wire logic                  dropped_i,
  input wire logic                  error_i,
  input wire logic [RcW-1:0]        rc_i,
  input wire logic                  replaced_i,
  input wire logic                  tie_i,
  input wire logic                  saturated_i,
  input wire logic                  aged_i,
  input wire logic                  emptied_i,
  input wire logic                  distant_i,

  // Data lines of the answered request's set: valid, waiting, the request's own, the one that the
  // answer names; and whether the line was written or invalidated while it waits.
  input wire logic [DataWays-1:0]   valid_i,
  input wire logic [DataWays-1:0]   waiting_i,
  input wire logic [DataWays-1:0]   same_i,
  input wire logic [DataWays-1:0]   here_i,
  input wire logic                  was_written_i,
  input wire logic                  was_removed_i,

  // The interface in this cycle.
  input wire logic                  offered_i,
  input wire logic                  accepted_i,
  input wire logic                  offered_flush_i,
  input wire logic                  full_i,   // as many requests are in flight as possible
  input wire logic                  waits_i,  // fewer are in flight, and no request is accepted
  input wire logic                  taken_i  // response_ready: a response would be taken
);

`include "tag_store_constants.svh"
  localparam integer Due = Threshold + ((CompareAbove != 0) ? 1 : 0);
  localparam IsSrrip = Replacement == 1, IsShip = Replacement == 2, IsRrip = IsSrrip || IsShip;

  logic is_probe, is_fill, is_write, is_invalidate, is_flush;
  assign is_probe      = op_i == PROBE;
  assign is_fill       = op_i == FILL;
  assign is_write      = op_i == WRITE;
  assign is_invalidate = op_i == INVALIDATE;
  assign is_flush      = op_i >= FLUSH;
  logic hits, pends, misses, bypasses, fails, fills, is_there, is_pending, is_dead;
  assign hits       = is_probe && outcome_i == HIT;
  assign pends      = is_probe && outcome_i == HIT_PENDING;
  assign misses     = is_probe && outcome_i == MISS;
  assign bypasses   = is_probe && outcome_i == BYPASS;
  assign fails      = is_probe && outcome_i == RESERVATION_FAIL;
  assign fills      = is_fill && !error_i;
  assign is_there   = |(same_i & ~waiting_i);
  assign is_pending = |(same_i & waiting_i);
  assign is_dead    = |(same_i & ~valid_i);
  integer rc;
  assign rc = {{32-RcW{1'b0}}, rc_i};

  // The last answer.
  logic [2:0]            last_op_q;
  logic [LineW-1:0]      last_line_q;
  logic [IndexW-1:0]     last_index_q;
  logic [SignatureW-1:0] last_signature_q;
  logic                  last_any_q, last_hit_q, last_missed_q, last_evicted_q, last_bypassed_q;
  logic                  last_failed_q, last_conventional_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_any_q <= 1'b0;
    else if (answered_i) last_any_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (answered_i) begin
      last_op_q           <= op_i;
      last_line_q         <= line_i;
      last_index_q        <= index_i;
      last_signature_q    <= signature_i;
      last_hit_q          <= hits || (pends && !dead_i);
      last_missed_q       <= misses;
      last_evicted_q      <= evicted_i;
      last_failed_q       <= fails;
      last_bypassed_q     <= bypasses;
      last_conventional_q <= conventional_i;
    end
  end
  logic follows, follows_set, follows_line;  // the request was accepted right behind the last answered
  assign follows      = answered_i && behind_i && last_any_q;
  assign follows_set  = follows && !is_flush && last_op_q < FLUSH && index_i == last_index_q;
  assign follows_line = follows_set && line_i == last_line_q;

  always @(posedge clk_i) begin
    if (active_i) begin
      c_hit: cover (answered_i && hits);
      c_hit_pending: cover (answered_i && pends && !dead_i);
      c_hit_pending_dead: cover (answered_i && pends && dead_i);
      c_miss_free_line: cover (answered_i && misses && !evicted_i);
      c_miss_evicts: cover (answered_i && misses && evicted_i);
      c_miss_last_line: cover (answered_i && misses && here_i[DataWays-1]);
      c_bypass: cover (answered_i && bypasses);
      c_threshold_exactly: cover (answered_i && misses && !replaced_i &&
                                  rc == Due && !conventional_i);
      c_threshold_less_one: cover (answered_i && bypasses &&
                                   rc + 1 == Due && !conventional_i);
      c_conventional_miss: cover (answered_i && misses && conventional_i && rc < Due);
      c_conventional_counted: cover (answered_i && misses && conventional_i && rc < Due &&
                                     rc > AllocationRc);
      c_conventional_replaces: cover (answered_i && misses && conventional_i && rc < Due &&
                                      replaced_i && !evicted_i);
      c_conventional_evicts: cover (answered_i && misses && conventional_i && rc < Due &&
                                    evicted_i);
      c_conventional_fails: cover (answered_i && fails && conventional_i && may_bypass_i &&
                                   reason_i == FAIL_MISS && !is_pending);
      c_conventional_behind_bypass: cover (follows_line && misses && conventional_i && rc < Due &&
                                           last_bypassed_q && !last_conventional_q);
      c_bypass_behind_conventional: cover (follows_set && bypasses && !conventional_i &&
                                           last_missed_q && last_conventional_q);
      c_srrip_evicts: cover (answered_i && IsSrrip && misses && evicted_i);
      c_ship_evicts: cover (answered_i && IsShip && misses && evicted_i);
      c_rrip_evicts_beside_waiting: cover (answered_i && IsRrip && misses && evicted_i &&
                                           waiting_i != 0);
      c_rrip_evicts_beside_dead: cover (answered_i && IsRrip && misses && evicted_i &&
                                        (waiting_i & ~valid_i) != 0);
      c_rrip_evicts_behind_hit: cover (follows_set && IsRrip && misses && evicted_i &&
                                       last_hit_q);
      c_rrip_fails_then_evicts: cover (follows_line && IsRrip && misses && evicted_i &&
                                       last_failed_q);
      c_rrip_entry_gives_up: cover (answered_i && IsRrip && bypasses && evicted_i);
      c_rrip_replaces_and_evicts: cover (answered_i && IsRrip && misses && evicted_i && replaced_i);
      c_distant: cover (answered_i && distant_i && !evicted_i);
      c_distant_evicts: cover (answered_i && distant_i && evicted_i);
      c_near_evicts: cover (answered_i && IsShip && misses && !distant_i && evicted_i);
      c_distant_first: cover (answered_i && distant_i && valid_i == 0);
      c_learn_and_ask: cover (follows && IsShip && misses && last_missed_q && last_evicted_q &&
                              signature_i == last_signature_q);
      c_touch_and_ask: cover (follows && IsShip && misses && last_hit_q &&
                              signature_i == last_signature_q);
      c_candidate_evicted: cover (answered_i && replaced_i && bypasses &&
                                  !evicted_i);
      c_committed_evicted: cover (answered_i && replaced_i && bypasses &&
                                  evicted_i);
      c_replaced_and_miss: cover (answered_i && replaced_i && misses);
      c_lfu_tie: cover (answered_i && tie_i);
      c_lfu_no_tie: cover (answered_i && replaced_i && !tie_i);
      c_rc_saturated: cover (answered_i && saturated_i);
      c_aged: cover (answered_i && aged_i && !emptied_i);
      c_aged_to_zero: cover (answered_i && emptied_i);
      c_aged_on_allocation: cover (answered_i && misses && aged_i && !evicted_i);
      c_aged_on_eviction: cover (answered_i && is_write && aged_i);
      c_fail_line: cover (answered_i && fails && reason_i == FAIL_LINE && may_miss_i);
      c_fail_line_and_miss: cover (answered_i && fails && reason_i == FAIL_LINE && !may_miss_i);
      c_fail_miss: cover (answered_i && fails && reason_i == FAIL_MISS && !is_pending);
      c_fail_pending: cover (answered_i && fails && reason_i == FAIL_MISS && is_pending);
      c_fail_bypass: cover (answered_i && fails && reason_i == FAIL_BYPASS);
      c_miss_without_bypass: cover (answered_i && misses && !may_bypass_i);
      c_bypass_without_miss: cover (answered_i && bypasses && !may_miss_i);
      c_fill: cover (answered_i && fills && !dropped_i);
      c_fill_error_nothing: cover (answered_i && error_i && !(|same_i));
      c_fill_error_there: cover (answered_i && error_i && is_there);
      c_fill_error_position: cover (answered_i && error_i && is_pending);
      c_drop_written: cover (answered_i && dropped_i && was_written_i);
      c_drop_invalidated: cover (answered_i && dropped_i && was_removed_i);
      c_drop_flushed: cover (answered_i && dropped_i && !was_written_i && !was_removed_i);
      c_drop_beside_valid: cover (answered_i && dropped_i && valid_i != 0);
      c_write_hit: cover (answered_i && is_write && evicted_i);
      c_write_waiting: cover (answered_i && is_write && dead_i);
      c_write_dead: cover (answered_i && is_write && is_dead);
      c_write_nothing: cover (answered_i && is_write && !(|same_i));
      c_invalidate_hit: cover (answered_i && is_invalidate && evicted_i);
      c_invalidate_waiting: cover (answered_i && is_invalidate && dead_i);
      c_invalidate_dead: cover (answered_i && is_invalidate && is_dead);
      c_invalidate_nothing: cover (answered_i && is_invalidate && !(|same_i));
      c_flush_in_flight: cover (accepted_i && offered_flush_i && full_i);
      c_flush_behind: cover (follows && is_flush && last_op_q < FLUSH);
      c_behind_flush: cover (follows && last_op_q >= FLUSH && is_probe && (|waiting_i));
      c_miss_beside_dead: cover (answered_i && misses && |(waiting_i & ~valid_i));
      c_same_set: cover (follows_set && line_i != last_line_q && is_probe && last_op_q == PROBE);
      c_same_line: cover (follows_line && is_probe && last_op_q == PROBE);
      c_miss_then_pending: cover (follows_line && pends && last_missed_q);
      c_probe_then_fill: cover (follows_line && fills && last_op_q == PROBE);
      c_miss_then_fill: cover (follows_line && fills && last_missed_q);
      c_fill_then_write: cover (follows_line && is_write && evicted_i &&
                                last_op_q == FILL);
      c_fill_then_probe: cover (follows_line && hits && last_op_q == FILL);
      c_write_then_probe: cover (follows_line && is_probe && last_op_q == WRITE);
      c_invalidate_then_probe: cover (follows_line && is_probe && last_op_q == INVALIDATE);
      c_waits_for_set: cover (waits_i && offered_i && taken_i);
      c_full_and_waiting: cover (full_i && !taken_i && offered_i);
      c_accept_while_full: cover (full_i && answered_i && accepted_i);
    end
  end

endmodule

`default_nettype wire
