#!/usr/bin/env bash
# Runs a block in Icarus Verilog, whose registers and memories begin as X, with recorded requests: fails where request_ready_o or
# response_valid_o is X after the reset, or a response is not that of the C model in each bit.
# Usage: fourstate.sh run BLOCK OPTIONS|shipped REQUESTS SEED [MODULE "RTL FILES" [fixed]]
#        fourstate.sh resets BLOCK OPTIONS|shipped REQUESTS SEED   without each of its resets in turn, it must fail,
#        but for those that tests/fourstate.txt names, with the reason
set -euo pipefail
mode=$1 block=$2 options=$3 count=$4 seed=$5 module=${6:-$2} rtl=${7:-rtl/$2.sv} fixed=${8:-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# used: prints FILE LINE of each statement of rtl/ that the bench's instance has
used() {
    iverilog -g2012 -pfileline=1 -Irtl -Itb -y "$scratch/rtl" -Y .sv -s "${block}_fourstate" -o "$scratch/run" \
        "$scratch/bench.sv" >"$scratch/log" 2>&1
    # Statements name their file by its number in the list at the end.
    awk '/^:file_names/ {names = 1; next} names && match($0, /[^\/"]*\.sv"/) && !/bench\.sv/ {name[count] = "rtl/" substr($0, RSTART, RLENGTH - 1)}
        names {count++} match($0, /%file_line [0-9]+ [0-9]+/) {split(substr($0, RSTART), part, " "); at[part[2] " " part[3]]}
        END {for (both in at) {split(both, part, " "); if (part[1] in name) print name[part[1]], part[2]}}' "$scratch/run"
}

# plain FOLDER FILE...: copies the files. Icarus 11 wakes an always_comb that reads a variable after it wrote it without end; an
# always @* it does not.
plain() {
    local folder=$1 from
    mkdir -p "$folder"
    for from in "${@:2}"; do sed 's/\balways_comb\b/always @*/' "$from" >"$folder/${from##*/}"; done
}

# simulate FILE...: runs the bench with these files, and what they need from rtl/
simulate() {
    rm -rf "$scratch/dut"
    plain "$scratch/dut" "$@"
    iverilog -g2012 -Irtl -Itb -y "$scratch/rtl" -Y .sv -s "${block}_fourstate" -o "$scratch/run" \
        "$scratch/bench.sv" "$scratch"/dut/* >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        exit 2
    }
    prlimit --cpu="${LIMIT:-600}" vvp -n "$scratch/run" "+vectors=$scratch/vectors.hex" >"$scratch/log"
}

# resets_of FILE: prints the numbers of its lines that give a register its value in a reset
resets_of() {
    awk '/if \(!rst_ni\)/ {inside = /begin$/; if (!inside) print NR; next}
        inside && /^ *end/ {inside = 0}
        inside && /<=/ {print NR}' "$1"
}

plain "$scratch/rtl" rtl/*.sv
# shellcheck disable=SC2086  # a word or none
"build/cosim/$block.generate" fourstate "$module" "$options" "$count" "$seed" "$scratch/bench.sv" "$scratch/vectors.hex" $fixed
if [ "$mode" = run ]; then
    status=0
    # shellcheck disable=SC2086  # files are words
    simulate $rtl || status=$?
    sed "s/^/$block: four-state: /" "$scratch/log" | head -5
    exit "$status"
fi

missed=0 tried=0
used >"$scratch/used"
mapfile -t files < <(cut -d' ' -f1 "$scratch/used" | sort -u)
for file in "${files[@]}"; do
    for line in $(resets_of "$file"); do
        grep -qx "$file $line" "$scratch/used" || continue # of a part that this instance does not have
        sed "${line}s/\\(if (!rst_ni)\\|^\\) *[a-z_]* *<=[^;]*;/\\1;/" "$file" >"$scratch/${file##*/}"
        ! cmp -s "$file" "$scratch/${file##*/}" || { echo "$file:$line: no reset to take away" >&2; exit 2; }
        tried=$((tried + 1))
        if simulate "$scratch/${file##*/}"; then
            register=$(sed -n "${line}s/^ *\(if (!rst_ni) \)\?\([a-z_0-9]*\) *<=.*/\2/p" "$file")
            if grep -q "^$file $register\( $block=$options\)\? | " tests/fourstate.txt; then
                echo "$block: four-state: without effect: $file:$line: reset of $register"
            else
                echo "$block: four-state: not seen: $file:$line: reset of $register"
                missed=1
            fi
        fi
    done
done
echo "$block: four-state: $tried designs without a reset tried"
[ "$tried" -gt 0 ]
exit "$missed"
