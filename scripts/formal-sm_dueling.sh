#!/usr/bin/env bash
# Proves the assertions of tb/sm_dueling_sva.sv, which determine every response, for every stream of requests
# and waits: to a number of cycles from reset; and for all time by induction with the invariant
# of tb/sm_dueling_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-sm_dueling.sh CYCLES [quick]             quick: the smallest size only
#        formal-sm_dueling.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=sm_dueling
parameters=(Interval CountW Difference Hysteresis Period)
files=""
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(2 1 10 0 2)
all_assertions "${smallest[@]}"
bounded rtl/sm_dueling.sv "$1" "${smallest[@]}"
report $? "proven:  sm_dueling: $1 cycles from reset, any requests and waits: its assertions"

refuted 8 a_left "later >= {1'b0, Whole}" "later > {1'b0, Whole}" "an interval one too long" "${smallest[@]}"
refuted 8 a_decided "&& accesses_1 != {CountW{1'b0}}" "" "a decision without accesses of SM1" "${smallest[@]}"
refuted 8 "a_better or a_worse" "decides \&\& is_worse" "decides \&\& rate_0 > rate_1 - margin" "better, but worse" 2 2 10 0 2
refuted 8 a_sampling "phase_q != LastPhase" "1'b1" "a period one too long" 1 1 10 0 3
refuted 8 a_decided "counts     = samples \&\&" "counts     =" "accesses count while nothing is sampled" "${smallest[@]}"
refuted 8 a_sampling "sampling_o  <= phase ==" "sampling_o  <= phase_q ==" "the sampling interval told one too late" "${smallest[@]}"
refuted 8 a_answered "response_valid_o <= valid_q" "response_valid_o <= valid_q \&\& !decoupled" "a request lost" "${smallest[@]}"

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("5 2 10 0 1" "5 2 34 1 3" "6 3 25 0 5")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/sm_dueling.sv "${size[@]}"
    report $? "proven:  sm_dueling: for all time, by induction: interval ${size[0]}, counts of ${size[1]} bits, threshold ${size[2]}%, hysteresis ${size[3]}, period ${size[4]}"
done
# A fault that shows only after more cycles from reset than the bound is refuted by induction.
wrong "samples \&\& (sm_q ? accesses_1 : accesses_0)" "samples \&\& accesses_0" &&
    bounded "$scratch/wrong.sv" 6 20 4 10 0 1
report $? "not seen: sm_dueling: SM1 stops counting with SM0, 6 cycles from reset"
fails induction "$scratch/wrong.sv" 20 4 10 0 1
report $? "refuted: sm_dueling: by induction: SM1 stops counting with SM0"
wrong "&& phase_q != LastPhase" "" &&
    bounded "$scratch/wrong.sv" 6 1 1 10 0 11
report $? "not seen: sm_dueling: a period of 16 intervals in place of 11, 6 cycles from reset"
fails induction "$scratch/wrong.sv" 1 1 10 0 11
report $? "refuted: sm_dueling: by induction: a period of 16 intervals in place of 11"
exit "$failed"
