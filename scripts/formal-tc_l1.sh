#!/usr/bin/env bash
# Proves the assertions of tb/tc_l1_sva.sv, which determine every response, for every stream of requests and
# waits: to a number of cycles from reset; and for all time by induction with the invariant of
# tb/tc_l1_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-tc_l1.sh CYCLES [quick]             quick: fewer sizes
#        formal-tc_l1.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=tc_l1
parameters=(Slots PendW TimeW Strong Visible)
files="rtl/three_stages.sv rtl/sram_1r1w.sv rtl/sram_1r1w_clear.sv"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi

weak=(2 1 2 0 0) visible=(2 2 2 0 1)
all_assertions "${weak[@]}"
bounded rtl/tc_l1.sv "$1" "${weak[@]}"
report $? "proven:  tc_l1: $1 cycles from reset, any requests and waits: its assertions"
while IFS="@" read -r from to what assertion; do
    refuted 9 "$assertion" "$from" "$to" "$what" "${visible[@]}"
done <<'END'
now_q <= lease;@now_q < lease;@a lease that ends a cycle early@a_was or a_load
pending == One)@1'b1)@a DATA_G that overwrites a later own store@a_answer
END

sizes=("${weak[*]}" "${visible[*]}")
[ "${2:-}" = quick ] || sizes+=("2 2 2 1 0" "3 2 2 1 1" "1 3 2 0 1" "3 2 3 0 1")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/tc_l1.sv "${size[@]}"
    report $? "proven:  tc_l1: for all time, by induction: ${size[0]} slots, counts of ${size[1]} bits, times of ${size[2]}, strong ${size[3]}, visible ${size[4]}"
done

while IFS="@" read -r from to what; do
    wrong "$from" "$to" && fails induction "$scratch/wrong.sv" "${visible[@]}"
    report $? "refuted: tc_l1: by induction: $what"
done <<'END'
write \&\& slot_q == request_slot_q@write@forwarded to another slot
forward_q    <= write \&\& slot_q == request_slot_q@forward_q    <= 1'b0@not forwarded
flushed_q    <= fire \&\& is_flush@flushed_q    <= 1'b0@a FLUSH not forwarded
valid = row_valid \&\& !flushed_q@valid = row_valid@a FLUSH that the row read before it outlives
(valid \&\& !drops) || install@valid || install@a GETS, GETX or ATOMIC that leaves the copy
grants       = install || (op_q == ACK \&\& answers \&\& lease_given_q)@grants       = install || sends || (op_q == ACK \&\& answers \&\& lease_given_q)@a lease that a STORE changes
END
exit "$failed"
