// Synchronous-read memory with one read and one write port and no reset: replace this module by a
// foundry macro. A read in the cycle of a write to the same row returns the old value; a user that
// needs the new value must forward it. The read value stays until the next read. sram_1r1w_clear
// adds a flash-clear.
`default_nettype none

module sram_1r1w #(
  parameter integer Width = 8,
  parameter integer Rows  = 16,
  localparam integer RowW = (Rows < 3) ? 1 : $clog2(Rows)
) (
  input  wire logic             clk_i,

  input  wire logic             read_i,
  input  wire logic [RowW-1:0]  read_row_i,
  output logic      [Width-1:0] read_data_o,

  input  wire logic             write_i,
  input  wire logic [RowW-1:0]  write_row_i,
  input  wire logic [Width-1:0] write_data_i
);

  // The lockstep engine reads this array.
  logic [Width-1:0] mem [0:Rows-1]  /*verilator public_flat_rd*/;

  always_ff @(posedge clk_i) begin
    if (read_i) read_data_o <= mem[read_row_i];
    if (write_i) mem[write_row_i] <= write_data_i;
  end

endmodule

`default_nettype wire
