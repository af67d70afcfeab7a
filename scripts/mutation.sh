#!/usr/bin/env bash
# Mutates a block's RTL with Yosys, many mutants in one Verilated build, and lets the lockstep run
# find them. A survivor that Yosys proves equivalent to the RTL is set aside; any other is listed.
# Usage: mutation.sh BLOCK MUTANTS TRANSACTIONS    score = caught / not equivalent
set -euo pipefail
block=$1 mutants=$2 transactions=$3
folder=build/cosim/$block.mutation
mkdir -p "$folder"
rtl=$(echo rtl/*.sv)
"build/cosim/$block.generate" "$block" coverage "$folder/top.sv" "$folder/lanes.c"
options=$(sed -n '/lane_options/{n;s/^ *"\(.*\)",$/\1/p}' "$folder/lanes.c")
parameters=$(sed -n "s/^  ${block}_lane #(\(.*\)) lane_0 .*/\1/p" "$folder/top.sv" | head -1 |
    sed -E 's/, \./ ./g; s/\.([A-Za-z0-9_]+)\(([^)]*)\)/-chparam \1 \2/g')

yosys -q -p "read_verilog -sv $rtl; hierarchy -top $block $parameters; proc; flatten; opt; memory; opt
  rename -top $block; hierarchy -top $block; write_rtlil $folder/base.il
  mutate -list $mutants -seed 1 -ctrl mutant_i 32 1 -o $folder/list.ys"
yosys -q -p "read_rtlil $folder/base.il; script $folder/list.ys; opt_clean
  write_verilog -noattr $folder/mutants.v"
made=$(grep -c '^mutate ' "$folder/list.ys")
# The Verilog is written by Yosys: Verilator need not lint it.
scripts/cosim-build.sh "$block.mutation" "$block" "$block" "$options" "$folder/mutants.v" \
    "build/obj/cosim/stimulus/$block.o" "fixed mutants" "-Wno-lint -Wno-style -Wno-fatal" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; exit 1; }
build/goldmem-cosim "$block" --build "build/cosim/$block.mutation.so" --mutants "$made" \
    --transactions "$transactions" | tee "$folder/result"

# equivalent NUMBER: does Yosys prove this mutant equal to the RTL?
equivalent() {
    local mutation
    mutation=$(sed -n "${1}p" "$folder/list.ys" | sed -E "s/-ctrl mutant_i 32 [0-9]+//; s/-module \\\\?[^ ]+/-module gate/")
    yosys -q -p "read_rtlil $folder/base.il; copy $block gate; select -module gate; $mutation
      select -clear; equiv_make $block gate both; hierarchy -top both; async2sync; opt_clean
      equiv_simple -undef; equiv_induct -undef; equiv_status -assert" >"$folder/log" 2>&1
}

# The proof must not hold for a mutant that was caught.
caught=$(seq 1 "$made" | grep -vxFf <(sed -n 's/^survivor //p' "$folder/result") | head -1)
if equivalent "$caught"; then
    echo "$block: the equivalence proof holds for mutant $caught, which was caught" >&2
    exit 1
fi

alike=0 survivors=0
while read -r _ number; do
    if equivalent "$number"; then
        alike=$((alike + 1))
    else
        survivors=$((survivors + 1))
        echo "not caught, not proven equivalent: $(sed -n "${number}p" "$folder/list.ys")"
    fi
done < <(grep '^survivor' "$folder/result")
different=$((made - alike))
echo "$block: score $((different - survivors)) of $different mutants that differ ($alike proven equivalent)"
[ "$survivors" -eq 0 ]
