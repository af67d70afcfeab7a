#!/usr/bin/env bash
# Builds build/PROGRAM: a testbench that calls the golden model (DPI-C), with its RTL, under Verilator.
# Usage: dpi-build.sh PROGRAM TESTBENCH_MODULE BLOCK_MODULE FILE...   the testbench is BLOCK_tb or BLOCK_dpi_tb
# OPTIMISE: -O0 where compiling takes longer than running (default -O1).
# Requires Verilator's runtime in build/cosim/dpi-runtime, compiled once for all (mk/cosim_adapters.mk).
set -euo pipefail
program=$1 top=$2 module=$3
shift 3
block=${top%_tb}
block=${block%_dpi}
folder=build/cosim/$program.d
rm -rf "$folder"
mkdir -p "$folder"
scripts/verilate.sh "$folder/verilator.log" "$module" "cmodel/include/goldmem/ports/$block.h" --cc --exe --main --timing \
    --assert -O3 --prefix Vtop --Mdir "$folder" --top-module "$top" -Irtl cosim/goldmem_dpi_pkg.sv "$@" \
    "$PWD/build/libgoldmem_dpi.so" -o "$PWD/build/$program"
cp build/cosim/dpi-runtime/*.o "$folder"
env -u MAKEFLAGS make -s -C "$folder" -f Vtop.mk OPT_FAST="${OPTIMISE:--O1}" OPT_SLOW=-O0 >"$folder/make.log" 2>&1 || {
    cat "$folder/make.log" >&2
    exit 1
}
