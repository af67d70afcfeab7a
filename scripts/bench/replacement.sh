# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# The C models of replacement and sm_dueling: transactions per second on one core.
"$build/tests/bench/bench_replacement" | while IFS=$'\t' read -r policy sets ways nanoseconds rate; do
    row "replacement, $policy, $sets sets of $ways ways: $nanoseconds ns" "$rate" "million transactions/s" \
        "$build/tests/bench/bench_replacement"
done
"$build/tests/bench/bench_sm_dueling" | while IFS=$'\t' read -r interval nanoseconds rate; do
    row "sm_dueling, interval $interval: $nanoseconds ns" "$rate" "million transactions/s" \
        "$build/tests/bench/bench_sm_dueling"
done
