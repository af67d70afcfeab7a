#!/usr/bin/env bash
# Measures the modern presets with micro-workloads, as published microbenchmarks measured the GPUs: latency and bandwidth of
# each level, bank conflicts, atomics; and repeats some figures with changed keys. Machines: reproduce-silicon/machines.txt.
# Writes FOLDER/facts.csv (of the presets), runs.csv (cycles) and figures.csv; workloads.csv: the workloads of which an H100's
# counters are in tests/golden/. Keeps reports in CACHE. QUICK=1: small runs, and of the workloads the smallest.
# Usage: reproduce-silicon.sh GOLDMEM FOLDER CACHE [MACHINES]
set -euo pipefail
goldmem=$1 folder=$2 cache=$3
scripts=$(dirname "$0")
here=$scripts/reproduce-silicon
machines=${4:-$here/machines.txt}
export LC_ALL=C
mkdir -p "$folder"

# facts PRESET: SMs, L2 banks, cycles of an integer instruction, DRAM bytes a core cycle
facts() {
    "$goldmem" run --preset "$1" --quiet --json - workload:chase,loads=1 | jq -r --arg name "$1" '.config |
        [$name, .["gpu.sms"], .["memory.partitions"] * .["memory.banks"], .["unit.integer"], .["memory.partitions"] *
            .["dram.channels"] * .["dram.pseudo_channels"] * .["dram.burst"] / .["dram.burst_cycles"] *
            .["clock.dram"] / .["clock.core"]] | map(tostring) | join(";")'
}
echo '# preset; SMs; L2 banks; unit.integer; DRAM bytes a core cycle' >"$folder/facts.csv"
grep -v '^#' "$machines" | cut -d ';' -f 1 | sort -u | while read -r preset; do facts "$preset"; done >>"$folder/facts.csv"
curve=$scripts/../tests/golden/silicon_curve.csv
awk -f "$here/plan.awk" -v "quick=${QUICK:-0}" "$folder/facts.csv" "$curve" "$here/figures.txt" "$machines" |
    "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/runs.csv"
awk -f "$here/figures.awk" "$folder/facts.csv" "$curve" "$here/figures.txt" "$machines" "$folder/runs.csv" >"$folder/figures.new"
mv "$folder/figures.new" "$folder/figures.csv"
awk -F ';' -v "quick=${QUICK:-0}" '/^#/ || /^(nothing|touch|strides|red|bandwidth\.)/ { next } !quick || /^syrk/ {
    name = $1; gsub(",", "/", name); print $1, "h100", name, $1 ~ /^histo/ ? "--kernels=0" : "" }' "$scripts/../tests/golden/silicon_h100_counters.csv" |
    "$scripts/reproduce/runs.sh" "$goldmem" "$here/counters.txt" "$cache" >"$folder/workloads.new"
mv "$folder/workloads.new" "$folder/workloads.csv"
