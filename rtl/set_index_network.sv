// The XOR network of a set-index function and its inverse [khairy, 4.3]: combinational.
//
// Each index bit is the XOR of the line-address bits that its row of the H-matrix selects; the tag
// is the line without its low IndexW bits. The inverse computes the line from index and tag.
//
//   ipoly(37), lines of 5 index bits: index[0] = line[0] ^ line[5] ^ line[8] ^ ...  (Figure 7)
//
// The function is given by Polynomial (index = line mod Polynomial over GF(2), bit IndexW set), or,
// when Polynomial is 0, by Matrix: row i, Matrix[i*LineW +: LineW], is the mask of index bit i. The
// low IndexW columns of the matrix must have full rank, else the inverse does not exist.
`default_nettype none

module set_index_network #(
  parameter integer                LineW      = 42,
  parameter integer                IndexW     = 5,
  parameter [IndexW:0]             Polynomial = 37,
  parameter [IndexW*LineW-1:0]     Matrix     = 0
) (
  input  wire logic [LineW-1:0]        line_i,           // forward: line address
  output logic      [IndexW-1:0]       index_o,          // forward: its set index
  input  wire logic [LineW-IndexW-1:0] inverse_tag_i,    // inverse: tag
  input  wire logic [IndexW-1:0]       inverse_index_i,  // inverse: set index
  output logic      [LineW-1:0]        inverse_line_o    // inverse: line address
);

  // Both functions run while the design is elaborated, never afterwards: nothing to cover.
  // verilator coverage_off

  // Column j of the matrix is x^j mod Polynomial.
  function automatic [IndexW*LineW-1:0] matrix_of_polynomial(input [IndexW:0] polynomial);
    reg [IndexW:0] power;
    integer        i, j;
    begin
      matrix_of_polynomial = 0;
      power = 1;
      for (j = 0; j < LineW; j = j + 1) begin
        for (i = 0; i < IndexW; i = i + 1) begin
          matrix_of_polynomial[i*LineW+j] = power[i];
        end
        power = power << 1;
        if (power[IndexW]) power = power ^ polynomial;
      end
    end
  endfunction

  // Gauss-Jordan elimination of the low IndexW columns; a lower row is added to a row without a pivot.
  function automatic [IndexW*IndexW-1:0] inverse_of_low(input [IndexW*LineW-1:0] matrix);
    reg [IndexW*IndexW-1:0] low;
    integer                 row, pivot;
    begin
      inverse_of_low = 0;
      low = 0;
      for (row = 0; row < IndexW; row = row + 1) begin
        low[row*IndexW+:IndexW] = matrix[row*LineW+:IndexW];
        inverse_of_low[row*IndexW+row] = 1'b1;
      end
      for (pivot = 0; pivot < IndexW; pivot = pivot + 1) begin
        for (row = pivot + 1; row < IndexW; row = row + 1) begin
          if (!low[pivot*IndexW+pivot] && low[row*IndexW+pivot]) begin
            low[pivot*IndexW+:IndexW] = low[pivot*IndexW+:IndexW] ^ low[row*IndexW+:IndexW];
            inverse_of_low[pivot*IndexW+:IndexW] =
                inverse_of_low[pivot*IndexW+:IndexW] ^ inverse_of_low[row*IndexW+:IndexW];
          end
        end
        for (row = 0; row < IndexW; row = row + 1) begin
          if (row != pivot && low[row*IndexW+pivot]) begin
            low[row*IndexW+:IndexW] = low[row*IndexW+:IndexW] ^ low[pivot*IndexW+:IndexW];
            inverse_of_low[row*IndexW+:IndexW] =
                inverse_of_low[row*IndexW+:IndexW] ^ inverse_of_low[pivot*IndexW+:IndexW];
          end
        end
      end
    end
  endfunction

  // verilator coverage_on

  localparam [IndexW*LineW-1:0] Rows =
      (Polynomial != 0) ? matrix_of_polynomial(Polynomial) : Matrix;
  localparam [IndexW*IndexW-1:0] LowInverse = inverse_of_low(Rows);

  logic [IndexW-1:0] low_part;  // what the low line bits contribute to the index

  genvar i;
  generate
    for (i = 0; i < IndexW; i = i + 1) begin : gen_row
      assign index_o[i] = ^(line_i & Rows[i*LineW+:LineW]);
      assign low_part[i] =
          inverse_index_i[i] ^ (^(inverse_tag_i & Rows[i*LineW+IndexW+:LineW-IndexW]));
      assign inverse_line_o[i] = ^(low_part & LowInverse[i*IndexW+:IndexW]);
    end
  endgenerate

  assign inverse_line_o[LineW-1:IndexW] = inverse_tag_i;

endmodule

`default_nettype wire
