// Lifetime predictor of Temporal Coherence [singh, 6.4]: one predicted lifetime for an L2 bank, which the
// bank's events lengthen and shorten.
//
//   op_i    takes                       does
//   LOAD    expired_l1_i, expired_l2_i  lengthens by Hit, up to Max, if either is 1
//   EVICT   unexpired_i                 shortens by Evict, down to 0, if 1
//   STORE   unexpired_i                 shortens by Write, down to 0, if 1 and a fence has completed
//   FENCED                              a fence has completed
//   RESET                               returns to the state after reset
//
// Two pipeline stages: the registered request, which changes the state (flops); and the response.
// One request per cycle, responses in order, two cycles later at the earliest. A response waits until
// response_ready_i. Only one stage accesses state: there is no hazard.
// C model: cmodel/blocks/lifetime_predictor.c; checkers: tb/lifetime_predictor_sva.sv;
// page: docs/blocks/lifetime_predictor.md.
`default_nettype none

module lifetime_predictor #(
  parameter integer LifeW = 13,    // bits of a lifetime [core cycles], 1 to 32
  parameter integer Hit   = 4,     // increase [core cycles], LifeW bits
  parameter integer Evict = 8,     // decrease by an eviction [core cycles], LifeW bits
  parameter integer Write = 8,     // decrease by a store [core cycles], LifeW bits
  parameter integer Max   = 6400,  // largest lifetime [core cycles], LifeW bits
  parameter integer Start = 800    // lifetime after reset [core cycles], 0 to Max
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic             request_valid_i,
  output logic                  request_ready_o,
  input  wire logic [2:0]       op_i,
  input  wire logic             expired_l1_i,
  input  wire logic             expired_l2_i,
  input  wire logic             unexpired_i,

  output logic                  response_valid_o,
  input  wire logic             response_ready_i,
  output logic      [LifeW-1:0] life_o
);

  // A lifetime of 32 bits is unsigned.
  localparam [31:0] HitBits   = Hit;
  localparam [31:0] EvictBits = Evict;
  localparam [31:0] WriteBits = Write;
  localparam [31:0] MaxBits   = Max;
  localparam [31:0] StartBits = Start;

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (LifeW < 1 || LifeW > 32) LifeW_must_be_1_to_32 u_wrong ();
    if (HitBits >> LifeW != 0) Hit_must_have_LifeW_bits u_wrong ();
    if (EvictBits >> LifeW != 0) Evict_must_have_LifeW_bits u_wrong ();
    if (WriteBits >> LifeW != 0) Write_must_have_LifeW_bits u_wrong ();
    if (MaxBits >> LifeW != 0) Max_must_have_LifeW_bits u_wrong ();
    if (StartBits > MaxBits) Start_must_be_0_to_Max u_wrong ();
  endgenerate

`include "lifetime_predictor_constants.svh"
  localparam [LifeW-1:0] First = StartBits[LifeW-1:0];
  localparam [LifeW-1:0] Last = MaxBits[LifeW-1:0];
  localparam [LifeW-1:0] Increase = HitBits[LifeW-1:0];

  // Stage 1: the request.
  logic       valid_q, expired_q, unexpired_q;
  logic [2:0] op_q;

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
      op_q        <= op_i;
      expired_q   <= expired_l1_i || expired_l2_i;
      unexpired_q <= unexpired_i;
    end
  end

  // The state.
  logic [LifeW-1:0] life_q    /*verilator public_flat_rd*/;
  logic             fenced_q  /*verilator public_flat_rd*/;

  logic             is_reset, lengthens, shortens;
  logic [LifeW-1:0] lengthened, shortened, life;
  logic [LifeW:0]   longer, shorter;  // one bit more: beyond the range
  assign is_reset   = op_q >= RESET;
  assign lengthens  = op_q == LOAD && expired_q;
  assign shortens   = unexpired_q && (op_q == EVICT || (op_q == STORE && fenced_q));
  assign longer     = {1'b0, life_q} + {1'b0, Increase};
  assign shorter    = {1'b0, life_q} - {1'b0, op_q == EVICT ? EvictBits[LifeW-1:0] : WriteBits[LifeW-1:0]};
  assign lengthened = longer > {1'b0, Last} ? Last : longer[LifeW-1:0];
  assign shortened  = shorter[LifeW] ? {LifeW{1'b0}} : shorter[LifeW-1:0];

  always_comb begin
    life = life_q;
    if (is_reset) life = First;
    else if (lengthens) life = lengthened;
    else if (shortens) life = shortened;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      life_q   <= First;
      fenced_q <= 1'b0;
    end else if (fire) begin
      life_q   <= life;
      fenced_q <= (fenced_q || op_q == FENCED) && !is_reset;
    end
  end

  // Stage 2: the response.
  always_ff @(posedge clk_i) begin
    if (fire) life_o <= life;
  end

endmodule

`default_nettype wire
