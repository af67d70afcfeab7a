// Victim tags of cache-conscious wavefront scheduling (CCWS) [rogers]: for each warp the tags of the last
// lines that it brought into the L1 and that were replaced.
//
//   op_i      takes           does
//   INSERT    warp_i, line_i  found_o if the warp has the tag; else puts it into its set, in place of the
//                             set's oldest tag if all ways hold one (replaced_o)
//   PROBE     warp_i, line_i  found_o if the warp has the tag; changes nothing
//   CLEAR     warp_i          the warp has no tags
//   RESTART                   no warp has tags
//
// Three pipeline stages: the request, whose row the SRAM reads; the decision, which writes the row back;
// the response. One request per cycle, responses in order, three cycles later at the earliest. A response
// waits until response_ready_i. The row that the decision writes is forwarded to the next request if that
// is for the same row, since its row is read in that cycle. Which rows count is in flops (fill_live), which
// the decision reads: CLEAR and RESTART need no forwarding.
// C model: cmodel/blocks/victim_tags.c; checkers: tb/victim_tags_sva.sv; page: docs/blocks/victim_tags.md.
`default_nettype none

module victim_tags #(
  parameter integer  Warps = 48,  // 1 to 64
  parameter integer  Sets  = 2,   // sets of a warp's tags, a power of two, 1 to 16
  parameter integer  Ways  = 8,   // tags of a set, 1 to 16
  parameter integer  LineW = 42,  // line-address bits, 1 + log2 of Sets to 64
  localparam integer WarpW = (Warps < 3) ? 1 : $clog2(Warps),
  localparam integer WayW  = (Ways < 3) ? 1 : $clog2(Ways),
  localparam integer TagW  = LineW - $clog2(Sets)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic             request_valid_i,
  output logic                  request_ready_o,
  input  wire logic [1:0]       op_i,
  input  wire logic [WarpW-1:0] warp_i,
  input  wire logic [LineW-1:0] line_i,

  output logic                  response_valid_o,
  input  wire logic             response_ready_i,
  output logic                  found_o,
  output logic                  replaced_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Warps < 1 || Warps > 64) Warps_must_be_1_to_64 u_wrong ();
    if (Sets < 1 || Sets > 16 || (Sets & (Sets - 1)) != 0) Sets_must_be_a_power_of_two_to_16 u_wrong ();
    if (Ways < 1 || Ways > 16) Ways_must_be_1_to_16 u_wrong ();
    if (TagW < 1 || LineW > 64) LineW_must_be_1_plus_log2_of_Sets_to_64 u_wrong ();
  endgenerate

`include "victim_tags_constants.svh"
  localparam integer Rows = Warps * Sets;
  localparam integer RowW = (Rows < 3) ? 1 : $clog2(Rows);
  localparam integer SetW = (Sets < 3) ? 1 : $clog2(Sets);
  localparam [31:0] LastNumber = Ways - 1;
  localparam [WayW-1:0] LastWay = LastNumber[WayW-1:0];
  localparam [Rows-1:0] AllDead = 0;
  localparam [Rows-1:0] RowsOfWarp = (1 << Sets) - 1;

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

  // Stage 1: the request. The row of set 0 of a warp is Sets times the warp.
  logic [1:0]       request_op_q;
  logic [WarpW-1:0] request_warp_q;
  logic [LineW-1:0] request_line_q;
  always_ff @(posedge clk_i) begin
    if (request_valid_i && request_ready_o) begin
      request_op_q   <= op_i;
      request_warp_q <= warp_i;
      request_line_q <= line_i;
    end
  end
  localparam integer AtW = WarpW + SetW;
  logic [AtW-1:0] request_first, request_at;
  generate
    if (Sets == 1) begin : gen_one_set
      assign request_first = {{SetW{1'b0}}, request_warp_q};
      assign request_at    = request_first;
    end else begin : gen_sets
      assign request_first = {request_warp_q, {SetW{1'b0}}};
      assign request_at    = {request_warp_q, request_line_q[SetW-1:0]};
    end
  endgenerate
  logic [RowW-1:0] request_row;
  assign request_row = request_at[RowW-1:0];

  // Stage 2: the request with its row.
  logic [1:0]      op_q;
  logic [RowW-1:0] row_q, first_q;
  logic [TagW-1:0] tag_q;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      op_q    <= request_op_q;
      row_q   <= request_row;
      first_q <= request_first[RowW-1:0];
      tag_q   <= request_line_q[LineW-1-:TagW];
    end
  end

  // The memory: for each row its fill, and a tag for each way. Bit r of fill_live: row r counts. The
  // lockstep engine reads both.
  localparam integer Width = WayW + 1 + Ways * TagW;
  logic [Width-1:0] sram_row, row, next_row, forward_row_q;
  logic             inserts, write, forward_q;
  assign write = fire && inserts;

  sram_1r1w #(
    .Width(Width),
    .Rows (Rows)
  ) u_row (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_row),
    .read_data_o (sram_row),
    .write_i     (write),
    .write_row_i (row_q),
    .write_data_i(next_row)
  );

  always_ff @(posedge clk_i) begin
    if (enters) forward_q <= write && row_q == request_row;
    if (write) forward_row_q <= next_row;
  end
  assign row = forward_q ? forward_row_q : sram_row;

  logic [Rows-1:0] fill_live  /*verilator public_flat_rd*/;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_live <= AllDead;
    end else if (fire) begin
      if (op_q == RESTART) fill_live <= AllDead;
      else if (op_q == CLEAR) fill_live <= fill_live & ~(RowsOfWarp << first_q);
      else if (inserts) fill_live[row_q] <= 1'b1;
    end
  end

  // The ways that hold a tag, and those of them that hold the request's; the row with the tag in its next way.
  logic [WayW-1:0] next, after;
  logic            full, becomes_full, found;
  logic [Ways-1:0] holds, agrees;
  assign {full, next} = fill_live[row_q] ? row[Width-1-:WayW+1] : {WayW + 1{1'b0}};
  assign holds = {Ways{full}} | ~({Ways{1'b1}} << next);
  genvar g;
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_way
      localparam [31:0] Number = g;
      localparam [WayW-1:0] Way = Number[WayW-1:0];
      assign agrees[g] = holds[g] && row[g*TagW+:TagW] == tag_q;
      assign next_row[g*TagW+:TagW] = next == Way ? tag_q : row[g*TagW+:TagW];
    end
  endgenerate
  assign found        = |agrees && (op_q == INSERT || op_q == PROBE);
  assign inserts      = op_q == INSERT && !found;
  assign becomes_full = next == LastWay;
  assign after        = becomes_full ? {WayW{1'b0}} : next + 1'b1;

  assign next_row[Width-1-:WayW+1] = {full || becomes_full, after};

  // Stage 3: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      found_o    <= found;
      replaced_o <= inserts && full;
    end
  end

endmodule

`default_nettype wire
