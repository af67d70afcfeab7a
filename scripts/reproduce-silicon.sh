#!/usr/bin/env bash
# Measures the modern presets with micro-workloads, as published microbenchmarks measured the GPUs: latency and bandwidth of
# each level, bank conflicts, atomics; and repeats some figures with changed keys. Machines: reproduce-silicon/machines.txt.
# Writes FOLDER/facts.csv (of the presets), runs.csv (cycles) and figures.csv; keeps reports in CACHE. QUICK=1: small runs.
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
