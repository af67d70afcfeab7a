#!/usr/bin/env bash
# Reproduces [khairy, 4.3 and figure 12] on the set index: how SYRK and GESUMMV spread over
# the sets, and the speed of PRIC against higher associativity on the cycle engine.
# LIST: workloads as in reproduce-khairy/workloads.txt; those of a conflict class are run.
# Writes FOLDER/spread.csv, runs.csv (counters) and figure-12.csv; keeps reports in CACHE.
# Usage: reproduce-index.sh GOLDMEM LIST FOLDER CACHE
set -euo pipefail
goldmem=$1 list=$2 folder=$3 cache=$4
scripts=$(dirname "$0")
here=$scripts/reproduce-index
export LC_ALL=C
mkdir -p "$folder"

# conflict_workloads: prints "WORKLOAD[,OPTION=VALUE...]" of each workload in a conflict class
conflict_workloads() { awk '/^[^#]/ && $3 ~ /conflict/ {print $1}' "$list"; }

# The two kernels of [khairy, 4.3], at the list's sizes.
echo "workload,function,lines,sets,fullest" >"$folder/spread.csv"
conflict_workloads | { grep -E '^(syrk|gesummv)(,|$)' || true; } | while read -r workload; do
    "$goldmem" index --json --histogram "workload:$workload" sequential ipoly:37 |
        jq -r --arg workload "${workload%%,*}" '. as $all | .functions[] | [$workload, .function,
            $all.divergent_lines / $all.divergent, .divergent_sets / $all.divergent,
            .divergent_fullest / $all.divergent] | @csv' | tr -d '"' >>"$folder/spread.csv"
done

# Figure 12 assumes "idealistic 1-cycle hit latency" of every cache.
conflict_workloads | while read -r workload; do
    sed "s/^/$workload gtx480 /; s/\$/ l1.latency=1/" <<'RUNS'
4-way
PRIC l1.index=ipoly:37
16-way l1.ways=16
32-way l1.ways=32
64-way l1.ways=64
full l1.ways=full
4-way-merges l1.merges=64
PRIC-merges l1.index=ipoly:37 l1.merges=64
RUNS
done | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/runs.csv"
awk -f "$here/figure-12.awk" "$folder/runs.csv" >"$folder/figure-12.csv"
