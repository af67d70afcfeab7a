// Crosses of functional coverage: each kind of answer (operation and outcome) with each hazard between the request and the
// one before it, answered at once and after waiting for response_ready. A block's checkers instantiate it with
// GOLDMEM_CROSS; tests/coverage/NAME.plan names the kinds and hazards, from bit 0 on.
`default_nettype none

module cross_cover #(
  parameter integer Kinds   = 1,
  parameter integer Hazards = 1
) (
  input wire logic               clk_i,
  input wire logic               rst_ni,
  input wire logic               response_valid_i,
  input wire logic               response_ready_i,
  input wire logic [Kinds-1:0]   kind_i,   // of the response; one bit
  input wire logic [Hazards-1:0] hazard_i  // of its request; one bit
);

  logic answered, active_q, held_q;  // active_q: not in the first cycle after reset
  assign answered = response_valid_i && response_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      held_q   <= 1'b0;
    end else begin
      active_q <= 1'b1;
      held_q   <= response_valid_i && !response_ready_i;
    end
  end

  genvar k, h;
  generate
    for (k = 0; k < Kinds; k = k + 1) begin : gen_kind
      for (h = 0; h < Hazards; h = h + 1) begin : gen_hazard
        always @(posedge clk_i) begin
          if (active_q) begin
            c_at_once: cover (answered && kind_i[k] && hazard_i[h] && !held_q);
            c_held: cover (answered && kind_i[k] && hazard_i[h] && held_q);
          end
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
