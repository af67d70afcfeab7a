#!/usr/bin/env bash
# Proves the assertions of tb/cta_queues_sva.sv, which determine every response, for every stream of requests and waits: to a
# number of cycles from reset; and for all time by induction with the invariant of tb/cta_queues_invariant.svh, under each policy.
# Shows that wrong designs are refuted.
# Usage: formal-cta_queues.sh CYCLES
#        formal-cta_queues.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=cta_queues
parameters=(Sms CtaW Mode Adaptive)
files="rtl/three_stages.sv rtl/sram_1r1w_clear.sv"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
bcs=(2 3 1 0)
groups=(2 3 2 0)
adaptive=(2 3 2 1)
all_assertions "${groups[@]}"
for values in "2 2 0 0" "${bcs[*]}" "${groups[*]}" "${adaptive[*]}"; do
    read -ra values <<<"$values"
    bounded rtl/cta_queues.sv "$1" "${values[@]}"
    report $? "proven:  cta_queues: $1 cycles from reset, any requests and waits: its assertions: ${values[0]} SMs, ${values[1]} bits, mode ${values[2]}, adaptive ${values[3]}"
done

refuted 11 "a_own or a_none or a_takes" "first + One;" "first;" "a group whose first CTA is given again and again" "${groups[@]}"
refuted 11 "a_takes or a_empty" "left < size_q ? left : size_q" "size_q" "a group beyond the kernel's end" "${groups[@]}"
refuted 11 "a_own or a_none or a_takes" "forward_q <= write" "forward_q <= 1'b0" "a row that is not forwarded" "${groups[@]}"
refuted 11 a_single "left <= tail_q" "left < tail_q" "a group too much" "${adaptive[@]}"
refuted 11 a_next "single_q || turns_single)" "single_q)" "a drained SM that takes a group in the tail" "${adaptive[@]}"
refuted 11 a_pair "count = 2'd2;" "count = 2'd1;" "one CTA in place of a pair" "${bcs[@]}"
refuted 11 a_waits "any_left \&\& has_two" "any_left" "a pair for an SM with room for one" "${bcs[@]}"
refuted 11 a_none "asks         = op_q == ASK \&\& free_q != 2'd0" "asks         = op_q == ASK" "an SM without room" "${groups[@]}"
refuted 11 a_empty "empty_o  <= asks" "empty_o  <= 1'b0 \&\& asks" "a group taken that leaves the rest" "${groups[@]}"
refuted 11 a_nothing "count != 2'd0 ? first : Zero" "first" "a CTA without count" "${groups[@]}"
for values in "2 2 0 0" "${bcs[*]}" "${groups[*]}" "${adaptive[*]}"; do
    read -ra values <<<"$values"
    induction rtl/cta_queues.sv "${values[@]}"
    report $? "proven:  cta_queues: for all time, by induction: ${values[0]} SMs, ${values[1]} bits, mode ${values[2]}, adaptive ${values[3]}"
done
exit "$failed"
