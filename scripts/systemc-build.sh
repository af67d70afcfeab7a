#!/usr/bin/env bash
# Builds build/PROGRAM: the C model as a SystemC module beside the RTL, Verilated with --sc.
# Usage: systemc-build.sh PROGRAM BLOCK STIMULUS.o OPTIONS|SUITE MODULE "RTL FILES" ["GENERATOR FLAGS" ["VERILATOR FLAGS"]]
# Debian's SystemC 2.3.4 is built for C++17 and requires programs built for it.
set -euo pipefail
program=$1 block=$2 stimulus=$3 suite=$4 module=$5 rtl=$6 generator_flags=${7:-} verilator_flags=${8:-}
upper=${block^^}
folder=build/cosim/$program.d
root=$(verilator --getenv VERILATOR_ROOT)
rm -rf "$folder"
mkdir -p "$folder"
# shellcheck disable=SC2086  # the flags and files are words
"build/cosim/$block.generate" "$module" "$suite" "$folder/top.sv" "$folder/lanes.c" sva $generator_flags
# Warnings switched off as in cosim-build.sh: unused bits of 64-bit ports, several modules in the generated file.
# shellcheck disable=SC2086
scripts/verilate.sh "$folder/verilator.log" "$module" "cmodel/include/goldmem/ports/$block.h" --sc --prefix Vtop \
    --top-module "${block}_single" --Mdir "$folder" -Wall -Wno-UNUSED -Wno-DECLFILENAME --assert -O3 --x-assign 0 \
    --x-initial unique -Irtl -Itb $verilator_flags "$folder/top.sv" "tb/${block}_sva.sv" $rtl
# SystemC's header takes most of the time: one pass over it.
for file in "$folder"/Vtop*.cpp; do echo "#include <${file##*/}>"; done >"$folder/all.cc"
echo '#include "tb/systemc.cpp"' >>"$folder/all.cc"
flags=(-std=c++17 -O2 -fPIC -Wall -Wextra -DVM_SC=1 -DVL_PRINTF=gm_cosim_printf -include cosim/verilated_printf.h -I. -Icmodel/include
    -Icmodel -Icosim -isystem "$folder" -isystem "$root/include" -isystem "$root/include/vltstd"
    -DGM_PORTS_HEADER="\"goldmem/ports/$block.h\"" -DGM_REQUEST="GM_${upper}_REQUEST" -DGM_RESPONSE="GM_${upper}_RESPONSE")
g++ "${flags[@]}" -c "$folder/all.cc" -o "$folder/all.o"
gcc -O2 -c "$folder/lanes.c" -o "$folder/lanes.o"
g++ -fno-lto -o "build/$program" "$folder"/*.o build/cosim/runtime/verilated.o build/cosim/runtime/verilated_threads.o \
    "$stimulus" build/obj/cosim/options.o build/libgoldmem.a -lsystemc -lpthread -lm
