// Constants of atomic_buffer, to be included in a module. Generated from
// cmodel/include/goldmem/ports/atomic_buffer.h by make rtl-constants.

  // op
  localparam [1:0] ATOMIC = 2'd0;  // an atomic is performed: the buffer holds its line
  localparam [1:0] ACCESS = 2'd1;  // another access follows: puts its line back
  localparam [1:0] FLUSH = 2'd2;  // puts the held line back
  localparam [1:0] LOAD = 2'd3;  // a coherent load is performed: the buffer holds its line

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{ATOMIC, ACCESS, FLUSH, LOAD};
