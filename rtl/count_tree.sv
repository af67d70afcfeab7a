// The number of ones among Bits bits, as a balanced tree of adders: ceil(log2(Bits)) levels. No flop.
`default_nettype none

module count_tree #(
  parameter integer Bits  = 128,  // at least 1
  parameter integer Width = 8     // bits of the number: log2(Bits + 1) rounded up, at least
) (
  input  wire logic [Bits-1:0]  bits_i,
  output logic      [Width-1:0] count_o
);

  localparam integer Levels = $clog2(Bits);

  // Level 0 has the bits as numbers, filled up with zeros to a power of two; each further level has
  // half as many.
  genvar l, n;
  generate
    for (l = 0; l <= Levels; l = l + 1) begin : gen_level
      localparam integer Nodes = 1 << (Levels - l);
      logic [Nodes*Width-1:0] count;
      for (n = 0; n < Nodes; n = n + 1) begin : gen_node
        if (l != 0) begin : gen_sum
          assign count[n*Width+:Width] =
              gen_level[l-1].count[2*n*Width+:Width] + gen_level[l-1].count[(2*n+1)*Width+:Width];
        end else if (n < Bits) begin : gen_bit
          if (Width == 1) begin : gen_narrow
            assign count[n*Width+:Width] = bits_i[n];
          end else begin : gen_wide
            assign count[n*Width+:Width] = {{Width-1{1'b0}}, bits_i[n]};
          end
        end else begin : gen_none
          assign count[n*Width+:Width] = {Width{1'b0}};
        end
      end
    end
  endgenerate
  assign count_o = gen_level[Levels].count;

endmodule

`default_nettype wire
