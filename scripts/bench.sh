#!/usr/bin/env bash
# Measures goldmem: prints one row per figure, with the command that repeats it.
# Usage: bench.sh BUILD_FOLDER
set -euo pipefail
export build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

# seconds COMMAND...: prints the CPU time, user and system, of the fastest of five runs: with one thread, the time on an
# otherwise idle core
seconds() {
    local TIMEFORMAT='%3U %3S'
    for _ in 1 2 3 4 5; do
        { time "$@" >/dev/null 2>"$scratch/errors"; } 2>&1 || { cat "$scratch/errors" >&2; return 1; }
    done | awk 'NR == 1 || $1 + $2 < least { least = $1 + $2 } END { print least }'
}

# peak COMMAND...: prints the peak resident memory [MB]
peak() { /usr/bin/time -f %M -o "$scratch/peak" "$@" >/dev/null; awk '{printf "%.1f", $1 / 1024}' "$scratch/peak"; }

# per_second COUNT SECONDS: prints millions per second
per_second() { awk -v count="$1" -v time="$2" 'BEGIN { printf "%.2f", count / time / 1e6 }'; }

row() { printf '%-60s %10s %-22s %s\n' "$1" "$2" "$3" "$4"; }

row "what" "measured" "unit" "repeat with"
for part in scripts/bench/*.sh; do
    [ -e "$part" ] || continue
    # shellcheck disable=SC1090  # each part uses seconds, peak, per_second, row, $build and $scratch
    source "$part"
done
