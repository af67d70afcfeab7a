# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build and $scratch
# gwct's C model: transactions per second on one core, with fences of a warp and of a CTA, and beside mshr's in the same run.
"$build/tests/bench/bench_gwct" >"$scratch/gwct"
"$build/tests/bench/bench_mshr" >"$scratch/mshr"
while IFS=$'\t' read -r warps nanoseconds rate; do
    row "gwct, 48 warps, fences of $warps: $nanoseconds ns" "$rate" "million transactions/s" \
        "$build/tests/bench/bench_gwct"
done <"$scratch/gwct"
row "gwct, fences of 1, against mshr, 32 entries" \
    "$(awk 'NR == FNR { if ($1 == 1) gwct = $3; next } $1 == 32 { printf "%.2f", gwct / $4 }' "$scratch/gwct" "$scratch/mshr")" \
    "times mshr's rate" "$build/tests/bench/bench_gwct; $build/tests/bench/bench_mshr"
