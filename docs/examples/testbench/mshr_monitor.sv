// Watches both ports and passes what the RTL accepted and answered to predictor and scoreboard.
`default_nettype none

module mshr_monitor
  import goldmem_dpi_pkg::*, mshr_tb_pkg::*;
(
  input wire logic           clk_i,
  input wire logic           rst_ni,
  input wire logic           request_valid_i,
  input wire logic           request_ready_i,
  input wire mshr_request_t  request_i,
  input wire logic           response_valid_i,
  input wire logic           response_ready_i,
  input wire mshr_response_t response_i
);

  mshr_predictor  predictor;  // set by the test, as is the scoreboard
  mshr_scoreboard scoreboard;
  int unsigned    quiet;      // cycles without a handshake

  always @(posedge clk_i) begin
    if (rst_ni) begin
      quiet = quiet + 1;
      if (response_valid_i && response_ready_i) begin
        scoreboard.write_actual(response_i);
        quiet = 0;
      end
      if (request_valid_i && request_ready_i) begin
        predictor.write(request_i);
        quiet = 0;
      end
    end
  end

endmodule

`default_nettype wire
