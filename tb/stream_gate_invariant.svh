// Part of stream_gate_sva for proofs by induction: the invariant that relates the registers of
// rtl/stream_gate.sv, dut_NAME here, to the checkers' state. The RTL is ahead by the offered response.
// Each assertion holds in every reachable state; together with the checkers' assertions each follows
// from the cycle before.
//
//   i_inside  the requests in the pipeline are the accepted ones: one in stage 1, one being answered
//   i_state   the RTL's state is the checkers' after the offered response
//   i_excess  the RTL's excess is that of its counts
//   i_range   no more misses than accesses
  (* keep *) logic              dut_valid_q, dut_miss_q, dut_hot_q, dut_closed_q;
  (* keep *) logic [1:0]        dut_op_q;
  (* keep *) logic [CountW-1:0] dut_accesses_q, dut_misses_q;
  (* keep *) logic [CountW+7:0] dut_excess_q;

  logic [1:0]                   stage_op;
  logic                         stage_miss, stage_hot;
  assign {stage_op, stage_miss, stage_hot} = waiting_requests[RequestW*response_valid_i+:RequestW];

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_valid_q} + {8'd0, response_valid_i} && agrees &&
                        (!dut_valid_q || {dut_op_q, dut_miss_q, dut_hot_q} == {stage_op, stage_miss, stage_hot}));
      i_state: assert (response_valid_i
          ? dut_closed_q == closed_response_i &&
            dut_accesses_q == (is_access ? accesses_response_i : {CountW{1'b0}}) &&
            dut_misses_q == (is_access ? misses_response_i : {CountW{1'b0}})
          : dut_closed_q == closed_q && dut_accesses_q == accesses_q && dut_misses_q == misses_q);
      i_excess: assert ({{24 - CountW{dut_excess_q[CountW+7]}}, dut_excess_q} ==
                        {{32 - CountW{1'b0}}, dut_misses_q} * 32'd100 - {{32 - CountW{1'b0}}, dut_accesses_q} * Threshold);
      i_range: assert (misses_q <= accesses_q);
    end
  end
