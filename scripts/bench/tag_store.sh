# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# tag_store's C model: transactions per second on one core, at the paper's size and a larger one.
"$build/tests/bench/bench_tag_store" | while IFS=$'\t' read -r sets tags lines nanoseconds rate; do
    row "tag_store, $sets sets of $tags tags and $lines lines: $nanoseconds ns" "$rate" "million transactions/s" \
        "$build/tests/bench/bench_tag_store"
done
