#!/usr/bin/env bash
# Reproduces [khairy, figures 2 and 4, Table 2] and [li, Table 1] with the cycle engine: runs each
# workload of LIST with and without its L1 and with larger caches, and classifies it.
# Writes FOLDER/runs.csv (counters), classes.csv [khairy] and bypass.csv [li]; keeps reports in CACHE.
# Usage: reproduce-khairy.sh GOLDMEM LIST FOLDER CACHE
set -euo pipefail
goldmem=$1 list=$2 folder=$3 cache=$4
scripts=$(dirname "$0")
here=$scripts/reproduce-khairy
export LC_ALL=C
mkdir -p "$folder"

grep -v '^#' "$list" | while read -r workload _; do
    sed "s/^/$workload /" <<'RUNS'
gtx480 no l1.enabled=no
gtx480 bounded
gtx480 unbounded l1.size=unbounded
gtx480 unbounded-both l1.size=unbounded l2.size=unbounded
gtx480 full l1.ways=full
gtx480 64KB l1.size=64KB
gtx480 64KB-full l1.size=64KB l1.ways=full
fermi-l1d no l1.enabled=no
fermi-l1d bounded
RUNS
done | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/runs.csv"
for table in "khairy classes" "li bypass"; do
    read -r paper name <<<"$table"
    awk -f "$here/thresholds.awk" -f "$here/classes.awk" -v "paper=$paper" "$list" "$folder/runs.csv" \
        >"$folder/$name.csv"
done
