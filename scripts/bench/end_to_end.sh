# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build and $scratch
# Whole commands: trace text read, and runs of the gtx480 preset on one core.
order="$build/goldmem run --engine=order --preset gtx480 --threads 1 --quiet"

# whole_run INPUT: prints the rows of one run
whole_run() {
    local time counts
    # shellcheck disable=SC2086  # words
    time=$(seconds $order "$1")
    counts=$($order --json - "$1" | jq -r \
        '.total | [.warp_instructions, .l1d.accesses] | @tsv')
    row "$1, warp instructions" "$(per_second "$(cut -f1 <<<"$counts")" "$time")" million/s "$order $1"
    row "$1, L1 accesses" "$(per_second "$(cut -f2 <<<"$counts")" "$time")" million/s "$order $1"
    # shellcheck disable=SC2086  # words
    row "$1, peak memory" "$(peak $order "$1")" MB "$order $1"
}

# Trace: 133 MB of text.
make_trace="$build/goldmem trace convert workload:vectoradd,n=16777216 $scratch/trace"
$make_trace >/dev/null
text=$(find "$scratch/trace" -name '*.traceg' -printf '%s\n' | awk '{ sum += $1 } END { print sum }')
row "trace text parsed" "$(per_second "$text" "$(seconds "$build/tests/bench/bench_trace_parse" "$scratch/trace")")" \
    "MB/s" "${make_trace/$scratch\/trace/DIR}; $build/tests/bench/bench_trace_parse DIR"
# shellcheck disable=SC2086  # words
row "trace text parsed and simulated" "$(per_second "$text" "$(seconds $order "$scratch/trace")")" \
    "MB/s" "${make_trace/$scratch\/trace/DIR}; $order DIR"
# shellcheck disable=SC2086  # words
row "trace text parsed and simulated, peak memory" "$(peak $order "$scratch/trace")" MB "$order DIR"
rm -rf "$scratch/trace"
for input in stream,n=67108864,width=16 stream,n=67108864 gather,n=262144 vectoradd,n=4194304 syrk spmv bfs stencil3d; do
    whole_run "workload:$input"
done
