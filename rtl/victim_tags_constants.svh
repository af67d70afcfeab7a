// Constants of victim_tags, to be included in a module. Generated from
// cmodel/include/goldmem/ports/victim_tags.h by make rtl-constants.

  // op
  localparam [1:0] INSERT = 2'd0;  // a line that the warp took is replaced
  localparam [1:0] PROBE = 2'd1;  // a load of the warp misses
  localparam [1:0] CLEAR = 2'd2;  // a new warp: it has no tags
  localparam [1:0] RESTART = 2'd3;  // no warp has tags, as after the reset

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{INSERT, PROBE, CLEAR, RESTART};
