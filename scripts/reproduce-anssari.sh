#!/usr/bin/env bash
# Reproduces [anssari, figures 4.1 to 4.6, table 4.2]: runs each workload of LIST (columns as in reproduce-anssari/workloads.txt) in
# each of reproduce-anssari/configurations.txt on the order engine, and the experiments on means that differ. Writes FOLDER/runs.csv
# (counters), sharing.csv (of each kernel), table-4.3.csv (area, leakage), a CSV for each figure, checks.csv (the thesis's means), tries.csv
# (experiments); keeps reports in CACHE.
# With a LIST named quick.txt the experiments are those of quick-experiments.txt.
# Usage: reproduce-anssari.sh GOLDMEM LIST FOLDER CACHE
set -euo pipefail
goldmem=$1 list=$2 folder=$3 cache=$4
scripts=$(dirname "$0")
here=$scripts/reproduce-anssari
export LC_ALL=C
experiments=$here/experiments.txt
[[ $list != */quick.txt ]] || experiments=$here/quick-experiments.txt
mkdir -p "$folder"

# runs PLAN: makes the runs of a plan; each on the thesis's machine in the engine without time
runs() {
    sed 's/$/ --engine=order l2.atomic_buffer=yes/' | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache"
}

grep -v '^#' "$list" | while read -r workload _; do
    grep -v '^#' "$here/configurations.txt" | while read -r name keys; do echo "$workload kepler-hybrid $name $keys"; done
done | runs >"$folder/runs.csv"
awk -f "$here/measures.awk" -f "$here/experiments.awk" -v plan=1 "$list" "$here/configurations.txt" "$experiments" | runs >"$folder/experiments.csv"

# sharing WORKLOAD: prints a row for each of its kernels, launches added up
sharing() {
    local file
    file=$cache/sharing-$(sha256sum <<<"$1" | cut -c1-32)
    if [ ! -e "$file" ]; then
        "$goldmem" run --engine=order --preset kepler-hybrid --quiet --analyze=sharing --json - "workload:$1" |
            jq -r -f "$here/sharing.jq" >"$file.new" && mv "$file.new" "$file"
    fi
    sed "s/^/${1%%,*},/" "$file"
}
echo "workload,kernel,launches,lines,half of the SMs or more,two SMs to half,neighbouring CTAs,lines of an instruction" >"$folder/sharing.csv"
grep -v '^#' "$list" | while read -r workload name _; do
    sharing "$workload" | sed "s/^[^,]*/$name/" >>"$folder/sharing.csv"
done

# Area and leakage of each size of the L2 with none and with 1, 2, 4 trackers; no run's work matters.
echo "L2 and trackers,L1s [mm^2],trackers [mm^2],L2 [mm^2],area [mm^2],leakage [mW]" >"$folder/table-4.3.csv"
for size in 128KB 256KB 512KB 1MB; do
    for trackers in 0 1 2 4; do
        keys=(--set "l2.size=$size" --set "tracker.enabled=$([ $trackers = 0 ] && echo no || echo yes)" --set "tracker.trackers=$((trackers + !trackers))")
        "$goldmem" run --engine=order --preset kepler-hybrid --quiet "${keys[@]}" --json - workload:vectoradd,n=1024 |
            jq -r --arg name "$size with $trackers" '.chip | [.area_um2[] / 1e6] as $area | [$name, .area_um2.l1d / 1e6, (.area_um2.tracker // 0) / 1e6,
                .area_um2.l2 / 1e6, ($area | add * 1000 | round / 1000), (.leakage_uw | add * 1.0 / 1000)] | map(tostring) | join(",")'
    done
done >>"$folder/table-4.3.csv"

awk -f "$here/measures.awk" -f "$here/figures.awk" -v "folder=$folder" "$list" tests/golden/anssari_figures.csv "$folder/runs.csv"
awk -f "$here/measures.awk" -f "$here/experiments.awk" -v plan=0 "$list" "$here/configurations.txt" "$experiments" \
    tests/golden/anssari_figures.csv "$folder/runs.csv" "$folder/experiments.csv" >"$folder/tries.csv"
