#!/usr/bin/env bash
# Proves the assertions of tb/mshr_sva.sv for every stream of requests and waits: to a number of cycles from
# reset; and for all time by induction with the invariant of tb/mshr_invariant.svh, on
# tables of a few sizes. Shows that wrong designs are refuted.
# Usage: formal-mshr.sh CYCLES [quick]             quick: the smallest table, and only faults that show early
#        formal-mshr.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=mshr
parameters=(Entries Merges LineW RequesterW)
files="rtl/sram_1r1w.sv"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(2 2 1 1)
all_assertions "${smallest[@]}"
bounded rtl/mshr.sv "$1" "${smallest[@]}"
report $? "proven:  mshr: $1 cycles from reset, any requests and waits: its assertions"

refuted 8 a_install "delivers && |(chosen & open_q)" "delivers" "a closed entry installs" "${smallest[@]}"
refuted 8 a_new "!may_allocate_q" "1'b0" "a miss without room for it" "${smallest[@]}"
[ "${2:-}" = quick ] ||
    refuted 8 a_delivered "chosen_oldest + 1'b1" "chosen_oldest" "a requester answered twice" "${smallest[@]}"
refuted 8 a_delivered "allocates ? free_id : chosen_id" "chosen_id" "a requester put into another's slot" "${smallest[@]}"
refuted 8 a_answered "response_valid_o <= stage_valid_q" "response_valid_o <= stage_valid_q \&\& !error_o" "a request lost" "${smallest[@]}"

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("2 2 2 2" "3 2 2 2" "3 3 2 2")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/mshr.sv "${size[@]}"
    report $? "proven:  mshr: for all time, by induction: ${size[0]} entries of ${size[1]}, ${size[2]} line bits, ${size[3]} requester bits"
done

# A fault that shows only after more cycles from reset than the bound is refuted by induction.
wrong "is_full || has_two" "is_full"
if [ "${2:-}" != quick ]; then
    bounded "$scratch/wrong.sv" 6 3 2 1 1
    report $? "not seen: mshr: a third entry of a line, 6 cycles from reset"
fi
fails induction "$scratch/wrong.sv" 3 2 1 1
report $? "refuted: mshr: by induction: a third entry of a line"
exit "$failed"
