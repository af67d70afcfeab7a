// Checkers and cover points of lease_store; the lockstep top and the formal harness instantiate them. They
// keep the entries from the requests, in the order of the answers, entry by entry.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_done             exactly a PUT of a lease that is past, of a line with a lease, or with permission and room
//                      is done
//   a_found, a_lease   exactly a TAKE of a line with a lease finds it, and returns it; else lease_o is 0
//   a_used             used_o is the number of leases after the operation
//   a_next             next_o is the smallest of them, 0 if there is none
//   a_unexpired        no lease that is past at the request's time is left
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/lease_store.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_accepts          a request is accepted when fewer than three are in flight
//   a_answered         a request in flight is answered in the third cycle at the latest
`default_nettype none

module lease_store_sva #(
  parameter integer Entries = 128,
  parameter integer LineW   = 42,
  parameter integer TimeW   = 32,
  localparam integer UsedW  = $clog2(Entries + 1)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  input wire logic             request_valid_i,
  input wire logic             request_ready_i,
  input wire logic [1:0]       op_i,
  input wire logic [LineW-1:0] line_i,
  input wire logic [TimeW-1:0] lease_i,
  input wire logic [TimeW-1:0] now_i,
  input wire logic             may_i,

  input wire logic             response_valid_i,
  input wire logic             response_ready_i,
  input wire logic             done_response_i,
  input wire logic             found_response_i,
  input wire logic [TimeW-1:0] lease_response_i,
  input wire logic [UsedW-1:0] used_response_i,
  input wire logic [TimeW-1:0] next_response_i
);

`include "lease_store_constants.svh"

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight; for two cycles; for three cycles.
  localparam integer RequestW = 3 + LineW + 2 * TimeW;
  logic [RequestW-1:0]   offered, request;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older, oldest;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  assign offered = {op_i, line_i, lease_i, now_i, may_i};
  assign request = waiting_requests[RequestW-1:0];
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

  // The store: leases, lines, valid. An invalid entry keeps what it had. What an operation does with it: done or
  // found, the lease found, the store after it.
  localparam integer LinesAt = Entries, LeasesAt = Entries + Entries * LineW;
  localparam integer StoreW  = LeasesAt + Entries * TimeW;
  localparam integer ResultW = StoreW + TimeW + 1;
  function automatic [ResultW-1:0] operate(input [StoreW-1:0] held, input [RequestW-1:0] asked);
    integer            e;
    logic [1:0]        does;
    logic [LineW-1:0]  of_line;
    logic [TimeW-1:0]  new_lease, at, lease, own;
    logic              permits, succeeds, named, fills;
    logic [StoreW-1:0] left;
    begin
      {does, of_line, new_lease, at, permits} = asked;
      left     = held;
      lease    = {TimeW{1'b0}};
      succeeds = does == PUT && new_lease < at;
      for (e = 0; e < Entries; e = e + 1) begin
        own   = held[LeasesAt+e*TimeW+:TimeW];
        left[e] = held[e] && does != CLEAR && own >= at;
        named   = left[e] && held[LinesAt+e*LineW+:LineW] == of_line;
        left[e] = left[e] && !(named && does == TAKE);
        left[LeasesAt+e*TimeW+:TimeW] = named && does == PUT && new_lease > own ? new_lease : own;
        lease    = named && does == TAKE ? own : lease;
        succeeds = succeeds || (named && (does == PUT || does == TAKE));
      end
      for (e = 0; e < Entries; e = e + 1) begin
        fills    = does == PUT && !succeeds && permits && !left[e];
        succeeds = succeeds || fills;
        left[e]  = left[e] || fills;
        left[LinesAt+e*LineW+:LineW]  = fills ? of_line : left[LinesAt+e*LineW+:LineW];
        left[LeasesAt+e*TimeW+:TimeW] = fills ? new_lease : left[LeasesAt+e*TimeW+:TimeW];
      end
      operate = {succeeds, lease, left};
    end
  endfunction

  logic [StoreW-1:0] store_q, store_d;  // before and after the answered request
  logic [TimeW-1:0]  taken;
  logic              succeeds;
  assign {succeeds, taken, store_d} = operate(store_q, request);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      store_q <= 0;
    end else if (answered) begin
      store_q <= store_d;
    end
  end

  // Returns the smallest lease and the number of leases of a store.
  function automatic [TimeW+31:0] summary(input [StoreW-1:0] held);
    integer           e, number;
    logic [TimeW-1:0] smallest;
    begin
      number   = 0;
      smallest = {TimeW{1'b0}};
      for (e = 0; e < Entries; e = e + 1) begin
        if (held[e]) begin
          smallest = number == 0 || held[LeasesAt+e*TimeW+:TimeW] < smallest ?
                     held[LeasesAt+e*TimeW+:TimeW] : smallest;
          number = number + 1;
        end
      end
      summary = {smallest, number};
    end
  endfunction

  logic [1:0]       op;
  logic [LineW-1:0] line;
  logic [TimeW-1:0] lease, now, smallest, smallest_before;
  logic             may, is_past;
  logic [31:0]      used, used_before;
  assign {op, line, lease, now, may}    = request;
  assign {smallest, used}               = summary(store_d);
  assign {smallest_before, used_before} = summary(store_q);
  assign is_past = lease < now;

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && done_response_i == $past(done_response_i) &&
                                   found_response_i == $past(found_response_i) &&
                                   lease_response_i == $past(lease_response_i) &&
                                   used_response_i == $past(used_response_i) &&
                                   next_response_i == $past(next_response_i));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_accepts: assert (request_ready_i || is_full_queue);
      a_answered: assert (oldest == 0 || response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_done: assert (done_response_i == (op == PUT && succeeds));
      a_found: assert (found_response_i == (op == TAKE && succeeds));
      a_lease: assert (lease_response_i == taken);
      a_used: assert ({{32-UsedW{1'b0}}, used_response_i} == used);
      a_next: assert (next_response_i == smallest);
      a_unexpired: assert (used_response_i == 0 || next_response_i >= now);
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "lease_store_invariant.svh"
`endif

  logic is_raised, is_full_before;
  assign is_raised      = op == PUT && !is_past && succeeds && store_d[Entries-1:0] == store_q[Entries-1:0];
  assign is_full_before = used_before == Entries && smallest_before >= now;
  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_put: cover (answered && op == PUT && succeeds && used > used_before);
      c_put_last: cover (answered && op == PUT && used == Entries && used > used_before);
      c_put_past: cover (answered && op == PUT && is_past);
      c_put_at_now: cover (answered && op == PUT && lease == now && succeeds);
      c_put_full: cover (answered && op == PUT && !succeeds && may && is_full_before);
      c_put_not_permitted: cover (answered && op == PUT && !succeeds && !may && !is_full_before);
      c_put_into_expired: cover (answered && op == PUT && succeeds && used == Entries &&
                                 used_before == Entries && smallest_before < now);
      c_raise: cover (answered && is_raised && store_d != store_q);
      c_raise_full: cover (answered && is_raised && is_full_before && store_d != store_q);
      c_raise_not: cover (answered && is_raised && store_d == store_q);
      c_raise_not_permitted: cover (answered && is_raised && !may && store_d != store_q);
      c_take: cover (answered && found_response_i);
      c_take_at_now: cover (answered && found_response_i && taken == now);
      c_take_none: cover (answered && op == TAKE && !succeeds && used != 0);
      c_take_last: cover (answered && found_response_i && used == 0);
      c_expire_none: cover (answered && op == EXPIRE && used == used_before && used != 0);
      c_expire_some: cover (answered && op == EXPIRE && used < used_before && used != 0);
      c_expire_all: cover (answered && op == EXPIRE && used == 0 && used_before > 1);
      c_tie: cover (answered && used_before != 0 && smallest_before == now && op != CLEAR);
      c_clear: cover (answered && op == CLEAR && used_before > 1);
      c_latest: cover (answered && next_response_i == {TimeW{1'b1}});
      c_behind: cover (answered && behind && op == PUT && succeeds);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic [LineW-1:0] line_before_q;
  logic [8:0]       cross_kind;
  logic [2:0]       cross_hazard;
  always_ff @(posedge clk_i) begin
    if (answered) line_before_q <= line;
  end
  assign cross_kind[0] = op == PUT && succeeds && !is_past && !is_raised;
  assign cross_kind[1] = is_raised;
  assign cross_kind[2] = op == PUT && is_past;
  assign cross_kind[3] = op == PUT && !succeeds;
  assign cross_kind[4] = op == TAKE && succeeds;
  assign cross_kind[5] = op == TAKE && !succeeds;
  assign cross_kind[6] = op == EXPIRE && used < used_before;
  assign cross_kind[7] = op == EXPIRE && used == used_before;
  assign cross_kind[8] = op == CLEAR;
  assign cross_hazard[0] = !behind;
  assign cross_hazard[1] = behind && line != line_before_q;
  assign cross_hazard[2] = behind && line == line_before_q;
  cross_cover #(
    .Kinds  (9),
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
