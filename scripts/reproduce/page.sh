#!/usr/bin/env bash
# Fills in the tables of PAGE from the data in FOLDER with the functions in TABLES (page.awk).
# Usage: page.sh FOLDER PAGE TABLES...
set -euo pipefail
folder=$1 page=$2
shift 2
export LC_ALL=C
parts=(-f "$(dirname "$0")/page.awk")
for part in "$@"; do parts+=(-f "$part"); done
new=$(mktemp)
trap 'rm -f "$new"' EXIT
awk "${parts[@]}" -v "folder=$folder" "$page" >"$new"
cat "$new" >"$page"
