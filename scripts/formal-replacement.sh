#!/usr/bin/env bash
# Proves the assertions of tb/replacement_sva.sv for every stream of requests and waits: from reset, a
# number of cycles deep; and but for a_peek for all time by induction, with the invariant of
# tb/replacement_invariant.svh, for a few sizes; and that wrong designs are refuted. What the assertions
# leave open (RRPVs, SHiP's counters) a netlist is compared in with rtl/replacement.sv, register by
# register (tb/replacement_twin.sv).
# Usage: formal-replacement.sh CYCLES [quick]             quick: fewer sizes
#        formal-replacement.sh mutants FILE.il VALUE...   do all mutants of a netlist answer as the RTL for all time?
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=replacement
parameters=(Policy IndexW Ways WayW RrpvW SignatureW CounterW)
files="rtl/three_stages.sv rtl/largest.sv rtl/lru_rank.sv rtl/rrip_row.sv rtl/ship_table.sv rtl/sram_1r1w.sv rtl/sram_1r1w_clear.sv"
bounded_only=1
source scripts/formal-block.sh

# same WIRE NAME, memory WIRE MEMORY ROWS WIDTH: of Yosys: the harness's WIRE is NAME inside; is a
# memory's rows side by side
same() { echo "connect -nounset -set $1 \\$2; "; }
memory() {
    local row
    for ((row = 0; row < $3; row++)); do
        same "$1[$((row * $4 + $4 - 1)):$((row * $4))]" "$2.mem[$row]"
    done
}

# inside POLICY INDEX_W WAYS WAY_W RRPV_W SIGNATURE_W COUNTER_W: what tb/replacement_twin.sv looks at
inside() {
    local side name sets=$((1 << $2)) signatures=$((1 << $6))
    local registers="u_stages.request_valid_q decide_valid_q request_op_q request_index_q request_way_q
        request_eligible_q op_q index_q way_q eligible_q forward_q flushed_q forward_row_q"
    [ "$1" -ne 2 ] || registers+=" request_signature_q signature_q u_table.update_valid_q u_table.update_doubts_q
        u_table.written_q u_table.update_signature_q u_table.written_signature_q u_table.written_doubt_q"
    for side in dut gate; do
        for name in $registers; do
            same "${side}_${name##*.}" "$side.$name"
        done
        memory ${side}_used $side.u_used "$sets" "$3"
        same ${side}_live $side.u_used.row_live
        same ${side}_read_used $side.u_used.data_q
        same ${side}_read_live $side.u_used.live_q
        if [ "$1" -eq 0 ]; then
            memory ${side}_rank $side.u_rank "$sets" $(($3 * $4))
            same ${side}_read_rank $side.u_rank.read_data_o
        else
            memory ${side}_rrpv $side.u_rrpv "$sets" $(($3 * $5))
            same ${side}_read_rrpv $side.u_rrpv.read_data_o
        fi
        [ "$1" -eq 2 ] || continue
        memory ${side}_signature $side.u_signature "$sets" $(($3 * $6))
        same ${side}_read_signature $side.u_signature.read_data_o
        memory ${side}_reused $side.u_reused "$sets" "$3"
        same ${side}_read_reused $side.u_reused.read_data_o
        memory ${side}_doubt $side.u_table.u_doubt "$signatures" "$7"
        same ${side}_doubt_live $side.u_table.u_doubt.row_live
        same ${side}_read_doubt $side.u_table.u_doubt.data_q
        same ${side}_read_doubt_live $side.u_table.u_doubt.live_q
        memory ${side}_doubt_update $side.u_table.u_doubt_update "$signatures" "$7"
        same ${side}_update_live $side.u_table.u_doubt_update.row_live
        same ${side}_read_update $side.u_table.u_doubt_update.data_q
        same ${side}_read_update_live $side.u_table.u_doubt_update.live_q
    done
}

# set_values MODULE VALUE...: of Yosys: the block's parameters
set_values() {
    local i
    echo "chparam"
    for i in "${!parameters[@]}"; do
        echo "-set ${parameters[i]} ${*:i+2:1}"
    done
    echo "$1"
}

# twin FILE.il VALUE...: the netlist is alike the RTL
twin() {
    yosys -q -p "read_rtlil $1; rename replacement replacement_mutant
      read_verilog -sv -formal rtl/replacement.sv $files tb/replacement_twin.sv
      $(set_values replacement_twin "${@:2}" | paste -sd' ')
      hierarchy -top replacement_twin; proc; flatten; memory_map; $(inside "${@:2}")
      async2sync; opt; dffunmap; write_rtlil $scratch/block.il" >"$scratch/log" 2>&1 &&
        induct replacement_twin
}
if [ "$1" = mutants ]; then
    twin "${@:2}" || not_alike
    exit
fi

# for_all_time RTL VALUE...
for_all_time() {
    local more_connect sets=$((1 << $3))
    more_connect=$(same sva.mem_live dut.u_used.row_live; memory sva.mem_used dut.u_used "$sets" "$4"
        memory sva.mem_rank dut.u_rank "$sets" $(($4 * $5)))
    induction "$@"
}

# netlist_of RTL VALUE...: $scratch/netlist.il
netlist_of() {
    yosys -q -p "read_verilog -sv $1 $files; $(set_values replacement "${@:2}" | paste -sd' ')
      hierarchy -top replacement; proc; flatten; opt; memory; opt; rename -top replacement
      mutate -mode none -ctrl mutant_i 32 1; write_rtlil $scratch/netlist.il" >"$scratch/log" 2>&1
}

lru=(0 1 2 1 1 1 1) ship=(2 1 2 1 1 1 1)
all_assertions
for size in "${lru[*]}" "1 1 2 1 2 1 1" "${ship[*]}"; do
    read -ra size <<<"$size"
    bounded rtl/replacement.sv "$1" "${size[@]}"
    report $? "proven:  replacement: $1 cycles from reset, any requests and waits, policy ${size[0]}: its assertions"
done

refuted 8 a_way "free_ways & (~free_ways + LowestWay)" "free_ways" "all free ways taken at once" "${lru[@]}"
refuted 9 a_newest_stays "becomes_newest = chosen" "becomes_newest = ~chosen" "a hit line becomes the oldest" "${lru[@]}"
refuted 9 a_peek "(evicts)," "(evicts \&\& is_replace)," "a PEEK that forgets the victim's counter" "${ship[@]}"
refuted 8 a_answered ".request_valid_i (request_valid_i)" ".request_valid_i (request_valid_i \&\& op_i != FLUSH)" "a FLUSH not answered" "${lru[@]}"

sizes=("${lru[*]}" "${ship[*]}")
[ "${2:-}" = quick ] || sizes+=("0 1 4 2 1 1 1" "0 2 3 2 1 1 1" "1 1 4 2 2 1 1" "2 1 3 2 2 2 2")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    for_all_time rtl/replacement.sv "${size[@]}"
    report $? "proven:  replacement: for all time, by induction: policy ${size[0]}, $((1 << size[1])) sets of ${size[2]}: its assertions but a_peek"
    netlist_of rtl/replacement.sv "${size[@]}" && twin "$scratch/netlist.il" "${size[@]}"
    report $? "proven:  replacement: for all time, by induction: the same: its netlist answers as the RTL"
done
wrong "write \&\& index_q == request_index_q" "write" && fails for_all_time "$scratch/wrong.sv" "${lru[@]}"
report $? "refuted: replacement: by induction: forwarded to another set"
wrong "learn_doubts_i     (learn_doubts)" "learn_doubts_i     (1'b1)" && netlist_of "$scratch/wrong.sv" "${ship[@]}" &&
    fails twin "$scratch/netlist.il" "${ship[@]}"
report $? "refuted: replacement: a counter that a hit counts the wrong way"
exit "$failed"
