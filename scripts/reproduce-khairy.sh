#!/usr/bin/env bash
# Reproduces [khairy, figures 2 and 4, Table 2] with the cycle engine: runs each workload of LIST with and
# without its L1 and with larger caches, and classifies it.
# Writes FOLDER/runs.csv (counters), classes.csv, and short-rows.csv of MM; keeps reports in CACHE.
# Usage: reproduce-khairy.sh GOLDMEM LIST FOLDER CACHE
set -euo pipefail
goldmem=$1 list=$2 folder=$3 cache=$4
scripts=$(dirname "$0")
here=$scripts/reproduce-khairy
export LC_ALL=C
mkdir -p "$folder"

# In the paper's contention classes also its remedy, PRIC, and MSHRs that merge more requests.
grep -v '^#' "$list" | while read -r workload _ class _; do
    if [[ $class =~ conflict|thrashing ]]; then
        sed "s/^/$workload gtx480 /" <<'RUNS'
PRIC l1.index=ipoly:37
merges l1.merges=64
PRIC-merges l1.index=ipoly:37 l1.merges=64
RUNS
    fi
    sed "s/^/$workload gtx480 /" <<'RUNS'
no l1.enabled=no
bounded
unbounded l1.size=unbounded
unbounded-both l1.size=unbounded l2.size=unbounded
full l1.ways=full
64KB l1.size=64KB
64KB-full l1.size=64KB l1.ways=full
RUNS
done | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/runs.csv"
awk -f "$here/thresholds.awk" -f "$here/classes.awk" "$list" "$folder/runs.csv" >"$folder/classes.csv"

# MM with rows of 8 lines, not a multiple of the 32 sets [khairy, 4.3]: PRIC without such conflicts.
{ grep '^mm[, ]' "$list" || true; } | sed 's/.*/mm,n=256 gtx480 /' | while read -r run; do
    sed "s/^/$run /" <<'RUNS'
bounded
PRIC l1.index=ipoly:37
merges l1.merges=64
PRIC-merges l1.index=ipoly:37 l1.merges=64
RUNS
done | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/short-rows.csv"
