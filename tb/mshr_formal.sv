// Formal harness of mshr: any requests, any waits, and the block's checkers. With GOLDMEM_INVARIANT,
// for proofs by induction, the checkers also read the block's registers.
`default_nettype none

module mshr_formal #(
  parameter integer Entries    = 2,
  parameter integer Merges     = 2,
  parameter integer LineW      = 1,
  parameter integer RequesterW = 1,
  localparam integer IdW        = (Entries < 3) ? 1 : $clog2(Entries),
  localparam integer MergeW     = (Merges < 3) ? 1 : $clog2(Merges)
) (
  input wire logic                  clk_i,
  input wire logic                  rst_ni,
  input wire logic                  request_valid_i,
  input wire logic [2:0]            op_i,
  input wire logic [LineW-1:0]      line_i,
  input wire logic [RequesterW-1:0] requester_i,
  input wire logic [IdW-1:0]        id_i,
  input wire logic                  may_allocate_i,
  input wire logic                  response_ready_i
);

  logic                  request_ready, response_valid, install, closed, error;
  logic [1:0]            outcome, reason;
  logic [IdW-1:0]        id;
  logic [MergeW:0]       count;
  logic [RequesterW-1:0] requester;
  logic [LineW-1:0]      line;

  mshr #(
    .Entries(Entries), .Merges(Merges), .LineW(LineW),
    .RequesterW(RequesterW)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .request_valid_i(request_valid_i), .request_ready_o(request_ready), .op_i(op_i),
    .line_i(line_i), .requester_i(requester_i), .id_i(id_i), .may_allocate_i(may_allocate_i),
    .response_valid_o(response_valid), .response_ready_i(response_ready_i), .outcome_o(outcome),
    .reason_o(reason), .id_o(id), .count_o(count), .requester_o(requester), .line_o(line),
    .install_o(install), .closed_o(closed), .error_o(error)
  );

`ifdef GOLDMEM_INVARIANT
  // The block's registers: the script that runs the proof connects them.
  (* keep *) logic                                    dut_stage_valid;
  (* keep *) logic [2:0]                              dut_op;
  (* keep *) logic [LineW-1:0]                        dut_line;
  (* keep *) logic [RequesterW-1:0]                   dut_requester;
  (* keep *) logic [IdW-1:0]                          dut_id;
  (* keep *) logic                                    dut_may_allocate;
  (* keep *) logic [Entries-1:0]                      dut_valid, dut_open;
  (* keep *) logic [Entries*LineW-1:0]                dut_lines;
  (* keep *) logic [Entries*MergeW-1:0]               dut_oldest, dut_newest;
  (* keep *) logic [(Entries<<MergeW)*RequesterW-1:0] dut_requesters;
`endif

  mshr_sva #(
    .Entries(Entries), .Merges(Merges), .LineW(LineW),
    .RequesterW(RequesterW)
  ) sva (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .request_valid_i(request_valid_i), .request_ready_i(request_ready), .op_i(op_i),
    .line_i(line_i), .requester_i(requester_i), .id_i(id_i), .may_allocate_i(may_allocate_i),
    .response_valid_i(response_valid), .response_ready_i(response_ready_i),
    .outcome_response_i(outcome), .reason_response_i(reason), .id_response_i(id),
    .count_response_i(count), .requester_response_i(requester), .line_response_i(line),
    .install_response_i(install), .closed_response_i(closed), .error_response_i(error)
`ifdef GOLDMEM_INVARIANT
    , .stage_valid_i(dut_stage_valid), .stage_i({dut_op, dut_line, dut_requester, dut_id, dut_may_allocate}),
    .valid_i(dut_valid), .open_i(dut_open), .lines_i(dut_lines), .oldest_i(dut_oldest), .newest_i(dut_newest),
    .requesters_i(dut_requesters)
`endif
  );

  // The environment: reset in the first cycle only; an offered request is stable until accepted.
  logic                              started, waiting_q;
  logic [LineW+RequesterW+IdW+3:0]   request, request_q;
  assign request = {op_i, line_i, requester_i, id_i, may_allocate_i};
  initial started = 1'b0;
  always @(posedge clk_i) begin
    started   <= 1'b1;
    waiting_q <= started && request_valid_i && !request_ready;
    request_q <= request;
    assume (rst_ni == started);
    if (started && waiting_q) assume (request_valid_i && request == request_q);
  end

endmodule

`default_nettype wire
