// The handshakes of three pipeline stages: the request, whose set's rows the SRAMs read; the decision,
// which writes the rows back; the response. A block whose state is all in flops changes it when a request
// enters the second stage. One request per cycle, responses in order, three cycles later at the earliest; a
// response waits until response_ready_i. Each stage moves when it is empty or the next one moves; the
// request also stays while hold_i is 1. The data registers of the stages are in the block.
`default_nettype none

module three_stages (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic request_valid_i,
  output logic      request_ready_o,
  input  wire logic hold_i,          // the request must not move to the second stage
  output logic      enters_o,        // a request moves to the second stage, and its rows are read
  output logic      decide_valid_o,  // the second stage holds a request
  output logic      decide_moves_o,  // its request takes effect now; 1 too when it holds none
  output logic      response_valid_o,
  input  wire logic response_ready_i
);

  logic request_valid_q, response_moves;
  assign response_moves  = response_ready_i || !response_valid_o;
  assign decide_moves_o  = response_moves || !decide_valid_o;
  assign enters_o        = request_valid_q && decide_moves_o && !hold_i;
  assign request_ready_o = enters_o || !request_valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_valid_q  <= 1'b0;
      decide_valid_o   <= 1'b0;
      response_valid_o <= 1'b0;
    end else begin
      if (request_ready_o) request_valid_q <= request_valid_i;
      if (decide_moves_o) decide_valid_o <= enters_o;
      if (response_moves) response_valid_o <= decide_valid_o;
    end
  end

endmodule

`default_nettype wire
