#!/usr/bin/env bash
# Reproduces [khairy, figures 2 to 4, 8 to 12, Tables 2 and 3]: makes the runs of STUDIES (reproduce-khairy/studies.txt)
# on the workloads of LIST (columns as in reproduce-khairy/workloads.txt), each configuration once.
# Writes FOLDER/runs.csv and locality.csv (counters), classes.csv, a CSV for each figure (figures.awk), claims.csv (the
# paper's numbers beside ours), experiments.csv (those of experiments.txt, on workloads of LIST, from experiment-runs.csv), and
# short-rows.csv of MM; keeps reports in CACHE.
# Usage: reproduce-khairy.sh GOLDMEM LIST FOLDER CACHE [STUDIES]
set -euo pipefail
goldmem=$1 list=$2 folder=$3 cache=$4
scripts=$(dirname "$0")
here=$scripts/reproduce-khairy
studies=${5:-$here/studies.txt}
export LC_ALL=C
mkdir -p "$folder"

plan() { awk -f "$here/plan.awk" -v "timed=$1" "$list" "$studies"; }
plan 1 | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/runs.csv"
plan 0 | "$scripts/reproduce/runs.sh" "$goldmem" "$here/locality-columns.txt" "$cache" >"$folder/locality.csv"
awk -f "$here/thresholds.awk" -f "$here/classes.awk" "$list" "$folder/runs.csv" >"$folder/classes.csv"

# Figure 12's runs are those of reproduce-index.sh.
measures=(-f "$here/measures.awk" -v technique=DWT-PRIC)
inputs=("$list" "$studies" "$scripts/../tests/golden/khairy_figures.csv" "$scripts/../docs/reproduction/set-index/runs.csv" "$folder/runs.csv")
awk "${measures[@]}" -f "$here/figures.awk" -v "folder=$folder" "${inputs[@]}"
awk "${measures[@]}" -f "$here/experiments.awk" -v plan=1 "${inputs[@]}" "$here/experiments.txt" |
    "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/experiment-runs.csv"
awk "${measures[@]}" -f "$here/experiments.awk" -v plan=0 "${inputs[@]}" "$here/experiments.txt" "$folder/experiment-runs.csv" \
    >"$folder/experiments.csv"

# MM with rows of 8 lines, not a multiple of the 32 sets [khairy, 4.3]: PRIC without such conflicts.
{ grep '^mm[, ]' "$list" || true; } | sed 's/.*/mm,n=256 gtx480 /' | while read -r run; do
    sed "s/^/$run /" <<'RUNS'
bounded
PRIC l1.index=ipoly:37
merges l1.merges=64
PRIC-merges l1.index=ipoly:37 l1.merges=64
RUNS
done | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/short-rows.csv"
