// Finds the largest of N numbers: combinational. From the highest bit down, each bit keeps those of
// the remaining eligible numbers that have a one there, unless none has. To find the smallest number,
// invert the numbers.
`default_nettype none

module largest #(
  parameter integer N     = 8,
  parameter integer Width = 6
) (
  input  wire logic [N*Width-1:0] value_i,
  input  wire logic [N-1:0]       eligible_i,
  output logic      [N-1:0]       all_o,    // every eligible number with the largest value
  output logic      [N-1:0]       lowest_o  // the lowest place of all_o, one-hot
);

  localparam [N-1:0] One = 1;

  logic [N-1:0] plane;  // one bit of each number
  always_comb begin : narrow
    integer bit_number, i;
    all_o = eligible_i;
    plane = {N{1'b0}};
    for (bit_number = Width - 1; bit_number >= 0; bit_number = bit_number - 1) begin
      for (i = 0; i < N; i = i + 1) plane[i] = value_i[i*Width+bit_number];
      if (|(all_o & plane)) all_o = all_o & plane;
    end
  end
  assign lowest_o = all_o & (~all_o + One);

endmodule

`default_nettype wire
