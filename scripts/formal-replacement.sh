#!/usr/bin/env bash
# Proves the assertions of tb/replacement_sva.sv for every stream of requests and waits: to a number of cycles from
# reset; and, except a_peek, for all time by induction with the invariant of
# tb/replacement_invariant.svh, for a few sizes. Shows that wrong designs are refuted. Compares a netlist with
# rtl/replacement.sv, register by register (tb/replacement_twin.sv), in what the assertions leave open: RRPVs and
# SHiP's counters.
# Usage: formal-replacement.sh CYCLES [quick]             quick: fewer sizes
#        formal-replacement.sh mutants FILE.il VALUE...   all mutants of a netlist answer as the RTL for all time
#        formal-replacement.sh renamed FILE.il VALUE...   so they do with sets or SHiP's signatures under other names
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=replacement
parameters=(Policy IndexW Ways RrpvW SignatureW CounterW)
files="rtl/three_stages.sv rtl/largest.sv rtl/lru_rank.sv rtl/rrip_row.sv rtl/replacement_row.sv rtl/ship_table.sv rtl/sram_1r1w.sv rtl/sram_1r1w_clear.sv"
bounded_only=1
source scripts/formal-block.sh

# renamed FILE.il VALUE...: the netlist is equivalent when one bit of the sets' or the signatures' numbers is inverted, from
# stage 1 or from stage 2 on
renamed() {
    local mask masks
    for ((mask = 1; mask < 1 << $3; mask <<= 1)); do
        masks="-set IndexMask $mask" && twin "$@" && return
    done
    for ((mask = 1; $2 == 2 && mask < 1 << $6; mask <<= 1)); do
        masks="-set SignatureMask $mask -set RequestMask $mask" && twin "$@" && return
        masks="-set SignatureMask $mask" && twin "$@" && return
    done
    return 1
}

if [ "$1" = mutants ]; then
    twin "${@:2}" || not_equivalent
    exit
fi
if [ "$1" = renamed ]; then
    renamed "${@:2}"
    exit
fi

lru=(0 1 2 1 1 1) ship=(2 1 2 1 1 1)
all_assertions "${lru[@]}"
for size in "${lru[*]}" "1 1 2 2 1 1" "${ship[*]}"; do
    read -ra size <<<"$size"
    bounded rtl/replacement.sv "$1" "${size[@]}"
    report $? "proven:  replacement: $1 cycles from reset, any requests and waits, policy ${size[0]}: its assertions"
done

refuted 8 a_way "free_ways & (~free_ways + LowestWay)" "free_ways" "all free ways taken at once" "${lru[@]}"
refuted 9 a_newest_stays "chosen_i         (chosen)" "chosen_i         (~chosen)" "a hit line becomes the oldest" "${lru[@]}"
refuted 9 a_peek "(evicts)," "(evicts \&\& is_replace)," "a PEEK that forgets the victim's counter" "${ship[@]}"
refuted 8 a_answered ".request_valid_i (request_valid_i)" ".request_valid_i (request_valid_i \&\& op_i != FLUSH)" "a FLUSH not answered" "${lru[@]}"

sizes=("${lru[*]}" "${ship[*]}")
[ "${2:-}" = quick ] || sizes+=("0 1 4 1 1 1" "0 2 3 1 1 1" "1 1 4 2 1 1" "2 1 3 2 2 2")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/replacement.sv "${size[@]}"
    report $? "proven:  replacement: for all time, by induction: policy ${size[0]}, $((1 << size[1])) sets of ${size[2]}: its assertions but a_peek"
    netlist_of rtl/replacement.sv "${size[@]}" && twin "$scratch/netlist.il" "${size[@]}"
    report $? "proven:  replacement: for all time, by induction: the same: its netlist answers as the RTL"
done
wrong "write \&\& index_q == request_index_q" "write" && fails induction "$scratch/wrong.sv" "${lru[@]}"
report $? "refuted: replacement: by induction: forwarded to another set"
wrong "learn_doubts_i     (learn_doubts)" "learn_doubts_i     (1'b1)" && netlist_of "$scratch/wrong.sv" "${ship[@]}" &&
    fails twin "$scratch/netlist.il" "${ship[@]}"
report $? "refuted: replacement: a counter that a hit counts the wrong way"

# Sets and signatures under other names are equivalent, and only under other names; not when a row is read under
# another name than it is written.
while IFS="|" read -r from to what; do
    wrong "$from" "$to" && netlist_of "$scratch/wrong.sv" "${ship[@]}" && fails twin "$scratch/netlist.il" "${ship[@]}" &&
        renamed "$scratch/netlist.il" "${ship[@]}"
    report $? "proven:  replacement: for all time, by induction: $what"
done <<'END'
request_index_q     <= index_i|request_index_q     <= ~index_i|sets under other names
request_signature_q <= signature_i|request_signature_q <= ~signature_i|signatures under other names
END
while IFS="|" read -r from to what; do
    wrong "$from" "$to" && netlist_of "$scratch/wrong.sv" "${ship[@]}" && ! renamed "$scratch/netlist.il" "${ship[@]}"
    report $? "refuted: replacement: $what"
done <<'END'
index_q     <= request_index_q|index_q     <= ~request_index_q|a set read under another name than it is written
signature_q <= request_signature_q|signature_q <= ~request_signature_q|a signature likewise
END
exit "$failed"
