// Constants of set_index, to be included in a module. Generated from
// cmodel/include/goldmem/ports/set_index.h by make rtl-constants.

  // op
  localparam [0:0] FORWARD = 1'd0;  // line to tag and index
  localparam [0:0] INVERSE = 1'd1;  // tag and index to line

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{FORWARD, INVERSE};
