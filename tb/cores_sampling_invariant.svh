// Part of cores_sampling_sva for proofs by induction: the invariant that relates the registers of
// rtl/cores_sampling.sv, dut_NAME here, to the checkers' state. The RTL is ahead by the offered response.
// Each assertion holds in every reachable state; together with the checkers' assertions each follows
// from the cycle before.
//
//   i_inside    the requests in the pipeline are the accepted ones: one in stage 1, one being answered
//   i_period    the RTL's sums of the period are the checkers' after the offered response
//   i_round     so are its phase, its round of sampling and its totals
//   i_table     so are its kernel and its table
//   i_range     numbers are in their ranges: reports, periods, limits, counts, the next entry
//   i_sums      the period's sums are at most what so many SMs can report
//   i_distinct  no kernel is in two entries that are in use
//   i_entry     a kernel that is sampled has an entry without a limit, one that is limited an entry with one
  (* keep *) logic                       dut_valid_q, dut_request_idle_q, dut_request_closed_q, dut_idle_q;
  (* keep *) logic [1:0]                 dut_op_q, dut_phase_q;
  (* keep *) logic [MissW-1:0]           dut_request_misses_q;
  (* keep *) logic [IssueW-1:0]          dut_request_issued_q;
  (* keep *) logic [KernelW-1:0]         dut_request_kernel_q, dut_kernel_q;
  (* keep *) logic [SmW-1:0]             dut_reports_q;
  (* keep *) logic [MissSumW-1:0]        dut_misses_q;
  (* keep *) logic [IssueSumW-1:0]       dut_issued_q;
  (* keep *) logic [ClosedW-1:0]         dut_closed_q;
  (* keep *) logic [Sms*TotalW-1:0]      dut_total_q;
  (* keep *) logic [PeriodW-1:0]         dut_period_q;
  (* keep *) logic [LimitW-1:0]          dut_base_q, dut_best_limit_q;
  (* keep *) logic [TotalW-1:0]          dut_best_q;
  (* keep *) logic [Entries*KernelW-1:0] dut_entry_kernel_q;
  (* keep *) logic [Entries*LimitW-1:0]  dut_entry_limit_q;
  (* keep *) logic [Entries*HotW-1:0]    dut_entry_hot_q;
  (* keep *) logic [NextW-1:0]           dut_next_q;

  logic [RequestW-1:0] stage;
  assign stage = waiting_requests[RequestW*response_valid_i+:RequestW];

  localparam [63:0] MostMisses = (64'd1 << MissW) - 64'd1, MostIssued = (64'd1 << IssueW) - 64'd1;
  logic [63:0] reported;
  assign reported = {{64-SmW{1'b0}}, reports_q};

  // The table before the answered request: limits and counts in range; kernels in one entry at most.
  integer            a, b;
  logic              in_range, distinct;
  always_comb begin
    in_range = 1'b1;
    distinct = 1'b1;
    for (a = 0; a < Entries; a = a + 1) begin
      if ({{32-LimitW{1'b0}}, entry_limit_q[a*LimitW+:LimitW]} > Warps ||
          {{32-HotW{1'b0}}, entry_hot_q[a*HotW+:HotW]} > Hot) begin
        in_range = 1'b0;
      end
      for (b = 0; b < a; b = b + 1) begin
        if ((next_q[NextW-1] || a < {{33-NextW{1'b0}}, next_q[NextW-2:0]}) &&
            entry_kernel_q[a*KernelW+:KernelW] == entry_kernel_q[b*KernelW+:KernelW]) begin
          distinct = 1'b0;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_valid_q} + {8'd0, response_valid_i} && agrees &&
                        (!dut_valid_q || {dut_op_q, dut_request_misses_q, dut_request_issued_q, dut_request_idle_q,
                                          dut_request_closed_q, dut_request_kernel_q} == stage));
      i_period: assert ({dut_reports_q, dut_misses_q, dut_issued_q, dut_closed_q, dut_idle_q} ==
                        (response_valid_i ? {reports_d, misses_d, issued_d, closed_d, idle_d}
                                          : {reports_q, misses_q, issued_q, closed_q, idle_q}));
      i_round: assert ({dut_phase_q, dut_total_q, dut_period_q, dut_base_q, dut_best_q, dut_best_limit_q} ==
                       (response_valid_i ? {phase_d, total_d, period_d, base_d, best_d, best_limit_d}
                                         : {phase_q, total_q, period_q, base_q, best_q, best_limit_q}));
      i_table: assert ({dut_kernel_q, dut_entry_kernel_q, dut_entry_limit_q, dut_entry_hot_q, dut_next_q} ==
                       (response_valid_i ? {kernel_d, entry_kernel_d, entry_limit_d, entry_hot_d, next_d}
                                         : {kernel_q, entry_kernel_q, entry_limit_q, entry_hot_q, next_q}));
      i_range: assert (phase_q != 2'd3 && {{32-SmW{1'b0}}, reports_q} < Sms && {{32-PeriodW{1'b0}}, period_q} < Samples &&
                       {{32-LimitW{1'b0}}, base_q} < Warps && {{32-LimitW{1'b0}}, best_limit_q} <= Warps &&
                       (phase_q != SAMPLES || best_limit_q != 0) && {{33-NextW{1'b0}}, next_q[NextW-2:0]} < Entries &&
                       in_range);
      i_sums: assert ({{64-MissSumW{1'b0}}, misses_q} <= reported * MostMisses &&
                      {{64-IssueSumW{1'b0}}, issued_q} <= reported * MostIssued &&
                      {{64-ClosedW{1'b0}}, closed_q} <= reported);
      i_distinct: assert (distinct);
      i_entry: assert (phase_q == WATCHES || (runs != Entries && count_runs != 0 && (limit_runs == 0) == (phase_q == SAMPLES)));
    end
  end
