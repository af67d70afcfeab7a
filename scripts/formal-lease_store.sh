#!/usr/bin/env bash
# Proves the assertions of tb/lease_store_sva.sv, which determine every response, for every stream of requests
# and waits: to a number of cycles from reset; and for all time by induction with the invariant
# of tb/lease_store_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-lease_store.sh CYCLES [quick]             quick: the smallest size only
#        formal-lease_store.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=lease_store
parameters=(Entries LineW TimeW)
files="rtl/three_stages.sv rtl/max_tree.sv rtl/count_tree.sv"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(2 1 2)
all_assertions "${smallest[@]}"
bounded rtl/lease_store.sv "$1" "${smallest[@]}"
report $? "proven:  lease_store: $1 cycles from reset, any requests and waits: its assertions"

any="a_done or a_found or a_lease or a_used or a_next or a_unexpired"
refuted 8 "$any" "+:TimeW\] >= now_q" "+:TimeW] > now_q" "a lease past at its own time" "${smallest[@]}"
refuted 8 "$any" "request_lease_q < now_q" "request_lease_q <= now_q" "a PUT of a lease at the time left out" "${smallest[@]}"
refuted 8 "$any" "named \& is_lower \&" "named \&" "a PUT that lowers a lease" "${smallest[@]}"
refuted 8 "$any" "may_q \&\& !(\&keeps)" "!(\&keeps)" "a PUT without permission" "${smallest[@]}"
refuted 8 "$any" "(named \& {Entries{is_take}}) |" "" "a TAKE that leaves the lease" "${smallest[@]}"
refuted 8 "$any" "(keeps | take) \& ~leave" "(keeps | take | (valid_q \& {Entries{is_take}})) \& ~leave" "a TAKE that expires nothing" "${smallest[@]}"
refuted 8 "$any" "!is_past \&\& !has_line" "!is_past" "a second entry of a line" 2 1 2

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("1 1 2" "3 2 3")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/lease_store.sv "${size[@]}"
    report $? "proven:  lease_store: for all time, by induction: ${size[0]} entries, lines of ${size[1]} bits, times of ${size[2]} bits"
done
# A fault that shows only after more cycles from reset than the bound is refuted by induction.
wrong "!(\&keeps)" "!(\&keeps[Entries-2:0])" &&
    bounded "$scratch/wrong.sv" 5 3 2 3
report $? "not seen: lease_store: the last entry is never used, 5 cycles from reset"
fails induction "$scratch/wrong.sv" 3 2 3
report $? "refuted: lease_store: by induction: the last entry is never used"
exit "$failed"
