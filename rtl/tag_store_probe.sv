// Probe stage of tag_store: a request with its set's row and the results of tag_store_look_up, between
// look-up and decision. With ProbeStage they are registered; without it they are passed through.
`default_nettype none

module tag_store_probe #(
  parameter integer ProbeStage = 0,
  parameter integer Width      = 8
) (
  input  wire logic             clk_i,
  input  wire logic             enters_i,  // the request moves to the decision
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
