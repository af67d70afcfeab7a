#!/usr/bin/env bash
# Proves set_index's RTL equal to its matrix with Yosys and Z3. Prints one line for each proof; fails
# when one does not hold or a wrong design is not refuted.
# Usage: formal-set_index.sh [quick]     quick: the linear argument on make test's configurations only
set -uo pipefail
suite=full
[ "${1:-}" = quick ] && suite=quick
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rtl="rtl/set_index.sv rtl/set_index_network.sv"
formal="$rtl tb/set_index_sva.sv tb/set_index_formal.sv tb/set_index_reference.sv"
failed=0

proven() { # TEXT: the last command succeeded
    local status=$?
    if [ $status -eq 0 ]; then echo "proven:  $1"; else fail "$1"; fi
}

refuted() { # TEXT WORDS: the last command failed, and said WORDS
    local status=$?
    if [ $status -ne 0 ] && grep -q "$2" "$scratch/log"; then echo "refuted: $1"; else fail "$1"; fi
}

fail() {
    echo "FAILED:  $1"
    sed 's/^/    /' "$scratch/log"
    failed=1
}

# rows FUNCTION SETS ADDRESS_BITS: the C model's matrix as a Verilog literal
rows() {
    local bits
    bits=$(build/goldmem index --matrix --sets "$2" --address-bits "$3" "$1" | grep -v '#' | tac | tr -d '\n')
    echo "${#bits}'b$bits"
}

# wrong LITERAL: the literal with its last tap inverted
wrong() { case $1 in *0) echo "${1%0}1" ;; *) echo "${1%1}0" ;; esac; }

# network ROWS LINE_W INDEX_W POLYNOMIAL MATRIX: full SAT, the RTL's forward network against the matrix
network() {
    timeout 300 yosys -q -p "read_verilog -sv -Irtl $rtl tb/set_index_reference.sv
      chparam -set LineW $2 -set IndexW $3 -set Polynomial $4 -set Matrix $5 set_index_network
      chparam -set LineW $2 -set IndexW $3 -set Rows $1 set_index_reference
      proc; delete set_index; delete -port set_index_network/inverse_*; opt_clean
      miter -equiv -flatten -make_assert set_index_network set_index_reference m
      hierarchy -top m; techmap; opt; sat -verify -prove-asserts m" >"$scratch/log" 2>&1
}

# bounded ROWS LINE_W INDEX_W POLYNOMIAL CYCLES: the whole block with its checkers, from reset
bounded() {
    yosys -q -p "read_verilog -sv -formal -Irtl $formal
      chparam -set LineW $2 -set IndexW $3 -set Polynomial $4 -set Rows $1 set_index_formal
      hierarchy -top set_index_formal; proc; async2sync; opt; dffunmap
      write_smt2 -wires $scratch/block.smt2" >"$scratch/log" 2>&1 &&
        timeout 300 yosys-smtbmc --noprogress --unroll -s z3 -t "$5" "$scratch/block.smt2" >"$scratch/log" 2>&1
}

# Yosys sees every assertion of the source.
source_asserts=$(cat tb/set_index_sva.sv tb/set_index_formal.sv | grep -cE '^ *[ap]_[a-z_]+: assert \(')
yosys_asserts=$(yosys -p "read_verilog -sv -formal -Irtl $formal; hierarchy -top set_index_formal; proc; flatten; stat" |
    awk '$1 == "$assert" {n = $2} END {print n + 0}')
echo "source $source_asserts, Yosys $yosys_asserts" >"$scratch/log"
[ "$source_asserts" -gt 0 ] && [ "$source_asserts" -eq "$yosys_asserts" ]
proven "Yosys sees all $source_asserts assertions of the source"
yosys_asserts=$(sed 's/a_tag: assert/a_tag: cover/' tb/set_index_sva.sv >"$scratch/sva.sv"
    yosys -p "read_verilog -sv -formal -Irtl ${formal/tb\/set_index_sva.sv/$scratch/sva.sv}
      hierarchy -top set_index_formal; proc; flatten; stat" | awk '$1 == "$assert" {n = $2} END {print n + 0}')
[ "$source_asserts" -ne "$yosys_asserts" ]
proven "a lost assertion is noticed"

paper=$(rows ipoly:37 32 27)
network "$paper" 20 5 37 0
proven "full SAT: ipoly(37) over A[26:7] (Figure 7) is its matrix"
network "$(wrong "$paper")" 20 5 37 0
refuted "full SAT: a wrong tap" "proof did fail"
network "$(rows ipoly:13 8 32)" 25 3 13 0
proven "full SAT: ipoly(13) over A[31:7] (Figure 5) is its matrix"
fermi=$(rows fermi 32 32)
network "$fermi" 25 5 0 "$fermi"
proven "full SAT: fermi over A[31:7] is its matrix"
fermi=$(rows fermi 64 32)
network "$fermi" 25 6 0 "$fermi"
proven "full SAT: fermi of 64 sets over A[31:7] is its matrix"

bounded "$(rows ipoly:7 4 13)" 6 2 7 10
proven "10 cycles from reset, any requests and waits: ipoly(7), 6 line bits, with its checkers"
bounded "$paper" 20 5 37 6
proven "6 cycles from reset, any requests and waits: ipoly(37) over A[26:7], with its checkers"
bounded "$(wrong "$paper")" 20 5 37 6
refuted "6 cycles from reset: a wrong tap makes p_index fire" "Assert failed in set_index_formal: p_index"

build/cosim/set_index.generate set_index "$suite" "$scratch/top.sv" "$scratch/lanes.c"
scripts/formal-linear.py "$scratch/lanes.c" "$scratch/top.sv" >"$scratch/log" 2>&1
proven "linear: forward is the matrix, inverse after forward is the identity"
tail -1 "$scratch/log"
build/cosim/set_index.generate set_index coverage "$scratch/top.sv" "$scratch/lanes.c"
scripts/formal-linear.py "$scratch/lanes.c" "$scratch/top.sv" --flip >"$scratch/log" 2>&1
refuted "linear: a wrong tap" "2 configurations, 2 differ"

for network in "ipoly:37 32 27" "ipoly:37 32 49" "ipoly:67 64 49" "fold 128 49"; do
    read -r function sets bits <<<"$network"
    build/goldmem gates --restarts 5 --sets "$sets" --address-bits "$bits" --emit "$scratch/shared.sv" \
        --module shared "$function" >"$scratch/log" 2>&1 &&
        scripts/formal-linear.py --module "$scratch/shared.sv" shared "$function" "$sets" "$bits" >>"$scratch/log" 2>&1
    proven "linear: the shared network of $function, $sets sets, $bits address bits, is the matrix"
done
build/goldmem gates --restarts 5 --address-bits 27 --emit "$scratch/shared.sv" --module shared ipoly:37 >/dev/null
for literal in "$paper" "$(wrong "$paper")"; do
    timeout 300 yosys -q -p "read_verilog -sv -Irtl tb/set_index_reference.sv $scratch/shared.sv
      chparam -set LineW 20 -set IndexW 5 -set Rows $literal set_index_reference; proc; opt
      miter -equiv -flatten -make_assert set_index_reference shared m
      hierarchy -top m; techmap; opt; sat -verify -prove-asserts m" >"$scratch/log" 2>&1
    if [ "$literal" = "$paper" ]; then
        proven "full SAT: the shared network of ipoly(37) over A[26:7] is the matrix"
    else
        refuted "full SAT: the shared network against a wrong tap" "proof did fail"
    fi
done
exit $failed
