// Replacement state of a cache's sets: LRU; SRRIP (Jaleel et al., ISCA 2010); SHiP (Wu et al., MICRO
// 2011).
//
//   op_i     takes                           does
//   TOUCH    index_i, way_i                  records a hit of the line
//   REPLACE  index_i, eligible_i,            takes the lowest eligible way not in use, else the
//            signature_i                     victim among the eligible; or answers none_o
//   REMOVE   index_i, way_i                  frees the way
//   FLUSH                                    frees all ways
//   PEEK     as REPLACE                      answers as REPLACE would; changes nothing
//
// Three pipeline stages: the request, for which the SRAMs read the set's row and, for SHiP, the
// signature's counter; the decision, which writes the row back; the response. One request per cycle,
// responses in order, three cycles later at the earliest. A response waits until response_ready_i.
// The decision's row is forwarded to the next request if it is for the same set; a FLUSH is
// forwarded to the next request of any set. SHiP's counters are in rtl/ship_table.sv.
// C model: cmodel/blocks/replacement.c; checkers: tb/replacement_sva.sv; page:
// docs/blocks/replacement.md.
`default_nettype none

module replacement #(
  parameter integer Policy     = 0,  // 0 LRU, 1 SRRIP, 2 SHIP
  parameter integer IndexW     = 5,  // log2 of the number of sets
  parameter integer Ways       = 4,
  parameter integer RrpvW      = 2,  // bits of a re-reference prediction value
  parameter integer SignatureW = 8,
  parameter integer CounterW   = 3,  // bits of a counter of the signature table
  localparam integer WayW       = (Ways < 3) ? 1 : $clog2(Ways)
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  request_valid_i,
  output logic                       request_ready_o,
  input  wire logic [2:0]            op_i,
  input  wire logic [IndexW-1:0]     index_i,
  input  wire logic [WayW-1:0]       way_i,
  input  wire logic [Ways-1:0]       eligible_i,
  input  wire logic [SignatureW-1:0] signature_i,

  output logic                       response_valid_o,
  input  wire logic                  response_ready_i,
  output logic      [WayW-1:0]       way_o,
  output logic                       evicted_o,
  output logic                       none_o,
  output logic                       distant_o,
  output logic                       error_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Policy < 0 || Policy > 2) Policy_must_be_0_to_2 u_wrong ();
    if (IndexW < 1 || IndexW > 10) IndexW_must_be_1_to_10 u_wrong ();
    if (Ways < 1 || Ways > 32) Ways_must_be_1_to_32 u_wrong ();
    if (RrpvW < 1 || RrpvW > 4) RrpvW_must_be_1_to_4 u_wrong ();
    if (SignatureW < 1 || SignatureW > 14) SignatureW_must_be_1_to_14 u_wrong ();
    if (CounterW < 1 || CounterW > 4) CounterW_must_be_1_to_4 u_wrong ();
  endgenerate

`include "replacement_constants.svh"
  localparam IsLru = Policy == 0;
  localparam integer IsShip = (Policy == 2) ? 1 : 0;
  localparam integer Sets = 1 << IndexW;
  localparam integer AgeW = IsLru ? WayW : RrpvW;  // bits of the rank or RRPV that selects the victim
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
  logic [2:0]            request_op_q, op_q;
  logic [IndexW-1:0]     request_index_q, index_q;
  logic [WayW-1:0]       request_way_q, way_q;
  logic [Ways-1:0]       request_eligible_q, eligible_q;
  logic [SignatureW-1:0] request_signature_q, signature_q;
  always_ff @(posedge clk_i) begin
    if (request_valid_i && request_ready_o) begin
      request_op_q        <= op_i;
      request_index_q     <= index_i;
      request_way_q       <= way_i;
      request_eligible_q  <= eligible_i;
      request_signature_q <= signature_i;
    end
    if (enters) begin
      op_q        <= request_op_q;
      index_q     <= request_index_q;
      way_q       <= request_way_q;
      eligible_q  <= request_eligible_q;
      signature_q <= request_signature_q;
    end
  end
  logic is_touch, is_remove, is_flush, is_replace, asks;
  assign is_touch   = op_q == TOUCH;
  assign is_replace = op_q == REPLACE;
  assign is_remove  = op_q == REMOVE;
  assign is_flush   = op_q == FLUSH;
  assign asks       = is_replace || op_q >= PEEK;

  // The rows of the sets, each field in a memory of its own. A memory that the policy does not use is
  // never read, so that synthesis removes it.
  localparam integer RowW = Ways * (WayW + RrpvW + SignatureW + 2);
  logic [Ways-1:0]            sram_used, sram_reused, read_used, used, reused, next_used, next_reused;
  logic [Ways*WayW-1:0]       sram_rank, rank, next_rank;
  logic [Ways*RrpvW-1:0]      sram_rrpv, rrpv, next_rrpv;
  logic [Ways*SignatureW-1:0] sram_signature, signature, next_signature;
  logic [RowW-1:0]            next_row, forward_row_q;
  logic                       changes, write, brings;  // brings: a new line is installed
  assign write    = fire && changes;
  assign next_row = {next_used, next_rank, next_rrpv, next_signature, next_reused};

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

  sram_1r1w #(
    .Width(Ways * WayW),
    .Rows (Sets)
  ) u_rank (
    .clk_i       (clk_i),
    .read_i      (enters && IsLru),
    .read_row_i  (request_index_q),
    .read_data_o (sram_rank),
    .write_i     (write && IsLru),
    .write_row_i (index_q),
    .write_data_i(next_rank)
  );

  sram_1r1w #(
    .Width(Ways * RrpvW),
    .Rows (Sets)
  ) u_rrpv (
    .clk_i       (clk_i),
    .read_i      (enters && !IsLru),
    .read_row_i  (request_index_q),
    .read_data_o (sram_rrpv),
    .write_i     (write && !IsLru),
    .write_row_i (index_q),
    .write_data_i(next_rrpv)
  );

  sram_1r1w #(
    .Width(Ways * SignatureW),
    .Rows (Sets)
  ) u_signature (
    .clk_i       (clk_i),
    .read_i      (enters && IsShip != 0),
    .read_row_i  (request_index_q),
    .read_data_o (sram_signature),
    .write_i     (write && brings && IsShip != 0),
    .write_row_i (index_q),
    .write_data_i(next_signature)
  );

  sram_1r1w #(
    .Width(Ways),
    .Rows (Sets)
  ) u_reused (
    .clk_i       (clk_i),
    .read_i      (enters && IsShip != 0),
    .read_row_i  (request_index_q),
    .read_data_o (sram_reused),
    .write_i     (write && IsShip != 0),
    .write_row_i (index_q),
    .write_data_i(next_reused)
  );

  // Forwarding: the row read was written or cleared in the cycle of the read.
  logic forward_q, flushed_q;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      forward_q <= write && index_q == request_index_q;
      flushed_q <= fire && is_flush;
    end
    if (write) forward_row_q <= next_row;
  end
  assign {read_used, rank, rrpv, signature, reused} =
      forward_q ? forward_row_q : {sram_used, sram_rank, sram_rrpv, sram_signature, sram_reused};
  assign used = flushed_q ? {Ways{1'b0}} : read_used;

  // Decision: the chosen way, as a mask.
  logic [Ways-1:0]      named, free_ways, all_oldest, oldest, chosen;
  logic [Ways*AgeW-1:0] age;
  // verilator coverage_off
  logic [Ways*WayW-1:0] numbers;  // the number of each way: constants, which never toggle
  // verilator coverage_on
  genvar g;
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_way
      assign numbers[g*WayW+:WayW] = g[WayW-1:0];
      assign named[g] = way_q == g[WayW-1:0];
    end
    if (IsLru) begin : gen_rank
      assign age = rank;
    end else begin : gen_rrpv
      assign age = rrpv;
    end
  endgenerate
  assign free_ways = eligible_q & ~used;
  largest #(
    .N    (Ways),
    .Width(AgeW)
  ) u_oldest (
    .value_i   (age),
    .eligible_i(eligible_q & used),
    .all_o     (all_oldest),
    .lowest_o  (oldest)
  );
  logic takes_free, evicts, touches, removes;
  assign takes_free = asks && |free_ways;
  assign evicts     = asks && !takes_free && |all_oldest;
  assign touches    = is_touch && |(named & used);
  assign removes    = is_remove && |(named & used);
  assign brings     = is_replace && (takes_free || evicts);
  assign changes    = brings || touches || removes;
  always_comb begin
    chosen = named & used & {Ways{is_touch || is_remove}};
    if (takes_free) chosen = free_ways & (~free_ways + LowestWay);
    else if (evicts) chosen = oldest;
  end

  logic [WayW-1:0] chosen_way;
  always_comb begin : mux
    integer i;
    chosen_way = {WayW{1'b0}};
    for (i = 0; i < Ways; i = i + 1) begin
      chosen_way = chosen_way | (numbers[i*WayW+:WayW] & {WayW{chosen[i]}});
    end
  end

  logic                  distant, learns, learn_doubts;
  logic [SignatureW-1:0] learn_signature;
  logic [CounterW-1:0]   doubt;
  replacement_row #(
    .Ways      (Ways),
    .RrpvW     (RrpvW),
    .SignatureW(SignatureW),
    .CounterW  (CounterW),
    .IsShip    (IsShip)
  ) u_row (
    .ranks_i          (rank),
    .rrpvs_i          (rrpv),
    .signatures_i     (signature),
    .reused_i         (reused),
    .ranks_o          (next_rank),
    .rrpvs_o          (next_rrpv),
    .signatures_o     (next_signature),
    .reused_o         (next_reused),
    .chosen_i         (chosen),
    .touches_i        (touches),
    .evicts_i         (evicts),
    .brings_i         (brings),
    .leaves_i         (chosen & used),
    .signature_i      (signature_q),
    .doubt_i          (doubt),
    .distant_o        (distant),
    .learns_o         (learns),
    .learn_signature_o(learn_signature),
    .learn_doubts_o   (learn_doubts)
  );
  assign next_used = (used | (chosen & {Ways{brings}})) & ~(chosen & {Ways{removes}});

  ship_table #(
    .SignatureW(SignatureW),
    .CounterW  (CounterW),
    .IsUsed    (IsShip)
  ) u_table (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .enters_i           (enters),
    .request_signature_i(request_signature_q),
    .decide_valid_i     (decide_valid_q),
    .signature_i        (signature_q),
    .doubt_o            (doubt),
    .learns_i           (fire && learns),
    .learn_signature_i  (learn_signature),
    .learn_doubts_i     (learn_doubts)
  );

  // Stage 3: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      way_o     <= asks ? chosen_way : {WayW{1'b0}};
      evicted_o <= evicts;
      none_o    <= asks && !takes_free && !evicts;
      distant_o <= (takes_free || evicts) && distant;
      error_o   <= (is_touch || is_remove) && !touches && !removes;
    end
  end

endmodule

`default_nettype wire
