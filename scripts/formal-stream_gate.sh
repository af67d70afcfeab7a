#!/usr/bin/env bash
# Proves the assertions of tb/stream_gate_sva.sv, which determine every response, for every stream of
# requests and waits: to a number of cycles from reset; and for all time by induction with the invariant
# of tb/stream_gate_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-stream_gate.sh CYCLES [quick]             quick: the smallest size only
#        formal-stream_gate.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=stream_gate
parameters=(CountW Threshold Least)
files=""
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(2 50 2)
all_assertions "${smallest[@]}"
bounded rtl/stream_gate.sv "$1" "${smallest[@]}"
report $? "proven:  stream_gate: $1 cycles from reset, any requests and waits: its assertions"

refuted 8 a_counts "op_q == ACCESS \&\& !(\&accesses_q)" "op_q == ACCESS" "counts that wrap" "${smallest[@]}"
refuted 8 a_counts "counts \&\& miss_q ?" "op_q == ACCESS \&\& miss_q ?" "misses that go on at the limit" 1 50 1
refuted 8 a_ended "restarts ? {CountW{1'b0}} : misses;" "ends ? {CountW{1'b0}} : misses;" "a PERIOD that answers counts of 0" "${smallest[@]}"
refuted 8 a_closes "decides \&\& !excess_q\[ExcessW-1\] \&\& excess_q != {ExcessW{1'b0}}" "1'b0" "a gate that never closes" "${smallest[@]}"
refuted 9 a_opens "!hot_q \&\& (above" "(above" "a hot period that does not open" "${smallest[@]}"
refuted 9 a_keeps "accesses_q >= Fewest" "1'b1" "a decision of too few accesses" "${smallest[@]}"
refuted 9 a_keeps " \&\& excess_q != {ExcessW{1'b0}}" "" "a gate that closes at the threshold" "${smallest[@]}"
refuted 9 a_restarts "restarts = op_q\[1\]" "restarts = op_q == RESTART" "operation 3" "${smallest[@]}"

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("1 1 1" "4 75 3" "6 90 20")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/stream_gate.sv "${size[@]}"
    report $? "proven:  stream_gate: for all time, by induction: counts of ${size[0]} bits, threshold ${size[1]}%, ${size[2]} accesses or more"
done
# A fault that shows only after more cycles from reset than the bound is refuted by induction.
wrong "!(\&accesses_q)" "1'b1" &&
    bounded "$scratch/wrong.sv" 6 6 90 20
report $? "not seen: stream_gate: counts that wrap, 6 cycles from reset"
fails induction "$scratch/wrong.sv" 6 90 20
report $? "refuted: stream_gate: by induction: counts that wrap"
exit "$failed"
