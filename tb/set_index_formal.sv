// Formal harness of set_index: any requests, any waits, the block's checkers, and a reference that
// uses only the C model's H-matrix. A request is recorded when it is accepted; its response is
// compared when it is offered.
`default_nettype none

module set_index_formal #(
  parameter integer            LineW      = 20,
  parameter integer            IndexW     = 5,
  parameter [IndexW:0]         Polynomial = 37,
  parameter [IndexW*LineW-1:0] Matrix     = 0,
  parameter [IndexW*LineW-1:0] Rows       = 0   // of the C model
) (
  input wire logic                    clk_i,
  input wire logic                    rst_ni,
  input wire logic                    request_valid_i,
  input wire logic                    op_i,
  input wire logic [LineW-1:0]        line_i,
  input wire logic [LineW-IndexW-1:0] tag_i,
  input wire logic [IndexW-1:0]       index_i,
  input wire logic                    response_ready_i
);

  logic                    request_ready, response_valid;
  logic [LineW-1:0]        line;
  logic [LineW-IndexW-1:0] tag;
  logic [IndexW-1:0]       index;

  set_index #(
    .LineW(LineW), .IndexW(IndexW), .Polynomial(Polynomial), .Matrix(Matrix)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .request_valid_i(request_valid_i), .request_ready_o(request_ready), .op_i(op_i),
    .line_i(line_i), .tag_i(tag_i), .index_i(index_i),
    .response_valid_o(response_valid), .response_ready_i(response_ready_i),
    .line_o(line), .tag_o(tag), .index_o(index)
  );

  set_index_sva #(
    .LineW(LineW), .IndexW(IndexW), .Polynomial(Polynomial), .Matrix(Matrix)
  ) sva (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .request_valid_i(request_valid_i), .request_ready_i(request_ready), .op_i(op_i),
    .line_i(line_i), .tag_i(tag_i), .index_i(index_i),
    .response_valid_i(response_valid), .response_ready_i(response_ready_i),
    .line_response_i(line), .tag_response_i(tag), .index_response_i(index)
  );

  // The environment: reset in the first cycle only; an offered request is stable until accepted.
  reg                  started;
  reg                  waiting_q;
  reg [2*LineW:0]      request_q;
  initial started = 1'b0;
  always @(posedge clk_i) begin
    started   <= 1'b1;
    waiting_q <= started && request_valid_i && !request_ready;
    request_q <= {op_i, line_i, tag_i, index_i};
    assume (rst_ni == started);
    if (started && waiting_q) begin
      assume (request_valid_i && {op_i, line_i, tag_i, index_i} == request_q);
    end
  end

  // The requests in flight, oldest first.
  reg [2*LineW:0] oldest_q, second_q;
  reg [1:0]       inside_q;
  wire            accepted = request_valid_i && request_ready;
  wire            answered = response_valid && response_ready_i;
  wire [1:0]      stay     = inside_q - {1'b0, answered};
  always @(posedge clk_i) begin
    if (!rst_ni) inside_q <= 2'd0;
    else inside_q <= stay + {1'b0, accepted};
    if (answered) oldest_q <= second_q;
    if (accepted && stay == 2'd0) oldest_q <= {op_i, line_i, tag_i, index_i};
    if (accepted && stay == 2'd1) second_q <= {op_i, line_i, tag_i, index_i};
  end

  // The oldest request, and its index by the matrix.
  wire                    old_op    = oldest_q[2*LineW];
  wire [LineW-1:0]        old_line  = oldest_q[LineW+:LineW];
  wire [LineW-IndexW-1:0] old_tag   = oldest_q[IndexW+:LineW-IndexW];
  wire [IndexW-1:0]       old_index = oldest_q[IndexW-1:0];
  wire [IndexW-1:0]       matrix_index;  // of the response's line
  set_index_reference #(
    .LineW(LineW), .IndexW(IndexW), .Rows(Rows)
  ) reference (
    .line_i(line), .index_o(matrix_index)
  );

  always @(posedge clk_i) begin
    if (rst_ni && started && response_valid) begin
      p_inside: assert (inside_q != 2'd0);
      p_index: assert (index == matrix_index);
      p_tag: assert (tag == line[LineW-1:IndexW]);
      p_given: assert (old_op ? (tag == old_tag && index == old_index) : (line == old_line));
    end
  end

endmodule

`default_nettype wire
