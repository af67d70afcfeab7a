#!/usr/bin/env bash
# Proves the assertions of tb/tc_l2_sva.sv, which determine every response, for every stream of requests and
# waits: to a number of cycles from reset; and for all time by induction with the invariant of
# tb/tc_l2_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-tc_l2.sh CYCLES [quick]             quick: fewer sizes
#        formal-tc_l2.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=tc_l2
parameters=(Slots Sms TimeW Strong Printed Visible)
files="rtl/three_stages.sv rtl/sram_1r1w_clear.sv"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi

weak=(2 2 2 0 0 0) visible=(2 2 2 0 0 1)
all_assertions "${weak[@]}"
bounded rtl/tc_l2.sv "$1" "${weak[@]}"
report $? "proven:  tc_l2: $1 cycles from reset, any requests and waits: its assertions"
while IFS="@" read -r from to what assertion; do
    refuted 8 "$assertion" "$from" "$to" "$what" "${weak[@]}"
done <<'END'
now_q > lease;@now_q >= lease;@a lease that ends a cycle early@a_was or a_evict
lease == timestamp_q \&\&@@a private write with an old copy@a_upgr or a_private
END

sizes=("${weak[*]}" "${visible[*]}")
[ "${2:-}" = quick ] || sizes+=("2 2 2 1 0 0" "3 3 2 0 1 1" "2 2 2 0 2 1" "2 2 2 1 4 1" "1 4 3 0 7 1" "2 3 3 0 0 1")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/tc_l2.sv "${size[@]}"
    report $? "proven:  tc_l2: for all time, by induction: ${size[0]} slots, ${size[1]} SMs, times of ${size[2]} bits, strong ${size[3]}, printed ${size[4]}, visible ${size[5]}"
done

while IFS="@" read -r from to what; do
    wrong "$from" "$to" && fails induction "$scratch/wrong.sv" "${visible[@]}"
    report $? "refuted: tc_l2: by induction: $what"
done <<'END'
write \&\& slot_q == request_slot_q@write@forwarded to another slot
forward_q <= write \&\& slot_q == request_slot_q@forward_q <= 1'b0@not forwarded
cleared_q <= clear;@cleared_q <= 1'b0;@a ROLLOVER not forwarded
owned \&\& owner == sm_q@owned@a private write of another SM
lease == timestamp_q \&\& lease != Last@lease == timestamp_q@a private write at the last time
granted  = lease > wanted ? lease : wanted@granted  = wanted@a GETS that shortens the lease
END
exit "$failed"
