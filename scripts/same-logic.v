// Registers with an asynchronous reset, for the comparison of two netlists (scripts/same-logic.py): the reset's
// value becomes the next value. Yosys's async2sync would put the register behind a wire without a name.
(* techmap_celltype = "$adff" *)
module adff #(
  parameter WIDTH = 1, CLK_POLARITY = 1, ARST_POLARITY = 1, ARST_VALUE = 0
) (
  input CLK, ARST,
  input [WIDTH-1:0] D,
  output [WIDTH-1:0] Q
);
  \$dff #(
    .WIDTH       (WIDTH),
    .CLK_POLARITY(CLK_POLARITY)
  ) _TECHMAP_REPLACE_ (
    .CLK(CLK),
    .D  (ARST == ARST_POLARITY ? ARST_VALUE : D),
    .Q  (Q)
  );
endmodule

(* techmap_celltype = "$adffe" *)
module adffe #(
  parameter WIDTH = 1, CLK_POLARITY = 1, EN_POLARITY = 1, ARST_POLARITY = 1, ARST_VALUE = 0
) (
  input CLK, ARST, EN,
  input [WIDTH-1:0] D,
  output [WIDTH-1:0] Q
);
  \$dff #(
    .WIDTH       (WIDTH),
    .CLK_POLARITY(CLK_POLARITY)
  ) _TECHMAP_REPLACE_ (
    .CLK(CLK),
    .D  (ARST == ARST_POLARITY ? ARST_VALUE : (EN == EN_POLARITY ? D : Q)),
    .Q  (Q)
  );
endmodule
