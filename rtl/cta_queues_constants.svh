// Constants of cta_queues, to be included in a module. Generated from
// cmodel/include/goldmem/ports/cta_queues.h by make rtl-constants.

  // op
  localparam [0:0] ASK = 1'd0;  // the CTAs that SM sm gets now, of the free ones it can take
  localparam [0:0] START = 1'd1;  // a kernel of ctas CTAs begins; GROUPS: SM k gets group k

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{ASK, START};
