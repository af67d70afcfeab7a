// A testbench of one's own around set_index: the golden model comes through DPI-C, so it works in any
// simulator. +transactions=N; +wrong makes it ask for another function, which must fail.
module set_index_dpi_tb;
  import goldmem_dpi_pkg::*;

  localparam integer LineW = 42, IndexW = 5;

  logic                    clk = 1'b0, rst_n = 1'b0;
  logic                    request_valid = 1'b0, request_ready;
  logic                    op = 1'b0;
  logic [LineW-1:0]        line_in = '0, line_out;
  logic [LineW-IndexW-1:0] tag_in = '0, tag_out;
  logic [IndexW-1:0]       index_in = '0, index_out;
  logic                    response_valid;

  set_index #(.LineW(LineW), .IndexW(IndexW), .Polynomial(6'd37)) dut (
    .clk_i(clk), .rst_ni(rst_n),
    .request_valid_i(request_valid), .request_ready_o(request_ready), .op_i(op),
    .line_i(line_in), .tag_i(tag_in), .index_i(index_in),
    .response_valid_o(response_valid), .response_ready_i(1'b1),
    .line_o(line_out), .tag_o(tag_out), .index_o(index_out)
  );

  always #1 clk = !clk;

  chandle              model;
  set_index_response_t expected[$];
  integer              transactions = 20000, checked = 0;
  logic [63:0]         random;

  initial begin
    void'($value$plusargs("transactions=%d", transactions));
    model = goldmem_set_index_new($test$plusargs("wrong") ? "sets=32 index=ipoly:41 address_bits=49"
                                                          : "sets=32 index=ipoly:37 address_bits=49");
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (checked < transactions) begin
      @(negedge clk);
      if (request_valid && !request_ready) $fatal(1, "set_index_dpi_tb: not ready");
      request_valid = ($urandom & 3) != 0;
      random        = {$urandom, $urandom};
      op            = random[63];
      line_in       = random[LineW-1:0];
      tag_in        = random[LineW-1:IndexW];
      index_in      = random[62-:IndexW];
    end
    $display("set_index_dpi_tb: end: %0d transactions", checked);
    goldmem_set_index_free(model);
    $finish;
  end

  // A request is taken at a rising edge, a response too.
  always @(posedge clk) begin
    set_index_request_t  request;
    set_index_response_t want;
    if (rst_n && response_valid) begin
      want = expected.pop_front();
      if (line_out != want.line[LineW-1:0] || tag_out != want.tag[LineW-IndexW-1:0] ||
          index_out != want.index[IndexW-1:0]) begin
        $display("set_index_dpi_tb: mismatch at %0d: line %h tag %h index %h, expected %h %h %h",
                 checked, line_out, tag_out, index_out, want.line, want.tag, want.index);
        $fatal(1, "mismatch");
      end
      checked <= checked + 1;
    end
    if (rst_n && request_valid && request_ready) begin
      request.op    = {63'd0, op};
      request.line  = {{64 - LineW{1'b0}}, line_in};
      request.tag   = {{64 - LineW + IndexW{1'b0}}, tag_in};
      request.index = {{64 - IndexW{1'b0}}, index_in};
      expected.push_back(set_index_access(model, request));
    end
  end
endmodule
