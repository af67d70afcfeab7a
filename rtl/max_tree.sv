// The largest of Values numbers, as a balanced tree of comparators: ceil(log2(Values)) levels. No
// flop. The smallest of numbers is the complement of the largest of their complements.
`default_nettype none

module max_tree #(
  parameter integer Values = 48,  // numbers, at least 1
  parameter integer Width  = 32   // bits of a number
) (
  input  wire logic [Values*Width-1:0] values_i,
  output logic      [Width-1:0]        largest_o
);

  localparam integer Levels = $clog2(Values);

  // Level 0 has the numbers, filled up with zeros to a power of two; each further level has half as
  // many.
  genvar l, n;
  generate
    for (l = 0; l <= Levels; l = l + 1) begin : gen_level
      localparam integer Nodes = 1 << (Levels - l);
      logic [Nodes*Width-1:0] largest;
      if (l == 0) begin : gen_leaves
        if (Nodes == Values) begin : gen_exact
          assign largest = values_i;
        end else begin : gen_filled
          assign largest = {{(Nodes-Values)*Width{1'b0}}, values_i};
        end
      end else begin : gen_nodes
        for (n = 0; n < Nodes; n = n + 1) begin : gen_node
          logic [Width-1:0] even, odd;
          assign even = gen_level[l-1].largest[2*n*Width+:Width];
          assign odd  = gen_level[l-1].largest[(2*n+1)*Width+:Width];
          assign largest[n*Width+:Width] = even < odd ? odd : even;
        end
      end
    end
  endgenerate
  assign largest_o = gen_level[Levels].largest;

endmodule

`default_nettype wire
