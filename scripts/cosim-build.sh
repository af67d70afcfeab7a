#!/usr/bin/env bash
# Builds the lockstep shared object of a block: generated top, Verilated, with its C model.
# Usage: cosim-build.sh NAME BLOCK MODULE SUITE|OPTIONS "RTL FILES" STIMULUS.o ["GENERATOR FLAGS" ["VERILATOR FLAGS"]]
# Makes build/cosim/NAME.so. What Verilator refuses (a port missing or left over) goes to stderr, first in one line.
set -euo pipefail
name=$1 block=$2 module=$3 suite=$4 rtl=$5 stimulus=$6 generator_flags=${7:-} verilator_flags=${8:-}
upper=${block^^}
folder=build/cosim/$name.d
ports=$(find cmodel/include/goldmem/ports tests/cosim -name "$block.h" -o -name "$block.ports.h")
checkers=$(find tb tests/cosim -name "${block}_sva.sv")
root=$(verilator --getenv VERILATOR_ROOT)
include=(-I. -Icmodel/include -Icmodel -Icosim -isystem "$folder" -isystem "$root/include" -isystem "$root/include/vltstd")
flags=(-std=c++17 -fPIC -fvisibility=hidden -DVM_COVERAGE=1 -DVM_TRACE=1 -DVM_TRACE_FST=1
    -DVL_PRINTF=gm_cosim_printf)
# RTL in the loop: -O2 takes half as long again to compile, for 2% of the RTL's time in a run.
speed=O2
case $name,$verilator_flags in rtl/* | *--coverage* | *-Wno-lint*) speed=O1 ;; esac
flags+=(-include "build/cosim/runtime/$speed/headers.h") # precompiled (mk/cosim.mk)
# RTL in the loop writes no waveform; its code takes a third of a compilation.
waveform=--trace-fst
case $name in rtl/*) waveform='' flags+=(-DGM_COSIM_NO_WAVEFORM) ;; esac
rm -rf "$folder"
mkdir -p "$folder"

# shellcheck disable=SC2086  # the flags and files are words
"build/cosim/$block.generate" "$module" "$suite" "$folder/top.sv" "$folder/lanes.c" sva $generator_flags
# Warnings are errors but in a user's files. Switched off: unused bits (of the generated top's 64-bit ports) and
# several modules in a file.
# shellcheck disable=SC2086
scripts/verilate.sh "$folder/verilator.log" "$module" "$ports" --cc --prefix Vtop --top-module "${block}_cosim" --Mdir "$folder" \
    -Wall -Wno-UNUSED -Wno-DECLFILENAME --reloop-limit 1000000 --assert $waveform -O3 --x-assign 0 --x-initial unique \
    -Irtl -Itb $verilator_flags "$folder/top.sv" $checkers $rtl

# Verilator's run-time library adds up the counts of equal modules, except of counters that are per instance. The
# function that takes one more key takes texts only.
sed -i -E 's/"(lineno|column)",(lineno|column)/"\1",std::to_string(\2).c_str()/g
    s/"hier",(std::string\{name\(\)\} \+ hierp)/"per_instance","1", "hier",(\1).c_str()/' "$folder"/Vtop*.cpp

# Most of a small design's time goes into the headers: one pass over them. Of a large one, what runs seldom is
# compiled beside the rest, for itself.
wrapper=(-DGM_PORTS_HEADER="\"$ports\"" -DGM_REQUEST="GM_${upper}_REQUEST" -DGM_RESPONSE="GM_${upper}_RESPONSE"
    -DGM_TOP_NAME="\"$block\"")
case $verilator_flags in *GOLDMEM_USER_RTL*) wrapper+=(-DGOLDMEM_USER_RTL) ;; esac
all=$(find "$folder" -name 'Vtop*.cpp' | sort)
seldom=$(find "$folder" -name 'Vtop*Slow.cpp' -o -name 'Vtop__Syms.cpp' -o -name 'Vtop__Trace*.cpp' | sort -u)
# shellcheck disable=SC2086  # files are words
if [ "$(cat $all | wc -c)" -lt 500000 ]; then seldom=""; fi
for file in $all; do
    if [[ $'\n'$seldom$'\n' == *$'\n'$file$'\n'* ]]; then
        echo "#include <${file##*/}>" >>"$folder/seldom.cc"
    else
        echo "#include <${file##*/}>" >>"$folder/all.cc"
    fi
done
echo '#include "cosim/verilated.cpp"' >>"$folder/all.cc"
if [ -n "$seldom" ]; then g++ -O0 "${flags[@]}" "${include[@]}" -c "$folder/seldom.cc" -o "$folder/seldom.o" & fi
beside=${!:-}
g++ "-$speed" -Wall -Wextra "${flags[@]}" "${include[@]}" "${wrapper[@]}" -c "$folder/all.cc" -o "$folder/all.o"
gcc -O2 -fPIC -c "$folder/lanes.c" -o "$folder/lanes.o"
if [ -n "$beside" ]; then wait "$beside"; fi
g++ -shared -fno-lto -Wl,-Bsymbolic -o "$folder/whole.so" "$folder"/*.o build/cosim/runtime/*.o \
    "$stimulus" build/obj/cosim/options.o build/libgoldmem.a -lz -lm -lpthread
mv "$folder/whole.so" "build/cosim/$name.so" # a run may have the old one open
