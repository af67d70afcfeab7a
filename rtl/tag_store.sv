// Decoupled LFU tag store [li, 4.1, 4.2]: the tags of an L1 whose lines must be referenced often
// enough before they get a data line.
//
//   op_i        takes                                does
//   PROBE       line_i, may_miss_i, may_bypass_i,    HIT, HIT_PENDING; MISS: takes a data line;
//               conventional_i                       BYPASS: counts; RESERVATION_FAIL: nothing
//   FILL        line_i, position_i                   the waiting line is there, or was dead: dropped
//   WRITE       line_i                               evicts the data line; a waiting one is dead
//   INVALIDATE  line_i                               frees the entry; a waiting one is dead
//   FLUSH                                            frees all; waiting ones are dead
//
// Three pipeline stages: the request and its set, whose row the SRAMs read; the decision, which
// writes the row back; the response, with an evicted line's address. One request per cycle,
// responses in order, three cycles later at the earliest. A response waits until response_ready_i.
// Only the decision changes state. The row that it writes is forwarded to a request behind it in
// the same set, whose row is read in that cycle; a FLUSH is, to any request behind it.
// C model: cmodel/blocks/tag_store.c; checkers: tb/tag_store_sva.sv; page: docs/blocks/tag_store.md.
`default_nettype none

module tag_store #(
  parameter integer            LineW        = 42,  // line-address bits
  parameter integer            IndexW       = 5,   // log2 of the number of sets
  parameter [IndexW:0]         Polynomial   = 37,  // set_index: ipoly(Polynomial); 0: Matrix
  parameter [IndexW*LineW-1:0] Matrix       = 0,
  parameter integer            TagWays      = 8,   // tag entries of a set, 2 to 32
  parameter integer            DataWays     = 4,   // data lines of a set, 1 to TagWays - 1
  parameter integer            PositionW    = 2,   // log2(DataWays) rounded up, 1 at least
  parameter integer            FreeW        = 3,   // log2(DataWays + 1) rounded up
  parameter integer            RcW          = 6,   // bits of a reference count
  parameter integer            Threshold    = 2,
  parameter integer            AllocationRc = 1,   // reference count of a new entry
  parameter integer            CompareAbove = 0,   // a data line is due at RC > Threshold, not >=
  parameter integer            AgeTwice     = 0,   // allocation with eviction ages by 2
  parameter integer            LfuAny       = 0,   // entries with a data line are candidates too
  parameter integer            Replacement  = 0,   // of data lines; 0: LRU
  parameter integer            SignatureW   = 8
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  request_valid_i,
  output logic                       request_ready_o,
  input  wire logic [2:0]            op_i,
  input  wire logic [LineW-1:0]      line_i,
  input  wire logic [PositionW-1:0]  position_i,
  input  wire logic                  may_miss_i,
  input  wire logic                  may_bypass_i,
  input  wire logic                  conventional_i,
  input  wire logic [SignatureW-1:0] signature_i,

  output logic                       response_valid_o,
  input  wire logic                  response_ready_i,
  output logic      [2:0]            outcome_o,
  output logic      [1:0]            reason_o,
  output logic      [IndexW-1:0]     index_o,
  output logic      [PositionW-1:0]  position_o,
  output logic                       evicted_o,
  output logic      [LineW-1:0]      evicted_line_o,
  output logic      [PositionW-1:0]  evicted_position_o,
  output logic                       dead_o,
  output logic                       dropped_o,
  output logic                       error_o,
  output logic      [RcW-1:0]        rc_o,
  output logic                       replaced_o,
  output logic                       tie_o,
  output logic                       saturated_o,
  output logic                       aged_o,
  output logic                       emptied_o
);

  localparam integer TagW = LineW - IndexW;
  localparam integer Sets = 1 << IndexW;

  generate
    if (Replacement != 0) begin : gen_refused
      tag_store_has_no_such_replacement refused ();
    end
  endgenerate
  logic unused_signature;  // LRU has no use for it
  assign unused_signature = ^signature_i;

  // Each stage moves when it is empty or the next one moves.
  logic request_valid_q, decide_valid_q;
  logic response_moves, decide_moves, request_moves, enters, fire;
  assign response_moves  = response_ready_i || !response_valid_o;
  assign decide_moves    = response_moves || !decide_valid_q;
  assign request_moves   = decide_moves || !request_valid_q;
  assign request_ready_o = request_moves;
  assign enters          = request_valid_q && decide_moves;
  assign fire            = decide_valid_q && response_moves;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_valid_q  <= 1'b0;
      decide_valid_q   <= 1'b0;
      response_valid_o <= 1'b0;
    end else begin
      if (request_moves) request_valid_q <= request_valid_i;
      if (decide_moves) decide_valid_q <= request_valid_q;
      if (response_moves) response_valid_o <= decide_valid_q;
    end
  end

  // Stage 1: the request, and its set.
  logic [2:0]           request_op_q;
  logic [LineW-1:0]     request_line_q;
  logic [PositionW-1:0] request_position_q;
  logic                 request_may_miss_q, request_may_bypass_q, request_conventional_q;
  always_ff @(posedge clk_i) begin
    if (request_moves && request_valid_i) begin
      request_op_q         <= op_i;
      request_line_q       <= line_i;
      request_position_q   <= position_i;
      request_may_miss_q   <= may_miss_i;
      request_may_bypass_q <= may_bypass_i;
      request_conventional_q <= conventional_i;
    end
  end

  logic [IndexW-1:0] request_index, evicted_index_q;
  logic [TagW-1:0]   evicted_tag_q;
  logic [LineW-1:0]  inverse_line;
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
  logic [2:0]           op_q;
  logic [TagW-1:0]      tag_q;
  logic [IndexW-1:0]    index_q;
  logic [PositionW-1:0] position_q;
  logic                 may_miss_q, may_bypass_q, conventional_q;
  logic                 is_flush;
  assign is_flush = op_q[2];
  always_ff @(posedge clk_i) begin
    if (enters) begin
      op_q         <= request_op_q;
      tag_q        <= request_line_q[LineW-1:IndexW];
      index_q      <= request_index;
      position_q   <= request_position_q;
      may_miss_q   <= request_may_miss_q;
      may_bypass_q <= request_may_bypass_q;
      conventional_q <= request_conventional_q;
    end
  end

  // The memories. A row is a set; a bundle of all its parts is what is forwarded.
  localparam integer StateW = TagWays * (RcW + PositionW + 3) + FreeW + DataWays * PositionW;
  logic [TagWays-1:0]            valid, waiting, committed;
  logic [TagWays*TagW-1:0]       tags;
  logic [TagWays*RcW-1:0]        rcs;
  logic [TagWays*PositionW-1:0]  positions;
  logic [FreeW-1:0]              free_line;
  logic [DataWays*PositionW-1:0] ranks;
  logic [StateW-1:0]             read_state, next_state, forward_state_q;
  logic [TagWays*TagW-1:0]       read_tags, next_tags, forward_tags_q;
  logic                          changes, takes, write, write_tags;
  assign write      = fire && changes;
  assign write_tags = fire && takes;

  logic [TagWays-1:0]            sram_valid, sram_waiting, sram_committed;
  logic [TagWays*RcW-1:0]        sram_rcs;
  logic [TagWays*PositionW-1:0]  sram_positions;
  logic [FreeW-1:0]              sram_free_line;
  logic [DataWays*PositionW-1:0] sram_ranks;
  logic [TagWays-1:0]            next_valid, next_waiting, next_committed;
  logic [TagWays*RcW-1:0]        next_rcs;
  logic [TagWays*PositionW-1:0]  next_positions;
  logic [FreeW-1:0]              next_free_line;
  logic [DataWays*PositionW-1:0] next_ranks;
  assign read_state = {sram_valid, sram_waiting, sram_committed, sram_rcs, sram_positions,
                       sram_free_line, sram_ranks};
  assign next_state = {next_valid, next_waiting, next_committed, next_rcs, next_positions,
                       next_free_line, next_ranks};

  sram_1r1w_clear #(
    .Width(TagWays),
    .Rows (Sets),
    .RowW (IndexW)
  ) u_valid (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (fire && is_flush),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_valid),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_valid)
  );

  sram_1r1w_clear #(
    .Width(TagWays),
    .Rows (Sets),
    .RowW (IndexW)
  ) u_waiting (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (1'b0),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_waiting),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_waiting)
  );

  sram_1r1w #(
    .Width(TagWays * TagW),
    .Rows (Sets),
    .RowW (IndexW)
  ) u_tag (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (read_tags),
    .write_i     (write_tags),
    .write_row_i (index_q),
    .write_data_i(next_tags)
  );

  sram_1r1w #(
    .Width(TagWays * RcW),
    .Rows (Sets),
    .RowW (IndexW)
  ) u_rc (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_rcs),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_rcs)
  );

  sram_1r1w #(
    .Width(TagWays),
    .Rows (Sets),
    .RowW (IndexW)
  ) u_committed (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_committed),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_committed)
  );

  sram_1r1w #(
    .Width(TagWays * PositionW),
    .Rows (Sets),
    .RowW (IndexW)
  ) u_position (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_positions),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_positions)
  );

  sram_1r1w #(
    .Width(FreeW),
    .Rows (Sets),
    .RowW (IndexW)
  ) u_free_line (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_free_line),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_free_line)
  );

  sram_1r1w #(
    .Width(DataWays * PositionW),
    .Rows (Sets),
    .RowW (IndexW)
  ) u_rank (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_ranks),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_ranks)
  );

  // A row that is written or cleared while it is read.
  logic forward_q, flushed_q;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      forward_q <= write && index_q == request_index;
      flushed_q <= fire && is_flush;
    end
    if (write) begin
      forward_state_q <= next_state;
      forward_tags_q  <= next_tags;
    end
  end
  logic [TagWays-1:0] read_valid;
  assign {read_valid, waiting, committed, rcs, positions, free_line, ranks} =
      forward_q ? forward_state_q : read_state;
  assign valid = flushed_q ? {TagWays{1'b0}} : read_valid;
  assign tags  = forward_q ? forward_tags_q : read_tags;

  logic [2:0]           outcome;
  logic [1:0]           reason;
  logic [PositionW-1:0] position, evicted_position;
  logic [TagW-1:0]      evicted_tag;
  logic [RcW-1:0]       rc;
  logic                 evicted, dead, dropped, error, replaced, tie, saturated, aged, emptied;
  tag_store_decide #(
    .TagW        (TagW),
    .TagWays     (TagWays),
    .DataWays    (DataWays),
    .PositionW   (PositionW),
    .FreeW       (FreeW),
    .RcW         (RcW),
    .Threshold   (Threshold),
    .AllocationRc(AllocationRc),
    .CompareAbove(CompareAbove),
    .AgeTwice    (AgeTwice),
    .LfuAny      (LfuAny)
  ) u_decide (
    .op_i              (op_q),
    .tag_i             (tag_q),
    .position_i        (position_q),
    .may_miss_i        (may_miss_q),
    .may_bypass_i      (may_bypass_q),
    .conventional_i    (conventional_q),
    .valid_i           (valid),
    .waiting_i         (waiting),
    .tag_row_i         (tags),
    .rc_i              (rcs),
    .committed_i       (committed),
    .place_i           (positions),
    .free_line_i       (free_line),
    .rank_i            (ranks),
    .changes_o         (changes),
    .takes_o           (takes),
    .valid_o           (next_valid),
    .waiting_o         (next_waiting),
    .tag_row_o         (next_tags),
    .rc_o              (next_rcs),
    .committed_o       (next_committed),
    .place_o           (next_positions),
    .free_line_o       (next_free_line),
    .rank_o            (next_ranks),
    .outcome_o         (outcome),
    .reason_o          (reason),
    .position_o        (position),
    .evicted_o         (evicted),
    .evicted_tag_o     (evicted_tag),
    .evicted_position_o(evicted_position),
    .dead_o            (dead),
    .dropped_o         (dropped),
    .error_o           (error),
    .answer_rc_o       (rc),
    .replaced_o        (replaced),
    .tie_o             (tie),
    .saturated_o       (saturated),
    .aged_o            (aged),
    .emptied_o         (emptied)
  );

  // Stage 3: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      outcome_o          <= outcome;
      reason_o           <= reason;
      index_o            <= is_flush ? {IndexW{1'b0}} : index_q;
      position_o         <= position;
      evicted_o          <= evicted;
      evicted_index_q    <= index_q;
      evicted_tag_q      <= evicted_tag;
      evicted_position_o <= evicted_position;
      dead_o             <= dead;
      dropped_o          <= dropped;
      error_o            <= error;
      rc_o               <= rc;
      replaced_o         <= replaced;
      tie_o              <= tie;
      saturated_o        <= saturated;
      aged_o             <= aged;
      emptied_o          <= emptied;
    end
  end
  assign evicted_line_o = evicted_o ? inverse_line : {LineW{1'b0}};

endmodule

`default_nettype wire
