#!/usr/bin/env bash
# Proves of tag_store: for all time, that every row keeps the invariants of tb/tag_store_row.sv (Yosys's SAT
# solver, one transaction on any row); to a number of cycles from reset, that the block with its pipeline keeps its
# checkers' assertions (Z3). Shows that wrong designs are refuted. Prints one line for each; fails when one does not
# hold.
# Usage: formal-tag_store.sh CYCLES [quick]
#        formal-tag_store.sh mutants FILE.il VALUE...   all mutants of a netlist answer as the RTL for all time
#        formal-tag_store.sh renamed FILE.il VALUE...   so they do with SHiP's signatures under other names (tb/tag_store_twin.sv)
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
pipeline="rtl/tag_store.sv rtl/tag_store_rows.sv"
row="rtl/largest.sv rtl/lru_rank.sv rtl/rrip_row.sv rtl/replacement_row.sv tb/tag_store_row.sv tb/tag_store_formal.sv"
parts="$row rtl/tag_store_look_up.sv rtl/tag_store_decide.sv rtl/three_stages.sv rtl/tag_store_probe.sv rtl/set_index_network.sv rtl/sram_1r1w.sv rtl/sram_1r1w_clear.sv rtl/ship_table.sv"
parts+=" tb/tag_store_cover.sv tb/tag_store_sva.sv tb/request_queue.sv"

block=tag_store
parameters=(LineW IndexW Polynomial Matrix TagWays DataWays RcW Threshold AllocationRc CompareAbove
    AgeTwice LfuAny Replacement RrpvW SignatureW CounterW ProbeStage)
files="rtl/tag_store_rows.sv rtl/tag_store_look_up.sv rtl/tag_store_decide.sv rtl/replacement_row.sv rtl/three_stages.sv rtl/tag_store_probe.sv rtl/largest.sv rtl/lru_rank.sv"
files+=" rtl/rrip_row.sv rtl/ship_table.sv rtl/set_index_network.sv rtl/sram_1r1w.sv rtl/sram_1r1w_clear.sv tb/tag_store_row.sv tb/tag_store_live.sv"
source scripts/formal-block.sh # some of its functions have another meaning here

# renamed FILE.il VALUE...: the netlist is equivalent when one bit of the signatures' numbers is inverted
renamed() {
    local bit masks
    for ((bit = 0; ${14} == 2 && bit < ${16}; bit++)); do
        masks="-set SignatureMask $((1 << bit))" && twin "$@" && return
    done
    return 1
}
limit=3600
if [ "$1" = mutants ]; then
    twin "${@:2}" || not_equivalent
    exit
fi
if [ "$1" = renamed ]; then
    renamed "${@:2}"
    exit
fi
[[ $1 =~ ^[0-9]+$ ]] || exit 2
cycles=$1

rows() { # RTL PARAMETER VALUE...
    local rtl=$1 values=""
    shift
    while [ $# -gt 0 ]; do
        values+=" -set $1 $2"
        shift 2
    done
    timeout 300 yosys -q -p "read_verilog -sv -formal -Irtl $rtl $row; chparam$values tag_store_row_formal
      hierarchy -top tag_store_row_formal; proc; flatten; opt
      sat -verify -prove-asserts -set-assumes tag_store_row_formal" >"$scratch/log" 2>&1
}

bounded() { # "TAG_STORE ROWS" CYCLES THRESHOLD REPLACEMENT [PROBESTAGE]
    yosys -q -p "read_verilog -sv -formal -Irtl $1 $parts
      chparam -set Threshold $3 -set Replacement $4 -set ProbeStage ${5:-0} tag_store_formal
      hierarchy -top tag_store_formal; proc; flatten; memory_map; async2sync; opt; dffunmap
      write_smt2 -wires $scratch/block.smt2" >"$scratch/log" 2>&1 &&
        timeout 600 yosys-smtbmc --noprogress --unroll -s z3 -t "$2" "$scratch/block.smt2" >"$scratch/log" 2>&1
}

# wrong FILE FROM TO: rtl/FILE with FROM replaced by TO
wrong() {
    sed "s/$2/$3/" "rtl/$1" >"$scratch/wrong.sv"
    ! cmp -s "rtl/$1" "$scratch/wrong.sv"
}

# refuted_row FILE OTHER FROM TO WHAT [LFUANY]: the wrong look-up or decision breaks an invariant or a property
# of a row
refuted_row() {
    wrong "$1" "$3" "$4" && ! rows "$scratch/wrong.sv rtl/$2" TagW 2 LfuAny "${6:-0}" &&
        grep -q "proof did fail" "$scratch/log"
    report $? "refuted: tag_store: one transaction: $5"
}

# refuted FILE OTHER FROM TO WHAT [PROBESTAGE CYCLES]: the wrong pipeline or the wrong rows make an assertion of the
# checkers fire; the solver chooses which
refuted() {
    wrong "$1" "$3" "$4" && ! bounded "$scratch/wrong.sv rtl/$2" "${7:-9}" 1 0 "${6:-0}" &&
        grep -q "Assert failed in tag_store_formal: sva.a_" "$scratch/log"
    report $? "refuted: tag_store: $5"
}

source_asserts=$(grep -cE '\b[ap]_[a-z_]+: assert \(' tb/tag_store_sva.sv tb/tag_store_formal.sv | awk -F: '{n += $2} END {print n}')
for top in tag_store_sva tag_store_row_formal; do
    yosys -p "read_verilog -sv -formal -Irtl $pipeline $parts; hierarchy -top $top; proc; stat $top" |
        awk '$1 == "$assert" {n = $2} END {print n + 0}'
done | awk '{n += $1} END {print n}' >"$scratch/log"
[ "$source_asserts" -gt 0 ] && [ "$(cat "$scratch/log")" = "$source_asserts" ]
report $? "proven:  tag_store: Yosys sees all $source_asserts assertions of the source"

sizes=("TagW 2" "TagW 2 LfuAny 1 AgeTwice 1" "TagW 2 Replacement 1" "TagW 2 Replacement 2 LfuAny 1" "TagW 2 Threshold 0" "TagW 2 TagWays 2 DataWays 1 RcW 1 Threshold 1")
[ "${2:-}" = quick ] || sizes+=("TagW 4 TagWays 5 DataWays 3 RcW 3 LfuAny 1 AgeTwice 1"
    "TagW 3 TagWays 6 DataWays 4 RcW 2")
for size in "${sizes[@]}"; do
    # shellcheck disable=SC2086  # the values are words
    rows "rtl/tag_store_look_up.sv rtl/tag_store_decide.sv" $size
    report $? "proven:  tag_store: for all time: rows keep their invariants: $size"
done
refuted_row tag_store_look_up.sv tag_store_decide.sv "owned & ~held" "owned" "a waiting line is a victim"
refuted_row tag_store_decide.sv tag_store_look_up.sv "{DataWays{uses}} & matched_line" "matched_line" "any look-up touches the line"
refuted_row tag_store_decide.sv tag_store_look_up.sv "gives_up || evicts_match || (fills \&\& !found_valid)" "gives_up || evicts_match" "a dropped line is not free"
refuted_row tag_store_decide.sv tag_store_look_up.sv "in_use = valid | waiting" "in_use = valid" "dead entries are taken"
refuted_row tag_store_look_up.sv tag_store_decide.sv "(valid\[g\] || waiting\[g\]) \&\& tags" "valid[g] \&\& tags" "dead entries are not looked up"
refuted_row tag_store_decide.sv tag_store_look_up.sv "if (!has_line || !may_miss_i) outcome_o" "if (!has_line) outcome_o" "a MISS without permission"
refuted_row tag_store_look_up.sv tag_store_decide.sv "? waiting : committed" "? {TagWays{1'b0}} : committed" "lfu_any takes an entry that waits" 1

for kind in "1 LRU" "2 LRU" "1 SHiP"; do
    read -r threshold policy <<<"$kind"
    bounded "$pipeline" "$cycles" "$threshold" "$([ "$policy" = LRU ] && echo 0 || echo 2)"
    report $? "proven:  tag_store: $cycles cycles from reset, any requests and waits, threshold $threshold, $policy: its checkers' assertions"
done
bounded "$pipeline" "$cycles" 1 0 1
report $? "proven:  tag_store: $cycles cycles from reset, any requests and waits, threshold 1, LRU, a probe stage: its checkers' assertions"
if [ "${2:-}" != quick ]; then
    refuted tag_store_rows.sv tag_store.sv "write_i \&\& write_index_i == read_index_i" "1'b0" "nothing forwarded to the request behind"
    refuted tag_store_rows.sv tag_store.sv "\&\& !flush_i)" ")" "a FLUSH not forwarded"
    refuted tag_store.sv tag_store_rows.sv "(is_flush || index_q == probe_index_q)" "is_flush" "a probe stage that does not wait for the row" 1
    refuted tag_store.sv tag_store_rows.sv "(is_flush || index_q == probe_index_q)" "(index_q == probe_index_q)" "a probe stage that does not wait for a FLUSH" 1
    refuted tag_store_rows.sv tag_store.sv "late_write = write_i \&\& write_index_i == index_q" "late_write = 1'b0" "a row written while it waits, not forwarded" 1
    refuted tag_store_rows.sv tag_store.sv "late_flush = flush_i" "late_flush = 1'b0" "a FLUSH while a row waits, not forwarded" 1 11
fi
refuted tag_store.sv tag_store_rows.sv "staged_valid    = request_valid_i" "staged_valid    = request_valid_i \&\& !error_o" "a request lost"
exit "$failed"
