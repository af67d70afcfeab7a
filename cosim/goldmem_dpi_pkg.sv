// The golden model of each block for SystemVerilog testbenches, through DPI-C: load or link
// build/libgoldmem_dpi.so. Written from the port lists by `make dpi-package`; a test holds it equal to
// them. docs/dpi.md shows it in a testbench.
package goldmem_dpi_pkg;

  // A model, by block and options ("sets=32 index=ipoly:37"); null: gm_dpi_error says why.
  import "DPI-C" function chandle gm_dpi_open(input string block, input string options);
  import "DPI-C" function void gm_dpi_close(input chandle model);
  // The state as after gm_dpi_open. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_reset(input chandle model);
  // What the last function that failed found wrong.
  import "DPI-C" function string gm_dpi_error();

  // mshr
  typedef struct packed {
    bit [63:0] op;  // width 3: 0 REQUEST, 1 RESPONSE, 2 CLOSE, 3 FLUSH, 4 to 7 PROBE
    bit [63:0] line;  // width LineW: REQUEST, PROBE, CLOSE: line address
    bit [63:0] requester;  // width RequesterW: REQUEST: who waits
    bit [63:0] id;  // width IdW: RESPONSE: entry
    bit [63:0] may_allocate;  // width 1: REQUEST, PROBE: the miss queue takes the miss of a new entry
  } mshr_request_t;

  typedef struct packed {
    bit [63:0] outcome;  // width 2: REQUEST, PROBE: 0 MERGED, 1 NEW, 2 FAIL
    bit [63:0] reason;  // width 2: FAIL: 0 ENTRY, 1 MERGE, 2 MISS_QUEUE
    bit [63:0] id;  // width IdW: MERGED, NEW, RESPONSE, CLOSE: the entry
    bit [63:0] count;  // width MergeW + 1: MERGED, NEW: requesters with this one; RESPONSE: left after it
    bit [63:0] requester;  // width RequesterW: RESPONSE: the next one, in the order of their REQUESTs
    bit [63:0] line;  // width LineW: RESPONSE: line address
    bit [63:0] install;  // width 1: RESPONSE: the first of an open entry: the data go into the cache
    bit [63:0] closed;  // width 1: CLOSE, FLUSH: an entry was open and is closed now
    bit [63:0] error;  // width 1: RESPONSE: the id is free; nothing changes
  } mshr_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_mshr(
      input chandle model, input mshr_request_t request,
      output mshr_response_t response);

  // set_index
  typedef struct packed {
    bit [63:0] op;  // width 1: 0 FORWARD: line to tag and index; 1 INVERSE: tag and index to line
    bit [63:0] line;  // width LineW: FORWARD: line address
    bit [63:0] tag;  // width LineW - IndexW: INVERSE: tag
    bit [63:0] index;  // width IndexW: INVERSE: set index
  } set_index_request_t;

  typedef struct packed {
    bit [63:0] line;  // width LineW: line address
    bit [63:0] tag;  // width LineW - IndexW: its tag: the line without its low IndexW bits
    bit [63:0] index;  // width IndexW: its set index
  } set_index_response_t;

  // One transaction. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_set_index(
      input chandle model, input set_index_request_t request,
      output set_index_response_t response);

endpackage
