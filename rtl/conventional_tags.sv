// Tags of a conventional write-evict L1 with LRU: tag_store without reference counts, Positions and
// tag entries beyond the data lines. It exists to measure the cost of these [li, 6.5]. A tag entry is
// a way, and the way's number is the answered Position.
//
//   op_i        takes                does
//   PROBE       line_i, may_miss_i   HIT, HIT_PENDING; MISS: takes a way; RESERVATION_FAIL: nothing
//   FILL        line_i, position_i   makes the waiting line present; drops it when it is dead
//   WRITE       line_i               evicts the line; a waiting line becomes dead
//   INVALIDATE  line_i               as WRITE
//   FLUSH                            frees all ways; waiting lines become dead
//
// Pipeline, memory and forwarding are those of rtl/tag_store.sv. The answers equal those of a
// tag_store with threshold 0: tb/conventional_tags_tb.sv compares the two, request by request.
`default_nettype none

module conventional_tags #(
  parameter integer            LineW      = 42,  // line-address bits
  parameter integer            IndexW     = 5,   // log2 of the number of sets
  parameter [IndexW:0]         Polynomial = 37,  // set_index: ipoly(Polynomial); 0: Matrix
  parameter [IndexW*LineW-1:0] Matrix     = 0,
  parameter integer            Ways       = 4,
  localparam integer           WayW       = (Ways < 3) ? 1 : $clog2(Ways)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic             request_valid_i,
  output logic                  request_ready_o,
  input  wire logic [2:0]       op_i,
  input  wire logic [LineW-1:0] line_i,
  input  wire logic [WayW-1:0]  position_i,
  input  wire logic             may_miss_i,

  output logic                  response_valid_o,
  input  wire logic             response_ready_i,
  output logic      [2:0]        outcome_o,  // numbered as tag_store's
  output logic      [1:0]        reason_o,
  output logic      [IndexW-1:0] index_o,
  output logic      [WayW-1:0]   position_o,
  output logic                   evicted_o,
  output logic      [LineW-1:0]  evicted_line_o,
  output logic      [WayW-1:0]   evicted_position_o,
  output logic                   dead_o,
  output logic                   dropped_o,
  output logic                   error_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (IndexW < 1 || IndexW > 10) IndexW_must_be_1_to_10 u_wrong ();
    if (LineW <= IndexW || LineW > 64) LineW_must_be_above_IndexW_and_at_most_64 u_wrong ();
    if (Ways < 1 || Ways > 32) Ways_must_be_1_to_32 u_wrong ();
  endgenerate

  localparam integer TagW = LineW - IndexW;
`include "tag_store_constants.svh"
  localparam [Ways-1:0] LowestWay = 1;

  logic enters, decide_valid_q, decide_moves, fire;  // fire: a decision takes effect
  three_stages u_stages (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .request_valid_i (request_valid_i),
    .request_ready_o (request_ready_o),
    .hold_i          (1'b0),
    .enters_o        (enters),
    .decide_valid_o  (decide_valid_q),
    .decide_moves_o  (decide_moves),
    .response_valid_o(response_valid_o),
    .response_ready_i(response_ready_i)
  );
  assign fire = decide_valid_q && decide_moves;

  // Stage 1: the request, and its set.
  logic [2:0]        request_op_q;
  logic [LineW-1:0]  request_line_q;
  logic [WayW-1:0]   request_position_q;
  logic              request_may_miss_q;
  logic [IndexW-1:0] request_index, evicted_index_q;
  logic [TagW-1:0]   evicted_tag_q;
  logic [LineW-1:0]  inverse_line;
  always_ff @(posedge clk_i) begin
    if (request_ready_o && request_valid_i) begin
      request_op_q       <= op_i;
      request_line_q     <= line_i;
      request_position_q <= position_i;
      request_may_miss_q <= may_miss_i;
    end
  end
  set_index_network #(
    .LineW     (LineW),
    .IndexW    (IndexW),
    .Polynomial(Polynomial),
    .Matrix    (Matrix)
  ) u_network (
    .line_i         (request_line_q),
    .index_o        (request_index),
    .inverse_tag_i  (evicted_tag_q),
    .inverse_index_i(evicted_index_q),
    .inverse_line_o (inverse_line)
  );

  // Stage 2: the request with its set's row.
  logic [2:0]        op_q;
  logic [TagW-1:0]   tag_q;
  logic [IndexW-1:0] index_q;
  logic [WayW-1:0]   position_q;
  logic              may_miss_q, is_flush;
  assign is_flush = op_q >= FLUSH;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      op_q       <= request_op_q;
      tag_q      <= request_line_q[LineW-1:IndexW];
      index_q    <= request_index;
      position_q <= request_position_q;
      may_miss_q <= request_may_miss_q;
    end
  end

  // The memory: a row is a set.
  localparam integer RowW = Ways * (WayW + 2 + TagW);
  logic [Ways-1:0]      valid, waiting, next_valid, next_waiting;
  logic [Ways*TagW-1:0] tags, next_tags;
  logic [Ways*WayW-1:0] ranks, next_ranks;
  logic                 changes, allocates;
  tag_store_rows #(
    .IndexW (IndexW),
    .Width  (RowW),
    .Ways   (Ways),
    .ValidAt(Ways * (TagW + 1))
  ) u_rows (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .read_i       (enters),
    .read_index_i (request_index),
    .row_o        ({ranks, valid, waiting, tags}),
    .flush_i      (fire && is_flush),
    .write_i      (fire && changes),
    .write_index_i(index_q),
    .row_i        ({next_ranks, next_valid, next_waiting, next_tags})
  );

  // Look-up. An entry that waits and is not valid is dead.
  logic [Ways-1:0]      in_use, match, asked, gains;
  logic                 found, found_valid, found_waiting, found_asked;
  logic [Ways*WayW-1:0] numbers;  // the number of each way
  assign in_use = valid | waiting;
  genvar g;
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_way
      assign match[g] = in_use[g] && tags[g*TagW+:TagW] == tag_q;
      assign asked[g] = position_q == g[WayW-1:0];
      assign numbers[g*WayW+:WayW] = g[WayW-1:0];
      assign next_tags[g*TagW+:TagW] = gains[g] ? tag_q : tags[g*TagW+:TagW];
    end
  endgenerate
  assign found         = |match;
  assign found_valid   = |(match & valid);
  assign found_waiting = |(match & waiting);
  assign found_asked   = |(match & asked);

  // The way that a miss takes: the lowest free way, else the oldest way that does not wait.
  logic [Ways-1:0] oldest, all_oldest, taken;
  logic            has_free;
  assign has_free = in_use != {Ways{1'b1}};
  largest #(
    .N    (Ways),
    .Width(WayW)
  ) u_lru (
    .value_i   (ranks),
    .eligible_i(valid & ~waiting),
    .all_o     (all_oldest),
    .lowest_o  (oldest)
  );
  assign taken = has_free ? ~in_use & (in_use + LowestWay) : oldest;

  logic [2:0] outcome;
  logic [1:0] reason;
  logic       probes, has_way;
  assign probes  = op_q == PROBE;
  assign has_way = has_free || |all_oldest;
  always_comb begin
    outcome = HIT;
    reason  = FAIL_LINE;
    if (probes && (!found || found_waiting)) begin
      outcome = found ? HIT_PENDING : MISS;
      if ((!found && !has_way) || !may_miss_q) outcome = RESERVATION_FAIL;
      if ((found || has_way) && !may_miss_q) reason = FAIL_MISS;
    end
  end

  // The changes to the row.
  logic            uses, drops_line, dies, fills;
  logic [Ways-1:0] victim;
  assign allocates  = probes && outcome == MISS;
  assign gains      = {Ways{allocates}} & taken;
  assign uses       = probes && found_valid && outcome != RESERVATION_FAIL;
  assign drops_line = (op_q == WRITE || op_q == INVALIDATE) && found_valid && !found_waiting;
  assign dies       = (op_q == WRITE || op_q == INVALIDATE) && found_valid && found_waiting;
  assign fills      = op_q == FILL && found_waiting && found_asked;
  assign victim     = ({Ways{allocates && !has_free}} & oldest) | ({Ways{drops_line}} & match);
  assign changes    = allocates || uses || drops_line || dies || fills;

  assign next_valid   = (valid | gains) & ~({Ways{drops_line || dies}} & match);
  assign next_waiting = (waiting | gains) & ~({Ways{fills}} & match);
  lru_rank #(
    .Ways (Ways)
  ) u_order (
    .rank_i  (ranks),
    .newest_i(gains | ({Ways{uses}} & match)),
    .leaves_i(victim | ({Ways{uses || dies}} & match)),
    .rank_o  (next_ranks)
  );

  // The answer.
  logic [Ways-1:0] answer;
  logic [WayW-1:0] position, evicted_position;
  logic [TagW-1:0] evicted_tag;
  assign answer = gains |
                  ({Ways{fills || (probes && found && outcome != RESERVATION_FAIL)}} & match);
  always_comb begin : number
    integer i;
    position         = {WayW{1'b0}};
    evicted_position = {WayW{1'b0}};
    evicted_tag      = {TagW{1'b0}};
    for (i = 0; i < Ways; i = i + 1) begin
      position         = position | (numbers[i*WayW+:WayW] & {WayW{answer[i]}});
      evicted_position =
          evicted_position | (numbers[i*WayW+:WayW] & {WayW{victim[i]}});
      evicted_tag      = evicted_tag | (tags[i*TagW+:TagW] & {TagW{victim[i]}});
    end
  end

  // Stage 3: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      outcome_o          <= outcome;
      reason_o           <= reason;
      index_o            <= is_flush ? {IndexW{1'b0}} : index_q;
      position_o         <= position;
      evicted_o          <= |victim;
      evicted_index_q    <= index_q;
      evicted_tag_q      <= evicted_tag;
      evicted_position_o <= evicted_position;
      dead_o             <= dies || (probes && found && !found_valid && outcome == HIT_PENDING);
      dropped_o          <= fills && !found_valid;
      error_o            <= op_q == FILL && !fills;
    end
  end
  assign evicted_line_o = evicted_o ? inverse_line : {LineW{1'b0}};

endmodule

`default_nettype wire
