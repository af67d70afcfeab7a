# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# lease_store's and lifetime_predictor's C models: transactions per second on one core.
"$build/tests/bench/bench_lease_store" | while IFS=$'\t' read -r leases nanoseconds rate; do
    row "lease_store, 128 entries, $leases leases: $nanoseconds ns" "$rate" "million transactions/s" \
        "$build/tests/bench/bench_lease_store"
done
"$build/tests/bench/bench_lifetime_predictor" | while IFS=$'\t' read -r nanoseconds rate; do
    row "lifetime_predictor: $nanoseconds ns" "$rate" "million transactions/s" "$build/tests/bench/bench_lifetime_predictor"
done
