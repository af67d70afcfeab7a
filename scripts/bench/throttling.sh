# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build and $scratch
# What throttling and streaming bypass cost the cycle engine: instructions of a whole run (callgrind) over those of the plain run,
# at most 1.2. Of a workload that they hardly speed up: without reuse, nothing is throttled but what the limit says.
throttled=$build/goldmem
throttled_input=workload:vectoradd,n=262144

# instructions COMMAND...: prints the instructions that it takes, in millions
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
        awk '/Collected/ { printf "%.1f", $4 / 1e6; found = 1 } END { exit !found }'
}

# throttling_row NAME OPTION...: prints the row of one technique
throttling_row() {
    local name=$1 count
    shift
    count=$(instructions "$throttled" run --quiet --threads 1 "$@" "$throttled_input")
    row "throttling, $name" "$(awk -v a="$count" -v b="$throttled_plain" 'BEGIN { printf "%.2f", a / b }')" "times instructions" \
        "valgrind --tool=callgrind $throttled run --quiet --threads 1 $* $throttled_input"
}

throttled_plain=$(instructions "$throttled" run --quiet --threads 1 "$throttled_input")
row "throttling, none" "$throttled_plain" "million instructions" \
    "valgrind --tool=callgrind $throttled run --quiet --threads 1 $throttled_input"
throttling_row "gates of L1s and L2" --set l1.streaming=yes --set l2.streaming=yes
throttling_row "static, all warps" --set sm.throttle=static --set sm.limit=24
throttling_row "sampling" --set sm.throttle=sampling
throttling_row "sampling, gates and ipoly" --preset gtx480-dwt-pric
throttling_row "CCWS" --set sm.throttle=ccws
