# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# Set-index functions: addresses mapped per second on one core, all methods in one run.
"$build/tests/bench/bench_set_index" | while IFS=$'\t' read -r function sets way nanoseconds rate; do
    row "$function, $sets sets, $way: $nanoseconds ns" "$rate" "million addresses/s" \
        "$build/tests/bench/bench_set_index"
done
