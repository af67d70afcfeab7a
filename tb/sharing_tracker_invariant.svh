// Part of sharing_tracker_sva for proofs by induction: the invariant that relates the registers of
// rtl/sharing_tracker.sv, dut_NAME here (scripts/formal-block.sh), to the checkers' state. The RTL is
// ahead by the offered response. Each assertion holds in every reachable state; together with the
// checkers' assertions each follows from the cycle before.
//
//   i_inside   the requests in the pipeline are the accepted ones: in stages 1 and 2, and being answered
//   i_entries  the invariant of a row's valid entries (tb/sharing_tracker_row.svh)
//   i_row      the row in stage 2 is that of its set
//   i_watched  the watched line has an entry with the checkers' marks and sharers
//   i_gone     the line removed last has no entry; after a FLUSH no line has one
  localparam integer NoneAbove = 0;
`include "sharing_tracker_row.svh"
  (* keep *) logic                           dut_u_stages__request_valid_q, dut_decide_valid_q;
  (* keep *) logic [2:0]                     dut_request_op_q, dut_op_q;
  (* keep *) logic [LineW-1:0]               dut_request_line_q;
  (* keep *) logic [TagW-1:0]                dut_tag_q;
  (* keep *) logic [IndexW-1:0]              dut_index_q;
  (* keep *) logic [CuW-1:0]                 dut_request_cu_q, dut_cu_q;
  (* keep *) logic                           dut_request_will_fill_q, dut_will_fill_q;
  (* keep *) logic [Ways-1:0]                dut_valid;
  (* keep *) logic [Ways*TagW-1:0]           dut_tag;
  (* keep *) logic [Ways*Cus-1:0]            dut_mark, dut_sharer;
  (* keep *) logic [Ways*PointersW-1:0]      dut_pointer;
  (* keep *) logic [Ways*CountW-1:0]         dut_count;
  (* keep *) logic [Ways*CuW-1:0]            dut_last;
  (* keep *) logic [Ways*WayW-1:0]           dut_rank;
  (* keep *) logic [Sets-1:0]                dut_u_valid__row_live;
  (* keep *) logic [Sets*Ways-1:0]           dut_u_valid__mem;
  (* keep *) logic [Sets*Ways*TagW-1:0]      dut_u_tag__mem;
  (* keep *) logic [Sets*Ways*Cus-1:0]       dut_u_mark__mem, dut_u_sharer__mem;
  (* keep *) logic [Sets*Ways*PointersW-1:0] dut_u_pointer__mem;
  (* keep *) logic [Sets*Ways*CountW-1:0]    dut_u_count__mem;
  (* keep *) logic [Sets*Ways*CuW-1:0]       dut_u_last__mem;
  (* keep *) logic [Sets*Ways*WayW-1:0]      dut_u_rank__mem;

  logic [1:0]          behind_response;
  logic [RequestW-1:0] decided;  // the request in stage 2, as it was accepted
  assign behind_response = {1'b0, dut_decide_valid_q} + {1'b0, response_valid_i};
  assign decided         = waiting_requests[RequestW*response_valid_i+:RequestW];

  // Sets of the checkers' lines after the offered response, and the set of stage 2.
  logic              watches_then, has_gone_then, empty_then;
  logic [LineW-1:0]  watched_then, gone_then, decided_line;
  logic [Cus-1:0]    marks_then, sharers_then;
  logic [IndexW-1:0] watched_set, gone_set, decided_set;
  assign watches_then  = response_valid_i ? watches_d : watches_q;
  assign has_gone_then = response_valid_i ? has_gone_d : has_gone_q;
  assign empty_then    = response_valid_i ? empty_d : empty_q;
  assign watched_then  = response_valid_i ? watched_d : watched_q;
  assign gone_then     = response_valid_i ? gone_d : gone_q;
  assign marks_then    = response_valid_i ? marks_d : marks_q;
  assign sharers_then  = response_valid_i ? sharers_d : sharers_q;
  assign decided_line  = decided[CuW+1+:LineW];
  logic [3*LineW-1:0]  known_lines, unused_inverse;
  logic [3*IndexW-1:0] known_sets;
  assign known_lines = {watched_then, gone_then, decided_line};
  assign {watched_set, gone_set, decided_set} = known_sets;
  generate
    for (g = 0; g < 3; g = g + 1) begin : gen_set
      set_index_network #(
        .LineW     (LineW),
        .IndexW    (IndexW),
        .Polynomial(Polynomial),
        .Matrix    (Matrix)
      ) u_network (
        .line_i         (known_lines[g*LineW+:LineW]),
        .index_o        (known_sets[g*IndexW+:IndexW]),
        .inverse_tag_i  ({LineW-IndexW{1'b0}}),
        .inverse_index_i({IndexW{1'b0}}),
        .inverse_line_o (unused_inverse[g*LineW+:LineW])
      );
    end
  endgenerate

  // The row of each set, the last of stage 2; and for each entry of the memories its sharers, and
  // whether it belongs to the watched line or to a removed line.
  logic [RowW-1:0]      row [0:Sets];
  logic [Sets:0]        rows_hold;
  logic [Sets*Ways-1:0] is_watched, has_gone;
  genvar w;
  generate
    for (g = 0; g < Sets; g = g + 1) begin : gen_row
      assign row[g] = {dut_u_valid__mem[g*Ways+:Ways] & {Ways{dut_u_valid__row_live[g]}},
                       dut_u_rank__mem[g*Ways*WayW+:Ways*WayW], dut_u_last__mem[g*Ways*CuW+:Ways*CuW],
                       dut_u_count__mem[g*Ways*CountW+:Ways*CountW],
                       dut_u_pointer__mem[g*Ways*PointersW+:Ways*PointersW],
                       dut_u_sharer__mem[g*Ways*Cus+:Ways*Cus], dut_u_mark__mem[g*Ways*Cus+:Ways*Cus],
                       dut_u_tag__mem[g*Ways*TagW+:Ways*TagW]};
      assign rows_hold[g] = entries_hold(row[g]);
      for (w = 0; w < Ways; w = w + 1) begin : gen_entry
        logic            valid;
        logic [TagW-1:0] tag;
        assign valid = row[g][ValidAt+w];
        assign tag   = row[g][w*TagW+:TagW];
        assign is_watched[g*Ways+w] = valid && watched_set == g[IndexW-1:0] &&
                                      tag == watched_then[LineW-1:IndexW] &&
                                      row[g][MarkAt+w*Cus+:Cus] == marks_then &&
                                      sharers_of(row[g], w) == sharers_then;
        assign has_gone[g*Ways+w] = valid && (empty_then || (has_gone_then && gone_set == g[IndexW-1:0] &&
                                                             tag == gone_then[LineW-1:IndexW]));
      end
    end
  endgenerate
  assign row[Sets] = {dut_valid, dut_rank, dut_last, dut_count, dut_pointer, dut_sharer, dut_mark, dut_tag};
  assign rows_hold[Sets] = !dut_decide_valid_q || (dut_op_q > COHERENT && dut_op_q != ASK) || entries_hold(row[Sets]);

  always @(posedge clk_i) begin
    if (request_valid_i) assume ({1'b0, cu_i} < Units);
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_u_stages__request_valid_q} + {7'd0, behind_response} &&
                        agrees &&
                        (!dut_u_stages__request_valid_q ||
                         ({dut_request_op_q, dut_request_line_q, dut_request_cu_q,
                           dut_request_will_fill_q} == waiting_requests[RequestW*behind_response+:RequestW] &&
                          {1'b0, dut_request_cu_q} < Units)) &&
                        (!dut_decide_valid_q ||
                         ({dut_op_q, dut_tag_q, decided_line[IndexW-1:0], dut_cu_q,
                           dut_will_fill_q} == decided &&
                          dut_index_q == decided_set && {1'b0, dut_cu_q} < Units)) &&
                        (!response_valid_i || {1'b0, cu} < Units) &&
                        oldest <= older && older <= in_flight &&
                        {7'd0, behind_response} >= (older > 9'd2 ? 9'd2 : older));
      i_entries: assert (&rows_hold);
      i_row: assert (!dut_decide_valid_q || (dut_op_q > COHERENT && dut_op_q != ASK) ||
                     same_row(row[Sets], row[dut_index_q]));
      i_watched: assert (!watches_then || |is_watched);
      i_gone: assert (!(|has_gone));
    end
  end
