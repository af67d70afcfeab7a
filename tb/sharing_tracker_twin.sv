// Twin of sharing_tracker: proves by induction that a mutant's netlist, `gate`, is equivalent to
// rtl/sharing_tracker.sv, `dut`. Both get any requests and waits; every register that matters is equal
// in both in every reachable state. Don't-cares: fields of a request that its operation does not take,
// and the fields of a row for entries that are not valid. dut_X and gate_X are the register X of each
// (scripts/formal-block.sh).
//
//   t_answer   equal answers
//   t_request  equal requests in stages 1 and 2
//   t_rows     equal rows, in the memories and in stage 2; the row in stage 2 is that of its set
//   t_entries  the invariant of a row's valid entries: their ranks are an order, their tags differ,
//              each has a sharer or a mark, its pointers name different compute units
`default_nettype none

module sharing_tracker_twin #(
  parameter integer            LineW      = 4,
  parameter integer            IndexW     = 1,
  parameter [IndexW:0]         Polynomial = 3,
  parameter [IndexW*LineW-1:0] Matrix     = 0,
  parameter integer            Ways       = 2,
  parameter integer            Cus        = 3,
  parameter integer            Pointers   = 0,
  parameter integer            NoneAbove  = 0,  // 1: the netlist may name the highest CU by a number above
  localparam integer           WayW       = (Ways < 3) ? 1 : $clog2(Ways),
  localparam integer           CuW        = (Cus < 3) ? 1 : $clog2(Cus),
  localparam integer           Slots      = (Pointers == 0) ? 1 : Pointers,
  localparam integer           CountW     = $clog2(Slots + 1)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,
  input wire logic             request_valid_i,
  input wire logic [2:0]       op_i,
  input wire logic [LineW-1:0] line_i,
  input wire logic [CuW-1:0]   cu_i,
  input wire logic             will_fill_i,
  input wire logic             response_ready_i,
  input wire logic [31:0]      mutant_i  // mutant of the netlist, constant from the first cycle
);

`include "sharing_tracker_constants.svh"
  localparam HasPointers = Pointers != 0;
  localparam integer LastCu = Cus - 1;
  localparam [CuW:0] Units = Cus[CuW:0];
  localparam integer RequestW = 3 + LineW + CuW + 1;
  localparam integer AnswerW = IndexW + 8 + 2 * CuW + LineW;
`include "sharing_tracker_row.svh"

  logic               dut_ready, dut_response, gate_ready, gate_response;
  logic [AnswerW-1:0] dut_answer, gate_answer;
  sharing_tracker #(
    .LineW(LineW), .IndexW(IndexW), .Polynomial(Polynomial), .Matrix(Matrix), .Ways(Ways),
    .Cus(Cus), .Pointers(Pointers)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .request_valid_i(request_valid_i), .request_ready_o(dut_ready),
    .op_i(op_i), .line_i(line_i), .cu_i(cu_i), .will_fill_i(will_fill_i),
    .response_valid_o(dut_response), .response_ready_i(response_ready_i),
    .index_o(dut_answer[AnswerW-1-:IndexW]), .found_o(dut_answer[0]), .hit_o(dut_answer[1]),
    .filled_o(dut_answer[2]), .displaced_o(dut_answer[3]), .removed_o(dut_answer[4]),
    .last_sharer_o(dut_answer[5]), .freed_o(dut_answer[6]), .dropped_o(dut_answer[7]),
    .supplier_o(dut_answer[8+:CuW]), .displaced_cu_o(dut_answer[8+CuW+:CuW]),
    .dropped_line_o(dut_answer[8+2*CuW+:LineW])
  );
  sharing_tracker_mutant gate (
    .clk_i(clk_i), .rst_ni(rst_ni), .mutant_i(mutant_i),
    .request_valid_i(request_valid_i), .request_ready_o(gate_ready),
    .op_i(op_i), .line_i(line_i), .cu_i(cu_i), .will_fill_i(will_fill_i),
    .response_valid_o(gate_response), .response_ready_i(response_ready_i),
    .index_o(gate_answer[AnswerW-1-:IndexW]), .found_o(gate_answer[0]), .hit_o(gate_answer[1]),
    .filled_o(gate_answer[2]), .displaced_o(gate_answer[3]), .removed_o(gate_answer[4]),
    .last_sharer_o(gate_answer[5]), .freed_o(gate_answer[6]), .dropped_o(gate_answer[7]),
    .supplier_o(gate_answer[8+:CuW]), .displaced_cu_o(gate_answer[8+CuW+:CuW]),
    .dropped_line_o(gate_answer[8+2*CuW+:LineW])
  );

  // The requests of stages 1 and 2, in RTL and netlist.
  (* keep *) logic                      dut_u_stages__request_valid_q, gate_u_stages__request_valid_q;
  (* keep *) logic                      dut_decide_valid_q, gate_decide_valid_q;
  (* keep *) logic [2:0]                dut_request_op_q, dut_op_q, gate_request_op_q, gate_op_q;
  (* keep *) logic [LineW-1:0]          dut_request_line_q, gate_request_line_q;
  (* keep *) logic [TagW-1:0]           dut_tag_q, gate_tag_q;
  (* keep *) logic [IndexW-1:0]         dut_index_q, gate_index_q;
  (* keep *) logic [CuW-1:0]            dut_request_cu_q, dut_cu_q, gate_request_cu_q, gate_cu_q;
  (* keep *) logic                      dut_request_will_fill_q, dut_will_fill_q;
  (* keep *) logic                      gate_request_will_fill_q, gate_will_fill_q;
  // The row in stage 2; and the memories, as concatenated rows.
  (* keep *) logic [Ways-1:0]           dut_valid, gate_valid;
  (* keep *) logic [Ways*TagW-1:0]      dut_tag, gate_tag;
  (* keep *) logic [Ways*Cus-1:0]       dut_mark, dut_sharer, gate_mark, gate_sharer;
  (* keep *) logic [Ways*PointersW-1:0] dut_pointer, gate_pointer;
  (* keep *) logic [Ways*CountW-1:0]    dut_count, gate_count;
  (* keep *) logic [Ways*CuW-1:0]       dut_last, gate_last;
  (* keep *) logic [Ways*WayW-1:0]      dut_rank, gate_rank;
  (* keep *) logic [Sets-1:0]           dut_u_valid__row_live, gate_u_valid__row_live;
  (* keep *) logic [Sets*Ways-1:0]      dut_u_valid__mem, gate_u_valid__mem;
  (* keep *) logic [Sets*Ways*TagW-1:0] dut_u_tag__mem, gate_u_tag__mem;
  (* keep *) logic [Sets*Ways*Cus-1:0]  dut_u_mark__mem, gate_u_mark__mem;
  (* keep *) logic [Sets*Ways*Cus-1:0]  dut_u_sharer__mem, gate_u_sharer__mem;
  (* keep *) logic [Sets*Ways*PointersW-1:0] dut_u_pointer__mem, gate_u_pointer__mem;
  (* keep *) logic [Sets*Ways*CountW-1:0] dut_u_count__mem, gate_u_count__mem;
  (* keep *) logic [Sets*Ways*CuW-1:0]  dut_u_last__mem, gate_u_last__mem;
  (* keep *) logic [Sets*Ways*WayW-1:0] dut_u_rank__mem, gate_u_rank__mem;

  // The request with unused fields set to 0; WRITE and COHERENT are made one, as are all FLUSH codes.
  function automatic [RequestW-1:0] taken(
      input [2:0] op, input [LineW-1:0] line, input [CuW-1:0] cu, input will_fill);
    taken = {op > COHERENT && op != ASK ? FLUSH : (op == COHERENT ? WRITE : op),
             line & {LineW{op <= COHERENT || op == ASK}},
             cu & {CuW{op <= EVICT}}, will_fill && op == LOOKUP};
  endfunction

  logic [RowW-1:0] dut_row [0:Sets], gate_row [0:Sets];  // row Sets: in stage 2
  logic [Sets:0]   rows_same, rows_hold;
  genvar g;
  generate
    for (g = 0; g < Sets; g = g + 1) begin : gen_row
      assign dut_row[g]  = {dut_u_valid__mem[g*Ways+:Ways] & {Ways{dut_u_valid__row_live[g]}},
                            dut_u_rank__mem[g*Ways*WayW+:Ways*WayW],
                            dut_u_last__mem[g*Ways*CuW+:Ways*CuW],
                            dut_u_count__mem[g*Ways*CountW+:Ways*CountW],
                            dut_u_pointer__mem[g*Ways*PointersW+:Ways*PointersW],
                            dut_u_sharer__mem[g*Ways*Cus+:Ways*Cus],
                            dut_u_mark__mem[g*Ways*Cus+:Ways*Cus], dut_u_tag__mem[g*Ways*TagW+:Ways*TagW]};
      assign gate_row[g] = {gate_u_valid__mem[g*Ways+:Ways] & {Ways{gate_u_valid__row_live[g]}},
                            gate_u_rank__mem[g*Ways*WayW+:Ways*WayW],
                            gate_u_last__mem[g*Ways*CuW+:Ways*CuW],
                            gate_u_count__mem[g*Ways*CountW+:Ways*CountW],
                            gate_u_pointer__mem[g*Ways*PointersW+:Ways*PointersW],
                            gate_u_sharer__mem[g*Ways*Cus+:Ways*Cus],
                            gate_u_mark__mem[g*Ways*Cus+:Ways*Cus], gate_u_tag__mem[g*Ways*TagW+:Ways*TagW]};
      assign rows_same[g] = same_row(dut_row[g], gate_row[g]);
      assign rows_hold[g] = entries_hold(dut_row[g]);
    end
  endgenerate
  logic has_row;
  assign has_row         = dut_decide_valid_q && (dut_op_q <= COHERENT || dut_op_q == ASK);
  assign dut_row[Sets]   = {dut_valid, dut_rank, dut_last, dut_count, dut_pointer, dut_sharer, dut_mark, dut_tag};
  assign gate_row[Sets]  = {gate_valid, gate_rank, gate_last, gate_count, gate_pointer, gate_sharer, gate_mark, gate_tag};
  assign rows_same[Sets] = !has_row || (same_row(dut_row[Sets], gate_row[Sets]) &&
                                        same_row(dut_row[Sets], dut_row[dut_index_q]));
  assign rows_hold[Sets] = !has_row || entries_hold(dut_row[Sets]);

  logic started, waiting_q;
  logic [RequestW-1:0] request, request_q;
  logic [31:0]         mutant_q;
  assign request = {op_i, line_i, cu_i, will_fill_i};
  initial started = 1'b0;
  always @(posedge clk_i) begin
    started   <= 1'b1;
    waiting_q <= started && request_valid_i && !dut_ready;
    request_q <= request;
    assume (rst_ni == started);
    if (request_valid_i) assume ({1'b0, cu_i} < Units);
    if (started && waiting_q) assume (request_valid_i && request == request_q);
    mutant_q  <= mutant_i;
    if (started) assume (mutant_i == mutant_q);
    if (started) begin
      t_answer: assert (dut_ready == gate_ready && dut_response == gate_response &&
                        (!dut_response || dut_answer == gate_answer));
      t_request: assert (dut_u_stages__request_valid_q == gate_u_stages__request_valid_q &&
                         dut_decide_valid_q == gate_decide_valid_q &&
                         (!dut_u_stages__request_valid_q ||
                          ({1'b0, dut_request_cu_q} < Units &&
                           taken(dut_request_op_q, dut_request_line_q, dut_request_cu_q, dut_request_will_fill_q) ==
                           taken(gate_request_op_q, gate_request_line_q, gate_request_cu_q, gate_request_will_fill_q))) &&
                         (!dut_decide_valid_q ||
                          ({1'b0, dut_cu_q} < Units &&
                           taken(dut_op_q, {dut_tag_q, dut_index_q}, dut_cu_q, dut_will_fill_q) ==
                           taken(gate_op_q, {gate_tag_q, gate_index_q}, gate_cu_q, gate_will_fill_q))));
      t_rows: assert (&rows_same);
      t_entries: assert (&rows_hold);
    end
  end

endmodule

`default_nettype wire
