#!/usr/bin/env bash
# Runs an input against the RTL: each kind of index function, both engines, conventional and decoupled L1s, every block.
# Usage: regress-rtl.sh PATH_OF_GOLDMEM INPUT
set -euo pipefail
goldmem=$1 input=$2
runs=0

# one ARGUMENT...: runs the input once.
one() {
    "$goldmem" run --threads 1 "$@" "$input" >/dev/null || {
        echo "regress-rtl: failed: goldmem run --threads 1 $* $input" >&2
        exit 1
    }
    runs=$((runs + 1))
}

# temporal ARGUMENT...: runs it once under a protocol with leases; counts its fences that waited for GWCTs to pass.
waited=0
temporal() {
    local report
    report=$("$goldmem" run --threads 1 --check --preset=fermi-tc --set l2.size=256KB "$@" "$input") || {
        echo "regress-rtl: failed: goldmem run --threads 1 --check --preset=fermi-tc --set l2.size=256KB $* $input" >&2
        exit 1
    }
    waited=$((waited + $(awk '$1 == "fences_time" { gsub(",", "", $2); sum += $2 } END { print sum + 0 }' <<<"$report")))
    runs=$((runs + 1))
}

for index in sequential xor fold ipoly:37 ipoly:41; do
    one --engine=order --rtl=set_index --set "l1.index=$index" --set "l2.index=${index%:*}"
done
one --rtl=set_index,mshr
one --set l1.streaming=yes --set l2.streaming=yes --set gpu.sampling_period=2000 --rtl=stream_gate
one --set l1.bypass=contention --rtl=contention_bypass
one --set l2.atomic_buffer=yes --rtl=atomic_buffer
one --set sharing.enabled=yes --set l1.allocation=on_fill --set l1.global_write=through --set l1.local_allocate=yes --rtl=sharing_lru
one --set gpu.cta=groups --set gpu.cta_adaptive=yes --rtl=cta_queues
one --set gpu.cta=bcs --rtl=cta_queues
one --set sm.throttle=static --set sm.limit=3 --rtl=warp_limiter
one --set sm.throttle=sampling --set gpu.sampling_period=1000 --rtl=warp_limiter,cores_sampling
one --set sm.throttle=ccws --rtl=victim_tags,locality_score
one --set l1.replacement=srrip --set l2.replacement=ship --rtl=replacement
temporal --set coherence=tcw --rtl=gwct,tc_l1,tc_l2,lease_store,lifetime_predictor
temporal --set coherence=tcw --set coherence.visible=yes --set coherence.fence=cta --set coherence.merge=lease \
    --rtl=gwct,tc_l1,tc_l2,lease_store,lifetime_predictor
temporal --set coherence=tcs --set coherence.lifetime=800 --rtl=gwct,tc_l1,tc_l2,lease_store
temporal --set coherence=tcw --set coherence.lifetime=1000 --set coherence.time_bits=11 --rtl=gwct,tc_l1,tc_l2,lease_store
decoupled=(--preset=fermi-l1d --set l1.kind=decoupled)
for set in l1.index=sequential l1.index=ipoly:37 l1.lfu_any=yes l1.threshold=4; do
    one "${decoupled[@]}" --engine=order --rtl=set_index,tag_store --set "$set"
done
one "${decoupled[@]}" --set l1.dueling=yes --rtl=set_index,mshr,tag_store,sm_dueling
echo "regress-rtl: $input: $runs runs agree with the RTL; $waited fences waited for GWCTs to pass"
if [ "$input" = workload:threadfence_reduction ] && [ "$waited" -eq 0 ]; then
    echo "regress-rtl: $input: no fence waited for a GWCT" >&2
    exit 1
fi
