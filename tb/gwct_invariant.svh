// Part of gwct_sva for proofs by induction: the invariant that relates the registers of rtl/gwct.sv,
// dut_NAME here (scripts/formal-block.sh), to the checkers' state. The RTL is ahead by the offered response
// and by the FENCE or the operation in stage 2. Each assertion holds in every reachable state; together with
// the checkers' assertions each follows from the cycle before.
//
//   i_inside    the requests in the pipeline are the accepted ones: in stages 1 and 2, and being answered; in
//               stage 1 with all fields
//   i_state     the RTL's state is the checkers' after the response and stage 2
//   i_found     stage 2 has what its request finds in the state before it
//   i_monotone  a warp's GWCT falls only with a change of the epoch
  (* keep *) logic                    dut_u_stages__request_valid_q, dut_found_valid;
  (* keep *) logic [2:0]              dut_op_q;
  (* keep *) logic [WarpW-1:0]        dut_warp_q, dut_last_q;
  (* keep *) logic                    dut_store_q, dut_has_gwct_q, dut_gwct_epoch_q;
  (* keep *) logic [TimeW-1:0]        dut_timestamp_q, dut_now_q;
  (* keep *) logic [Warps*CountW-1:0] dut_loads_q, dut_stores_q;
  (* keep *) logic [Warps*TimeW-1:0]  dut_visible_q;
  (* keep *) logic                    dut_epoch_q;
  (* keep *) logic                    dut_is_fence_q, dut_answers_q, dut_refused_q, dut_error_q;
  (* keep *) logic [TimeW-1:0]        dut_latest_q, dut_fence_now_q;

  logic [1:0]          before_first;  // requests in front of stage 1
  logic [RequestW-1:0] first, second;
  logic [TableW-1:0]   table_second, table_then;  // before and after the request in stage 2
  assign before_first = {1'b0, dut_found_valid} + {1'b0, response_valid_i};
  assign first        = waiting_requests[RequestW*before_first+:RequestW];
  assign second       = waiting_requests[RequestW*response_valid_i+:RequestW];
  assign table_second = response_valid_i ? table_d : table_q;
  assign table_then   = dut_found_valid ? next_table(table_second, second) : table_second;

  // What the request in stage 2 finds in the table before it.
  logic [2:0]        found_op;
  logic [WarpW-1:0]  found_warp, found_last;
  logic              found_store, unused_has_gwct, unused_epoch, found_there, found_answers;
  logic [TimeW-1:0]  unused_timestamp, found_now, found_latest;
  logic [CountW-1:0] found_count;
  integer            f;
  assign {found_op, found_warp, found_last, found_store, unused_has_gwct, unused_epoch, unused_timestamp,
          found_now} = second;
  assign found_there = {{32-WarpW{1'b0}}, found_warp} < Warps;
  always_comb begin
    found_latest  = {TimeW{1'b0}};
    found_answers = 1'b0;
    found_count   = {CountW{1'b0}};
    for (f = 0; f < Warps; f = f + 1) begin
      if ({{32-WarpW{1'b0}}, found_warp} == f) begin
        found_count = found_store ? table_second[StoresAt+f*CountW+:CountW] : table_second[f*CountW+:CountW];
      end
      if ({{32-WarpW{1'b0}}, found_warp} <= f && {{32-WarpW{1'b0}}, found_last} >= f) begin
        if (table_second[TimesAt+f*TimeW+:TimeW] > found_latest) begin
          found_latest = table_second[TimesAt+f*TimeW+:TimeW];
        end
        if ({table_second[StoresAt+f*CountW+:CountW], table_second[f*CountW+:CountW]} != 0) begin
          found_answers = 1'b1;
        end
      end
    end
  end

  // The GWCTs of the cycle before.
  logic                   epoch_then_q, falls;
  logic [Warps*TimeW-1:0] visible_then_q;
  integer                 m;
  always_ff @(posedge clk_i) begin
    epoch_then_q   <= dut_epoch_q;
    visible_then_q <= dut_visible_q;
  end
  always_comb begin
    falls = 1'b0;
    for (m = 0; m < Warps; m = m + 1) begin
      if (dut_visible_q[m*TimeW+:TimeW] < visible_then_q[m*TimeW+:TimeW]) falls = 1'b1;
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      i_inside: assert ((!was_reset || in_flight == 0) &&
                        in_flight == {8'd0, dut_u_stages__request_valid_q} + {7'd0, before_first} && agrees &&
                        oldest <= older && older <= in_flight &&
                        {7'd0, before_first} >= (older > 9'd2 ? 9'd2 : older) &&
                        (!dut_u_stages__request_valid_q ||
                         {dut_op_q, dut_warp_q, dut_last_q, dut_store_q, dut_has_gwct_q, dut_gwct_epoch_q,
                          dut_timestamp_q, dut_now_q} == first));
      i_state: assert ({dut_epoch_q, dut_visible_q, dut_stores_q, dut_loads_q} == table_then);
      i_found: assert (!dut_found_valid ||
                       (dut_is_fence_q == (found_op >= FENCE) &&
                        dut_refused_q == (found_op == ISSUE && found_there && found_count == Full) &&
                        dut_error_q == ((found_op < ROLLOVER && !found_there) ||
                                        (found_op == ACK && found_count == 0)) &&
                        (found_op < FENCE || (dut_answers_q == found_answers && dut_latest_q == found_latest &&
                                              dut_fence_now_q == found_now))));
      i_monotone: assert (was_reset || dut_epoch_q != epoch_then_q || !falls);
    end
  end
