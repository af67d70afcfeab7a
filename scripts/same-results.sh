#!/usr/bin/env bash
# Shows that two builds give the same results: every built-in workload under every preset in both engines, and each
# machine below, byte for byte in text, JSON and CSV. For changes that must change no behaviour.
# Usage: same-results.sh OLD_GOLDMEM NEW_GOLDMEM [WORKLOAD...]
# RESULTS=FOLDER keeps OLD's results, and reuses them the next time. What OLD does not know is left out: keys of the
# configuration that JSON repeats, and counters (columns of CSV, by their names). It says which counters these are.
set -euo pipefail
export LC_ALL=C
if [ $# -lt 2 ]; then
    echo "usage: same-results.sh OLD_GOLDMEM NEW_GOLDMEM [WORKLOAD...]" >&2
    exit 2
fi
old=$(realpath "$1") new=$(realpath "$2")
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
touch "$scratch/tally" "$scratch/other"
kept=${RESULTS:-$scratch/kept}
mkdir -p "$kept"
small="--set l1.mshrs=1 --set l1.merges=1 --set l1.miss_queue=1 --set l2.mshrs=1 --set l2.merges=1 \
--set l2.queue=1 --set l2.dram_queue=1 --set l2.reply_queue=1 --set dram.queue=1 \
--set dram.return_queue=1 --set noc.buffer=1 --set noc.ejection=1 --set sm.memory_queue=1"
machines=(
    "--engine=cycle $small --set noc.topology=mesh --set l1.allocation=on_fill"
    "--engine=cycle --set l1.kind=decoupled --set l1.dueling=yes"
    "--engine=cycle $small --set l1.kind=decoupled --set l1.bypass_queue=1 --set l1.lfu_any=yes"
    "--engine=cycle --set l1.bypass=mrpb --set l1.bypass_queue=1"
    "--engine=cycle --set l1.bypass=pdp"
    "--engine=cycle --set l1.bypass=all --set l1.sectored=yes --set l1.global_write=back --set l1.global_allocate=yes"
    "--engine=cycle --set l1.sectored=yes --set l2.sectored=yes --set l1.lookup=last --set sm.scheduler=two_level"
    "--engine=order --analyze=locality,reuse,misses,sharing"
    "--engine=order --set l1.kind=decoupled --set l1.dueling=yes"
    "--engine=order --set l1.ways=full --set l2.size=unbounded --set l1.sectored=yes"
)
while read -r preset _; do
    machines=("--engine=cycle --preset=$preset" "${machines[@]}")
    # The order engine has no warps to throttle.
    [ "$preset" = gtx480-dwt-pric ] || machines+=("--engine=order --preset=$preset")
done < <("$new" presets)
if [ $# -eq 0 ]; then
    while read -r name _; do set -- "$@" "$name"; done < <("$new" workloads)
fi

# The names of keys that OLD does not know, as a pattern; none: a name that no key has.
keys() { "$1" docs configuration | awk -F '[|`]' '/^[|] `[a-z0-9]+[.]/ { print $3 }' | sort -u; }
unknown=$(comm -13 <(keys "$old") <(keys "$new") | sed 's/\./\\./' | paste -sd'|')
unknown=${unknown:-no\.key}

# The counters that OLD does not know: from the header lines of a small run's CSV.
counters() {
    local table
    table=$(mktemp -p "$scratch")
    for engine in order cycle; do
        "$1" run -q --engine=$engine --csv="$table" workload:vectoradd,n=1024
        head -n 1 "$table" | tr ',' '\n'
    done | sort -u
}
added=$(comm -13 <(counters "$old") <(counters "$new") | paste -sd'|')
if [ -n "$added" ]; then echo "same-results: left out: ${added//|/, }"; fi
nested=$(sed -E 's/[a-z0-9_]+\.//g' <<<"$added") # JSON has them by the last part of their names
export unknown added nested

# Leaves out the columns of CSV whose names are in $added.
without_added() {
    python3 -c '
import csv, re, sys
rows = list(csv.reader(sys.stdin))
kept = [i for i, name in enumerate(rows[0]) if not re.fullmatch(sys.argv[1], name)]
csv.writer(sys.stdout).writerows([[row[i] for i in kept] for row in rows])' "$added"
}

# results GOLDMEM FOLDER WORKLOAD OPTIONS: checksums of its text, JSON and CSV in FOLDER/sums
results() {
    mkdir -p "$2"
    # shellcheck disable=SC2086  # options are several arguments
    "$1" run --per-sm --per-bank --json="$2/json" --csv="$2/csv" $4 "workload:$3" >"$2/text" 2>&1 || echo "exit $?" >>"$2/text"
    sed -i '/thread instructions a second/d' "$2/text"
    if [ -f "$2/json" ]; then sed -E -i "/^\"config\": /s/\"($unknown)\": [^,}]*, //g; s/\"(${nested:-no counter})\": [^,}]*, //g" "$2/json"; fi
    if [ -f "$2/csv" ] && [ -n "$added" ]; then without_added <"$2/csv" >"$2/csv.left" && mv "$2/csv.left" "$2/csv"; fi
    for file in text json csv; do
        if [ -f "$2/$file" ]; then md5sum <"$2/$file"; else echo "none"; fi
        rm -f "$2/$file"
    done >"$2/new"
    mv "$2/new" "$2/sums"
}

# one WORKLOAD OPTIONS: compares one configuration
one() {
    local name
    name=$1-$(md5sum <<<"$2" | cut -c1-12)
    if [ ! -f "$kept/$name/sums" ]; then results "$old" "$kept/$name" "$1" "$2"; fi
    results "$new" "$scratch/$name" "$1" "$2"
    if cmp -s "$scratch/$name/sums" "$kept/$name/sums"; then
        echo same >>"$scratch/tally"
    else
        echo "other results: goldmem run $2 workload:$1" | tee -a "$scratch/other"
    fi
}
export -f one results without_added
export old new kept scratch

for workload in "$@"; do
    for machine in "${machines[@]}"; do printf '%s\0%s\0' "$workload" "$machine"; done
done | xargs -0 -n 2 -P "$(nproc)" bash -c "one \"\$1\" \"\$2\"" one
echo "same-results: $(wc -l <"$scratch/tally") runs give the same bytes, $(wc -l <"$scratch/other") others"
[ ! -s "$scratch/other" ]
