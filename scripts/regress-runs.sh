#!/usr/bin/env bash
# Runs every trace under GOLDMEM_TRACES and every built-in workload under every preset, and with
# ideal caches, all laws checked and all analyses on. Usage: regress-runs.sh PATH_OF_GOLDMEM
set -euo pipefail
goldmem=$1
variants=(
    ""
    "--set l1.ways=full --set l2.ways=full"
    "--set l1.size=unbounded --set l2.size=unbounded"
    "--set l1.sectored=yes --set l2.sectored=yes --set l1.ways=full --set l2.ways=full"
)
inputs=()
if [ -n "${GOLDMEM_TRACES:-}" ]; then
    inputs+=("$GOLDMEM_TRACES"/*/)
else
    echo "regress-runs: GOLDMEM_TRACES is not set: workloads only"
fi
while read -r name _; do
    inputs+=("workload:$name")
done < <("$goldmem" workloads)
runs=0
for input in "${inputs[@]}"; do
    while read -r preset _; do
        for variant in "${variants[@]}"; do
            # shellcheck disable=SC2086  # a variant is several arguments
            "$goldmem" run --quiet --check --analyze=locality,reuse,misses,sharing \
                --preset "$preset" $variant "$input" || {
                echo "regress-runs: failed: $input --preset $preset $variant" >&2
                exit 1
            }
            runs=$((runs + 1))
        done
    done < <("$goldmem" presets)
done
echo "regress-runs: $runs runs, every law held"
