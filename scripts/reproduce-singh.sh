#!/usr/bin/env bash
# Reproduces the intra-workgroup half of [singh, figures 7, 8, 10, 11]: runs each workload of LIST (columns as in
# reproduce-singh/workloads.txt) in each of reproduce-singh/configurations.txt.
# Writes FOLDER/runs.csv (counters) and a CSV for each figure; keeps reports in CACHE.
# Usage: reproduce-singh.sh GOLDMEM LIST FOLDER CACHE
set -euo pipefail
goldmem=$1 list=$2 folder=$3 cache=$4
scripts=$(dirname "$0")
here=$scripts/reproduce-singh
export LC_ALL=C
mkdir -p "$folder"

grep -v '^#' "$list" | while read -r workload _; do
    grep -v '^#' "$here/configurations.txt" | while read -r name keys; do echo "$workload fermi-tc $name $keys"; done
done | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/runs.csv"
awk -f "$here/figures.awk" -v "folder=$folder" "$list" "$folder/runs.csv"
