// Constants of lease_store, to be included in a module. Generated from
// cmodel/include/goldmem/ports/lease_store.h by make rtl-constants.

  // op
  localparam [1:0] PUT = 2'd0;  // stores the lease of an evicted line
  localparam [1:0] TAKE = 2'd1;  // returns and removes the lease of a line that is fetched
  localparam [1:0] EXPIRE = 2'd2;  // only removes the leases that are past
  localparam [1:0] CLEAR = 2'd3;  // removes all: time begins anew

  // A module need not use each of them.
  // verilator coverage_off
  logic unused_constants;
  // verilator coverage_on
  assign unused_constants = &{PUT, TAKE, EXPIRE, CLEAR};
