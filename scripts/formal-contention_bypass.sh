#!/usr/bin/env bash
# Proves the assertions of tb/contention_bypass_sva.sv, which determine every response, for every stream of
# requests and waits: to a number of cycles from reset; and for all time by induction with the invariant
# of tb/contention_bypass_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-contention_bypass.sh CYCLES [quick]             quick: the smallest size only
#        formal-contention_bypass.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=contention_bypass
parameters=(Touched Warps Lines)
files=""
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(3 3 7)
all_assertions "${smallest[@]}"
bounded rtl/contention_bypass.sv "$1" "${smallest[@]}"
report $? "proven:  contention_bypass: $1 cycles from reset, any requests and waits: its assertions"

refuted 8 "a_fills" "is_scattered \&\&" "" "loads of one line that bypass" "${smallest[@]}"
refuted 8 "a_bypasses" ">> 1);" ">> 2);" "loads of few lines that never bypass" "${smallest[@]}"
refuted 8 "a_bypasses" " + {{TouchedW{1'b0}}, warps_q}" "" "one line too many" "${smallest[@]}"
refuted 8 "a_fills" "needed} > " "needed} >= " "one line too few" "${smallest[@]}"
refuted 8 "a_bypasses" "TouchedW + WarpW;" "TouchedW + WarpW - 1;" "a product with too few bits" "${smallest[@]}"
refuted 8 "a_response_stable" "valid_q \&\& response_moves" "valid_q" "a response that changes while it waits" "${smallest[@]}"

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("1 1 1" "5 4 9" "15 8 40")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/contention_bypass.sv "${size[@]}"
    report $? "proven:  contention_bypass: for all time, by induction: ${size[0]} lines touched, ${size[1]} warps, ${size[2]} lines"
done
exit "$failed"
