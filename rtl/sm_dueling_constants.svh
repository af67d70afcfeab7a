// Constants of sm_dueling, to be included in a module. Generated from
// cmodel/include/goldmem/ports/sm_dueling.h by make rtl-constants.

  // op
  localparam [1:0] ACCESS = 2'd0;  // of SM sm (0 or 1); miss: missed or bypassed
  localparam [1:0] ADVANCE = 2'd1;  // amount cycles or accesses elapse; the end of a sampling interval decides
  localparam [1:0] RESTART = 2'd2;  // as after the reset: a sampling interval begins, conventional; 3: likewise

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{ACCESS, ADVANCE, RESTART};
