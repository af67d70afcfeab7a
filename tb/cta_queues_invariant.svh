// Part of cta_queues_sva for proofs by induction: the invariant that relates the registers of rtl/cta_queues.sv, dut_NAME
// here, to the checkers' state. The RTL is ahead by the offered response, and by a START in its first stage that has begun
// or in its second. Each assertion holds in every reachable state; together with the checkers' assertions each follows from the cycles
// before.
//
//   i_inside   the requests in the pipeline are the accepted ones
//   i_begins   a START begins when the second stage is empty; rows are written under GROUPS only
//   i_kernel   the kernel's registers are the checkers' after the offered response
//   i_started  they are those of the START that has begun, as far as rows have been written
//   i_rows     so are the queues: where they begin, and how many CTAs are left in them, under RR none
//   i_opened   an SM's first run is used up once it has begun and no CTA is left in it
//   i_read     the row of the second stage is the memory's
//   i_waits    the cycles without an answer are those of the stages and of the rows written
//   i_within   queues lie below the CTAs that are in none, and those below the kernel's end; a kernel has groups of a CTA at least
  localparam integer RowW = 1 + 2*CtaW;
  (* keep *) logic               dut_request_there_q, dut_request_op_q, dut_decide_valid_q, dut_op_q;
  (* keep *) logic               dut_began_q, dut_walking_q, dut_single_q, dut_forward_q;
  (* keep *) logic [SmW-1:0]     dut_request_sm_q, dut_sm_q, dut_walk_q;
  (* keep *) logic [1:0]         dut_request_free_q, dut_free_q;
  (* keep *) logic [CtaW-1:0]    dut_request_ctas_q, dut_request_size_q, dut_request_tail_q;
  (* keep *) logic [CtaW-1:0]    dut_next_q, dut_total_q, dut_size_q, dut_tail_q;
  (* keep *) logic [RowW-1:0]    dut_forward_row_q, dut_u_queue__data_q;
  (* keep *) logic               dut_u_queue__live_q, dut_u_stages__request_valid_q;
  (* keep *) logic [Sms-1:0]     dut_u_queue__row_live;
  (* keep *) logic [Sms*RowW-1:0] dut_u_queue__mem;

  // The requests in the stages: the one in the second, behind the offered response; the one in the first.
  logic [RequestW-1:0] second, first;
  logic                begun, decided, started;
  logic [CtaW-1:0]     start_ctas, start_size, start_tail;
  assign second  = waiting_requests[RequestW*response_valid_i+:RequestW];
  assign first   = waiting_requests[RequestW*({1'b0, response_valid_i}+{1'b0, dut_decide_valid_q})+:RequestW];
  assign begun   = dut_u_stages__request_valid_q && dut_request_op_q == START && dut_began_q;
  assign decided = dut_decide_valid_q && dut_op_q == START;
  assign started = begun || decided;
  assign {start_ctas, start_size, start_tail} = decided ? second[3*CtaW-1:0] : first[3*CtaW-1:0];

  // The checkers' state after the offered response.
  logic            after_single;
  logic [CtaW-1:0] after_next, after_total, after_size, after_tail;
  assign after_next   = response_valid_i ? next_next : next_q;
  assign after_single = response_valid_i ? next_single : single_q;
  assign {after_total, after_size, after_tail} =
      response_valid_i && op == START ? {ctas, size, tail} : {total_q, size_q, tail_q};

  // Of an SM: its queue after the offered response, or after the START that has begun; and its row.
  logic [ProductW-1:0] started_total;
  assign started_total = {{SmW+1{1'b0}}, dut_total_q};
  logic [Sms-1:0] rows_hold, opened_hold, within_hold, read_hold;
  genvar k;
  generate
    for (k = 0; k < Sms; k = k + 1) begin : gen_row
      localparam [ProductW-1:0] Number = k;
      logic [RowW-1:0]     row;
      logic                row_opened, is_fresh, is_grouped, is_began, is_empty;
      logic [CtaW-1:0]     row_current, row_behind, row_count, at, count;
      logic [ProductW-1:0] begins_at, ends_at;
      assign row = dut_u_queue__row_live[k] ? dut_u_queue__mem[RowW*k+:RowW] : {RowW{1'b0}};
      assign {row_opened, row_current, row_behind} = row;
      assign row_count = row_behind - row_current;
      assign begins_at = {{SmW+1{1'b0}}, dut_size_q} * Number;
      assign ends_at   = begins_at + {{SmW+1{1'b0}}, dut_size_q};
      always_comb begin
        is_fresh   = fresh_q[k];
        is_grouped = grouped_q;
        is_began   = began_q[k];
        at         = at_q[k];
        count      = count_q[k];
        if (response_valid_i && op == START) begin
          is_fresh   = 1'b1;
          is_grouped = !start_single;
          is_began   = 1'b0;
        end else if (response_valid_i && asks && sm == k) begin
          is_fresh = 1'b0;
          is_began = began_q[k] || takes;
          at       = takes ? next_q + One : own_first + {{CtaW-1{1'b0}}, has_own};
          count    = takes ? taken - One : own_count - {{CtaW-1{1'b0}}, has_own};
        end
        if (started) begin
          is_fresh   = 1'b1;
          is_grouped = !dut_single_q && !(dut_walking_q && k >= dut_walk_q);
          is_began   = 1'b0;
        end
        if (is_fresh) begin
          at    = Zero;
          count = Zero;
        end
        if (IsGroups && is_grouped && is_fresh) begin
          at       = begins_at > started_total ? dut_total_q : begins_at[CtaW-1:0];
          count    = (ends_at > started_total ? dut_total_q : ends_at[CtaW-1:0]) - at;
        end
        is_empty = count == Zero;
      end
      assign rows_hold[k]   = row_count == count && (is_empty || row_current == at) && (!IsRr || is_empty);
      assign opened_hold[k] = row_opened == (IsBcs && is_empty && is_began) && (!IsBcs || is_empty || is_began);
      assign within_hold[k] = row_current <= row_behind && row_behind <= dut_next_q;
      assign read_hold[k]   = !(dut_decide_valid_q && dut_op_q == ASK && {{ProductW-SmW{1'b0}}, dut_sm_q} == Number) ||
                              row == (dut_forward_q ? dut_forward_row_q
                                      : dut_u_queue__live_q ? dut_u_queue__data_q : {RowW{1'b0}});
    end
  endgenerate

  // Cycles without an answer so far, at most.
  localparam [11:0] Rows = Sms[11:0];
  logic [11:0] most_waits;
  always_comb begin
    most_waits = 12'd0;
    if (dut_decide_valid_q) most_waits = Rows + 12'd2;
    else if (begun && dut_walking_q) most_waits = {{12-SmW{1'b0}}, dut_walk_q} + 12'd1;
    else if (begun) most_waits = Rows + 12'd1;
  end

  logic [ProductW-1:0] all_started, walked;
  assign all_started = {{SmW+1{1'b0}}, dut_size_q} * {{CtaW{1'b0}}, Count};
  assign walked = {{SmW+1{1'b0}}, dut_size_q} * {{CtaW+1{1'b0}}, dut_walk_q};
  always @(posedge clk_i) begin
    if (rst_ni && !was_reset) begin
      i_inside: assert (agrees && in_flight == {8'd0, response_valid_i} + {8'd0, dut_decide_valid_q} +
                                               {8'd0, dut_u_stages__request_valid_q} &&
                        dut_request_there_q == dut_u_stages__request_valid_q &&
                        (!dut_decide_valid_q || (second[RequestW-1] == dut_op_q &&
                         second[RequestW-2-:SmW] == dut_sm_q && second[RequestW-2-SmW-:2] == dut_free_q)) &&
                        (!dut_u_stages__request_valid_q ||
                         first == {dut_request_op_q, dut_request_sm_q, dut_request_free_q, dut_request_ctas_q,
                                   dut_request_size_q, dut_request_tail_q}));
      i_begins: assert ((!dut_began_q || (begun && !dut_decide_valid_q)) && (!dut_walking_q || dut_began_q) &&
                        (!dut_walking_q || (IsGroups && !dut_single_q && {1'b0, dut_walk_q} < Count)));
      i_waits: assert (response_valid_i || in_flight == 9'd0 || {1'b0, waits_q} <= most_waits);
      i_rows: assert (&rows_hold);
      i_opened: assert (&opened_hold);
      i_read: assert (&read_hold);
      i_within: assert ((&within_hold) && dut_next_q <= dut_total_q && (dut_size_q != Zero || dut_total_q == Zero));
      if (!started) begin
        i_kernel: assert (dut_next_q == after_next && dut_total_q == after_total && dut_size_q == after_size &&
                          dut_tail_q == after_tail && dut_single_q == after_single);
      end else begin
        i_started: assert (dut_total_q == start_ctas && dut_size_q == (start_size == Zero ? One : start_size) &&
                           dut_tail_q == start_tail &&
                           dut_single_q == (IsAdaptive && dut_total_q <= dut_tail_q) &&
                           dut_next_q == (!IsGroups || dut_single_q ? Zero
                                          : dut_walking_q ? (walked > started_total ? dut_total_q
                                                                                      : walked[CtaW-1:0])
                                          : all_started > started_total ? dut_total_q : all_started[CtaW-1:0]));
      end
    end
  end
