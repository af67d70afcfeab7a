#!/usr/bin/env bash
# Proves the assertions of tb/sharing_lru_sva.sv, which determine every response, for every stream of requests and
# waits: to a number of cycles from reset; and for all time by induction with the invariant of
# tb/sharing_lru_invariant.svh, for a few sizes of both levels. Shows that wrong designs are refuted.
# Usage: formal-sharing_lru.sh CYCLES [quick]             quick: the smallest sizes only
#        formal-sharing_lru.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=sharing_lru
parameters=(Level Dead IndexW Ways SmW)
files="rtl/three_stages.sv rtl/largest.sv rtl/lru_rank.sv rtl/sram_1r1w.sv rtl/sram_1r1w_clear.sv"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
l1=(0 2 1 2 1) literal=(0 1 1 2 1) l2=(1 2 1 2 1)
all_assertions "${l1[@]}"
for size in "${l1[*]}" "${literal[*]}" "${l2[*]}"; do
    read -ra size <<<"$size"
    bounded rtl/sharing_lru.sv "$1" "${size[@]}"
    report $? "proven:  sharing_lru: $1 cycles from reset, any requests and waits, L$((size[0] + 1)), dead ${size[1]}: its assertions"
done

refuted 8 a_free "free_ways \& (~free_ways + LowestWay)" "free_ways" "all free ways taken at once" "${l1[@]}"
refuted 9 a_stays "chosen = oldest_other" "chosen = oldest" "plain LRU" "${l1[@]}"
refuted 9 "a_yields or a_victim or a_stays or a_bypass" "|(oldest \& stays \& dead) \&\&" "1'b0 \&\&" "dead lines that never go" "${l1[@]}"
refuted 9 a_stays "(YieldsToAny || !incoming_q)" "1'b1" "P1 broken: a dead private line goes for a shared one" "${literal[@]}"
refuted 9 a_bypass "!(|oldest_other) \&\& !incoming_q" "!(|oldest_other)" "a shared line that drives a private one out" "${l1[@]}"
refuted 9 a_died "!(|(oldest \& dead)) \&\& !takes_oldest" "!(|(oldest \& dead))" "a line that dies as it goes" "${l1[@]}"
refuted 10 "a_died or a_stays or a_yields or a_bypass or a_of_victim" "(dead \& ~changed)" "dead" "a hit that leaves its line dead" "${l1[@]}"
refuted 9 a_touch "owned \& ~of_sm \& ~shared" "owned \& ~shared" "a line shared by its owner" "${l2[@]}"
refuted 9 a_touch "({Ways{brings}} | ~owned)" "{Ways{brings}}" "a line that never gets an owner" "${l2[@]}"
refuted 9 a_touch "asked       = IsL2 \&\& known_q" "asked       = IsL2" "a host copy that shares" "${l2[@]}"
refuted 9 a_touch "clears     = fire \&\& (is_flush || is_reset)" "clears     = fire \&\& is_flush" "a RESET that keeps owners" "${l2[@]}"
refuted 8 a_answered ".request_valid_i (request_valid_i)" ".request_valid_i (request_valid_i \&\& op_i != FLUSH)" "a FLUSH not answered" "${l1[@]}"

sizes=("${l1[*]}" "${l2[*]}")
[ "${2:-}" = quick ] || sizes+=("${literal[*]}" "0 0 1 2 1" "0 2 2 3 1" "0 2 1 4 1" "1 1 1 3 2" "1 0 1 4 1" "1 2 1 1 1")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/sharing_lru.sv "${size[@]}"
    report $? "proven:  sharing_lru: for all time, by induction: L$((size[0] + 1)), dead ${size[1]}, $((1 << size[2])) sets of ${size[3]}, $((1 << size[4])) SMs"
done
wrong "write \&\& index_q == request_index_q" "write" && fails induction "$scratch/wrong.sv" "${l1[@]}"
report $? "refuted: sharing_lru: by induction: forwarded to another set"
exit "$failed"
