#!/usr/bin/env bash
# Proves the assertions of tb/warp_limiter_sva.sv, which determine every response, for every stream of
# requests and waits: to a number of cycles from reset; and for all time by induction with the invariant
# of tb/warp_limiter_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-warp_limiter.sh CYCLES [quick]             quick: the smallest size only
#        formal-warp_limiter.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=warp_limiter
parameters=(Warps)
files="rtl/count_tree.sv"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(3)
all_assertions "${smallest[@]}"
bounded rtl/warp_limiter.sv "$1" "${smallest[@]}"
report $? "proven:  warp_limiter: $1 cycles from reset, any requests and waits: its assertions"

refuted 8 "a_allows or a_forbids or a_number" "older_q\[Pair\] \&\& !admit_q\[j\]" "older_q[Pair]" "an admitted warp that stays older" "${smallest[@]}"
refuted 8 "a_allows or a_forbids or a_number" "admit_q\[i\] ||" "" "an admitted warp that does not become younger" "${smallest[@]}"
refuted 8 "a_allows or a_forbids or a_number" "number < limit;" "number <= limit;" "one warp too many" "${smallest[@]}"
refuted 8 "a_allows or a_forbids or a_number" "\& ~hold_q" "" "warps that are never held" "${smallest[@]}"
refuted 8 "a_allows or a_forbids or a_number" "| admit_q | resume_q" "| resume_q" "admitted warps that do not count" "${smallest[@]}"
refuted 8 "a_allows or a_forbids or a_number" "sets_q ? new_limit_q : limit_q" "new_limit_q" "a limit that is always set" "${smallest[@]}"
refuted 8 "a_allows or a_forbids or a_number" "limit_q  <= All\[LimitW-1:0\]" "limit_q <= {LimitW{1'b0}}" "a limit of 0 after reset" "${smallest[@]}"

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=(2 4 5)
for size in "${sizes[@]}"; do
    induction rtl/warp_limiter.sv "$size"
    report $? "proven:  warp_limiter: for all time, by induction: $size warps"
done
# A fault that shows only after more cycles from reset than the bound is refuted by induction.
wrong "admit_q\[i\] ||" "(admit_q[i] \&\& !(\&counts_q)) ||" &&
    bounded "$scratch/wrong.sv" 3 "${smallest[@]}"
report $? "not seen: warp_limiter: an admission that is lost when all count, 3 cycles from reset"
fails induction "$scratch/wrong.sv" "${smallest[@]}"
report $? "refuted: warp_limiter: by induction: an admission that is lost when all count"
exit "$failed"
