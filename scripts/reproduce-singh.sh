#!/usr/bin/env bash
# Reproduces [singh, figures 1, 7 to 12]: runs each workload of LIST (columns as in reproduce-singh/workloads.txt) in each of
# reproduce-singh/configurations.txt for its set whose keys GOLDMEM has.
# With workloads.txt also changed.txt, with quick.txt quick-changed.txt, for the experiments of experiments.txt.
# Writes FOLDER/runs.csv and changed-runs.csv (counters) and a CSV for each figure; keeps reports in CACHE.
# Usage: reproduce-singh.sh GOLDMEM LIST FOLDER CACHE
set -euo pipefail
goldmem=$1 list=$2 folder=$3 cache=$4
scripts=$(dirname "$0")
here=$scripts/reproduce-singh
export LC_ALL=C
mkdir -p "$folder"

# has KEY=VALUE...: true if goldmem has these keys and values
has() {
    local options=() argument
    for argument in "$@"; do options+=(--set "$argument"); done
    "$goldmem" run --preset fermi-tc --quiet "${options[@]}" --json /dev/null workload:vectoradd,n=1 2>/dev/null
}
configurations=$(grep -v '^#' "$here/configurations.txt" | while read -r name set keys; do
    # shellcheck disable=SC2086 # words
    ! has $keys || echo "$name $set $keys"
done)
grep -v '^#' "$list" | while read -r workload _ set; do
    while read -r name sets keys; do
        [[ $sets != both && $sets != "$set" ]] || echo "$workload fermi-tc $name $keys"
    done <<<"$configurations"
done | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/runs.csv"

# Programs of the experiments, in the configurations that they name.
changed=
experiments=()
case $list in
*/workloads.txt) changed=$here/changed.txt ;;
*/quick.txt) changed=$here/quick-changed.txt ;;
esac
if [ -n "$changed" ]; then
    grep -v '^#' "$changed" | while read -r workload program names options; do
        while read -r name _ keys; do
            [[ ,$names, != *",$name,"* ]] || echo "$workload fermi-tc $program:$name $keys $options"
        done <<<"$configurations"
    done | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache" >"$folder/changed-runs.csv"
    experiments=("$here/experiments.txt" "$folder/changed-runs.csv")
fi
awk -f "$here/figures.awk" -v "folder=$folder" "$list" "$folder/runs.csv" "${experiments[@]}"
