# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build
# Sharing trackers in the cycle engine, alone, with bypassing on contention, and with the L2's keys beside both, against the machine
# without: at most 1.5 times its CPU time. On one core; the trackers change how long a run is, so cycles stand beside.
hybrid="$build/goldmem run --engine=cycle --preset kepler-hybrid --threads 1"

# hybrid_rows INPUT: prints the rows of one workload
hybrid_rows() {
    local options time plain='' both="--set tracker.enabled=yes --set l1.bypass=contention"
    for options in "" "--set tracker.enabled=yes" "$both" "$both --set l2.bypass=coalesced --set l2.victim=yes" \
        "$both --set l2.dirty=byte --set l2.fetch_on_write=lazy"; do
        # shellcheck disable=SC2086  # words
        time=$(seconds $hybrid --quiet $options "$1")
        plain=${plain:-$time}
        # shellcheck disable=SC2086  # words
        row "hybrid, ${1#workload:}, ${options:-none}" "$(awk -v a="$time" -v b="$plain" 'BEGIN { printf "%.2f", a / b }')" \
            "times the CPU time, $($hybrid $options "$1" | awk '/^  core cycles +[0-9]/ { print $3 }') cycles" "$hybrid --quiet $options $1"
    done
}

hybrid_rows workload:stencil3d
hybrid_rows workload:spmv
hybrid_rows workload:gridding
