// Part of victim_tags_sva for proofs by induction: the invariant that relates the registers of
// rtl/victim_tags.sv, dut_NAME here (scripts/formal-block.sh), to the checkers' state. The RTL is ahead by
// the offered response. Each assertion holds in every reachable state; together with the checkers'
// assertions each follows from the cycle before.
//
//   i_inside  the requests in the pipeline are the accepted ones: in stages 1 and 2, and being answered
//   i_rows    each row holds its list: the newest tag in the way before the next, the others before it
//   i_row     the row in stage 2 is that of the request there
  localparam integer DutRowW = WayW + 1 + Ways * TagW;
  (* keep *) logic                    dut_u_stages__request_valid_q, dut_decide_valid_q;
  (* keep *) logic [1:0]              dut_request_op_q, dut_op_q;
  (* keep *) logic [WarpW-1:0]        dut_request_warp_q;
  (* keep *) logic [LineW-1:0]        dut_request_line_q;
  (* keep *) logic [RowW-1:0]         dut_row_q, dut_first_q;
  (* keep *) logic [TagW-1:0]         dut_tag_q;
  (* keep *) logic [Rows-1:0]         dut_fill_live;
  (* keep *) logic [DutRowW-1:0]      dut_row;
  (* keep *) logic [Rows*DutRowW-1:0] dut_u_row__mem;

  logic [1:0]          behind_response;
  logic [RequestW-1:0] decided, entering;  // the requests in stages 2 and 1, as they were accepted
  logic [1:0]          decided_op, entering_op;
  logic [WarpW-1:0]    decided_warp, entering_warp;
  logic [LineW-1:0]    decided_line, entering_line;
  logic [31:0]         decided_at, decided_first;
  assign behind_response = {1'b0, dut_decide_valid_q} + {1'b0, response_valid_i};
  assign decided         = waiting_requests[RequestW*response_valid_i+:RequestW];
  assign entering        = waiting_requests[RequestW*behind_response+:RequestW];
  assign {decided_op, decided_warp, decided_line} = decided;
  assign {entering_op, entering_warp, entering_line} = entering;
  assign decided_first = {{32 - WarpW{1'b0}}, decided_warp} * Sets;
  assign decided_at    = decided_first + {{32 - SetW{1'b0}}, decided_line[SetW-1:0] & LastSet[SetW-1:0]};

  // Each row in the RTL, and the list that the checkers expect there.
  logic [Rows-1:0] rows_hold, row_holds;
  generate
    for (g = 0; g < Rows; g = g + 1) begin : gen_row
      logic [DutRowW-1:0]   dut_row_here;
      logic [Ways*TagW-1:0] list_then;
      logic [WayW:0]        length_then, length_here;
      assign length_here  = length_q[g*LengthW+:LengthW];
      logic [WayW-1:0]      next;
      logic                 full, gone, here;
      logic [Ways-1:0]      ways_hold;
      assign here         = response_valid_i && joins && row == g[RowW-1:0];
      assign gone         = response_valid_i && (op == RESTART || (op == CLEAR && g / Sets == warp_number));
      assign list_then    = here ? longer[Ways*TagW-1:0] : list_q[g];
      assign length_then  = gone ? {WayW + 1{1'b0}} : here && length < Most ? length + 1'b1 : length_here;
      assign dut_row_here = dut_u_row__mem[g*DutRowW+:DutRowW];
      assign {full, next} = dut_row_here[DutRowW-1-:WayW+1] & {WayW + 1{dut_fill_live[g]}};
      genvar p;
      for (p = 0; p < Ways; p = p + 1) begin : gen_way
        logic [31:0] way;  // of the tag at place p of the list
        assign way = ({{32 - WayW{1'b0}}, next} + 2 * Ways - 1 - p) % Ways;
        assign ways_hold[p] = length_then <= p || dut_row_here[way*TagW+:TagW] == list_then[p*TagW+:TagW];
      end
      assign rows_hold[g] = &ways_hold && {1'b0, next} < Most && length_here <= Most &&
                            length_then == (full ? Most : {1'b0, next});
      assign row_holds[g] = dut_row_q != g[RowW-1:0] || !dut_fill_live[g] || dut_row == dut_row_here;
    end
  endgenerate

  always @(posedge clk_i) begin
    if (request_valid_i) assume (op_i == RESTART || {1'b0, warp_i} < AllWarps);
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_u_stages__request_valid_q} + {7'd0, behind_response} && agrees &&
                        (!dut_u_stages__request_valid_q ||
                         (dut_request_op_q == entering_op && dut_request_warp_q == entering_warp &&
                          dut_request_line_q == entering_line &&
                          (entering_op == RESTART || {1'b0, entering_warp} < AllWarps))) &&
                        (!dut_decide_valid_q ||
                         (dut_op_q == decided_op && dut_tag_q == decided_line[LineW-1-:TagW] &&
                          dut_row_q == decided_at[RowW-1:0] &&
                          dut_first_q == decided_first[RowW-1:0] &&
                          (decided_op == RESTART || {1'b0, decided_warp} < AllWarps))) &&
                        (!response_valid_i || op == RESTART || {1'b0, warp} < AllWarps) &&
                        oldest <= older && older <= in_flight &&
                        {7'd0, behind_response} >= (older > 9'd2 ? 9'd2 : older));
      i_rows: assert (&rows_hold);
      i_row: assert (!dut_decide_valid_q || dut_op_q >= CLEAR || &row_holds);
    end
  end
