// Constants of cores_sampling, to be included in a module. Generated from
// cmodel/include/goldmem/ports/cores_sampling.h by make rtl-constants.

  // op
  localparam [1:0] REPORT = 2'd0;  // the next SM reports a period
  localparam [1:0] KERNEL = 2'd1;  // a kernel begins, without a limit
  localparam [1:0] RESTART = 2'd2;  // as after the reset; 3: likewise

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{REPORT, KERNEL, RESTART};
