// Checkers and cover points of replacement; the lockstep top and the formal harness instantiate
// them. They track from the answers, in order, which ways are in use.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_none             none exactly when no way is eligible
//   a_way              the way taken is eligible, and the lowest free one if there is one; evicted
//                      exactly when it is in use
//   a_newest_stays     LRU: the newest way is not evicted while another way is eligible
//   a_peek             REPLACE right after a PEEK with equal fields gives an equal answer
//   a_error            error exactly for TOUCH and REMOVE of a way that is not in use
//   a_named            fields that the operation does not name are 0
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/replacement.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than three are in flight
//   a_answered         a request is answered in the third cycle after it at the latest
`default_nettype none

module replacement_sva #(
  parameter integer Policy     = 0,
  parameter integer IndexW     = 5,
  parameter integer Ways       = 4,
  parameter integer RrpvW      = 2,
  parameter integer SignatureW = 8,
  parameter integer CounterW   = 3,
  localparam integer WayW       = (Ways < 3) ? 1 : $clog2(Ways)
) (
  input wire logic                  clk_i,
  input wire logic                  rst_ni,

  input wire logic                  request_valid_i,
  input wire logic                  request_ready_i,
  input wire logic [2:0]            op_i,
  input wire logic [IndexW-1:0]     index_i,
  input wire logic [WayW-1:0]       way_i,
  input wire logic [Ways-1:0]       eligible_i,
  input wire logic [SignatureW-1:0] signature_i,

  input wire logic                  response_valid_i,
  input wire logic                  response_ready_i,
  input wire logic [WayW-1:0]       way_response_i,
  input wire logic                  evicted_response_i,
  input wire logic                  none_response_i,
  input wire logic                  distant_response_i,
  input wire logic                  error_response_i
);

`include "replacement_constants.svh"
  localparam IsLru = Policy == 0, IsShip = Policy == 2;
  localparam integer Sets = 1 << IndexW;
  localparam [Ways-1:0] LowestWay = 1;

  // Parameters that the checkers do not use (lockstep checks their effect).
  logic unused_parameters;
  assign unused_parameters = &{RrpvW[0], CounterW[0]};

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight now, for two cycles, for three; and whether a request was accepted in the cycle
  // after the request before it.
  localparam integer RequestW = 3 + IndexW + WayW + Ways + SignatureW;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older, oldest;
  logic                  was_reset, is_full_queue, fits, agrees;
  logic [2:0]            op;
  logic [IndexW-1:0]     index;
  logic [WayW-1:0]       way;
  logic [Ways-1:0]       eligible;
  logic [SignatureW-1:0] signature;
  logic                  behind;
  assign offered = {op_i, index_i, way_i, eligible_i, signature_i};
  assign {op, index, way, eligible, signature} = waiting_requests[RequestW-1:0];
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

  // The ways in use and the newest way; rows not written since the last FLUSH are zeros.
  logic [Ways-1:0] used_q   [0:Sets-1];
  logic [Ways-1:0] newest_q [0:Sets-1];
  logic [Sets-1:0] live_q;
  logic [Ways-1:0] used, newest, named, here, free_ways;
  assign used   = live_q[index] ? used_q[index] : {Ways{1'b0}};
  assign newest = live_q[index] ? newest_q[index] : {Ways{1'b0}};
  genvar g;
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_way
      assign named[g] = way == g[WayW-1:0];
      assign here[g]  = way_response_i == g[WayW-1:0];
    end
  endgenerate
  assign free_ways = eligible & ~used;

  logic is_touch, is_replace, is_remove, is_flush, is_peek, asks, gives, touches, removes;
  assign is_touch   = op == TOUCH;
  assign is_replace = op == REPLACE;
  assign is_remove  = op == REMOVE;
  assign is_flush   = op == FLUSH;
  assign is_peek    = op >= PEEK;
  assign asks       = is_replace || is_peek;
  assign gives      = asks && !none_response_i;
  assign touches    = is_touch && !error_response_i;
  assign removes    = is_remove && !error_response_i;

  logic [Ways-1:0] comes, goes, now_newest, used_d, newest_d;
  assign comes      = here & {Ways{is_replace && gives}};
  assign goes       = named & {Ways{removes}};
  assign now_newest = comes | (named & {Ways{touches}});
  assign used_d     = (used | comes) & ~goes;
  assign newest_d   = (now_newest != 0) ? now_newest : newest & ~goes;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) live_q <= {Sets{1'b0}};
    else if (answered && is_flush) live_q <= {Sets{1'b0}};
    else if (answered) live_q[index] <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (answered && !is_flush) begin
      used_q[index]   <= used_d;
      newest_q[index] <= newest_d;
    end
  end

  // The last answer.
  logic                  last_any_q, last_evicted_q, last_none_q, last_distant_q, last_touched_q;
  logic [2:0]            last_op_q;
  logic [IndexW-1:0]     last_index_q;
  logic [WayW-1:0]       last_way_q;
  logic [Ways-1:0]       last_eligible_q;
  logic [SignatureW-1:0] last_signature_q;
  logic                  peeked;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_any_q <= 1'b0;
    else if (answered) last_any_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (answered) begin
      last_op_q        <= op;
      last_index_q     <= index;
      last_eligible_q  <= eligible;
      last_signature_q <= signature;
      last_way_q       <= way_response_i;
      last_evicted_q   <= evicted_response_i;
      last_none_q      <= none_response_i;
      last_distant_q   <= distant_response_i;
      last_touched_q   <= touches;
    end
  end
  assign peeked = last_any_q && last_op_q >= PEEK && last_index_q == index &&
                  last_eligible_q == eligible && last_signature_q == signature;

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i &&
                                   way_response_i == $past(way_response_i) &&
                                   evicted_response_i == $past(evicted_response_i) &&
                                   none_response_i == $past(none_response_i) &&
                                   distant_response_i == $past(distant_response_i) &&
                                   error_response_i == $past(error_response_i));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      a_answered: assert (oldest == 0 || response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      if (asks) a_none: assert (none_response_i == (eligible == 0));
      if (gives) begin
        a_way: assert (|(here & eligible) && evicted_response_i == (free_ways == 0) &&
                       (evicted_response_i ? |(here & used) :
                                             here == (free_ways & (~free_ways + LowestWay))));
      end
      if (gives && evicted_response_i && IsLru) begin
        a_newest_stays: assert ((here & newest) == 0 || eligible == here);
      end
`ifndef GOLDMEM_INVARIANT
      if (is_replace && peeked) begin
        a_peek: assert (way_response_i == last_way_q && evicted_response_i == last_evicted_q &&
                        none_response_i == last_none_q && distant_response_i == last_distant_q);
      end
`endif
      a_error: assert (error_response_i == ((is_touch || is_remove) && !(|(named & used))));
      a_named: assert ((gives || (way_response_i == 0 && !evicted_response_i)) &&
                       (asks || !none_response_i) && ((gives && IsShip) || !distant_response_i));
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "replacement_invariant.svh"
`endif

  logic follows, follows_set;  // the request was accepted right behind the last one answered
  assign follows     = answered && behind && last_any_q;
  assign follows_set = follows && last_index_q == index && !is_flush && last_op_q != FLUSH;

  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_free: cover (answered && is_replace && gives && !evicted_response_i);
      c_free_not_eligible: cover (answered && is_replace && evicted_response_i && (~used) != 0);
      c_evicted: cover (answered && is_replace && evicted_response_i);
      c_evicted_last_way: cover (answered && is_replace && evicted_response_i && here[Ways-1]);
      c_evicted_one_eligible: cover (answered && is_replace && evicted_response_i &&
                                     eligible == here && Ways > 1);
      c_none: cover (answered && is_replace && none_response_i);
      c_peek: cover (answered && is_peek && gives);
      c_peek_none: cover (answered && is_peek && none_response_i);
      c_peek_then_replace: cover (answered && is_replace && peeked && evicted_response_i);
      c_distant: cover (answered && is_replace && distant_response_i);
      c_distant_free: cover (answered && is_replace && distant_response_i && !evicted_response_i);
      c_distant_peek: cover (answered && is_peek && distant_response_i);
      c_touch: cover (answered && touches);
      c_touch_error: cover (answered && is_touch && error_response_i);
      c_remove: cover (answered && removes);
      c_remove_newest: cover (answered && removes && (named & newest) != 0);
      c_remove_error: cover (answered && is_remove && error_response_i);
      c_flush_in_flight: cover (accepted && op_i == FLUSH && is_full_queue);
      c_flush_behind: cover (follows && is_flush && last_op_q != FLUSH);
      c_behind_flush: cover (follows && last_op_q == FLUSH && is_replace);
      c_replace_behind_replace: cover (follows_set && is_replace && last_op_q == REPLACE);
      c_replace_behind_touch: cover (follows_set && is_replace && last_touched_q);
      c_touch_behind_replace: cover (follows_set && touches && last_op_q == REPLACE);
      c_learn_and_ask: cover (follows && is_replace && last_op_q == REPLACE && last_evicted_q &&
                              signature == last_signature_q);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic cross_set, cross_flush;
  assign cross_flush = behind && last_any_q && last_op_q == FLUSH;
  assign cross_set   = behind && last_any_q && last_op_q != FLUSH && !is_flush && last_index_q == index;
  logic [10:0] cross_kind;
  logic [2:0] cross_hazard;
  assign cross_kind[0] = touches;
  assign cross_kind[1] = is_touch && error_response_i;
  assign cross_kind[2] = is_replace && gives && !evicted_response_i;
  assign cross_kind[3] = is_replace && evicted_response_i;
  assign cross_kind[4] = is_replace && none_response_i;
  assign cross_kind[5] = is_peek && gives && !evicted_response_i;
  assign cross_kind[6] = is_peek && evicted_response_i;
  assign cross_kind[7] = is_peek && none_response_i;
  assign cross_kind[8] = removes;
  assign cross_kind[9] = is_remove && error_response_i;
  assign cross_kind[10] = is_flush;
  assign cross_hazard[0] = !(cross_set || cross_flush);
  assign cross_hazard[1] = cross_set;
  assign cross_hazard[2] = cross_flush;
  cross_cover #(
    .Kinds  (11),
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
