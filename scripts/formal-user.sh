#!/usr/bin/env bash
# Checks a user's RTL with the block's checkers (tb/BLOCK_sva.sv) for every stream of requests and waits, a number of cycles from
# reset (Yosys, Z3). Prints one line; names the assertion that fails, with a trace.
# Usage: formal-user.sh BLOCK MODULE "RTL FILES" OPTIONS CYCLES [fixed]
set -uo pipefail
block=$1 module=$2 rtl=$3 options=$4 cycles=$5 fixed=${6:-}
folder=build/formal/$block
mkdir -p "$folder"
limit=${GOLDMEM_PROOF:-1800}
depth=2 # of the checkers' queue: bits of its pointers, for a request a cycle
while ((1 << depth < cycles + 1)); do ((depth++)); done

# shellcheck disable=SC2086  # a word or none
"build/cosim/$block.generate" "$block" "$options" "$folder/top.sv" "$folder/lanes.c" &&
    "build/cosim/$block.generate" formal $fixed | sed "s/^  $block /  $module /" >"$folder/formal.sv" || exit 2
values=$(sed -n "s/^  ${block}_lane #(\(.*\)) lane_0 .*/\1/p" "$folder/top.sv" | head -1 |
    sed -E 's/, \./ ./g; s/\.([A-Za-z0-9_]+)\(([^)]*)\)/-set \1 \2/g')
checkers=$(find tb -name "${block}_sva.sv" -o -name "${block}_cover.sv" | paste -sd' ')
# The parts that the checkers or the user's module take from rtl/: all files that do not define the module itself.
parts=$(grep -LE "^ *module +($module|$block)\b" rtl/*.sv | paste -sd' ')
yosys -q -p "read_verilog -sv -Irtl -defer $rtl $parts
  read_verilog -sv -formal -Irtl -Itb -defer -DGOLDMEM_USER_RTL -DGOLDMEM_PROOF_DEPTH=$depth $checkers tb/request_queue.sv; read_verilog -sv -formal -Irtl $folder/formal.sv
  chparam $values ${block}_formal; hierarchy -top ${block}_formal; proc; flatten; delete t:\$cover; memory_map; async2sync; opt; dffunmap
  write_smt2 -wires $folder/block.smt2" >"$folder/log" 2>&1 || {
    echo "goldmem: $rtl: Yosys refuses it as $module of $block: $(grep -m1 'ERROR' "$folder/log")" >&2
    exit 2
}
timeout "$limit" yosys-smtbmc --noprogress --unroll -s z3 -t "$cycles" --dump-vcd "$folder/trace.vcd" "$folder/block.smt2" >"$folder/log" 2>&1
status=$?
if [ "$status" -eq 0 ]; then
    echo "proven:  $block: $module: $cycles cycles from reset, any requests and waits, $options: the checkers' assertions"
elif [ "$status" -eq 124 ]; then
    echo "goldmem: $module of $block: not decided in $limit s (GOLDMEM_PROOF=), $cycles cycles, $options; take a smaller SET= or CYCLES=" >&2
    exit 4
elif grep -q 'Assert failed' "$folder/log"; then
    echo "FAILED:  $block: $module: $(grep -m1 -oE 'sva\.[a-z_]+' "$folder/log" | cut -d. -f2) fails within $cycles cycles from reset, $options; $folder/trace.vcd"
    exit 1
else
    tail -3 "$folder/log" >&2
    exit 2
fi
