// Part of sharing_lru_sva for proofs by induction: the invariant that relates the registers of
// rtl/sharing_lru.sv, dut_NAME here (scripts/formal-block.sh), to the checkers' state. The RTL is ahead by the
// offered response. Each assertion holds in every reachable state; together with the checkers' assertions each
// follows from the cycle before.
//
//   i_inside  the requests in the pipeline are the accepted ones: in stages 1 and 2, and being answered
//   i_marks   the memories' flags and owners are the checkers' after the offered response, and only of ways in use;
//             a dead line is one that stays; of the L2, a shared line has an owner
//   i_row     the row in stage 2 is that of its set
//   i_order   ranks of the k ways in use are 0 to k - 1, each once, in the order that the checkers know
  (* keep *) logic                      dut_u_stages__request_valid_q, dut_decide_valid_q;
  (* keep *) logic [2:0]                dut_request_op_q, dut_op_q;
  (* keep *) logic [IndexW-1:0]         dut_request_index_q, dut_index_q;
  (* keep *) logic [WayW-1:0]           dut_request_way_q, dut_way_q;
  (* keep *) logic [Ways-1:0]           dut_request_eligible_q, dut_eligible_q;
  (* keep *) logic                      dut_request_incoming_q, dut_incoming_q, dut_request_known_q, dut_known_q;
  (* keep *) logic [SmW-1:0]            dut_request_sm_q, dut_sm_q;
  (* keep *) logic [Ways-1:0]           dut_used, dut_shared, dut_dead, dut_owned;
  (* keep *) logic [Ways*WayW-1:0]      dut_rank;
  (* keep *) logic [Ways*SmW-1:0]       dut_owner;
  (* keep *) logic [Sets-1:0]           dut_u_used__row_live, dut_u_shared__row_live, dut_u_dead__row_live;
  (* keep *) logic [Sets-1:0]           dut_u_owned__row_live;
  (* keep *) logic [Sets*Ways-1:0]      dut_u_used__mem, dut_u_shared__mem, dut_u_dead__mem, dut_u_owned__mem;
  (* keep *) logic [Sets*Ways*WayW-1:0] dut_u_rank__mem;
  (* keep *) logic [Sets*Ways*SmW-1:0]  dut_u_owner__mem;

  logic [1:0] behind_response;
  assign behind_response = {1'b0, dut_decide_valid_q} + {1'b0, response_valid_i};

  // For each set: the checkers' lines after the offered response, and the memories' rows.
  logic [Ways-1:0]      used_then, shared_then, dead_then, owned_then, row_used, row_shared, row_dead, row_owned;
  logic [Ways*SmW-1:0]  owner_then;
  logic [Ways*Ways-1:0] order_then;
  logic [WayW:0]        in_use;
  logic [WayW-1:0]      rank, other;
  logic [Sets-1:0]      marks_hold, row_holds, order_holds;
  logic                 here_now;
  always_comb begin : invariant
    integer s, w, v;
    v     = 0;
    rank  = {WayW{1'b0}};
    other = {WayW{1'b0}};
    for (s = 0; s < Sets; s = s + 1) begin
      row_used    = dut_u_used__mem[s*Ways+:Ways] & {Ways{dut_u_used__row_live[s]}};
      row_shared  = dut_u_shared__mem[s*Ways+:Ways] & {Ways{dut_u_shared__row_live[s]}};
      row_dead    = dut_u_dead__mem[s*Ways+:Ways] & {Ways{dut_u_dead__row_live[s] && Dead != 0}};
      row_owned   = dut_u_owned__mem[s*Ways+:Ways] & {Ways{dut_u_owned__row_live[s] && IsL2}};
      used_then   = live_q[s] ? used_q[s] : {Ways{1'b0}};
      shared_then = marked_q[s] ? shared_q[s] : {Ways{1'b0}};
      dead_then   = marked_q[s] ? dead_q[s] : {Ways{1'b0}};
      owned_then  = marked_q[s] ? owned_q[s] : {Ways{1'b0}};
      owner_then  = owner_q[s];
      order_then  = older_q[s];
      if (response_valid_i && (is_flush || is_reset)) begin
        if (is_flush) used_then = {Ways{1'b0}};
        shared_then = {Ways{1'b0}};
        dead_then   = {Ways{1'b0}};
        owned_then  = {Ways{1'b0}};
      end else if (response_valid_i && index == s[IndexW-1:0]) begin
        used_then   = used_d;
        shared_then = shared_d;
        dead_then   = dead_d;
        owned_then  = owned_d;
        owner_then  = owner_d;
        order_then  = order_d;
      end
      marks_hold[s]  = row_used == used_then && row_shared == shared_then && row_dead == dead_then &&
                       row_owned == owned_then && ((row_shared | row_dead | row_owned) & ~row_used) == 0 &&
                       (row_dead & (IsL2 ? ~row_shared : row_shared)) == 0 &&
                       (!IsL2 || (row_shared & ~row_owned) == 0);
      row_holds[s]   = 1'b1;
      order_holds[s] = 1'b1;
      in_use         = {WayW+1{1'b0}};
      for (w = 0; w < Ways; w = w + 1) in_use = in_use + {{WayW{1'b0}}, row_used[w]};
      here_now = dut_decide_valid_q && dut_op_q != FLUSH && dut_op_q != RESET && dut_index_q == s[IndexW-1:0];
      if (here_now && {dut_used, dut_shared, dut_dead, dut_owned} != {row_used, row_shared, row_dead, row_owned})
        row_holds[s] = 1'b0;
      for (w = 0; w < Ways; w = w + 1) begin
        rank = dut_u_rank__mem[(s*Ways+w)*WayW+:WayW];
        if (row_owned[w] && dut_u_owner__mem[(s*Ways+w)*SmW+:SmW] != owner_then[w*SmW+:SmW])
          marks_hold[s] = 1'b0;
        if (here_now && row_owned[w] &&
            dut_owner[w*SmW+:SmW] != dut_u_owner__mem[(s*Ways+w)*SmW+:SmW]) row_holds[s] = 1'b0;
        if (row_used[w]) begin
          if ({1'b0, rank} >= in_use) order_holds[s] = 1'b0;
          if (here_now && dut_rank[w*WayW+:WayW] != rank) row_holds[s] = 1'b0;
          for (v = 0; v < Ways; v = v + 1) begin
            other = dut_u_rank__mem[(s*Ways+v)*WayW+:WayW];
            if (v != w && row_used[v] && order_then[w*Ways+v] != (rank > other)) order_holds[s] = 1'b0;
            if (v != w && row_used[v] && rank == other) order_holds[s] = 1'b0;
            if (v == w && order_then[w*Ways+v]) order_holds[s] = 1'b0;
          end
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
                         {dut_request_op_q, dut_request_index_q, dut_request_way_q, dut_request_eligible_q,
                          dut_request_incoming_q, dut_request_sm_q, dut_request_known_q} ==
                         waiting_requests[RequestW*behind_response+:RequestW]) &&
                        (!dut_decide_valid_q ||
                         {dut_op_q, dut_index_q, dut_way_q, dut_eligible_q, dut_incoming_q, dut_sm_q, dut_known_q} ==
                         waiting_requests[RequestW*response_valid_i+:RequestW]) &&
                        oldest <= older && older <= in_flight &&
                        {7'd0, behind_response} >= (older > 9'd2 ? 9'd2 : older));
      i_marks: assert (&marks_hold);
      i_row: assert (&row_holds);
      i_order: assert (&order_holds);
    end
  end
