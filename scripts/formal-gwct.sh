#!/usr/bin/env bash
# Proves the assertions of tb/gwct_sva.sv, which determine every response, for every stream of requests
# and waits: to a number of cycles from reset; and for all time by induction with the invariant
# of tb/gwct_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-gwct.sh CYCLES [quick]             quick: the smallest size only
#        formal-gwct.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=gwct
parameters=(Warps CountW TimeW)
files="rtl/three_stages.sv rtl/max_tree.sv"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(2 1 2) odd=(3 2 3)
all_assertions "${smallest[@]}"
bounded rtl/gwct.sv "$1" "${smallest[@]}"
report $? "proven:  gwct: $1 cycles from reset, any requests and waits: its assertions"

refuted 8 a_refused "store_q ? full_stores : full_loads" "store_q ? full_loads : full_stores" "the limit of the other count" "${smallest[@]}"
refuted 8 a_error "(is_issue || is_raise) \&\&" "is_issue \&\&" "a RAISE of a warp that is not there" "${odd[@]}"
refuted 8 "a_waits or a_complete or a_ready" "latest_q >= fence_now_q" "latest_q > fence_now_q" "ready at the time of a GWCT" "${smallest[@]}"
refuted 8 a_left "- fence_now_q + 1'b1" "- fence_now_q" "a wait one cycle too short" "${smallest[@]}"
refuted 8 "a_waits or a_complete or a_ready or a_left" "gwct_epoch_q == epoch_q" "1'b1" "a GWCT of another epoch" "${smallest[@]}"
refuted 8 "a_waits or a_complete or a_ready" "has_loads | has_stores" "has_stores" "a FENCE that ignores loads" "${smallest[@]}"
refuted 8 "a_waits or a_complete or a_ready or a_left" "raises \&\& is_later\[w\]" "raises" "the newest GWCT in place of the largest" "${smallest[@]}"
refuted 8 "a_waits or a_complete or a_ready or a_left" "All << last_q) << 1" "All << last_q)" "a FENCE without its last warp" "${smallest[@]}"

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("1 1 2" "${odd[*]}" "4 1 3")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/gwct.sv "${size[@]}"
    report $? "proven:  gwct: for all time, by induction: ${size[0]} warps, counts of ${size[1]} bits, times of ${size[2]} bits"
done
# A fault that shows only after more cycles from reset than the bound is refuted by induction.
wrong "= is_issue \&\& !is_refused" "= is_issue \&\& !is_refused \&\& !(\&full_loads[1:0])" &&
    bounded "$scratch/wrong.sv" 6 2 2 2
report $? "not seen: gwct: stores uncounted while all loads are at their limit, 6 cycles from reset"
fails induction "$scratch/wrong.sv" 2 2 2
report $? "refuted: gwct: by induction: stores uncounted while all loads are at their limit"
exit "$failed"
