// Part of lease_store_sva for proofs by induction: the invariant that relates the registers of
// rtl/lease_store.sv, dut_NAME here (scripts/formal-block.sh), to the checkers' state. The RTL is ahead by
// the offered response and by the request in stage 2. Each assertion holds in every reachable state;
// together with the checkers' assertions each follows from the cycle before.
//
//   i_inside  the requests in the pipeline are the accepted ones: in stages 1 and 2, and being answered; in
//             stage 1 with all fields
//   i_state   the RTL's valid entries are the checkers' after the response and stage 2
//   i_found   stage 2 has what its request did and found
//   i_lines   no line has two leases
  (* keep *) logic                     dut_u_stages__request_valid_q, dut_after_valid;
  (* keep *) logic [1:0]               dut_op_q;
  (* keep *) logic [LineW-1:0]         dut_request_line_q;
  (* keep *) logic [TimeW-1:0]         dut_request_lease_q, dut_now_q, dut_taken_q;
  (* keep *) logic                     dut_may_q, dut_done_q, dut_found_q;
  (* keep *) logic [Entries-1:0]       dut_valid_q;
  (* keep *) logic [Entries*LineW-1:0] dut_line_q;
  (* keep *) logic [Entries*TimeW-1:0] dut_lease_q;

  logic [1:0]          before_first;  // requests in front of stage 1
  logic [RequestW-1:0] first, second;
  logic [StoreW-1:0]   store_second, store_after, store_then;  // before and after stage 2; then: of the RTL
  logic [TimeW-1:0]    second_lease;
  logic                second_succeeds, same, twice;
  integer              i, j;
  assign before_first = {1'b0, dut_after_valid} + {1'b0, response_valid_i};
  assign first        = waiting_requests[RequestW*before_first+:RequestW];
  assign second       = waiting_requests[RequestW*response_valid_i+:RequestW];
  assign store_second = response_valid_i ? store_d : store_q;
  assign {second_succeeds, second_lease, store_after} = operate(store_second, second);
  assign store_then   = dut_after_valid ? store_after : store_second;
  always_comb begin
    same  = dut_valid_q == store_then[Entries-1:0];
    twice = 1'b0;
    for (i = 0; i < Entries; i = i + 1) begin
      if (dut_valid_q[i] && (dut_line_q[i*LineW+:LineW] != store_then[LinesAt+i*LineW+:LineW] ||
                             dut_lease_q[i*TimeW+:TimeW] != store_then[LeasesAt+i*TimeW+:TimeW])) begin
        same = 1'b0;
      end
      for (j = 0; j < i; j = j + 1) begin
        if (store_q[i] && store_q[j] && store_q[LinesAt+i*LineW+:LineW] == store_q[LinesAt+j*LineW+:LineW]) begin
          twice = 1'b1;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_u_stages__request_valid_q} + {7'd0, before_first} && agrees &&
                        oldest <= older && older <= in_flight &&
                        {7'd0, before_first} >= (older > 9'd2 ? 9'd2 : older) &&
                        (!dut_u_stages__request_valid_q ||
                         {dut_op_q, dut_request_line_q, dut_request_lease_q, dut_now_q, dut_may_q} == first));
      i_state: assert (same);
      i_found: assert (!dut_after_valid ||
                       (dut_done_q == (second[RequestW-1-:2] == PUT && second_succeeds) &&
                        dut_found_q == (second[RequestW-1-:2] == TAKE && second_succeeds) &&
                        dut_taken_q == second_lease));
      i_lines: assert (!twice);
    end
  end
