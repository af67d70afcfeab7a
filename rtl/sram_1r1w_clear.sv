// Synchronous-read memory with one read and one write port and a flash-clear: replace this module by
// a foundry macro. A row that was not written since the last clear reads as zero: its row_live flop
// is 0. A read in the cycle of a write to the same row returns the old value; a user that needs the
// new value must forward it. The read value stays until the next read.
`default_nettype none

module sram_1r1w_clear #(
  parameter integer Width = 8,
  parameter integer Rows  = 16,
  localparam integer RowW = (Rows < 3) ? 1 : $clog2(Rows)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             clear_i,

  input  wire logic             read_i,
  input  wire logic [RowW-1:0]  read_row_i,
  output logic      [Width-1:0] read_data_o,

  input  wire logic             write_i,
  input  wire logic [RowW-1:0]  write_row_i,
  input  wire logic [Width-1:0] write_data_i
);

  localparam [Rows-1:0] AllDead = 0;

  // The lockstep engine reads the array and the row_live flops.
  logic [Width-1:0] mem      [0:Rows-1]  /*verilator public_flat_rd*/;
  logic [Rows-1:0]  row_live             /*verilator public_flat_rd*/;

  logic [Width-1:0] data_q;
  logic             live_q;
  assign read_data_o = live_q ? data_q : {Width{1'b0}};

  always_ff @(posedge clk_i) begin
    if (read_i) data_q <= mem[read_row_i];
    if (write_i) mem[write_row_i] <= write_data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      row_live <= AllDead;
      live_q   <= 1'b0;
    end else begin
      if (read_i) live_q <= row_live[read_row_i];
      // Where clear_i is 0 always no line is never reached.
      if (clear_i || write_i) row_live <= clear_i ? AllDead : row_live;
      if (write_i) row_live[write_row_i] <= 1'b1;
    end
  end

endmodule

`default_nettype wire
