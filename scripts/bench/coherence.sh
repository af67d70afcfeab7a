# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# TC-Weak against no coherence in the cycle engine, on one core: a workload whose fences wait, and one without fences.
coherent="$build/goldmem run --engine=cycle --preset fermi-tc --threads 1 --quiet"

# coherence_rows INPUT: prints the rows of one workload
coherence_rows() {
    local protocol time plain=
    for protocol in none tcw; do
        # shellcheck disable=SC2086  # words
        time=$(seconds $coherent --set "coherence=$protocol" "$1")
        row "coherence=$protocol, ${1#workload:}, CPU time" "$time" s "$coherent --set coherence=$protocol $1"
        plain=${plain:-$time}
    done
    row "coherence=tcw, ${1#workload:}, against none" "$(awk -v a="$time" -v b="$plain" 'BEGIN { printf "%.2f", a / b }')" \
        "times the CPU time" "the rows above"
}

coherence_rows workload:threadfence_reduction,vectors=256
coherence_rows workload:hotspot
