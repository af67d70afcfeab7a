// Stream gate [khairy, 4.1]: closes a cache when nearly all of a sampling period's accesses miss, and opens it
// when fewer do.
//
//   op_i     takes   does
//   ACCESS   miss_i  counts an access, and a miss; at the limit of the accesses' count neither changes
//   PERIOD   hot_i   ends a period of Least accesses or more: closes at a miss rate above Threshold percent,
//                    opens below, keeps at it; opens anyhow if hot_i is 1; counts from 0 again
//   RESTART          returns to the state after reset
//
// Two pipeline stages: the registered request, which changes the state (flops); and the response.
// One request per cycle, responses in order, two cycles later at the earliest. A response waits until
// response_ready_i. Only one stage accesses state: there is no hazard. `excess_q` keeps 100 times the misses
// less Threshold times the accesses, so that the decision is its sign.
// C model: cmodel/blocks/stream_gate.c; checkers: tb/stream_gate_sva.sv; page: docs/blocks/stream_gate.md.
`default_nettype none

module stream_gate #(
  parameter integer CountW    = 14,  // bits of the counts of a period, 1 to 20
  parameter integer Threshold = 90,  // miss rate above which the gate closes [%], 1 to 100
  parameter integer Least     = 64   // accesses of a period that decides, 1 to 2^CountW - 1
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              request_valid_i,
  output logic                   request_ready_o,
  input  wire logic [1:0]        op_i,
  input  wire logic              miss_i,
  input  wire logic              hot_i,

  output logic                   response_valid_o,
  input  wire logic              response_ready_i,
  output logic                   closed_o,
  output logic      [CountW-1:0] accesses_o,
  output logic      [CountW-1:0] misses_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (CountW < 1 || CountW > 20) CountW_must_be_1_to_20 u_wrong ();
    if (Threshold < 1 || Threshold > 100) Threshold_must_be_1_to_100 u_wrong ();
    if (Least < 1 || Least >> CountW != 0) Least_must_be_1_to_the_largest_count u_wrong ();
  endgenerate

`include "stream_gate_constants.svh"
  localparam integer ExcessW = CountW + 8;  // 100 has 7 bits; a sign
  localparam [31:0] Missed = 100 - Threshold, Hit = -Threshold;
  localparam [ExcessW-1:0] MissStep = Missed[ExcessW-1:0];
  localparam [ExcessW-1:0] HitStep = Hit[ExcessW-1:0];
  localparam [CountW-1:0] Fewest = Least[CountW-1:0];

  // Stage 1: the request.
  logic       valid_q, miss_q, hot_q;
  logic [1:0] op_q;

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
      op_q   <= op_i;
      miss_q <= miss_i;
      hot_q  <= hot_i;
    end
  end

  // The state.
  logic [CountW-1:0] accesses_q  /*verilator public_flat_rd*/;
  logic [CountW-1:0] misses_q    /*verilator public_flat_rd*/;
  logic              closed_q    /*verilator public_flat_rd*/;

  logic [ExcessW-1:0] excess_q, excess;
  logic               counts, ends, restarts, decides, above, below, closed;
  logic [CountW-1:0]  accesses, misses;
  assign restarts = op_q[1];
  assign ends     = op_q == PERIOD;
  assign counts   = op_q == ACCESS && !(&accesses_q);
  assign accesses = counts ? accesses_q + 1'b1 : accesses_q;
  assign misses   = counts && miss_q ? misses_q + 1'b1 : misses_q;
  assign excess   = counts ? excess_q + (miss_q ? MissStep : HitStep) : excess_q;
  assign decides  = accesses_q >= Fewest;
  assign below    = decides && excess_q[ExcessW-1];
  assign above    = decides && !excess_q[ExcessW-1] && excess_q != {ExcessW{1'b0}};

  always_comb begin
    closed = closed_q;
    if (restarts) closed = 1'b0;
    else if (ends) closed = !hot_q && (above || (closed_q && !below));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accesses_q <= {CountW{1'b0}};
      misses_q   <= {CountW{1'b0}};
      excess_q   <= {ExcessW{1'b0}};
      closed_q   <= 1'b0;
    end else if (fire) begin
      accesses_q <= ends || restarts ? {CountW{1'b0}} : accesses;
      misses_q   <= ends || restarts ? {CountW{1'b0}} : misses;
      excess_q   <= ends || restarts ? {ExcessW{1'b0}} : excess;
      closed_q   <= closed;
    end
  end

  // Stage 2: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      closed_o   <= closed;
      accesses_o <= restarts ? {CountW{1'b0}} : accesses;
      misses_o   <= restarts ? {CountW{1'b0}} : misses;
    end
  end

endmodule

`default_nettype wire
