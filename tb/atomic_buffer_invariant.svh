// Part of atomic_buffer_sva for proofs by induction: the invariant that relates the registers of
// rtl/atomic_buffer.sv, dut_NAME here, to the checkers' state. The RTL is ahead by the offered response.
// Each assertion holds in every reachable state; together with the checkers' assertions each follows
// from the cycle before.
//
//   i_inside  the requests in the pipeline are the accepted ones: one in stage 1, one being answered
//   i_held    a line is held as it is after the offered response
//   i_line    the RTL's line and sectors are the checkers' after the offered response
//   i_apart   a sector is not clean and dirty
  (* keep *) logic               dut_request_valid_q, dut_held_q;
  (* keep *) logic [1:0]         dut_op_q;
  (* keep *) logic [LineW-1:0]   dut_line_q, dut_held_line_q;
  (* keep *) logic [Sectors-1:0] dut_sectors_q, dut_valid_q, dut_dirty_q, dut_held_valid_q, dut_held_dirty_q;

  logic [RequestW-1:0]  stage;
  logic                 after_held;
  logic [LineW-1:0]     after_line;
  logic [Sectors-1:0]   after_clean, after_dirty;
  assign stage       = waiting_requests[RequestW*response_valid_i+:RequestW];
  assign after_held  = response_valid_i ? operates || (is_access && held_q && !same) : held_q;
  assign after_line  = response_valid_i && operates ? line : line_q;
  assign after_clean = response_valid_i && operates ? clean : clean_q;
  assign after_dirty = response_valid_i && operates ? next_dirty : dirty_q;

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_request_valid_q} + {8'd0, response_valid_i} && agrees &&
                        (!dut_request_valid_q ||
                         {dut_op_q, dut_line_q, dut_sectors_q, dut_valid_q, dut_dirty_q} == stage));
      i_held: assert (dut_held_q == after_held);
      i_line: assert (!after_held || (dut_held_line_q == after_line && dut_held_valid_q == (after_clean | after_dirty) &&
                                      dut_held_dirty_q == after_dirty));
      i_apart: assert ((clean_q & dirty_q) == 0);
    end
  end
