// Checkers and cover points of cta_queues; the lockstep top and the formal harness instantiate them.
// They keep for each SM where its queue is and how many CTAs are left in it; an SM's first group follows from its number
// until it is first asked for.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_sm               (duty of the environment) an ASK is of an SM below Sms
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_own              an SM with CTAs in its queue gets the next one of them
//   a_takes            one without gets the first of a new group or run where the policy says so
//   a_next             else it gets the next CTA of the kernel
//   a_pair             or two under BCS, if it has room for both
//   a_waits            and none, if it has room for one of them
//   a_none             no CTA is given without an ASK, room, or a CTA that is left
//   a_nothing          without a CTA its fields are 0
//   a_single           the scheduler is RR from the START or from the ASK on that finds fewer groups than SMs
//   a_empty            empty tells whether the kernel has CTAs that are in no queue and not placed
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/cta_queues.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than three and no START are in flight
//   a_answered         an ASK is answered in the third cycle after it at the latest
//   a_starts           a START is answered after Sms + 3 cycles without an answer at the latest
`default_nettype none

module cta_queues_sva #(
  parameter integer Sms      = 15,
  parameter integer CtaW     = 32,
  parameter integer Mode     = 2,
  parameter integer Adaptive = 0,
  localparam integer SmW = (Sms < 3) ? 1 : $clog2(Sms)
) (
  input wire logic            clk_i,
  input wire logic            rst_ni,

  input wire logic            request_valid_i,
  input wire logic            request_ready_i,
  input wire logic            op_i,
  input wire logic [SmW-1:0]  sm_i,
  input wire logic [1:0]      free_i,
  input wire logic [CtaW-1:0] ctas_i,
  input wire logic [CtaW-1:0] size_i,
  input wire logic [CtaW-1:0] tail_i,

  input wire logic            response_valid_i,
  input wire logic            response_ready_i,
  input wire logic [1:0]      count_response_i,
  input wire logic [CtaW-1:0] cta_response_i,
  input wire logic            taken_response_i,
  input wire logic            single_response_i,
  input wire logic            empty_response_i
);

`include "cta_queues_constants.svh"
  localparam IsRr = Mode == 0, IsBcs = Mode == 1, IsGroups = Mode == 2, IsAdaptive = Adaptive == 1;
  localparam integer ProductW = CtaW + SmW + 1;
  localparam [SmW:0] Count = Sms[SmW:0];
  localparam [CtaW-1:0] Zero = 0;
  localparam [CtaW-1:0] One = 1;

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight, for two cycles, and for three.
  localparam integer RequestW = 3 + SmW + 3*CtaW;
  localparam integer ResponseW = 5 + CtaW;
  logic [RequestW-1:0]   offered;
  logic [ResponseW-1:0]  given;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older, oldest;
  logic                  was_reset, is_full_queue, fits, agrees, follows;
  logic                  op;
  logic [SmW-1:0]        sm;
  logic [1:0]            room;
  logic [CtaW-1:0]       ctas, asked_size, size, tail;
  assign offered = {op_i, sm_i, free_i, ctas_i, size_i, tail_i};
  assign given = {count_response_i, cta_response_i, taken_response_i, single_response_i, empty_response_i};
  assign {op, sm, room, ctas, asked_size, tail} = waiting_requests[RequestW-1:0];
  assign size = asked_size == Zero ? One : asked_size;
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
    .behind_o   (follows),
    .inside_o   ({oldest, older, in_flight}),
    .full_o     (is_full_queue),
    .fits_o     (fits),
    .agrees_o   (agrees)
  );

  // The kernel after the last answer: CTAs in no queue, and the queues. An SM of `fresh_q` has not asked since the START: its
  // queue is its first group if the kernel is `grouped_q`, else it is empty.
  logic            single_q, grouped_q;
  logic [CtaW-1:0] next_q, total_q, size_q, tail_q;
  logic [Sms-1:0]  fresh_q, began_q;
  logic [CtaW-1:0] at_q [0:Sms-1], count_q [0:Sms-1];

  // The queue of the SM that asks: its first CTA, and their number.
  logic [ProductW-1:0] group_start, group_end, total_wide, all_groups;
  logic                fresh;
  logic [CtaW-1:0]     own_first, own_end, own_count;
  assign total_wide  = {{SmW+1{1'b0}}, total_q};
  assign group_start = {{SmW+1{1'b0}}, size_q} * {{CtaW+1{1'b0}}, sm};
  assign group_end   = group_start + {{SmW+1{1'b0}}, size_q};
  assign fresh       = IsGroups && grouped_q && fresh_q[sm];
  assign own_first   = !fresh ? at_q[sm] : group_start > total_wide ? total_q : group_start[CtaW-1:0];
  assign own_end     = group_end > total_wide ? total_q : group_end[CtaW-1:0];
  assign own_count   = fresh ? own_end - own_first : fresh_q[sm] ? Zero : count_q[sm];

  // What it gets.
  logic            asks, has_own, fewer, rr, takes, pairs, next_single;
  logic [CtaW-1:0] rest, taken;
  assign asks    = op == ASK && room != 2'd0;
  assign rest    = total_q - next_q;
  assign has_own = own_count != Zero;
  assign fewer   = IsAdaptive && rest <= tail_q;
  assign rr      = single_q || (asks && !has_own && fewer);
  assign takes   = asks && !has_own && rest != Zero && ((IsGroups && !rr) || (IsBcs && !began_q[sm]));
  assign pairs   = IsBcs && rest != One && size_q != One;
  assign taken   = size_q < rest ? size_q : rest;

  // The kernel that a START begins. Each SM has a group, unless the kernel is RR from its beginning.
  logic            start_single;
  logic [CtaW-1:0] start_next;
  assign start_single = IsAdaptive && ctas <= tail;
  assign all_groups   = {{SmW+1{1'b0}}, size} * {{CtaW{1'b0}}, Count};
  assign start_next   = !IsGroups || start_single                   ? Zero
                      : all_groups > {{SmW+1{1'b0}}, ctas} ? ctas : all_groups[CtaW-1:0];
  assign next_single  = op == START ? start_single : rr;

  logic            gives;
  logic [CtaW-1:0] next_next;
  assign gives = asks && !has_own && !takes && rest != Zero && !(pairs && room == 2'd1);
  always_comb begin
    next_next = next_q;
    if (op == START) next_next = start_next;
    else if (takes) next_next = next_q + taken;
    else if (gives) next_next = next_q + One + {{CtaW-1{1'b0}}, pairs};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q    <= Zero;
      total_q   <= Zero;
      size_q    <= Zero;
      tail_q    <= Zero;
      single_q  <= 1'b0;
      grouped_q <= 1'b0;
      began_q   <= {Sms{1'b0}};
      fresh_q   <= {Sms{1'b1}};
    end else if (answered) begin
      next_q   <= next_next;
      single_q <= next_single;
      if (op == START) begin
        total_q   <= ctas;
        size_q    <= size;
        tail_q    <= tail;
        grouped_q <= IsGroups && !start_single;
        began_q   <= {Sms{1'b0}};
        fresh_q   <= {Sms{1'b1}};
      end else if (asks) begin
        fresh_q[sm] <= 1'b0;
        if (takes) began_q[sm] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (answered && asks) begin
      at_q[sm]    <= takes ? next_q + One : own_first + {{CtaW-1{1'b0}}, has_own};
      count_q[sm] <= takes ? taken - One : own_count - {{CtaW-1{1'b0}}, has_own};
    end
  end

  // A START in flight.
  logic starts;
  assign starts = (in_flight > 9'd0 && waiting_requests[RequestW-1] == START) ||
                  (in_flight > 9'd1 && waiting_requests[2*RequestW-1] == START) ||
                  (in_flight > 9'd2 && waiting_requests[3*RequestW-1] == START);

  // Cycles without an answer while requests are in flight.
  localparam [10:0] Longest = Sms[10:0] + 11'd4;
  logic [10:0] waits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 11'd0;
    else waits_q <= in_flight == 9'd0 || response_valid_i ? 11'd0 : waits_q + 11'd1;
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if (request_valid_i && op_i == ASK) a_sm: assert ({1'b0, sm_i} < Count);
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && given == $past(given));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue || starts);
      a_answered: assert (oldest == 0 || response_valid_i || starts);
      a_starts: assert (waits_q < Longest || response_valid_i || in_flight == 0);
`endif
    end
    if (!was_reset && response_valid_i) begin
      if (asks && has_own) begin
        a_own: assert (count_response_i == 2'd1 && cta_response_i == own_first && !taken_response_i);
      end
      if (takes) a_takes: assert (count_response_i == 2'd1 && cta_response_i == next_q && taken_response_i);
      if (gives && !pairs) begin
        a_next: assert (count_response_i == 2'd1 && cta_response_i == next_q && !taken_response_i);
      end
      if (gives && pairs) begin
        a_pair: assert (count_response_i == 2'd2 && cta_response_i == next_q && !taken_response_i);
      end
      if (asks && !has_own && !takes && rest != Zero && !gives) a_waits: assert (count_response_i == 2'd0);
      if (!asks || (!has_own && rest == Zero)) a_none: assert (count_response_i == 2'd0);
      if (count_response_i == 2'd0) a_nothing: assert (cta_response_i == Zero && !taken_response_i);
      a_single: assert (single_response_i == next_single);
      a_empty: assert (empty_response_i == (next_next == (op == START ? ctas : total_q)));
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "cta_queues_invariant.svh"
`endif

  // The request before the last answer, to the same SM; whether a START was answered since the reset.
  logic           asked_q, kernel_q;
  logic [SmW-1:0] asked_sm_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q  <= 1'b0;
      kernel_q <= 1'b0;
    end else if (answered) begin
      asked_q  <= asks;
      kernel_q <= kernel_q || op == START;
    end
  end
  always_ff @(posedge clk_i) begin
    if (answered) asked_sm_q <= sm;
  end
  logic again;
  assign again = asked_q && asked_sm_q == sm && follows;

  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_start: cover (answered && op == START && ctas != Zero);
      c_start_nothing: cover (answered && op == START && ctas == Zero);
      c_before_start: cover (answered && asks && !kernel_q);
      c_start_over: cover (answered && op == START && next_q != total_q);
      c_no_room: cover (answered && op == ASK && room == 2'd0 && rest != Zero);
      c_none_left: cover (answered && asks && !has_own && rest == Zero);
      c_last: cover (answered && asks && (gives || takes) && next_next == total_q);
      c_again: cover (answered && asks && again && (has_own || gives));
      c_ask_behind_start: cover (answered && asks && follows && !asked_q);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end
  generate
    if (IsRr || IsAdaptive) begin : gen_next
      always @(posedge clk_i) begin
        if (!was_reset) c_next: cover (answered && gives);
      end
    end
    if (!IsRr) begin : gen_queues
      always @(posedge clk_i) begin
        if (!was_reset) begin
          c_own: cover (answered && asks && has_own);
          c_own_again: cover (answered && asks && has_own && again);
          c_own_last: cover (answered && asks && has_own && own_count == One);
          c_takes: cover (answered && takes && size_q < rest);
          c_takes_all: cover (answered && takes && size_q == rest);
          c_takes_short: cover (answered && takes && size_q > rest);
        end
      end
    end
    if (IsGroups) begin : gen_groups
      always @(posedge clk_i) begin
        if (!was_reset) begin
          c_fresh: cover (answered && asks && fresh && has_own);
          c_no_group: cover (answered && asks && fresh && !has_own);
          if (!IsAdaptive) c_idle: cover (answered && asks && fresh && !has_own && count_q[0] != Zero);
        end
      end
    end
    if (IsBcs) begin : gen_bcs
      always @(posedge clk_i) begin
        if (!was_reset) begin
          c_pair: cover (answered && gives && pairs);
          c_waits: cover (answered && asks && !has_own && !takes && rest != Zero && !gives);
          c_odd: cover (answered && gives && !pairs && size_q != One);
          c_singly: cover (answered && gives && size_q == One);
        end
      end
    end
    if (IsAdaptive) begin : gen_adaptive
      always @(posedge clk_i) begin
        if (!was_reset) begin
          c_start_single: cover (answered && op == START && start_single && ctas != Zero);
          c_turns: cover (answered && asks && rr && !single_q && rest != Zero);
          c_finishes: cover (answered && asks && has_own && single_q);
        end
      end
    end
  endgenerate

`ifdef GOLDMEM_CROSS
  logic [6:0] cross_kind;
  logic [1:0] cross_hazard;
  assign cross_kind[0] = op == START;
  assign cross_kind[1] = op == ASK && room == 2'd0;
  assign cross_kind[2] = asks && has_own;
  assign cross_kind[3] = takes;
  assign cross_kind[4] = gives && !pairs;
  assign cross_kind[5] = gives && pairs;
  assign cross_kind[6] = asks && !has_own && !takes && !gives;
  assign cross_hazard[0] = !follows;
  assign cross_hazard[1] = follows;
  cross_cover #(
    .Kinds  (7),
    .Hazards(2)
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
