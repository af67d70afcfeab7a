// Example of a user's testbench: compares set_index's RTL with the golden model, called through DPI-C.
//   +transactions=N   +wrong: opens the model of another polynomial, so that the test must fail
`default_nettype none

module set_index_dpi_tb;
  import goldmem_dpi_pkg::*;

  localparam integer LineW  = 42;
  localparam integer IndexW = 5;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #1 clk = !clk;

  logic                    request_valid, response_ready;
  set_index_request_t      request;
  logic                    request_ready, response_valid;
  logic [LineW-1:0]        line;
  logic [LineW-IndexW-1:0] tag;
  logic [IndexW-1:0]       index;

  set_index #(
    .LineW(LineW), .IndexW(IndexW), .Polynomial(6'd37)
  ) dut (
    .clk_i           (clk),
    .rst_ni          (rst_n),
    .request_valid_i (request_valid),
    .request_ready_o (request_ready),
    .op_i            (request.op[0]),
    .line_i          (request.line[LineW-1:0]),
    .tag_i           (request.tag[LineW-IndexW-1:0]),
    .index_i         (request.index[IndexW-1:0]),
    .response_valid_o(response_valid),
    .response_ready_i(response_ready),
    .line_o          (line),
    .tag_o           (tag),
    .index_o         (index)
  );

  chandle              model;
  set_index_response_t expected[$];
  integer              transactions, sent, answered, cycles;

  function automatic set_index_request_t random_request();
    random_request.op    = {63'd0, 1'($urandom)};
    random_request.line  = {22'd0, 10'($urandom), $urandom};
    random_request.tag   = {27'd0, 5'($urandom), $urandom};
    random_request.index = {59'd0, 5'($urandom)};
  endfunction

  initial begin
    set_index_response_t response;
    if (!$value$plusargs("transactions=%d", transactions)) transactions = 100000;
    model = gm_dpi_open("set_index", "sets=31");
    if (model != null) $fatal(1, "31 sets were accepted");
    $display("refused: %s", gm_dpi_error());
    model = gm_dpi_open("set_index", $test$plusargs("wrong") ? "sets=32 index=ipoly:41"
                                                             : "sets=32 index=ipoly:37");
    if (model == null) $fatal(1, "%s", gm_dpi_error());
    request = '0;
    request.index = 64'd32;
    if (gm_dpi_set_index(model, request, response) == 0) $fatal(1, "index 32 was accepted");
    $display("refused: %s", gm_dpi_error());
    sent = 0;
    answered = 0;
    cycles = 0;
    request_valid = 1'b0;
    response_ready = 1'b0;
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
  end

  // Handshakes complete at the rising edge; their signals are sampled just before it.
  always @(posedge clk) begin
    cycles = cycles + 1;
    if (rst_n && response_valid && response_ready) begin
      set_index_response_t want;
      if (expected.size() == 0) $fatal(1, "transaction %0d: extra response", answered);
      want = expected.pop_front();
      if (64'(line) != want.line || 64'(tag) != want.tag ||
          64'(index) != want.index) begin
        $fatal(1, "transaction %0d: RTL line=0x%0h tag=0x%0h index=0x%0h, model 0x%0h 0x%0h 0x%0h",
               answered, line, tag, index, want.line, want.tag, want.index);
      end
      answered = answered + 1;
      if (answered == transactions) begin
        $display("set_index_dpi_tb: end: %0d transactions, %0d cycles", answered, cycles);
        gm_dpi_close(model);
        $finish;
      end
    end
    if (rst_n && request_valid && request_ready) begin
      set_index_response_t response;
      if (gm_dpi_set_index(model, request, response) != 0) $fatal(1, "%s", gm_dpi_error());
      expected.push_back(response);
      sent = sent + 1;
    end
  end

  // New inputs at the falling edge; one cycle in four is idle, one in four has back-pressure.
  always @(negedge clk) begin
    if (rst_n) begin
      response_ready = 2'($urandom) != 2'd0;
      if (!request_valid || was_taken) begin
        request_valid = sent < transactions && 2'($urandom) != 2'd0;
        if (request_valid) request = random_request();
      end
    end
  end

  logic was_taken;
  always @(posedge clk) was_taken <= request_valid && request_ready;

endmodule

`default_nettype wire
