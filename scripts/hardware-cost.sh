#!/usr/bin/env bash
# What the tags of a conventional and of a decoupled L1 cost [li, 6.5], from their RTL by Yosys: their
# memories (FOLDER/memories.csv), and flops and gates beside them (FOLDER/logic.csv). The tables of
# docs/reproduction/hardware-cost.md are made from both. Usage: hardware-cost.sh FOLDER [memories|all]
set -euo pipefail
folder=$1
what=${2:-all}
export LC_ALL=C
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$folder"

# What tag_store answers for counters of events only is not counted.
declare -A uncounted=([conventional_tags]=""
    [tag_store]="delete -port w:rc_o w:replaced_o w:tie_o w:saturated_o w:aged_o w:emptied_o w:distant_o")

# elaborate TOP LINE_BITS: the design, flat, its memories as cells. Only what it uses is read: ABC's result
# depends, by some percent, on the names of what else there is.
elaborate() {
    echo "read_verilog -sv rtl/$1.sv; chparam -set LineW $2 $1; hierarchy -check -libdir rtl -top $1; proc; flatten;
        ${uncounted[$1]}; opt -full; memory -nomap; opt -full"
}

# 42 bits of line address are 49 of a byte address; 57 are 64.
echo "design,line bits,memory,rows,bits of a row,read ports,write ports" >"$folder/memories.csv"
for bits in 42 57; do
    for top in conventional_tags tag_store; do
        yosys -q -p "$(elaborate "$top" "$bits"); write_json $scratch/design.json"
        jq -r --arg top "$top" --arg bits "$bits" '
            def number: explode | reduce .[] as $digit (0; . * 2 + $digit - 48);
            .modules | to_entries[].value.cells | to_entries[] | select(.value.type == "$mem_v2") |
            (.value.parameters | [.SIZE, .WIDTH, .RD_PORTS, .WR_PORTS | number]) as $shape |
            [$top, $bits, (.key | split(".")[-2]), $shape[]] | join(",")' \
            "$scratch/design.json" | sort >>"$folder/memories.csv"
    done
done
[ "$what" = all ] || exit 0

# All logic as NANDs of two inputs and inverters, all flops without enables.
echo "design,flops,NANDs,inverters" >"$folder/logic.csv"
for top in conventional_tags tag_store; do
    yosys -q -p "$(elaborate "$top" 42); techmap; opt_clean
        dfflegalize -cell \$_DFF_P_ x -cell \$_DFF_PN0_ x; techmap; opt_clean; abc -g NAND; opt_clean
        tee -q -o $scratch/stat.json stat -json"
    # Yosys 0.23 writes the totals behind the brace that closes its JSON.
    (echo "{" && sed -n '/^ *"design"/,$p' "$scratch/stat.json") >"$scratch/total.json"
    jq -r --arg top "$top" '.design.num_cells_by_type |
        if keys - ["$_DFF_P_", "$_DFF_PN0_", "$_NAND_", "$_NOT_", "$mem_v2"] != [] then
            error("cells that are not counted: \(keys)") else . end |
        [$top, .["$_DFF_P_"] + .["$_DFF_PN0_"], .["$_NAND_"], .["$_NOT_"]] | join(",")' \
        "$scratch/total.json" >>"$folder/logic.csv"
done
