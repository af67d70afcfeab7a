// Part of tc_l2_sva for proofs by induction: the invariant that relates the registers of rtl/tc_l2.sv,
// dut_NAME here (scripts/formal-block.sh), to the checkers' state. The RTL is ahead by the offered
// response. Each assertion holds in every reachable state; together with the checkers' assertions each
// follows from the cycle before.
//
//   i_inside   the requests in the pipeline are the accepted ones: in stages 1 and 2, and being answered
//   i_slots    each slot's row is the checkers'
//   i_row      the row in stage 2 is that of its slot
//   i_owner    a line with an owner is PRIVATE, and one without has owner 0
//   i_gwct     no GWCT is later than its line's lease
//   i_lease    a lease changes only by a GETS with a lease, a write and an INSTALL; the first two let it
//              grow only
  (* keep *) logic                   dut_u_stages__request_valid_q, dut_decide_valid_q, dut_fire;
  (* keep *) logic [2:0]             dut_request_op_q, dut_op_q;
  (* keep *) logic [SlotW-1:0]       dut_request_slot_q, dut_slot_q;
  (* keep *) logic [SmW-1:0]         dut_request_sm_q, dut_sm_q;
  (* keep *) logic                   dut_request_no_lease_q, dut_no_lease_q;
  (* keep *) logic                   dut_request_kept_q, dut_kept_q;
  (* keep *) logic                   dut_request_write_q, dut_for_write_q;
  (* keep *) logic [TimeW-1:0]       dut_request_timestamp_q, dut_timestamp_q;
  (* keep *) logic [TimeW-1:0]       dut_request_now_q, dut_now_q;
  (* keep *) logic [TimeW-1:0]       dut_request_life_q, dut_life_q;
  (* keep *) logic [TimeW-1:0]       dut_request_kept_lease_q, dut_kept_lease_q;
  (* keep *) logic [1:0]             dut_readers;
  (* keep *) logic                   dut_owned;
  (* keep *) logic [SmW-1:0]         dut_owner;
  (* keep *) logic [TimeW-1:0]       dut_lease, dut_visible;
  (* keep *) logic [Slots-1:0]       dut_u_readers__row_live, dut_u_owned__row_live;
  (* keep *) logic [Slots-1:0]       dut_u_owner__row_live, dut_u_lease__row_live, dut_u_visible__row_live;
  (* keep *) logic [Slots*2-1:0]     dut_u_readers__mem;
  (* keep *) logic [Slots-1:0]       dut_u_owned__mem;
  (* keep *) logic [Slots*SmW-1:0]   dut_u_owner__mem;
  (* keep *) logic [Slots*TimeW-1:0] dut_u_lease__mem, dut_u_visible__mem;
  localparam HasVisible = Visible != 0;
  localparam integer KnownW = RowW - (HasVisible ? 0 : TimeW);  // of a row, from the highest bit

  // Fields that the operation does not take are don't-cares: its request with those set to 0, and all
  // ROLLOVER codes made one.
  function automatic [RequestW-1:0] taken(
      input [2:0] code, input [SlotW-1:0] at, input [SmW-1:0] who, input without,
      input [TimeW-1:0] given, input [TimeW-1:0] at_now, input [TimeW-1:0] lives, input was_kept,
      input [TimeW-1:0] lease_end, input writes);
    taken = {code >= ROLLOVER ? ROLLOVER : code, at & {SlotW{code < ROLLOVER}},
             who & {SmW{(code == GETS && !without) || code == UPGR}}, without && code == GETS,
             given & {TimeW{code == UPGR}}, at_now & {TimeW{code < INSTALL || code == EVICT}},
             lives & {TimeW{code == GETS && !without}}, was_kept && code == INSTALL,
             lease_end & {TimeW{code == INSTALL && was_kept}}, writes && code == INSTALL && was_kept && Misses};
  endfunction

  logic [1:0]          behind_response;
  logic [RequestW-1:0] decided, entering;  // the requests in stages 2 and 1, as they were accepted
  logic [2:0]          decided_op, entering_op;
  logic [SlotW-1:0]    decided_slot, entering_slot;
  logic [SmW-1:0]      decided_sm, entering_sm;
  logic                decided_without, decided_kept, decided_write;
  logic                entering_without, entering_kept, entering_write;
  logic [TimeW-1:0]    decided_timestamp, decided_now, decided_life, decided_until;
  logic [TimeW-1:0]    entering_timestamp, entering_now, entering_life, entering_until;
  assign behind_response = {1'b0, dut_decide_valid_q} + {1'b0, response_valid_i};
  assign decided         = waiting_requests[RequestW*response_valid_i+:RequestW];
  assign entering        = waiting_requests[RequestW*behind_response+:RequestW];
  assign {decided_op, decided_slot, decided_sm, decided_without, decided_timestamp, decided_now, decided_life,
          decided_kept, decided_until, decided_write} = decided;
  assign {entering_op, entering_slot, entering_sm, entering_without, entering_timestamp, entering_now,
          entering_life, entering_kept, entering_until, entering_write} = entering;

  // Each slot's row in the RTL's memories, and the row that the checkers expect there.
  logic [Slots-1:0] slots_hold, rows_hold, owners_hold, gwcts_hold, leases_hold;
  logic [Slots*TimeW-1:0] past_lease, past_lease_q;
  logic                   past_write_q, past_install_q, past_clear_q;
  always @(posedge clk_i) begin
    past_lease_q   <= past_lease;
    past_write_q   <= dut_fire && ((dut_op_q == GETS && !dut_no_lease_q) || dut_op_q == GETX ||
                                   dut_op_q == UPGR || dut_op_q == ATOMIC);
    past_install_q <= dut_fire && dut_op_q == INSTALL;
    past_clear_q   <= dut_fire && dut_op_q >= ROLLOVER;
  end
  logic [RowW-1:0] stage_row;
  assign stage_row = {dut_readers, dut_owned, dut_owner, dut_lease, dut_visible};
  genvar g;
  generate
    for (g = 0; g < Slots; g = g + 1) begin : gen_slot
      logic [RowW-1:0]  kept_row, row_then, dut_row;
      logic [1:0]       row_readers;
      logic             row_owned;
      logic [SmW-1:0]   row_owner;
      logic [TimeW-1:0] row_lease, row_visible;
      assign kept_row = known_q[g] ? row_q[g] : {RowW{1'b0}};
      assign row_then = (response_valid_i && is_rollover) ? {RowW{1'b0}} :
                        (response_valid_i && touches && slot == g[SlotW-1:0]) ? row_d : kept_row;
      assign row_readers = dut_u_readers__mem[g*2+:2] & {2{dut_u_readers__row_live[g]}};
      assign row_owned   = dut_u_owned__mem[g] & dut_u_owned__row_live[g];
      assign row_owner   = dut_u_owner__mem[g*SmW+:SmW] & {SmW{dut_u_owner__row_live[g]}};
      assign row_lease   = dut_u_lease__mem[g*TimeW+:TimeW] & {TimeW{dut_u_lease__row_live[g]}};
      assign row_visible = dut_u_visible__mem[g*TimeW+:TimeW] & {TimeW{dut_u_visible__row_live[g]}};
      assign dut_row     = {row_readers, row_owned, row_owner, row_lease, row_visible};
      assign past_lease[g*TimeW+:TimeW] = row_lease;
      assign slots_hold[g]  = dut_row[RowW-1-:KnownW] == row_then[RowW-1-:KnownW];
      assign rows_hold[g]   = dut_slot_q != g[SlotW-1:0] || dut_row[RowW-1-:KnownW] == stage_row[RowW-1-:KnownW];
      assign owners_hold[g] = row_owned ? row_readers == PRIVATE : row_owner == 0;
      assign gwcts_hold[g]  = !HasVisible || row_visible <= row_lease;
      assign leases_hold[g] = past_install_q || past_clear_q || row_lease == past_lease_q[g*TimeW+:TimeW] ||
                              (past_write_q && row_lease > past_lease_q[g*TimeW+:TimeW]);
    end
  endgenerate

  always @(posedge clk_i) begin
    if (request_valid_i) begin
      assume ((op_i >= ROLLOVER || {1'b0, slot_i} < AllSlots) &&
              ((op_i != GETS && op_i != UPGR) || {1'b0, sm_i} < AllSms));
    end
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_u_stages__request_valid_q} + {7'd0, behind_response} &&
                        agrees &&
                        (!dut_u_stages__request_valid_q ||
                         (taken(dut_request_op_q, dut_request_slot_q, dut_request_sm_q, dut_request_no_lease_q,
                                dut_request_timestamp_q, dut_request_now_q, dut_request_life_q,
                                dut_request_kept_q, dut_request_kept_lease_q, dut_request_write_q) ==
                          taken(entering_op, entering_slot, entering_sm, entering_without, entering_timestamp,
                                entering_now, entering_life, entering_kept, entering_until, entering_write) &&
                          (entering_op >= ROLLOVER || {1'b0, entering_slot} < AllSlots))) &&
                        (!dut_decide_valid_q ||
                         (taken(dut_op_q, dut_slot_q, dut_sm_q, dut_no_lease_q, dut_timestamp_q, dut_now_q,
                                dut_life_q, dut_kept_q, dut_kept_lease_q, dut_for_write_q) ==
                          taken(decided_op, decided_slot, decided_sm, decided_without, decided_timestamp,
                                decided_now, decided_life, decided_kept, decided_until, decided_write) &&
                          (decided_op >= ROLLOVER || {1'b0, decided_slot} < AllSlots))) &&
                        (!response_valid_i || is_rollover || {1'b0, slot} < AllSlots) &&
                        oldest <= older && older <= in_flight &&
                        {7'd0, behind_response} >= (older > 9'd2 ? 9'd2 : older));
      i_slots: assert (&slots_hold);
      i_row: assert (!dut_decide_valid_q || dut_op_q >= ROLLOVER || &rows_hold);
      i_owner: assert (&owners_hold);
      i_gwct: assert (&gwcts_hold);
      if (!was_reset) i_lease: assert (&leases_hold);
    end
  end
