# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# The memory system under another simulator: requests per second on one core.
"$build/tests/bench/bench_memory" | while IFS=$'\t' read -r pattern _ _ nanoseconds rate; do
    row "memory system, $pattern: $nanoseconds ns" "$rate" "million requests/s" "$build/tests/bench/bench_memory"
done
