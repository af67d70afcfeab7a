// Constants of sharing_lru, to be included in a module. Generated from
// cmodel/include/goldmem/ports/sharing_lru.h by make rtl-constants.

  // op
  localparam [2:0] TOUCH = 3'd0;  // the line in way of the set index was hit
  localparam [2:0] REPLACE = 3'd1;  // a line asks for an eligible way, which the response names
  localparam [2:0] REMOVE = 3'd2;  // the line in way goes
  localparam [2:0] FLUSH = 3'd3;  // all lines go
  localparam [2:0] RESET = 3'd4;  // all lines stay, private, alive and without owner
  localparam [2:0] PEEK = 3'd5;  // what REPLACE would answer; changes nothing; 6 and 7: likewise

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{TOUCH, REPLACE, REMOVE, FLUSH, RESET, PEEK};
