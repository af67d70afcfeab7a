// Checkers and cover points of sharing_tracker; the lockstep top instantiates them. They watch one
// line at a time: from the LOOKUP that takes its entry they rebuild the line's marks and sharers from
// the answers, in order, and check each answer on that line against them. When the entry is freed, or
// no request is for the line for a while, they watch another line.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_cu               (duty of the environment) a CU is below Cus
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_index            the set is set_index's of the line, and of a dropped line
//   a_watched          the watched line is found
//   a_supplier         its LOOKUP hits exactly when another CU than the requester is a sharer, its ASK
//                      when any CU is, and names a sharer
//   a_fill             its FILL registers exactly a CU that has its mark; with all pointers in use
//                      one of the sharers is displaced
//   a_evict            its EVICT removes a sharer, tells whether it was the last, and frees an entry
//                      without sharers and marks
//   a_gone             the line removed last is not found before an entry is taken for it
//   a_empty            after a reset or FLUSH no line is found before an entry is taken
//   a_named            fields that the operation does not name are 0
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/sharing_tracker.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than three are in flight
//   a_answered         a request is answered in the third cycle after it at the latest
`default_nettype none

module sharing_tracker_sva #(
  parameter integer            LineW      = 42,
  parameter integer            IndexW     = 10,
  parameter [IndexW:0]         Polynomial = 1033,
  parameter [IndexW*LineW-1:0] Matrix     = 0,
  parameter integer            Ways       = 8,
  parameter integer            Cus        = 16,
  parameter integer            Pointers   = 0,
  localparam integer           WayW       = (Ways < 3) ? 1 : $clog2(Ways),
  localparam integer           CuW        = (Cus < 3) ? 1 : $clog2(Cus),
  localparam integer           Slots      = (Pointers == 0) ? 1 : Pointers,
  localparam integer           CountW     = $clog2(Slots + 1)
) (
  input wire logic              clk_i,
  input wire logic              rst_ni,

  input wire logic              request_valid_i,
  input wire logic              request_ready_i,
  input wire logic [2:0]        op_i,
  input wire logic [LineW-1:0]  line_i,
  input wire logic [CuW-1:0]    cu_i,
  input wire logic              will_fill_i,

  input wire logic              response_valid_i,
  input wire logic              response_ready_i,
  input wire logic [IndexW-1:0] index_response_i,
  input wire logic              found_response_i,
  input wire logic              hit_response_i,
  input wire logic [CuW-1:0]    supplier_response_i,
  input wire logic              filled_response_i,
  input wire logic              displaced_response_i,
  input wire logic [CuW-1:0]    displaced_cu_response_i,
  input wire logic              removed_response_i,
  input wire logic              last_sharer_response_i,
  input wire logic              freed_response_i,
  input wire logic              dropped_response_i,
  input wire logic [LineW-1:0]  dropped_line_response_i
);

`include "sharing_tracker_constants.svh"
  localparam HasPointers = Pointers != 0;
  localparam integer LastCu = Cus - 1;
  localparam [6:0] Patience = 7'd64;  // answers without the watched line
  localparam [CuW:0] Units = Cus[CuW:0];

  // Parameters that the checkers do not use (lockstep checks their effect).
  logic unused_parameters;
  assign unused_parameters = &{Ways[0], WayW[0], Slots[0], CountW[0]};

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight now, for two cycles, for three; and whether a request was accepted in the cycle
  // after the request before it.
  localparam integer RequestW = 3 + LineW + CuW + 1;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older, oldest;
  logic                  was_reset, is_full_queue, fits, agrees;
  logic [2:0]            op;
  logic [LineW-1:0]      line;
  logic [CuW-1:0]        cu;
  logic                  will_fill, behind;
  assign offered = {op_i, line_i, cu_i, will_fill_i};
  assign {op, line, cu, will_fill} = waiting_requests[RequestW-1:0];
  request_queue #(
    .Width (RequestW),
    .Stages(3)
  ) queue (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .accepted_i (accepted),
    .answered_i (answered),
    .offered_i  (offered),
    .was_reset_o(was_reset),
    .waiting_o  (waiting_requests),
    .behind_o   (behind),
    .inside_o   ({oldest, older, in_flight}),
    .full_o     (is_full_queue),
    .fits_o     (fits),
    .agrees_o   (agrees)
  );

  logic [IndexW-1:0] set_of_line, set_of_dropped;
  logic [LineW-1:0]  unused_line, unused_dropped;
  set_index_network #(
    .LineW     (LineW),
    .IndexW    (IndexW),
    .Polynomial(Polynomial),
    .Matrix    (Matrix)
  ) u_network (
    .line_i         (line),
    .index_o        (set_of_line),
    .inverse_tag_i  ({LineW-IndexW{1'b0}}),
    .inverse_index_i({IndexW{1'b0}}),
    .inverse_line_o (unused_line)
  );
  set_index_network #(
    .LineW     (LineW),
    .IndexW    (IndexW),
    .Polynomial(Polynomial),
    .Matrix    (Matrix)
  ) u_network_dropped (
    .line_i         (dropped_line_response_i),
    .index_o        (set_of_dropped),
    .inverse_tag_i  ({LineW-IndexW{1'b0}}),
    .inverse_index_i({IndexW{1'b0}}),
    .inverse_line_o (unused_dropped)
  );

  logic is_lookup, is_ask, is_fill, is_evict, is_write, is_coherent, is_flush, takes;
  assign is_lookup   = op == LOOKUP;
  assign is_fill     = op == FILL;
  assign is_evict    = op == EVICT;
  assign is_write    = op == WRITE;
  assign is_coherent = op == COHERENT;
  assign is_ask      = op == ASK;
  assign is_flush    = op > COHERENT && !is_ask;
  assign takes       = is_lookup && will_fill && !found_response_i;

  // The watched line, the line removed last, and whether no entry was taken since reset or FLUSH.
  logic             watches_q, has_gone_q, empty_q;
  logic [LineW-1:0] watched_q, gone_q;
  logic [Cus-1:0]   marks_q, sharers_q, gone_marks_q;  // gone_marks_q: of a removed watched line
  logic [6:0]       idle_q;                            // answers since the last on the watched line
  logic             here, ends;
  assign here = watches_q && !is_flush && line == watched_q;
  assign ends = is_flush || (here && freed_response_i) ||
                (dropped_response_i && dropped_line_response_i == watched_q);

  // Compute units as masks.
  logic [Cus-1:0] me, supplier, displaced, others, suppliers;
  genvar g;
  generate
    for (g = 0; g < Cus; g = g + 1) begin : gen_unit
      assign me[g]        = cu == g[CuW-1:0];
      assign supplier[g]  = hit_response_i && supplier_response_i == g[CuW-1:0];
      assign displaced[g] = displaced_response_i && displaced_cu_response_i == g[CuW-1:0];
    end
  endgenerate
  assign others    = sharers_q & ~me;
  assign suppliers = is_ask ? sharers_q : others;
  integer known;  // number of known sharers
  always_comb begin : count_sharers
    integer i;
    known = 0;
    for (i = 0; i < Cus; i = i + 1) begin
      if (sharers_q[i]) known = known + 1;
    end
  end
  logic is_full;  // all pointers in use
  assign is_full = HasPointers && known == Pointers;

  // The watched line's state after the offered response.
  logic             begins, goes, watches_d, has_gone_d, empty_d;
  logic [LineW-1:0] watched_d, gone_d;
  logic [Cus-1:0]   marks_d, sharers_d;
  assign begins     = takes && (!watches_q || ends || idle_q >= Patience);
  assign goes       = freed_response_i || dropped_response_i;
  assign watches_d  = begins || (watches_q && !ends);
  assign watched_d  = begins ? line : watched_q;
  assign has_gone_d = !is_flush && (goes || (has_gone_q && !(takes && line == gone_q)));
  assign gone_d     = freed_response_i ? line : (dropped_response_i ? dropped_line_response_i : gone_q);
  assign empty_d    = is_flush || (empty_q && !takes);
  always_comb begin : watch
    marks_d   = marks_q;
    sharers_d = sharers_q;
    if (begins) begin
      marks_d   = me;
      sharers_d = {Cus{1'b0}};
    end else if (here) begin
      if (is_lookup && will_fill) marks_d = marks_q | me;
      if (is_fill) marks_d = marks_q & ~me;
      if (filled_response_i) sharers_d = (sharers_q & ~displaced) | me;
      if (removed_response_i) sharers_d = others;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      watches_q  <= 1'b0;
      has_gone_q <= 1'b0;
      empty_q    <= 1'b1;
    end else if (answered) begin
      watches_q  <= watches_d;
      has_gone_q <= has_gone_d;
      empty_q    <= empty_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (answered) begin
      watched_q <= watched_d;
      marks_q   <= marks_d;
      sharers_q <= sharers_d;
      gone_q    <= gone_d;
      if (goes) gone_marks_q <= (watches_q && ends) ? marks_q : {Cus{1'b0}};
      if (begins || here) idle_q <= 7'd0;
      else if (idle_q < Patience) idle_q <= idle_q + 7'd1;
    end
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i &&
            index_response_i == $past(index_response_i) &&
            found_response_i == $past(found_response_i) &&
            hit_response_i == $past(hit_response_i) &&
            supplier_response_i == $past(supplier_response_i) &&
            filled_response_i == $past(filled_response_i) &&
            displaced_response_i == $past(displaced_response_i) &&
            displaced_cu_response_i == $past(displaced_cu_response_i) &&
            removed_response_i == $past(removed_response_i) &&
            last_sharer_response_i == $past(last_sharer_response_i) &&
            freed_response_i == $past(freed_response_i) &&
            dropped_response_i == $past(dropped_response_i) &&
            dropped_line_response_i == $past(dropped_line_response_i));
      end
      if (request_valid_i) a_cu: assert ({1'b0, cu_i} < Units);
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      a_answered: assert (oldest == 0 || response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_index: assert (index_response_i == (is_flush ? {IndexW{1'b0}} : set_of_line) &&
                       (!dropped_response_i || (set_of_dropped == index_response_i &&
                                                dropped_line_response_i != line)));
      if (here) a_watched: assert (found_response_i);
      if (here && (is_lookup || is_ask)) begin
        a_supplier: assert (hit_response_i == |suppliers &&
                            (!hit_response_i || |(supplier & suppliers)));
      end
      if (here && is_fill) begin
        a_fill: assert (filled_response_i == |(marks_q & me) &&
                        displaced_response_i == (filled_response_i && !(|(sharers_q & me)) &&
                                                 is_full) &&
                        (!displaced_response_i || |(displaced & sharers_q)));
      end
      if (here && is_evict) begin
        a_evict: assert (removed_response_i == |(sharers_q & me) &&
                         last_sharer_response_i == (removed_response_i && !(|others)) &&
                         freed_response_i == (last_sharer_response_i && !(|marks_q)));
      end
      if (has_gone_q && !is_flush && line == gone_q) a_gone: assert (!found_response_i);
      if (empty_q) a_empty: assert (!found_response_i && !dropped_response_i);
      a_named: assert ((found_response_i || (!hit_response_i && !filled_response_i &&
                                             !removed_response_i && !freed_response_i)) &&
                       (!is_flush || !found_response_i) && (is_lookup || is_ask || !hit_response_i) &&
                       (hit_response_i || supplier_response_i == 0) &&
                       (is_fill || !filled_response_i) &&
                       (filled_response_i || !displaced_response_i) &&
                       (displaced_response_i || displaced_cu_response_i == 0) &&
                       (is_evict || !removed_response_i) &&
                       (removed_response_i || !last_sharer_response_i) &&
                       ((is_write || is_coherent) ? freed_response_i == found_response_i
                                                  : (last_sharer_response_i || !freed_response_i)) &&
                       (takes || !dropped_response_i) &&
                       (dropped_response_i || dropped_line_response_i == 0));
    end
  end

  // For the cover points: the last answer.
  logic [2:0]        last_op_q;
  logic [LineW-1:0]  last_line_q;
  logic [IndexW-1:0] last_index_q;
  logic [CuW-1:0]    last_cu_q, last_supplier_q;
  logic              last_hit_q, last_took_q, last_any_q, last_flush;
  assign last_flush = last_op_q > COHERENT && last_op_q != ASK;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_any_q <= 1'b0;
    else if (answered) last_any_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (answered) begin
      last_op_q       <= op;
      last_line_q     <= line;
      last_index_q    <= index_response_i;
      last_cu_q       <= cu;
      last_supplier_q <= supplier_response_i;
      last_hit_q      <= hit_response_i;
      last_took_q     <= takes;
    end
  end
  logic follows, follows_set, follows_line;  // the request was accepted right behind the last answered
  assign follows      = answered && behind && last_any_q;
  assign follows_set  = follows && !is_flush && !last_flush &&
                        index_response_i == last_index_q;
  assign follows_line = follows_set && line == last_line_q;

  logic hits, found;
  assign hits  = answered && hit_response_i;
  assign found = answered && found_response_i;
  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_hit_and_mark: cover (hits && will_fill);
      c_hit_only: cover (hits && !will_fill);
      c_first_supplier: cover (hits && supplier_response_i == 0);
      c_last_supplier: cover (hits && {1'b0, supplier_response_i} == LastCu[CuW:0]);
      c_turns: cover (hits && last_hit_q && line == last_line_q &&
                      supplier_response_i > last_supplier_q);
      c_round: cover (hits && last_hit_q && line == last_line_q &&
                      supplier_response_i < last_supplier_q);
      c_same_again: cover (hits && last_hit_q && line == last_line_q &&
                           supplier_response_i == last_supplier_q);
      c_skips_itself: cover (hits && is_lookup && here && |(sharers_q & me));
      c_alone: cover (found && is_lookup && here && !hit_response_i && |(sharers_q & me));
      c_only_marks: cover (found && is_lookup && here && sharers_q == 0 && |marks_q);
      c_mark_again: cover (found && is_lookup && here && will_fill && |(marks_q & me));
      c_miss_only: cover (answered && is_lookup && !found_response_i && !will_fill);
      c_take_free: cover (answered && takes && !dropped_response_i);
      c_take_drops: cover (answered && dropped_response_i);
      c_drop_watched: cover (answered && dropped_response_i && watches_q &&
                             dropped_line_response_i == watched_q && |sharers_q);
      c_fill: cover (answered && filled_response_i && !displaced_response_i);
      c_fill_displaces: cover (answered && displaced_response_i);
      c_fill_sharer: cover (answered && filled_response_i && here && |(sharers_q & me));
      c_fill_without_mark: cover (found && is_fill && !filled_response_i);
      c_fill_nothing: cover (answered && is_fill && !found_response_i);
      c_fill_after_all_went: cover (answered && is_fill && !found_response_i && has_gone_q &&
                                    line == gone_q && |(gone_marks_q & me));
      c_fill_new_entry: cover (found && is_fill && !filled_response_i && here && !has_gone_q &&
                               line == gone_q && |(gone_marks_q & me));
      c_evict: cover (answered && removed_response_i && !last_sharer_response_i);
      c_evict_last: cover (answered && last_sharer_response_i && freed_response_i);
      c_evict_last_but_marks: cover (answered && last_sharer_response_i && !freed_response_i);
      c_evict_own_mark: cover (answered && last_sharer_response_i && here && |(marks_q & me));
      c_evict_unknown: cover (found && is_evict && !removed_response_i);
      c_evict_nothing: cover (answered && is_evict && !found_response_i);
      c_write: cover (found && is_write);
      c_write_shared: cover (found && is_write && here && |others);
      c_write_nothing: cover (answered && is_write && !found_response_i);
      c_coherent: cover (found && is_coherent);
      c_coherent_nothing: cover (answered && is_coherent && !found_response_i);
      c_ask: cover (hits && is_ask && here && |others);
      c_ask_own_number: cover (hits && is_ask && supplier_response_i == cu);
      c_ask_only_sharer: cover (hits && is_ask && here && others == 0);
      c_ask_only_marks: cover (found && is_ask && here && sharers_q == 0);
      c_ask_nothing: cover (answered && is_ask && !found_response_i && will_fill);
      c_ask_turns: cover (hits && is_ask && last_hit_q && line == last_line_q &&
                          supplier_response_i != last_supplier_q);
      c_flush_in_flight: cover (accepted && op_i > COHERENT && op_i != ASK && is_full_queue);
      c_flush_behind: cover (follows && is_flush && !last_flush);
      c_behind_flush: cover (follows && last_flush && is_lookup);
      c_same_set: cover (follows_set && line != last_line_q && takes && last_took_q);
      c_same_line: cover (follows_line && is_lookup && last_took_q && cu != last_cu_q);
      c_lookup_then_fill: cover (follows_line && filled_response_i && last_took_q);
      c_fill_then_lookup: cover (follows_line && hit_response_i && last_op_q == FILL &&
                                 supplier_response_i == last_cu_q);
      c_fill_then_evict: cover (follows_line && freed_response_i && last_op_q == FILL &&
                                is_evict);
      c_fill_then_ask: cover (follows_line && hit_response_i && is_ask && last_op_q == FILL &&
                              supplier_response_i == last_cu_q);
      c_write_then_ask: cover (follows_line && is_ask && !found_response_i && last_op_q == WRITE);
      c_write_then_lookup: cover (follows_line && takes && last_op_q == WRITE);
      c_write_then_fill: cover (follows_line && is_fill && last_op_q == WRITE);
      c_evict_then_lookup: cover (follows_line && takes && last_op_q == EVICT);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "sharing_tracker_invariant.svh"
`endif

`ifdef GOLDMEM_CROSS
  logic cross_set, cross_line, cross_flush;
  assign cross_flush = behind && last_any_q && last_flush;
  assign cross_line  = behind && last_any_q && !last_flush && !is_flush && line == last_line_q;
  assign cross_set   = behind && last_any_q && !last_flush && !is_flush &&
                       line != last_line_q && index_response_i == last_index_q;
  logic [22:0] cross_kind;
  logic [3:0] cross_hazard;
  assign cross_kind[0] = is_lookup && hit_response_i && !will_fill;
  assign cross_kind[1] = is_lookup && hit_response_i && will_fill;
  assign cross_kind[2] = is_lookup && found_response_i && !hit_response_i && !will_fill;
  assign cross_kind[3] = is_lookup && found_response_i && !hit_response_i && will_fill;
  assign cross_kind[4] = is_lookup && !found_response_i && !will_fill;
  assign cross_kind[5] = takes && !dropped_response_i;
  assign cross_kind[6] = takes && dropped_response_i;
  assign cross_kind[7] = filled_response_i && !displaced_response_i;
  assign cross_kind[8] = filled_response_i && displaced_response_i;
  assign cross_kind[9] = is_fill && found_response_i && !filled_response_i;
  assign cross_kind[10] = is_fill && !found_response_i;
  assign cross_kind[11] = removed_response_i && !freed_response_i;
  assign cross_kind[12] = is_evict && freed_response_i;
  assign cross_kind[13] = is_evict && found_response_i && !removed_response_i;
  assign cross_kind[14] = is_evict && !found_response_i;
  assign cross_kind[15] = is_write && found_response_i;
  assign cross_kind[16] = is_write && !found_response_i;
  assign cross_kind[17] = is_coherent && found_response_i;
  assign cross_kind[18] = is_coherent && !found_response_i;
  assign cross_kind[19] = is_flush;
  assign cross_kind[20] = is_ask && hit_response_i;
  assign cross_kind[21] = is_ask && found_response_i && !hit_response_i;
  assign cross_kind[22] = is_ask && !found_response_i;
  assign cross_hazard[0] = !(cross_set || cross_line || cross_flush);
  assign cross_hazard[1] = cross_set;
  assign cross_hazard[2] = cross_line;
  assign cross_hazard[3] = cross_flush;
  cross_cover #(
    .Kinds  (23),
    .Hazards(4)
  ) u_cross (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .response_valid_i (response_valid_i),
    .response_ready_i (response_ready_i),
    .kind_i           (cross_kind),
    .hazard_i         (cross_hazard)
  );
`endif

endmodule

`default_nettype wire
