// Checkers and cover points of contention_bypass; the lockstep top and the formal harness instantiate them. They divide
// where the RTL multiplies.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_bypasses         a load bypasses that touches two lines or more, and a warp's share or more
//   a_fills            no other load bypasses
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/contention_bypass.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than two are in flight
//   a_answered         a request in flight is answered in the next cycle at the latest
`default_nettype none

module contention_bypass_sva #(
  parameter  integer Touched  = 64,
  parameter  integer Warps    = 64,
  parameter  integer Lines    = 512,
  localparam integer TouchedW = $clog2(Touched + 1),
  localparam integer WarpW    = $clog2(Warps + 1),
  localparam integer LineW    = $clog2(Lines + 1)
) (
  input wire logic                clk_i,
  input wire logic                rst_ni,

  input wire logic                request_valid_i,
  input wire logic                request_ready_i,
  input wire logic [TouchedW-1:0] touched_i,
  input wire logic [WarpW-1:0]    warps_i,
  input wire logic [LineW-1:0]    lines_i,

  input wire logic                response_valid_i,
  input wire logic                response_ready_i,
  input wire logic                bypass_response_i
);

`include "contention_bypass_constants.svh"

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight, and requests in flight for two cycles.
  localparam integer RequestW = TouchedW + WarpW + LineW;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older_flight;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  logic [TouchedW-1:0]   touched;
  logic [WarpW-1:0]      warps;
  logic [LineW-1:0]      lines;
  assign offered = {touched_i, warps_i, lines_i};
  assign {touched, warps, lines} = waiting_requests[RequestW-1:0];
  request_queue #(
    .Width (RequestW),
    .Stages(2)
  ) queue (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .accepted_i (accepted),
    .answered_i (answered),
    .offered_i  (offered),
    .was_reset_o(was_reset),
    .waiting_o  (waiting_requests),
    .behind_o   (behind),
    .inside_o   ({older_flight, in_flight}),
    .full_o     (is_full_queue),
    .fits_o     (fits),
    .agrees_o   (agrees)
  );

  // A warp's share of the lines, of the request that is answered.
  logic [31:0] wide_touched, wide_warps, wide_lines, share, rest;
  logic        has_warps, expected;
  assign wide_touched = {{32 - TouchedW{1'b0}}, touched};
  assign wide_warps   = {{32 - WarpW{1'b0}}, warps};
  assign wide_lines   = {{32 - LineW{1'b0}}, lines};
  assign has_warps    = warps != {WarpW{1'b0}};
  assign share        = has_warps ? wide_lines / wide_warps : 32'd0;
  assign rest         = wide_lines - share * wide_warps;
  assign expected     = has_warps && wide_touched > 32'd1 && wide_touched >= share;

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && bypass_response_i == $past(bypass_response_i));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      if ($past(in_flight > {8'd0, answered})) a_answered: assert (response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_bypasses: assert (bypass_response_i == BYPASSES || !expected);
      a_fills: assert (bypass_response_i == FILLS || expected);
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "contention_bypass_invariant.svh"
`endif

  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_share: cover (answered && has_warps && wide_touched == share && wide_touched > 32'd1);
      c_share_with_rest: cover (answered && has_warps && wide_touched == share && wide_touched > 32'd1 && rest != 32'd0);
      c_one_less: cover (answered && has_warps && wide_touched + 32'd1 == share && wide_touched > 32'd1);
      c_one_line: cover (answered && wide_touched == 32'd1 && wide_touched >= share && has_warps);
      c_no_line: cover (answered && wide_touched == 32'd0);
      c_two_lines: cover (answered && wide_touched == 32'd2 && expected);
      c_no_share: cover (answered && wide_lines < wide_warps && wide_touched > 32'd1);
      c_one_warp: cover (answered && wide_warps == 32'd1 && wide_touched > 32'd1);
      c_all_warps: cover (answered && wide_warps == Warps && expected);
      c_all_warps_fill: cover (answered && wide_warps == Warps && !expected && wide_touched != 32'd0);
      c_no_warps: cover (answered && !has_warps && wide_touched > 32'd1);
      c_no_lines: cover (answered && wide_lines == 32'd0 && wide_touched > 32'd1);
      c_most_lines: cover (answered && wide_lines == Lines);
      c_most_touched: cover (answered && wide_touched == Touched);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic [2:0] cross_kind;
  logic [1:0] cross_hazard;
  assign cross_kind[0] = expected;
  assign cross_kind[1] = !expected && wide_touched > 32'd1;
  assign cross_kind[2] = wide_touched <= 32'd1;
  assign cross_hazard[0] = !behind;
  assign cross_hazard[1] = behind;
  cross_cover #(
    .Kinds  (3),
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
