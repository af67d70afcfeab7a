// Part of mshr_sva for proofs by induction: the invariant that relates the registers of rtl/mshr.sv,
// dut_NAME here (scripts/formal-block.sh), to the checkers' state. The RTL is ahead by the offered
// response: a name with `then` is the checkers' state after that response is accepted. Each assertion holds in every reachable state; together with
// the checkers' assertions each follows from the cycle before.
//
//   i_inside   the requests in the pipeline are the accepted ones: one in stage 1, one being answered
//   i_flags    entries in use and open entries agree
//   i_entry    an entry's line agrees; its slots are in order, within the bound, one for each
//              requester left
//   i_waiting  each slot in use holds its requester
//   i_kept     the checkers' state: an open entry is in use, has answered no requester and has 1 to
//              Merges of them; a line has at most one open entry and two in all
//   i_held     the number of requesters of all entries agrees
  (* keep *) logic                                    dut_stage_valid_q;
  (* keep *) logic [2:0]                              dut_op_q;
  (* keep *) logic [LineW-1:0]                        dut_request_line_q;
  (* keep *) logic [RequesterW-1:0]                   dut_request_requester_q;
  (* keep *) logic [IdW-1:0]                          dut_request_id_q;
  (* keep *) logic                                    dut_may_allocate_q;
  (* keep *) logic [Entries-1:0]                      dut_valid_q, dut_open_q;
  (* keep *) logic [Entries*LineW-1:0]                dut_line_q;
  (* keep *) logic [Entries*MergeW-1:0]               dut_oldest_q, dut_newest_q;
  (* keep *) logic [(Entries<<MergeW)*RequesterW-1:0] dut_u_requester__mem;

  logic [RequestW-1:0]   stage;
  logic [Entries-1:0]    in_use_then, open_then;
  logic [Entries-1:0]    entry_holds, slots_hold, kept_holds;
  logic [IdW+MergeW:0]   held;
  logic [LineW-1:0]      line_then;
  logic [MergeW:0]       left_then, slots;
  logic [MergeW-1:0]     next_then, oldest, newest;
  logic [RequesterW-1:0] waiting_then;
  logic                  takes_it, answers_it;
  logic [IdW:0]          of_line, open_of_line;
  assign stage = {dut_op_q, dut_request_line_q, dut_request_requester_q, dut_request_id_q, dut_may_allocate_q};
  always_comb begin : invariant
    integer i, j;
    held = {IdW+MergeW+1{1'b0}};
    for (i = 0; i < Entries; i = i + 1) begin
      takes_it       = response_valid_i && takes && id_response_i == i[IdW-1:0];
      answers_it     = response_valid_i && delivers && id == i[IdW-1:0];
      in_use_then[i] = takes_it || (in_use_q[i] && !(answers_it && count_response_i == 0));
      open_then[i]   = takes_it || (open_q[i] && !answers_it &&
                       !(response_valid_i && op == CLOSE_OP && closed_response_i &&
                         id_response_i == i[IdW-1:0]) && !(response_valid_i && op == FLUSH_OP));
      line_then      = entry_line_q[i];
      left_then      = left_q[i];
      next_then      = next_q[i];
      if (takes_it || answers_it) left_then = count_response_i;
      if (answers_it) next_then = next_q[i] + One[MergeW-1:0];
      if (takes_it && outcome_response_i == NEW) begin
        line_then = line;
        next_then = {MergeW{1'b0}};
      end

      oldest = dut_oldest_q[i*MergeW+:MergeW];
      newest = dut_newest_q[i*MergeW+:MergeW];
      slots  = {1'b0, newest} - {1'b0, oldest} + One;
      entry_holds[i] = !dut_valid_q[i] ||
                       (dut_line_q[i*LineW+:LineW] == line_then && oldest == next_then &&
                        oldest <= newest && {1'b0, newest} < Bound && left_then == slots);

      slots_hold[i] = 1'b1;
      for (j = 0; j < Merges; j = j + 1) begin
        waiting_then = waiting_q[(i<<MergeW)+j];
        if (takes_it && slot == j[MergeW-1:0]) waiting_then = requester;
        if (dut_valid_q[i] && j[MergeW-1:0] >= oldest && j[MergeW-1:0] <= newest &&
            dut_u_requester__mem[((i<<MergeW)+j)*RequesterW+:RequesterW] != waiting_then) begin
          slots_hold[i] = 1'b0;
        end
      end

      of_line      = {IdW+1{1'b0}};
      open_of_line = {IdW+1{1'b0}};
      for (j = 0; j < Entries; j = j + 1) begin
        if (in_use_q[j] && entry_line_q[j] == entry_line_q[i]) begin
          of_line      = of_line + 1'b1;
          open_of_line = open_of_line + {{IdW{1'b0}}, open_q[j]};
        end
      end
      kept_holds[i] = in_use_q[i] ?
                      left_q[i] != 0 && {1'b0, left_q[i]} + {2'b0, next_q[i]} <= {1'b0, Bound} &&
                      (!open_q[i] || next_q[i] == 0) && of_line <= 2 && open_of_line <= 1 :
                      !open_q[i];
      if (in_use_q[i]) held = held + {{IdW{1'b0}}, left_q[i]};
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_stage_valid_q} + {8'd0, response_valid_i} &&
                        agrees &&
                        (!dut_stage_valid_q || stage == waiting_requests[RequestW*response_valid_i+:RequestW]));
      i_flags: assert (dut_valid_q == in_use_then && dut_open_q == open_then);
      i_entry: assert (&entry_holds);
      i_waiting: assert (&slots_hold);
      i_kept: assert (&kept_holds);
      i_held: assert (held_q == held);
    end
  end
