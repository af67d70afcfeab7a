// Part of tc_l1_sva for proofs by induction: the invariant that relates the registers of rtl/tc_l1.sv,
// dut_NAME here (scripts/formal-block.sh), to the checkers' state. The RTL is ahead by the offered
// response. Each assertion holds in every reachable state; together with the checkers' assertions each
// follows from the cycle before.
//
//   i_inside   the requests in the pipeline are the accepted ones: in stages 1 and 2, and being answered
//   i_slots    each slot's copy and count of UPGRs are the checkers', and its copy's lease and GWCT
//   i_row      the row in stage 2 is that of its slot
//   i_lease    the lease of a copy that stays changes only by a FILL, an ACK with a lease, or a DATA_G
  (* keep *) logic                   dut_u_stages__request_valid_q, dut_decide_valid_q, dut_fire;
  (* keep *) logic [3:0]             dut_request_op_q, dut_op_q;
  (* keep *) logic [SlotW-1:0]       dut_request_slot_q, dut_slot_q;
  (* keep *) logic                   dut_request_present_q, dut_present_q;
  (* keep *) logic                   dut_request_open_q, dut_is_open_q;
  (* keep *) logic                   dut_request_lease_given_q, dut_lease_given_q;
  (* keep *) logic [TimeW-1:0]       dut_request_timestamp_q, dut_timestamp_q;
  (* keep *) logic [TimeW-1:0]       dut_request_visible_q, dut_new_visible_q;
  (* keep *) logic [TimeW-1:0]       dut_request_now_q, dut_now_q;
  (* keep *) logic                   dut_valid;
  (* keep *) logic [PendW-1:0]       dut_pending;
  (* keep *) logic [TimeW-1:0]       dut_lease, dut_visible;
  (* keep *) logic [Slots-1:0]       dut_valid_q, dut_u_pending__row_live;
  (* keep *) logic [Slots*PendW-1:0] dut_u_pending__mem;
  (* keep *) logic [Slots*TimeW-1:0] dut_u_lease__mem, dut_u_visible__mem;
  localparam HasVisible = Visible != 0;

  // Fields that the operation does not take are don't-cares: its request with those set to 0, and all
  // FLUSH codes made one.
  function automatic [RequestW-1:0] taken(
      input [3:0] code, input [SlotW-1:0] at, input holds, input entry, input leased,
      input [TimeW-1:0] given, input [TimeW-1:0] write, input [TimeW-1:0] at_now);
    taken = {code >= FLUSH ? FLUSH : code, at & {SlotW{code < FLUSH}}, holds && code < EVICT,
             entry && code <= FILL, leased && (code == FILL || code == ACK),
             given & {TimeW{code == FILL || code == ACK || code == DATA_G}},
             write & {TimeW{HasVisible && (code == FILL || code == ACK || code == DATA_G)}},
             at_now & {TimeW{code < EVICT}}};
  endfunction

  logic [1:0]          behind_response;
  logic [RequestW-1:0] decided, entering;  // the requests in stages 2 and 1, as they were accepted
  logic [3:0]          decided_op, entering_op;
  logic [SlotW-1:0]    decided_slot, entering_slot;
  logic                decided_present, decided_open, decided_given;
  logic                entering_present, entering_open, entering_given;
  logic [TimeW-1:0]    decided_timestamp, decided_visible, decided_now;
  logic [TimeW-1:0]    entering_timestamp, entering_visible, entering_now;
  assign behind_response = {1'b0, dut_decide_valid_q} + {1'b0, response_valid_i};
  assign decided         = waiting_requests[RequestW*response_valid_i+:RequestW];
  assign entering        = waiting_requests[RequestW*behind_response+:RequestW];
  assign {decided_op, decided_slot, decided_present, decided_open, decided_given, decided_timestamp,
          decided_visible, decided_now} = decided;
  assign {entering_op, entering_slot, entering_present, entering_open, entering_given,
          entering_timestamp, entering_visible, entering_now} = entering;

  // Each slot after the offered response, in the RTL's memories.
  logic [Slots-1:0] slots_hold, leases_hold, past_valid_q;
  logic [Slots*TimeW-1:0] past_lease_q;
  logic grants_q;  // in the cycle before, a request that grants a lease took effect
  always @(posedge clk_i) begin
    past_valid_q <= dut_valid_q;
    past_lease_q <= dut_u_lease__mem;
    grants_q     <= dut_fire && (dut_op_q == FILL || (dut_op_q == ACK && dut_lease_given_q) ||
                                 dut_op_q == DATA_G);
  end
  genvar g;
  generate
    for (g = 0; g < Slots; g = g + 1) begin : gen_slot
      logic             here, valid_then;
      logic [PendW-1:0] kept, pending_then, dut_counted;
      logic [TimeW-1:0] lease_then, visible_then, dut_leased;
      assign here         = response_valid_i && touches && slot == g[SlotW-1:0];
      assign kept         = counted_q[g] ? pending_q[g] : {PendW{1'b0}};
      assign valid_then   = here ? valid_d : valid_q[g] && !(response_valid_i && is_flush);
      assign pending_then = here ? pending_d : kept;
      assign lease_then   = here ? lease_d : lease_q[g];
      assign visible_then = here ? visible_d : visible_q[g];
      assign dut_counted  = dut_u_pending__row_live[g] ? dut_u_pending__mem[g*PendW+:PendW] : {PendW{1'b0}};
      assign dut_leased   = dut_u_lease__mem[g*TimeW+:TimeW];
      assign slots_hold[g] = dut_valid_q[g] == valid_then && dut_counted == pending_then &&
                             (!valid_then ||
                              (dut_leased == lease_then &&
                               (!HasVisible || dut_u_visible__mem[g*TimeW+:TimeW] == visible_then)));
      assign leases_hold[g] = !dut_valid_q[g] || !past_valid_q[g] || grants_q ||
                              dut_leased == past_lease_q[g*TimeW+:TimeW];
    end
  endgenerate

  logic row_holds;
  always_comb begin : row
    integer i;
    row_holds = 1'b1;
    for (i = 0; i < Slots; i = i + 1) begin
      if (dut_slot_q == i[SlotW-1:0]) begin
        row_holds = dut_valid == dut_valid_q[i] &&
                    dut_pending == (dut_u_pending__row_live[i] ? dut_u_pending__mem[i*PendW+:PendW] : {PendW{1'b0}}) &&
                    (!dut_valid || (dut_lease == dut_u_lease__mem[i*TimeW+:TimeW] &&
                                    (!HasVisible || dut_visible == dut_u_visible__mem[i*TimeW+:TimeW])));
      end
    end
  end

  always @(posedge clk_i) begin
    if (request_valid_i && op_i < FLUSH) assume ({1'b0, slot_i} < AllSlots);
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_u_stages__request_valid_q} + {7'd0, behind_response} &&
                        agrees &&
                        (!dut_u_stages__request_valid_q ||
                         (taken(dut_request_op_q, dut_request_slot_q, dut_request_present_q, dut_request_open_q,
                                dut_request_lease_given_q, dut_request_timestamp_q, dut_request_visible_q,
                                dut_request_now_q) ==
                          taken(entering_op, entering_slot, entering_present, entering_open, entering_given,
                                entering_timestamp, entering_visible, entering_now) &&
                          (entering_op >= FLUSH || {1'b0, entering_slot} < AllSlots))) &&
                        (!dut_decide_valid_q ||
                         (taken(dut_op_q, dut_slot_q, dut_present_q, dut_is_open_q, dut_lease_given_q,
                                dut_timestamp_q, dut_new_visible_q, dut_now_q) ==
                          taken(decided_op, decided_slot, decided_present, decided_open, decided_given,
                                decided_timestamp, decided_visible, decided_now) &&
                          (decided_op >= FLUSH || {1'b0, decided_slot} < AllSlots))) &&
                        (!response_valid_i || is_flush || {1'b0, slot} < AllSlots) &&
                        oldest <= older && older <= in_flight &&
                        {7'd0, behind_response} >= (older > 9'd2 ? 9'd2 : older));
      i_slots: assert (&slots_hold);
      i_row: assert (!dut_decide_valid_q || dut_op_q >= FLUSH || row_holds);
      if (!was_reset) i_lease: assert (&leases_hold);
    end
  end
