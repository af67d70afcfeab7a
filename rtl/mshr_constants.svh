// Constants of mshr, to be included in a module. Generated from
// cmodel/include/goldmem/ports/mshr.h by make rtl-constants.

  // op
  localparam [2:0] REQUEST_OP = 3'd0;  // a miss: merges into the open entry of its line, or takes the lowest free entry
  localparam [2:0] RESPONSE_OP = 3'd1;  // data of an entry arrived: answers its oldest requester; the last frees it
  localparam [2:0] CLOSE_OP = 3'd2;  // the open entry of the line takes no more requesters, and does not install
  localparam [2:0] FLUSH_OP = 3'd3;  // CLOSE of every line
  localparam [2:0] PROBE_OP = 3'd4;  // what REQUEST would answer; changes nothing; 5 to 7: likewise

  // outcome
  localparam [1:0] MERGED = 2'd0;  // the open entry of the line has one requester more
  localparam [1:0] NEW = 2'd1;  // the lowest free entry is the line's
  localparam [1:0] FAIL = 2'd2;  // nothing changed; reason says why

  // reason
  localparam [1:0] FAIL_ENTRY = 2'd0;  // no entry is free, or the line has two
  localparam [1:0] FAIL_MERGE = 2'd1;  // the open entry of the line is full
  localparam [1:0] FAIL_MISS_QUEUE = 2'd2;  // a new entry is needed, and may_allocate is 0

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{REQUEST_OP, RESPONSE_OP, CLOSE_OP, FLUSH_OP, PROBE_OP, MERGED,
                              NEW, FAIL, FAIL_ENTRY, FAIL_MERGE, FAIL_MISS_QUEUE};
