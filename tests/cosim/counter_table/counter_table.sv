// counter_table: rows of two saturating counters, to test the lockstep engine. A request reads the
// row's word; a cycle later the counter is updated and written back, and the new word is forwarded
// to a request for the same row that was accepted in that cycle. CLEAR takes effect when answered.
//
//   Fault  0 none       1 value: a count is off by one     2 dropped response   3 extra response
//          4 reordered  5 hang: no response any more       6 refuse: no request any more
//          7 unstable: an offered response is withdrawn    8 state: touched is not set
//          9 hazard: nothing is forwarded
//         10 parked: in the cycle after a request, reads its amount from idle inputs
//         11 asleep: after 300 cycles without a handshake, an ADD adds one more
//         12 power: a register without reset, which the first CLEAR clears, adds one to each ADD
//         13 stale: a reset that comes after the answer of an ADD, before another request, leaves
//            a register set, which changes the first ADD
//         14 reloading: a stalled response shows another count until it is accepted
//         15 withdrawn: as 7, where the checkers do not look at it
`default_nettype none

module counter_table #(
  parameter integer RowW   = 4,
  parameter integer CountW = 5,
  parameter integer Fault  = 0
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              request_valid_i,
  output logic                   request_ready_o,
  input  wire logic [1:0]        op_i,
  input  wire logic [RowW-1:0]   row_i,
  input  wire logic              way_i,
  input  wire logic [CountW-1:0] amount_i,

  output logic                   response_valid_o,
  input  wire logic              response_ready_i,
  output logic      [CountW-1:0] count_o,
  output logic                   saturated_o
);

  localparam [1:0] ADD = 2'd1, CLEAR = 2'd2;
  localparam integer Trigger = 100;  // answered requests before a fault appears

  logic                valid_q;
  logic [1:0]          op_q;
  logic [RowW-1:0]     row_q;
  logic                way_q;
  logic [CountW-1:0]   amount_q;
  logic                forward_q;
  logic [2*CountW-1:0] forward_word_q;

  logic answer_valid, answer_ready, accept, answered;
  assign accept   = request_valid_i && request_ready_o;
  assign answered = answer_valid && answer_ready;

  logic [2*CountW-1:0] read_word, word, new_word;
  logic [CountW-1:0]   old_count, new_count;
  logic                carry, saturated;
  assign word      = (forward_q && Fault != 9) ? forward_word_q : read_word;
  assign old_count = way_q ? word[CountW+:CountW] : word[0+:CountW];

  // Faults 10 to 13, each of which changes the amount of an ADD.
  localparam [15:0] Stale = 16'ha55a;  // a value that no power-up is likely to give
  logic              accepted_q, awake_q, started_q, powered_q, changed_q;
  logic [8:0]        idle_q;
  logic [15:0]       stale_q;
  logic [CountW-1:0] amount;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accepted_q <= 1'b0;
      awake_q    <= 1'b0;
      started_q  <= 1'b0;
      idle_q     <= 9'd0;
    end else begin
      accepted_q <= accept;
      awake_q    <= 1'b1;
      started_q  <= started_q || answered;
      if (answered) idle_q <= 9'd0;
      else if (idle_q != 9'd300) idle_q <= accept ? 9'd0 : idle_q + 9'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (awake_q && (accept || answered)) stale_q <= (answered && op_q == ADD) ? Stale : 16'd0;
    if (accept) changed_q <= stale_q == Stale && !started_q && !valid_q;
    if (clear) powered_q <= 1'b0;
  end

  always_comb begin
    amount = amount_q;
    if (Fault == 10 && accepted_q && !request_valid_i) amount = amount_i;
    if ((Fault == 11 && idle_q == 9'd300) || (Fault == 12 && powered_q) ||
        (Fault == 13 && changed_q)) begin
      amount = amount_q ^ 1;
    end
  end

  always_comb begin
    {carry, new_count} = {1'b0, old_count} + {1'b0, amount};
    saturated = carry && op_q == ADD;
    if (op_q != ADD) new_count = (op_q == CLEAR) ? {CountW{1'b0}} : old_count;
    else if (carry) new_count = {CountW{1'b1}};
    new_word = word;
    if (way_q) new_word[CountW+:CountW] = new_count;
    else new_word[0+:CountW] = new_count;
  end

  logic write, clear;
  assign write = answered && op_q == ADD;
  assign clear = answered && op_q == CLEAR;

  sram_1r1w_clear #(
    .Width(2 * CountW),
    .Rows (1 << RowW)
  ) u_count (
    .clk_i, .rst_ni,
    .clear_i     (clear),
    .read_i      (accept),
    .read_row_i  (row_i),
    .read_data_o (read_word),
    .write_i     (write),
    .write_row_i (row_q),
    .write_data_i(new_word)
  );

  logic unused_touched;
  sram_1r1w_clear #(
    .Width(1),
    .Rows (1 << RowW)
  ) u_touched (
    .clk_i, .rst_ni,
    .clear_i     (clear),
    .read_i      (1'b0),
    .read_row_i  (row_i),
    .read_data_o (unused_touched),
    .write_i     (write && !(Fault == 8 && (&amount_q))),
    .write_row_i (row_q),
    .write_data_i(1'b1)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q   <= 1'b0;
      forward_q <= 1'b0;
    end else begin
      if (accept) begin
        valid_q   <= 1'b1;
        forward_q <= answered && (op_q == CLEAR || (op_q == ADD && row_q == row_i));
      end else if (answered) begin
        valid_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      op_q           <= op_i;
      row_q          <= row_i;
      way_q          <= way_i;
      amount_q       <= amount_i;
      forward_word_q <= (op_q == CLEAR) ? {2 * CountW{1'b0}} : new_word;
    end
  end

  // Faults. Without a fault the answers are passed through.
  logic [7:0]        answers_q;
  logic              held_q, repeated_q, late;
  logic [CountW-1:0] held_count_q;
  logic              held_saturated_q;
  logic              at_trigger, past_trigger, emit_held;

  assign answer_valid = valid_q;
  assign at_trigger   = answers_q == Trigger[7:0];
  assign past_trigger = answers_q >= Trigger[7:0];
  assign emit_held    = held_q && answers_q == Trigger[7:0] + 8'd2;
  assign late         = (Fault == 7 || Fault == 15) && past_trigger && answers_q[2:0] == 3'd7 && repeated_q;

  always_comb begin
    response_valid_o = answer_valid;
    answer_ready     = response_ready_i;
    request_ready_o  = !valid_q || answer_ready;
    count_o          = new_count;
    saturated_o      = saturated;
    if (Fault == 1 && past_trigger && row_q == 3 && amount_q[1:0] == 2'd2) begin
      count_o = new_count ^ 1;
    end
    if (((Fault == 2 || Fault == 4) && at_trigger)) begin
      response_valid_o = 1'b0;
      answer_ready     = 1'b1;
    end
    if (Fault == 14 && !response_ready_i) count_o = ~new_count;
    if (Fault == 3 && at_trigger && !repeated_q) answer_ready = 1'b0;
    if (Fault == 4 && emit_held) begin
      response_valid_o = 1'b1;
      answer_ready     = 1'b0;
      count_o          = held_count_q;
      saturated_o      = held_saturated_q;
    end
    if (Fault == 5 && past_trigger) begin
      response_valid_o = 1'b0;
      answer_ready     = 1'b0;
    end
    if (late) begin
      response_valid_o = 1'b0;
      answer_ready     = 1'b0;
    end
    request_ready_o = !valid_q || answer_ready;
    if (Fault == 6 && past_trigger) request_ready_o = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answers_q  <= 8'd0;
      held_q     <= 1'b0;
      repeated_q <= 1'b0;
    end else begin
      if (answered && answers_q != 8'hff) answers_q <= answers_q + 8'd1;
      if (Fault == 4 && at_trigger && answered) held_q <= 1'b1;
      else if (emit_held && response_ready_i) held_q <= 1'b0;
      if (Fault == 7 || Fault == 15) repeated_q <= response_valid_o && !response_ready_i;
      else if (at_trigger && response_valid_o && response_ready_i) repeated_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (at_trigger && answered) begin
      held_count_q     <= new_count;
      held_saturated_q <= saturated;
    end
  end

endmodule

`default_nettype wire
