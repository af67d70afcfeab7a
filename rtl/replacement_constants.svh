// Constants of replacement, to be included in a module. Generated from
// cmodel/include/goldmem/ports/replacement.h by make rtl-constants.

  // op
  localparam [2:0] TOUCH = 3'd0;  // the line in way of the set index was hit
  localparam [2:0] REPLACE = 3'd1;  // a line comes into an eligible way, which the response names
  localparam [2:0] REMOVE = 3'd2;  // the line in way goes, for a reason that teaches nothing
  localparam [2:0] FLUSH = 3'd3;  // all lines go
  localparam [2:0] PEEK = 3'd4;  // what REPLACE would answer; changes nothing; 5 to 7: likewise

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{TOUCH, REPLACE, REMOVE, FLUSH, PEEK};
