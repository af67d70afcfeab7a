// Part of locality_score_sva for proofs by induction: the invariant that relates the registers of
// rtl/locality_score.sv, dut_NAME here, to the checkers' state. The RTL is ahead by the offered response, and
// by the counts of a HIT in stage 1. Each assertion holds in every reachable state; together with the checkers'
// assertions each follows from the cycle before.
//
//   i_inside    the requests in the pipeline are the accepted ones: one in stage 1, one being answered; only a
//               HIT in stage 1 divides
//   i_list      the list has the warps that are there, with their scores, none below Base, in their order
//   i_counts    the RTL's counts are the checkers'
//   i_division  the product's upper bits are the bits of the quotient so far times the divisor, and the rest
//   i_waits     cycles without an answer are bounded by the steps of the division
  (* keep *) logic                    dut_valid_q, dut_divides_q, dut_beyond_q;
  (* keep *) logic [2:0]              dut_op_q;
  (* keep *) logic [WarpW-1:0]        dut_request_warp_q;
  (* keep *) logic [ScoreW-1:0]       dut_cycles_q, dut_dividend_q, dut_quotient_q;
  (* keep *) logic [IssuedW-1:0]      dut_more_q, dut_issued_q, dut_rest_q;
  (* keep *) logic [4:0]              dut_step_q;
  (* keep *) logic [Warps*WarpW-1:0]  dut_warp_q;
  (* keep *) logic [Warps*ScoreW-1:0] dut_score_q;
  (* keep *) logic [LengthW-1:0]      dut_length_q;
  (* keep *) logic [HitW-1:0]         dut_hits_q;

  logic [2:0]         stage_op;
  logic [WarpW-1:0]   stage_warp;
  logic [ScoreW-1:0]  stage_cycles;
  logic [IssuedW-1:0] stage_more;
  assign {stage_op, stage_warp, stage_cycles, stage_more} = waiting_requests[RequestW*response_valid_i+:RequestW];

  // Each place of the list, and each pair of places.
  logic [Warps-1:0]       places_hold;
  logic [Warps*Warps-1:0] pairs_hold;
  genvar g, h;
  generate
    for (g = 0; g < Warps; g = g + 1) begin : gen_place
      logic [WarpW-1:0] warp_here;
      assign warp_here = dut_warp_q[g*WarpW+:WarpW];
      assign places_hold[g] = dut_length_q <= g || ({1'b0, warp_here} < AllWarps && there_d[warp_here] &&
                              score_d[warp_here*ScoreW+:ScoreW] == dut_score_q[g*ScoreW+:ScoreW] &&
                              dut_score_q[g*ScoreW+:ScoreW] >= BaseScore);
      for (h = 0; h < Warps; h = h + 1) begin : gen_pair
        logic [WarpW-1:0] warp_there;
        assign warp_there = dut_warp_q[h*WarpW+:WarpW];
        assign pairs_hold[g*Warps+h] = h <= g || dut_length_q <= h ||
            (warp_here != warp_there && dut_score_q[g*ScoreW+:ScoreW] >= dut_score_q[h*ScoreW+:ScoreW] &&
             order_d[warp_here*Warps+{{32 - WarpW{1'b0}}, warp_there}] &&
             !order_d[warp_there*Warps+{{32 - WarpW{1'b0}}, warp_here}]);
      end
    end
  endgenerate

  // A HIT in stage 1 that has counted, its counts, and its division after `made` bits of the quotient.
  logic        counted, divided;
  logic [31:0] then_hits, then_issued, made, quotient;
  logic [63:0] then_product, then_divisor;
  assign counted      = dut_valid_q && dut_op_q == HIT && (!dut_divides_q || dut_step_q != 0);
  assign divided      = dut_valid_q && dut_op_q == HIT && (!dut_divides_q || dut_step_q >= 5'd2);
  assign then_hits    = counted ? (hits_d == MostHits ? hits_d / 32'd2 : hits_d) + 32'd1 : hits_d;
  assign then_issued  = counted && hits_d == MostHits ? issued_d / 32'd2 : issued_d;
  assign made         = dut_divides_q ? {27'd0, dut_step_q} - 32'd2 : ScoreW;
  assign quotient     = {{32 - ScoreW{1'b0}}, dut_quotient_q} & ((32'd1 << made) - 32'd1);
  assign then_product = {32'd0, then_hits} * Factor * {32'd0, count};
  assign then_divisor = {32'd0, then_issued};

  always @(posedge clk_i) begin
    if (request_valid_i) assume (op_i == ADVANCE || op_i >= RESTART || {1'b0, warp_i} < AllWarps);
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_valid_q} + {8'd0, response_valid_i} && agrees &&
                        (!dut_valid_q ||
                         ({dut_op_q, dut_request_warp_q, dut_cycles_q, dut_more_q} ==
                          {stage_op, stage_warp, stage_cycles, stage_more} &&
                          (dut_op_q == ADVANCE || dut_op_q >= RESTART || {1'b0, dut_request_warp_q} < AllWarps))) &&
                        (!response_valid_i || op == ADVANCE || restarts || {1'b0, warp} < AllWarps) &&
                        (dut_divides_q ? dut_valid_q && dut_op_q == HIT && dut_step_q <= ScoreW + 1 : dut_step_q == 0));
      i_list: assert (dut_length_q == count && &places_hold && &pairs_hold);
      i_counts: assert (dut_hits_q == then_hits && dut_issued_q == then_issued && hits_q <= MostHits &&
                        issued_q >> IssuedW == 0);
      i_division: assert (!divided ||
                          (dut_beyond_q == (then_product >> ScoreW >= then_divisor) &&
                           (dut_beyond_q ||
                            (then_product >> (ScoreW - made) == {32'd0, quotient} * then_divisor + dut_rest_q &&
                             dut_rest_q < dut_issued_q)) &&
                           (!dut_divides_q || {32'd0, then_product[ScoreW-1:0]} << made ==
                                              (({32'd0, then_product[ScoreW-1:0]} << made) >> ScoreW << ScoreW) + dut_dividend_q)));
      i_waits: assert (response_valid_i || !dut_valid_q ||
                       (dut_divides_q ? waits_q <= dut_step_q : waits_q <= ScoreW + 2));
    end
  end
