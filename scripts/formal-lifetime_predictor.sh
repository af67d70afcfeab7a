#!/usr/bin/env bash
# Proves the assertions of tb/lifetime_predictor_sva.sv, which determine every response, for every stream of
# requests and waits: to a number of cycles from reset; and for all time by induction with the invariant
# of tb/lifetime_predictor_invariant.svh, for a few sizes and the default. Shows that wrong designs are refuted.
# Usage: formal-lifetime_predictor.sh CYCLES [quick]             quick: the smallest size only
#        formal-lifetime_predictor.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=lifetime_predictor
parameters=(LifeW Hit Evict Write Max Start)
files=""
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(3 2 3 1 6 4)
all_assertions "${smallest[@]}"
bounded rtl/lifetime_predictor.sv "$1" "${smallest[@]}"
report $? "proven:  lifetime_predictor: $1 cycles from reset, any requests and waits: its assertions"

refuted 8 "a_longer or a_range" "longer > {1'b0, Last}" "longer[LifeW]" "a lifetime above Max" 3 2 3 1 5 4
refuted 8 "a_shorter or a_range" "shorter\[LifeW\] ?" "shorter[LifeW] \&\& op_q != EVICT ?" "an eviction to below 0" "${smallest[@]}"
refuted 8 a_longer "expired_l1_i || expired_l2_i" "expired_l1_i" "an expired L2 line ignored" "${smallest[@]}"
refuted 8 a_keeps "== STORE \&\& fenced_q" "== STORE" "stores shorten without fences" "${smallest[@]}"
refuted 8 a_shorter "op_q == EVICT ? EvictBits" "op_q == STORE ? EvictBits" "Evict and Write exchanged" "${smallest[@]}"
refuted 8 a_keeps "fenced_q || op_q == FENCED) \&\& !is_reset" "fenced_q || op_q == FENCED)" "a RESET that keeps the fence" "${smallest[@]}"
refuted 8 a_reset "op_q >= RESET" "op_q == RESET" "operations 5 to 7" "${smallest[@]}"

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("1 1 1 1 1 0" "5 3 4 5 27 9" "13 4 8 8 6400 800")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/lifetime_predictor.sv "${size[@]}"
    report $? "proven:  lifetime_predictor: for all time, by induction: ${size[0]} bits, steps ${size[1]}, ${size[2]}, ${size[3]}, range 0 to ${size[4]}, start ${size[5]}"
done
# A fault that shows only after more cycles from reset than the bound is refuted by induction.
wrong "longer > {1'b0, Last}" "longer[LifeW]" &&
    bounded "$scratch/wrong.sv" 6 13 4 8 8 6400 800
report $? "not seen: lifetime_predictor: a lifetime above 6400, 6 cycles from reset"
fails induction "$scratch/wrong.sv" 13 4 8 8 6400 800
report $? "refuted: lifetime_predictor: by induction: a lifetime above 6400"
exit "$failed"
