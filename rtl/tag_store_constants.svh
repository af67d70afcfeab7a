// Constants of tag_store, to be included in a module. Generated from
// cmodel/include/goldmem/ports/tag_store.h by make rtl-constants.

  // op
  localparam [2:0] PROBE = 3'd0;  // an access to line with the permissions may_miss and may_bypass
  localparam [2:0] FILL = 3'd1;  // the data of the MISS that got position arrived: one FILL for each MISS
  localparam [2:0] WRITE = 3'd2;  // a store to global memory: write-evict, no-allocate
  localparam [2:0] INVALIDATE = 3'd3;  // frees the entry of the line; marks a line that waits dead
  localparam [2:0] FLUSH = 3'd4;  // INVALIDATE of every line; 5 to 7: likewise

  // outcome
  localparam [2:0] HIT = 3'd0;  // the data line is valid
  localparam [2:0] HIT_PENDING = 3'd1;  // the line waits for its FILL; needs may_miss
  localparam [2:0] MISS = 3'd2;  // the line gets position, and waits; needs may_miss
  localparam [2:0] BYPASS = 3'd3;  // the line gets no data line; needs may_bypass
  localparam [2:0] RESERVATION_FAIL = 3'd4;  // nothing changed; reason says why

  // reason
  localparam [1:0] FAIL_LINE = 2'd0;  // all data lines of the set wait
  localparam [1:0] FAIL_MISS = 2'd1;  // may_miss is 0
  localparam [1:0] FAIL_BYPASS = 2'd2;  // may_bypass is 0

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{PROBE, FILL, WRITE, INVALIDATE, FLUSH, HIT,
                              HIT_PENDING, MISS, BYPASS, RESERVATION_FAIL, FAIL_LINE, FAIL_MISS,
                              FAIL_BYPASS};
