// Checkers and cover points of tc_l1; the lockstep top and the formal harness instantiate them. They
// rebuild each slot's copy, lease, GWCT and count of UPGRs from the answers, in order, and with them
// determine every answer.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_slot             (duty of the environment) a slot is below Slots, except of a FLUSH
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_was              the state of the line before the operation [singh, Table 2 (left)]
//   a_load             LOAD: hits, merges or sends a GETS, and tells whether the lease is past
//   a_store            STORE: writes the copy and sends an UPGR, is refused, or sends a GETX
//   a_sends            ATOMIC, BYPASS: their messages; no message of the other operations
//   a_close            STORE, ATOMIC and BYPASS close the line's open entry, unless refused
//   a_unexpired        a hit is on a copy whose lease is not past
//   a_fill             FILL: installs a copy under an open entry and an unexpired lease, or error
//   a_answer           ACK, DATA_G: error without an UPGR; DATA_G: installs unless an UPGR is left
//   a_evict            EVICT: keeps a slot with UPGRs
//   a_named            fields that the operation does not name are 0
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/tc_l1.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than three are in flight
//   a_answered         a request is answered in the third cycle after it at the latest
// Cover points c_STATE_EVENT are the cells of Table 2: i, v, vm, iv (I with an open entry), ii.
// For proofs only: tb/tc_l1_invariant.svh.
`default_nettype none

module tc_l1_sva #(
  parameter integer  Slots   = 256,
  parameter integer  PendW   = 6,
  parameter integer  TimeW   = 32,
  parameter integer  Strong  = 0,
  parameter integer  Visible = 0,
  localparam integer SlotW   = (Slots < 3) ? 1 : $clog2(Slots)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  input wire logic             request_valid_i,
  input wire logic             request_ready_i,
  input wire logic [3:0]       op_i,
  input wire logic [SlotW-1:0] slot_i,
  input wire logic             present_i,
  input wire logic             open_i,
  input wire logic             lease_given_i,
  input wire logic [TimeW-1:0] timestamp_i,
  input wire logic [TimeW-1:0] visible_i,
  input wire logic [TimeW-1:0] now_i,

  input wire logic             response_valid_i,
  input wire logic             response_ready_i,
  input wire logic             hit_response_i,
  input wire logic             expired_response_i,
  input wire logic [2:0]       message_response_i,
  input wire logic [TimeW-1:0] timestamp_response_i,
  input wire logic [TimeW-1:0] visible_response_i,
  input wire logic             install_response_i,
  input wire logic             close_response_i,
  input wire logic             keep_response_i,
  input wire logic             refused_response_i,
  input wire logic             error_response_i,
  input wire logic [1:0]       was_response_i
);

`include "tc_l1_constants.svh"
  localparam [SlotW:0] AllSlots = Slots[SlotW:0];
  localparam [PendW-1:0] Limit = {PendW{1'b1}};
  localparam [TimeW-1:0] Last = {TimeW{1'b1}};

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight now, for two cycles, for three; and whether a request was accepted in the cycle
  // after the request before it.
  localparam integer RequestW = 4 + SlotW + 3 + 3 * TimeW;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older, oldest;
  logic                  was_reset, is_full_queue, fits, agrees;
  logic [3:0]            op;
  logic [SlotW-1:0]      slot;
  logic                  present, is_open, lease_given, behind;
  logic [TimeW-1:0]      timestamp, visible, now;
  assign offered = {op_i, slot_i, present_i, open_i, lease_given_i, timestamp_i, visible_i, now_i};
  assign {op, slot, present, is_open, lease_given, timestamp, visible, now} =
      waiting_requests[RequestW-1:0];
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

  // Each slot: copy, UPGRs without an answer (0 unless counted), lease and GWCT of the copy.
  logic [Slots-1:0] valid_q, counted_q;
  logic [PendW-1:0] pending_q [0:Slots-1];
  logic [TimeW-1:0] lease_q   [0:Slots-1];
  logic [TimeW-1:0] visible_q [0:Slots-1];

  // The slot of the oldest request.
  logic             is_flush, has_copy, copy, usable, past, waits;
  logic [PendW-1:0] pending;
  logic [TimeW-1:0] lease, gwct;
  assign is_flush = op >= FLUSH;
  assign has_copy = valid_q[slot];
  assign pending  = counted_q[slot] ? pending_q[slot] : {PendW{1'b0}};
  assign lease    = lease_q[slot];
  assign gwct     = visible_q[slot];
  assign copy     = present && has_copy;
  assign usable   = copy && !(now > lease);
  assign past     = copy && now > lease;
  assign waits    = present && pending != 0;

  // The slot after the offered response: what the answer says was done.
  logic             counts, uncounts, grants, drops, touches;
  logic             valid_d;
  logic [PendW-1:0] pending_d;
  logic [TimeW-1:0] lease_d, visible_d, larger;
  assign counts    = message_response_i == UPGR;
  assign uncounts  = (op == ACK || op == DATA_G) && !error_response_i;
  assign grants    = install_response_i || (op == ACK && !error_response_i && lease_given);
  assign drops     = (op == EVICT && !keep_response_i) ||
                     (present && (message_response_i == GETS || message_response_i == GETX ||
                                  message_response_i == ATOMIC_MESSAGE));
  assign touches   = !is_flush && (counts || uncounts || grants || drops);
  assign larger    = visible < gwct ? gwct : visible;
  assign valid_d   = install_response_i || (has_copy && !drops);
  assign pending_d = counts ? pending + 1'b1 : (uncounts ? pending - 1'b1 : pending);
  assign lease_d   = grants ? timestamp : lease;
  assign visible_d = op == FILL ? visible :
                     (uncounts && (op == ACK || install_response_i) ? larger : gwct);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q   <= {Slots{1'b0}};
      counted_q <= {Slots{1'b0}};
    end else if (answered) begin
      if (is_flush) valid_q <= {Slots{1'b0}};
      if (touches) begin
        valid_q[slot]   <= valid_d;
        counted_q[slot] <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (answered && touches) begin
      pending_q[slot] <= pending_d;
      lease_q[slot]   <= lease_d;
      visible_q[slot] <= visible_d;
    end
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i &&
            hit_response_i == $past(hit_response_i) &&
            expired_response_i == $past(expired_response_i) &&
            message_response_i == $past(message_response_i) &&
            timestamp_response_i == $past(timestamp_response_i) &&
            visible_response_i == $past(visible_response_i) &&
            install_response_i == $past(install_response_i) &&
            close_response_i == $past(close_response_i) &&
            keep_response_i == $past(keep_response_i) &&
            refused_response_i == $past(refused_response_i) &&
            error_response_i == $past(error_response_i) &&
            was_response_i == $past(was_response_i));
      end
      if (request_valid_i && op_i < FLUSH) a_slot: assert ({1'b0, slot_i} < AllSlots);
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      a_answered: assert (oldest == 0 || response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_was: assert (was_response_i == ((op >= EVICT) ? I :
                                        usable ? (waits ? V_M : V) : (waits ? I_I : I)));
      if (op == LOAD) begin
        a_load: assert (hit_response_i == (usable && !(waits && (Strong != 0 || Visible != 0))) &&
                        message_response_i == (hit_response_i ? NONE : is_open ? MERGE : GETS) &&
                        expired_response_i == (message_response_i == GETS && past) &&
                        visible_response_i == ((hit_response_i && Visible != 0) ? gwct : 0));
      end
      if (op == STORE) begin
        a_store: assert (hit_response_i == (usable && pending < Limit) &&
                         refused_response_i == (usable && pending == Limit) &&
                         message_response_i == (hit_response_i ? UPGR :
                                                refused_response_i ? NONE : GETX) &&
                         timestamp_response_i == (hit_response_i ? lease : 0));
      end
      if (op > STORE) begin
        a_sends: assert (message_response_i == (op == ATOMIC ? ATOMIC_MESSAGE :
                                                op == BYPASS ? GETS : NONE));
      end
      a_close: assert (close_response_i == (is_open && !refused_response_i &&
                                            (op == STORE || op == ATOMIC || op == BYPASS)));
      if (hit_response_i) a_unexpired: assert (copy && now <= lease);
      if (op == FILL) begin
        a_fill: assert (error_response_i == (present && is_open && (has_copy || waits)) &&
                        install_response_i == (present && is_open && lease_given &&
                                               !(now > timestamp) && !error_response_i));
      end
      if (op == ACK || op == DATA_G) begin
        a_answer: assert (error_response_i == !waits &&
                          install_response_i == (op == DATA_G && copy && pending == 1));
      end
      if (op == EVICT) a_evict: assert (keep_response_i == (pending != 0));
      a_named: assert ((op <= STORE || !hit_response_i) &&
                       (op == LOAD || (!expired_response_i && visible_response_i == 0)) &&
                       (op == STORE || (!refused_response_i && timestamp_response_i == 0)) &&
                       (op == FILL || op == ACK || op == DATA_G ||
                        (!error_response_i && !install_response_i)) &&
                       (op == EVICT || !keep_response_i));
    end
  end

  // For the cover points: the last two answers, of which the last is of the request accepted in the
  // cycle before this one's (behind), and the one before that likewise.
  logic             last_any_q, last_behind_q, last_touched_q, second_touched_q;
  logic [3:0]       last_op_q, second_op_q;
  logic [SlotW-1:0] last_slot_q, second_slot_q;
  logic [1:0]       last_was_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_any_q    <= 1'b0;
      last_behind_q <= 1'b0;
    end else if (answered) begin
      last_any_q    <= 1'b1;
      last_behind_q <= behind && last_any_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (answered) begin
      last_op_q        <= op;
      last_slot_q      <= slot;
      last_was_q       <= was_response_i;
      last_touched_q   <= touches;
      second_op_q      <= last_op_q;
      second_slot_q    <= last_slot_q;
      second_touched_q <= last_touched_q;
    end
  end
  logic follows, forwards, after_two;  // right behind a request; that wrote its slot; two behind one
  assign follows   = answered && behind && last_any_q;
  assign forwards  = follows && last_touched_q && slot == last_slot_q;
  assign after_two = follows && last_behind_q && second_touched_q && slot == second_slot_q &&
                     slot != last_slot_q;

  // The line's state and, without a request between, its state at the request before.
  logic in_i, in_v, in_vm, in_iv, in_ii, still;
  assign in_i  = answered && was_response_i == I && present && !is_open;
  assign in_v  = answered && was_response_i == V;
  assign in_vm = answered && was_response_i == V_M;
  assign in_iv = answered && was_response_i == I && present && is_open && !has_copy;
  assign in_ii = answered && was_response_i == I_I;
  assign still = last_any_q && !last_touched_q && slot == last_slot_q && last_op_q < EVICT && op < EVICT;

  logic is_evict, one;  // of EVICT, which does not answer the state; one UPGR is without an answer
  assign is_evict = answered && op == EVICT;
  assign one      = pending == 1;
  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_i_load: cover (in_i && op == LOAD && message_response_i == GETS);
      c_i_load_expired: cover (in_i && op == LOAD && expired_response_i);
      c_i_store: cover (in_i && op == STORE && message_response_i == GETX);
      c_i_atomic: cover (in_i && op == ATOMIC);
      c_i_bypass: cover (in_i && op == BYPASS);
      c_i_evict: cover (is_evict && !has_copy && pending == 0);
      c_i_fill_closed: cover (in_i && op == FILL && !error_response_i);
      c_i_ack_error: cover (in_i && op == ACK && error_response_i);
      c_i_data_g_error: cover (in_i && op == DATA_G && error_response_i);
      c_v_load: cover (in_v && op == LOAD && hit_response_i);
      c_v_store: cover (in_v && op == STORE && hit_response_i);
      c_v_atomic: cover (in_v && op == ATOMIC);
      c_v_bypass: cover (in_v && op == BYPASS);
      c_v_evict: cover (is_evict && has_copy && pending == 0);
      c_v_expire: cover (answered && still && last_was_q == V && was_response_i == I && copy);
      c_v_fill_error: cover (in_v && op == FILL && error_response_i);
      c_v_fill_closed: cover (in_v && op == FILL && !error_response_i);
      c_v_ack_error: cover (in_v && op == ACK && error_response_i);
      c_v_data_g_error: cover (in_v && op == DATA_G && error_response_i);
      c_vm_load: cover (in_vm && op == LOAD && hit_response_i);
      c_vm_load_misses: cover (in_vm && (Strong != 0 || Visible != 0) && op == LOAD &&
                               !hit_response_i);
      c_vm_store: cover (in_vm && op == STORE && hit_response_i);
      c_vm_atomic: cover (in_vm && op == ATOMIC);
      c_vm_bypass: cover (in_vm && op == BYPASS);
      c_vm_evict_kept: cover (is_evict && has_copy && keep_response_i);
      c_vm_expire: cover (answered && still && last_was_q == V_M && was_response_i == I_I && copy);
      c_vm_data_g: cover (in_vm && op == DATA_G && one && install_response_i);
      c_vm_data_g_more: cover (in_vm && op == DATA_G && !one && !install_response_i);
      c_vm_ack: cover (in_vm && op == ACK && one && lease_given);
      c_vm_ack_more: cover (in_vm && op == ACK && !one && lease_given);
      c_vm_ack_without_lease: cover (in_vm && op == ACK && !lease_given);
      c_iv_load: cover (in_iv && op == LOAD && message_response_i == MERGE);
      c_iv_store: cover (in_iv && op == STORE && close_response_i);
      c_iv_atomic: cover (in_iv && op == ATOMIC && close_response_i);
      c_iv_bypass: cover (in_iv && op == BYPASS && close_response_i);
      c_iv_fill: cover (in_iv && op == FILL && install_response_i);
      c_iv_fill_expired: cover (in_iv && op == FILL && lease_given && !install_response_i);
      c_iv_fill_without_lease: cover (in_iv && op == FILL && !lease_given);
      c_iv_ack_error: cover (in_iv && op == ACK && error_response_i);
      c_iv_data_g_error: cover (in_iv && op == DATA_G && error_response_i);
      c_ii_load: cover (in_ii && op == LOAD && message_response_i == GETS);
      c_ii_load_merges: cover (in_ii && op == LOAD && message_response_i == MERGE);
      c_ii_store: cover (in_ii && op == STORE && message_response_i == GETX);
      c_ii_atomic: cover (in_ii && op == ATOMIC);
      c_ii_bypass: cover (in_ii && op == BYPASS);
      c_ii_evict_kept: cover (is_evict && !has_copy && keep_response_i);
      c_ii_fill_error: cover (in_ii && op == FILL && !copy && error_response_i);
      c_ii_data_g: cover (in_ii && op == DATA_G && one && !copy && !install_response_i);
      c_ii_data_g_more: cover (in_ii && op == DATA_G && !one);
      c_ii_data_g_expired: cover (in_ii && op == DATA_G && past && install_response_i);
      c_ii_ack: cover (in_ii && op == ACK && one && !copy);
      c_ii_ack_more: cover (in_ii && op == ACK && !one && !copy);
      c_ii_ack_renews: cover (in_ii && op == ACK && past && lease_given && timestamp >= now);
      c_absent_load: cover (answered && op == LOAD && !present && has_copy);
      c_absent_ack: cover (answered && op == ACK && !present && pending != 0);
      c_absent_fill: cover (answered && op == FILL && !present && is_open && !error_response_i);
      c_now_is_lease: cover (in_v && op == LOAD && hit_response_i && now == lease);
      c_now_is_lease_more: cover (in_i && op == LOAD && past && now == lease + 1'b1);
      c_lease_last: cover (in_v && op == LOAD && hit_response_i && lease == Last && now == Last);
      c_fill_at_lease: cover (in_iv && op == FILL && install_response_i && now == timestamp);
      c_limit_reached: cover (answered && op == STORE && hit_response_i && pending_d == Limit);
      c_limit_refused: cover (answered && refused_response_i);
      c_limit_refused_open: cover (answered && refused_response_i && is_open);
      c_ack_at_limit: cover (answered && op == ACK && waits && pending == Limit);
      c_visible: cover (answered && Visible != 0 && visible_response_i != 0);
      c_visible_stays: cover (answered && Visible != 0 && op == ACK && copy && waits && gwct > visible);
      c_visible_grows: cover (answered && Visible != 0 && op == ACK && copy && waits && gwct < visible);
      c_visible_data_g: cover (answered && Visible != 0 && op == DATA_G && install_response_i && gwct > visible);
      c_fill_then_load: cover (forwards && last_op_q == FILL && op == LOAD && hit_response_i);
      c_fill_then_store: cover (forwards && last_op_q == FILL && op == STORE && hit_response_i);
      c_store_then_store: cover (forwards && last_op_q == STORE && op == STORE && hit_response_i);
      c_store_then_ack: cover (forwards && last_op_q == STORE && op == ACK && in_vm);
      c_ack_then_load: cover (forwards && last_op_q == ACK && op == LOAD && hit_response_i);
      c_data_g_then_load: cover (forwards && last_op_q == DATA_G && op == LOAD && hit_response_i);
      c_atomic_then_load: cover (forwards && last_op_q == ATOMIC && op == LOAD && !hit_response_i);
      c_evict_then_fill: cover (forwards && last_op_q == EVICT && install_response_i);
      c_two_ahead: cover (after_two && op == LOAD && hit_response_i && second_op_q == FILL);
      c_two_ahead_store: cover (after_two && op == STORE && hit_response_i && second_op_q == STORE);
      c_two_ahead_evict: cover (after_two && op == LOAD && !hit_response_i && second_op_q == EVICT);
      c_flush_behind_fill: cover (follows && is_flush && last_op_q == FILL && last_touched_q);
      c_flush_behind_store: cover (follows && is_flush && last_op_q == STORE && last_touched_q);
      c_behind_flush: cover (follows && last_op_q >= FLUSH && op == LOAD && present &&
                             !hit_response_i);
      c_behind_flush_counts: cover (follows && last_op_q >= FLUSH && op == ACK && !error_response_i);
      c_store_flush_ack: cover (follows && last_behind_q && last_op_q >= FLUSH && op == ACK &&
                                !error_response_i && second_op_q == STORE && second_touched_q &&
                                slot == second_slot_q);
      c_flush_in_flight: cover (accepted && op_i >= FLUSH && is_full_queue);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "tc_l1_invariant.svh"
`endif

`ifdef GOLDMEM_CROSS
  logic cross_write, cross_flush;
  assign cross_write = behind && last_any_q && last_touched_q && !is_flush && slot == last_slot_q;
  assign cross_flush = behind && last_any_q && last_op_q >= FLUSH;
  logic [17:0] cross_kind;
  logic [2:0]  cross_hazard;
  assign cross_kind[0]  = op == LOAD && hit_response_i;
  assign cross_kind[1]  = op == LOAD && message_response_i == MERGE;
  assign cross_kind[2]  = op == LOAD && message_response_i == GETS;
  assign cross_kind[3]  = op == STORE && hit_response_i;
  assign cross_kind[4]  = op == STORE && refused_response_i;
  assign cross_kind[5]  = op == STORE && message_response_i == GETX;
  assign cross_kind[6]  = op == ATOMIC;
  assign cross_kind[7]  = op == BYPASS;
  assign cross_kind[8]  = op == FILL && install_response_i;
  assign cross_kind[9]  = op == FILL && !install_response_i && !error_response_i;
  assign cross_kind[10] = op == FILL && error_response_i;
  assign cross_kind[11] = op == ACK && !error_response_i;
  assign cross_kind[12] = op == DATA_G && install_response_i;
  assign cross_kind[13] = op == DATA_G && !install_response_i && !error_response_i;
  assign cross_kind[14] = (op == ACK || op == DATA_G) && error_response_i;
  assign cross_kind[15] = op == EVICT && !keep_response_i;
  assign cross_kind[16] = keep_response_i;
  assign cross_kind[17] = is_flush;
  assign cross_hazard[0] = !(cross_write || cross_flush);
  assign cross_hazard[1] = cross_write;
  assign cross_hazard[2] = cross_flush;
  cross_cover #(
    .Kinds  (18),
    .Hazards(3)
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
