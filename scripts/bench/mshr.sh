# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# mshr's C model: transactions per second on one core, in a table that is almost full.
"$build/tests/bench/bench_mshr" | while IFS=$'\t' read -r entries merges nanoseconds rate; do
    row "mshr, $entries entries of $merges requesters: $nanoseconds ns" "$rate" "million transactions/s" \
        "$build/tests/bench/bench_mshr"
done
