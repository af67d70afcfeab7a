// SM dueling: selects the L1D that the SMs use [li, 4.3]. The first of each Period intervals is a
// sampling interval, in which SM0 runs the decoupled L1D and SM1 the conventional one. At its end
// their miss rates decide which L1D all SMs run.
//
//   op_i     takes         does
//   ACCESS   sm_i, miss_i  in a sampling interval: counts an access, and a miss, of SM0 or SM1; saturates
//   ADVANCE  amount_i      advances the interval; at the end of a sampling interval compares both rates
//   RESTART                returns to the state after reset
//
// Two pipeline stages: the registered request, which changes the state (flops); and the response.
// One request per cycle, responses in order, two cycles later at the earliest. A response waits until
// response_ready_i. Only one stage accesses state: there is no hazard.
// C model: cmodel/blocks/sm_dueling.c; checkers: tb/sm_dueling_sva.sv; page: docs/blocks/sm_dueling.md.
`default_nettype none

module sm_dueling #(
  parameter integer Interval   = 500,  // cycles or accesses, 1 to 65535
  parameter integer CountW     = 9,    // bits of the counts of accesses and misses, 1 to 16
  parameter integer Difference = 10,   // threshold of the difference of miss rates [%], 0 to 100
  parameter integer Hysteresis = 0,    // within Difference: 1 keeps the L1D, 0 selects decoupled
  parameter integer Period     = 20,   // intervals from one sampling interval to the next, 1 to 65535
  localparam integer IntervalW = $clog2(Interval + 1),
  localparam integer PeriodW    = (Period < 3) ? 1 : $clog2(Period)
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,

  input  wire logic                 request_valid_i,
  output logic                      request_ready_o,
  input  wire logic [1:0]           op_i,
  input  wire logic                 sm_i,
  input  wire logic                 miss_i,
  input  wire logic [IntervalW-1:0] amount_i,

  output logic                      response_valid_o,
  input  wire logic                 response_ready_i,
  output logic                      decided_o,
  output logic                      decoupled_o,
  output logic                      sampling_o,
  output logic      [IntervalW-1:0] left_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Interval < 1 || Interval > 65535) Interval_must_be_1_to_65535 u_wrong ();
    if (CountW < 1 || CountW > 16) CountW_must_be_1_to_16 u_wrong ();
    if (Difference < 0 || Difference > 100) Difference_must_be_0_to_100 u_wrong ();
    if (Hysteresis < 0 || Hysteresis > 1) Hysteresis_must_be_0_or_1 u_wrong ();
    if (Period < 1 || Period > 65535) Period_must_be_1_to_65535 u_wrong ();
  endgenerate

`include "sm_dueling_constants.svh"
  localparam [IntervalW-1:0] Whole = Interval[IntervalW-1:0];
  localparam [PeriodW-1:0] LastPhase = Period[PeriodW-1:0] - 1'b1;
  localparam integer ProductW = 2 * CountW + 8;  // room for the sum of two products of 100
  localparam [ProductW-1:0] Hundred = 100;
  localparam [ProductW-1:0] Margin = {{ProductW-7{1'b0}}, Difference[6:0]};

  // Stage 1: the request.
  logic                 valid_q;
  logic [1:0]           op_q;
  logic                 sm_q, miss_q;
  logic [IntervalW-1:0] amount_q;

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
      op_q     <= op_i;
      sm_q     <= sm_i;
      miss_q   <= miss_i;
      amount_q <= amount_i;
    end
  end

  // The state. The low half of a pair is SM0's. Counts are 0 outside sampling intervals.
  logic [2*CountW-1:0]  accesses_q   /*verilator public_flat_rd*/;
  logic [2*CountW-1:0]  misses_q     /*verilator public_flat_rd*/;
  logic [IntervalW-1:0] elapsed_q    /*verilator public_flat_rd*/;
  logic [PeriodW-1:0]   phase_q      /*verilator public_flat_rd*/;  // 0: a sampling interval
  logic                 decoupled_q  /*verilator public_flat_rd*/;

  logic [CountW-1:0] accesses_0, accesses_1, misses_0, misses_1;
  assign {accesses_1, accesses_0} = accesses_q;
  assign {misses_1, misses_0}     = misses_q;

  // SM0 is worse by more than Difference: m0/a0 > m1/a1 + d/100, computed without a division.
  function automatic [ProductW-1:0] product(input [CountW-1:0] a, input [CountW-1:0] b);
    product = {{ProductW-CountW{1'b0}}, a} * {{ProductW-CountW{1'b0}}, b};
  endfunction
  logic [ProductW-1:0] rate_0, rate_1, margin;
  logic                is_worse, is_better;
  assign rate_0    = Hundred * product(misses_0, accesses_1);
  assign rate_1    = Hundred * product(misses_1, accesses_0);
  assign margin    = Margin * product(accesses_0, accesses_1);
  assign is_worse  = rate_0 > rate_1 + margin;
  assign is_better = rate_1 > rate_0 + margin;

  logic               is_access, is_advance, samples, counts, ends, decides, decoupled;
  logic [IntervalW:0] later;
  assign is_access  = op_q == ACCESS;
  assign is_advance = op_q == ADVANCE;
  assign samples    = phase_q == {PeriodW{1'b0}};
  assign counts     = samples && (sm_q ? accesses_1 : accesses_0) != {CountW{1'b1}};
  assign later      = {1'b0, elapsed_q} + {1'b0, amount_q};
  assign ends       = is_advance && later >= {1'b0, Whole};
  assign decides    = ends && accesses_0 != {CountW{1'b0}} && accesses_1 != {CountW{1'b0}};

  always_comb begin
    decoupled = decoupled_q;
    if (!is_access && !is_advance) decoupled = 1'b0;
    else if (decides && is_worse) decoupled = 1'b0;
    else if (decides && (is_better || Hysteresis == 0)) decoupled = 1'b1;
  end

  logic [2*CountW-1:0]  accesses, misses;
  logic [IntervalW-1:0] elapsed;
  logic [PeriodW-1:0]   phase;
  always_comb begin
    accesses = accesses_q;
    misses   = misses_q;
    elapsed  = elapsed_q;
    phase    = phase_q;
    if (is_access && counts) begin
      if (sm_q) begin
        accesses = {accesses_1 + 1'b1, accesses_0};
        if (miss_q) misses = {misses_1 + 1'b1, misses_0};
      end else begin
        accesses = {accesses_1, accesses_0 + 1'b1};
        if (miss_q) misses = {misses_1, misses_0 + 1'b1};
      end
    end else if (ends || (!is_access && !is_advance)) begin
      accesses = {2 * CountW{1'b0}};
      misses   = {2 * CountW{1'b0}};
      elapsed  = {IntervalW{1'b0}};
      phase    = is_advance && phase_q != LastPhase ? phase_q + 1'b1 : {PeriodW{1'b0}};
    end else if (is_advance) begin
      elapsed = elapsed_q + amount_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accesses_q  <= {2 * CountW{1'b0}};
      misses_q    <= {2 * CountW{1'b0}};
      elapsed_q   <= {IntervalW{1'b0}};
      phase_q     <= {PeriodW{1'b0}};
      decoupled_q <= 1'b0;
    end else if (fire) begin
      accesses_q  <= accesses;
      misses_q    <= misses;
      elapsed_q   <= elapsed;
      phase_q     <= phase;
      decoupled_q <= decoupled;
    end
  end

  // Stage 2: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      decided_o   <= decides;
      decoupled_o <= decoupled;
      sampling_o  <= phase == {PeriodW{1'b0}};
      left_o      <= Whole - elapsed;
    end
  end

endmodule

`default_nettype wire
