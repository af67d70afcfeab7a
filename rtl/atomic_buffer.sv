// Atomic buffer [anssari, 3.4, 3.5]: the line on which an L2 bank's last atomic or coherent load was performed, held
// exclusively.
//
//   op_i    takes             does
//   ATOMIC  line_i sectors_i  hits if the line is held with these sectors valid: they become dirty. Else puts the held
//           valid_i dirty_i   line back and takes this one from the L2 bank; sectors_i become valid and dirty
//   LOAD    as ATOMIC         likewise, but no sector becomes dirty: those of sectors_i that become valid are clean
//   ACCESS  line_i            puts the held line back if it is this one
//   FLUSH                     puts the held line back
//
// Two pipeline stages: the registered request, which changes the state (flops); and the response, which has the line
// put back. One request per cycle, responses in order, two cycles later at the earliest. A response waits until
// response_ready_i. Only one stage accesses state: there is no hazard. The line's data, and the unit that computes,
// are not part of the block.
// C model: cmodel/blocks/atomic_buffer.c; checkers: tb/atomic_buffer_sva.sv; page: docs/blocks/atomic_buffer.md.
`default_nettype none

module atomic_buffer #(
  parameter integer LineW   = 42,  // line-address bits, 1 to 64
  parameter integer Sectors = 1    // sectors of a line, 1 to 32
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  input  wire logic               request_valid_i,
  output logic                    request_ready_o,
  input  wire logic [1:0]         op_i,
  input  wire logic [LineW-1:0]   line_i,
  input  wire logic [Sectors-1:0] sectors_i,
  input  wire logic [Sectors-1:0] valid_i,
  input  wire logic [Sectors-1:0] dirty_i,

  output logic                    response_valid_o,
  input  wire logic               response_ready_i,
  output logic                    hit_o,
  output logic                    puts_o,
  output logic      [LineW-1:0]   line_o,
  output logic      [Sectors-1:0] valid_o,
  output logic      [Sectors-1:0] dirty_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (LineW < 1 || LineW > 64) LineW_must_be_1_to_64 u_wrong ();
    if (Sectors < 1 || Sectors > 32) Sectors_must_be_1_to_32 u_wrong ();
  endgenerate

`include "atomic_buffer_constants.svh"

  // Stage 1: the request.
  logic               request_valid_q;
  logic [1:0]         op_q;
  logic [LineW-1:0]   line_q;
  logic [Sectors-1:0] sectors_q, valid_q, dirty_q;

  // Each stage moves when it is empty or the next one moves.
  logic response_moves, request_moves, fire;
  assign response_moves  = response_ready_i || !response_valid_o;
  assign request_moves   = response_moves || !request_valid_q;
  assign request_ready_o = request_moves;
  assign fire            = request_valid_q && response_moves;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      request_valid_q  <= 1'b0;
      response_valid_o <= 1'b0;
    end else begin
      if (request_moves) request_valid_q <= request_valid_i;
      if (response_moves) response_valid_o <= request_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (request_moves && request_valid_i) begin
      op_q      <= op_i;
      line_q    <= line_i;
      sectors_q <= sectors_i;
      valid_q   <= valid_i;
      dirty_q   <= dirty_i;
    end
  end

  // The state.
  logic               held_q        /*verilator public_flat_rd*/;
  logic [LineW-1:0]   held_line_q   /*verilator public_flat_rd*/;
  logic [Sectors-1:0] held_valid_q  /*verilator public_flat_rd*/;
  logic [Sectors-1:0] held_dirty_q  /*verilator public_flat_rd*/;

  logic               is_atomic, operates, is_here, has_sectors, hit, takes, puts;
  logic [Sectors-1:0] written;
  assign is_atomic   = op_q == ATOMIC;
  assign operates    = is_atomic || op_q == LOAD;
  assign written     = is_atomic ? sectors_q : {Sectors{1'b0}};
  assign is_here     = held_q && held_line_q == line_q;
  assign has_sectors = (sectors_q & ~held_valid_q) == {Sectors{1'b0}};
  assign hit         = operates && is_here && has_sectors;
  assign takes       = operates && !hit;
  assign puts        = held_q && (op_q == ACCESS ? is_here : !hit);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= 1'b0;
    else if (fire) held_q <= operates || (held_q && !puts);
  end

  always_ff @(posedge clk_i) begin
    if (fire && takes) begin
      held_line_q  <= line_q;
      held_valid_q <= valid_q | sectors_q;
      held_dirty_q <= (valid_q & dirty_q) | written;
    end else if (fire && hit) begin
      held_dirty_q <= held_dirty_q | written;
    end
  end

  // Stage 2: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      hit_o   <= hit;
      puts_o  <= puts;
      line_o  <= puts ? held_line_q : {LineW{1'b0}};
      valid_o <= puts ? held_valid_q : {Sectors{1'b0}};
      dirty_o <= puts ? held_dirty_q : {Sectors{1'b0}};
    end
  end

endmodule

`default_nettype wire
