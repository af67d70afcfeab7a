// Checkers and cover points of sharing_lru; the lockstep top and the formal harness instantiate them. They track
// from the answers, in order, the lines of each set: a matrix of which line is older than which, the class, the
// flag of dead lines and the owner of each. With it they determine every answer.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_none             none exactly when no way is eligible
//   a_free             the lowest eligible way that is not in use is taken first
//   a_evicted          a line in use gives way exactly when no eligible way is free, unless bypassed
//   a_victim           no older eligible line of the victim's class exists
//   a_stays            a line that stays gives way only when it is the oldest, and either dead or without an
//                      eligible line of the other class, for a line of its own class
//   a_yields           a line of the class that does not stay does not give way while the oldest is dead and may
//   a_bypass           bypass exactly for an incoming line when only lines stay and the oldest may not go
//   a_died             died exactly when the oldest is a line that stays, is not dead, and stays
//   a_of_victim        shared and dead are those of the line that goes
//   a_touch            shared and became of a TOUCH, by owner and SM
//   a_error            error exactly for TOUCH and REMOVE of a way that is not in use
//   a_named            fields that the operation does not name are 0
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/sharing_lru.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than three are in flight
//   a_answered         a request is answered in the third cycle after it at the latest
`default_nettype none

module sharing_lru_sva #(
  parameter integer Level  = 0,
  parameter integer Dead   = 2,
  parameter integer IndexW = 5,
  parameter integer Ways   = 4,
  parameter integer SmW    = 4,
  localparam integer WayW  = (Ways < 3) ? 1 : $clog2(Ways)
) (
  input wire logic              clk_i,
  input wire logic              rst_ni,

  input wire logic              request_valid_i,
  input wire logic              request_ready_i,
  input wire logic [2:0]        op_i,
  input wire logic [IndexW-1:0] index_i,
  input wire logic [WayW-1:0]   way_i,
  input wire logic [Ways-1:0]   eligible_i,
  input wire logic              incoming_i,
  input wire logic [SmW-1:0]    sm_i,
  input wire logic              known_i,

  input wire logic              response_valid_i,
  input wire logic              response_ready_i,
  input wire logic [WayW-1:0]   way_response_i,
  input wire logic              evicted_response_i,
  input wire logic              none_response_i,
  input wire logic              bypass_response_i,
  input wire logic              shared_response_i,
  input wire logic              became_response_i,
  input wire logic              dead_response_i,
  input wire logic              died_response_i,
  input wire logic              error_response_i
);

`include "sharing_lru_constants.svh"
  localparam IsL2 = Level == 1;
  localparam integer Sets = 1 << IndexW;
  localparam [Ways-1:0] LowestWay = 1;

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight now, for two cycles, for three; and whether a request was accepted in the cycle after the
  // request before it.
  localparam integer RequestW = 5 + IndexW + WayW + Ways + SmW;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older, oldest;
  logic                  was_reset, is_full_queue, fits, agrees;
  logic [2:0]            op;
  logic [IndexW-1:0]     index;
  logic [WayW-1:0]       way;
  logic [Ways-1:0]       eligible;
  logic                  incoming, known;
  logic [SmW-1:0]        sm;
  logic                  behind;
  assign offered = {op_i, index_i, way_i, eligible_i, incoming_i, sm_i, known_i};
  assign {op, index, way, eligible, incoming, sm, known} = waiting_requests[RequestW-1:0];
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

  // The lines of each set. older_q: bit Ways * w + v: line w is older than line v, both in use.
  logic [Ways-1:0]      used_q   [0:Sets-1];
  logic [Ways-1:0]      shared_q [0:Sets-1];
  logic [Ways-1:0]      dead_q   [0:Sets-1];
  logic [Ways-1:0]      owned_q  [0:Sets-1];
  logic [Ways*SmW-1:0]  owner_q  [0:Sets-1];
  logic [Ways*Ways-1:0] older_q  [0:Sets-1];
  logic [Sets-1:0]      live_q, marked_q;  // rows written since the last FLUSH; since the last FLUSH or RESET
  logic [Ways-1:0]      used, shared, dead, owned, used_d, shared_d, dead_d, owned_d;
  logic [Ways*SmW-1:0]  owner, owner_d;
  logic [Ways*Ways-1:0] order, order_d;
  assign used   = live_q[index] ? used_q[index] : {Ways{1'b0}};
  assign shared = marked_q[index] ? shared_q[index] : {Ways{1'b0}};
  assign dead   = marked_q[index] ? dead_q[index] : {Ways{1'b0}};
  assign owned  = marked_q[index] ? owned_q[index] : {Ways{1'b0}};
  assign owner  = owner_q[index];
  assign order  = older_q[index];

  logic is_touch, is_replace, is_remove, is_flush, is_reset, is_peek, asks, gives, touches, removes;
  assign is_touch   = op == TOUCH;
  assign is_replace = op == REPLACE;
  assign is_remove  = op == REMOVE;
  assign is_flush   = op == FLUSH;
  assign is_reset   = op == RESET;
  assign is_peek    = op >= PEEK;
  assign asks       = is_replace || is_peek;
  assign gives      = asks && !none_response_i && !bypass_response_i;
  assign touches    = is_touch && !error_response_i;
  assign removes    = is_remove && !error_response_i;

  // Of the eligible lines: the one that no other is older than; those that no other of their class is older than.
  logic [Ways-1:0] named, here, candidates, stays, last, last_of_class, same_owner;
  logic [Ways-1:0] comes, goes, newest, gets_owner;
  genvar g, h;
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_way
      logic [Ways-1:0] ahead, ahead_of_class;
      for (h = 0; h < Ways; h = h + 1) begin : gen_other
        assign ahead[h] = candidates[h] && order[h*Ways+g];
        assign ahead_of_class[h] = ahead[h] && stays[h] == stays[g];
      end
      assign named[g] = way == g[WayW-1:0];
      assign here[g] = way_response_i == g[WayW-1:0];
      assign last[g] = candidates[g] && ahead == 0;
      assign last_of_class[g] = candidates[g] && ahead_of_class == 0;
      assign same_owner[g] = owner[g*SmW+:SmW] == sm;
      assign owner_d[g*SmW+:SmW] = gets_owner[g] ? sm : owner[g*SmW+:SmW];
      for (h = 0; h < Ways; h = h + 1) begin : gen_order
        // A line that becomes the newest is older than none; each other line in use is older than it.
        assign order_d[h*Ways+g] = newest[h] ? 1'b0 : (newest[g] ? used[h] : order[h*Ways+g]);
      end
    end
  endgenerate
  logic [Ways-1:0] free_ways;
  logic            full, last_stays, last_dead, may_go, has_other, searches;
  assign candidates = eligible & used;
  assign free_ways  = eligible & ~used;
  assign full       = free_ways == 0;
  assign stays      = IsL2 ? shared : used & ~shared;
  assign last_stays = |(last & stays);
  assign last_dead  = |(last & dead);
  assign may_go     = Dead == 2 || (Dead == 1 && !incoming);  // the oldest, if it is dead
  assign has_other  = |(candidates & ~stays);
  assign searches   = asks && eligible != 0 && full;

  assign comes      = here & {Ways{is_replace && gives}};
  assign goes       = named & {Ways{removes}};
  assign newest     = comes | (named & {Ways{touches}});
  assign used_d     = (used | comes) & ~goes;
  assign shared_d   = is_touch ? (shared | (named & {Ways{touches && shared_response_i}})) :
                      (shared & ~comes & ~goes) | (comes & {Ways{!IsL2 && incoming}});
  assign dead_d     = (dead & ~newest & ~goes) | (last & {Ways{is_replace && died_response_i}});
  assign gets_owner = newest & {Ways{IsL2 && known}} & (comes | ~owned);
  assign owned_d    = (owned & ~comes & ~goes) | gets_owner;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      live_q   <= {Sets{1'b0}};
      marked_q <= {Sets{1'b0}};
    end else if (answered) begin
      if (is_flush) live_q <= {Sets{1'b0}};
      if (is_flush || is_reset) marked_q <= {Sets{1'b0}};
      if (!is_flush && !is_reset) begin
        live_q[index]   <= 1'b1;
        marked_q[index] <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (answered && !is_flush && !is_reset) begin
      used_q[index]   <= used_d;
      shared_q[index] <= shared_d;
      dead_q[index]   <= dead_d;
      owned_q[index]  <= owned_d;
      owner_q[index]  <= owner_d;
      older_q[index]  <= order_d;
    end
  end

  // The last answer.
  logic              last_any_q, last_died_q;
  logic [2:0]        last_op_q;
  logic [IndexW-1:0] last_index_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_any_q <= 1'b0;
    else if (answered) last_any_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (answered) begin
      last_op_q    <= op;
      last_index_q <= index;
      last_died_q  <= died_response_i;
    end
  end

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
                                   bypass_response_i == $past(bypass_response_i) &&
                                   shared_response_i == $past(shared_response_i) &&
                                   became_response_i == $past(became_response_i) &&
                                   dead_response_i == $past(dead_response_i) &&
                                   died_response_i == $past(died_response_i) &&
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
      if (asks && !full) a_free: assert (gives && here == (free_ways & (~free_ways + LowestWay)));
      if (gives) a_evicted: assert (evicted_response_i == full);
      if (gives && full) begin
        a_victim: assert (|(here & last_of_class));
        if (|(here & stays)) begin
          a_stays: assert (|(here & last) && ((last_dead && may_go) || (!has_other && !incoming)));
        end else a_yields: assert (!(last_stays && last_dead && may_go));
        a_of_victim: assert (shared_response_i == |(here & shared) && dead_response_i == |(here & dead));
      end
      a_bypass: assert (bypass_response_i ==
                        (searches && incoming && !has_other && !(last_dead && may_go)));
      a_died: assert (died_response_i ==
                      (searches && Dead != 0 && last_stays && !last_dead && (has_other || incoming)));
      if (touches) begin
        a_touch: assert (became_response_i == (IsL2 && known && |(named & owned & ~same_owner & ~shared)) &&
                         shared_response_i == (|(named & shared) || became_response_i));
      end
      a_error: assert (error_response_i == ((is_touch || is_remove) && !(|(named & used))));
      a_named: assert ((gives || (way_response_i == 0 && !evicted_response_i)) &&
                       (asks || !none_response_i) &&
                       ((gives && full) || touches || !shared_response_i) &&
                       ((gives && full) || !dead_response_i) && (touches || !became_response_i));
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "sharing_lru_invariant.svh"
`endif

  logic follows, follows_set;  // the request was accepted right behind the last one answered
  assign follows     = answered && behind && last_any_q;
  assign follows_set = follows && last_index_q == index && !is_flush && !is_reset && last_op_q != FLUSH &&
                       last_op_q != RESET;

  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_free: cover (answered && is_replace && gives && !evicted_response_i);
      c_free_not_eligible: cover (answered && is_replace && evicted_response_i && (~used) != 0);
      c_other_class: cover (answered && is_replace && evicted_response_i && |(here & ~stays));
      c_other_class_not_oldest: cover (answered && is_replace && evicted_response_i && |(here & ~stays & ~last));
      c_same_class: cover (answered && is_replace && evicted_response_i && |(here & stays & ~dead));
      c_dead_goes: cover (answered && is_replace && dead_response_i);
      c_dead_goes_for_incoming: cover (answered && is_replace && dead_response_i && incoming);
      c_dead_stays: cover (answered && is_replace && searches && last_dead && !dead_response_i);
      c_died: cover (answered && is_replace && died_response_i && evicted_response_i);
      c_died_bypass: cover (answered && is_replace && died_response_i && bypass_response_i);
      c_bypass_again: cover (answered && is_replace && bypass_response_i && !died_response_i);
      c_bypass: cover (answered && is_replace && bypass_response_i);
      c_none: cover (answered && is_replace && none_response_i);
      c_incoming_free: cover (answered && is_replace && incoming && gives && !evicted_response_i);
      c_peek: cover (answered && is_peek && evicted_response_i);
      c_peek_bypass: cover (answered && is_peek && bypass_response_i);
      c_peek_died: cover (answered && is_peek && died_response_i);
      c_revived: cover (answered && touches && |(named & dead));
      c_touch_shared: cover (answered && touches && shared_response_i && !became_response_i);
      c_became: cover (answered && became_response_i);
      c_owner_again: cover (answered && touches && known && |(named & owned & same_owner & shared));
      c_first_owner: cover (answered && touches && |(named & gets_owner));
      c_unknown: cover (answered && touches && !known);
      c_touch_error: cover (answered && is_touch && error_response_i);
      c_remove: cover (answered && removes);
      c_remove_dead: cover (answered && removes && |(named & dead));
      c_remove_error: cover (answered && is_remove && error_response_i);
      c_reset: cover (answered && is_reset && live_q != 0 && marked_q != 0);
      c_flush_in_flight: cover (accepted && op_i == FLUSH && is_full_queue);
      c_flush_behind: cover (follows && is_flush && last_op_q != FLUSH);
      c_behind_flush: cover (follows && last_op_q == FLUSH && is_replace);
      c_behind_reset: cover (follows && last_op_q == RESET && searches && is_replace);
      c_replace_behind_replace: cover (follows_set && is_replace && last_op_q == REPLACE);
      c_replace_behind_died: cover (follows_set && dead_response_i && last_op_q == REPLACE && last_died_q);
      c_replace_behind_touch: cover (follows_set && is_replace && last_op_q == TOUCH);
      c_touch_behind_replace: cover (follows_set && touches && last_op_q == REPLACE);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic cross_set, cross_flush;
  assign cross_flush = behind && last_any_q && (last_op_q == FLUSH || last_op_q == RESET);
  assign cross_set   = behind && last_any_q && last_op_q != FLUSH && last_op_q != RESET && !is_flush &&
                       !is_reset && last_index_q == index;
  logic [13:0] cross_kind;
  logic [2:0]  cross_hazard;
  assign cross_kind[0] = touches && !became_response_i;
  assign cross_kind[1] = touches && became_response_i;
  assign cross_kind[2] = is_touch && error_response_i;
  assign cross_kind[3] = is_replace && gives && !evicted_response_i;
  assign cross_kind[4] = is_replace && evicted_response_i && |(here & ~stays);
  assign cross_kind[5] = is_replace && evicted_response_i && |(here & stays & ~dead);
  assign cross_kind[6] = is_replace && evicted_response_i && dead_response_i;
  assign cross_kind[7] = is_replace && bypass_response_i;
  assign cross_kind[8] = is_replace && none_response_i;
  assign cross_kind[9] = is_peek;
  assign cross_kind[10] = removes;
  assign cross_kind[11] = is_remove && error_response_i;
  assign cross_kind[12] = is_flush;
  assign cross_kind[13] = is_reset;
  assign cross_hazard[0] = !(cross_set || cross_flush);
  assign cross_hazard[1] = cross_set;
  assign cross_hazard[2] = cross_flush;
  cross_cover #(
    .Kinds  (14),
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
