// The memories of tag_store, a row of each for a set, with what is forwarded: the row that is
// written, or a FLUSH, in the cycle in which a row is read, and with ProbeStage as long as that row is
// there. Those that a policy of replacement has no
// use for are neither read nor written; synthesis leaves them out.
`default_nettype none

module tag_store_rows #(
  parameter integer IndexW      = 5,
  parameter integer TagW        = 37,
  parameter integer TagWays     = 8,
  parameter integer DataWays    = 4,
  parameter integer RcW         = 6,
  parameter integer Replacement = 0,
  parameter integer RrpvW       = 2,
  parameter integer SignatureW  = 8,
  parameter integer ProbeStage  = 0,
`include "tag_store_row.svh"
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_ni,

  // A row is read, and there from the next cycle until the next read.
  input  wire logic                           read_i,
  input  wire logic [IndexW-1:0]              read_index_i,
  output logic      [RowW-1:0]                row_o,

  // A row is written; its tags and signatures only when they change.
  input  wire logic                           flush_i,  // every valid bit is cleared
  input  wire logic                           write_i,
  input  wire logic                           write_tags_i,
  input  wire logic                           write_signatures_i,
  input  wire logic [IndexW-1:0]              write_index_i,
  input  wire logic [RowW-1:0]                row_i
);

  localparam IsLru = Replacement == 0, IsShip = Replacement == 2;
  localparam integer Rows = 1 << IndexW;

  logic [TagWays-1:0]             valid, waiting, committed;
  logic [TagWays*TagW-1:0]        tags;
  logic [TagWays*RcW-1:0]         rcs;
  logic [TagWays*PositionW-1:0]   positions;
  logic [FreeW-1:0]               free_line;
  logic [DataWays*PositionW-1:0]  ranks;
  logic [DataWays*RrpvW-1:0]      rrpvs;
  logic [DataWays*SignatureW-1:0] signatures;
  logic [DataWays-1:0]            reused;
  assign {valid, waiting, tags, rcs, committed, positions, free_line, ranks, rrpvs, signatures,
          reused} = row_i;

  logic [TagWays-1:0]               sram_valid;
  logic [TagWays-1:0]               sram_waiting;
  logic [TagWays*TagW-1:0]          sram_tags;
  logic [TagWays*RcW-1:0]           sram_rcs;
  logic [TagWays-1:0]               sram_committed;
  logic [TagWays*PositionW-1:0]     sram_positions;
  logic [FreeW-1:0]                 sram_free_line;
  logic [DataWays*PositionW-1:0]    sram_ranks;
  logic [DataWays*RrpvW-1:0]        sram_rrpvs;
  logic [DataWays*SignatureW-1:0]   sram_signatures;
  logic [DataWays-1:0]              sram_reused;

  sram_1r1w_clear #(
    .Width(TagWays),
    .Rows (Rows)
  ) u_valid (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (flush_i),
    .read_i      (read_i),
    .read_row_i  (read_index_i),
    .read_data_o (sram_valid),
    .write_i     (write_i),
    .write_row_i (write_index_i),
    .write_data_i(valid)
  );

  sram_1r1w_clear #(
    .Width(TagWays),
    .Rows (Rows)
  ) u_waiting (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (1'b0),
    .read_i      (read_i),
    .read_row_i  (read_index_i),
    .read_data_o (sram_waiting),
    .write_i     (write_i),
    .write_row_i (write_index_i),
    .write_data_i(waiting)
  );

  sram_1r1w #(
    .Width(TagWays * TagW),
    .Rows (Rows)
  ) u_tag (
    .clk_i       (clk_i),
    .read_i      (read_i),
    .read_row_i  (read_index_i),
    .read_data_o (sram_tags),
    .write_i     (write_i && write_tags_i),
    .write_row_i (write_index_i),
    .write_data_i(tags)
  );

  sram_1r1w #(
    .Width(TagWays * RcW),
    .Rows (Rows)
  ) u_rc (
    .clk_i       (clk_i),
    .read_i      (read_i),
    .read_row_i  (read_index_i),
    .read_data_o (sram_rcs),
    .write_i     (write_i),
    .write_row_i (write_index_i),
    .write_data_i(rcs)
  );

  sram_1r1w #(
    .Width(TagWays),
    .Rows (Rows)
  ) u_committed (
    .clk_i       (clk_i),
    .read_i      (read_i),
    .read_row_i  (read_index_i),
    .read_data_o (sram_committed),
    .write_i     (write_i),
    .write_row_i (write_index_i),
    .write_data_i(committed)
  );

  sram_1r1w #(
    .Width(TagWays * PositionW),
    .Rows (Rows)
  ) u_position (
    .clk_i       (clk_i),
    .read_i      (read_i),
    .read_row_i  (read_index_i),
    .read_data_o (sram_positions),
    .write_i     (write_i),
    .write_row_i (write_index_i),
    .write_data_i(positions)
  );

  sram_1r1w #(
    .Width(FreeW),
    .Rows (Rows)
  ) u_free_line (
    .clk_i       (clk_i),
    .read_i      (read_i),
    .read_row_i  (read_index_i),
    .read_data_o (sram_free_line),
    .write_i     (write_i),
    .write_row_i (write_index_i),
    .write_data_i(free_line)
  );

  sram_1r1w #(
    .Width(DataWays * PositionW),
    .Rows (Rows)
  ) u_rank (
    .clk_i       (clk_i),
    .read_i      (read_i && IsLru),
    .read_row_i  (read_index_i),
    .read_data_o (sram_ranks),
    .write_i     (write_i && IsLru),
    .write_row_i (write_index_i),
    .write_data_i(ranks)
  );

  sram_1r1w #(
    .Width(DataWays * RrpvW),
    .Rows (Rows)
  ) u_rrpv (
    .clk_i       (clk_i),
    .read_i      (read_i && !IsLru),
    .read_row_i  (read_index_i),
    .read_data_o (sram_rrpvs),
    .write_i     (write_i && !IsLru),
    .write_row_i (write_index_i),
    .write_data_i(rrpvs)
  );

  sram_1r1w #(
    .Width(DataWays * SignatureW),
    .Rows (Rows)
  ) u_signature (
    .clk_i       (clk_i),
    .read_i      (read_i && IsShip),
    .read_row_i  (read_index_i),
    .read_data_o (sram_signatures),
    .write_i     (write_i && write_signatures_i && IsShip),
    .write_row_i (write_index_i),
    .write_data_i(signatures)
  );

  sram_1r1w #(
    .Width(DataWays),
    .Rows (Rows)
  ) u_reused (
    .clk_i       (clk_i),
    .read_i      (read_i && IsShip),
    .read_row_i  (read_index_i),
    .read_data_o (sram_reused),
    .write_i     (write_i && IsShip),
    .write_row_i (write_index_i),
    .write_data_i(reused)
  );

  // A row that is written or cleared while it is read, or with ProbeStage waits for that.
  logic            forward_q, flushed_q;
  logic [RowW-1:0] read, forward_row_q;
  assign read = {sram_valid, sram_waiting, sram_tags, sram_rcs, sram_committed, sram_positions,
                 sram_free_line, sram_ranks, sram_rrpvs, sram_signatures, sram_reused};
  logic late_write, late_flush;
  generate
    if (ProbeStage == 0) begin : gen_read_and_gone
      assign late_write = 1'b0;
      assign late_flush = 1'b0;
    end else begin : gen_waits
      logic [IndexW-1:0] index_q;  // of the row that was read
      always_ff @(posedge clk_i) begin
        if (read_i) index_q <= read_index_i;
      end
      assign late_write = write_i && write_index_i == index_q;
      assign late_flush = flush_i;
    end
  endgenerate
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      forward_q <= write_i && write_index_i == read_index_i;
      flushed_q <= flush_i;
    end else if (late_write) begin
      forward_q <= 1'b1;
      flushed_q <= 1'b0;
    end else if (late_flush) begin
      flushed_q <= 1'b1;
    end
    if (write_i) forward_row_q <= row_i;
  end
  logic [RowW-1:0] row;
  assign row   = forward_q ? forward_row_q : read;
  assign row_o = {row[RowW-1-:TagWays] & {TagWays{!flushed_q}}, row[RowW-TagWays-1:0]};

endmodule

`default_nettype wire
