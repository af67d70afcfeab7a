// set_index with a port missing, to test that the lockstep build refuses it.
`default_nettype none

module set_index_missing #(
  parameter integer            LineW      = 42,
  parameter integer            IndexW     = 5,
  parameter [IndexW:0]         Polynomial = 37,
  parameter [IndexW*LineW-1:0] Matrix     = 0
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
  output logic      [LineW-IndexW-1:0] tag_o
);

endmodule

`default_nettype wire
