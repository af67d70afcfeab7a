// Checkers and cover points of gwct; the lockstep top and the formal harness instantiate them. They keep
// counts and GWCTs from the requests, in the order of the answers, warp by warp.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_refused          an ISSUE is refused exactly when the warp's count is at its limit
//   a_error            exactly an ISSUE, ACK or RAISE of a warp that is not there, and an ACK without an
//                      operation
//   a_waits, a_left    exactly a FENCE waits: for answers of its warps, for GWCTs that are not past, and then
//                      for the rest of the time
//   a_ready            exactly a FENCE that waits for nothing is ready
//   a_complete         a FENCE is ready only if each of its warps has no operation and its GWCT is past
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/gwct.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_accepts          a request is accepted when fewer than three are in flight
//   a_answered         a request in flight is answered in the third cycle at the latest
// A FENCE at time 0, which does not exist, may answer anything.
`default_nettype none

module gwct_sva #(
  parameter integer Warps  = 48,
  parameter integer CountW = 8,
  parameter integer TimeW  = 32,
  localparam integer WarpW = (Warps < 3) ? 1 : $clog2(Warps)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  input wire logic             request_valid_i,
  input wire logic             request_ready_i,
  input wire logic [2:0]       op_i,
  input wire logic [WarpW-1:0] warp_i,
  input wire logic [WarpW-1:0] last_i,
  input wire logic             store_i,
  input wire logic             has_gwct_i,
  input wire logic             epoch_i,
  input wire logic [TimeW-1:0] timestamp_i,
  input wire logic [TimeW-1:0] now_i,

  input wire logic             response_valid_i,
  input wire logic             response_ready_i,
  input wire logic             ready_response_i,
  input wire logic [1:0]       waits_response_i,
  input wire logic [TimeW-1:0] left_response_i,
  input wire logic             refused_response_i,
  input wire logic             error_response_i
);

`include "gwct_constants.svh"
  localparam [CountW-1:0] Full = {CountW{1'b1}};

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight; for two cycles; for three cycles.
  localparam integer RequestW = 6 + 2 * WarpW + 2 * TimeW;
  logic [RequestW-1:0]   offered, request;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older, oldest;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  assign offered = {op_i, warp_i, last_i, store_i, has_gwct_i, epoch_i, timestamp_i, now_i};
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

  // The table: epoch, GWCTs, counts of stores, counts of loads. Returns the table after a request.
  localparam integer StoresAt = Warps * CountW, TimesAt = 2 * Warps * CountW;
  localparam integer TableW   = TimesAt + Warps * TimeW + 1;
  function automatic [TableW-1:0] next_table(input [TableW-1:0] held, input [RequestW-1:0] asked);
    integer           at;
    logic [2:0]       does;
    logic [WarpW-1:0] who, unused_last;
    logic             stores, brings, of_epoch;
    logic [TimeW-1:0] stamp, unused_time;
    logic             takes_time;
    begin
      {does, who, unused_last, stores, brings, of_epoch, stamp, unused_time} = asked;
      next_table = held;
      takes_time = does == RAISE;
      if (does == ROLLOVER) begin
        next_table = {!held[TableW-1], {Warps*TimeW{1'b0}}, held[TimesAt-1:0]};
      end else if (does < FENCE && {{32-WarpW{1'b0}}, who} < Warps) begin
        at = (stores ? StoresAt : 0) + {{32-WarpW{1'b0}}, who} * CountW;
        if (does == ISSUE && held[at+:CountW] != Full) next_table[at+:CountW] = held[at+:CountW] + 1'b1;
        if (does == ACK && held[at+:CountW] != {CountW{1'b0}}) begin
          next_table[at+:CountW] = held[at+:CountW] - 1'b1;
          takes_time = brings && of_epoch == held[TableW-1];
        end
        at = TimesAt + {{32-WarpW{1'b0}}, who} * TimeW;
        if (takes_time && stamp > held[at+:TimeW]) next_table[at+:TimeW] = stamp;
      end
    end
  endfunction

  logic [TableW-1:0] table_q, table_d;  // before and after the answered request
  assign table_d = next_table(table_q, request);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      table_q <= 0;
    end else if (answered) begin
      table_q <= table_d;
    end
  end

  // The answered request, its warp's count and GWCT.
  logic [2:0]        op;
  logic [WarpW-1:0]  warp, last;
  logic              store, has_gwct, epoch, is_fence, is_there;
  logic [TimeW-1:0]  timestamp, now, visible;
  logic [CountW-1:0] count;
  integer            number, end_number;
  assign {op, warp, last, store, has_gwct, epoch, timestamp, now} = request;
  assign is_fence   = op >= FENCE;
  assign number     = {{32-WarpW{1'b0}}, warp};
  assign end_number = {{32-WarpW{1'b0}}, last};
  assign is_there   = number < Warps;
  always_comb begin
    count   = {CountW{1'b0}};
    visible = {TimeW{1'b0}};
    if (is_there) begin
      count   = table_q[(store ? StoresAt : 0)+number*CountW+:CountW];
      visible = table_q[TimesAt+number*TimeW+:TimeW];
    end
  end

  // What a FENCE finds in its warps; and in the others.
  logic [TimeW-1:0] latest;
  logic             answers, complete, others_wait;
  integer           w;
  always_comb begin
    latest      = {TimeW{1'b0}};
    answers     = 1'b0;
    complete    = 1'b1;
    others_wait = 1'b0;
    for (w = 0; w < Warps; w = w + 1) begin
      if (w < number || w > end_number) begin
        if (table_q[w*CountW+:CountW] != {CountW{1'b0}} || table_q[TimesAt+w*TimeW+:TimeW] >= now) begin
          others_wait = 1'b1;
        end
      end else begin
        if (table_q[w*CountW+:CountW] != {CountW{1'b0}}) answers = 1'b1;
        if (table_q[StoresAt+w*CountW+:CountW] != {CountW{1'b0}}) answers = 1'b1;
        latest = table_q[TimesAt+w*TimeW+:TimeW] > latest ? table_q[TimesAt+w*TimeW+:TimeW] : latest;
        if (table_q[w*CountW+:CountW] != {CountW{1'b0}} ||
            table_q[StoresAt+w*CountW+:CountW] != {CountW{1'b0}} ||
            table_q[TimesAt+w*TimeW+:TimeW] >= now) begin
          complete = 1'b0;
        end
      end
    end
  end
  logic is_late, no_time;
  assign is_late = latest >= now;
  assign no_time = is_fence && now == 0;

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i &&
                                   ready_response_i == $past(ready_response_i) &&
                                   waits_response_i == $past(waits_response_i) &&
                                   left_response_i == $past(left_response_i) &&
                                   refused_response_i == $past(refused_response_i) &&
                                   error_response_i == $past(error_response_i));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_accepts: assert (request_ready_i || is_full_queue);
      a_answered: assert (oldest == 0 || response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_refused: assert (refused_response_i == (op == ISSUE && is_there && count == Full));
      a_error: assert (error_response_i == ((op < ROLLOVER && !is_there) || (op == ACK && count == 0)));
      a_waits: assert (no_time || waits_response_i == {is_fence && is_late, is_fence && answers});
      a_left: assert (no_time || left_response_i == (is_fence && is_late ? latest - now + 1'b1 : 0));
      a_ready: assert (no_time || ready_response_i == (is_fence && !answers && !is_late));
      a_complete: assert (no_time || !ready_response_i || (is_fence && complete));
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "gwct_invariant.svh"
`endif

  logic raises, fences;
  assign raises = op == ACK && count != 0 && has_gwct && epoch == table_q[TableW-1];
  assign fences = answered && is_fence;
  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_issue_load: cover (answered && op == ISSUE && is_there && !store && !refused_response_i);
      c_issue_store: cover (answered && op == ISSUE && is_there && store && !refused_response_i);
      c_refused_load: cover (answered && refused_response_i && !store);
      c_refused_store: cover (answered && refused_response_i && store);
      c_refused_time: cover (answered && refused_response_i && timestamp > visible);
      c_issue_no_warp: cover (answered && op == ISSUE && !is_there);
      c_ack_raises: cover (answered && raises && timestamp > visible);
      c_ack_raises_again: cover (answered && raises && timestamp > visible && visible != 0);
      c_ack_same: cover (answered && raises && timestamp == visible && visible != 0);
      c_ack_lower: cover (answered && raises && timestamp < visible);
      c_ack_without: cover (answered && op == ACK && count != 0 && !has_gwct && timestamp > visible);
      c_ack_other_epoch: cover (answered && op == ACK && count != 0 && has_gwct &&
                                epoch != table_q[TableW-1] && timestamp > visible);
      c_ack_last_load: cover (answered && op == ACK && !store && count == 1);
      c_ack_last_store: cover (answered && op == ACK && store && count == 1);
      c_ack_no_load: cover (answered && op == ACK && is_there && !store && count == 0 && timestamp > visible);
      c_ack_no_store: cover (answered && op == ACK && is_there && store && count == 0 && timestamp > visible);
      c_ack_no_warp: cover (answered && op == ACK && !is_there);
      c_raise: cover (answered && op == RAISE && is_there && timestamp > visible);
      c_raise_same: cover (answered && op == RAISE && is_there && timestamp == visible);
      c_raise_lower: cover (answered && op == RAISE && timestamp < visible);
      c_raise_no_warp: cover (answered && op == RAISE && !is_there);
      c_rollover: cover (answered && op == ROLLOVER && table_q[TableW-2:TimesAt] != 0);
      c_rollover_back: cover (answered && op == ROLLOVER && table_q[TableW-1]);
      c_rollover_outstanding: cover (answered && op == ROLLOVER && table_q[TimesAt-1:0] != 0);
      c_fence_ready: cover (fences && ready_response_i && latest != 0);
      c_fence_answers: cover (fences && waits_response_i == ANSWERS);
      c_fence_time: cover (fences && waits_response_i == TIME);
      c_fence_both: cover (fences && waits_response_i == (ANSWERS | TIME));
      c_fence_tie: cover (fences && latest == now);
      c_fence_just_past: cover (fences && now == latest + 1'b1 && latest != 0);
      c_fence_longest: cover (fences && left_response_i == {TimeW{1'b1}});
      c_fence_one: cover (fences && warp == last && is_there && waits_response_i != 0);
      c_fence_one_only: cover (fences && warp == last && ready_response_i && others_wait);
      c_fence_all: cover (fences && number == 0 && end_number == Warps - 1 && waits_response_i != 0);
      c_fence_all_ready: cover (fences && number == 0 && end_number == Warps - 1 && ready_response_i &&
                                latest != 0);
      c_fence_some: cover (fences && number != 0 && end_number > number && end_number < Warps - 1 &&
                           waits_response_i != 0 && others_wait);
      c_fence_beyond: cover (fences && is_there && end_number >= Warps && waits_response_i != 0);
      c_fence_none: cover (fences && number > end_number && others_wait);
      c_fence_no_warp: cover (fences && !is_there);
      c_fence_behind: cover (fences && behind && waits_response_i != 0);
      c_fence_other_number: cover (fences && op != FENCE);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  // The request before, if it was not a FENCE, is of a warp of this one.
  logic [2:0]       op_before_q;
  logic [WarpW-1:0] warp_before_q;
  logic             meets;
  always_ff @(posedge clk_i) begin
    if (answered) begin
      op_before_q   <= op;
      warp_before_q <= warp;
    end
  end
  assign meets = op_before_q < FENCE && warp_before_q >= warp && warp_before_q <= (is_fence ? last : warp);

  logic [12:0] cross_kind;
  logic [2:0]  cross_hazard;
  assign cross_kind[0] = op == ISSUE && is_there && !refused_response_i;
  assign cross_kind[1] = refused_response_i;
  assign cross_kind[2] = raises && timestamp > visible;
  assign cross_kind[3] = op == ACK && count != 0 && !(raises && timestamp > visible);
  assign cross_kind[4] = op == ACK && is_there && count == 0;
  assign cross_kind[5] = op == RAISE && is_there && timestamp > visible;
  assign cross_kind[6] = op == RAISE && is_there && timestamp <= visible;
  assign cross_kind[7] = op == ROLLOVER;
  assign cross_kind[8] = ready_response_i;
  assign cross_kind[9] = waits_response_i == ANSWERS;
  assign cross_kind[10] = waits_response_i == TIME;
  assign cross_kind[11] = waits_response_i == (ANSWERS | TIME);
  assign cross_kind[12] = op < ROLLOVER && !is_there;
  assign cross_hazard[0] = !behind;
  assign cross_hazard[1] = behind && !meets;
  assign cross_hazard[2] = behind && meets;
  cross_cover #(
    .Kinds  (13),
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
