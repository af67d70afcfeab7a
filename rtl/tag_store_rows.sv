// The sets of tag_store and of conventional_tags: a memory with a row for each set, and forwarding: of
// the row that is written, or of a FLUSH, in the cycle in which a row is read, and with ProbeStage until
// the next read. A row has Ways valid bits from bit ValidAt up, and Ways waiting bits below them.
`default_nettype none

module tag_store_rows #(
  parameter integer IndexW     = 5,
  parameter integer Width      = 395,
  parameter integer Ways       = 8,
  parameter integer ValidAt    = 379,
  parameter integer ProbeStage = 0
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  // Reads a row, which stays from the next cycle until the next read.
  input  wire logic              read_i,
  input  wire logic [IndexW-1:0] read_index_i,
  output logic      [Width-1:0]  row_o,

  input  wire logic              flush_i,  // clears every valid bit
  input  wire logic              write_i,  // writes a row
  input  wire logic [IndexW-1:0] write_index_i,
  input  wire logic [Width-1:0]  row_i
);

  localparam integer Rows = 1 << IndexW;
  localparam [Rows-1:0] AllDead = 0;
  localparam integer Bits = (Ways < 1) ? 1 : Ways;  // a wrong parameter is named, not an empty range
  localparam [Bits-1:0] None = 0;

  logic [Width-1:0] sram_row;
  sram_1r1w #(
    .Width(Width),
    .Rows (Rows)
  ) u_row (
    .clk_i       (clk_i),
    .read_i      (read_i),
    .read_row_i  (read_index_i),
    .read_data_o (sram_row),
    .write_i     (write_i),
    .write_row_i (write_index_i),
    .write_data_i(row_i)
  );

  // valid_live: rows written since the last reset or FLUSH, whose valid bits count; waiting_live: rows
  // written since the last reset, whose waiting bits count. The lockstep engine reads both.
  logic [Rows-1:0] valid_live    /*verilator public_flat_rd*/;
  logic [Rows-1:0] waiting_live  /*verilator public_flat_rd*/;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_live   <= AllDead;
      waiting_live <= AllDead;
    end else begin
      if (flush_i) valid_live <= AllDead;
      if (write_i) begin
        valid_live[write_index_i]   <= 1'b1;
        waiting_live[write_index_i] <= 1'b1;
      end
    end
  end

  // With ProbeStage a row that was read may be written or flushed while it waits.
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

  logic             forwards, forward_q, valid_live_q, waiting_live_q;
  logic [Width-1:0] forward_row_q;
  assign forwards = write_i && write_index_i == read_index_i;
  always_ff @(posedge clk_i) begin
    if (read_i) begin
      forward_q      <= forwards;
      valid_live_q   <= forwards || (valid_live[read_index_i] && !flush_i);
      waiting_live_q <= forwards || waiting_live[read_index_i];
    end else if (late_write) begin
      forward_q      <= 1'b1;
      valid_live_q   <= 1'b1;
      waiting_live_q <= 1'b1;
    end else if (late_flush) begin
      valid_live_q   <= 1'b0;
    end
    if (write_i) forward_row_q <= row_i;
  end

  always_comb begin
    row_o = forward_q ? forward_row_q : sram_row;
    if (!valid_live_q) row_o[ValidAt+:Bits] = None;
    if (!waiting_live_q) row_o[ValidAt-Ways+:Bits] = None;
  end

endmodule

`default_nettype wire
