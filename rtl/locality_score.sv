// Lost-locality scores of cache-conscious wavefront scheduling (CCWS) [rogers]: a list of the warps of an SM
// in the order of their scores, and which of them may issue loads.
//
//   op_i     takes                does
//   ADVANCE  cycles_i, issued_i   scores fall by the cycles, to Base; counts the instructions
//   HIT      warp_i               counts the hit, halving both counts when that of the hits is full; a warp that
//                                 is there gets the score hits / issued x Throttle x Base x warps, rounded down,
//                                 at least Base, and its place before the warps with that score
//   START    warp_i               the warp gets Base and the last place
//   END      warp_i               the warp leaves
//   RESTART                       returns to the state after reset
//
// A warp may issue loads if the scores before its place sum up to less than Base times the warps.
//
// Two pipeline stages: the registered request, which changes the state (flops) and sums up the scores of the
// list as it becomes; and the response. One request per cycle, responses in order, two cycles later at the
// earliest; a HIT stays in the first stage for ScoreW + 2 cycles more: one for the counts, one for their
// product, and one for each bit of the quotient (restoring division, the highest bit first). A response waits
// until response_ready_i. Only one stage accesses state: there is no hazard.
// C model: cmodel/blocks/locality_score.c; checkers: tb/locality_score_sva.sv; page:
// docs/blocks/locality_score.md.
`default_nettype none

module locality_score #(
  parameter integer  Warps    = 48,   // 1 to 64
  parameter integer  ScoreW   = 16,   // bits of a score, 2 to 16
  parameter integer  Base     = 100,  // score of a warp that has lost nothing, 1 to 2^ScoreW - 1
  parameter integer  Throttle = 8,    // K_THROTTLE, 1 to 64
  parameter integer  HitW     = 12,   // bits of the count of hits, 1 to 16
  parameter integer  IssuedW  = 32,   // bits of the count of instructions, 1 to 32
  localparam integer WarpW    = (Warps < 3) ? 1 : $clog2(Warps),
  localparam integer LengthW  = $clog2(Warps + 1)
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic               request_valid_i,
  output logic                    request_ready_o,
  input  wire logic [2:0]         op_i,
  input  wire logic [WarpW-1:0]   warp_i,
  input  wire logic [ScoreW-1:0]  cycles_i,
  input  wire logic [IssuedW-1:0] issued_i,

  output logic                    response_valid_o,
  input  wire logic               response_ready_i,
  output logic      [Warps-1:0]   allowed_o,
  output logic      [ScoreW-1:0]  score_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Warps < 1 || Warps > 64) Warps_must_be_1_to_64 u_wrong ();
    if (ScoreW < 2 || ScoreW > 16) ScoreW_must_be_2_to_16 u_wrong ();
    if (Base < 1 || Base >> ScoreW != 0) Base_must_be_1_to_the_largest_score u_wrong ();
    if (Throttle < 1 || Throttle > 64) Throttle_must_be_1_to_64 u_wrong ();
    if (HitW < 1 || HitW > 16) HitW_must_be_1_to_16 u_wrong ();
    if (IssuedW < 1 || IssuedW > 32) IssuedW_must_be_1_to_32 u_wrong ();
  endgenerate

`include "locality_score_constants.svh"
  localparam [31:0] BaseBits = Base;
  localparam [ScoreW-1:0] BaseScore = BaseBits[ScoreW-1:0];
  localparam [ScoreW-1:0] TopScore = {ScoreW{1'b1}};
  localparam integer SumW = ScoreW + LengthW;
  localparam integer FactorW = ScoreW + 7;
  localparam [31:0] FactorBits = Throttle * Base;
  localparam [FactorW-1:0] Factor = FactorBits[FactorW-1:0];
  localparam integer ProductW = HitW + FactorW + LengthW;
  localparam integer StepW = 5;
  localparam [31:0] LastBits = ScoreW + 1;
  localparam [StepW-1:0] LastStep = LastBits[StepW-1:0];

  // Each stage moves when it is empty or the next one moves; a HIT stays until it has its score.
  logic valid_q, divides_q, response_moves, request_moves, fire;
  assign response_moves  = response_ready_i || !response_valid_o;
  assign fire            = valid_q && response_moves && !divides_q;
  assign request_moves   = fire || !valid_q;
  assign request_ready_o = request_moves;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q          <= 1'b0;
      response_valid_o <= 1'b0;
    end else begin
      if (request_moves) valid_q <= request_valid_i;
      if (response_moves) response_valid_o <= fire;
    end
  end

  // Stage 1: the request. divides_q: it is a HIT whose score is not known yet; step_q: its cycles there.
  logic [2:0]         op_q;
  logic [WarpW-1:0]   request_warp_q;
  logic [ScoreW-1:0]  cycles_q;
  logic [IssuedW-1:0] more_q;
  logic [StepW-1:0]   step_q;
  logic               accepts;
  assign accepts = request_valid_i && request_moves;
  always_ff @(posedge clk_i) begin
    if (accepts) begin
      op_q           <= op_i;
      request_warp_q <= warp_i;
      cycles_q       <= cycles_i;
      more_q         <= issued_i;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      divides_q <= 1'b0;
      step_q    <= {StepW{1'b0}};
    end else begin
      if (accepts) divides_q <= op_i == HIT;
      else if (step_q == LastStep) divides_q <= 1'b0;
      step_q <= divides_q && step_q != LastStep ? step_q + 1'b1 : {StepW{1'b0}};
    end
  end

  logic is_advance, is_hit, is_start, restarts;
  assign is_advance = op_q == ADVANCE;
  assign is_hit     = op_q == HIT;
  assign is_start   = op_q == START;
  assign restarts   = op_q >= RESTART;

  // The state.
  logic [Warps*WarpW-1:0]  warp_q    /*verilator public_flat_rd*/;
  logic [Warps*ScoreW-1:0] score_q   /*verilator public_flat_rd*/;
  logic [LengthW-1:0]      length_q  /*verilator public_flat_rd*/;
  logic [HitW-1:0]         hits_q    /*verilator public_flat_rd*/;
  logic [IssuedW-1:0]      issued_q  /*verilator public_flat_rd*/;

  // The counts: a HIT changes them in its first cycle.
  logic               counts_hit, full;
  logic [IssuedW:0]   issued_sum;  // one bit more: beyond the range
  assign counts_hit = divides_q && step_q == {StepW{1'b0}};
  assign full       = &hits_q;
  assign issued_sum = {1'b0, issued_q} + {1'b0, more_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      hits_q   <= {HitW{1'b0}};
      issued_q <= {IssuedW{1'b0}};
    end else if (fire && restarts) begin
      hits_q   <= {HitW{1'b0}};
      issued_q <= {IssuedW{1'b0}};
    end else if (fire && is_advance) begin
      issued_q <= issued_sum[IssuedW] ? {IssuedW{1'b1}} : issued_sum[IssuedW-1:0];
    end else if (counts_hit) begin
      hits_q   <= (full ? hits_q >> 1 : hits_q) + 1'b1;
      issued_q <= full ? issued_q >> 1 : issued_q;
    end
  end

  // The score of a HIT: product / issued. The quotient has at most ScoreW bits if the product's upper part is
  // less than the divisor; each cycle then gives one of them.
  logic [ProductW-1:0]        product;
  logic [ProductW-ScoreW-1:0] upper;
  logic [IssuedW-1:0]         rest_q;
  logic [ScoreW-1:0]          dividend_q, quotient_q, detected, score;
  logic [IssuedW:0]           shifted;
  logic [IssuedW-1:0]         less;
  logic                       beyond_q, one;
  assign product  = {{ProductW - HitW{1'b0}}, hits_q} * {{ProductW - FactorW{1'b0}}, Factor} *
                    {{ProductW - LengthW{1'b0}}, length_q};
  assign upper    = product[ProductW-1:ScoreW];
  assign shifted  = {rest_q, dividend_q[ScoreW-1]};
  assign less     = shifted[IssuedW-1:0] - issued_q;
  assign one      = shifted >= {1'b0, issued_q};
  localparam integer CompareW = ((IssuedW > ProductW - ScoreW) ? IssuedW : ProductW - ScoreW) + 1;
  logic [CompareW-1:0] wide_upper, wide_issued;
  assign wide_upper  = {{CompareW - ProductW + ScoreW{1'b0}}, upper};
  assign wide_issued = {{CompareW - IssuedW{1'b0}}, issued_q};
  always_ff @(posedge clk_i) begin
    if (step_q == {{StepW - 1{1'b0}}, 1'b1}) begin
      beyond_q   <= wide_upper >= wide_issued;
      rest_q     <= wide_upper[IssuedW-1:0];
      dividend_q <= product[ScoreW-1:0];
    end else if (divides_q) begin
      rest_q     <= one ? less : shifted[IssuedW-1:0];
      dividend_q <= dividend_q << 1;
      quotient_q <= {quotient_q[ScoreW-2:0], one};
    end
  end
  assign detected = beyond_q ? TopScore : quotient_q;
  assign score    = is_start || detected < BaseScore ? BaseScore : detected;

  // The list without the request's warp: the places behind it move up.
  logic [Warps-1:0]        filled, named, from;  // from: places at and behind the warp's
  logic                    is_there, leaves, joins;
  logic [LengthW-1:0]      left;
  logic [Warps*WarpW-1:0]  warps_left;
  logic [Warps*ScoreW-1:0] scores_left;
  assign is_there = |named;
  assign leaves   = is_there && (is_hit || is_start || op_q == END);
  assign joins    = is_start || (is_hit && is_there);
  assign left     = leaves ? length_q - 1'b1 : length_q;
  genvar g;
  generate
    for (g = 0; g < Warps; g = g + 1) begin : gen_place
      localparam [31:0] Number = g;
      localparam integer After = (g + 1 < Warps) ? g + 1 : g;  // the last place has none behind it
      assign filled[g] = length_q > Number[LengthW-1:0];
      assign named[g]  = filled[g] && warp_q[g*WarpW+:WarpW] == request_warp_q;
      assign from[g]   = |named[g:0];
      assign warps_left[g*WarpW+:WarpW] = leaves && from[g] ? warp_q[After*WarpW+:WarpW] : warp_q[g*WarpW+:WarpW];
      assign scores_left[g*ScoreW+:ScoreW] = leaves && from[g] ? score_q[After*ScoreW+:ScoreW]
                                                               : score_q[g*ScoreW+:ScoreW];
    end
  endgenerate

  // The list with the warp in its place: before the first one whose score is not higher, or the last.
  logic [Warps-1:0]        behind;  // places whose warp goes behind the request's, and those that are free
  logic [Warps*WarpW-1:0]  warps_d;
  logic [Warps*ScoreW-1:0] scores_d;
  generate
    for (g = 0; g < Warps; g = g + 1) begin : gen_join
      localparam [31:0] Number = g;
      localparam integer Before = (g > 0) ? g - 1 : 0;
      logic             shifts;  // the warp of the place before this one moves here
      logic [ScoreW:0]  lower;
      logic [WarpW-1:0]  warp_here, warp_before;
      logic [ScoreW-1:0] score_here, score_before, fallen;
      assign warp_here    = warps_left[g*WarpW+:WarpW];
      assign warp_before  = warps_left[Before*WarpW+:WarpW];
      assign score_here   = scores_left[g*ScoreW+:ScoreW];
      assign score_before = scores_left[Before*ScoreW+:ScoreW];
      assign behind[g]    = left <= Number[LengthW-1:0] || (is_hit && score_here <= score);
      assign shifts       = (g > 0) && behind[Before];
      assign lower        = {1'b0, score_here} - {1'b0, cycles_q};
      assign fallen       = lower[ScoreW] || lower[ScoreW-1:0] < BaseScore ? BaseScore : lower[ScoreW-1:0];
      assign warps_d[g*WarpW+:WarpW] = !joins || !behind[g] ? warp_here : shifts ? warp_before : request_warp_q;
      assign scores_d[g*ScoreW+:ScoreW] = is_advance ? fallen :
                                          !joins || !behind[g] ? score_here : shifts ? score_before : score;
    end
  endgenerate

  logic [LengthW-1:0] length_d;
  logic [Warps-1:0]   filled_d;
  generate
    for (g = 0; g < Warps; g = g + 1) begin : gen_filled
      localparam [31:0] Number = g;
      assign filled_d[g] = length_d > Number[LengthW-1:0];
    end
  endgenerate
  assign length_d = restarts ? {LengthW{1'b0}} : joins ? left + 1'b1 : left;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) length_q <= {LengthW{1'b0}};
    else if (fire) length_q <= length_d;
  end
  always_ff @(posedge clk_i) begin
    if (fire) begin
      warp_q  <= warps_d;
      score_q <= scores_d;
    end
  end

  // The warps before whose place the scores sum up to less than the cutoff.
  localparam [Warps-1:0] One = 1;
  logic [SumW-1:0]  cutoff;
  logic [Warps-1:0] allowed;
  assign cutoff = {{SumW - LengthW{1'b0}}, length_d} * {{SumW - ScoreW{1'b0}}, BaseScore};
  logic [SumW-1:0]  sum;  // of the scores before place p
  always_comb begin : sums
    integer p;
    sum = {SumW{1'b0}};
    allowed = {Warps{1'b0}};
    for (p = 0; p < Warps; p = p + 1) begin
      if (filled_d[p] && sum < cutoff) allowed = allowed | One << warps_d[p*WarpW+:WarpW];
      sum = sum + {{SumW - ScoreW{1'b0}}, scores_d[p*ScoreW+:ScoreW]};
    end
  end

  // Stage 2: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      allowed_o <= allowed;
      score_o   <= joins ? score : {ScoreW{1'b0}};
    end
  end

endmodule

`default_nettype wire
