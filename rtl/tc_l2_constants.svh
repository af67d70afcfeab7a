// Constants of tc_l2, to be included in a module. Generated from
// cmodel/include/goldmem/ports/tc_l2.h by make rtl-constants.

  // op
  localparam [2:0] GETS = 3'd0;  // a load
  localparam [2:0] GETX = 3'd1;  // a store of an SM without an unexpired copy
  localparam [2:0] UPGR = 3'd2;  // a store of an SM that has written its copy
  localparam [2:0] ATOMIC = 3'd3;  // an atomic or reduction
  localparam [2:0] INSTALL = 3'd4;  // the line's data have come from memory
  localparam [2:0] EVICT = 3'd5;  // the slot is wanted for another line; changes nothing
  localparam [2:0] ROLLOVER = 3'd6;  // time begins anew: no line has a lease; 7: likewise

  // answer
  localparam [2:0] NONE = 3'd0;  // INSTALL, EVICT, ROLLOVER
  localparam [2:0] DATA = 3'd1;  // the line, or an atomic's old values
  localparam [2:0] ACK = 3'd2;  // the write is visible to every SM
  localparam [2:0] ACK_G = 3'd3;  // the write is visible when gwct is past
  localparam [2:0] DATA_G = 3'd4;  // ACK_G with the line, or with an atomic's old values
  localparam [2:0] WAIT = 3'd5;  // TC-Strong: nothing changed; again in cycle earliest

  // was
  localparam [1:0] E = 2'd0;  // no unexpired lease
  localparam [1:0] P = 2'd1;  // one reader, or written since it was read
  localparam [1:0] S = 2'd2;  // several readers

  // readers
  localparam [1:0] NO_READER = 2'd0;  // not read since it was installed
  localparam [1:0] PRIVATE = 2'd1;  // P while the lease is unexpired
  localparam [1:0] SHARED = 2'd2;  // S while the lease is unexpired

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{GETS, GETX, UPGR, ATOMIC, INSTALL, EVICT,
                              ROLLOVER, NONE, DATA, ACK, ACK_G, DATA_G,
                              WAIT, E, P, S, NO_READER, PRIVATE,
                              SHARED};
