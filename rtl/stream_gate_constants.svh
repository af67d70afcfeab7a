// Constants of stream_gate, to be included in a module. Generated from
// cmodel/include/goldmem/ports/stream_gate.h by make rtl-constants.

  // op
  localparam [1:0] ACCESS = 2'd0;  // counts an access
  localparam [1:0] PERIOD = 2'd1;  // a period ends: decides, and counts from 0 again
  localparam [1:0] RESTART = 2'd2;  // as after the reset; 3: likewise

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{ACCESS, PERIOD, RESTART};
