# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# The order engine alone: a source that only fills in addresses, gtx480 (hybrid: kepler-hybrid-tracker), one core.
"$build/tests/bench/bench_engine" | while IFS=$'\t' read -r pattern threads _ nanoseconds rate; do
    row "order engine, $pattern, $threads threads: $nanoseconds ns of CPU" "$rate" "million L1 accesses/s" \
        "$build/tests/bench/bench_engine $pattern $threads"
done
