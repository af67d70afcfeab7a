#!/usr/bin/env bash
# Proves the assertions of tb/victim_tags_sva.sv, which determine every response, for every stream of requests
# and waits: to a number of cycles from reset; and for all time by induction with the invariant of
# tb/victim_tags_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-victim_tags.sh CYCLES [quick]             quick: the smallest size only
#        formal-victim_tags.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=victim_tags
parameters=(Warps Sets Ways LineW)
files="rtl/three_stages.sv rtl/sram_1r1w.sv"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(2 2 2 3)
all_assertions "${smallest[@]}"
bounded rtl/victim_tags.sv "$1" "${smallest[@]}"
report $? "proven:  victim_tags: $1 cycles from reset, any requests and waits: its assertions"

while IFS="@" read -r from to what assertion; do
    refuted 9 "$assertion" "$from" "$to" "$what" "${smallest[@]}"
done <<'END'
holds\[g\] \&\& @@tags that were never put@a_insert or a_probe
op_q == INSERT \&\& !found@op_q == INSERT@a tag twice@a_insert or a_probe or a_replaced
inserts \&\& full;@inserts;@a set that is full at once@a_replaced
|agrees \&\& (op_q == INSERT || op_q == PROBE)@|agrees@a CLEAR that finds@a_named
END

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("1 1 1 1" "3 1 3 2" "2 2 3 3" "1 4 2 4" "3 2 4 3")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/victim_tags.sv "${size[@]}"
    report $? "proven:  victim_tags: for all time, by induction: ${size[0]} warps, ${size[1]} sets, ${size[2]} ways, lines of ${size[3]} bits"
done

while IFS="@" read -r from to what; do
    wrong "$from" "$to" && fails induction "$scratch/wrong.sv" "${smallest[@]}"
    report $? "refuted: victim_tags: by induction: $what"
done <<'END'
write \&\& row_q == request_row@write@forwarded to another row
forward_q <= write \&\& row_q == request_row@forward_q <= 1'b0@not forwarded
fill_live \& ~(RowsOfWarp << first_q)@fill_live@a CLEAR that clears nothing
fill_live \& ~(RowsOfWarp << first_q)@AllDead@a CLEAR of all warps
full || becomes_full, after@full || becomes_full, next@a way that is written again and again
full || becomes_full, after@becomes_full, after@a set that is empty again
END
exit "$failed"
