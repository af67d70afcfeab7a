// Drives items into the request port, and back-pressure into the response port. While valid is 0
// the payload is random, and an offered request is stable until it is accepted.
`default_nettype none

module mshr_driver
  import goldmem_dpi_pkg::*, mshr_tb_pkg::*;
(
  input  wire logic     clk_i,
  input  wire logic     rst_ni,
  output logic          request_valid_o,
  input  wire logic     request_ready_i,
  output mshr_request_t request_o,
  output logic          response_ready_o
);

  mshr_generator generator;  // set by the test
  mshr_item      item;
  mshr_request_t offered;    // the item's request
  logic          has_item;
  int unsigned   idle, stall;

  function automatic mshr_request_t noise();
    noise.op           = {61'd0, 3'($urandom)};
    noise.line         = {22'd0, 10'($urandom), $urandom};
    noise.requester    = {48'd0, 16'($urandom)};
    noise.id           = {61'd0, 3'($urandom)};
    noise.may_allocate = {63'd0, 1'($urandom)};
  endfunction

  // Signals change between clock edges, so that the RTL and the monitor sample the same values.
  logic accepted;
  always @(posedge clk_i) accepted <= request_valid_o && request_ready_i;

  always @(negedge clk_i) begin
    if (!rst_ni) begin
      request_valid_o  = 1'b0;
      response_ready_o = 1'b0;
      has_item         = 1'b0;
    end else begin
      if (request_valid_o && accepted) has_item = 1'b0;
      if (!has_item && generator.left != 0) begin
        item     = generator.next();
        offered  = {item.op, item.line, item.requester, item.id, item.may_allocate};
        idle     = item.idle;
        has_item = 1'b1;
      end else if (idle != 0) begin
        idle = idle - 1;
      end
      request_valid_o = has_item && idle == 0;
      request_o       = request_valid_o ? offered : noise();
      if (stall != 0) stall = stall - 1;
      else if ($urandom_range(7) == 0) stall = $urandom_range(($urandom_range(99) == 0) ? 500 : 3);
      response_ready_o = stall == 0;
    end
  end

endmodule

`default_nettype wire
