// Constants of sharing_tracker, to be included in a module. Generated from
// cmodel/include/goldmem/ports/sharing_tracker.h by make rtl-constants.

  // op
  localparam [2:0] LOOKUP = 3'd0;  // the L1 of cu missed: who has the line? With will_fill: marks cu
  localparam [2:0] FILL = 3'd1;  // the L1 of cu installed the line: a sharer, if its mark still stands
  localparam [2:0] EVICT = 3'd2;  // the L1 of cu evicted the line
  localparam [2:0] WRITE = 3'd3;  // a CU writes the line: frees its entry, with sharers and marks
  localparam [2:0] COHERENT = 3'd4;  // an atomic or another coherent operation on the line: as WRITE
  localparam [2:0] FLUSH = 3'd5;  // the L1s are flushed: frees all entries; 7: likewise
  localparam [2:0] ASK = 3'd6;  // the L1 of a CU of another tracker missed: who has the line?

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{LOOKUP, FILL, EVICT, WRITE, COHERENT, FLUSH,
                              ASK};
