// Twin of tag_store: proves by induction that a mutant's netlist, `gate`, is equivalent to
// rtl/tag_store.sv, `dut`. Both get any requests and waits; registers and memories, without don't-cares,
// are equal in both in every reachable state. tb/tag_store_live.sv masks the don't-cares of a row,
// tag_store_inside those of the block's state (scripts/formal-block.sh connects its wires). The netlist may
// number SHiP's signatures differently: its signature s ^ SignatureMask corresponds to the RTL's s.
//
//   t_answer   equal answers
//   t_request  equal requests in stages 1 and 2
//   t_rows     equal rows, in the memories and in stage 2; the row in stage 2 is that of its set
//   t_kept     the rows satisfy the invariants of tb/tag_store_row.sv
//   t_doubts   SHiP: equal counters, those being forwarded included
`default_nettype none

// State of the block or the netlist with don't-cares set to 0, so that the outputs of two instances can
// be compared directly. Registers have the block's names; a memory is the concatenation of its rows.
module tag_store_inside #(
  parameter integer LineW       = 3,
  parameter integer IndexW      = 1,
  parameter integer TagWays     = 3,
  parameter integer DataWays    = 2,
  parameter integer RcW         = 2,
  parameter integer Due         = 2,
  parameter integer MostRc      = 2,
  parameter integer Replacement = 0,
  parameter integer RrpvW       = 2,
  parameter integer SignatureW  = 1,
  parameter integer CounterW    = 1,
  parameter integer SignatureMask = 0,
  parameter integer Sets        = 2,
  parameter integer Signatures  = 2,
  parameter integer RowW        = 36,
  parameter integer RequestW    = 12,
  localparam integer PositionW   = (DataWays < 3) ? 1 : $clog2(DataWays),
  localparam integer FreeW       = $clog2(DataWays + 1)
) (
  output logic [2*RequestW-1:0]            requests_o,  // in stages 1 and 2
  output logic [(Sets+1)*RowW-1:0]         rows_o,      // of each set; the highest: of stage 2
  // All rows satisfy the invariants; the row in stage 2 is that of its set.
  output logic                             kept_o,
  output logic [2*Signatures*CounterW-1:0] doubts_o,
  output logic [2*(SignatureW+CounterW+1):0] updates_o,  // counter updates in the pipeline
  output logic [CounterW-1:0]              doubt_o      // of stage 2, where no update is forwarded
);

`include "tag_store_constants.svh"
  localparam IsLru = Replacement == 0, IsShip = Replacement == 2;
  localparam integer TagW = LineW - IndexW;
  localparam [SignatureW-1:0] Other = SignatureMask[SignatureW-1:0];

  (* keep *) logic                  u_stages__request_valid_q, request_may_miss_q, request_may_bypass_q;
  (* keep *) logic                  request_conventional_q;
  (* keep *) logic [2:0]            request_op_q, op_q;
  (* keep *) logic [LineW-1:0]      request_line_q;
  (* keep *) logic [PositionW-1:0]  request_position_q, position_q;
  (* keep *) logic [SignatureW-1:0] request_signature_q, signature_q;
  (* keep *) logic                  decide_valid_q, may_miss_q, may_bypass_q, conventional_q;
  (* keep *) logic                  response_valid_o;
  (* keep *) logic [TagW-1:0]       tag_q;
  (* keep *) logic [IndexW-1:0]     index_q;
  // The memory of the rows holds bits High to Low of each, those that the replacement policy uses.
  localparam integer Low = IsLru ? DataWays * (RrpvW + SignatureW + 1) : (IsShip ? 0 : DataWays * (SignatureW + 1));
  localparam integer High = RowW - 1 - (IsLru ? 0 : DataWays * PositionW);
  localparam integer StoredW = High - Low + 1;
  (* keep *) logic [Sets-1:0]         u_rows__valid_live, u_rows__waiting_live;
  (* keep *) logic [Sets*StoredW-1:0] u_rows__u_row__mem;
  // the row of stage 2
  (* keep *) logic [RowW-1:0]                row;
  // SHiP
  (* keep *) logic                           u_table__update_valid_q, u_table__update_doubts_q, u_table__written_q;
  (* keep *) logic [SignatureW-1:0]          u_table__update_signature_q, u_table__written_signature_q;
  (* keep *) logic [CounterW-1:0]            u_table__written_doubt_q, u_table__sram_doubt, u_table__old_doubt;
  (* keep *) logic [Signatures*CounterW-1:0] u_table__u_doubt__mem, u_table__u_doubt_update__mem;
  (* keep *) logic [Signatures-1:0]          u_table__u_doubt__row_live, u_table__u_doubt_update__row_live;

  // The request with unused fields set to 0 and all FLUSH codes made one.
  function automatic [RequestW-1:0] taken(
      input has, input [2:0] op, input [LineW-1:0] line, input [PositionW-1:0] position,
      input [2:0] permissions, input [SignatureW-1:0] signature);
    taken = {has, op >= FLUSH ? FLUSH : op, line & {LineW{op < FLUSH}}, position & {PositionW{op == FILL}},
             permissions & {3{op == PROBE}}, (signature ^ Other) & {SignatureW{op == PROBE && IsShip}}} &
            {RequestW{has}};
  endfunction
  assign requests_o = {
      taken(u_stages__request_valid_q, request_op_q, request_line_q, request_position_q,
            {request_may_miss_q, request_may_bypass_q, request_conventional_q}, request_signature_q),
      taken(decide_valid_q, op_q, {tag_q, index_q}, position_q,
            {may_miss_q, may_bypass_q, conventional_q}, signature_q)};

  // Behind an answer that waits to be taken, the answer's row is still in stage 2.
  logic            has_row, lingers;
  logic [Sets:0]   kept;
  logic [RowW-1:0] set_row;
  assign has_row = decide_valid_q && op_q < FLUSH;
  assign lingers = !decide_valid_q && response_valid_o && op_q < FLUSH;
  assign set_row = rows_o[index_q*RowW+:RowW];
  localparam integer AfterRanksW = RowW - DataWays * PositionW;
  logic [RowW-1:0] renamed;  // mask of the signatures in the row
  assign renamed = {{RowW-DataWays*(SignatureW+1){1'b0}}, {DataWays{Other}}, {DataWays{1'b0}}};
  genvar g;
  generate
    for (g = 0; g <= Sets; g = g + 1) begin : gen_row
      logic [RowW-1:0] this_row, live_row;
      if (g < Sets) begin : gen_memory
        always_comb begin
          this_row = {RowW{1'b0}};
          this_row[High:Low] = u_rows__u_row__mem[g*StoredW+:StoredW];
          this_row = this_row ^ renamed;
          if (!u_rows__valid_live[g]) this_row[AfterRanksW-1-:TagWays] = {TagWays{1'b0}};
          if (!u_rows__waiting_live[g]) this_row[AfterRanksW-TagWays-1-:TagWays] = {TagWays{1'b0}};
        end
      end else begin : gen_stage
        assign this_row = (row ^ renamed) & {RowW{has_row || lingers}};
      end
      tag_store_live #(
        .TagW(TagW), .TagWays(TagWays), .DataWays(DataWays),
        .RcW(RcW), .Due(Due), .MostRc(MostRc), .Replacement(Replacement), .RrpvW(RrpvW),
        .SignatureW(SignatureW), .RowW(RowW)
      ) live (
        .row_i(this_row), .live_o(live_row), .kept_o(kept[g])
      );
      assign rows_o[g*RowW+:RowW] = live_row & {RowW{has_row || g < Sets}};
    end
  endgenerate
  assign kept_o = &kept && (!has_row || rows_o[Sets*RowW+:RowW] == set_row);

  // SHiP's counters: in the tables, at the update, at the decision.
  logic                forwarded;
  assign forwarded = (u_table__update_valid_q && u_table__update_signature_q == signature_q) ||
                     (u_table__written_q && u_table__written_signature_q == signature_q);
  generate
    for (g = 0; g < Signatures; g = g + 1) begin : gen_doubt
      localparam integer At = g ^ SignatureMask;
      assign doubts_o[g*CounterW+:CounterW] =
          u_table__u_doubt__mem[At*CounterW+:CounterW] & {CounterW{u_table__u_doubt__row_live[At]}};
      assign doubts_o[(Signatures+g)*CounterW+:CounterW] =
          u_table__u_doubt_update__mem[At*CounterW+:CounterW] &
          {CounterW{u_table__u_doubt_update__row_live[At]}};
    end
  endgenerate
  assign updates_o = {
      u_table__update_valid_q, {SignatureW+CounterW+1{u_table__update_valid_q}} &
          {u_table__update_doubts_q, u_table__update_signature_q ^ Other, u_table__old_doubt},
      {SignatureW+CounterW+1{u_table__written_q}} &
          {u_table__written_q, u_table__written_signature_q ^ Other, u_table__written_doubt_q}};
  assign doubt_o = u_table__sram_doubt & {CounterW{decide_valid_q && op_q == PROBE && !forwarded}};

endmodule

module tag_store_twin #(
  parameter integer            LineW        = 3,
  parameter integer            IndexW       = 1,
  parameter [IndexW:0]         Polynomial   = 3,
  parameter [IndexW*LineW-1:0] Matrix       = 0,
  parameter integer            TagWays      = 3,
  parameter integer            DataWays     = 2,
  parameter integer            RcW          = 2,
  parameter integer            Threshold    = 2,
  parameter integer            AllocationRc = 1,
  parameter integer            CompareAbove = 0,
  parameter integer            AgeTwice     = 0,
  parameter integer            LfuAny       = 0,
  parameter integer            Replacement  = 0,
  parameter integer            RrpvW        = 2,
  parameter integer            SignatureW   = 1,
  parameter integer            CounterW     = 1,
  parameter integer            ProbeStage   = 0,  // always 0 for twins
  parameter integer            SignatureMask = 0,  // of the netlist
  localparam integer           PositionW    = (DataWays < 3) ? 1 : $clog2(DataWays),
  localparam integer           FreeW        = $clog2(DataWays + 1)
) (
  input wire logic                  clk_i,
  input wire logic                  rst_ni,
  input wire logic                  request_valid_i,
  input wire logic [2:0]            op_i,
  input wire logic [LineW-1:0]      line_i,
  input wire logic [PositionW-1:0]  position_i,
  input wire logic                  may_miss_i,
  input wire logic                  may_bypass_i,
  input wire logic                  conventional_i,
  input wire logic [SignatureW-1:0] signature_i,
  input wire logic                  response_ready_i,
  input wire logic [31:0]           mutant_i  // mutant of the netlist, constant from the first cycle
);

  localparam IsShip = Replacement == 2;
  localparam integer Sets = 1 << IndexW;
  localparam integer Signatures = 1 << SignatureW;
  localparam integer RowW = TagWays * (LineW - IndexW + RcW + PositionW + 3) + FreeW +
                            DataWays * (PositionW + RrpvW + SignatureW + 1);
  localparam integer Due = Threshold + ((CompareAbove != 0) ? 1 : 0);
  localparam integer Least = (AllocationRc > 1) ? AllocationRc : 1;
  localparam integer MostRc = (Due > Least) ? Due : Least;
  localparam integer RequestW = 7 + LineW + PositionW + SignatureW;
  localparam integer UpdatesW = 2 * (SignatureW + CounterW + 1) + 1;
  localparam integer AnswerW = 15 + IndexW + 2 * PositionW + LineW + RcW;

  logic               rtl_ready, rtl_response, netlist_ready, netlist_response;
  logic [AnswerW-1:0] rtl_answer, netlist_answer;

  // The order of the fields does not matter.
  logic [2:0]           rtl_outcome, netlist_outcome;
  logic [1:0]           rtl_reason, netlist_reason;
  logic [IndexW-1:0]    rtl_index, netlist_index;
  logic [PositionW-1:0] rtl_position, netlist_position, rtl_evicted_position, netlist_evicted_position;
  logic [LineW-1:0]     rtl_evicted_line, netlist_evicted_line;
  logic [RcW-1:0]       rtl_rc, netlist_rc;
  logic [9:0]           rtl_flags, netlist_flags;
  assign rtl_answer  = {rtl_outcome, rtl_reason, rtl_index, rtl_position, rtl_evicted_position,
                        rtl_evicted_line, rtl_rc, rtl_flags};
  assign netlist_answer = {netlist_outcome, netlist_reason, netlist_index, netlist_position, netlist_evicted_position,
                        netlist_evicted_line, netlist_rc, netlist_flags};
  tag_store #(
    .LineW(LineW), .IndexW(IndexW), .Polynomial(Polynomial), .Matrix(Matrix), .TagWays(TagWays),
    .DataWays(DataWays), .RcW(RcW), .Threshold(Threshold),
    .AllocationRc(AllocationRc), .CompareAbove(CompareAbove), .AgeTwice(AgeTwice), .LfuAny(LfuAny),
    .Replacement(Replacement), .RrpvW(RrpvW), .SignatureW(SignatureW), .CounterW(CounterW)
  ) dut (
    .clk_i(clk_i), .rst_ni(rst_ni), .request_valid_i(request_valid_i), .request_ready_o(rtl_ready),
    .op_i(op_i), .line_i(line_i), .position_i(position_i), .may_miss_i(may_miss_i),
    .may_bypass_i(may_bypass_i), .conventional_i(conventional_i), .signature_i(signature_i),
    .response_valid_o(rtl_response), .response_ready_i(response_ready_i),
    .outcome_o(rtl_outcome), .reason_o(rtl_reason), .index_o(rtl_index), .position_o(rtl_position),
    .evicted_line_o(rtl_evicted_line), .evicted_position_o(rtl_evicted_position), .rc_o(rtl_rc),
    .evicted_o(rtl_flags[9]), .dead_o(rtl_flags[8]), .dropped_o(rtl_flags[7]),
    .error_o(rtl_flags[6]), .replaced_o(rtl_flags[5]), .tie_o(rtl_flags[4]),
    .saturated_o(rtl_flags[3]), .aged_o(rtl_flags[2]), .emptied_o(rtl_flags[1]),
    .distant_o(rtl_flags[0])
  );
  tag_store_mutant gate (
    .clk_i(clk_i), .rst_ni(rst_ni), .mutant_i(mutant_i), .request_valid_i(request_valid_i),
    .request_ready_o(netlist_ready), .op_i(op_i), .line_i(line_i), .position_i(position_i),
    .may_miss_i(may_miss_i), .may_bypass_i(may_bypass_i), .conventional_i(conventional_i),
    .signature_i(signature_i), .response_valid_o(netlist_response), .response_ready_i(response_ready_i),
    .outcome_o(netlist_outcome), .reason_o(netlist_reason), .index_o(netlist_index),
    .position_o(netlist_position), .evicted_line_o(netlist_evicted_line),
    .evicted_position_o(netlist_evicted_position), .rc_o(netlist_rc),
    .evicted_o(netlist_flags[9]), .dead_o(netlist_flags[8]), .dropped_o(netlist_flags[7]),
    .error_o(netlist_flags[6]), .replaced_o(netlist_flags[5]), .tie_o(netlist_flags[4]),
    .saturated_o(netlist_flags[3]), .aged_o(netlist_flags[2]), .emptied_o(netlist_flags[1]),
    .distant_o(netlist_flags[0])
  );

  logic [2*RequestW-1:0]            rtl_requests, netlist_requests;
  logic [(Sets+1)*RowW-1:0]         rtl_rows, netlist_rows;
  logic                             rtl_kept, netlist_kept;
  logic [2*Signatures*CounterW-1:0] rtl_doubts, netlist_doubts;
  logic [UpdatesW-1:0]              rtl_updates, netlist_updates;
  logic [CounterW-1:0]              rtl_doubt, netlist_doubt;
  tag_store_inside #(
    .LineW(LineW), .IndexW(IndexW), .TagWays(TagWays), .DataWays(DataWays),
    .RcW(RcW), .Due(Due), .MostRc(MostRc), .Replacement(Replacement), .RrpvW(RrpvW),
    .SignatureW(SignatureW), .CounterW(CounterW), .Sets(Sets), .Signatures(Signatures), .RowW(RowW), .RequestW(RequestW)
  ) dut_inside (
    .requests_o(rtl_requests), .rows_o(rtl_rows), .kept_o(rtl_kept), .doubts_o(rtl_doubts),
    .updates_o(rtl_updates), .doubt_o(rtl_doubt)
  );
  tag_store_inside #(
    .LineW(LineW), .IndexW(IndexW), .TagWays(TagWays), .DataWays(DataWays),
    .RcW(RcW), .Due(Due), .MostRc(MostRc), .Replacement(Replacement), .RrpvW(RrpvW),
    .SignatureW(SignatureW), .CounterW(CounterW), .SignatureMask(SignatureMask), .Sets(Sets),
    .Signatures(Signatures), .RowW(RowW), .RequestW(RequestW)
  ) gate_inside (
    .requests_o(netlist_requests), .rows_o(netlist_rows), .kept_o(netlist_kept), .doubts_o(netlist_doubts),
    .updates_o(netlist_updates), .doubt_o(netlist_doubt)
  );

  // The environment: reset in the first cycle only; an offered request is stable until accepted; the
  // mutant is constant.
  localparam integer OfferedW = 6 + LineW + PositionW + SignatureW;
  logic                started, waiting_q;
  logic [OfferedW-1:0] offered, offered_q;
  logic [31:0]         mutant_q;
  assign offered = {op_i, line_i, position_i, may_miss_i, may_bypass_i, conventional_i, signature_i};
  initial started = 1'b0;
  always @(posedge clk_i) begin
    started   <= 1'b1;
    waiting_q <= started && request_valid_i && !rtl_ready;
    offered_q <= offered;
    assume (rst_ni == started);
    if (started && waiting_q) assume (request_valid_i && offered == offered_q);
    mutant_q  <= mutant_i;
    if (started) assume (mutant_i == mutant_q);
    if (started) begin
      t_answer: assert (rtl_ready == netlist_ready && rtl_response == netlist_response &&
                        (!rtl_response || rtl_answer == netlist_answer));
      t_request: assert (rtl_requests == netlist_requests);
      t_rows: assert (rtl_rows == netlist_rows);
      t_kept: assert (rtl_kept && netlist_kept);
      if (IsShip) begin
        t_doubts: assert (rtl_doubts[Signatures*CounterW-1:0] ==
                          rtl_doubts[2*Signatures*CounterW-1:Signatures*CounterW] &&
                          rtl_doubts == netlist_doubts && rtl_updates == netlist_updates &&
                          rtl_doubt == netlist_doubt);
      end
    end
  end

endmodule

`default_nettype wire
