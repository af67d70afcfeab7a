// Checkers and cover points of stream_gate; the lockstep top and the formal harness instantiate them.
// They keep counts and gate from the answers, in their order, and compute in 32 bits.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_counts           an ACCESS counts itself and its miss, and neither at the limit
//   a_ended            a PERIOD answers the counts of the period that ends
//   a_closes           a PERIOD of Least accesses or more, of which more than Threshold percent miss, closes
//   a_opens            one of which fewer miss opens, and one that is hot
//   a_keeps            every other PERIOD, and ACCESS, keep the gate
//   a_restarts         RESTART opens and counts from 0
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/stream_gate.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than two are in flight
//   a_answered         a request in flight is answered in the next cycle at the latest
`default_nettype none

module stream_gate_sva #(
  parameter integer CountW    = 14,
  parameter integer Threshold = 90,
  parameter integer Least     = 64
) (
  input wire logic              clk_i,
  input wire logic              rst_ni,

  input wire logic              request_valid_i,
  input wire logic              request_ready_i,
  input wire logic [1:0]        op_i,
  input wire logic              miss_i,
  input wire logic              hot_i,

  input wire logic              response_valid_i,
  input wire logic              response_ready_i,
  input wire logic              closed_response_i,
  input wire logic [CountW-1:0] accesses_response_i,
  input wire logic [CountW-1:0] misses_response_i
);

`include "stream_gate_constants.svh"

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight, and requests in flight for two cycles.
  localparam integer RequestW = 4;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  logic [1:0]            op;
  logic                  miss, hot;
  assign offered = {op_i, miss_i, hot_i};
  assign {op, miss, hot} = waiting_requests[RequestW-1:0];
  request_queue #(
    .Width (RequestW),
    .Stages(2)
  ) queue (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .accepted_i (accepted),
    .answered_i (answered),
    .offered_i  (offered),
    .was_reset_o(was_reset),
    .waiting_o  (waiting_requests),
    .behind_o   (behind),
    .inside_o   ({older, in_flight}),
    .full_o     (is_full_queue),
    .fits_o     (fits),
    .agrees_o   (agrees)
  );

  // The counts of the period and the gate, after the last answer.
  logic [CountW-1:0] accesses_q, misses_q;
  logic              closed_q, is_access, is_period, restarts;
  assign is_access = op == ACCESS;
  assign is_period = op == PERIOD;
  assign restarts  = op >= RESTART;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accesses_q <= {CountW{1'b0}};
      misses_q   <= {CountW{1'b0}};
      closed_q   <= 1'b0;
    end else if (answered) begin
      accesses_q <= is_access ? accesses_response_i : {CountW{1'b0}};
      misses_q   <= is_access ? misses_response_i : {CountW{1'b0}};
      closed_q   <= closed_response_i;
    end
  end

  logic [31:0] held, held_misses, after, after_misses, missed, allowed;
  logic        is_full, decides, above, below;
  assign held         = {{32 - CountW{1'b0}}, accesses_q};
  assign held_misses  = {{32 - CountW{1'b0}}, misses_q};
  assign after        = {{32 - CountW{1'b0}}, accesses_response_i};
  assign after_misses = {{32 - CountW{1'b0}}, misses_response_i};
  assign missed       = held_misses * 32'd100;
  assign allowed      = held * Threshold;
  assign is_full      = held == (32'd1 << CountW) - 32'd1;
  assign decides      = held >= Least;
  assign above        = decides && missed > allowed;
  assign below        = decides && missed < allowed;

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && {closed_response_i, after, after_misses} ==
                                                       $past({closed_response_i, after, after_misses}));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      if ($past(in_flight > {8'd0, answered})) a_answered: assert (response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      if (is_access) begin
        a_counts: assert (after == (is_full ? held : held + 32'd1) &&
                          after_misses == (is_full || !miss ? held_misses : held_misses + 32'd1));
      end
      if (is_period) a_ended: assert (after == held && after_misses == held_misses);
      if (is_period && !hot && above) a_closes: assert (closed_response_i);
      if (is_period && (hot || below)) a_opens: assert (!closed_response_i);
      if (is_access || (is_period && !hot && !above && !below)) a_keeps: assert (closed_response_i == closed_q);
      if (restarts) a_restarts: assert (!closed_response_i && after == 0 && after_misses == 0);
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "stream_gate_invariant.svh"
`endif

  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_hit: cover (answered && is_access && !miss && !is_full);
      c_miss: cover (answered && is_access && miss && !is_full);
      c_full: cover (answered && is_access && !miss && is_full);
      c_full_miss: cover (answered && is_access && miss && is_full && held_misses != held);
      c_closes: cover (answered && is_period && !hot && above && !closed_q);
      c_closes_just: cover (answered && is_period && !hot && above && !closed_q && missed - allowed <= 32'd100);
      c_stays_closed: cover (answered && is_period && !hot && above && closed_q);
      c_opens: cover (answered && is_period && !hot && below && closed_q);
      c_opens_just: cover (answered && is_period && !hot && below && closed_q && allowed - missed <= 32'd100);
      c_stays_open: cover (answered && is_period && !hot && below && !closed_q);
      c_at_threshold_closed: cover (answered && is_period && !hot && decides && !above && !below && closed_q);
      c_at_threshold_open: cover (answered && is_period && !hot && decides && !above && !below && !closed_q);
      c_few_closed: cover (answered && is_period && !hot && !decides && missed < allowed && closed_q);
      c_few_open: cover (answered && is_period && !hot && !decides && missed > allowed && !closed_q);
      c_least: cover (answered && is_period && !hot && held == Least && above && !closed_q);
      c_ends_full: cover (answered && is_period && is_full);
      c_hot_opens: cover (answered && is_period && hot && above && closed_q);
      c_hot_stays_open: cover (answered && is_period && hot && above && !closed_q);
      c_restart_closed: cover (answered && restarts && closed_q);
      c_restart_counts: cover (answered && restarts && held != 0 && held_misses != 0);
      c_restart_other_number: cover (answered && op > RESTART);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic [7:0] cross_kind;
  logic [1:0] cross_hazard;
  assign cross_kind[0] = is_access && !miss && !is_full;
  assign cross_kind[1] = is_access && miss && !is_full;
  assign cross_kind[2] = is_access && is_full;
  assign cross_kind[3] = is_period && closed_response_i && !closed_q;
  assign cross_kind[4] = is_period && !closed_response_i && closed_q;
  assign cross_kind[5] = is_period && closed_response_i && closed_q;
  assign cross_kind[6] = is_period && !closed_response_i && !closed_q;
  assign cross_kind[7] = restarts;
  assign cross_hazard[0] = !behind;
  assign cross_hazard[1] = behind;
  cross_cover #(
    .Kinds  (8),
    .Hazards(2)
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
