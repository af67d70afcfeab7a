// Part of lifetime_predictor_sva for proofs by induction: the invariant that relates the registers of
// rtl/lifetime_predictor.sv, dut_NAME here, to the checkers' state. The RTL is ahead by the offered response.
// Each assertion holds in every reachable state; together with the checkers' assertions each follows
// from the cycle before.
//
//   i_inside  the requests in the pipeline are the accepted ones: one in stage 1, one being answered
//   i_state   the RTL's state is the checkers' after the offered response
//   i_range   the checkers' lifetime is 0 to Max
  (* keep *) logic             dut_valid_q, dut_expired_q, dut_unexpired_q, dut_fenced_q;
  (* keep *) logic [2:0]       dut_op_q;
  (* keep *) logic [LifeW-1:0] dut_life_q;

  logic [2:0]                  stage_op;
  logic                        stage_l1, stage_l2, stage_unexpired;
  assign {stage_op, stage_l1, stage_l2, stage_unexpired} = waiting_requests[RequestW*response_valid_i+:RequestW];

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_valid_q} + {8'd0, response_valid_i} && agrees &&
                        (!dut_valid_q || {dut_op_q, dut_expired_q, dut_unexpired_q} ==
                                         {stage_op, stage_l1 || stage_l2, stage_unexpired}));
      i_state: assert (dut_life_q == (response_valid_i ? life_response_i : life_q) &&
                       dut_fenced_q == (response_valid_i && restarts ? 1'b0 :
                                        fenced_q || (response_valid_i && op == FENCED)));
      i_range: assert (held <= longest);
    end
  end
