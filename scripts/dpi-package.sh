#!/bin/sh
# Prints cosim/goldmem_dpi_pkg.sv from the port lists. Usage: dpi-package.sh BLOCK...
set -eu
cat <<'END'
// The golden model of each block for a SystemVerilog testbench, through DPI-C. Written from the port
// lists by `make dpi-package`; a test holds it equal to them.
//
//   chandle model = goldmem_set_index_new("sets=32 index=ipoly:37 address_bits=49");  // null: bad options
//   response = set_index_access(model, request);
//   goldmem_set_index_free(model);
//
// Link or load build/goldmem-dpi-BLOCK.so. docs/cosim.md shows it in a testbench.
package goldmem_dpi_pkg;
END
for block in "$@"; do "build/cosim/$block.generate" dpi; done
printf '\nendpackage\n'
