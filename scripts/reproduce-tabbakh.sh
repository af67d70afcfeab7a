#!/usr/bin/env bash
# Reproduces [tabbakh, Figures 3, 5, 8, 14 to 17, VI-C, VII-C]: runs each workload of LIST (columns as in reproduce-tabbakh/workloads.txt)
# in each of reproduce-tabbakh/configurations.txt.
# Writes FOLDER/runs.csv (counters), a CSV for each figure, contents.csv (sets of the L2), checks.csv (the paper's means),
# tries.csv (experiments), footprints.csv; keeps reports in CACHE.
# Usage: reproduce-tabbakh.sh GOLDMEM LIST FOLDER CACHE
set -euo pipefail
goldmem=$1 list=$2 folder=$3 cache=$4
scripts=$(dirname "$0")
here=$scripts/reproduce-tabbakh
figures=$scripts/../tests/golden/tabbakh_figures.csv
export LC_ALL=C
mkdir -p "$folder"

# runs LIST PATTERN: prints the counters of its workloads in the configurations whose names match
runs() {
    grep -v '^#' "$1" | while read -r workload _ _ _ options; do
        grep -v '^#' "$here/configurations.txt" | while read -r name preset keys; do
            [[ ! $name =~ $2 ]] || echo "$workload $preset $name $keys $options"
        done
    done | "$scripts/reproduce/runs.sh" "$goldmem" "$here/columns.txt" "$cache"
}
runs "$list" . >"$folder/runs.csv"

# Footprints near the L2's size: footprints.txt beside workloads.txt, quick-footprints.txt beside quick.txt, none with another list.
footprints=()
case $list in
*/workloads.txt) footprints=("$here/footprints.txt" "$folder/footprint-runs.csv") ;;
*/quick.txt) footprints=("$here/quick-footprints.txt" "$folder/footprint-runs.csv") ;;
esac
[ ${#footprints[@]} = 0 ] || runs "${footprints[0]}" '^(rr|qx_adpt|mgt|qx_adpt[+]mgt|qx_adpt[+]mgt[+]reset)$' >"${footprints[1]}"

# Figure 8: CTAs of the first 70 kernels of Gaussian, placed in round robin (groups of one).
read -r workload _ < <(grep '^gaussian' "$list")
kernels=$cache/kernels-$(sha256sum <<<"$workload" | cut -c1-32)
if [ ! -e "$kernels" ]; then
    "$goldmem" run --preset fermi-sharing --quiet --set gpu.cta=groups --set gpu.cta_group=1 --kernels=0-69 --json - "workload:$workload" |
        jq -r '.kernels | to_entries[] | [.key, .value.name, .value.ctas, .value.cta.least, (.value.cta.cycles / .value.cta.ended | round), .value.cta.most]
            | map(tostring) | join(",")' >"$kernels.new" && mv "$kernels.new" "$kernels"
fi
{ echo "kernel,name,CTAs,least,mean,most" && cat "$kernels"; } >"$folder/figure-8.csv"

# What the sets of the L2 hold at the end of the last kernel, of some workloads.
echo "workload,configuration,lines,shared,dead,sets,sets of shared lines only" >"$folder/contents.csv"
grep -v '^#' "$list" | while read -r workload name _ _ options; do
    [[ $name =~ ^(LBM|SRAD|stencil|WP)$ ]] || continue
    for keys in "" sharing.kernel_reset=yes sharing.l2_dead=yes; do
        file=$cache/sets-$(sha256sum <<<"$workload $options $keys" | cut -c1-32)
        if [ ! -e "$file" ]; then
            # shellcheck disable=SC2086 # words
            "$goldmem" run --preset fermi-sharing --quiet --per-set --set gpu.cta=groups --set gpu.cta_adaptive=yes --set sharing.enabled=yes \
                ${keys:+--set "$keys"} $options --json - "workload:$workload" | jq -r '.kernels[-1].l2_sets as {$lines, $shared, $dead, $ways}
                | [$lines, $shared, $dead | add] + [$lines | length] + [[$shared[] | select(. == $ways)] | length] | map(tostring) | join(",")' \
                >"$file.new" && mv "$file.new" "$file"
        fi
        sed "s/^/$name,qx_adpt+mgt$(sed 's/^..*kernel_/+/; s/^..*l2_/+/; s/=yes//' <<<"$keys"),/" "$file"
    done
done >>"$folder/contents.csv"

awk -f "$here/measures.awk" -f "$here/figures.awk" -v "folder=$folder" "$list" "$figures" "$here/experiments.txt" "$folder/runs.csv" "${footprints[@]}"
