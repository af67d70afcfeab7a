// Checkers and cover points of sm_dueling; the lockstep top and the formal harness instantiate them.
// They count accesses and misses from the requests, in the order of the answers.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_left             left_o is the rest of the interval; at its end a whole interval
//   a_sampling         the first interval and each Period-th after it are sampling intervals
//   a_decided          a decision is made exactly at the end of a sampling interval in which both SMs
//                      had accesses
//   a_keeps            the selected L1D changes only with a decision or a RESTART
//   a_worse, a_better  SM0 worse: conventional; else decoupled, with hysteresis only when SM0 is better
//   a_restart          conventional after a RESTART
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/sm_dueling.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than two are in flight
//   a_answered         a request in flight is answered in the next cycle at the latest
`default_nettype none

module sm_dueling_sva #(
  parameter integer Interval   = 500,
  parameter integer CountW     = 9,
  parameter integer Difference = 10,
  parameter integer Hysteresis = 0,
  parameter integer Period     = 20,
  localparam integer IntervalW = $clog2(Interval + 1),
  localparam integer PeriodW    = (Period < 3) ? 1 : $clog2(Period)
) (
  input wire logic                 clk_i,
  input wire logic                 rst_ni,

  input wire logic                 request_valid_i,
  input wire logic                 request_ready_i,
  input wire logic [1:0]           op_i,
  input wire logic                 sm_i,
  input wire logic                 miss_i,
  input wire logic [IntervalW-1:0] amount_i,

  input wire logic                 response_valid_i,
  input wire logic                 response_ready_i,
  input wire logic                 decided_response_i,
  input wire logic                 decoupled_response_i,
  input wire logic                 sampling_response_i,
  input wire logic [IntervalW-1:0] left_response_i
);

`include "sm_dueling_constants.svh"
  localparam [CountW-1:0] Full = {CountW{1'b1}};
  localparam Keeps = Hysteresis != 0;

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight, and requests in flight for two cycles.
  localparam integer RequestW = 4 + IntervalW;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  logic [1:0]            op;
  logic                  sm, miss;
  logic [IntervalW-1:0]  amount;
  assign offered = {op_i, sm_i, miss_i, amount_i};
  assign {op, sm, miss, amount} = waiting_requests[RequestW-1:0];
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

  // Counts of the sampling interval before the answered request.
  logic [CountW-1:0] accesses_0_q, accesses_1_q, misses_0_q, misses_1_q;
  integer            left_q, wait_q;  // wait_q: interval ends until the next sampling interval begins
  logic              decoupled_q, samples, is_advance, restarts, ends, has_both;
  integer            step;
  assign samples    = wait_q == 0;
  assign is_advance = op == ADVANCE;
  assign restarts   = op >= RESTART;
  assign step       = {{32-IntervalW{1'b0}}, amount};
  assign ends       = is_advance && step >= left_q;
  assign has_both   = accesses_0_q != 0 && accesses_1_q != 0;

  // Counts after the answered request.
  logic [CountW-1:0] accesses_0_d, accesses_1_d, misses_0_d, misses_1_d;
  integer            left_d, wait_d;
  always_comb begin
    accesses_0_d = accesses_0_q;
    accesses_1_d = accesses_1_q;
    misses_0_d   = misses_0_q;
    misses_1_d   = misses_1_q;
    left_d       = left_q;
    wait_d       = wait_q;
    if (samples && op == ACCESS && !sm && accesses_0_q != Full) begin
      accesses_0_d = accesses_0_q + 1'b1;
      if (miss) misses_0_d = misses_0_q + 1'b1;
    end
    if (samples && op == ACCESS && sm && accesses_1_q != Full) begin
      accesses_1_d = accesses_1_q + 1'b1;
      if (miss) misses_1_d = misses_1_q + 1'b1;
    end
    if (ends || restarts) begin
      accesses_0_d = {CountW{1'b0}};
      accesses_1_d = {CountW{1'b0}};
      misses_0_d   = {CountW{1'b0}};
      misses_1_d   = {CountW{1'b0}};
      left_d       = Interval;
      if (restarts) wait_d = 0;
      else wait_d = samples ? Period - 1 : wait_q - 1;
    end else if (is_advance) begin
      left_d = left_q - step;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accesses_0_q <= {CountW{1'b0}};
      accesses_1_q <= {CountW{1'b0}};
      misses_0_q   <= {CountW{1'b0}};
      misses_1_q   <= {CountW{1'b0}};
      left_q       <= Interval;
      wait_q       <= 0;
      decoupled_q  <= 1'b0;
    end else begin
      if (answered) begin
        decoupled_q  <= decoupled_response_i;
        accesses_0_q <= accesses_0_d;
        accesses_1_q <= accesses_1_d;
        misses_0_q   <= misses_0_d;
        misses_1_q   <= misses_1_d;
        left_q       <= left_d;
        wait_q       <= wait_d;
      end
    end
  end

  // Compares 100 m0 a1 and 100 m1 a0 with the margin d a0 a1, in 64 bits, without overflow.
  logic [63:0] m0_a1, m1_a0, a0_a1, rate_0, rate_1, margin;
  logic        is_worse, is_better, is_equal;
  assign m0_a1     = {{64-CountW{1'b0}}, misses_0_q} * {{64-CountW{1'b0}}, accesses_1_q};
  assign m1_a0     = {{64-CountW{1'b0}}, misses_1_q} * {{64-CountW{1'b0}}, accesses_0_q};
  assign a0_a1     = {{64-CountW{1'b0}}, accesses_0_q} * {{64-CountW{1'b0}}, accesses_1_q};
  assign rate_0    = 64'd100 * m0_a1;
  assign rate_1    = 64'd100 * m1_a0;
  assign margin    = {32'd0, Difference} * a0_a1;
  assign is_worse  = rate_0 > rate_1 + margin;
  assign is_better = rate_1 > rate_0 + margin;
  assign is_equal  = rate_0 == rate_1 + margin;

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i &&
                                   decided_response_i == $past(decided_response_i) &&
                                   decoupled_response_i == $past(decoupled_response_i) &&
                                   sampling_response_i == $past(sampling_response_i) &&
                                   left_response_i == $past(left_response_i));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      if ($past(in_flight > {8'd0, answered})) a_answered: assert (response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_left: assert ({{32-IntervalW{1'b0}}, left_response_i} ==
                      ((ends || restarts) ? Interval : (is_advance ? left_q - step : left_q)));
      a_sampling: assert (sampling_response_i == (wait_d == 0));
      a_decided: assert (decided_response_i == (ends && has_both));
      if (!decided_response_i && !restarts) begin
        a_keeps: assert (decoupled_response_i == decoupled_q);
      end
      if (decided_response_i && is_worse) a_worse: assert (!decoupled_response_i);
      if (decided_response_i && !is_worse) begin
        a_better: assert (decoupled_response_i == (!Keeps || is_better || decoupled_q));
      end
      if (restarts) a_restart: assert (!decoupled_response_i);
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "sm_dueling_invariant.svh"
`endif

  logic decides;
  assign decides = answered && decided_response_i;
  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_worse: cover (decides && is_worse && decoupled_q);
      c_worse_again: cover (decides && is_worse && !decoupled_q);
      c_better: cover (decides && is_better && !decoupled_q);
      c_between: cover (decides && !is_worse && !is_better);
      c_between_keeps: cover (decides && !is_worse && !is_better && !decoupled_response_i);
      c_exactly_difference: cover (decides && is_equal && margin != 0);
      c_same_rate: cover (decides && rate_0 == rate_1 && rate_0 != 0);
      c_end_without_access_0: cover (answered && ends && accesses_0_q == 0 && accesses_1_q != 0);
      c_end_without_access_1: cover (answered && ends && accesses_0_q != 0 && accesses_1_q == 0);
      c_end_without_decision: cover (answered && ends && samples && !has_both && Period != 1);
      c_end_unsampled: cover (answered && ends && !samples && wait_q != 1);
      c_samples_again: cover (answered && ends && wait_q == 1 && !decoupled_q);
      c_samples_again_decoupled: cover (answered && ends && wait_q == 1 && decoupled_q);
      c_samples_always: cover (decides && Period == 1);
      c_access_unsampled_0: cover (answered && op == ACCESS && !sm && !samples);
      c_access_unsampled_1: cover (answered && op == ACCESS && sm && !samples);
      c_end_exactly: cover (answered && ends && step == left_q);
      c_end_beyond: cover (answered && ends && step > left_q);
      c_advance_nothing: cover (answered && is_advance && amount == 0);
      c_full_count: cover (answered && op == ACCESS && !sm && accesses_0_q == Full && miss);
      c_full_count_1: cover (answered && op == ACCESS && sm && accesses_1_q == Full && miss);
      c_restart_decoupled: cover (answered && restarts && decoupled_q);
      c_restart_unsampled: cover (answered && restarts && !samples);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic [9:0] cross_kind;
  logic [1:0] cross_hazard;
  assign cross_kind[0] = op == ACCESS && !sm && samples;
  assign cross_kind[1] = op == ACCESS && sm && samples;
  assign cross_kind[2] = op == ACCESS && !sm && !samples;
  assign cross_kind[3] = op == ACCESS && sm && !samples;
  assign cross_kind[4] = is_advance && !ends;
  assign cross_kind[5] = decided_response_i && decoupled_response_i;
  assign cross_kind[6] = decided_response_i && !decoupled_response_i;
  assign cross_kind[7] = ends && samples && !decided_response_i;
  assign cross_kind[8] = ends && !samples;
  assign cross_kind[9] = restarts;
  assign cross_hazard[0] = !behind;
  assign cross_hazard[1] = behind;
  cross_cover #(
    .Kinds  (10),
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
