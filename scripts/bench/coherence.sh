# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# Protocols against no coherence in the cycle engine, on one core: TC-Weak with a workload whose fences wait and one without fences;
# MESI with the programs of [singh, Table 3] but DLB, which executes 5.7 times as many instructions under MESI: its CTAs spin longer.
coherent="$build/goldmem run --engine=cycle --preset fermi-tc --threads 1 --quiet"

# coherence_rows INPUT PROTOCOL...: prints the rows of one workload
coherence_rows() {
    local input=$1 protocol time plain="" against keys
    shift
    for protocol in none "$@"; do
        keys="--set coherence=$protocol"
        [ "$protocol" != mesi ] || keys+=" --set noc.virtual_networks=5" # [singh, Table 4]
        # shellcheck disable=SC2086  # words
        time=$(seconds $coherent $keys "$input")
        row "coherence=$protocol, ${input#workload:}, CPU time" "$time" s "$coherent $keys $input"
        plain=${plain:-$time}
        [ "$protocol" != none ] || continue
        against=$(awk -v a="$time" -v b="$plain" 'BEGIN { printf "%.2f", a / b }')
        row "coherence=$protocol, ${input#workload:}, against none" "$against" "times the CPU time" "the rows above"
        [ "$protocol" != mesi ] || mesi_against+=("$against")
    done
}

mesi_against=()
coherence_rows workload:threadfence_reduction,vectors=256 tcw
coherence_rows workload:hotspot tcw
while read -r input name _; do
    [ "$name" = DLB ] || coherence_rows "workload:$input" mesi
done < <(grep -v '^#' scripts/reproduce-singh/workloads.txt)
row "coherence=mesi, geometric mean against none" \
    "$(printf '%s\n' "${mesi_against[@]}" | awk '{ sum += log($1) } END { printf "%.2f", exp(sum / NR) }')" \
    "times the CPU time" "the rows above"
