// Part of sm_dueling_sva for proofs by induction: the invariant that relates the registers of
// rtl/sm_dueling.sv, dut_NAME here, to the checkers' state. The RTL is ahead by the offered response.
// Each assertion holds in every reachable state; together with the checkers' assertions each follows
// from the cycle before.
//
//   i_inside  the requests in the pipeline are the accepted ones: one in stage 1, one being answered; in
//             stage 1 the fields that its operation takes
//   i_state   the RTL's state is the checkers' after the offered response
//   i_range   interval and period counts are below their ends; misses do not exceed accesses, which
//             are 0 outside sampling intervals
  (* keep *) logic                 dut_valid_q, dut_sm_q, dut_miss_q, dut_decoupled_q;
  (* keep *) logic [1:0]           dut_op_q;
  (* keep *) logic [IntervalW-1:0] dut_amount_q, dut_elapsed_q;
  (* keep *) logic [PeriodW-1:0]   dut_phase_q;
  (* keep *) logic [2*CountW-1:0]  dut_accesses_q, dut_misses_q;

  logic   [1:0]                    stage_op;
  logic                            stage_sm, stage_miss;
  logic   [IntervalW-1:0]          stage_amount;
  assign {stage_op, stage_sm, stage_miss, stage_amount} = waiting_requests[RequestW*response_valid_i+:RequestW];

  integer                          left_then, wait_then;
  logic   [2*CountW-1:0]           accesses_then, misses_then;
  assign left_then     = response_valid_i ? left_d : left_q;
  assign wait_then     = response_valid_i ? wait_d : wait_q;
  assign accesses_then = response_valid_i ? {accesses_1_d, accesses_0_d} : {accesses_1_q, accesses_0_q};
  assign misses_then   = response_valid_i ? {misses_1_d, misses_0_d} : {misses_1_q, misses_0_q};

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_valid_q} + {8'd0, response_valid_i} &&
                        agrees &&
                        (!dut_valid_q ||
                         (dut_op_q[1] == stage_op[1] && (stage_op[1] || dut_op_q == stage_op) &&
                          (stage_op != ACCESS || {dut_sm_q, dut_miss_q} == {stage_sm, stage_miss}) &&
                          (stage_op != ADVANCE || dut_amount_q == stage_amount))));
      i_state: assert (dut_accesses_q == accesses_then && dut_misses_q == misses_then &&
                       {{32-IntervalW{1'b0}}, dut_elapsed_q} == Interval - left_then &&
                       {{32-PeriodW{1'b0}}, dut_phase_q} == (wait_then == 0 ? 0 : Period - wait_then) &&
                       dut_decoupled_q == (response_valid_i ? decoupled_response_i : decoupled_q));
      i_range: assert (left_q > 0 && left_q <= Interval && wait_q >= 0 && wait_q < Period &&
                       (samples || (accesses_0_q == 0 && accesses_1_q == 0)) && misses_0_q <= accesses_0_q &&
                       misses_1_q <= accesses_1_q);
    end
  end
