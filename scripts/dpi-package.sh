#!/bin/sh
# Prints cosim/goldmem_dpi_pkg.sv from the port lists. Usage: dpi-package.sh BLOCK...
set -eu
cat <<'END'
// The golden model of each block for SystemVerilog testbenches, through DPI-C: load or link
// build/libgoldmem_dpi.so. Written from the port lists by make dpi-package; a test holds it equal to
// them. docs/dpi.md shows it in a testbench.
package goldmem_dpi_pkg;

  // A model, by block and options ("sets=32 index=ipoly:37"); null: gm_dpi_error says why.
  import "DPI-C" function chandle gm_dpi_open(input string block, input string options);
  import "DPI-C" function void gm_dpi_close(input chandle model);
  // The state as after gm_dpi_open. 0, or negative: gm_dpi_error says why.
  import "DPI-C" function int gm_dpi_reset(input chandle model);
  // Begins the random requests of gm_dpi_next_NAME anew; a model opens with seed 1.
  import "DPI-C" function void gm_dpi_seed(input chandle model, input longint unsigned seed);
  // What the last function that failed found wrong.
  import "DPI-C" function string gm_dpi_error();
END
for block in "$@"; do "build/cosim/$block.generate" dpi; done
printf '\nendpackage\n'
