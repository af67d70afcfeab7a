// Constants of contention_bypass, to be included in a module. Generated from
// cmodel/include/goldmem/ports/contention_bypass.h by make rtl-constants.

  // bypass
  localparam [0:0] FILLS = 1'd0;  // the load may fill the L1
  localparam [0:0] BYPASSES = 1'd1;  // the load bypasses the L1

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{FILLS, BYPASSES};
