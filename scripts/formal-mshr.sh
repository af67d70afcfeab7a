#!/usr/bin/env bash
# Proves the assertions of tb/mshr_sva.sv for every stream of requests and waits from reset, a number
# of cycles deep, on a table of two entries of two requesters and two lines; and that wrong designs
# are refuted. One line for each, and a failure when one does not hold.
# Usage: formal-mshr.sh CYCLES
set -uo pipefail
cycles=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# bounded RTL CYCLES
bounded() {
    yosys -q -p "read_verilog -sv -formal $1 rtl/sram_1r1w.sv tb/mshr_sva.sv tb/mshr_formal.sv
      hierarchy -top mshr_formal; proc; flatten; memory_map; async2sync; opt; dffunmap
      write_smt2 -wires $scratch/block.smt2" >"$scratch/log" 2>&1 &&
        timeout 300 yosys-smtbmc --noprogress --unroll -s z3 -t "$2" "$scratch/block.smt2" >"$scratch/log" 2>&1
}

report() { # STATUS TEXT
    if [ "$1" -eq 0 ]; then
        echo "$2"
    else
        echo "FAILED:  $2"
        sed 's/^/    /' "$scratch/log"
        failed=1
    fi
}

# refuted ASSERTION FROM TO WHAT: the RTL with FROM replaced by TO makes the assertion fire
refuted() {
    sed "s/$2/$3/" rtl/mshr.sv >"$scratch/wrong.sv"
    ! cmp -s rtl/mshr.sv "$scratch/wrong.sv" && ! bounded "$scratch/wrong.sv" 8 &&
        grep -q "Assert failed in mshr_formal: sva.$1" "$scratch/log"
    report $? "refuted: mshr: $4 ($1)"
}

source_asserts=$(grep -cE '^ *a_[a-z_]+: assert \(' tb/mshr_sva.sv)
yosys_asserts=$(yosys -p "read_verilog -sv -formal tb/mshr_sva.sv; hierarchy -top mshr_sva; proc; stat" |
    awk '$1 == "$assert" {n = $2} END {print n + 0}')
echo "source $source_asserts, Yosys $yosys_asserts" >"$scratch/log"
[ "$source_asserts" -gt 0 ] && [ "$source_asserts" -eq "$yosys_asserts" ]
report $? "proven:  mshr: Yosys sees all $source_asserts assertions of the source"

bounded rtl/mshr.sv "$cycles"
report $? "proven:  mshr: $cycles cycles from reset, any requests and waits: its $source_asserts assertions"

refuted a_install "op_q == CLOSE)}} & chosen" "1'b0)}} \& chosen" "CLOSE closes nothing"
refuted a_new "!may_allocate_q" "1'b0" "a miss without room for it"
refuted a_delivered "chosen_oldest + 1'b1" "chosen_oldest" "a requester answered twice"
exit $failed
