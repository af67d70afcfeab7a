#!/usr/bin/env bash
# Measures goldmem and prints one row a figure, each with the command that repeats it.
# Usage: bench.sh BUILD_FOLDER
set -euo pipefail
export build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

# seconds COMMAND...: the shortest wall time of five runs, by hyperfine
seconds() {
    hyperfine --shell=none --warmup 1 --runs 5 --export-json "$scratch/time.json" "$*" \
        >/dev/null 2>"$scratch/errors" || { cat "$scratch/errors" >&2; return 1; }
    jq -r '.results[0].min' "$scratch/time.json"
}

# peak COMMAND...: peak resident memory in MB
peak() { /usr/bin/time -f %M -o "$scratch/peak" "$@" >/dev/null; awk '{printf "%.1f", $1 / 1024}' "$scratch/peak"; }

row() { printf '%-44s %12s %-22s %s\n' "$1" "$2" "$3" "$4"; }

row "what" "measured" "unit" "repeat with"
for part in scripts/bench/*.sh; do
    [ -e "$part" ] || continue
    # shellcheck disable=SC1090  # each part uses seconds, peak, row, $build and $scratch
    source "$part"
done
