// Constants of gwct, to be included in a module. Generated from
// cmodel/include/goldmem/ports/gwct.h by make rtl-constants.

  // op
  localparam [2:0] ISSUE = 3'd0;  // the warp sends a load, or a store
  localparam [2:0] ACK = 3'd1;  // a load or store is answered; raises the warp's GWCT
  localparam [2:0] RAISE = 3'd2;  // raises the warp's GWCT to the timestamp, if that is later
  localparam [2:0] ROLLOVER = 3'd3;  // time begins anew: GWCTs become 0, the epoch changes
  localparam [2:0] FENCE = 3'd4;  // asks for warps warp to last; changes nothing; 5 to 7: likewise

  // waits
  localparam [1:0] ANSWERS = 2'd1;  // an operation is not acknowledged
  localparam [1:0] TIME = 2'd2;  // a GWCT is not past

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{ISSUE, ACK, RAISE, ROLLOVER, FENCE, ANSWERS,
                              TIME};
