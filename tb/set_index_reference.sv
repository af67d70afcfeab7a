// Reference for formal proofs: a set-index function computed from the C model's H-matrix.
`default_nettype none

module set_index_reference #(
  parameter integer            LineW  = 20,
  parameter integer            IndexW = 5,
  parameter [IndexW*LineW-1:0] Rows   = 0
) (
  input wire logic [LineW-1:0]  line_i,
  output logic     [IndexW-1:0] index_o
);

  genvar i;
  generate
    for (i = 0; i < IndexW; i = i + 1) begin : gen_row
      assign index_o[i] = ^(line_i & Rows[i*LineW+:LineW]);
    end
  endgenerate

endmodule

`default_nettype wire
