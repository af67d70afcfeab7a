#!/usr/bin/env bash
# Compares conventional_tags with tag_store at threshold 0 (tb/conventional_tags_tb.sv): under Verilator, REQUESTS
# requests (2,000,000) for each shape; `quick`: under Icarus, 1500 requests for one shape.
# Usage: conventional-tags.sh [quick | REQUESTS]
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
top=conventional_tags_tb
if [ "${1:-}" = quick ]; then
    iverilog -g2012 -Wall -Irtl -s $top -P $top.Requests=1500 -o "$scratch/tb" rtl/*.sv tb/$top.sv
    vvp -n "$scratch/tb"
    exit
fi
for shape in "4 8" "3 5" "1 2" "8 16"; do
    read -r ways tag_ways <<<"$shape"
    rm -rf "$scratch/build"
    verilator --binary -O3 -Wno-lint -Wno-style --timing -Irtl --top-module $top -Mdir "$scratch/build" \
        -GRequests="${1:-2000000}" -GWays="$ways" -GTagWays="$tag_ways" tb/$top.sv >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
    answer=$("$scratch/build/V$top") || { echo "$answer" >&2; exit 1; }
    echo "conventional-tags: $ways ways against $tag_ways: ${answer%%$'\n'*}"
done
