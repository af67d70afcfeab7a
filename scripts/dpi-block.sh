#!/usr/bin/env bash
# Builds build/PROGRAM: a block beside its golden model (DPI-C), in the testbench made from its port list, and writes the
# options of its instance to build/PROGRAM.options.
# Usage: dpi-block.sh PROGRAM BLOCK OPTIONS|SUITE MODULE "RTL FILES" ["GENERATOR FLAGS" ["VERILATOR FLAGS"]]
set -euo pipefail
program=$1 block=$2 suite=$3 module=$4 rtl=$5 generator_flags=${6:-} verilator_flags=${7:-}
folder=build/cosim/$program.top
mkdir -p "$folder"
# shellcheck disable=SC2086  # the flags and files are words
"build/cosim/$block.generate" "$module" "$suite" "$folder/top.sv" "$folder/lanes.c" sva $generator_flags
"build/cosim/$block.generate" dpi-testbench >"$folder/testbench.sv"
# shellcheck disable=SC2086
scripts/dpi-build.sh "$program" "${block}_dpi_tb" "$module" $rtl "tb/${block}_sva.sv" "$folder/top.sv" "$folder/testbench.sv" \
    -Itb $verilator_flags
sed -n 's/^    "\(.*\)",$/\1/p' "$folder/lanes.c" | head -1 >"build/$program.options"
