#!/usr/bin/env bash
# Runs traces under GOLDMEM_TRACES and built-in workloads under every preset in both
# engines, with --check: the order engine also with ideal caches and with all analyses; the
# cycle engine also with queues of one entry, with decoupled L1s, with bypass policies and with coherent L1s.
# Usage: regress-runs.sh PATH_OF_GOLDMEM [NAME...]   NAME: of a trace's folder, or a workload[,OPTION...]; none: all
#        regress-runs.sh PATH_OF_GOLDMEM --list      prints the names
# CHECK=values: checks values as well.
set -euo pipefail
goldmem=$1
shift
check=--check${CHECK:+=$CHECK} # CHECK=values: values as well
chosen=()
# What needs a bounded size, in any preset, is switched off.
unbounded="--set l1.size=unbounded --set l2.size=unbounded --set l1.merge_by=line --set l1.answers=sector \
--set l1.bypass=none --set l2.atomic_buffer=no --set l2.fetch_on_write=partial --set l2.copies=no"
variants=(
    ""
    "--set l1.ways=full --set l2.ways=full"
    "$unbounded"
    "--set l1.sectored=yes --set l2.sectored=yes --set l1.ways=full --set l2.ways=full"
)
small="--set l1.mshrs=1 --set l1.merges=1 --set l1.miss_queue=1 --set l2.mshrs=1 --set l2.merges=1 \
--set l2.queue=1 --set l2.dram_queue=1 --set l2.reply_queue=1 --set dram.queue=1 \
--set dram.return_queue=1 --set noc.buffer=1 --set noc.ejection=1 --set sm.memory_queue=1"
machines=(
    "$small --set noc.topology=crossbar"
    "$small --set noc.topology=mesh --set l1.allocation=on_fill"
    "--set l1.kind=decoupled --set l1.dueling=yes"
    "$small --set l1.kind=decoupled --set l1.bypass_queue=1 --set l1.lfu_any=yes"
    "$small --set l1.bypass=mrpb --set l1.bypass_queue=1"
    "--set l1.bypass=pdp"
    "--set l1.bypass=all"
    "--set sm.throttle=static --set sm.limit=2"
    "--set sm.throttle=sampling --set gpu.sampling_period=500"
    "--set sm.throttle=sampling --set gpu.sampling_period=200 --set l1.streaming=yes --set l2.streaming=yes"
    "--set sm.throttle=ccws"
)
few_lines="$small --set l1.size=4KB --set l2.size=64KB --set coherence.leases=2 --set coherence.lifetime=500 --set coherence.time_bits=12"
few_shared="$few_lines --set l2.mshrs=2" # a protocol with a directory needs two
coherent=(
    "--set coherence=ideal"
    "--set coherence=vi"
    "--set coherence=vi $few_shared"
    "--set coherence=mesi"
    "--set coherence=mesi $few_shared"
    "--set coherence=vini"
    "--set coherence=vini --set coherence.directory_ways=2 --set coherence.directory_size=1 $few_shared"
    "--set coherence=tcs --set coherence.lifetime=800"
    "--set coherence=tcw"
    "--set coherence=tcw --set coherence.visible=yes --set coherence.fence=cta --set coherence.merge=lease"
    "--set coherence=tcs $few_lines"
    "--set coherence=tcw $few_lines"
)
# Prints the name of every input.
names() {
    if [ -n "${GOLDMEM_TRACES:-}" ]; then
        for folder in "$GOLDMEM_TRACES"/*/; do basename "$folder"; done
    else
        echo "regress-runs: GOLDMEM_TRACES is not set: workloads only" >&2
    fi
    "$goldmem" workloads | cut -d' ' -f1
}
if [ "${1:-}" = --list ]; then
    names
    exit
fi
[ $# -gt 0 ] || mapfile -t chosen < <(names)
inputs=()
for name in "$@" "${chosen[@]}"; do
    if [ -n "${GOLDMEM_TRACES:-}" ] && [ -d "$GOLDMEM_TRACES/$name" ]; then
        inputs+=("$GOLDMEM_TRACES/$name/")
    else
        inputs+=("workload:$name")
    fi
done
runs=0
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT

# one ENGINE PRESET OPTIONS INPUT: runs one configuration
one() {
    local engine=$1 preset=$2 options=$3 input=$4
    # shellcheck disable=SC2086  # options are several arguments
    "$goldmem" run --engine="$engine" --quiet "$check" --preset "$preset" $options "$input" || {
        echo "regress-runs: failed: $input --engine=$engine --preset $preset $options" >&2
        exit 1
    }
    runs=$((runs + 1))
}

for input in "${inputs[@]}"; do
    while read -r preset _; do
        for variant in "${variants[@]}"; do
            # Analyses and the variants need an L1 of one size, which the modern presets do not have, and no gates; the
            # order engine has no warps to throttle.
            one order "$preset" "--set l1.unified=0 --set sm.throttle=none --set l1.streaming=no --set l2.streaming=no --analyze=locality,reuse,misses,sharing $variant" "$input"
        done
        one cycle "$preset" "" "$input"
    done < <("$goldmem" presets)
    for machine in "${machines[@]}"; do
        one cycle gtx480 "$machine" "$input"
    done
    for machine in "${coherent[@]}"; do
        one cycle fermi-tc "$machine" "$input"
    done
    for engine in order cycle; do
        one $engine gtx480 "--write-profile $profile" "$input"
        one $engine gtx480 "--set l1.bypass=profiled --set l1.profile=$profile --set l1.profile_threshold=4" "$input"
    done
done
echo "regress-runs: $runs runs, every law held"
