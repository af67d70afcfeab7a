// Constants of tc_l1, to be included in a module. Generated from
// cmodel/include/goldmem/ports/tc_l1.h by make rtl-constants.

  // op
  localparam [3:0] LOAD = 4'd0;  // hits an unexpired copy; else merges, or sends a GETS
  localparam [3:0] STORE = 4'd1;  // writes an unexpired copy and sends an UPGR; else a GETX
  localparam [3:0] ATOMIC = 4'd2;  // atomic or reduction: drops the copy, sends an ATOMIC
  localparam [3:0] BYPASS = 4'd3;  // load that bypasses: drops the copy, sends a GETS
  localparam [3:0] FILL = 4'd4;  // DATA of a GETS: installs under an open entry and a lease
  localparam [3:0] ACK = 4'd5;  // ACK of an UPGR, with or without a new lease
  localparam [3:0] DATA_G = 4'd6;  // DATA-G of an UPGR: the line, a GWCT and a lease
  localparam [3:0] EVICT = 4'd7;  // the slot is wanted for another line
  localparam [3:0] FLUSH = 4'd8;  // rollover, host copy: drops all copies; 9 to 15: likewise

  // message
  localparam [2:0] NONE = 3'd0;  // nothing is sent
  localparam [2:0] GETS = 3'd1;  // a read, in a new MSHR entry
  localparam [2:0] MERGE = 3'd2;  // the load joins the line's open MSHR entry
  localparam [2:0] GETX = 3'd3;  // a write of a line without a copy
  localparam [2:0] UPGR = 3'd4;  // a write of a line with a copy, with its lease
  localparam [2:0] ATOMIC_MESSAGE = 3'd5;  // an atomic or reduction

  // was
  localparam [1:0] I = 2'd0;  // no copy, or an expired one
  localparam [1:0] V = 2'd1;  // an unexpired copy
  localparam [1:0] V_M = 2'd2;  // an unexpired copy, UPGRs without an answer
  localparam [1:0] I_I = 2'd3;  // no unexpired copy, UPGRs without an answer

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{LOAD, STORE, ATOMIC, BYPASS, FILL, ACK,
                              DATA_G, EVICT, FLUSH, NONE, GETS, MERGE,
                              GETX, UPGR, ATOMIC_MESSAGE, I, V, V_M,
                              I_I};
