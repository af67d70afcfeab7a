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
