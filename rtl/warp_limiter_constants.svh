// Constants of warp_limiter, to be included in a module. Generated from
// cmodel/include/goldmem/ports/warp_limiter.h by make rtl-constants.

  // sets
  localparam [0:0] KEEP = 1'd0;  // the limit stays
  localparam [0:0] SET = 1'd1;  // limit becomes the limit

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{KEEP, SET};
