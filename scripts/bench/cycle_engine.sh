# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build and $scratch
# The cycle engine on one core: whole runs, reading the input included. Inputs are made here, or come from
# GOLDMEM_REFERENCE with the configuration and the times of the public simulator.
cycle="$build/goldmem run --engine=cycle --threads 1 --quiet"

# cycle_rows NAME PUBLIC OPTION... INPUT: prints the rows of one run; PUBLIC: seconds of the public simulator, or -
cycle_rows() {
    local name=$1 public=$2 time counts command
    shift 2
    # shellcheck disable=SC2086  # words
    time=$(seconds $cycle "$@")
    # shellcheck disable=SC2086
    counts=$($cycle --json - "$@" | jq -r '.total | [.cycles, .warp_instructions, .l1d.accesses] | @tsv')
    command="$cycle $*"
    command=${command//$scratch/DIR}
    [ -z "${GOLDMEM_REFERENCE:-}" ] || command=${command//$GOLDMEM_REFERENCE/\$GOLDMEM_REFERENCE}
    row "cycle engine, $name, CPU time" "$time" s "$command"
    row "cycle engine, $name, core cycles" "$(per_second "$(cut -f1 <<<"$counts")" "$time")" million/s "$command"
    row "cycle engine, $name, warp instructions" "$(per_second "$(cut -f2 <<<"$counts")" "$time")" million/s "$command"
    row "cycle engine, $name, L1 accesses" "$(per_second "$(cut -f3 <<<"$counts")" "$time")" million/s "$command"
    # shellcheck disable=SC2086
    row "cycle engine, $name, peak memory" "$(peak $cycle "$@")" MB "$command"
    if [ "$public" != - ]; then
        row "cycle engine, $name, public simulator $public s" \
            "$(awk -v p="$public" -v s="$time" 'BEGIN { printf "%.0f", p / s }')" "times as fast" "$command"
    fi
}

cycle_rows "stream" - workload:stream
# At most 1.2 times the CPU time of the row above.
cycle_rows "stream, gates of L1s and L2" - --set l1.streaming=yes --set l2.streaming=yes workload:stream
cycle_rows "syrk with ipoly" - --set l1.index=ipoly:37 workload:syrk,n=64
# The number of L1 accesses of the public simulator's random gather over 4 MB, and of warp instructions (1.97 million, of
# compressed text) of its stream, with its ratio of instructions to L1 accesses.
cycle_rows "random gather" 86 workload:gather,n=61440,bytes=4194304
cycle_stream=workload:stream,n=18014208,each=2
"$build/goldmem" trace convert --compress=xz "$cycle_stream" "$scratch/stream" >/dev/null
cycle_rows "stream of xz text" 41 "$scratch/stream"
row "cycle engine, stream of xz text, 2 threads, peak memory" \
    "$(peak "$build/goldmem" run --engine=cycle --threads 2 --quiet "$scratch/stream")" MB \
    "$build/goldmem trace convert --compress=xz $cycle_stream DIR/stream; $build/goldmem run --engine=cycle --threads 2 --quiet DIR/stream"
rm -rf "$scratch/stream"

if [ -n "${GOLDMEM_REFERENCE:-}" ]; then
    cycle_machine=(-c "$GOLDMEM_REFERENCE/config/gpgpusim.config")
    cycle_a1=$GOLDMEM_REFERENCE/traces/a1_syrk_shared
    cycle_rows "a1, linear index" 459 "${cycle_machine[@]}" --set l1.index=sequential "$cycle_a1"
    cycle_rows "a1, Fermi hash" 36 "${cycle_machine[@]}" "$cycle_a1"
    cycle_rows "a1, ipoly" 10 "${cycle_machine[@]}" --set l1.index=ipoly:37 "$cycle_a1"
    cycle_rows "c_stream" 2.7 "${cycle_machine[@]}" "$GOLDMEM_REFERENCE/traces/c_stream"
    # The length of the stream that took the public simulator 41 s, 1.97 million warp instructions: c_stream's
    # kernel 16 times, 2.01 million.
    mkdir "$scratch/c_stream"
    cp "$GOLDMEM_REFERENCE"/traces/c_stream/kernel-1.traceg.xz "$scratch/c_stream"
    printf 'kernel-1.traceg.xz\n%.0s' {1..16} >"$scratch/c_stream/kernelslist.g"
    cycle_rows "c_stream 16 times" 41.9 "${cycle_machine[@]}" "$scratch/c_stream"
fi
