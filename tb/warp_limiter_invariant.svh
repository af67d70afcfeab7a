// Part of warp_limiter_sva for proofs by induction: the invariant that relates the registers of
// rtl/warp_limiter.sv, dut_NAME here, to the checkers' state. The RTL is ahead by the offered response.
// Each assertion holds in every reachable state; together with the checkers' assertions each follows
// from the cycle before.
//
//   i_inside  the requests in the pipeline are the accepted ones: one in stage 1, one being answered
//   i_state   the RTL's counts and limit are the checkers' after the offered response
//   i_older   a flop of the RTL is the checkers' matrix in both of its places
//   i_order   the matrix is an order: who is older than an older warp is older
  localparam integer Pairs = Warps * (Warps - 1) / 2;
  (* keep *) logic              dut_valid_q, dut_sets_q;
  (* keep *) logic [Warps-1:0]  dut_admit_q, dut_resume_q, dut_hold_q, dut_counts_q;
  (* keep *) logic [LimitW-1:0] dut_new_limit_q, dut_limit_q;
  (* keep *) logic [Pairs-1:0]  dut_older_q;

  logic [RequestW-1:0] stage;
  assign stage = waiting_requests[RequestW*response_valid_i+:RequestW];

  logic same_order, is_order;
  always_comb begin
    same_order = 1'b1;
    is_order   = 1'b1;
    for (integer i = 0; i < Warps; i = i + 1) begin
      for (integer j = 0; j < Warps; j = j + 1) begin
        if ((response_valid_i ? ahead[i*Warps+j] : ahead_q[i*Warps+j]) !=
            (j < i ? dut_older_q[i*(i-1)/2+j] : j > i ? !dut_older_q[j*(j-1)/2+i] : 1'b0)) same_order = 1'b0;
        for (integer k = 0; k < Warps; k = k + 1) begin
          if (ahead_q[i*Warps+j] && ahead_q[j*Warps+k] && !ahead_q[i*Warps+k]) is_order = 1'b0;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_valid_q} + {8'd0, response_valid_i} && agrees &&
                        (!dut_valid_q || {dut_admit_q, dut_resume_q, dut_hold_q, dut_sets_q, dut_new_limit_q} == stage));
      i_state: assert (response_valid_i ? dut_counts_q == counts && dut_limit_q == limit
                                        : dut_counts_q == counts_q && dut_limit_q == limit_q);
      i_older: assert (same_order);
      i_order: assert (is_order);
    end
  end
