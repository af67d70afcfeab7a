#!/usr/bin/env bash
# Builds mutants of a block's RTL that Yosys makes, in one lockstep build, selected by an input.
# Usage: mutation-build.sh NAME BLOCK SUITE LANE OPTIONS MUTANTS
# Instance LANE, with OPTIONS, of SUITE. Writes build/cosim/NAME/base.il (the netlist, with memories as such at the shipped
# size, else as flops; without registers that these parameters let keep the value of their reset), list.ys (a mutant a line),
# parameters (as Yosys options), and build/cosim/NAME.so.
set -euo pipefail
name=$1 block=$2 suite=$3 lane=$4 options=$5 mutants=$6
folder=build/cosim/$name
mkdir -p "$folder"
rtl=$(echo rtl/*.sv)
"build/cosim/$block.generate" "$block" "$suite" "$folder/top.sv" "$folder/lanes.c"
sed -n "s/^  ${block}_lane #(\(.*\)) lane_$lane .*/\1/p" "$folder/top.sv" | head -1 |
    sed -E 's/, \./ ./g; s/\.([A-Za-z0-9_]+)\(([^)]*)\)/-chparam \1 \2/g' >"$folder/parameters"
memory=memory
if [ "$suite" = shipped ]; then memory="memory -nomap"; fi
yosys -q -p "read_verilog -sv -Irtl $rtl; hierarchy -top $block $(cat "$folder/parameters"); proc; flatten; opt; $memory; opt
  opt_dff -sat; opt
  rename -top $block; hierarchy -top $block; write_rtlil $folder/base.il
  mutate -list $mutants -seed 1 -ctrl mutant_i 32 1 -o $folder/list.ys"
yosys -q -p "read_rtlil $folder/base.il; script $folder/list.ys; opt_clean
  write_verilog -noattr $folder/mutants.v"
# Yosys says that a case is parallel, which Verilator would check before its inputs have settled.
sed -i 's,// synopsys parallel_case,,' "$folder/mutants.v"
# Yosys writes the Verilog, a mutant may have a clock or reset of its own: Verilator does not lint it.
scripts/cosim-build.sh "$name" "$block" "$block" "$options" "$folder/mutants.v" \
    "build/obj/cosim/stimulus/$block.o" "fixed mutants" "-Wno-lint -Wno-style -Wno-UNOPTFLAT -Wno-MULTIDRIVEN" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; exit 1; }
