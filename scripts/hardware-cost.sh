#!/usr/bin/env bash
# Hardware cost of a conventional and of a decoupled L1's tags [li, 6.5], and of SM dueling, from their RTL by Yosys:
# writes the fields of the tags' memory (FOLDER/memories.csv), flops and gates beside them (FOLDER/logic.csv), levels of gates of
# each pipeline stage (FOLDER/levels.csv), and the cost of the blocks against contention [khairy, Table 4]
# (FOLDER/contention.csv), from which the tables of docs/reproduction/hardware-cost.md are
# made. Usage: hardware-cost.sh FOLDER [memories|all]
set -euo pipefail
folder=$1
what=${2:-all}
export LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$folder"

# Blocks against contention: "TOP [PARAMETER VALUE]...", how many a GTX480 of 15 SMs and 6 L2 banks has. To add one: a row here,
# and its words in hardware-cost-tables.awk.
contention=("stream_gate" 21 "warp_limiter" 30 "cores_sampling" 1 "victim_tags" 15 "locality_score" 15 "contention_bypass" 15 "atomic_buffer" 6 "sharing_lru" 15 "sharing_lru Level 1 Dead 0 IndexW 7 Ways 8" 6
    "cta_queues Mode 0" 1 "cta_queues" 1 "cta_queues Adaptive 1" 1)

# Response fields that only feed counters of events are not counted.
declare -A uncounted=([stream_gate]="delete -port w:accesses_o w:misses_o"
    [tag_store]="delete -port w:rc_o w:replaced_o w:tie_o w:saturated_o w:aged_o w:emptied_o w:distant_o")

# elaborate TOP [PARAMETER VALUE]...: writes the design, flat, its memories as cells. Reads only the files that it uses:
# ABC's result depends, by some percent, on the names of other modules.
elaborate() {
    local set=""
    for ((i = 2; i < $#; i += 2)); do set+=" -set ${*:i:2}"; done
    echo "read_verilog -sv -Irtl rtl/$1.sv; ${set:+chparam$set $1;} hierarchy -check -libdir rtl -top $1; proc; flatten;
        ${uncounted[$1]:-}; opt -full; memory -nomap; opt -full"
}

# 42 bits of line address are 49 of a byte address; 57 are 64.
# The fields of the one memory's row are wires of the decision.
echo "design,line bits,field,rows,bits of a row,read ports,write ports" >"$folder/memories.csv"
for bits in 42 57; do
    for top in conventional_tags tag_store; do
        yosys -q -p "$(elaborate "$top" LineW "$bits"); write_json $scratch/design.json"
        jq -r --arg top "$top" --arg bits "$bits" '
            def number: explode | reduce .[] as $digit (0; . * 2 + $digit - 48);
            {valid: "valid", waiting: "waiting", tag: "tags", rc: "rcs", committed: "committed", position: "positions",
             free_line: "kept_free_line", rank: "ranks"} as $wires |
            .modules[] | .netnames as $nets | .cells[] | select(.type == "$mem_v2") |
            (.parameters | {SIZE, WIDTH, RD_PORTS, WR_PORTS} | map_values(number)) as $shape |
            [$wires | to_entries[] | {key, bits: ($nets["u_decide." + .value] // $nets[.value] | .bits | length)} |
             select(.bits > 0)] as $fields |
            if ([$fields[].bits] | add) != $shape.WIDTH then error("a row of \($shape.WIDTH) bits: \($fields)") else . end |
            $fields[] | [$top, $bits, .key, $shape.SIZE, .bits, $shape.RD_PORTS, $shape.WR_PORTS] | join(",")' \
            "$scratch/design.json" | sort >>"$folder/memories.csv"
    done
done
[ "$what" = all ] || exit 0

# gates DESIGN ARGUMENT...: maps all logic to NANDs of two inputs and inverters, and all flops to flops without enables, by ABC
# with the arguments
gates() {
    local words
    read -ra words <<<"$1"
    echo "$(elaborate "${words[@]}"); techmap; opt_clean
        dfflegalize -cell \$_DFF_P_ x -cell \$_DFF_PN0_ x; techmap; opt_clean; abc -g NAND ${*:2}; opt_clean"
}
designs=("conventional_tags LineW 42" "tag_store LineW 42" "tag_store LineW 42 ProbeStage 1" "sm_dueling")
declare -A stages=(
    ["${designs[0]}"]="request=request_ response=evicted_ decision="
    ["${designs[1]}"]="request=request_ response=evicted_ decision="
    ["${designs[2]}"]="request=request_ response=evicted_ probe=probe_,u_rows decision="
    ["${designs[3]}"]="decision=")

# cells DESIGN: prints its flops, NANDs and inverters; leaves the design in $scratch/design.json
cells() {
    yosys -q -p "$(gates "$1"); tee -q -o $scratch/stat.json stat -json; write_json $scratch/design.json"
    # Yosys 0.23 writes the totals behind the closing brace of its JSON.
    (echo "{" && sed -n '/^ *"design"/,$p' "$scratch/stat.json") >"$scratch/total.json"
    jq -r --arg design "$1" '.design.num_cells_by_type |
        if keys - ["$_DFF_P_", "$_DFF_PN0_", "$_NAND_", "$_NOT_", "$mem_v2"] != [] then
            error("cells that are not counted: \(keys)") else . end |
        [$design, .["$_DFF_P_"] + .["$_DFF_PN0_"], .["$_NAND_"], .["$_NOT_"]] | join(",")' "$scratch/total.json"
}

echo "design,flops,NANDs,inverters" >"$folder/logic.csv"
for design in "${designs[@]}"; do
    cells "$design" >>"$folder/logic.csv"
done

echo "design,flops,NANDs,inverters,bits of memories,in a GPU" >"$folder/contention.csv"
for ((i = 0; i < ${#contention[@]}; i += 2)); do
    counts=$(cells "${contention[i]}")
    bits=$(jq 'def number: explode | reduce .[] as $digit (0; . * 2 + $digit - 48);
        [.modules[].cells[] | select(.type == "$mem_v2") | (.parameters.SIZE | number) * (.parameters.WIDTH | number)] | add // 0' \
        "$scratch/design.json")
    echo "$counts,$bits,${contention[i + 1]}" >>"$folder/contention.csv"
done

# For levels, ABC restructures for depth first.
fast="-script +strash;ifraig;scorr;dc2;strash;if,-g,-K,8;strash;dch,-f;map"
echo "design,stage,levels" >"$folder/levels.csv"
for design in "${designs[@]}"; do
    yosys -q -p "$(gates "$design" "$fast"); write_json $scratch/design.json"
    # shellcheck disable=SC2086  # the stages are words
    scripts/logic-levels.py "$scratch/design.json" "${design%% *}" ${stages[$design]} | sed "s/^/$design,/" >>"$folder/levels.csv"
done
