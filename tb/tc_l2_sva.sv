// Checkers and cover points of tc_l2; the lockstep top and the formal harness instantiate them. They
// rebuild each slot's lease, readers, owner and GWCT from the answers, in order, and with them
// determine every answer.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_slot             (duty of the environment) a slot is below Slots, except of a ROLLOVER; the SM of a
//                      GETS or UPGR is below Sms
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_was              the state of the line before the operation [singh, Table 2 (right)]
//   a_gets             GETS: DATA, with a lease no earlier than before and than now plus the lifetime
//   a_getx             GETX: ACK when no lease is unexpired, else ACK_G
//   a_upgr             UPGR: ACK, ACK_G or DATA_G, each with a lease but of an expired line
//   a_private          a private write is of the owner, whose copy is the only one
//   a_atomic           ATOMIC: DATA when no lease is unexpired, else DATA_G
//   a_gwct             the GWCT is the lease before the write: of every copy that is older
//   a_wait             TC-Strong: a write that is not private waits until the lease is past
//   a_lease_grows      a lease that is given is not earlier than the line's before
//   a_evict            EVICT: keeps an unexpired lease
//   a_visible          DATA carries the largest GWCT of the line's writes
//   a_named            fields that the operation does not name are 0
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/tc_l2.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than three are in flight
//   a_answered         a request is answered in the third cycle after it at the latest
// Cover points c_STATE_EVENT are the cells of Table 2: e, p, s; c_install_... those of I_S, I_M, M_I.
// For proofs only: tb/tc_l2_invariant.svh.
`default_nettype none

module tc_l2_sva #(
  parameter integer  Slots   = 1024,
  parameter integer  Sms     = 16,
  parameter integer  TimeW   = 32,
  parameter integer  Strong  = 0,
  parameter integer  Printed = 0,
  parameter integer  Visible = 0,
  localparam integer SlotW   = (Slots < 3) ? 1 : $clog2(Slots),
  localparam integer SmW     = (Sms < 3) ? 1 : $clog2(Sms)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  input wire logic             request_valid_i,
  input wire logic             request_ready_i,
  input wire logic [2:0]       op_i,
  input wire logic [SlotW-1:0] slot_i,
  input wire logic [SmW-1:0]   sm_i,
  input wire logic             no_lease_i,
  input wire logic [TimeW-1:0] timestamp_i,
  input wire logic [TimeW-1:0] now_i,
  input wire logic [TimeW-1:0] life_i,
  input wire logic             kept_i,
  input wire logic [TimeW-1:0] kept_lease_i,
  input wire logic             write_i,

  input wire logic             response_valid_i,
  input wire logic             response_ready_i,
  input wire logic [2:0]       answer_response_i,
  input wire logic             lease_given_response_i,
  input wire logic [TimeW-1:0] lease_response_i,
  input wire logic [TimeW-1:0] gwct_response_i,
  input wire logic [TimeW-1:0] visible_response_i,
  input wire logic [1:0]       was_response_i,
  input wire logic             is_private_response_i,
  input wire logic [TimeW-1:0] earliest_response_i,
  input wire logic             keep_response_i
);

`include "tc_l2_constants.svh"
  localparam [SlotW:0] AllSlots = Slots[SlotW:0];
  localparam [SmW:0] AllSms = Sms[SmW:0];
  localparam [TimeW-1:0] Last = {TimeW{1'b1}}, Never = 0;
  localparam Refetches = Printed % 2 != 0, Misses = Printed / 2 % 2 != 0, Increments = Printed / 4 != 0;

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight now, for two cycles, for three; and whether a request was accepted in the cycle
  // after the request before it.
  localparam integer RequestW = 3 + SlotW + SmW + 3 + 4 * TimeW;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older, oldest;
  logic                  was_reset, is_full_queue, fits, agrees;
  logic [2:0]            op;
  logic [SlotW-1:0]      slot;
  logic [SmW-1:0]        sm;
  logic                  no_lease, kept, for_write, behind;
  logic [TimeW-1:0]      timestamp, now, life, kept_lease;
  assign offered = {op_i, slot_i, sm_i, no_lease_i, timestamp_i, now_i, life_i, kept_i, kept_lease_i,
                    write_i};
  assign {op, slot, sm, no_lease, timestamp, now, life, kept, kept_lease, for_write} =
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

  // Each slot: its fields are 0 unless known.
  localparam integer RowW = 3 + SmW + 2 * TimeW;
  localparam [Slots-1:0] NoneKnown = 0;
  logic [Slots-1:0] known_q;
  logic [RowW-1:0]  row_q [0:Slots-1];

  // The slot of the oldest request.
  logic             is_rollover, is_write, asks, in_e, in_p, in_s, owned;
  logic [1:0]       readers;
  logic [SmW-1:0]   owner;
  logic [TimeW-1:0] lease, gwct;
  assign is_rollover = op >= ROLLOVER;
  assign is_write    = op == GETX || op == UPGR || op == ATOMIC;
  assign asks        = is_write || op == GETS || op == EVICT;
  assign {readers, owned, owner, lease, gwct} = known_q[slot] ? row_q[slot] : {RowW{1'b0}};
  assign in_e = now > lease;
  assign in_s = !in_e && readers == SHARED;
  assign in_p = !in_e && readers != SHARED;

  // What the answer should be: an UPGR's copy is the newest, and one more lease can be told from it.
  logic             newest, mine, latest;
  logic [TimeW-1:0] next_time;
  logic [TimeW:0]   wanted;
  assign newest    = op == UPGR && !in_e && timestamp == lease && lease < Last;
  assign mine      = newest && owned && owner == sm;
  assign latest    = newest && !owned;
  assign next_time = lease < Last ? lease + 1'b1 : Last;
  assign wanted    = {1'b0, now} + {1'b0, life};

  // The slot after the offered response.
  logic            reads, steps, prolongs, installs, touches;
  logic [RowW-1:0] row_d;
  assign reads    = op == GETS && lease_given_response_i;
  assign steps    = is_write && gwct_response_i == lease && !in_e &&
                    (answer_response_i == ACK_G || answer_response_i == DATA_G);
  assign prolongs = (is_private_response_i && lease_given_response_i) ||
                    (is_write && in_e && Increments);
  assign installs = op == INSTALL && kept && !(Misses && for_write);
  assign touches  = reads || steps || prolongs || op == INSTALL;
  always_comb begin
    row_d = {readers, owned, owner, lease, gwct};
    if (reads) begin
      row_d = (in_e || readers == NO_READER) ? {PRIVATE, 1'b1, sm, lease_response_i, gwct}
                                             : {SHARED, 1'b0, {SmW{1'b0}}, lease_response_i, gwct};
    end else if (steps) begin
      row_d = {PRIVATE, 1'b0, {SmW{1'b0}}, next_time, lease};
    end else if (prolongs) begin
      row_d = {readers, owned, owner, next_time, gwct};
    end else if (installs) begin
      row_d = {Refetches ? NO_READER : SHARED, 1'b0, {SmW{1'b0}}, kept_lease, kept_lease};
    end else if (op == INSTALL) begin
      row_d = {RowW{1'b0}};
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= NoneKnown;
    else if (answered && is_rollover) known_q <= NoneKnown;
    else if (answered && touches) known_q[slot] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (answered && touches) row_q[slot] <= row_d;
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i &&
            answer_response_i == $past(answer_response_i) &&
            lease_given_response_i == $past(lease_given_response_i) &&
            lease_response_i == $past(lease_response_i) &&
            gwct_response_i == $past(gwct_response_i) &&
            visible_response_i == $past(visible_response_i) &&
            was_response_i == $past(was_response_i) &&
            is_private_response_i == $past(is_private_response_i) &&
            earliest_response_i == $past(earliest_response_i) &&
            keep_response_i == $past(keep_response_i));
      end
      if (request_valid_i) begin
        a_slot: assert ((op_i >= ROLLOVER || {1'b0, slot_i} < AllSlots) &&
                        ((op_i != GETS && op_i != UPGR) || {1'b0, sm_i} < AllSms));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      a_answered: assert (oldest == 0 || response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_was: assert (was_response_i == ((!asks || in_e) ? E : in_s ? S : P));
      if (op == GETS) begin
        a_gets: assert (answer_response_i == DATA && lease_given_response_i == !no_lease &&
                        (no_lease || (lease_response_i >= lease &&
                                      (lease_response_i == lease ||
                                       {1'b0, lease_response_i} == wanted ||
                                       (lease_response_i == Last && wanted > {1'b0, Last})) &&
                                      (lease_response_i == Last || {1'b0, lease_response_i} >= wanted))));
      end
      if (op == GETX) begin
        a_getx: assert (answer_response_i == (in_e ? ACK : Strong != 0 ? WAIT : ACK_G) &&
                        !lease_given_response_i);
      end
      if (op == UPGR) begin
        a_upgr: assert (answer_response_i == ((in_e || mine) ? ACK : Strong != 0 ? WAIT :
                                              latest ? ACK_G : DATA_G) &&
                        lease_given_response_i == (in_e ? Increments : Strong == 0) &&
                        (!lease_given_response_i || lease_response_i == next_time));
      end
      a_private: assert (is_private_response_i == mine && (!mine || in_p));
      if (op == ATOMIC) begin
        a_atomic: assert (answer_response_i == (in_e ? (Increments ? DATA_G : DATA) :
                                                Strong != 0 ? WAIT : DATA_G) &&
                          !lease_given_response_i);
      end
      a_gwct: assert (gwct_response_i ==
                      ((answer_response_i == ACK_G || answer_response_i == DATA_G) ? lease : Never));
      a_wait: assert (earliest_response_i == (answer_response_i == WAIT ? next_time : Never) &&
                      (answer_response_i != WAIT || (Strong != 0 && !in_e && !mine)));
      if (lease_given_response_i) a_lease_grows: assert (lease_response_i >= lease);
      if (op == EVICT) begin
        a_evict: assert (keep_response_i == !in_e && lease_response_i == (in_e ? Never : lease));
      end
      a_visible: assert (visible_response_i ==
                         ((answer_response_i == DATA && Visible != 0) ? gwct : Never));
      a_named: assert ((op < INSTALL || answer_response_i == NONE) &&
                       (op < INSTALL || !lease_given_response_i) &&
                       (lease_given_response_i || keep_response_i || lease_response_i == 0) &&
                       (op == EVICT || !keep_response_i));
    end
  end

  // For the cover points: the last two answers, of which the last is of the request accepted in the
  // cycle before this one's (behind), and the one before that likewise.
  logic             last_any_q, last_behind_q, last_touched_q, second_touched_q;
  logic [2:0]       last_op_q, second_op_q;
  logic [SlotW-1:0] last_slot_q, second_slot_q;
  logic [SmW-1:0]   last_sm_q;
  logic [1:0]       last_was_q;
  logic             last_kept_q, last_strays_q;
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
      last_sm_q        <= sm;
      last_was_q       <= was_response_i;
      last_kept_q      <= kept;
      last_strays_q    <= steps;
      last_touched_q   <= touches;
      second_op_q      <= last_op_q;
      second_slot_q    <= last_slot_q;
      second_touched_q <= last_touched_q;
    end
  end
  logic follows, forwards, after_two;  // right behind a request; that wrote its slot; two behind one
  assign follows   = answered && behind && last_any_q;
  assign forwards  = follows && last_touched_q && slot == last_slot_q && !is_rollover;
  assign after_two = follows && last_behind_q && second_touched_q && slot == second_slot_q &&
                     slot != last_slot_q && last_op_q < ROLLOVER && !is_rollover;

  // The state that the operation asks for; without a change since the request before, last_was_q.
  logic at_e, at_p, at_s, still;
  assign at_e  = answered && asks && in_e;
  assign at_p  = answered && asks && in_p;
  assign at_s  = answered && asks && in_s;
  assign still = last_any_q && !last_touched_q && slot == last_slot_q && last_op_q < INSTALL;
  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_e_gets: cover (at_e && op == GETS && lease_given_response_i && lease != 0);
      c_e_getx: cover (at_e && op == GETX);
      c_e_upgr: cover (at_e && op == UPGR && answer_response_i == ACK);
      c_e_atomic: cover (at_e && op == ATOMIC && answer_response_i == DATA);
      c_e_evict: cover (at_e && op == EVICT);
      c_p_gets: cover (at_p && op == GETS && owned && owner != sm && lease_given_response_i);
      c_p_gets_owner: cover (at_p && op == GETS && owned && owner == sm && lease_given_response_i);
      c_p_gets_written: cover (at_p && op == GETS && !owned && readers == PRIVATE &&
                               lease_given_response_i);
      c_p_getx: cover (at_p && op == GETX && answer_response_i == ACK_G);
      c_p_upgr_private: cover (at_p && op == UPGR && is_private_response_i);
      c_p_upgr_latest: cover (at_p && op == UPGR && answer_response_i == ACK_G);
      c_p_upgr_other_owner: cover (at_p && op == UPGR && owned && owner != sm && timestamp == lease &&
                                   answer_response_i == DATA_G);
      c_p_upgr_older: cover (at_p && op == UPGR && timestamp < lease && answer_response_i == DATA_G);
      c_p_upgr_owner_older: cover (at_p && op == UPGR && owned && owner == sm && timestamp < lease &&
                                   answer_response_i == DATA_G);
      c_p_atomic: cover (at_p && op == ATOMIC && answer_response_i == DATA_G);
      c_p_evict: cover (at_p && op == EVICT && keep_response_i);
      c_p_expire: cover (answered && still && last_was_q == P && asks && was_response_i == E);
      c_s_gets: cover (at_s && op == GETS && lease_given_response_i);
      c_s_getx: cover (at_s && op == GETX && answer_response_i == ACK_G);
      c_s_upgr_latest: cover (at_s && op == UPGR && answer_response_i == ACK_G);
      c_s_upgr_older: cover (at_s && op == UPGR && timestamp < lease && answer_response_i == DATA_G);
      c_s_atomic: cover (at_s && op == ATOMIC && answer_response_i == DATA_G);
      c_s_evict: cover (at_s && op == EVICT && keep_response_i);
      c_s_expire: cover (answered && still && last_was_q == S && asks && was_response_i == E);
      c_install_for_read: cover (answered && op == INSTALL && !kept && !for_write);
      c_install_for_write: cover (answered && op == INSTALL && !kept && for_write);
      c_install_kept_for_read: cover (answered && op == INSTALL && kept && !for_write);
      c_install_kept_for_write: cover (answered && op == INSTALL && kept && for_write);
      c_install_over_lease: cover (answered && op == INSTALL && !kept && readers != NO_READER);
      c_install_then_gets: cover (forwards && last_op_q == INSTALL && !last_kept_q && op == GETS &&
                                  lease_given_response_i);
      c_install_then_getx: cover (forwards && last_op_q == INSTALL && last_kept_q && op == GETX &&
                                  answer_response_i == ACK_G);
      c_gets_then_gets: cover (forwards && last_op_q == GETS && op == GETS && at_p &&
                               lease_given_response_i && sm != last_sm_q);
      c_no_lease_e: cover (at_e && op == GETS && no_lease);
      c_no_lease_p: cover (at_p && op == GETS && no_lease);
      c_no_lease_s: cover (at_s && op == GETS && no_lease);
      c_wait_getx: cover (answered && op == GETX && answer_response_i == WAIT);
      c_wait_upgr: cover (answered && op == UPGR && answer_response_i == WAIT);
      c_wait_atomic: cover (answered && op == ATOMIC && answer_response_i == WAIT);
      c_wait_last: cover (answered && answer_response_i == WAIT && earliest_response_i == lease);
      c_strong_private: cover (answered && Strong != 0 && is_private_response_i);
      c_printed_getx: cover (at_e && Increments && op == GETX);
      c_printed_upgr: cover (at_e && Increments && op == UPGR);
      c_printed_atomic: cover (at_e && Increments && op == ATOMIC);
      c_printed_revives: cover (at_p && Increments && last_any_q && last_touched_q && last_was_q == E &&
                                last_op_q == GETX && slot == last_slot_q);
      c_printed_refetch: cover (at_p && Refetches && op == GETS && readers == NO_READER && lease != 0);
      c_printed_miss: cover (answered && Misses && op == INSTALL && kept && for_write);
      c_now_is_lease: cover (answered && asks && now == lease && lease != 0 && was_response_i != E);
      c_now_is_lease_more: cover (answered && asks && now == lease + 1'b1 && lease != 0 &&
                                  was_response_i == E);
      c_lease_stays: cover (answered && op == GETS && !in_e && lease_given_response_i &&
                            wanted < {1'b0, lease});
      c_lease_equal: cover (answered && op == GETS && !in_e && lease_given_response_i &&
                            wanted == {1'b0, lease});
      c_lease_saturates: cover (answered && op == GETS && lease_given_response_i &&
                                wanted > {1'b0, Last});
      c_lease_last: cover (answered && op == GETS && lease_given_response_i && wanted == {1'b0, Last});
      c_step_to_last: cover (answered && steps && next_time == Last && lease < Last);
      c_step_at_last: cover (answered && steps && lease == Last);
      c_upgr_at_last: cover (at_p && op == UPGR && owned && owner == sm && timestamp == lease &&
                             lease == Last && answer_response_i == DATA_G);
      c_upgr_at_last_written: cover (at_p && op == UPGR && !owned && timestamp == lease &&
                                     lease == Last && answer_response_i == DATA_G);
      c_visible: cover (answered && visible_response_i != 0);
      c_visible_of_step: cover (answered && visible_response_i != 0 && last_strays_q &&
                                slot == last_slot_q);
      c_gets_then_upgr: cover (forwards && last_op_q == GETS && is_private_response_i);
      c_upgr_then_upgr: cover (forwards && last_op_q == UPGR && is_private_response_i);
      c_upgr_then_getx: cover (forwards && last_op_q == UPGR && op == GETX && answer_response_i == ACK_G);
      c_getx_then_upgr: cover (forwards && last_op_q == GETX && op == UPGR && answer_response_i == ACK_G);
      c_atomic_then_gets: cover (forwards && last_op_q == ATOMIC && op == GETS && lease_given_response_i);
      c_gets_then_evict: cover (forwards && last_op_q == GETS && keep_response_i);
      c_two_ahead_gets: cover (after_two && second_op_q == GETS && is_private_response_i);
      c_two_ahead_upgr: cover (after_two && second_op_q == UPGR && op == UPGR && !in_e);
      c_two_ahead_install: cover (after_two && second_op_q == INSTALL && op == GETS);
      c_rollover_behind_gets: cover (follows && is_rollover && last_op_q == GETS && last_touched_q);
      c_behind_rollover: cover (follows && last_op_q >= ROLLOVER && op == EVICT && !keep_response_i);
      c_gets_rollover_upgr: cover (follows && last_behind_q && last_op_q >= ROLLOVER && op == UPGR &&
                                   second_op_q == GETS && second_touched_q && slot == second_slot_q &&
                                   in_e);
      c_rollover_in_flight: cover (accepted && op_i >= ROLLOVER && is_full_queue);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "tc_l2_invariant.svh"
`endif

`ifdef GOLDMEM_CROSS
  logic cross_write, cross_clear;
  assign cross_write = behind && last_any_q && last_touched_q && !is_rollover && slot == last_slot_q;
  assign cross_clear = behind && last_any_q && last_op_q >= ROLLOVER;
  logic [15:0] cross_kind;
  logic [2:0]  cross_hazard;
  assign cross_kind[0]  = op == GETS && no_lease;
  assign cross_kind[1]  = op == GETS && !no_lease && in_e;
  assign cross_kind[2]  = op == GETS && !no_lease && in_p;
  assign cross_kind[3]  = op == GETS && !no_lease && in_s;
  assign cross_kind[4]  = op == GETX && in_e;
  assign cross_kind[5]  = op == GETX && !in_e;
  assign cross_kind[6]  = op == UPGR && in_e;
  assign cross_kind[7]  = is_private_response_i;
  assign cross_kind[8]  = op == UPGR && answer_response_i == ACK_G;
  assign cross_kind[9]  = op == UPGR && answer_response_i == DATA_G;
  assign cross_kind[10] = op == ATOMIC && in_e;
  assign cross_kind[11] = op == ATOMIC && !in_e;
  assign cross_kind[12] = op == INSTALL;
  assign cross_kind[13] = op == EVICT && !keep_response_i;
  assign cross_kind[14] = keep_response_i;
  assign cross_kind[15] = is_rollover;
  assign cross_hazard[0] = !(cross_write || cross_clear);
  assign cross_hazard[1] = cross_write;
  assign cross_hazard[2] = cross_clear;
  cross_cover #(
    .Kinds  (16),
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
