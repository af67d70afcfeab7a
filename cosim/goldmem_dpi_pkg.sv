// The golden model of each block for a SystemVerilog testbench, through DPI-C. Written from the port
// lists by `make dpi-package`; a test holds it equal to them.
//
//   chandle model = goldmem_set_index_new("sets=32 index=ipoly:37 address_bits=49");  // null: bad options
//   response = set_index_access(model, request);
//   goldmem_set_index_free(model);
//
// Link or load build/goldmem-dpi-BLOCK.so. docs/cosim.md shows it in a testbench.
package goldmem_dpi_pkg;

  // set_index
  typedef struct {
    longint unsigned op;  // 0 FORWARD: line to tag and index; 1 INVERSE: tag and index to line
    longint unsigned line;  // FORWARD: line address
    longint unsigned tag;  // INVERSE: tag
    longint unsigned index;  // INVERSE: set index
  } set_index_request_t;

  typedef struct {
    longint unsigned line;  // line address
    longint unsigned tag;  // its tag: the line without its low IndexW bits
    longint unsigned index;  // its set index
  } set_index_response_t;

  import "DPI-C" function chandle goldmem_set_index_new(input string options);
  import "DPI-C" function void goldmem_set_index_free(input chandle model);
  import "DPI-C" function void goldmem_set_index_access(
    input chandle model,
    input longint unsigned op_i,
    input longint unsigned line_i,
    input longint unsigned tag_i,
    input longint unsigned index_i,
    output longint unsigned line_o,
    output longint unsigned tag_o,
    output longint unsigned index_o);

  function automatic set_index_response_t set_index_access(
      input chandle model, input set_index_request_t request);
    goldmem_set_index_access(model, request.op, request.line, request.tag, request.index,
      set_index_access.line,
      set_index_access.tag,
      set_index_access.index);
  endfunction

endpackage
