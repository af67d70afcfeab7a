# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# gwct's C model: transactions per second on one core, with fences of a warp and of a CTA.
"$build/tests/bench/bench_gwct" | while IFS=$'\t' read -r warps nanoseconds rate; do
    row "gwct, 48 warps, fences of $warps: $nanoseconds ns" "$rate" "million transactions/s" \
        "$build/tests/bench/bench_gwct"
done
