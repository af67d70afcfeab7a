// Constants of locality_score, to be included in a module. Generated from
// cmodel/include/goldmem/ports/locality_score.h by make rtl-constants.

  // op
  localparam [2:0] ADVANCE = 3'd0;  // time passes: scores fall to Base
  localparam [2:0] HIT = 3'd1;  // the warp has lost locality: sets its score
  localparam [2:0] START = 3'd2;  // a new warp: score Base, last in the order
  localparam [2:0] END = 3'd3;  // the warp has ended
  localparam [2:0] RESTART = 3'd4;  // as after the reset; 5 to 7: likewise

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{ADVANCE, HIT, START, END, RESTART};
