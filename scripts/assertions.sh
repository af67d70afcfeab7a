#!/usr/bin/env bash
# Shows that each assertion of tb/BLOCK_sva.sv can fail, and by which design: mutants of the RTL that Yosys makes, in simulation
# without the C model; for what the environment must keep, Yosys with any requests and Z3.
# Usage: assertions.sh BLOCK MUTANTS TRANSACTIONS
# Prints a line for each assertion; fails when one was never seen to fail.
set -euo pipefail
block=$1 mutants=$2 transactions=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
name=$block.assertions
folder=build/cosim/$name

"build/cosim/$block.generate" "$block" mutation "$scratch/top.sv" "$scratch/lanes.c"
mapfile -t instances < <(sed -n '/lane_options/,$s/^ *"\(.*\)",$/\1/p' "$scratch/lanes.c")
for lane in "${!instances[@]}"; do
    scripts/mutation-build.sh "$name" "$block" mutation "$lane" "${instances[lane]}" "$mutants"
    sed 's/-chparam/-set/g' "$folder/parameters" >"$scratch/parameters.$lane"
    build/goldmem-cosim "$block" --build "build/cosim/$name.so" --mutants "$(grep -c '^mutate ' "$folder/list.ys")" \
        --transactions "$transactions" --alone >"$scratch/fired"
    # ASSERTION: the first mutant that made it fire
    sed -n 's/^mutant \([0-9]*\): /\1 /p' "$scratch/fired" | sort -k2,2 -k1,1n | sort -u -k2,2 | while read -r number assertion; do
        echo "$assertion $(sed -n "${number}p" "$folder/list.ys" | sed -E 's/-ctrl mutant_i 32 [0-9]+//; s/ +-module [^ ]+//')"
    done
done >"$scratch/seen"

# only ASSERTION: succeeds if Z3 finds requests to one of the instances that make it fail, with the other assertions away:
# requests may change while they wait, and the RTL is changed as tests/assertions.txt says
only() {
    local lane
    for lane in "${!instances[@]}"; do
        only_in "$1" "$(cat "$scratch/parameters.$lane")" && return
    done
    return 1
}

only_in() { # ASSERTION VALUES
    local values=$2 change index
    change=$(sed -n "s/^$block $1 | //p" tests/assertions.txt)
    sed -E "s/\b(a_[a-z_]+): assert \(/\1: cover (/; s/\b$1: cover \(/$1: assert (/" "tb/${block}_sva.sv" >"$scratch/sva.sv"
    sed "$change" "rtl/$block.sv" >"$scratch/$block.sv"
    [ -z "$change" ] || ! cmp -s "rtl/$block.sv" "$scratch/$block.sv" || return 1
    "build/cosim/$block.generate" formal | grep -v 'assume (request_valid_i' >"$scratch/formal.sv"
    # shellcheck disable=SC2046  # files are words
    yosys -q -p "read_verilog -sv -Irtl -defer $scratch/$block.sv $(echo rtl/*.sv | tr ' ' '\n' | grep -vx "rtl/$block.sv" | paste -sd' ')
      read_verilog -sv -formal -Irtl -Itb -defer $scratch/sva.sv $(find tb -name "${block}_cover.sv") tb/request_queue.sv
      read_verilog -sv -formal -Irtl $scratch/formal.sv; chparam $values ${block}_formal; hierarchy -top ${block}_formal; proc; flatten
      delete t:\$cover; memory_map; async2sync; opt; dffunmap; write_smt2 -wires $scratch/block.smt2" >"$scratch/log" 2>&1 || return 1
    for index in 4 8 10 14 18; do
        timeout 300 yosys-smtbmc --noprogress --unroll -s z3 -t "$index" "$scratch/block.smt2" >"$scratch/log" 2>&1
        grep -q "Assert failed in .*sva\.$1" "$scratch/log" && return
    done
    return 1
}

failed=0
mapfile -t assertions < <(grep -oE '\ba_[a-z_]+: assert ' "tb/${block}_sva.sv" | sed 's/: .*//' | sort -u)
for assertion in "${assertions[@]}"; do
    if grep -q "^$assertion " "$scratch/seen"; then
        echo "refuted: $block: $assertion: $(grep -m1 "^$assertion " "$scratch/seen" | cut -d' ' -f2-)"
    elif only "$assertion"; then
        echo "refuted: $block: $assertion: $(sed -n "s/^$block $assertion | /RTL with /p" tests/assertions.txt | grep . || echo "a request that the environment may not make")"
    else
        echo "NOT SEEN: $block: $assertion"
        failed=1
    fi
done
exit "$failed"
