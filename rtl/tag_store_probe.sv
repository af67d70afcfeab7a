// A request on its way to tag_store's decision, with its set's row and what tag_store_look_up tells of it:
// in registers with ProbeStage, where the look-up is a stage of its own; else as it comes.
`default_nettype none

module tag_store_probe #(
  parameter integer ProbeStage = 0,
  parameter integer Width      = 8
) (
  input  wire logic             clk_i,
  input  wire logic             enters_i,  // it goes to the decision
  input  wire logic [Width-1:0] probe_i,
  output logic      [Width-1:0] decide_o
);

  generate
    if (ProbeStage == 0) begin : gen_wire
      // verilator coverage_off
      logic unused_clock;
      // verilator coverage_on
      assign unused_clock = clk_i && enters_i;
      assign decide_o     = probe_i;
    end else begin : gen_stage
      always_ff @(posedge clk_i) begin
        if (enters_i) decide_o <= probe_i;
      end
    end
  endgenerate

endmodule

`default_nettype wire
