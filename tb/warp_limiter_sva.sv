// Checkers and cover points of warp_limiter; the lockstep top and the formal harness instantiate them.
// They keep a whole age matrix, the warps that count and the limit from the answered requests, in their order.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_allows           a warp with fewer older ones that count than the limit may issue
//   a_forbids          every other warp may not
//   a_number           of the warps that count as many may issue as the limit says, or all
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/warp_limiter.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than two are in flight
//   a_answered         a request in flight is answered in the next cycle at the latest
`default_nettype none

module warp_limiter_sva #(
  parameter  integer Warps  = 24,
  localparam integer LimitW = $clog2(Warps + 1)
) (
  input wire logic              clk_i,
  input wire logic              rst_ni,

  input wire logic              request_valid_i,
  input wire logic              request_ready_i,
  input wire logic [Warps-1:0]  admit_i,
  input wire logic [Warps-1:0]  resume_i,
  input wire logic [Warps-1:0]  hold_i,
  input wire logic              sets_i,
  input wire logic [LimitW-1:0] limit_i,

  input wire logic              response_valid_i,
  input wire logic              response_ready_i,
  input wire logic [Warps-1:0]  allowed_response_i
);

`include "warp_limiter_constants.svh"

  localparam [31:0] All = Warps;

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight, and requests in flight for two cycles.
  localparam integer RequestW = 3 * Warps + 1 + LimitW;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older_flight;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  logic [Warps-1:0]      admit, resume, hold;
  logic                  sets;
  logic [LimitW-1:0]     new_limit;
  assign offered = {admit_i, resume_i, hold_i, sets_i, limit_i};
  assign {admit, resume, hold, sets, new_limit} = waiting_requests[RequestW-1:0];
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

  // The number of ones in a vector.
  function automatic [LimitW-1:0] number_of(input [Warps-1:0] warps);
    number_of = {LimitW{1'b0}};
    for (integer n = 0; n < Warps; n = n + 1) number_of = number_of + {{LimitW - 1{1'b0}}, warps[n]};
  endfunction

  // After the last answer. Row i of the matrix, ahead_q[i*Warps+:Warps], has the warps that are older than warp i.
  logic [Warps*Warps-1:0] ahead_q, ahead;
  logic [Warps-1:0]       counts_q, counts, expected;
  logic [LimitW-1:0]      limit_q, limit, counted;
  always_comb begin
    counts = (counts_q | admit | resume) & ~hold;
    limit  = sets == SET ? new_limit : limit_q;
    for (integer i = 0; i < Warps; i = i + 1) begin
      ahead[i*Warps+:Warps] = ahead_q[i*Warps+:Warps] & ~admit;
      if (admit[i]) ahead[i*Warps+:Warps] = ~admit | (({{Warps - 1{1'b0}}, 1'b1} << i) - 1'b1);
      ahead[i*Warps+i] = 1'b0;
      expected[i] = number_of(ahead[i*Warps+:Warps] & counts) < limit;
    end
    counted = number_of(counts);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (integer i = 0; i < Warps; i = i + 1) ahead_q[i*Warps+:Warps] <= ({{Warps - 1{1'b0}}, 1'b1} << i) - 1'b1;
      counts_q <= {Warps{1'b0}};
      limit_q  <= All[LimitW-1:0];
    end else if (answered) begin
      ahead_q  <= ahead;
      counts_q <= counts;
      limit_q  <= limit;
    end
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && allowed_response_i == $past(allowed_response_i));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      if ($past(in_flight > {8'd0, answered})) a_answered: assert (response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_number: assert (number_of(allowed_response_i & counts) == (counted < limit ? counted : limit));
      a_allows: assert ((expected & ~allowed_response_i) == {Warps{1'b0}});
      a_forbids: assert ((allowed_response_i & ~expected) == {Warps{1'b0}});
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "warp_limiter_invariant.svh"
`endif

  // The permissions before the answer.
  logic [Warps-1:0] were_allowed;
  always_comb begin
    for (integer i = 0; i < Warps; i = i + 1) were_allowed[i] = number_of(ahead_q[i*Warps+:Warps] & counts_q) < limit_q;
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_admit: cover (answered && number_of(admit) == 1);
      c_admit_several: cover (answered && number_of(admit) > 1);
      c_admit_all: cover (answered && &admit);
      c_admit_counting: cover (answered && (admit & counts_q) != 0);
      c_admit_held: cover (answered && (admit & hold) != 0);
      c_resume: cover (answered && (resume & ~counts_q & ~hold) != 0);
      c_resume_held: cover (answered && (resume & hold) != 0);
      c_hold: cover (answered && (hold & counts_q) != 0);
      c_hold_allows: cover (answered && !sets && admit == 0 && (allowed_response_i & ~were_allowed) != 0);
      c_resume_forbids: cover (answered && !sets && admit == 0 && (were_allowed & ~allowed_response_i) != 0);
      c_set_zero: cover (answered && sets == SET && limit == 0 && counted != 0);
      c_set_lowers: cover (answered && sets == SET && limit < limit_q && (were_allowed & ~allowed_response_i) != 0);
      c_set_raises: cover (answered && sets == SET && limit > limit_q && (allowed_response_i & ~were_allowed) != 0);
      c_set_all: cover (answered && sets == SET && limit == All[LimitW-1:0] && &counts);
      c_keep: cover (answered && sets == KEEP && new_limit != limit_q);
      c_as_many: cover (answered && counted == limit && limit != 0 && &counts == 1'b0);
      c_one_more: cover (answered && {1'b0, counted} == {1'b0, limit} + 1'b1 && limit != 0);
      c_held_may: cover (answered && (allowed_response_i & ~counts) != 0 && limit < counted);
      c_held_may_not: cover (answered && limit != 0 && (allowed_response_i | counts) != {Warps{1'b1}});
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic [4:0] cross_kind;
  logic [1:0] cross_hazard;
  assign cross_kind[0] = admit != 0;
  assign cross_kind[1] = (resume & ~counts_q) != 0;
  assign cross_kind[2] = (hold & counts_q) != 0;
  assign cross_kind[3] = sets == SET && limit != limit_q;
  assign cross_kind[4] = admit == 0 && counts == counts_q && limit == limit_q;
  assign cross_hazard[0] = !behind;
  assign cross_hazard[1] = behind;
  cross_cover #(
    .Kinds  (5),
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
