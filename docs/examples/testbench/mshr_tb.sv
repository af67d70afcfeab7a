// Environment and test: mshr with driver, monitor, predictor and scoreboard.
//   +transactions=N (20000)   +verilator+seed+N: another random sequence
// Fails at the first wrong response, after 4096 cycles without a handshake, and if a bin of the
// coverage stays empty.
`default_nettype none

module mshr_tb;
  import goldmem_dpi_pkg::*;
  import mshr_tb_pkg::*;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #1 clk = !clk;

  logic           request_valid, request_ready, response_valid, response_ready;
  mshr_request_t  request;
  mshr_response_t response;

  mshr #(
    .Entries(Entries), .Merges(Merges), .LineW(LineW), .RequesterW(RequesterW)
  ) dut (
    .clk_i           (clk),
    .rst_ni          (rst_n),
    .request_valid_i (request_valid),
    .request_ready_o (request_ready),
    .op_i            (request.op[2:0]),
    .line_i          (request.line[LineW-1:0]),
    .requester_i     (request.requester[RequesterW-1:0]),
    .id_i            (request.id[$clog2(Entries)-1:0]),
    .may_allocate_i  (request.may_allocate[0]),
    .response_valid_o(response_valid),
    .response_ready_i(response_ready),
    .outcome_o       (response.outcome[1:0]),
    .reason_o        (response.reason[1:0]),
    .id_o            (response.id[$clog2(Entries)-1:0]),
    .count_o         (response.count[$clog2(Merges):0]),
    .requester_o     (response.requester[RequesterW-1:0]),
    .line_o          (response.line[LineW-1:0]),
    .install_o       (response.install[0]),
    .closed_o        (response.closed[0]),
    .error_o         (response.error[0])
  );
  assign response.outcome[63:2]            = 62'd0;
  assign response.reason[63:2]             = 62'd0;
  assign response.id[63:$clog2(Entries)]   = '0;
  assign response.count[63:$clog2(Merges)+1] = '0;
  assign response.requester[63:RequesterW] = '0;
  assign response.line[63:LineW]           = '0;
  assign response.install[63:1]            = 63'd0;
  assign response.closed[63:1]             = 63'd0;
  assign response.error[63:1]              = 63'd0;

  mshr_driver driver (
    .clk_i           (clk),
    .rst_ni          (rst_n),
    .request_valid_o (request_valid),
    .request_ready_i (request_ready),
    .request_o       (request),
    .response_ready_o(response_ready)
  );

  mshr_monitor monitor (
    .clk_i           (clk),
    .rst_ni          (rst_n),
    .request_valid_i (request_valid),
    .request_ready_i (request_ready),
    .request_i       (request),
    .response_valid_i(response_valid),
    .response_ready_i(response_ready),
    .response_i      (response)
  );

  mshr_generator  generator;
  mshr_coverage   coverage;
  mshr_scoreboard scoreboard;
  mshr_predictor  predictor;
  int unsigned    transactions;

  initial begin
    if (!$value$plusargs("transactions=%d", transactions)) transactions = 20000;
    generator          = new(transactions);
    coverage           = new();
    scoreboard         = new();
    predictor          = new(scoreboard, coverage);
    driver.generator   = generator;
    monitor.predictor  = predictor;
    monitor.scoreboard = scoreboard;
    repeat (3) @(posedge clk);
    @(negedge clk);
    rst_n = 1'b1;
  end

  always @(negedge clk) begin
    if (rst_n) begin
      if (scoreboard.failures != 0) $fatal(1, "mshr_tb: failed");
      if (monitor.quiet == 4096) $fatal(1, "mshr_tb: %0d answered, no handshake for 4096 cycles", scoreboard.compared);
      if (scoreboard.compared == transactions) begin
        coverage.report();
        if (coverage.empty() != 0) $fatal(1, "mshr_tb: %0d bins are empty", coverage.empty());
        $display("mshr_tb: end: %0d transactions", transactions);
        gm_dpi_close(predictor.model);
        $finish;
      end
    end
  end

endmodule

`default_nettype wire
