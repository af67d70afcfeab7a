# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# Protocols against no coherence in the cycle engine, on one core: TC-Weak with a workload whose fences wait and one without fences;
# MESI with the programs that do not communicate of [singh, Table 3].
coherent="$build/goldmem run --engine=cycle --preset fermi-tc --threads 1 --quiet"

# coherence_rows INPUT PROTOCOL...: prints the rows of one workload
coherence_rows() {
    local input=$1 protocol time plain=
    shift
    for protocol in none "$@"; do
        # shellcheck disable=SC2086  # words
        time=$(seconds $coherent --set "coherence=$protocol" "$input")
        row "coherence=$protocol, ${input#workload:}, CPU time" "$time" s "$coherent --set coherence=$protocol $input"
        plain=${plain:-$time}
        [ "$protocol" = none ] ||
            row "coherence=$protocol, ${input#workload:}, against none" "$(awk -v a="$time" -v b="$plain" 'BEGIN { printf "%.2f", a / b }')" \
                "times the CPU time" "the rows above"
    done
}

coherence_rows workload:threadfence_reduction,vectors=256 tcw
coherence_rows workload:hotspot tcw
while read -r input _ set; do
    [ "$set" != intra ] || coherence_rows "workload:$input" mesi
done <scripts/reproduce-singh/workloads.txt
