// Twin of replacement: proves by induction that a mutant's netlist, `gate`, is equivalent to
// rtl/replacement.sv, `dut`. Both get any requests and waits; every register that matters is equal in
// both in every reachable state. Don't-cares: fields of a request that its operation does not take,
// and the fields of a row for ways that are not in use. dut_X and gate_X are the register X of each
// (scripts/formal-block.sh).
// The netlist may number its sets and SHiP's signatures differently: with IndexMask, SignatureMask its
// row r corresponds to row r ^ mask of the RTL (signatures: from stage 2 on; in stage 1 RequestMask).
// The equivalence itself is t_answer.
//
//   t_answer   equal answers
//   t_request  equal requests in stages 1 and 2
//   t_rows     equal rows, in the memories and in stage 2; the row in stage 2 is that of its set
//   t_order    LRU: ranks of the ways in use are an order, in the memories and in stage 2
//   t_doubts   SHiP: equal counters, those being forwarded included
`default_nettype none

module replacement_twin #(
  parameter integer Policy        = 0,
  parameter integer IndexW        = 1,
  parameter integer Ways          = 2,
  parameter integer RrpvW         = 1,
  parameter integer SignatureW    = 1,
  parameter integer CounterW      = 1,
  parameter integer IndexMask     = 0,
  parameter integer SignatureMask = 0,
  parameter integer RequestMask   = 0,  // of the signature in stage 1
  localparam integer WayW          = (Ways < 3) ? 1 : $clog2(Ways)
) (
  input wire logic                  clk_i,
  input wire logic                  rst_ni,
  input wire logic                  request_valid_i,
  input wire logic [2:0]            op_i,
  input wire logic [IndexW-1:0]     index_i,
  input wire logic [WayW-1:0]       way_i,
  input wire logic [Ways-1:0]       eligible_i,
  input wire logic [SignatureW-1:0] signature_i,
  input wire logic                  response_ready_i,
  input wire logic [31:0]           mutant_i  // mutant of the netlist, constant from the first cycle
);

`include "replacement_constants.svh"
  localparam IsLru = Policy == 0, IsShip = Policy == 2;
  localparam integer Sets = 1 << IndexW;
  localparam integer Signatures = 1 << SignatureW;
  localparam integer AnswerW = WayW + 4;
  localparam integer RankAt = Ways * (RrpvW + SignatureW + 1);  // lowest bit of the ranks in a row
  localparam integer RrpvAt = Ways * (SignatureW + 1);
  localparam integer SignatureAt = Ways;
  localparam integer RowW = Ways * (WayW + RrpvW + SignatureW + 2);
  localparam integer RequestW = 3 + IndexW + WayW + Ways + SignatureW;
  localparam [IndexW-1:0] OtherIndex = IndexMask[IndexW-1:0];
  localparam [SignatureW-1:0] OtherSignature = SignatureMask[SignatureW-1:0];
  localparam [SignatureW-1:0] OtherRequest = RequestMask[SignatureW-1:0];
  localparam [RowW-1:0] OtherRow = {{RowW-Ways*(SignatureW+1){1'b0}}, {Ways{OtherSignature}}, {Ways{1'b0}}};

  logic               dut_ready, dut_response, gate_ready, gate_response;
  logic [AnswerW-1:0] dut_answer, gate_answer;
  replacement #(
    .Policy(Policy), .IndexW(IndexW), .Ways(Ways), .RrpvW(RrpvW),
    .SignatureW(SignatureW), .CounterW(CounterW)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .request_valid_i(request_valid_i), .request_ready_o(dut_ready),
    .op_i(op_i), .index_i(index_i), .way_i(way_i), .eligible_i(eligible_i), .signature_i(signature_i),
    .response_valid_o(dut_response), .response_ready_i(response_ready_i),
    .way_o(dut_answer[AnswerW-1:4]), .evicted_o(dut_answer[3]), .none_o(dut_answer[2]),
    .distant_o(dut_answer[1]), .error_o(dut_answer[0])
  );
  replacement_mutant gate (
    .clk_i(clk_i), .rst_ni(rst_ni), .mutant_i(mutant_i),
    .request_valid_i(request_valid_i), .request_ready_o(gate_ready),
    .op_i(op_i), .index_i(index_i), .way_i(way_i), .eligible_i(eligible_i), .signature_i(signature_i),
    .response_valid_o(gate_response), .response_ready_i(response_ready_i),
    .way_o(gate_answer[AnswerW-1:4]), .evicted_o(gate_answer[3]), .none_o(gate_answer[2]),
    .distant_o(gate_answer[1]), .error_o(gate_answer[0])
  );

  // The requests of stages 1 and 2, in RTL and netlist.
  (* keep *) logic                            dut_u_stages__request_valid_q, dut_decide_valid_q;
  (* keep *) logic                            gate_u_stages__request_valid_q, gate_decide_valid_q;
  (* keep *) logic [2:0]                      dut_request_op_q, dut_op_q;
  (* keep *) logic [2:0]                      gate_request_op_q, gate_op_q;
  (* keep *) logic [IndexW-1:0]               dut_request_index_q, dut_index_q;
  (* keep *) logic [IndexW-1:0]               gate_request_index_q, gate_index_q;
  (* keep *) logic [WayW-1:0]                 dut_request_way_q, dut_way_q;
  (* keep *) logic [WayW-1:0]                 gate_request_way_q, gate_way_q;
  (* keep *) logic [Ways-1:0]                 dut_request_eligible_q, dut_eligible_q;
  (* keep *) logic [Ways-1:0]                 gate_request_eligible_q, gate_eligible_q;
  (* keep *) logic [SignatureW-1:0]           dut_request_signature_q, dut_signature_q;
  (* keep *) logic [SignatureW-1:0]           gate_request_signature_q, gate_signature_q;
  // The memories, as concatenated rows; and the row in stage 2.
  (* keep *) logic [Sets-1:0]                 dut_u_used__row_live;
  (* keep *) logic [Sets-1:0]                 gate_u_used__row_live;
  (* keep *) logic [Sets*Ways-1:0]            dut_u_used__mem, dut_u_reused__mem;
  (* keep *) logic [Sets*Ways-1:0]            gate_u_used__mem, gate_u_reused__mem;
  (* keep *) logic [Sets*Ways*WayW-1:0]       dut_u_rank__mem;
  (* keep *) logic [Sets*Ways*WayW-1:0]       gate_u_rank__mem;
  (* keep *) logic [Sets*Ways*RrpvW-1:0]      dut_u_rrpv__mem;
  (* keep *) logic [Sets*Ways*RrpvW-1:0]      gate_u_rrpv__mem;
  (* keep *) logic [Sets*Ways*SignatureW-1:0] dut_u_signature__mem;
  (* keep *) logic [Sets*Ways*SignatureW-1:0] gate_u_signature__mem;
  (* keep *) logic [Ways-1:0]                 dut_used, dut_reused;
  (* keep *) logic [Ways-1:0]                 gate_used, gate_reused;
  (* keep *) logic [Ways*WayW-1:0]            dut_rank;
  (* keep *) logic [Ways*WayW-1:0]            gate_rank;
  (* keep *) logic [Ways*RrpvW-1:0]           dut_rrpv;
  (* keep *) logic [Ways*RrpvW-1:0]           gate_rrpv;
  (* keep *) logic [Ways*SignatureW-1:0]      dut_signature;
  (* keep *) logic [Ways*SignatureW-1:0]      gate_signature;
  // SHiP
  (* keep *) logic                            dut_u_table__update_valid_q;
  (* keep *) logic                            dut_u_table__update_doubts_q;
  (* keep *) logic                            dut_u_table__written_q;
  (* keep *) logic                            gate_u_table__update_valid_q;
  (* keep *) logic                            gate_u_table__update_doubts_q;
  (* keep *) logic                            gate_u_table__written_q;
  (* keep *) logic [SignatureW-1:0]           dut_u_table__update_signature_q, dut_u_table__written_signature_q;
  (* keep *) logic [SignatureW-1:0]           gate_u_table__update_signature_q;
  (* keep *) logic [SignatureW-1:0]           gate_u_table__written_signature_q;
  (* keep *) logic [CounterW-1:0]             dut_u_table__written_doubt_q;
  (* keep *) logic [CounterW-1:0]             gate_u_table__written_doubt_q;
  (* keep *) logic [Signatures-1:0]           dut_u_table__u_doubt__row_live;
  (* keep *) logic [Signatures-1:0]           dut_u_table__u_doubt_update__row_live;
  (* keep *) logic [Signatures-1:0]           gate_u_table__u_doubt__row_live;
  (* keep *) logic [Signatures-1:0]           gate_u_table__u_doubt_update__row_live;
  (* keep *) logic [Signatures*CounterW-1:0]  dut_u_table__u_doubt__mem, dut_u_table__u_doubt_update__mem;
  (* keep *) logic [Signatures*CounterW-1:0]  gate_u_table__u_doubt__mem, gate_u_table__u_doubt_update__mem;
  (* keep *) logic [CounterW-1:0]             dut_u_table__u_doubt__read_data_o;
  (* keep *) logic [CounterW-1:0]             dut_u_table__old_doubt;
  (* keep *) logic [CounterW-1:0]             gate_u_table__u_doubt__read_data_o;
  (* keep *) logic [CounterW-1:0]             gate_u_table__old_doubt;

  // The request with unused fields set to 0 and all PEEK codes made one.
  function automatic [RequestW-1:0] taken(
      input [2:0] op, input [IndexW-1:0] index, input [WayW-1:0] way, input [Ways-1:0] eligible,
      input [SignatureW-1:0] signature);
    reg asks, names;
    begin
      asks  = op == REPLACE || op >= PEEK;
      names = op == TOUCH || op == REMOVE;
      taken = {op >= PEEK ? PEEK : op, index & {IndexW{op != FLUSH}}, way & {WayW{names}},
               eligible & {Ways{asks}}, signature & {SignatureW{asks && IsShip}}};
    end
  endfunction

  // Returns 1 if two rows, {used, rank, rrpv, signature, reused}, are equal in the ways in use.
  function automatic same_row(input [RowW-1:0] a, input [RowW-1:0] b);
    integer w;
    begin
      same_row = a[RowW-1-:Ways] == b[RowW-1-:Ways];
      for (w = 0; w < Ways; w = w + 1) begin
        if (a[RowW-Ways+w]) begin
          if (IsLru && a[RankAt+w*WayW+:WayW] != b[RankAt+w*WayW+:WayW]) same_row = 1'b0;
          if (!IsLru && a[RrpvAt+w*RrpvW+:RrpvW] != b[RrpvAt+w*RrpvW+:RrpvW]) same_row = 1'b0;
          if (IsShip && (a[w] != b[w] || a[SignatureAt+w*SignatureW+:SignatureW] !=
                                         b[SignatureAt+w*SignatureW+:SignatureW])) same_row = 1'b0;
        end
      end
    end
  endfunction

  // LRU: returns 1 if the k ways in use have different ranks below k.
  function automatic ordered(input [RowW-1:0] a);
    integer w, v;
    reg [WayW:0] k;
    begin
      ordered = 1'b1;
      k       = {WayW+1{1'b0}};
      for (w = 0; w < Ways; w = w + 1) if (a[RowW-Ways+w]) k = k + 1'b1;
      for (w = 0; w < Ways; w = w + 1) begin
        if (a[RowW-Ways+w]) begin
          if ({1'b0, a[RankAt+w*WayW+:WayW]} >= k) ordered = 1'b0;
          for (v = 0; v < w; v = v + 1) begin
            if (a[RowW-Ways+v] && a[RankAt+w*WayW+:WayW] == a[RankAt+v*WayW+:WayW]) ordered = 1'b0;
          end
        end
      end
    end
  endfunction

  logic [RowW-1:0] dut_row [0:Sets], gate_row [0:Sets];  // row Sets: in stage 2
  logic [Sets:0]   rows_same, rows_ordered;
  genvar g;
  generate
    for (g = 0; g < Sets; g = g + 1) begin : gen_row
      localparam integer G = g ^ IndexMask;
      assign dut_row[g]  = {dut_u_used__mem[g*Ways+:Ways] & {Ways{dut_u_used__row_live[g]}},
                            dut_u_rank__mem[g*Ways*WayW+:Ways*WayW],
                            dut_u_rrpv__mem[g*Ways*RrpvW+:Ways*RrpvW],
                            dut_u_signature__mem[g*Ways*SignatureW+:Ways*SignatureW],
                            dut_u_reused__mem[g*Ways+:Ways]};
      assign gate_row[g] = {gate_u_used__mem[G*Ways+:Ways] & {Ways{gate_u_used__row_live[G]}},
                            gate_u_rank__mem[G*Ways*WayW+:Ways*WayW],
                            gate_u_rrpv__mem[G*Ways*RrpvW+:Ways*RrpvW],
                            gate_u_signature__mem[G*Ways*SignatureW+:Ways*SignatureW],
                            gate_u_reused__mem[G*Ways+:Ways]} ^ OtherRow;
      assign rows_same[g]    = same_row(dut_row[g], gate_row[g]);
      assign rows_ordered[g] = !IsLru || ordered(dut_row[g]);
    end
  endgenerate
  logic has_row;
  assign has_row            = dut_decide_valid_q && dut_op_q != FLUSH;
  assign dut_row[Sets]      = {dut_used, dut_rank, dut_rrpv, dut_signature, dut_reused};
  assign gate_row[Sets]     = {gate_used, gate_rank, gate_rrpv, gate_signature, gate_reused} ^ OtherRow;
  assign rows_same[Sets]    = !has_row || (same_row(dut_row[Sets], gate_row[Sets]) &&
                                          same_row(dut_row[Sets], dut_row[dut_index_q]));
  assign rows_ordered[Sets] = !IsLru || !has_row || ordered(dut_row[Sets]);

  // SHiP's counters: in the tables, at the update, at the decision.
  logic [Signatures-1:0] doubts_same;
  generate
    for (g = 0; g < Signatures; g = g + 1) begin : gen_doubt
      localparam integer G = g ^ SignatureMask;
      logic [CounterW-1:0] doubt, update, other_doubt, other_update;
      assign doubt        = dut_u_table__u_doubt__mem[g*CounterW+:CounterW] &
                            {CounterW{dut_u_table__u_doubt__row_live[g]}};
      assign update       = dut_u_table__u_doubt_update__mem[g*CounterW+:CounterW] &
                            {CounterW{dut_u_table__u_doubt_update__row_live[g]}};
      assign other_doubt  = gate_u_table__u_doubt__mem[G*CounterW+:CounterW] &
                            {CounterW{gate_u_table__u_doubt__row_live[G]}};
      assign other_update = gate_u_table__u_doubt_update__mem[G*CounterW+:CounterW] &
                            {CounterW{gate_u_table__u_doubt_update__row_live[G]}};
      assign doubts_same[g] = doubt == update && doubt == other_doubt &&
                              update == other_update;
    end
  endgenerate
  logic decides, forwarded;
  assign decides   = dut_decide_valid_q && (dut_op_q == REPLACE || dut_op_q >= PEEK);
  assign forwarded = (dut_u_table__update_valid_q && dut_u_table__update_signature_q == dut_signature_q) ||
                     (dut_u_table__written_q && dut_u_table__written_signature_q == dut_signature_q);

  logic started, waiting_q;
  logic [RequestW-1:0] request, request_q;
  logic [31:0]         mutant_q;
  assign request = {op_i, index_i, way_i, eligible_i, signature_i};
  initial started = 1'b0;
  always @(posedge clk_i) begin
    started   <= 1'b1;
    waiting_q <= started && request_valid_i && !dut_ready;
    request_q <= request;
    assume (rst_ni == started);
    if (started && waiting_q) assume (request_valid_i && request == request_q);
    mutant_q  <= mutant_i;
    if (started) assume (mutant_i == mutant_q);
    if (started) begin
      t_answer: assert (dut_ready == gate_ready && dut_response == gate_response &&
                        (!dut_response || dut_answer == gate_answer));
      t_request: assert (dut_u_stages__request_valid_q == gate_u_stages__request_valid_q &&
                         dut_decide_valid_q == gate_decide_valid_q &&
                         (!dut_u_stages__request_valid_q ||
                          taken(dut_request_op_q, dut_request_index_q, dut_request_way_q,
                                dut_request_eligible_q, dut_request_signature_q) ==
                          taken(gate_request_op_q, gate_request_index_q ^ OtherIndex,
                                gate_request_way_q, gate_request_eligible_q,
                                gate_request_signature_q ^ OtherRequest)) &&
                         (!dut_decide_valid_q ||
                          taken(dut_op_q, dut_index_q, dut_way_q, dut_eligible_q, dut_signature_q) ==
                          taken(gate_op_q, gate_index_q ^ OtherIndex, gate_way_q, gate_eligible_q,
                                gate_signature_q ^ OtherSignature)));
      t_rows: assert (&rows_same);
      t_order: assert (&rows_ordered);
      if (IsShip) begin
        t_doubts: assert (&doubts_same && dut_u_table__update_valid_q == gate_u_table__update_valid_q &&
                          dut_u_table__written_q == gate_u_table__written_q &&
                          (!dut_u_table__update_valid_q ||
                           (dut_u_table__update_signature_q ==
                            (gate_u_table__update_signature_q ^ OtherSignature) &&
                            dut_u_table__update_doubts_q == gate_u_table__update_doubts_q &&
                            dut_u_table__old_doubt == gate_u_table__old_doubt)) &&
                          (!dut_u_table__written_q ||
                           (dut_u_table__written_signature_q ==
                            (gate_u_table__written_signature_q ^ OtherSignature) &&
                            dut_u_table__written_doubt_q == gate_u_table__written_doubt_q)) &&
                          (!decides || forwarded ||
                           dut_u_table__u_doubt__read_data_o == gate_u_table__u_doubt__read_data_o));
      end
    end
  end

endmodule

`default_nettype wire
