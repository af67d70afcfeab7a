// The order of the lines of a set, newest first: combinational. A line's rank is how many lines in
// use are newer. What lies in ranks of lines that are not in use does not matter.
//
//   change                          newest_i    leaves_i
//   a line is used again            it          it
//   a line comes in, none leaves    it          none
//   a line comes in for another     it          the other
//   a line leaves                   none        it
`default_nettype none

module lru_rank #(
  parameter integer Ways  = 4,
  localparam integer RankW = (Ways < 3) ? 1 : $clog2(Ways)
) (
  input  wire logic [Ways*RankW-1:0] rank_i,
  input  wire logic [Ways-1:0]       newest_i,
  input  wire logic [Ways-1:0]       leaves_i,
  output logic      [Ways*RankW-1:0] rank_o
);

  logic             comes, goes;
  logic [RankW-1:0] pivot;  // rank that becomes empty
  assign comes = |newest_i;
  assign goes  = |leaves_i;

  always_comb begin : mux
    integer i;
    pivot = {RankW{1'b0}};
    for (i = 0; i < Ways; i = i + 1) begin
      pivot = pivot | (rank_i[i*RankW+:RankW] & {RankW{leaves_i[i]}});
    end
  end

  genvar g;
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_rank
      logic [RankW-1:0] rank;
      logic             up, down;
      assign rank = rank_i[g*RankW+:RankW];
      assign up   = comes && (!goes || rank < pivot);
      assign down = !comes && goes && rank > pivot;
      assign rank_o[g*RankW+:RankW] =
          newest_i[g] ? {RankW{1'b0}} : (up ? rank + 1'b1 : (down ? rank - 1'b1 : rank));
    end
  endgenerate

endmodule

`default_nettype wire
