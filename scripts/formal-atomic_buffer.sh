#!/usr/bin/env bash
# Proves the assertions of tb/atomic_buffer_sva.sv, which determine every response, for every stream of
# requests and waits: to a number of cycles from reset; and for all time by induction with the invariant
# of tb/atomic_buffer_invariant.svh, for a few sizes and the default. Shows that wrong designs are refuted.
# Usage: formal-atomic_buffer.sh CYCLES [quick]             quick: the smallest size only
#        formal-atomic_buffer.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=atomic_buffer
parameters=(LineW Sectors)
files=""
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(2 2)
all_assertions "${smallest[@]}"
bounded rtl/atomic_buffer.sv "$1" "${smallest[@]}"
report $? "proven:  atomic_buffer: $1 cycles from reset, any requests and waits: its assertions"

refuted 8 a_hits "is_here \&\& has_sectors;" "1'b0;" "a buffer without hits" "${smallest[@]}"
refuted 8 a_hits "hit         = operates" "hit         = is_atomic" "a load that does not hit" "${smallest[@]}"
refuted 8 a_misses " \&\& has_sectors;" ";" "a hit without its sectors" "${smallest[@]}"
refuted 8 a_misses "held_q \&\& held_line_q == line_q;" "held_line_q == line_q;" "a hit on a line that has been put back" "${smallest[@]}"
refuted 8 a_exchanges "(op_q == ACCESS ? is_here : !hit)" "op_q != ATOMIC \&\& (op_q == ACCESS ? is_here : !hit)" "a held line that is lost" "${smallest[@]}"
refuted 8 a_exchanges "held_q <= operates" "held_q <= is_atomic" "a load that leaves no line behind" "${smallest[@]}"
refuted 8 a_puts_accessed "op_q == ACCESS ? is_here : !hit" "op_q != ACCESS \&\& !hit" "a load that does not see the atomics" "${smallest[@]}"
refuted 8 a_puts_accessed "op_q == ACCESS ? is_here : !hit" "op_q == ACCESS ? is_here : operates \&\& !hit" "a kernel's end that leaves the line" "${smallest[@]}"
refuted 8 a_keeps "op_q == ACCESS ? is_here" "op_q == ACCESS ? 1'b1" "an ACCESS to another line that puts the held line back" "${smallest[@]}"
refuted 8 a_put_line "puts ? held_line_q" "puts ? line_q" "the new line is put back" "${smallest[@]}"
refuted 8 a_put_sectors "held_dirty_q | written;" "held_dirty_q;" "a hit that leaves its sectors clean" "${smallest[@]}"
refuted 8 a_put_sectors "(valid_q \& dirty_q) | written" "written" "dirty sectors that become clean in the buffer" "${smallest[@]}"
refuted 8 a_put_sectors "is_atomic ? sectors_q : {Sectors{1'b0}}" "sectors_q" "a load that makes its sectors dirty" "${smallest[@]}"
refuted 8 a_put_sectors "valid_q | sectors_q" "valid_q | written" "a load whose sectors are not valid in the buffer" "${smallest[@]}"
refuted 8 a_put_sectors "(valid_q \& dirty_q)" "(valid_q \& dirty_q \& {Sectors{is_atomic}})" "a load that takes dirty sectors as clean" "${smallest[@]}"
refuted 8 a_put_sectors "(valid_q \& dirty_q)" "((valid_q | sectors_q) \& dirty_q)" "a load that takes what is not valid as dirty" "${smallest[@]}"
refuted 8 a_nothing "valid_o <= puts ? held_valid_q : {Sectors{1'b0}}" "valid_o <= held_valid_q" "sectors of no line" "${smallest[@]}"
refuted 8 a_response_stable "request_valid_q \&\& response_moves" "request_valid_q" "a response that changes while it waits" "${smallest[@]}"

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("1 1" "6 4" "42 1" "64 32")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/atomic_buffer.sv "${size[@]}"
    report $? "proven:  atomic_buffer: for all time, by induction: lines of ${size[0]} bits, ${size[1]} sectors"
done
exit "$failed"
