// Constants of lifetime_predictor, to be included in a module. Generated from
// cmodel/include/goldmem/ports/lifetime_predictor.h by make rtl-constants.

  // op
  localparam [2:0] LOAD = 3'd0;  // a load; +Hit if either copy was expired
  localparam [2:0] EVICT = 3'd1;  // an L2 eviction; -Evict if unexpired
  localparam [2:0] STORE = 3'd2;  // a store or atomic; -Write if unexpired, once a fence has completed
  localparam [2:0] FENCED = 3'd3;  // an SM has completed a fence of GPU scope
  localparam [2:0] RESET = 3'd4;  // as after the reset; 5 to 7: likewise

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{LOAD, EVICT, STORE, FENCED, RESET};
