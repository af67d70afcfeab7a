// Replacement state of the sets of a sharing-aware cache [tabbakh, V-B, VI]: LRU in two sub-sets. The lines
// that stay are the private ones of an L1, the shared ones of an L2 bank.
//
//   op_i      takes                           does
//   TOUCH     index_i, way_i, sm_i, known_i   records a hit; at the L2 by SM sm_i, if known_i
//   REPLACE   index_i, eligible_i,            takes a way for a line, or answers bypass_o or none_o
//             incoming_i, sm_i, known_i
//   REMOVE    index_i, way_i                  frees the way
//   FLUSH                                     frees all ways
//   RESET                                     clears the flags and the owners of all lines
//   PEEK      as REPLACE                      answers as REPLACE would; changes nothing
//
// Victims of REPLACE, in this order: the lowest eligible way not in use; the oldest eligible line if it stays
// and is dead (Dead 1: not for an incoming_i of the other class); the oldest of the class that does not stay;
// the oldest, unless incoming_i. An oldest line that stays and is not replaced is dead from then on.
//
// Three pipeline stages: the request, for which the SRAMs read the set's row; the decision, which writes the row
// back; the response. One request per cycle, responses in order, three cycles later at the earliest. A response
// waits until response_ready_i. The decision's row is forwarded to the next request if it is for the same set;
// FLUSH and RESET are forwarded to the next request of any set.
// C model: cmodel/blocks/sharing_lru.c; checkers: tb/sharing_lru_sva.sv; page: docs/blocks/sharing_lru.md.
`default_nettype none

module sharing_lru #(
  parameter integer Level  = 0,  // 0 L1, 1 L2
  parameter integer Dead   = 2,  // dead blocks: 0 off, 1 private, 2 any
  parameter integer IndexW = 5,  // log2 of the number of sets
  parameter integer Ways   = 4,
  parameter integer SmW    = 4,  // L2: bits of an SM's number
  localparam integer WayW  = (Ways < 3) ? 1 : $clog2(Ways)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              request_valid_i,
  output logic                   request_ready_o,
  input  wire logic [2:0]        op_i,
  input  wire logic [IndexW-1:0] index_i,
  input  wire logic [WayW-1:0]   way_i,
  input  wire logic [Ways-1:0]   eligible_i,
  input  wire logic              incoming_i,
  input  wire logic [SmW-1:0]    sm_i,
  input  wire logic              known_i,

  output logic                   response_valid_o,
  input  wire logic              response_ready_i,
  output logic      [WayW-1:0]   way_o,
  output logic                   evicted_o,
  output logic                   none_o,
  output logic                   bypass_o,
  output logic                   shared_o,
  output logic                   became_o,
  output logic                   dead_o,
  output logic                   died_o,
  output logic                   error_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Level < 0 || Level > 1) Level_must_be_0_or_1 u_wrong ();
    if (Dead < 0 || Dead > 2) Dead_must_be_0_to_2 u_wrong ();
    if (IndexW < 1 || IndexW > 10) IndexW_must_be_1_to_10 u_wrong ();
    if (Ways < 1 || Ways > 32) Ways_must_be_1_to_32 u_wrong ();
    if (SmW < 1 || SmW > 10) SmW_must_be_1_to_10 u_wrong ();
  endgenerate

`include "sharing_lru_constants.svh"
  localparam IsL2 = Level == 1;
  localparam Detects = Dead != 0;  // dead blocks
  localparam YieldsToAny = Dead == 2;
  localparam integer Sets = 1 << IndexW;
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

  // Stage 1: the request. Stage 2: the request with its row.
  logic [2:0]        request_op_q, op_q;
  logic [IndexW-1:0] request_index_q, index_q;
  logic [WayW-1:0]   request_way_q, way_q;
  logic [Ways-1:0]   request_eligible_q, eligible_q;
  logic              request_incoming_q, incoming_q, request_known_q, known_q;
  logic [SmW-1:0]    request_sm_q, sm_q;
  always_ff @(posedge clk_i) begin
    if (request_valid_i && request_ready_o) begin
      request_op_q       <= op_i;
      request_index_q    <= index_i;
      request_way_q      <= way_i;
      request_eligible_q <= eligible_i;
      request_incoming_q <= incoming_i;
      request_sm_q       <= sm_i;
      request_known_q    <= known_i;
    end
    if (enters) begin
      op_q       <= request_op_q;
      index_q    <= request_index_q;
      way_q      <= request_way_q;
      eligible_q <= request_eligible_q;
      incoming_q <= request_incoming_q;
      sm_q       <= request_sm_q;
      known_q    <= request_known_q;
    end
  end
  logic is_touch, is_replace, is_remove, is_flush, is_reset, asks, clears;
  assign is_touch   = op_q == TOUCH;
  assign is_replace = op_q == REPLACE;
  assign is_remove  = op_q == REMOVE;
  assign is_flush   = op_q == FLUSH;
  assign is_reset   = op_q == RESET;
  assign asks       = is_replace || op_q >= PEEK;
  assign clears     = fire && (is_flush || is_reset);

  // The rows of the sets, each field in a memory of its own. A memory that the level does not use is never
  // read, so that synthesis removes it.
  localparam integer RowW = Ways * (4 + WayW + SmW);
  logic [Ways-1:0]      sram_used, sram_shared, sram_dead, sram_owned;
  logic [Ways-1:0]      read_used, read_shared, read_dead, read_owned, used, shared, dead, owned;
  logic [Ways-1:0]      next_used, next_shared, next_dead, next_owned;
  logic [Ways*WayW-1:0] sram_rank, rank, next_rank;
  logic [Ways*SmW-1:0]  sram_owner, owner, next_owner;
  logic [RowW-1:0]      next_row, forward_row_q;
  logic                 changes, write;
  assign write    = fire && changes;
  assign next_row = {next_used, next_shared, next_dead, next_owned, next_rank, next_owner};

  sram_1r1w_clear #(
    .Width(Ways),
    .Rows (Sets)
  ) u_used (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (fire && is_flush),
    .read_i      (enters),
    .read_row_i  (request_index_q),
    .read_data_o (sram_used),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_used)
  );

  sram_1r1w_clear #(
    .Width(Ways),
    .Rows (Sets)
  ) u_shared (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (clears),
    .read_i      (enters),
    .read_row_i  (request_index_q),
    .read_data_o (sram_shared),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_shared)
  );

  sram_1r1w_clear #(
    .Width(Ways),
    .Rows (Sets)
  ) u_dead (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (clears),
    .read_i      (enters && Detects),
    .read_row_i  (request_index_q),
    .read_data_o (sram_dead),
    .write_i     (write && Detects),
    .write_row_i (index_q),
    .write_data_i(next_dead)
  );

  sram_1r1w_clear #(
    .Width(Ways),
    .Rows (Sets)
  ) u_owned (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (clears),
    .read_i      (enters && IsL2),
    .read_row_i  (request_index_q),
    .read_data_o (sram_owned),
    .write_i     (write && IsL2),
    .write_row_i (index_q),
    .write_data_i(next_owned)
  );

  sram_1r1w #(
    .Width(Ways * WayW),
    .Rows (Sets)
  ) u_rank (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index_q),
    .read_data_o (sram_rank),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_rank)
  );

  sram_1r1w #(
    .Width(Ways * SmW),
    .Rows (Sets)
  ) u_owner (
    .clk_i       (clk_i),
    .read_i      (enters && IsL2),
    .read_row_i  (request_index_q),
    .read_data_o (sram_owner),
    .write_i     (write && IsL2),
    .write_row_i (index_q),
    .write_data_i(next_owner)
  );

  // Forwarding: the row read was written or cleared in the cycle of the read.
  logic forward_q, flushed_q, cleared_q;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      forward_q <= write && index_q == request_index_q;
      flushed_q <= fire && is_flush;
      cleared_q <= clears;
    end
    if (write) forward_row_q <= next_row;
  end
  assign {read_used, read_shared, read_dead, read_owned, rank, owner} =
      forward_q ? forward_row_q : {sram_used, sram_shared, sram_dead, sram_owned, sram_rank, sram_owner};
  assign used   = flushed_q ? {Ways{1'b0}} : read_used;
  assign shared = cleared_q ? {Ways{1'b0}} : read_shared;
  assign dead   = (cleared_q || !Detects) ? {Ways{1'b0}} : read_dead;
  assign owned  = (cleared_q || !IsL2) ? {Ways{1'b0}} : read_owned;

  // The ways of the request's way number, of its SM, and of the class that stays.
  logic [Ways-1:0] named, of_sm, stays, takes_owner;  // takes_owner: the line that gets its owner now
  // verilator coverage_off
  logic [Ways*WayW-1:0] numbers;  // the number of each way: constants, which never toggle
  // verilator coverage_on
  genvar g;
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_way
      assign numbers[g*WayW+:WayW] = g[WayW-1:0];
      assign named[g] = way_q == g[WayW-1:0];
      assign of_sm[g] = owner[g*SmW+:SmW] == sm_q;
      assign next_owner[g*SmW+:SmW] = takes_owner[g] ? sm_q : owner[g*SmW+:SmW];
    end
  endgenerate
  assign stays = IsL2 ? shared : used & ~shared;

  // Candidates of REPLACE: the oldest eligible line, and the oldest of the other class.
  logic [Ways-1:0] free_ways, oldest, oldest_other;
  logic [Ways-1:0] unused_all, unused_all_other;  // ranks of lines in use differ: the largest is one
  assign free_ways = eligible_q & ~used;
  largest #(
    .N    (Ways),
    .Width(WayW)
  ) u_oldest (
    .value_i   (rank),
    .eligible_i(eligible_q & used),
    .all_o     (unused_all),
    .lowest_o  (oldest)
  );
  largest #(
    .N    (Ways),
    .Width(WayW)
  ) u_oldest_other (
    .value_i   (rank),
    .eligible_i(eligible_q & used & ~stays),
    .all_o     (unused_all_other),
    .lowest_o  (oldest_other)
  );
  logic unused;
  assign unused = &{1'b0, unused_all, unused_all_other};

  logic any_eligible, takes_free, finds, oldest_stays, takes_dead, takes_other, takes_oldest, evicts, bypasses;
  logic dies, hits, touches, removes, brings;
  assign any_eligible = |eligible_q;
  assign takes_free   = asks && |free_ways;
  assign finds        = asks && any_eligible && !takes_free;  // a victim is looked for
  assign oldest_stays = |(oldest & stays);
  assign takes_dead   = finds && |(oldest & stays & dead) && (YieldsToAny || !incoming_q);
  assign takes_other  = finds && !takes_dead && |oldest_other;
  assign takes_oldest = finds && !takes_dead && !(|oldest_other) && !incoming_q;
  assign evicts       = takes_dead || takes_other || takes_oldest;
  assign bypasses     = finds && !evicts;
  assign dies         = finds && Detects && oldest_stays && !(|(oldest & dead)) && !takes_oldest;
  assign hits         = |(named & used);
  assign touches      = is_touch && hits;
  assign removes      = is_remove && hits;
  assign brings       = is_replace && (takes_free || evicts);
  assign changes      = brings || touches || removes || (is_replace && dies);

  logic [Ways-1:0] chosen, changed;  // changed: the way whose line is hit, replaced, installed or removed
  always_comb begin
    chosen = {Ways{1'b0}};
    if (takes_free) chosen = free_ways & (~free_ways + LowestWay);
    else if (takes_other) chosen = oldest_other;
    else if (evicts) chosen = oldest;
  end
  assign changed = asks ? chosen & {Ways{brings}} : named & {Ways{touches || removes}};

  logic [WayW-1:0] chosen_way;
  always_comb begin : mux
    integer i;
    chosen_way = {WayW{1'b0}};
    for (i = 0; i < Ways; i = i + 1) begin
      chosen_way = chosen_way | (numbers[i*WayW+:WayW] & {WayW{chosen[i]}});
    end
  end

  // The next row.
  lru_rank #(
    .Ways(Ways)
  ) u_order (
    .rank_i  (rank),
    .newest_i(changed & {Ways{!removes}}),
    .leaves_i(changed & used),
    .rank_o  (next_rank)
  );
  logic asked, becomes;
  assign asked       = IsL2 && known_q;
  assign becomes     = touches && asked && |(named & owned & ~of_sm & ~shared);
  assign takes_owner = changed & {Ways{asked && !removes}} & ({Ways{brings}} | ~owned);
  assign next_used   = (used & ~changed) | (changed & {Ways{!removes}});
  assign next_shared = (shared & ~(changed & {Ways{!touches}})) |
                       (changed & {Ways{becomes || (brings && !IsL2 && incoming_q)}});
  assign next_dead   = (dead & ~changed) | (oldest & {Ways{dies}});
  assign next_owned  = (owned & ~(changed & {Ways{!touches}})) | takes_owner;

  // Stage 3: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      way_o     <= chosen_way;
      evicted_o <= evicts;
      none_o    <= asks && !any_eligible;
      bypass_o  <= bypasses;
      shared_o  <= (touches && |(named & shared)) || becomes || (evicts && |(chosen & shared));
      became_o  <= becomes;
      dead_o    <= evicts && |(chosen & dead);
      died_o    <= dies;
      error_o   <= (is_touch || is_remove) && !hits;
    end
  end

endmodule

`default_nettype wire
