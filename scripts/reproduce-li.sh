#!/usr/bin/env bash
# Reproduces the evaluation of [li]: runs the studies of reproduce-li/studies.txt on the workloads of LIST (columns as
# in reproduce-li/workloads.txt), each configuration once.
# Writes FOLDER/runs.csv and reuse.csv (counters), figure-*.csv and the like; keeps reports in CACHE.
# Usage: reproduce-li.sh GOLDMEM LIST FOLDER CACHE [STUDIES]
set -euo pipefail
goldmem=$1 list=$2 folder=$3 cache=$4
scripts=$(dirname "$0")
here=$scripts/reproduce-li
studies=${5:-$here/studies.txt}
table=$scripts/../tests/golden/li_table1.csv
export LC_ALL=C
mkdir -p "$folder"

plan() { awk -f "$here/plan.awk" -v "timed=$1" "$table" "$list" "$studies"; }
plan 1 | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/runs.csv"
plan 0 | "$scripts/reproduce/runs.sh" "$goldmem" "$here/reuse-columns.txt" "$cache" >"$folder/reuse.csv"
awk -f "$here/plan.awk" -f "$here/figures.awk" -v "folder=$folder" "$table" "$list" "$studies" "$here/figures.txt" \
    "$folder/runs.csv" "$folder/reuse.csv"
