# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# Built-in workloads: warp instructions generated per second on one core, into a sink that only counts.
"$build/tests/bench/bench_workload" | while IFS=$'\t' read -r workload instructions rate nanoseconds memory; do
    row "$workload, $instructions M instructions: $nanoseconds ns, $memory M/s memory" "$rate" \
        "million instructions/s" "$build/tests/bench/bench_workload $workload"
done
