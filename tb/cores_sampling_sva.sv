// Checkers and cover points of cores_sampling; the lockstep top and the formal harness instantiate them.
// They keep the state from the answered requests, in their order, and compute in 64 bits.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_ended            the last SM's REPORT ends the period, and nothing else
//   a_heats            a hot period without limits counts, up to Hot
//   a_cools            a cool one, and one in which most L1s are closed, sets the count to 0
//   a_hot              every other answer keeps the count of the kernel
//   a_samples          SMs are sampled from the period on in which the count reaches Hot, every SM has warps and
//                      the kernel's limit is not known
//   a_starts           sampling begins with a limit of 1 of SM 0
//   a_drops            an SM without warps, and closed L1s, end sampling
//   a_decides          a round whose largest limit does not win, or is that of all warps, ends sampling
//   a_goes_on          every other round is followed by one of larger limits
//   a_same_round       within a round the answer stays
//   a_limited          a hot kernel takes its limit, and keeps it until KERNEL
//   a_no_limit         without sampling and limit the answer is 0
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/cores_sampling.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than two are in flight
//   a_answered         a request in flight is answered in the next cycle at the latest
`default_nettype none

module cores_sampling_sva #(
  parameter integer Sms       = 15,
  parameter integer Warps     = 24,
  parameter integer MissW     = 14,
  parameter integer IssueW    = 15,
  parameter integer Threshold = 10,
  parameter integer Hot       = 3,
  parameter integer Samples   = 3,
  parameter integer Entries   = 8,
  parameter integer KernelW   = 32,
  localparam integer SmW       = (Sms < 3) ? 1 : $clog2(Sms),
  localparam integer ClosedW   = $clog2(Sms + 1),
  localparam integer MissSumW  = MissW + $clog2(Sms),
  localparam integer IssueSumW = IssueW + $clog2(Sms),
  localparam integer TotalW    = IssueW + $clog2(Samples),
  localparam integer PeriodW   = (Samples < 3) ? 1 : $clog2(Samples),
  localparam integer LimitW    = $clog2(Warps + 1),
  localparam integer HotW      = $clog2(Hot + 1),
  localparam integer NextW     = 1 + ((Entries < 3) ? 1 : $clog2(Entries))
) (
  input wire logic               clk_i,
  input wire logic               rst_ni,

  input wire logic               request_valid_i,
  input wire logic               request_ready_i,
  input wire logic [1:0]         op_i,
  input wire logic [MissW-1:0]   misses_i,
  input wire logic [IssueW-1:0]  issued_i,
  input wire logic               idle_i,
  input wire logic               closed_i,
  input wire logic [KernelW-1:0] kernel_i,

  input wire logic               response_valid_i,
  input wire logic               response_ready_i,
  input wire logic               ended_response_i,
  input wire logic [HotW-1:0]    hot_response_i,
  input wire logic               sampling_response_i,
  input wire logic [LimitW-1:0]  limit_response_i
);

`include "cores_sampling_constants.svh"
  localparam [1:0] WATCHES = 2'd0, SAMPLES = 2'd1, LIMITED = 2'd2;

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight, and requests in flight for two cycles.
  localparam integer RequestW = MissW + IssueW + KernelW + 4;
  localparam integer AnswerW  = HotW + LimitW + 2;
  logic [RequestW-1:0]   offered;
  logic [AnswerW-1:0]    answer;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  logic [1:0]            op;
  logic [MissW-1:0]      misses;
  logic [IssueW-1:0]     issued;
  logic                  idle, closed;
  logic [KernelW-1:0]    kernel;
  assign offered = {op_i, misses_i, issued_i, idle_i, closed_i, kernel_i};
  assign answer  = {ended_response_i, hot_response_i, sampling_response_i, limit_response_i};
  assign {op, misses, issued, idle, closed, kernel} = waiting_requests[RequestW-1:0];
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

  // The state before the answered request.
  logic [1:0]                 phase_q;
  logic [SmW-1:0]             reports_q;
  logic [MissSumW-1:0]        misses_q;
  logic [IssueSumW-1:0]       issued_q;
  logic [ClosedW-1:0]         closed_q;
  logic                       idle_q;
  logic [Sms*TotalW-1:0]      total_q;
  logic [PeriodW-1:0]         period_q;
  logic [LimitW-1:0]          base_q, best_limit_q;
  logic [TotalW-1:0]          best_q;
  logic [KernelW-1:0]         kernel_q;
  logic [Entries*KernelW-1:0] entry_kernel_q;
  logic [Entries*LimitW-1:0]  entry_limit_q;
  logic [Entries*HotW-1:0]    entry_hot_q;
  logic [NextW-1:0]           next_q;

  // What the request is, and the sums with it.
  logic        is_report, is_kernel, restarts, is_last;
  logic [63:0] all_misses, all_issued, all_closed, missed, allowed;
  logic        any_idle, streams, is_hot;
  assign is_report  = op == REPORT;
  assign is_kernel  = op == KERNEL;
  assign restarts   = op >= RESTART;
  assign is_last    = is_report && {{32-SmW{1'b0}}, reports_q} == Sms - 1;
  assign all_misses = {{64-MissSumW{1'b0}}, misses_q} + {{64-MissW{1'b0}}, misses};
  assign all_issued = {{64-IssueSumW{1'b0}}, issued_q} + {{64-IssueW{1'b0}}, issued};
  assign all_closed = {{64-ClosedW{1'b0}}, closed_q} + {63'd0, closed};
  assign missed     = all_misses * 64'd125;
  assign allowed    = all_issued * {32'd0, Threshold} * 64'd4;
  assign any_idle   = idle_q || idle;
  assign streams    = all_closed * 64'd2 > {32'd0, Sms};
  assign is_hot     = missed > allowed && !streams;

  // The entry of the kernel that runs and of the one that begins: its number, Entries: none.
  integer            runs, begins, entry;
  logic [HotW-1:0]   count_runs, count_begins;
  logic [LimitW-1:0] limit_runs;
  always_comb begin
    runs         = Entries;
    begins       = Entries;
    count_runs   = {HotW{1'b0}};
    count_begins = {HotW{1'b0}};
    limit_runs   = {LimitW{1'b0}};
    for (entry = Entries - 1; entry >= 0; entry = entry - 1) begin
      if (next_q[NextW-1] || entry < {{33-NextW{1'b0}}, next_q[NextW-2:0]}) begin
        if (entry_kernel_q[entry*KernelW+:KernelW] == kernel_q) begin
          runs       = entry;
          count_runs = entry_hot_q[entry*HotW+:HotW];
          limit_runs = entry_limit_q[entry*LimitW+:LimitW];
        end
        if (entry_kernel_q[entry*KernelW+:KernelW] == kernel) begin
          begins       = entry;
          count_begins = entry_hot_q[entry*HotW+:HotW];
        end
      end
    end
  end

  // A sampled SM: its instructions in the round, its limit, and the best with it.
  integer            sm, own, best_limit;
  logic [TotalW-1:0] total, best;
  logic              ends_round, is_largest, is_better;
  always_comb begin
    sm         = {{32-SmW{1'b0}}, reports_q};
    total      = total_q[sm*TotalW+:TotalW] + {{TotalW-IssueW{1'b0}}, issued};
    own        = {{32-LimitW{1'b0}}, base_q} + sm + 1;
    if (own > Warps) own = Warps;
    best       = best_q;
    best_limit = {{32-LimitW{1'b0}}, best_limit_q};
    ends_round = {{32-PeriodW{1'b0}}, period_q} == Samples - 1;
    is_better  = ends_round && total > best_q;
    if (is_better) begin
      best       = total;
      best_limit = own;
    end
    is_largest = best_limit == {{32-LimitW{1'b0}}, base_q} + Sms && best_limit < Warps;
  end

  // What the answer must be.
  logic watched, sampled, limited, heats, cools, known, starts, drops, decides, goes_on;
  integer larger;
  assign watched = is_last && phase_q == WATCHES;
  assign sampled = is_last && phase_q == SAMPLES;
  assign limited = phase_q == LIMITED;
  assign heats   = watched && is_hot;
  assign known   = limit_runs != 0;
  assign larger  = {{32-HotW{1'b0}}, count_runs} + 1;
  assign starts  = heats && !known && larger >= Hot && !any_idle;
  assign drops   = sampled && (streams || any_idle);
  assign cools   = (watched && !is_hot) || (sampled && streams);
  assign goes_on = sampled && !drops && ends_round && is_largest;
  assign decides = sampled && !drops && ends_round && !is_largest;

  // The state after the answered request.
  logic [1:0]                 phase_d;
  logic [SmW-1:0]             reports_d;
  logic [MissSumW-1:0]        misses_d;
  logic [IssueSumW-1:0]       issued_d;
  logic [ClosedW-1:0]         closed_d;
  logic                       idle_d;
  logic [Sms*TotalW-1:0]      total_d;
  logic [PeriodW-1:0]         period_d;
  logic [LimitW-1:0]          base_d, best_limit_d;
  logic [TotalW-1:0]          best_d;
  logic [KernelW-1:0]         kernel_d;
  logic [Entries*KernelW-1:0] entry_kernel_d;
  logic [Entries*LimitW-1:0]  entry_limit_d;
  logic [Entries*HotW-1:0]    entry_hot_d;
  logic [NextW-1:0]           next_d;
  integer                     at;
  always_comb begin
    {phase_d, kernel_d, next_d}                 = {phase_q, kernel_q, next_q};
    {entry_kernel_d, entry_limit_d, entry_hot_d} = {entry_kernel_q, entry_limit_q, entry_hot_q};
    {total_d, period_d, base_d}                 = {total_q, period_q, base_q};
    {best_d, best_limit_d}                      = {best_q, best_limit_q};
    {reports_d, misses_d, issued_d, closed_d, idle_d} = 0;
    at = runs;
    if (is_report && !is_last) begin
      reports_d = reports_q + 1'b1;
      misses_d  = all_misses[MissSumW-1:0];
      issued_d  = all_issued[IssueSumW-1:0];
      closed_d  = all_closed[ClosedW-1:0];
      idle_d    = any_idle;
    end
    if (is_report && phase_q == SAMPLES) begin
      total_d[sm*TotalW+:TotalW] = total;
      best_d                     = best;
      best_limit_d               = best_limit[LimitW-1:0];
    end
    if (heats && runs == Entries) begin
      at     = {{33-NextW{1'b0}}, next_q[NextW-2:0]};
      next_d = at == Entries - 1 ? 1 << (NextW - 1) : next_q + 1'b1;
      entry_kernel_d[at*KernelW+:KernelW] = kernel_q;
      entry_limit_d[at*LimitW+:LimitW]    = 0;
    end
    if (heats) entry_hot_d[at*HotW+:HotW] = larger > Hot ? Hot[HotW-1:0] : larger[HotW-1:0];
    if (cools && runs != Entries) entry_hot_d[at*HotW+:HotW] = 0;
    if (heats && known) phase_d = LIMITED;
    if (starts) begin
      phase_d      = SAMPLES;
      best_d       = 0;
      best_limit_d = 1;
    end
    if (starts || goes_on) begin
      total_d  = 0;
      period_d = 0;
      base_d   = goes_on ? best_limit[LimitW-1:0] : 0;
    end else if (sampled && !drops) begin
      period_d = ends_round ? 0 : period_q + 1'b1;
    end
    if (drops) phase_d = WATCHES;
    if (decides) begin
      phase_d = LIMITED;
      entry_limit_d[at*LimitW+:LimitW] = best_limit[LimitW-1:0];
    end
    if (is_kernel) begin
      phase_d  = WATCHES;
      kernel_d = kernel;
    end
    if (restarts) begin
      {phase_d, kernel_d, next_d, entry_kernel_d, entry_limit_d, entry_hot_d} = 0;
      {total_d, period_d, base_d, best_d, best_limit_d}                       = 0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q        <= 0;
      reports_q      <= 0;
      misses_q       <= 0;
      issued_q       <= 0;
      closed_q       <= 0;
      idle_q         <= 0;
      total_q        <= 0;
      period_q       <= 0;
      base_q         <= 0;
      best_q         <= 0;
      best_limit_q   <= 0;
      kernel_q       <= 0;
      entry_kernel_q <= 0;
      entry_limit_q  <= 0;
      entry_hot_q    <= 0;
      next_q         <= 0;
    end else if (answered) begin
      phase_q        <= phase_d;
      reports_q      <= reports_d;
      misses_q       <= misses_d;
      issued_q       <= issued_d;
      closed_q       <= closed_d;
      idle_q         <= idle_d;
      total_q        <= total_d;
      period_q       <= period_d;
      base_q         <= base_d;
      best_q         <= best_d;
      best_limit_q   <= best_limit_d;
      kernel_q       <= kernel_d;
      entry_kernel_q <= entry_kernel_d;
      entry_limit_q  <= entry_limit_d;
      entry_hot_q    <= entry_hot_d;
      next_q         <= next_d;
    end
  end

  integer hot_answer, limit_answer;
  assign hot_answer   = {{32-HotW{1'b0}}, hot_response_i};
  assign limit_answer = {{32-LimitW{1'b0}}, limit_response_i};

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && answer == $past(answer));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      if ($past(in_flight > {8'd0, answered})) a_answered: assert (response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_ended: assert (ended_response_i == is_last);
      if (heats) a_heats: assert (hot_answer == (larger > Hot ? Hot : larger));
      if (cools || restarts) a_cools: assert (hot_answer == 0);
      if (!heats && !cools && !restarts) begin
        a_hot: assert (hot_response_i == (is_kernel ? count_begins : count_runs));
      end
      a_samples: assert (sampling_response_i ==
                         (starts || (is_report && phase_q == SAMPLES && !drops && !decides)));
      if (starts) a_starts: assert (limit_answer == 1);
      if (drops) a_drops: assert (!sampling_response_i && limit_answer == 0);
      if (decides) a_decides: assert (!sampling_response_i && limit_answer == best_limit);
      if (goes_on) a_goes_on: assert (sampling_response_i && limit_answer == best_limit + 1);
      if (is_report && phase_q == SAMPLES && !drops && !decides && !goes_on) begin
        a_same_round: assert (limit_answer == {{32-LimitW{1'b0}}, base_q} + 1);
      end
      if ((is_report && limited) || (heats && known)) a_limited: assert (limit_response_i == limit_runs);
      if (is_kernel || restarts || (is_report && phase_q == WATCHES && !starts && !(heats && known))) begin
        a_no_limit: assert (limit_answer == 0);
      end
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "cores_sampling_invariant.svh"
`endif

  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_report: cover (answered && is_report && !is_last);
      c_hot: cover (answered && heats && larger < Hot);
      c_hot_enough: cover (answered && heats && larger == Hot);
      c_hot_at_limit: cover (answered && heats && larger > Hot);
      c_hot_just: cover (answered && watched && missed > allowed && missed - allowed <= 64'd125 && !streams);
      c_cool: cover (answered && watched && !is_hot && count_runs == 0);
      c_cools: cover (answered && watched && !is_hot && count_runs != 0 && !streams);
      c_at_threshold: cover (answered && watched && missed == allowed && allowed != 0);
      c_half_closed: cover (answered && heats && all_closed == {32'd0, Sms / 2} && all_closed != 0);
      c_most_closed: cover (answered && watched && missed > allowed && all_closed == {32'd0, Sms / 2} + 64'd1);
      c_starts: cover (answered && starts);
      c_starts_later: cover (answered && starts && larger > Hot);
      c_idle_waits: cover (answered && heats && !known && larger >= Hot && any_idle);
      c_drops_idle: cover (answered && drops && !streams);
      c_drops_streams: cover (answered && drops && streams && !any_idle);
      c_better: cover (answered && is_report && phase_q == SAMPLES && is_better);
      c_same: cover (answered && is_report && phase_q == SAMPLES && ends_round && total == best_q && total != 0);
      c_clipped: cover (answered && is_report && phase_q == SAMPLES && is_better &&
                        {{32-LimitW{1'b0}}, base_q} + sm + 1 > Warps);
      c_decides: cover (answered && decides);
      c_decides_smallest: cover (answered && decides && best_limit == 1);
      c_decides_all: cover (answered && decides && best_limit == Warps);
      c_goes_on: cover (answered && goes_on);
      c_first_round_wins: cover (answered && decides && base_q != 0 && best_limit <= {{32-LimitW{1'b0}}, base_q});
      c_known: cover (answered && heats && known);
      c_known_at_once: cover (answered && heats && known && count_runs == 0);
      c_known_idle: cover (answered && heats && known && any_idle);
      c_limited: cover (answered && is_last && limited);
      c_kernel_sampled: cover (answered && is_kernel && phase_q == SAMPLES);
      c_kernel_limited: cover (answered && is_kernel && limited);
      c_kernel_hot: cover (answered && is_kernel && count_begins != 0);
      c_kernel_new: cover (answered && is_kernel && begins == Entries);
      c_kernel_mid_period: cover (answered && is_kernel && reports_q != 0);
      c_takes: cover (answered && heats && runs == Entries && !next_q[NextW-1]);
      c_takes_last: cover (answered && heats && runs == Entries && !next_q[NextW-1] && next_d[NextW-1]);
      c_takes_oldest: cover (answered && heats && runs == Entries && next_q[NextW-1]);
      c_restart_sampled: cover (answered && restarts && phase_q == SAMPLES);
      c_restart_limited: cover (answered && restarts && limited);
      c_restart_mid_period: cover (answered && restarts && reports_q != 0);
      c_restart_full: cover (answered && restarts && next_q[NextW-1]);
      c_restart_other_number: cover (answered && op > RESTART);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic [10:0] cross_kind;
  logic [1:0]  cross_hazard;
  assign cross_kind[0]  = is_report && !is_last;
  assign cross_kind[1]  = heats && !starts && !known;
  assign cross_kind[2]  = watched && !is_hot;
  assign cross_kind[3]  = starts;
  assign cross_kind[4]  = sampled && !drops && !ends_round;
  assign cross_kind[5]  = goes_on;
  assign cross_kind[6]  = decides;
  assign cross_kind[7]  = drops;
  assign cross_kind[8]  = (heats && known) || (is_last && limited);
  assign cross_kind[9]  = is_kernel;
  assign cross_kind[10] = restarts;
  assign cross_hazard[0] = !behind;
  assign cross_hazard[1] = behind;
  cross_cover #(
    .Kinds  (11),
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
