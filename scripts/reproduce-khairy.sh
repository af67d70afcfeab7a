#!/usr/bin/env bash
# Reproduces [khairy, figures 2 and 4, Table 2] and [li, Table 1] with the cycle engine: runs each
# workload of LIST with and without its L1 and with larger caches, and classifies it.
# Writes FOLDER/runs.csv (counters), classes.csv [khairy] and bypass.csv [li].
# Usage: reproduce-khairy.sh GOLDMEM LIST FOLDER
set -euo pipefail
goldmem=$1
list=$2
folder=$3
here=$(dirname "$0")/reproduce-khairy
export LC_ALL=C
mkdir -p "$folder"

# run WORKLOAD PRESET NAME KEY=VALUE...: a row of runs.csv
run() {
    local workload=$1 preset=$2 name=$3 keys=() options=
    shift 3
    for key in "$@"; do keys+=(--set "$key"); done
    [[ $workload != *,* ]] || options=${workload#*,}
    "$goldmem" run --engine=cycle --preset "$preset" --quiet "${keys[@]}" --json - "workload:$workload" |
        jq -r --arg run "${workload%%,*},${options//,/ },$preset,$name" '.total |
            [.cycles, .thread_instructions, .l1d.load.accesses, .l1d.load.misses, .l1d.misses,
             (.l1d.reservation_fails | .line, .mshr_entry, .mshr_merge, .miss_queue),
             .l2.load.accesses, .l2.load.misses, .time.dram_busy, .time.dram_cycles] | map(tostring) | "\($run),\(join(","))"'
}

{
    echo "workload,options,preset,L1,cycles,thread instructions,L1 loads,L1 load misses,L1 misses,line allocation fails,MSHR entry fails,MSHR merge fails,miss queue fails,L2 loads,L2 load misses,DRAM busy,DRAM cycles"
    grep -v '^#' "$list" | while read -r workload _; do
        run "$workload" gtx480 no l1.enabled=no
        run "$workload" gtx480 bounded
        run "$workload" gtx480 unbounded l1.size=unbounded
        run "$workload" gtx480 unbounded-both l1.size=unbounded l2.size=unbounded
        run "$workload" gtx480 full l1.ways=full
        run "$workload" gtx480 64KB l1.size=64KB
        run "$workload" gtx480 64KB-full l1.size=64KB l1.ways=full
        run "$workload" fermi-l1d no l1.enabled=no
        run "$workload" fermi-l1d bounded
    done
} >"$folder/runs.csv"
for table in "khairy classes" "li bypass"; do
    read -r paper name <<<"$table"
    awk -f "$here/thresholds.awk" -f "$here/classes.awk" -v "paper=$paper" "$list" "$folder/runs.csv" \
        >"$folder/$name.csv"
done
