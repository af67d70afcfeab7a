#!/usr/bin/env bash
# Proves the assertions of tb/sharing_tracker_sva.sv for every stream of requests and waits: to a number of cycles from
# reset; and for all time by induction with the invariant of tb/sharing_tracker_invariant.svh, for a few
# sizes. Shows that wrong designs are refuted. Compares a netlist with rtl/sharing_tracker.sv, register by register
# (tb/sharing_tracker_twin.sv), in what the assertions leave open: turns of the suppliers and LRU.
# Usage: formal-sharing_tracker.sh CYCLES [quick]             quick: fewer sizes
#        formal-sharing_tracker.sh mutants FILE.il VALUE...   all mutants of a netlist answer as the RTL for all time
#        formal-sharing_tracker.sh renamed FILE.il VALUE...   so they do with a number above the highest CU's as last supplier
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=sharing_tracker
parameters=(LineW IndexW Polynomial Matrix Ways Cus Pointers)
decide=rtl/sharing_tracker_decide.sv
parts="rtl/three_stages.sv rtl/lru_rank.sv rtl/set_index_network.sv rtl/sram_1r1w.sv rtl/sram_1r1w_clear.sv"
files="$parts $decide"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    twin "${@:2}" || not_equivalent
    exit
fi
if [ "$1" = renamed ]; then
    masks="-set NoneAbove 1"
    twin "${@:2}"
    exit
fi

# Two sets of two entries; CUs as a mask, and one pointer for two of them.
mask=(3 1 3 0 2 2 0) pointer=(3 1 3 0 2 2 1)
all_assertions "${mask[@]}"
for size in "${mask[*]}" "${pointer[*]}"; do
    read -ra size <<<"$size"
    bounded rtl/sharing_tracker.sv "$1" "${size[@]}"
    report $? "proven:  sharing_tracker: $1 cycles from reset, any requests and waits, ${size[6]} pointers: its assertions"
done

# by_induction FILE FROM TO WHAT VALUE...: the wrong FILE of rtl/ is refuted
by_induction() {
    local files=$parts other=$decide
    [ "$1" = sharing_tracker ] || other=rtl/sharing_tracker.sv
    sed "s/$2/$3/" "rtl/$1.sv" >"$scratch/wrong.sv"
    ! cmp -s "rtl/$1.sv" "$scratch/wrong.sv" && fails induction "$scratch/wrong.sv $other" "${@:5}"
    report $? "refuted: sharing_tracker: by induction: $4"
}

sizes=("${mask[*]}" "${pointer[*]}")
[ "${2:-}" = quick ] || sizes+=("4 1 3 0 2 3 0" "4 1 3 0 3 4 2" "4 2 7 0 2 2 0")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    what="$((1 << size[1])) sets of ${size[4]}, ${size[5]} CUs, ${size[6]} pointers"
    induction rtl/sharing_tracker.sv "${size[@]}"
    report $? "proven:  sharing_tracker: for all time, by induction: $what: its assertions"
    netlist_of rtl/sharing_tracker.sv "${size[@]}" && twin "$scratch/netlist.il" "${size[@]}"
    report $? "proven:  sharing_tracker: for all time, by induction: the same: its netlist answers as the RTL"
done

while IFS="@" read -r file from to what; do
    by_induction "$file" "$from" "$to" "$what" "${mask[@]}"
done <<'END'
sharing_tracker@write && index_q == request_index@write@forwarded to another set
sharing_tracker@flushed_q <= fire && is_flush@flushed_q <= 1'b0@a FLUSH not forwarded
sharing_tracker_decide@filled_o       = is_fill && |(marks & me)@filled_o       = is_fill \&\& found_o@a FILL without a mark
sharing_tracker_decide@last_sharer_o && !(|marks)@last_sharer_o@an entry freed with a mark in it
sharing_tracker_decide@~(me \& {Cus{!is_ask}})@~me@an ASK that leaves out the CU of its number
sharing_tracker_decide@(is_lookup || is_ask) \&\& |others@is_lookup \&\& |others@an ASK that never hits
sharing_tracker@op_q >= FLUSH \&\& op_q != ASK@op_q >= FLUSH@an ASK that frees all entries
sharing_tracker_decide@op_i == WRITE || op_i == COHERENT@op_i == WRITE@a COHERENT that leaves the entry
END
by_induction sharing_tracker_decide "moves = displaced_o || " "moves = " "a displaced pointer that stays" 4 1 3 0 2 4 2

# Turns and LRU, which the assertions leave open; NoneAbove lets the last supplier's number differ, and nothing else.
twin_refuted() { # FROM TO WHAT
    sed "s/$1/$2/" "$decide" >"$scratch/wrong.sv"
    ! cmp -s "$decide" "$scratch/wrong.sv" && files="$parts $scratch/wrong.sv" netlist_of rtl/sharing_tracker.sv "${turns[@]}" &&
        fails twin "$scratch/netlist.il" "${turns[@]}" && masks="-set NoneAbove 1" fails twin "$scratch/netlist.il" "${turns[@]}"
    report $? "refuted: sharing_tracker: $3"
}
turns=(4 1 3 0 2 3 0)
twin_refuted "others \& ~up_to_last" "others" "the lowest supplier instead of the next"
twin_refuted "newest_i(chosen \& {Ways{hit_o || takes_o}})" "newest_i(chosen \& {Ways{takes_o}})" "a hit that does not refresh"
exit "$failed"
