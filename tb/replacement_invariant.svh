// Part of replacement_sva for proofs by induction: the invariant that relates the registers of
// rtl/replacement.sv, dut_NAME here (scripts/formal-block.sh), to the checkers' state. The RTL is ahead
// by the offered response. Each assertion holds in every reachable state; together with the checkers'
// assertions other than a_peek each follows from the cycle before.
//
//   i_inside  the requests in the pipeline are the accepted ones: in stages 1 and 2, and being answered
//   i_used    the memory's ways in use are the checkers' after the offered response
//   i_row     the row in stage 2 is that of its set
//   i_order   LRU: ranks of the k ways in use are 0 to k - 1, each once; the newest has rank 0
  (* keep *) logic                      dut_u_stages__request_valid_q, dut_decide_valid_q;
  (* keep *) logic [2:0]                dut_request_op_q, dut_op_q;
  (* keep *) logic [IndexW-1:0]         dut_request_index_q, dut_index_q;
  (* keep *) logic [WayW-1:0]           dut_request_way_q, dut_way_q;
  (* keep *) logic [Ways-1:0]           dut_request_eligible_q, dut_eligible_q, dut_used;
  (* keep *) logic [SignatureW-1:0]     dut_request_signature_q, dut_signature_q;
  (* keep *) logic [Ways*WayW-1:0]      dut_rank;
  (* keep *) logic [Sets-1:0]           dut_u_used__row_live;
  (* keep *) logic [Sets*Ways-1:0]      dut_u_used__mem;
  (* keep *) logic [Sets*Ways*WayW-1:0] dut_u_rank__mem;

  logic [1:0]        behind_response;
  assign behind_response = {1'b0, dut_decide_valid_q} + {1'b0, response_valid_i};

  // For each set: ways in use, the newest way, and whether the ranks are an order.
  logic [Ways-1:0] used_then, newest_then, row;
  logic [WayW:0]   in_use;
  logic [WayW-1:0] rank, other;
  logic [Sets-1:0] used_holds, row_holds, order_holds;
  always_comb begin : invariant
    integer s, w, v;
    v     = 0;
    rank  = {WayW{1'b0}};
    other = {WayW{1'b0}};
    for (s = 0; s < Sets; s = s + 1) begin
      row         = dut_u_used__mem[s*Ways+:Ways] & {Ways{dut_u_used__row_live[s]}};
      used_then   = live_q[s] ? used_q[s] : {Ways{1'b0}};
      newest_then = live_q[s] ? newest_q[s] : {Ways{1'b0}};
      if (response_valid_i && is_flush) begin
        used_then   = {Ways{1'b0}};
        newest_then = {Ways{1'b0}};
      end else if (response_valid_i && index == s[IndexW-1:0]) begin
        used_then   = used_d;
        newest_then = newest_d;
      end
      used_holds[s]  = row == used_then && (newest_then & ~row) == 0;
      row_holds[s]   = 1'b1;
      order_holds[s] = 1'b1;
      in_use         = {WayW+1{1'b0}};
      for (w = 0; w < Ways; w = w + 1) in_use = in_use + {{WayW{1'b0}}, row[w]};
      if (dut_decide_valid_q && dut_op_q != FLUSH && dut_index_q == s[IndexW-1:0]) begin
        row_holds[s] = dut_used == row;
      end
      for (w = 0; w < Ways; w = w + 1) begin
        rank = dut_u_rank__mem[(s*Ways+w)*WayW+:WayW];
        if (row[w]) begin
          if ({1'b0, rank} >= in_use || (newest_then[w] && rank != 0)) order_holds[s] = 1'b0;
          for (v = 0; v < w; v = v + 1) begin
            other = dut_u_rank__mem[(s*Ways+v)*WayW+:WayW];
            if (row[v] && rank == other) order_holds[s] = 1'b0;
          end
          if (IsLru && dut_decide_valid_q && dut_op_q != FLUSH && dut_index_q == s[IndexW-1:0] &&
              dut_rank[w*WayW+:WayW] != rank) row_holds[s] = 1'b0;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_u_stages__request_valid_q} + {7'd0, behind_response} &&
                        agrees &&
                        (!dut_u_stages__request_valid_q ||
                         {dut_request_op_q, dut_request_index_q, dut_request_way_q,
                          dut_request_eligible_q, dut_request_signature_q} ==
                         waiting_requests[RequestW*behind_response+:RequestW]) &&
                        (!dut_decide_valid_q ||
                         {dut_op_q, dut_index_q, dut_way_q, dut_eligible_q, dut_signature_q} ==
                         waiting_requests[RequestW*response_valid_i+:RequestW]) &&
                        oldest <= older && older <= in_flight &&
                        {7'd0, behind_response} >= (older > 9'd2 ? 9'd2 : older));
      i_used: assert (&used_holds);
      i_row: assert (&row_holds);
      if (IsLru) i_order: assert (&order_holds);
    end
  end
