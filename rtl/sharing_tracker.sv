// Sharing tracker [anssari, 3.1, 3.2, 4.2]: tracks which compute units' (CUs') L1s have a line, so
// that one of them supplies another CU's miss. The L1s are not coherent; a CU sees its own writes.
//
//   op_i      takes                      does
//   LOOKUP    line_i, cu_i, will_fill_i  hit_o, supplier_o: another CU that has the line; with
//                                        will_fill_i marks cu_i, in an entry taken if need be
//   FILL      line_i, cu_i               makes the CU a sharer if it still has its mark
//   EVICT     line_i, cu_i               removes the CU from the sharers; last_sharer_o, freed_o
//   WRITE     line_i                     frees the line's entry, with sharers and marks
//   COHERENT  line_i                     as WRITE
//   FLUSH                                frees all entries; operation 7 likewise
//   ASK       line_i                     names a sharer to a CU of another tracker; leaves no mark
//
// Three pipeline stages: the request and its set, whose row the SRAMs read; the decision, which
// writes the row back; the response, with a dropped line's address. One request per cycle,
// responses in order, three cycles later at the earliest. A response waits until response_ready_i.
// Only the decision changes state. The row that it writes is forwarded to the next request if that
// is for the same set, since its row is read in that cycle; a FLUSH is forwarded to any next request.
// C model: cmodel/blocks/sharing_tracker.c; checkers: tb/sharing_tracker_sva.sv; page:
// docs/blocks/sharing_tracker.md.
`default_nettype none

module sharing_tracker #(
  parameter integer            LineW      = 42,    // line-address bits
  parameter integer            IndexW     = 10,    // log2 of the number of sets
  parameter [IndexW:0]         Polynomial = 1033,  // set_index: ipoly(Polynomial); 0: Matrix
  parameter [IndexW*LineW-1:0] Matrix     = 0,
  parameter integer            Ways       = 8,     // entries of a set
  parameter integer            Cus        = 16,    // compute units
  parameter integer            Pointers   = 0,     // sharers that an entry can name; 0: all, a mask
  localparam integer           WayW       = (Ways < 3) ? 1 : $clog2(Ways),
  localparam integer           CuW        = (Cus < 3) ? 1 : $clog2(Cus),
  localparam integer           Slots      = (Pointers == 0) ? 1 : Pointers,
  localparam integer           CountW     = $clog2(Slots + 1)
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              request_valid_i,
  output logic                   request_ready_o,
  input  wire logic [2:0]        op_i,
  input  wire logic [LineW-1:0]  line_i,
  input  wire logic [CuW-1:0]    cu_i,
  input  wire logic              will_fill_i,

  output logic                   response_valid_o,
  input  wire logic              response_ready_i,
  output logic      [IndexW-1:0] index_o,
  output logic                   found_o,
  output logic                   hit_o,
  output logic      [CuW-1:0]    supplier_o,
  output logic                   filled_o,
  output logic                   displaced_o,
  output logic      [CuW-1:0]    displaced_cu_o,
  output logic                   removed_o,
  output logic                   last_sharer_o,
  output logic                   freed_o,
  output logic                   dropped_o,
  output logic      [LineW-1:0]  dropped_line_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (IndexW < 1 || IndexW > 12) IndexW_must_be_1_to_12 u_wrong ();
    if (LineW <= IndexW || LineW > 64) LineW_must_be_above_IndexW_and_at_most_64 u_wrong ();
    if (Polynomial != 0 && !Polynomial[IndexW]) Polynomial_must_have_bit_IndexW u_wrong ();
    if (Ways < 1 || Ways > 32) Ways_must_be_1_to_32 u_wrong ();
    if (Cus < 1 || Cus > 64) Cus_must_be_1_to_64 u_wrong ();
    if (Pointers < 0 || Pointers > Cus) Pointers_must_be_0_to_Cus u_wrong ();
  endgenerate

`include "sharing_tracker_constants.svh"
  localparam integer TagW = LineW - IndexW;
  localparam integer Sets = 1 << IndexW;
  localparam HasPointers = Pointers != 0;

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
  logic [2:0]       request_op_q;
  logic [LineW-1:0] request_line_q;
  logic [CuW-1:0]   request_cu_q;
  logic             request_will_fill_q;
  always_ff @(posedge clk_i) begin
    if (request_valid_i && request_ready_o) begin
      request_op_q        <= op_i;
      request_line_q      <= line_i;
      request_cu_q        <= cu_i;
      request_will_fill_q <= will_fill_i;
    end
  end

  logic [IndexW-1:0] request_index;
  logic [TagW-1:0]   dropped_tag_q;
  logic [LineW-1:0]  inverse_line;
  set_index_network #(
    .LineW     (LineW),
    .IndexW    (IndexW),
    .Polynomial(Polynomial),
    .Matrix    (Matrix)
  ) u_network (
    .line_i         (request_line_q),
    .index_o        (request_index),
    .inverse_tag_i  (dropped_tag_q),
    .inverse_index_i(index_o),
    .inverse_line_o (inverse_line)
  );

  // Stage 2: the request with its set's row.
  logic [2:0]        op_q;
  logic [TagW-1:0]   tag_q;
  logic [IndexW-1:0] index_q;
  logic [CuW-1:0]    cu_q;
  logic              will_fill_q;
  logic              is_flush;
  assign is_flush = op_q >= FLUSH && op_q != ASK;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      op_q        <= request_op_q;
      tag_q       <= request_line_q[LineW-1:IndexW];
      index_q     <= request_index;
      cu_q        <= request_cu_q;
      will_fill_q <= request_will_fill_q;
    end
  end

  // The memories: a row for each set. The concatenation of a row's fields is forwarded. Only one form
  // of the sharers is read: the mask, or the pointers with their count.
  localparam integer PointersW = Slots * CuW;
  localparam integer StateW = Ways * (1 + 2 * Cus + PointersW + CountW + CuW + WayW);
  logic [Ways-1:0]           sram_valid, read_valid, valid, next_valid;
  logic [Ways*Cus-1:0]       sram_mark, mark, next_mark;
  logic [Ways*Cus-1:0]       sram_sharer, sharer, next_sharer;
  logic [Ways*PointersW-1:0] sram_pointer, pointer, next_pointer;
  logic [Ways*CountW-1:0]    sram_count, count, next_count;
  logic [Ways*CuW-1:0]       sram_last, last, next_last;
  logic [Ways*WayW-1:0]      sram_rank, rank, next_rank;
  logic [Ways*TagW-1:0]      sram_tag, tag, next_tag, forward_tag_q;
  logic [StateW-1:0]         read_state, next_state, forward_state_q;
  logic                      changes, takes, write, write_tag;
  assign write      = fire && changes;
  assign write_tag  = fire && takes;
  assign read_state = {sram_valid, sram_mark, sram_sharer, sram_pointer, sram_count, sram_last,
                       sram_rank};
  assign next_state = {next_valid, next_mark, next_sharer, next_pointer, next_count, next_last,
                       next_rank};

  sram_1r1w_clear #(
    .Width(Ways),
    .Rows (Sets)
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

  sram_1r1w #(
    .Width(Ways * TagW),
    .Rows (Sets)
  ) u_tag (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_tag),
    .write_i     (write_tag),
    .write_row_i (index_q),
    .write_data_i(next_tag)
  );

  sram_1r1w #(
    .Width(Ways * Cus),
    .Rows (Sets)
  ) u_mark (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_mark),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_mark)
  );

  sram_1r1w #(
    .Width(Ways * Cus),
    .Rows (Sets)
  ) u_sharer (
    .clk_i       (clk_i),
    .read_i      (enters && !HasPointers),
    .read_row_i  (request_index),
    .read_data_o (sram_sharer),
    .write_i     (write && !HasPointers),
    .write_row_i (index_q),
    .write_data_i(next_sharer)
  );

  sram_1r1w #(
    .Width(Ways * PointersW),
    .Rows (Sets)
  ) u_pointer (
    .clk_i       (clk_i),
    .read_i      (enters && HasPointers),
    .read_row_i  (request_index),
    .read_data_o (sram_pointer),
    .write_i     (write && HasPointers),
    .write_row_i (index_q),
    .write_data_i(next_pointer)
  );

  sram_1r1w #(
    .Width(Ways * CountW),
    .Rows (Sets)
  ) u_count (
    .clk_i       (clk_i),
    .read_i      (enters && HasPointers),
    .read_row_i  (request_index),
    .read_data_o (sram_count),
    .write_i     (write && HasPointers),
    .write_row_i (index_q),
    .write_data_i(next_count)
  );

  sram_1r1w #(
    .Width(Ways * CuW),
    .Rows (Sets)
  ) u_last (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_last),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_last)
  );

  sram_1r1w #(
    .Width(Ways * WayW),
    .Rows (Sets)
  ) u_rank (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_index),
    .read_data_o (sram_rank),
    .write_i     (write),
    .write_row_i (index_q),
    .write_data_i(next_rank)
  );

  // Forwarding: the row read was written or cleared in the cycle of the read.
  logic forward_q, flushed_q;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      forward_q <= write && index_q == request_index;
      flushed_q <= fire && is_flush;
    end
    if (write) begin
      forward_state_q <= next_state;
      forward_tag_q   <= next_tag;
    end
  end
  assign {read_valid, mark, sharer, pointer, count, last, rank} =
      forward_q ? forward_state_q : read_state;
  assign valid = flushed_q ? {Ways{1'b0}} : read_valid;
  assign tag   = forward_q ? forward_tag_q : sram_tag;

  logic            found, hit, filled, displaced, removed, last_sharer, freed, dropped;
  logic [CuW-1:0]  supplier, displaced_cu;
  logic [TagW-1:0] dropped_tag;
  sharing_tracker_decide #(
    .TagW    (TagW),
    .Ways    (Ways),
    .Cus     (Cus),
    .Pointers(Pointers)
  ) u_decide (
    .op_i          (op_q),
    .tag_i         (tag_q),
    .cu_i          (cu_q),
    .will_fill_i   (will_fill_q),
    .valid_i       (valid),
    .tag_row_i     (tag),
    .mark_i        (mark),
    .sharer_i      (sharer),
    .pointer_i     (pointer),
    .count_i       (count),
    .last_i        (last),
    .rank_i        (rank),
    .changes_o     (changes),
    .takes_o       (takes),
    .valid_o       (next_valid),
    .tag_row_o     (next_tag),
    .mark_o        (next_mark),
    .sharer_o      (next_sharer),
    .pointer_o     (next_pointer),
    .count_o       (next_count),
    .last_o        (next_last),
    .rank_o        (next_rank),
    .found_o       (found),
    .hit_o         (hit),
    .supplier_o    (supplier),
    .filled_o      (filled),
    .displaced_o   (displaced),
    .displaced_cu_o(displaced_cu),
    .removed_o     (removed),
    .last_sharer_o (last_sharer),
    .freed_o       (freed),
    .dropped_o     (dropped),
    .dropped_tag_o (dropped_tag)
  );

  // Stage 3: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      index_o        <= is_flush ? {IndexW{1'b0}} : index_q;
      found_o        <= found && !is_flush;
      hit_o          <= hit;
      supplier_o     <= supplier;
      filled_o       <= filled;
      displaced_o    <= displaced;
      displaced_cu_o <= displaced_cu;
      removed_o      <= removed;
      last_sharer_o  <= last_sharer;
      freed_o        <= freed;
      dropped_o      <= dropped;
      dropped_tag_q  <= dropped_tag;
    end
  end
  assign dropped_line_o = dropped_o ? inverse_line : {LineW{1'b0}};

endmodule

`default_nettype wire
