// Checkers and cover points of locality_score; the lockstep top and the formal harness instantiate them. They
// keep each warp's score and which warp goes before which, from the answers in their order; a HIT's score is
// checked by products, and the warps that may issue loads by a sum for each warp.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_warp             (duty of the environment) the warp of a HIT, START or END is below Warps
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_hit_top          a HIT whose quotient is beyond the largest score gives that score
//   a_hit_base         a HIT whose quotient is below Base gives Base
//   a_hit              any other HIT gives the quotient: times the instructions it is not above the product, and
//                      the next number is
//   a_start            START gives Base
//   a_no_score         no other operation gives a score, and no HIT of a warp that is not there
//   a_allowed          a warp may issue loads if it is there and the scores of the warps before it sum up to less
//                      than Base times the warps
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/locality_score.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when none is in flight
//   a_answered         a request in flight is answered after ScoreW + 3 cycles without an answer at the latest
`default_nettype none

module locality_score_sva #(
  parameter integer  Warps    = 48,
  parameter integer  ScoreW   = 16,
  parameter integer  Base     = 100,
  parameter integer  Throttle = 8,
  parameter integer  HitW     = 12,
  parameter integer  IssuedW  = 32,
  localparam integer WarpW    = (Warps < 3) ? 1 : $clog2(Warps),
  localparam integer LengthW  = $clog2(Warps + 1)
) (
  input wire logic               clk_i,
  input wire logic               rst_ni,

  input wire logic               request_valid_i,
  input wire logic               request_ready_i,
  input wire logic [2:0]         op_i,
  input wire logic [WarpW-1:0]   warp_i,
  input wire logic [ScoreW-1:0]  cycles_i,
  input wire logic [IssuedW-1:0] issued_i,

  input wire logic               response_valid_i,
  input wire logic               response_ready_i,
  input wire logic [Warps-1:0]   allowed_response_i,
  input wire logic [ScoreW-1:0]  score_response_i
);

`include "locality_score_constants.svh"
  localparam [WarpW:0] AllWarps = Warps[WarpW:0];
  localparam [31:0] BaseBits = Base, MostHits = (1 << HitW) - 1, Top = (1 << ScoreW) - 1;
  localparam [ScoreW-1:0] BaseScore = BaseBits[ScoreW-1:0];
  localparam [63:0] Factor = Throttle * Base;

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight.
  localparam integer RequestW = 3 + WarpW + ScoreW + IssuedW;
  logic [RequestW-1:0]   offered;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  logic [2:0]            op;
  logic [WarpW-1:0]      warp;
  logic [ScoreW-1:0]     cycles;
  logic [IssuedW-1:0]    more;
  assign offered = {op_i, warp_i, cycles_i, issued_i};
  assign {op, warp, cycles, more} = waiting_requests[RequestW-1:0];
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

  // The state after the last answer, and after the offered one: warps that are there, their scores, and bit
  // a * Warps + b of `order`: warp a goes before warp b.
  logic [Warps-1:0]        there_q, there_d;
  logic [Warps*ScoreW-1:0] score_q, score_d;
  logic [Warps*Warps-1:0]  order_q, order_d;
  logic [31:0]             hits_q, hits_d, issued_q, issued_d;
  logic                    is_hit, is_start, restarts, is_there;
  assign is_hit   = op == HIT;
  assign is_start = op == START;
  assign restarts = op >= RESTART;
  assign is_there = there_q[warp];
  always_comb begin : next
    integer v;
    logic [31:0] s;
    logic [32:0] sum;
    v = 0;
    there_d = there_q;
    score_d = score_q;
    order_d = order_q;
    hits_d = hits_q;
    issued_d = issued_q;
    s = 32'd0;
    sum = 33'd0;
    if (response_valid_i) begin
      if (op == ADVANCE) begin
        sum = {1'b0, issued_q} + {{33 - IssuedW{1'b0}}, more};
        issued_d = sum >> IssuedW != 33'd0 ? {{32 - IssuedW{1'b0}}, {IssuedW{1'b1}}} : sum[31:0];
        for (v = 0; v < Warps; v = v + 1) begin
          s = {{32 - ScoreW{1'b0}}, score_q[v*ScoreW+:ScoreW]};
          score_d[v*ScoreW+:ScoreW] = s >= Base + {{32 - ScoreW{1'b0}}, cycles} ? score_q[v*ScoreW+:ScoreW] - cycles
                                                                               : BaseScore;
        end
      end
      if (is_hit) begin
        hits_d = (hits_q == MostHits ? hits_q / 32'd2 : hits_q) + 32'd1;
        if (hits_q == MostHits) issued_d = issued_q / 32'd2;
      end
      if (is_start || (is_hit && is_there)) begin
        there_d[warp] = 1'b1;
        score_d[warp*ScoreW+:ScoreW] = score_response_i;
        for (v = 0; v < Warps; v = v + 1) begin
          order_d[warp*Warps+v] = is_hit && score_response_i >= score_q[v*ScoreW+:ScoreW];
          order_d[v*Warps+{{32 - WarpW{1'b0}}, warp}] = is_start || score_response_i < score_q[v*ScoreW+:ScoreW];
        end
      end
      if (op == END) there_d[warp] = 1'b0;
      if (restarts) begin
        there_d = {Warps{1'b0}};
        hits_d = 32'd0;
        issued_d = 32'd0;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      there_q  <= {Warps{1'b0}};
      hits_q   <= 32'd0;
      issued_q <= 32'd0;
    end else if (answered) begin
      there_q  <= there_d;
      hits_q   <= hits_d;
      issued_q <= issued_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (answered) begin
      score_q <= score_d;
      order_q <= order_d;
    end
  end

  // What a HIT's score and the warps that may issue loads should be.
  logic [31:0] count, resident;  // warps after and before the answer
  logic [63:0] product, divisor;
  always_comb begin : counts
    integer v;
    count = 32'd0;
    resident = 32'd0;
    for (v = 0; v < Warps; v = v + 1) begin
      count = count + {31'd0, there_d[v]};
      resident = resident + {31'd0, there_q[v]};
    end
  end
  assign product = {32'd0, hits_d} * Factor * {32'd0, resident};
  assign divisor = {32'd0, issued_d};
  logic [63:0] answer;
  logic        beyond, below;
  assign answer = {{64 - ScoreW{1'b0}}, score_response_i};
  assign beyond = product >= divisor * {32'd0, Top};
  assign below  = product < divisor * {32'd0, BaseBits};

  logic [Warps-1:0] may;
  always_comb begin : sums
    integer v, w;
    logic [31:0] sum;
    v = 0;
    w = 0;
    sum = 32'd0;
    may = {Warps{1'b0}};
    if (response_valid_i) begin
      for (w = 0; w < Warps; w = w + 1) begin
        sum = 32'd0;
        for (v = 0; v < Warps; v = v + 1) begin
          if (v != w && there_d[v] && order_d[v*Warps+w]) sum = sum + {{32 - ScoreW{1'b0}}, score_d[v*ScoreW+:ScoreW]};
        end
        may[w] = there_d[w] && sum < count * Base;
      end
    end
  end

  // Cycles without an answer, with a request in flight.
  localparam [4:0] Longest = ScoreW[4:0] + 5'd3;
  logic [4:0] waits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 5'd0;
    else if (in_flight == 0 || response_valid_i) waits_q <= 5'd0;
    else if (waits_q <= Longest) waits_q <= waits_q + 5'd1;
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && allowed_response_i == $past(allowed_response_i) &&
                                   score_response_i == $past(score_response_i));
      end
      if (request_valid_i) a_warp: assert (op_i == ADVANCE || op_i >= RESTART || {1'b0, warp_i} < AllWarps);
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || in_flight != 0);
      a_answered: assert (waits_q < Longest || response_valid_i || in_flight == 0);
`endif
    end
    if (!was_reset && response_valid_i) begin
      if (is_hit && is_there && beyond) a_hit_top: assert (answer == {32'd0, Top});
      if (is_hit && is_there && below) a_hit_base: assert (answer == {32'd0, BaseBits});
      if (is_hit && is_there && !beyond && !below) begin
        a_hit: assert (answer * divisor <= product && product < (answer + 64'd1) * divisor);
      end
      if (is_start) a_start: assert (score_response_i == BaseScore);
      if (!is_start && !(is_hit && is_there)) a_no_score: assert (score_response_i == {ScoreW{1'b0}});
      a_allowed: assert (allowed_response_i == may);
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "locality_score_invariant.svh"
`endif

  // For the cover points: the score of the request's warp before, the warps that may not, and those of the last
  // answer.
  logic [ScoreW-1:0] past_score;
  logic [Warps-1:0]  barred, barred_q;
  assign past_score = score_q[warp*ScoreW+:ScoreW];
  assign barred = there_d & ~allowed_response_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) barred_q <= {Warps{1'b0}};
    else if (answered) barred_q <= barred;
  end
  logic hit_there;
  assign hit_there = answered && is_hit && is_there;
  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_advance_none: cover (answered && op == ADVANCE && cycles == 0 && more != 0);
      c_advance_falls: cover (answered && op == ADVANCE && score_d != score_q && |barred);
      c_advance_to_base: cover (answered && op == ADVANCE && |barred_q && !(|barred));
      c_advance_some: cover (answered && op == ADVANCE && |barred && barred != barred_q);
      c_issued_full: cover (answered && op == ADVANCE && &issued_q[IssuedW-1:0] && more != 0);
      c_issued_reaches: cover (answered && op == ADVANCE && issued_q != issued_d && &issued_d[IssuedW-1:0]);
      c_hit_quotient: cover (hit_there && !beyond && !below && score_response_i != BaseScore);
      c_hit_exact: cover (hit_there && !beyond && !below && answer * divisor == product);
      c_hit_top: cover (hit_there && beyond && divisor != 64'd0);
      c_hit_no_instruction: cover (hit_there && divisor == 64'd0);
      c_hit_base: cover (hit_there && below);
      c_hit_raises: cover (hit_there && score_response_i > past_score);
      c_hit_lowers: cover (hit_there && score_response_i < past_score);
      c_hit_tie: cover (hit_there && score_response_i == past_score && !below);
      c_hit_bars: cover (hit_there && |(barred & ~barred_q));
      c_hit_bars_all_but_one: cover (hit_there && count > 32'd1 && (allowed_response_i & (allowed_response_i - 1'b1)) == 0);
      c_hit_allows_itself: cover (hit_there && barred_q[warp] && allowed_response_i[warp]);
      c_hit_not_there: cover (answered && is_hit && !is_there && there_q != 0);
      c_hit_halves: cover (answered && is_hit && hits_q == MostHits);
      c_start_first: cover (answered && is_start && there_q == 0);
      c_start_last: cover (answered && is_start && !is_there && &there_d);
      c_start_allowed: cover (answered && is_start && !is_there && allowed_response_i[warp] && count > 32'd1);
      c_start_barred: cover (answered && is_start && !is_there && !allowed_response_i[warp]);
      c_start_again: cover (answered && is_start && is_there && past_score != BaseScore);
      c_end_allows: cover (answered && op == END && is_there && |barred_q && !(|barred));
      c_end_bars: cover (answered && op == END && is_there && |(barred & ~barred_q));
      c_end_last: cover (answered && op == END && is_there && there_d == 0);
      c_end_not_there: cover (answered && op == END && !is_there && there_q != 0);
      c_restart: cover (answered && restarts && |barred_q);
      c_restart_other_number: cover (answered && op > RESTART);
      c_hit_behind_hit: cover (hit_there && behind);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic [7:0] cross_kind;
  logic [1:0] cross_hazard;
  assign cross_kind[0] = op == ADVANCE && barred == 0;
  assign cross_kind[1] = op == ADVANCE && barred != 0;
  assign cross_kind[2] = is_hit && is_there && barred == 0;
  assign cross_kind[3] = is_hit && is_there && barred != 0;
  assign cross_kind[4] = is_hit && !is_there;
  assign cross_kind[5] = is_start;
  assign cross_kind[6] = op == END;
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
