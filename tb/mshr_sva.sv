// Checkers and cover points of mshr; the lockstep top and the formal harness instantiate them. They
// rebuild the entries from the answers, in order, and check each answer against them.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_outcome          the outcome is one of the three; the reason of a FAIL is one of the three
//   a_merged           MERGED: into the open entry of the line, within the bound
//   a_new              NEW: the lowest free entry, of a line without an open entry and with at most
//                      one closed one, and with permission
//   a_fail             FAIL: its reason is the one that applies
//   a_error            error exactly when the id is free
//   a_delivered        a RESPONSE answers each requester once, in order, with the entry's line
//   a_install          only the first RESPONSE of an entry that was not closed installs
//   a_close, a_flush   CLOSE finds the open entry of its line; FLUSH tells whether an entry was open
//   a_named            fields that the outcome does not name are 0
//   a_conserved        the number of waiting requesters is 0 exactly when no entry is in use
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/mshr.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than two are in flight
//   a_answered         a request in flight is answered in the next cycle at the latest
// For proofs only: tb/mshr_invariant.svh.
`default_nettype none

module mshr_sva #(
  parameter integer Entries    = 32,
  parameter integer Merges     = 8,
  parameter integer LineW      = 42,
  parameter integer RequesterW = 16,
  localparam integer IdW        = (Entries < 3) ? 1 : $clog2(Entries),
  localparam integer MergeW     = (Merges < 3) ? 1 : $clog2(Merges)
) (
  input wire logic                  clk_i,
  input wire logic                  rst_ni,

  input wire logic                  request_valid_i,
  input wire logic                  request_ready_i,
  input wire logic [2:0]            op_i,
  input wire logic [LineW-1:0]      line_i,
  input wire logic [RequesterW-1:0] requester_i,
  input wire logic [IdW-1:0]        id_i,
  input wire logic                  may_allocate_i,

  input wire logic                  response_valid_i,
  input wire logic                  response_ready_i,
  input wire logic [1:0]            outcome_response_i,
  input wire logic [1:0]            reason_response_i,
  input wire logic [IdW-1:0]        id_response_i,
  input wire logic [MergeW:0]       count_response_i,
  input wire logic [RequesterW-1:0] requester_response_i,
  input wire logic [LineW-1:0]      line_response_i,
  input wire logic                  install_response_i,
  input wire logic                  closed_response_i,
  input wire logic                  error_response_i
);

`include "mshr_constants.svh"
  localparam [MergeW:0] One = 1, Bound = Merges[MergeW:0];
  localparam integer LastId = Entries - 1, LastSlot = Merges - 1;

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight, and requests in flight for two cycles.
  localparam integer RequestW = 3 + LineW + RequesterW + IdW + 1;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  logic [2:0]            op;
  logic [LineW-1:0]      line;
  logic [RequesterW-1:0] requester;
  logic [IdW-1:0]        id;
  logic                  may_allocate;
  assign offered = {op_i, line_i, requester_i, id_i, may_allocate_i};
  assign {op, line, requester, id, may_allocate} = waiting_requests[RequestW-1:0];
  request_queue #(
    .Width (RequestW),
    .Stages(2)
  ) queue (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .accepted_i (accepted),
    .answered_i (answered),
    .offered_i  (offered),
    .was_reset_o(was_reset),
    .waiting_o  (waiting_requests),
    .behind_o   (behind),
    .inside_o   ({older, in_flight}),
    .full_o     (is_full_queue),
    .fits_o     (fits),
    .agrees_o   (agrees)
  );

  // The entries: requesters left in each, and the slot of the next one.
  logic [Entries-1:0]    in_use_q, open_q;
  logic [LineW-1:0]      entry_line_q [0:Entries-1];
  logic [MergeW:0]       left_q       [0:Entries-1];
  logic [MergeW-1:0]     next_q       [0:Entries-1];
  logic [RequesterW-1:0] waiting_q    [0:(1<<(IdW+MergeW))-1];
  logic [IdW+MergeW:0]   held_q;  // requesters of all entries

  logic           has_open, has_free, id_in_use;
  logic [1:0]     same;  // entries of the line
  logic [IdW-1:0] open_id, free_id;
  always_comb begin : look_up
    integer i;
    has_open  = 1'b0;
    has_free  = 1'b0;
    id_in_use = 1'b0;
    same      = 2'd0;
    open_id   = {IdW{1'b0}};
    free_id   = {IdW{1'b0}};
    for (i = Entries - 1; i >= 0; i = i - 1) begin
      if (!in_use_q[i]) begin
        has_free = 1'b1;
        free_id  = i[IdW-1:0];
      end else begin
        if (id == i[IdW-1:0]) id_in_use = 1'b1;
        if (entry_line_q[i] == line) begin
          same = same + 2'd1;
          if (open_q[i]) begin
            has_open = 1'b1;
            open_id  = i[IdW-1:0];
          end
        end
      end
    end
  end

  logic is_response, is_probe, asks, takes, delivers;
  assign is_response = op == RESPONSE_OP;
  assign is_probe    = op >= PROBE_OP;
  assign asks        = op == REQUEST_OP || is_probe;
  assign takes       = op == REQUEST_OP && outcome_response_i != FAIL;
  assign delivers    = is_response && !error_response_i;

  logic [MergeW-1:0] slot;  // of the accepted requester: an open entry begins at slot 0
  assign slot = count_response_i[MergeW-1:0] - One[MergeW-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_use_q <= {Entries{1'b0}};
      open_q   <= {Entries{1'b0}};
      held_q   <= {IdW+MergeW+1{1'b0}};
    end else if (answered) begin
      if (takes) begin
        in_use_q[id_response_i] <= 1'b1;
        open_q[id_response_i]   <= 1'b1;
        held_q                  <= held_q + 1'b1;
      end
      if (delivers) begin
        if (count_response_i == 0) in_use_q[id] <= 1'b0;
        open_q[id] <= 1'b0;
        held_q     <= held_q - 1'b1;
      end
      if (op == CLOSE_OP && closed_response_i) open_q[id_response_i] <= 1'b0;
      if (op == FLUSH_OP) open_q <= {Entries{1'b0}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (answered && takes) begin
      waiting_q[{id_response_i, slot}] <= requester;
      left_q[id_response_i]            <= count_response_i;
      if (outcome_response_i == NEW) begin
        entry_line_q[id_response_i] <= line;
        next_q[id_response_i]       <= {MergeW{1'b0}};
      end
    end
    if (answered && delivers) begin
      left_q[id] <= count_response_i;
      next_q[id] <= next_q[id] + One[MergeW-1:0];
    end
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i &&
            outcome_response_i == $past(outcome_response_i) &&
            reason_response_i == $past(reason_response_i) &&
            id_response_i == $past(id_response_i) && count_response_i == $past(count_response_i) &&
            requester_response_i == $past(requester_response_i) &&
            line_response_i == $past(line_response_i) &&
            install_response_i == $past(install_response_i) &&
            closed_response_i == $past(closed_response_i) &&
            error_response_i == $past(error_response_i));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      if ($past(in_flight > {8'd0, answered})) a_answered: assert (response_valid_i);
`endif
      a_conserved: assert ((held_q == 0) == (in_use_q == {Entries{1'b0}}));
    end
    if (!was_reset && response_valid_i) begin
      a_outcome: assert (outcome_response_i <= FAIL && reason_response_i <= FAIL_MISS_QUEUE);
      if (asks && outcome_response_i == MERGED) begin
        a_merged: assert (has_open && id_response_i == open_id &&
                          count_response_i == left_q[open_id] + One && count_response_i <= Bound);
      end
      if (asks && outcome_response_i == NEW) begin
        a_new: assert (!has_open && same < 2'd2 && has_free && id_response_i == free_id &&
                       count_response_i == One && may_allocate);
      end
      if (asks && outcome_response_i == FAIL) begin
        a_fail: assert ((has_open && left_q[open_id] == Bound) ? reason_response_i == FAIL_MERGE :
                        !has_open && (has_free && same < 2'd2 ?
                                      reason_response_i == FAIL_MISS_QUEUE && !may_allocate :
                                      reason_response_i == FAIL_ENTRY));
      end
      if (is_response) begin
        a_error: assert (error_response_i == !id_in_use && id_response_i == id);
        a_install: assert (install_response_i == (id_in_use && open_q[id]));
      end
      if (delivers) begin
        a_delivered: assert (line_response_i == entry_line_q[id] &&
                             requester_response_i == waiting_q[{id, next_q[id]}] &&
                             left_q[id] != 0 && count_response_i == left_q[id] - One);
      end
      if (op == CLOSE_OP) begin
        a_close: assert (closed_response_i == has_open && id_response_i == open_id);
      end
      if (op == FLUSH_OP) begin
        a_flush: assert (closed_response_i == (open_q != {Entries{1'b0}}) && id_response_i == 0);
      end
      a_named: assert ((asks || (outcome_response_i == 0 && reason_response_i == 0)) &&
                       (outcome_response_i == FAIL || reason_response_i == 0) &&
                       (!asks || outcome_response_i != FAIL || id_response_i == 0) &&
                       ((asks && outcome_response_i != FAIL) || delivers || count_response_i == 0) &&
                       (delivers || (requester_response_i == 0 && line_response_i == 0)) &&
                       (is_response || (!install_response_i && !error_response_i)) &&
                       (op == CLOSE_OP || op == FLUSH_OP || !closed_response_i));
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "mshr_invariant.svh"
`endif

  // For the cover points: the last answer and the last accepted request.
  logic             last_freed_q, last_took_q, last_probe_q, accepted_q;
  logic [IdW-1:0]   last_id_q;
  logic [2:0]       accepted_op_q;
  logic [LineW-1:0] accepted_line_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_freed_q <= 1'b0;
      last_took_q  <= 1'b0;
      last_probe_q <= 1'b0;
      accepted_q   <= 1'b0;
    end else begin
      accepted_q <= accepted;
      if (answered) begin
        last_freed_q <= delivers && count_response_i == 0;
        last_took_q  <= takes;
        last_probe_q <= is_probe;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (answered) last_id_q <= id_response_i;
    if (accepted) begin
      accepted_op_q   <= op_i;
      accepted_line_q <= line_i;
    end
  end

  logic fails, probe_fails, new_entry, merged;
  assign new_entry   = answered && op == REQUEST_OP && outcome_response_i == NEW;
  assign merged      = answered && op == REQUEST_OP && outcome_response_i == MERGED;
  assign fails       = answered && op == REQUEST_OP && outcome_response_i == FAIL;
  assign probe_fails = answered && is_probe && outcome_response_i == FAIL;

  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_new: cover (new_entry);
      c_new_last_id: cover (new_entry && id_response_i == LastId[IdW-1:0]);
      c_new_at_once_reused: cover (new_entry && last_freed_q && id_response_i == last_id_q);
      c_new_beside_closed: cover (new_entry && same == 2'd1);
      c_new_fills_table: cover (new_entry && (in_use_q | (in_use_q + 1'b1)) == {Entries{1'b1}});
      c_merged: cover (merged);
      c_merged_to_bound: cover (merged && count_response_i == Bound);
      c_fail_entry_full: cover (fails && reason_response_i == FAIL_ENTRY && !has_free && same < 2'd2);
      c_fail_entry_third: cover (fails && reason_response_i == FAIL_ENTRY && has_free);
      c_fail_merge: cover (fails && reason_response_i == FAIL_MERGE && has_free);
      c_fail_merge_and_full: cover (fails && reason_response_i == FAIL_MERGE && !has_free);
      c_fail_miss_queue: cover (fails && reason_response_i == FAIL_MISS_QUEUE);
      c_merged_without_permission: cover (merged && !may_allocate);
      c_probe_new: cover (answered && is_probe && outcome_response_i == NEW);
      c_probe_merged: cover (answered && is_probe && outcome_response_i == MERGED);
      c_probe_fail_entry: cover (probe_fails && reason_response_i == FAIL_ENTRY);
      c_probe_fail_merge: cover (probe_fails && reason_response_i == FAIL_MERGE);
      c_probe_fail_miss_queue: cover (probe_fails && reason_response_i == FAIL_MISS_QUEUE);
      c_probe_then_new: cover (new_entry && last_probe_q);
      c_install: cover (answered && install_response_i);
      c_response_closed: cover (answered && delivers && next_q[id] == 0 && !install_response_i);
      c_response_more: cover (answered && delivers && next_q[id] != 0);
      c_response_full_entry: cover (answered && delivers && next_q[id] == LastSlot[MergeW-1:0]);
      c_response_after_take: cover (answered && delivers && last_took_q && id == last_id_q);
      c_response_error: cover (answered && error_response_i);
      c_close: cover (answered && op == CLOSE_OP && closed_response_i && same == 2'd1);
      c_close_second: cover (answered && op == CLOSE_OP && closed_response_i && same == 2'd2);
      c_close_closed: cover (answered && op == CLOSE_OP && !closed_response_i && same != 2'd0);
      c_close_nothing: cover (answered && op == CLOSE_OP && same == 2'd0);
      c_flush: cover (answered && op == FLUSH_OP && (open_q & (open_q - 1'b1)) != 0);
      c_flush_nothing: cover (answered && op == FLUSH_OP && !closed_response_i);
      c_flush_closed: cover (answered && op == FLUSH_OP && !closed_response_i && held_q != 0);
      c_back_to_back: cover (accepted && accepted_q && op_i == REQUEST_OP &&
                             accepted_op_q == REQUEST_OP && line_i == accepted_line_q);
      c_close_behind_request: cover (accepted && accepted_q && op_i == CLOSE_OP &&
                                     accepted_op_q == REQUEST_OP && line_i == accepted_line_q);
      c_full_and_waiting: cover (in_flight == 2 && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (in_flight == 2 && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  // For the crosses: the request before the answered one.
  logic             cross_line, cross_entry, cross_flush, before_any_q;
  logic [2:0]       before_op_q;
  logic [LineW-1:0] before_line_q;
  logic [IdW-1:0]   before_id_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) before_any_q <= 1'b0;
    else if (answered) before_any_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (answered) begin
      before_op_q   <= op;
      before_line_q <= (delivers) ? line_response_i : line;
      before_id_q   <= id_response_i;
    end
  end
  assign cross_flush = behind && before_any_q && before_op_q == FLUSH_OP;
  assign cross_entry = behind && before_any_q && before_op_q != FLUSH_OP && is_response &&
                       id == before_id_q;
  assign cross_line  = behind && before_any_q && before_op_q != FLUSH_OP &&
                       (asks || op == CLOSE_OP) && line == before_line_q;
  logic [16:0] cross_kind;
  logic [3:0] cross_hazard;
  assign cross_kind[0] = op == REQUEST_OP && outcome_response_i == NEW;
  assign cross_kind[1] = op == REQUEST_OP && outcome_response_i == MERGED;
  assign cross_kind[2] = op == REQUEST_OP && reason_response_i == FAIL_ENTRY;
  assign cross_kind[3] = op == REQUEST_OP && reason_response_i == FAIL_MERGE;
  assign cross_kind[4] = op == REQUEST_OP && reason_response_i == FAIL_MISS_QUEUE;
  assign cross_kind[5] = is_probe && outcome_response_i == NEW;
  assign cross_kind[6] = is_probe && outcome_response_i == MERGED;
  assign cross_kind[7] = is_probe && reason_response_i == FAIL_ENTRY;
  assign cross_kind[8] = is_probe && reason_response_i == FAIL_MERGE;
  assign cross_kind[9] = is_probe && reason_response_i == FAIL_MISS_QUEUE;
  assign cross_kind[10] = is_response && install_response_i;
  assign cross_kind[11] = delivers && !install_response_i;
  assign cross_kind[12] = is_response && error_response_i;
  assign cross_kind[13] = op == CLOSE_OP && closed_response_i;
  assign cross_kind[14] = op == CLOSE_OP && !closed_response_i;
  assign cross_kind[15] = op == FLUSH_OP && closed_response_i;
  assign cross_kind[16] = op == FLUSH_OP && !closed_response_i;
  assign cross_hazard[0] = !(cross_line || cross_entry || cross_flush);
  assign cross_hazard[1] = cross_line;
  assign cross_hazard[2] = cross_entry;
  assign cross_hazard[3] = cross_flush;
  cross_cover #(
    .Kinds  (17),
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
