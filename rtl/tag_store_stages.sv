// The handshakes of tag_store's pipeline: those of rtl/three_stages.sv, and with ProbeStage one stage
// more between the request and the decision, which holds a set's row and waits while hold_i.
`default_nettype none

module tag_store_stages #(
  parameter integer ProbeStage = 0
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic request_valid_i,
  output logic      request_ready_o,
  input  wire logic hold_i,          // what the probe stage holds does not move on
  output logic      reads_o,         // a request leaves stage 1, and its row is read
  output logic      enters_o,        // a request goes to the decision; without ProbeStage: the same
  output logic      decide_valid_o,  // the decision holds one,
  output logic      decide_moves_o,  // which takes effect now; true too when it holds none
  output logic      response_valid_o,
  input  wire logic response_ready_i
);

  logic request_valid_q, request_moves, response_moves;
  assign response_moves  = response_ready_i || !response_valid_o;
  assign decide_moves_o  = response_moves || !decide_valid_o;
  assign request_ready_o = request_moves || !request_valid_q;
  assign reads_o         = request_valid_q && request_moves;

  generate
    if (ProbeStage == 0) begin : gen_three
      // verilator coverage_off
      logic unused_hold;
      // verilator coverage_on
      assign unused_hold   = hold_i;
      assign request_moves = decide_moves_o;
      assign enters_o      = reads_o;
    end else begin : gen_four
      logic probe_valid_q;
      assign enters_o      = probe_valid_q && decide_moves_o && !hold_i;
      assign request_moves = enters_o || !probe_valid_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) probe_valid_q <= 1'b0;
        else if (request_moves) probe_valid_q <= request_valid_q;
      end
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_valid_q  <= 1'b0;
      decide_valid_o   <= 1'b0;
      response_valid_o <= 1'b0;
    end else begin
      if (request_ready_o) request_valid_q <= request_valid_i;
      if (decide_moves_o) decide_valid_o <= enters_o;
      if (response_moves) response_valid_o <= decide_valid_o;
    end
  end

endmodule

`default_nettype wire
