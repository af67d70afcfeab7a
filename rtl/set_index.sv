// Maps a line address to set index and tag, and a tag and an index back to the line [khairy, 4.3].
//
//   op_i     takes               gives
//   FORWARD  line_i              line_o = line_i; tag_o and index_o of the line
//   INVERSE  tag_i, index_i      tag_o = tag_i, index_o = index_i; line_o of both
//
// Two pipeline stages: the registered request, and the response. One request per cycle, responses
// in order, two cycles later at the earliest. A response waits until response_ready_i.
// C model: cmodel/blocks/set_index.c; checkers: tb/set_index_sva.sv.
`default_nettype none

module set_index #(
  parameter integer                LineW      = 42,  // line-address bits
  parameter integer                IndexW     = 5,   // log2 of the number of sets
  parameter [IndexW:0]             Polynomial = 37,  // ipoly(Polynomial); 0: Matrix
  parameter [IndexW*LineW-1:0]     Matrix     = 0    // row i: Matrix[i*LineW +: LineW]
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_ni,

  input  wire logic                    request_valid_i,
  output logic                         request_ready_o,
  input  wire logic                    op_i,
  input  wire logic [LineW-1:0]        line_i,
  input  wire logic [LineW-IndexW-1:0] tag_i,
  input  wire logic [IndexW-1:0]       index_i,

  output logic                         response_valid_o,
  input  wire logic                    response_ready_i,
  output logic      [LineW-1:0]        line_o,
  output logic      [LineW-IndexW-1:0] tag_o,
  output logic      [IndexW-1:0]       index_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (IndexW < 1 || IndexW > 16) IndexW_must_be_1_to_16 u_wrong ();
    if (LineW <= IndexW || LineW > 64) LineW_must_be_above_IndexW_and_at_most_64 u_wrong ();
    if (Polynomial != 0 && !Polynomial[IndexW]) Polynomial_must_have_bit_IndexW u_wrong ();
  endgenerate

`include "set_index_constants.svh"

  // Stage 1: the request.
  logic                    valid_q;
  logic                    op_q;
  logic [LineW-1:0]        line_q;
  logic [LineW-IndexW-1:0] tag_q;
  logic [IndexW-1:0]       index_q;

  // Each stage moves when it is empty or the next one moves.
  logic response_moves, request_moves;
  assign response_moves  = response_ready_i || !response_valid_o;
  assign request_moves   = response_moves || !valid_q;
  assign request_ready_o = request_moves;

  logic [IndexW-1:0] forward_index;
  logic [LineW-1:0]  inverse_line;

  set_index_network #(
    .LineW     (LineW),
    .IndexW    (IndexW),
    .Polynomial(Polynomial),
    .Matrix    (Matrix)
  ) u_network (
    .line_i         (line_q),
    .index_o        (forward_index),
    .inverse_tag_i  (tag_q),
    .inverse_index_i(index_q),
    .inverse_line_o (inverse_line)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
    end else if (request_moves) begin
      valid_q <= request_valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (request_moves) begin
      op_q    <= op_i;
      line_q  <= line_i;
      tag_q   <= tag_i;
      index_q <= index_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      response_valid_o <= 1'b0;
    end else if (response_moves) begin
      response_valid_o <= valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (response_moves) begin
      line_o  <= (op_q == INVERSE) ? inverse_line : line_q;
      tag_o   <= (op_q == INVERSE) ? tag_q : line_q[LineW-1:IndexW];
      index_o <= (op_q == INVERSE) ? index_q : forward_index;
    end
  end

endmodule

`default_nettype wire
