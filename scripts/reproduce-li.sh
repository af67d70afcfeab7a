#!/usr/bin/env bash
# Reproduces the evaluation of [li]: runs the studies of reproduce-li/studies.txt on the workloads of LIST (with
# name and normalised IPC in [li, Table 1] in columns 4 and 5) that the paper has, each configuration once.
# Writes FOLDER/runs.csv and reuse.csv (counters), figure-*.csv and the like; keeps reports in CACHE.
# Usage: reproduce-li.sh GOLDMEM LIST FOLDER CACHE
set -euo pipefail
goldmem=$1 list=$2 folder=$3 cache=$4
scripts=$(dirname "$0")
here=$scripts/reproduce-li
export LC_ALL=C
mkdir -p "$folder"

plan() { awk -f "$here/plan.awk" -v "timed=$1" "$list" "$here/studies.txt"; }
plan 1 | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/runs.csv"
plan 0 | "$scripts/reproduce/runs.sh" "$goldmem" "$here/reuse-columns.txt" "$cache" >"$folder/reuse.csv"
awk -f "$here/plan.awk" -f "$here/figures.awk" -v "folder=$folder" "$list" "$here/studies.txt" "$here/figures.txt" \
    "$folder/runs.csv" "$folder/reuse.csv"
