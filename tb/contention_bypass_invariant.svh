// Part of contention_bypass_sva for proofs by induction: the invariant that relates the registers of
// rtl/contention_bypass.sv, dut_NAME here, to the requests in flight. Together with the checkers' assertions each assertion
// follows from the cycle before.
//
//   i_inside  the requests in the pipeline are the accepted ones: one in stage 1, one being answered
  (* keep *) logic                dut_valid_q;
  (* keep *) logic [TouchedW-1:0] dut_touched_q;
  (* keep *) logic [WarpW-1:0]    dut_warps_q;
  (* keep *) logic [LineW-1:0]    dut_lines_q;

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_valid_q} + {8'd0, response_valid_i} && agrees &&
                        (!dut_valid_q || {dut_touched_q, dut_warps_q, dut_lines_q} ==
                                         waiting_requests[RequestW*response_valid_i+:RequestW]));
    end
  end
