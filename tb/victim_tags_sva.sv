// Checkers and cover points of victim_tags; the lockstep top and the formal harness instantiate them. They
// keep each row as a list, the newest tag first, from the requests in their order, and with it determine
// every answer.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_warp             (duty of the environment) a warp is below Warps, except of a RESTART
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_insert           INSERT finds a tag of its row's list
//   a_probe            PROBE finds a tag of its row's list
//   a_replaced         an INSERT of a tag that is not there replaces one when the list has Ways tags
//   a_named            CLEAR and RESTART find nothing; only an INSERT replaces
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/victim_tags.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than three are in flight
//   a_answered         a request is answered in the third cycle after it at the latest
// For proofs only: tb/victim_tags_invariant.svh.
`default_nettype none

module victim_tags_sva #(
  parameter integer  Warps = 48,
  parameter integer  Sets  = 2,
  parameter integer  Ways  = 8,
  parameter integer  LineW = 42,
  localparam integer WarpW = (Warps < 3) ? 1 : $clog2(Warps),
  localparam integer WayW  = (Ways < 3) ? 1 : $clog2(Ways),
  localparam integer TagW  = LineW - $clog2(Sets)
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  input wire logic             request_valid_i,
  input wire logic             request_ready_i,
  input wire logic [1:0]       op_i,
  input wire logic [WarpW-1:0] warp_i,
  input wire logic [LineW-1:0] line_i,

  input wire logic             response_valid_i,
  input wire logic             response_ready_i,
  input wire logic             found_response_i,
  input wire logic             replaced_response_i
);

`include "victim_tags_constants.svh"
  localparam integer Rows = Warps * Sets;
  localparam integer RowW = (Rows < 3) ? 1 : $clog2(Rows);
  localparam integer SetW = (Sets < 3) ? 1 : $clog2(Sets);
  localparam integer LengthW = WayW + 1;
  localparam [31:0] LastSet = Sets - 1;
  localparam [WarpW:0] AllWarps = Warps[WarpW:0];
  localparam [WayW:0] Most = Ways[WayW:0];

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight now, for two cycles, for three.
  localparam integer RequestW = 2 + WarpW + LineW;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older, oldest;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  logic [1:0]            op;
  logic [WarpW-1:0]      warp;
  logic [LineW-1:0]      line;
  assign offered = {op_i, warp_i, line_i};
  assign {op, warp, line} = waiting_requests[RequestW-1:0];
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

  // Each row's list: its length and its tags, the newest lowest.
  logic [Rows*LengthW-1:0] length_q;
  logic [Ways*TagW-1:0]    list_q [0:Rows-1];

  // The row of the oldest request, and the place of its tag there.
  logic [SetW-1:0]      set_number;
  logic [31:0]          at, warp_number;
  logic [RowW-1:0]      row;
  logic [TagW-1:0]      tag;
  logic [WayW:0]        length;
  logic [Ways*TagW-1:0] list;
  logic [Ways-1:0]      places;
  logic                 is_there, joins;
  assign set_number  = line[SetW-1:0] & LastSet[SetW-1:0];
  assign warp_number = {{32 - WarpW{1'b0}}, warp};
  assign at     = warp_number * Sets + {{32 - SetW{1'b0}}, set_number};
  assign row    = at[RowW-1:0];
  assign tag    = line[LineW-1-:TagW];
  assign length = length_q[row*LengthW+:LengthW];
  assign list   = list_q[row];
  genvar g;
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_place
      assign places[g] = length > g && list[g*TagW+:TagW] == tag;
    end
  endgenerate
  assign is_there = |places;
  assign joins    = op == INSERT && !is_there;

  always_ff @(posedge clk_i or negedge rst_ni) begin : follow
    integer r;
    if (!rst_ni) begin
      length_q <= {Rows*LengthW{1'b0}};
    end else if (answered) begin
      for (r = 0; r < Rows; r = r + 1) begin
        if (op == RESTART || (op == CLEAR && r / Sets == warp_number)) length_q[r*LengthW+:LengthW] <= {LengthW{1'b0}};
        if (joins && length < Most && r == at) length_q[r*LengthW+:LengthW] <= length + 1'b1;
      end
    end
  end
  logic [(Ways+1)*TagW-1:0] longer;
  assign longer = {list, tag};
  always_ff @(posedge clk_i) begin
    if (answered && joins) list_q[row] <= longer[Ways*TagW-1:0];
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && found_response_i == $past(found_response_i) &&
                                   replaced_response_i == $past(replaced_response_i));
      end
      if (request_valid_i) a_warp: assert (op_i == RESTART || {1'b0, warp_i} < AllWarps);
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      a_answered: assert (oldest == 0 || response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      if (op == INSERT) a_insert: assert (found_response_i == is_there);
      if (op == PROBE) a_probe: assert (found_response_i == is_there);
      if (op == INSERT) a_replaced: assert (replaced_response_i == (!is_there && length == Most));
      a_named: assert ((op < CLEAR || !found_response_i) && (op == INSERT || !replaced_response_i));
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "victim_tags_invariant.svh"
`endif

  // For the cover points: the last answer, of the request accepted in the cycle before this one's (behind).
  logic             last_any_q, last_joined_q;
  logic [1:0]       last_op_q;
  logic [RowW-1:0]  last_row_q;
  logic [WarpW-1:0] last_warp_q;
  logic [TagW-1:0]  last_tag_q, lost_q;  // lost_q: the tag that the last INSERT replaced
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) last_any_q <= 1'b0;
    else if (answered) last_any_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (answered) begin
      last_joined_q <= joins;
      last_op_q     <= op;
      last_row_q    <= row;
      last_warp_q   <= warp;
      last_tag_q    <= tag;
      lost_q        <= list[Ways*TagW-1-:TagW];
    end
  end
  logic inserted, probed, follows, follows_join;
  assign inserted     = answered && op == INSERT;
  assign probed       = answered && op == PROBE;
  assign follows      = answered && last_any_q && behind;
  assign follows_join = follows && last_joined_q && row == last_row_q;
  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_insert_first: cover (inserted && length == 0);
      c_insert_fills: cover (inserted && joins && length == Most - 1'b1);
      c_insert_replaces: cover (inserted && replaced_response_i);
      c_insert_found_newest: cover (inserted && places[0]);
      c_insert_found_oldest: cover (inserted && length == Most && places[Ways-1]);
      c_probe_empty: cover (probed && length == 0);
      c_probe_newest: cover (probed && places[0]);
      c_probe_oldest: cover (probed && length == Most && places[Ways-1]);
      c_probe_full_miss: cover (probed && length == Most && !is_there);
      c_probe_replaced: cover (probed && last_any_q && last_joined_q && row == last_row_q && tag == lost_q &&
                               length == Most && !is_there);
      c_probe_other_warp: cover (probed && last_any_q && last_joined_q && warp != last_warp_q && tag == last_tag_q &&
                                 !is_there);
      c_insert_then_probe: cover (follows_join && op == PROBE && places[0]);
      c_insert_then_insert: cover (follows_join && joins);
      c_insert_again: cover (follows_join && op == INSERT && places[0]);
      c_clear_some: cover (answered && op == CLEAR && length != 0);
      c_clear_then_probe: cover (follows && last_op_q == CLEAR && op == PROBE && warp == last_warp_q);
      c_clear_then_insert: cover (follows && last_op_q == CLEAR && joins && warp == last_warp_q);
      c_clear_then_other: cover (follows && last_op_q == CLEAR && op == PROBE && warp != last_warp_q && is_there);
      c_insert_then_clear: cover (follows && last_joined_q && op == CLEAR && warp == last_warp_q);
      c_restart: cover (answered && op == RESTART && last_any_q && last_joined_q);
      c_restart_then_probe: cover (follows && last_op_q == RESTART && op == PROBE);
      c_restart_then_insert: cover (follows && last_op_q == RESTART && op == INSERT);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic [6:0] cross_kind;
  logic [1:0] cross_hazard;
  assign cross_kind[0] = op == INSERT && is_there;
  assign cross_kind[1] = joins && !replaced_response_i;
  assign cross_kind[2] = joins && replaced_response_i;
  assign cross_kind[3] = op == PROBE && is_there;
  assign cross_kind[4] = op == PROBE && !is_there;
  assign cross_kind[5] = op == CLEAR;
  assign cross_kind[6] = op == RESTART;
  assign cross_hazard[0] = !follows_join;
  assign cross_hazard[1] = follows_join;
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
