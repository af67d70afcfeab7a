// LRU order of the lines of a set: combinational. A line's rank is the number of lines in use that
// are newer. Ranks of lines that are not in use are don't-cares.
//
//   change                          newest_i       leaves_i
//   a line is used again            this line      this line
//   a line enters a free way        this line      none
//   a line replaces another         the new line   the replaced line
//   a line leaves                   none           this line
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
  logic [RankW-1:0] pivot;  // the rank that becomes empty
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
