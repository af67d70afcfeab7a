// Checkers and cover points of lifetime_predictor; the lockstep top and the formal harness instantiate them.
// They compute each lifetime from the last answer, in the order of the answers, in 64 bits.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_longer           a LOAD of an expired copy lengthens by Hit, up to Max
//   a_shorter          an EVICT of an unexpired line shortens by Evict, a STORE to one after a FENCED by Write,
//                      down to 0
//   a_keeps            every other LOAD, EVICT and STORE, and FENCED, keep the lifetime
//   a_reset            RESET returns to Start
//   a_range            a lifetime is 0 to Max
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/lifetime_predictor.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than two are in flight
//   a_answered         a request in flight is answered in the next cycle at the latest
`default_nettype none

module lifetime_predictor_sva #(
  parameter integer LifeW = 13,
  parameter integer Hit   = 4,
  parameter integer Evict = 8,
  parameter integer Write = 8,
  parameter integer Max   = 6400,
  parameter integer Start = 800
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,

  input wire logic             request_valid_i,
  input wire logic             request_ready_i,
  input wire logic [2:0]       op_i,
  input wire logic             expired_l1_i,
  input wire logic             expired_l2_i,
  input wire logic             unexpired_i,

  input wire logic             response_valid_i,
  input wire logic             response_ready_i,
  input wire logic [LifeW-1:0] life_response_i
);

`include "lifetime_predictor_constants.svh"
  localparam [31:0] StartBits = Start;  // unsigned

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight, and requests in flight for two cycles.
  localparam integer RequestW = 6;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  logic [2:0]            op;
  logic                  expired_l1, expired_l2, unexpired;
  assign offered = {op_i, expired_l1_i, expired_l2_i, unexpired_i};
  assign {op, expired_l1, expired_l2, unexpired} = waiting_requests[RequestW-1:0];
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
    .inside_o   ({older, in_flight}),
    .full_o     (is_full_queue),
    .fits_o     (fits),
    .agrees_o   (agrees)
  );

  // The lifetime that was answered last, and whether a fence has completed.
  logic [LifeW-1:0] life_q;
  logic             fenced_q, lengthens, evicts, stores, restarts;
  assign lengthens = op == LOAD && (expired_l1 || expired_l2);
  assign evicts    = op == EVICT && unexpired;
  assign stores    = op == STORE && unexpired && fenced_q;
  assign restarts  = op >= RESET;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      life_q   <= StartBits[LifeW-1:0];
      fenced_q <= 1'b0;
    end else if (answered) begin
      life_q <= life_response_i;
      if (op == FENCED) fenced_q <= 1'b1;
      if (restarts) fenced_q <= 1'b0;
    end
  end

  logic [63:0] held, after, longer, shorter, longest;
  assign held = {{64-LifeW{1'b0}}, life_q};
  assign after   = {{64-LifeW{1'b0}}, life_response_i};
  assign longest = {32'd0, Max};
  assign longer  = held + {32'd0, Hit};
  assign shorter = held - (evicts ? {32'd0, Evict} : {32'd0, Write});  // bit 63: below 0

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && life_response_i == $past(life_response_i));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      if ($past(in_flight > {8'd0, answered})) a_answered: assert (response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      a_range: assert (after <= longest);
      if (lengthens) a_longer: assert (after == (longer > longest ? longest : longer));
      if (evicts || stores) a_shorter: assert (after == (shorter[63] ? 64'd0 : shorter));
      if (!lengthens && !evicts && !stores && !restarts) a_keeps: assert (after == held);
      if (restarts) a_reset: assert (life_response_i == StartBits[LifeW-1:0]);
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "lifetime_predictor_invariant.svh"
`endif

  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_longer_l1: cover (answered && op == LOAD && expired_l1 && !expired_l2 && after != held);
      c_longer_l2: cover (answered && op == LOAD && !expired_l1 && expired_l2 && after != held);
      c_longer_both: cover (answered && op == LOAD && expired_l1 && expired_l2 && after == longer);
      c_longer_exactly: cover (answered && lengthens && longer == longest && after != held);
      c_longer_beyond: cover (answered && lengthens && longer > longest && after != held);
      c_longest: cover (answered && lengthens && held == longest);
      c_load_unexpired: cover (answered && op == LOAD && !lengthens && held != longest);
      c_evict: cover (answered && evicts && !shorter[63]);
      c_evict_exactly: cover (answered && evicts && shorter == 0 && held != 0);
      c_evict_below: cover (answered && evicts && shorter[63] && held != 0);
      c_evict_expired: cover (answered && op == EVICT && !unexpired && held != 0);
      c_store: cover (answered && stores && !shorter[63]);
      c_store_exactly: cover (answered && stores && shorter == 0 && held != 0);
      c_store_below: cover (answered && stores && shorter[63] && held != 0);
      c_store_expired: cover (answered && op == STORE && !unexpired && fenced_q && held != 0);
      c_store_without_fence: cover (answered && op == STORE && unexpired && !fenced_q && held != 0);
      c_shortest: cover (answered && (evicts || stores) && held == 0);
      c_fenced: cover (answered && op == FENCED && !fenced_q);
      c_fenced_again: cover (answered && op == FENCED && fenced_q);
      c_reset_fenced: cover (answered && restarts && fenced_q);
      c_reset_life: cover (answered && restarts && after != held);
      c_reset_other_number: cover (answered && op > RESET);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic [7:0] cross_kind;
  logic [1:0] cross_hazard;
  assign cross_kind[0] = lengthens && after != held;
  assign cross_kind[1] = op == LOAD && after == held;
  assign cross_kind[2] = op == EVICT && after != held;
  assign cross_kind[3] = op == EVICT && after == held;
  assign cross_kind[4] = op == STORE && after != held;
  assign cross_kind[5] = op == STORE && after == held;
  assign cross_kind[6] = op == FENCED;
  assign cross_kind[7] = restarts;
  assign cross_hazard[0] = !behind;
  assign cross_hazard[1] = behind;
  cross_cover #(
    .Kinds  (8),
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
