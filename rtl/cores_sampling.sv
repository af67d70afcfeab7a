// Cores sampling [khairy, 4.2, DWT-CS]: finds the number of warps of a scheduler that may issue while a kernel
// thrashes the L1s, by running each SM with another limit.
//
//   op_i     takes                            does
//   REPORT   misses_i, issued_i, idle_i,      adds the next SM's counts of a period. The last SM's report ends the
//            closed_i                         period: it is hot, if more than Threshold loads miss per 1000 thread
//                                             instructions; SMs are sampled, or a limit found, or applied
//   KERNEL   kernel_i                         a kernel begins, without a limit
//   RESTART                                   returns to the state after reset
//
// Two pipeline stages: the registered request, which changes the state (flops); and the response.
// One request per cycle, responses in order, two cycles later at the earliest. A response waits until
// response_ready_i. Only one stage accesses state: there is no hazard. All multipliers have a constant.
// C model: cmodel/blocks/cores_sampling.c; checkers: tb/cores_sampling_sva.sv; page: docs/blocks/cores_sampling.md.
`default_nettype none

module cores_sampling #(
  parameter integer Sms       = 15,  // 1 to 256
  parameter integer Warps     = 24,  // of a scheduler, 1 to 256
  parameter integer MissW     = 14,  // bits of an SM's misses in a period, 1 to 24
  parameter integer IssueW    = 15,  // bits of an SM's instructions, in 32s, in a period, 1 to 24
  parameter integer Threshold = 10,  // misses per 1000 thread instructions, 1 to 1000
  parameter integer Hot       = 3,   // hot periods in a row before SMs are sampled, 1 to 15
  parameter integer Samples   = 3,   // periods of a round of sampling, 1 to 16
  parameter integer Entries   = 8,   // kernels in the table, 1 to 32
  parameter integer KernelW   = 32,  // bits of what names a kernel, 1 to 32
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
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic               request_valid_i,
  output logic                    request_ready_o,
  input  wire logic [1:0]         op_i,
  input  wire logic [MissW-1:0]   misses_i,
  input  wire logic [IssueW-1:0]  issued_i,
  input  wire logic               idle_i,
  input  wire logic               closed_i,
  input  wire logic [KernelW-1:0] kernel_i,

  output logic                    response_valid_o,
  input  wire logic               response_ready_i,
  output logic                    ended_o,
  output logic      [HotW-1:0]    hot_o,
  output logic                    sampling_o,
  output logic      [LimitW-1:0]  limit_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Sms < 1 || Sms > 256) Sms_must_be_1_to_256 u_wrong ();
    if (Warps < 1 || Warps > 256) Warps_must_be_1_to_256 u_wrong ();
    if (MissW < 1 || MissW > 24) MissW_must_be_1_to_24 u_wrong ();
    if (IssueW < 1 || IssueW > 24) IssueW_must_be_1_to_24 u_wrong ();
    if (Threshold < 1 || Threshold > 1000) Threshold_must_be_1_to_1000 u_wrong ();
    if (Hot < 1 || Hot > 15) Hot_must_be_1_to_15 u_wrong ();
    if (Samples < 1 || Samples > 16) Samples_must_be_1_to_16 u_wrong ();
    if (Entries < 1 || Entries > 32) Entries_must_be_1_to_32 u_wrong ();
    if (KernelW < 1 || KernelW > 32) KernelW_must_be_1_to_32 u_wrong ();
  endgenerate

`include "cores_sampling_constants.svh"
  localparam [1:0] Watches = 2'd0, Sampled = 2'd1, Limited = 2'd2;
  localparam [31:0] LastSmNumber = Sms - 1, LastPeriodNumber = Samples - 1, LastEntryNumber = Entries - 1;
  localparam [SmW-1:0] LastSm = LastSmNumber[SmW-1:0];
  localparam [PeriodW-1:0] LastPeriod = LastPeriodNumber[PeriodW-1:0];
  localparam [Entries-1:0] AllEntries = {Entries{1'b1}};
  localparam [NextW-2:0] LastEntry = LastEntryNumber[NextW-2:0];
  localparam [HotW-1:0] HotEnough = Hot[HotW-1:0];
  localparam [LimitW-1:0] One = 1, Most = Warps[LimitW-1:0];
  localparam integer HalfSms = Sms / 2;
  localparam [ClosedW-1:0] Half = HalfSms[ClosedW-1:0];

  // Misses x 1000 > instructions x 32 x Threshold, without the common factors.
  localparam integer MissScale  = (Threshold % 125 == 0) ? 1 : (Threshold % 25 == 0) ? 5 : (Threshold % 5 == 0) ? 25 : 125;
  localparam integer IssueScale = 4 * Threshold * MissScale / 125;
  localparam integer MissedW    = MissSumW + $clog2(MissScale + 1);
  localparam integer AllowedW   = IssueSumW + $clog2(IssueScale + 1);
  localparam integer ProductW   = (MissedW > AllowedW) ? MissedW : AllowedW;
  localparam [ProductW-1:0] MissFactor = MissScale[ProductW-1:0];
  localparam [ProductW-1:0] IssueFactor = IssueScale[ProductW-1:0];

  // The limits of a round's SMs go up to base + Sms.
  localparam integer ReachW = ((LimitW > ClosedW) ? LimitW : ClosedW) + 1;
  localparam [ReachW-1:0] AllSms = Sms[ReachW-1:0], AllWarps = Warps[ReachW-1:0];

  // Stage 1: the request.
  logic               valid_q, request_idle_q, request_closed_q;
  logic [1:0]         op_q;
  logic [MissW-1:0]   request_misses_q;
  logic [IssueW-1:0]  request_issued_q;
  logic [KernelW-1:0] request_kernel_q;

  // Each stage moves when it is empty or the next one moves.
  logic response_moves, request_moves, fire;
  assign response_moves  = response_ready_i || !response_valid_o;
  assign request_moves   = response_moves || !valid_q;
  assign request_ready_o = request_moves;
  assign fire            = valid_q && response_moves;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q          <= 1'b0;
      response_valid_o <= 1'b0;
    end else begin
      if (request_moves) valid_q <= request_valid_i;
      if (response_moves) response_valid_o <= valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (request_moves && request_valid_i) begin
      op_q             <= op_i;
      request_misses_q <= misses_i;
      request_issued_q <= issued_i;
      request_idle_q   <= idle_i;
      request_closed_q <= closed_i;
      request_kernel_q <= kernel_i;
    end
  end

  // The state. Lane s of the totals is SM s's, lane e of the table entry e's.
  logic [1:0]                 phase_q         /*verilator public_flat_rd*/;
  logic [SmW-1:0]             reports_q       /*verilator public_flat_rd*/;
  logic [MissSumW-1:0]        misses_q        /*verilator public_flat_rd*/;
  logic [IssueSumW-1:0]       issued_q        /*verilator public_flat_rd*/;
  logic [ClosedW-1:0]         closed_q        /*verilator public_flat_rd*/;
  logic                       idle_q          /*verilator public_flat_rd*/;
  logic [Sms*TotalW-1:0]      total_q         /*verilator public_flat_rd*/;
  logic [PeriodW-1:0]         period_q        /*verilator public_flat_rd*/;
  logic [LimitW-1:0]          base_q          /*verilator public_flat_rd*/;
  logic [TotalW-1:0]          best_q          /*verilator public_flat_rd*/;
  logic [LimitW-1:0]          best_limit_q    /*verilator public_flat_rd*/;
  logic [KernelW-1:0]         kernel_q        /*verilator public_flat_rd*/;
  logic [Entries*KernelW-1:0] entry_kernel_q  /*verilator public_flat_rd*/;
  logic [Entries*LimitW-1:0]  entry_limit_q   /*verilator public_flat_rd*/;
  logic [Entries*HotW-1:0]    entry_hot_q     /*verilator public_flat_rd*/;
  logic [NextW-1:0]           next_q          /*verilator public_flat_rd*/;

  logic is_report, is_kernel, restarts, watches, samples, ends;
  assign is_report = op_q == REPORT;
  assign is_kernel = op_q == KERNEL;
  assign restarts  = op_q[1];
  assign watches   = phase_q == Watches;
  assign samples   = phase_q == Sampled;
  assign ends      = is_report && reports_q == LastSm;

  // The sums with this report, and whether the period is hot.
  logic [MissSumW-1:0]  misses;
  logic [IssueSumW-1:0] issued;
  logic [ClosedW-1:0]   closed;
  logic [ProductW-1:0]  missed, allowed;
  logic                 idle, streams, is_hot;
  assign misses  = misses_q + {{MissSumW-MissW{1'b0}}, request_misses_q};
  assign issued  = issued_q + {{IssueSumW-IssueW{1'b0}}, request_issued_q};
  assign closed  = request_closed_q ? closed_q + 1'b1 : closed_q;
  assign idle    = idle_q || request_idle_q;
  assign missed  = {{ProductW-MissSumW{1'b0}}, misses} * MissFactor;
  assign allowed = {{ProductW-IssueSumW{1'b0}}, issued} * IssueFactor;
  assign streams = closed > Half;
  assign is_hot  = missed > allowed && !streams;

  // The kernel's entry: that of the one that begins, or of the one that runs.
  logic [KernelW-1:0] kernel;
  logic [Entries-1:0] used, found, taken, written;
  logic [LimitW-1:0]  found_limit;
  logic [HotW-1:0]    found_hot;
  logic               is_known;
  assign kernel   = is_kernel ? request_kernel_q : kernel_q;
  assign is_known = |found;
  assign used     = {Entries{next_q[NextW-1]}} | ~(AllEntries << next_q[NextW-2:0]);
  genvar g;
  generate
    for (g = 0; g < Entries; g = g + 1) begin : gen_entry
      localparam [31:0] Number = g;
      assign found[g] = used[g] && entry_kernel_q[g*KernelW+:KernelW] == kernel;
      assign taken[g] = next_q[NextW-2:0] == Number[NextW-2:0];
    end
  endgenerate
  always_comb begin : read_entry
    integer e;
    found_limit = {LimitW{1'b0}};
    found_hot   = {HotW{1'b0}};
    for (e = 0; e < Entries; e = e + 1) begin
      if (found[e]) begin
        found_limit = found_limit | entry_limit_q[e*LimitW+:LimitW];
        found_hot   = found_hot | entry_hot_q[e*HotW+:HotW];
      end
    end
  end

  // A sampled SM's instructions in the round, its limit, and the best of the round so far.
  logic [TotalW-1:0] total, best;
  logic [ReachW-1:0] reach, own;
  logic [LimitW-1:0] own_limit, best_limit;
  logic              is_last_period, is_better;
  always_comb begin : read_total
    integer s;
    total = {{TotalW-IssueW{1'b0}}, request_issued_q};
    for (s = 0; s < Sms; s = s + 1) begin
      if ({{32-SmW{1'b0}}, reports_q} == s) total = total + total_q[s*TotalW+:TotalW];
    end
  end
  assign own            = {{ReachW-LimitW{1'b0}}, base_q} + {{ReachW-SmW{1'b0}}, reports_q} + 1'b1;
  assign own_limit      = own > AllWarps ? Most : own[LimitW-1:0];
  assign is_last_period = period_q == LastPeriod;
  assign is_better      = is_report && samples && is_last_period && total > best_q;
  assign best           = is_better ? total : best_q;
  assign best_limit     = is_better ? own_limit : best_limit_q;
  assign reach          = {{ReachW-LimitW{1'b0}}, base_q} + AllSms;

  // What the end of a period does.
  logic [HotW-1:0] hotter, hot;
  logic            heats, cools, takes, applies, starts, drops, round_ends, goes_on, decides;
  assign heats      = ends && watches && is_hot;
  assign hotter     = found_hot == HotEnough ? HotEnough : found_hot + 1'b1;
  assign takes      = heats && !is_known;
  assign applies    = heats && found_limit != {LimitW{1'b0}};
  assign starts     = heats && !applies && hotter == HotEnough && !idle;
  assign cools      = ends && (watches ? !is_hot : samples && streams);
  assign drops      = ends && samples && (streams || idle);
  assign round_ends = ends && samples && !drops && is_last_period;
  assign goes_on    = round_ends && {{ReachW-LimitW{1'b0}}, best_limit} == reach && reach < AllWarps;
  assign decides    = round_ends && !goes_on;
  assign hot        = heats ? hotter : cools || restarts ? {HotW{1'b0}} : found_hot;
  assign written    = takes ? taken : found;

  logic [1:0] phase;
  always_comb begin
    phase = phase_q;
    if (is_kernel || restarts || drops) phase = Watches;
    else if (starts) phase = Sampled;
    else if (applies || decides) phase = Limited;
  end

  logic [LimitW-1:0] base;
  assign base = starts ? {LimitW{1'b0}} : goes_on ? reach[LimitW-1:0] : base_q;

  logic [NextW-1:0] following;
  assign following = next_q[NextW-2:0] == LastEntry ? {1'b1, {NextW-1{1'b0}}} : next_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q      <= Watches;
      reports_q    <= {SmW{1'b0}};
      misses_q     <= {MissSumW{1'b0}};
      issued_q     <= {IssueSumW{1'b0}};
      closed_q     <= {ClosedW{1'b0}};
      idle_q       <= 1'b0;
      period_q     <= {PeriodW{1'b0}};
      base_q       <= {LimitW{1'b0}};
      best_q       <= {TotalW{1'b0}};
      best_limit_q <= {LimitW{1'b0}};
      kernel_q     <= {KernelW{1'b0}};
      next_q       <= {NextW{1'b0}};
    end else if (fire) begin
      phase_q   <= phase;
      reports_q <= is_report && !ends ? reports_q + 1'b1 : {SmW{1'b0}};
      misses_q  <= is_report && !ends ? misses : {MissSumW{1'b0}};
      issued_q  <= is_report && !ends ? issued : {IssueSumW{1'b0}};
      closed_q  <= is_report && !ends ? closed : {ClosedW{1'b0}};
      idle_q    <= is_report && !ends && idle;
      if (starts || goes_on || restarts) period_q <= {PeriodW{1'b0}};
      else if (ends && samples && !drops) period_q <= is_last_period ? {PeriodW{1'b0}} : period_q + 1'b1;
      base_q       <= restarts ? {LimitW{1'b0}} : base;
      best_q       <= starts || restarts ? {TotalW{1'b0}} : best;
      best_limit_q <= restarts ? {LimitW{1'b0}} : starts ? One : best_limit;
      kernel_q     <= restarts ? {KernelW{1'b0}} : kernel;
      if (takes) next_q <= following;
      else if (restarts) next_q <= {NextW{1'b0}};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : totals
    integer s;
    if (!rst_ni) begin
      total_q <= {Sms*TotalW{1'b0}};
    end else if (fire) begin
      if (starts || goes_on || restarts) begin
        total_q <= {Sms*TotalW{1'b0}};
      end else if (is_report && samples) begin
        for (s = 0; s < Sms; s = s + 1) begin
          if ({{32-SmW{1'b0}}, reports_q} == s) total_q[s*TotalW+:TotalW] <= total;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : write_table
    integer e;
    if (!rst_ni) begin
      entry_kernel_q <= {Entries*KernelW{1'b0}};
      entry_limit_q  <= {Entries*LimitW{1'b0}};
      entry_hot_q    <= {Entries*HotW{1'b0}};
    end else if (fire) begin
      for (e = 0; e < Entries; e = e + 1) begin
        if (restarts || (takes && written[e])) begin
          entry_kernel_q[e*KernelW+:KernelW] <= restarts ? {KernelW{1'b0}} : kernel;
        end
        if (restarts || (written[e] && (takes || decides))) begin
          entry_limit_q[e*LimitW+:LimitW] <= decides ? best_limit : {LimitW{1'b0}};
        end
        if (restarts || (written[e] && (heats || cools))) entry_hot_q[e*HotW+:HotW] <= hot;
      end
    end
  end

  // Stage 2: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      ended_o    <= ends;
      hot_o      <= hot;
      sampling_o <= phase == Sampled;
      case (phase)
        Sampled: limit_o <= base + 1'b1;
        Limited:  limit_o <= decides ? best_limit : found_limit;
        default:  limit_o <= {LimitW{1'b0}};
      endcase
    end
  end

endmodule

`default_nettype wire
