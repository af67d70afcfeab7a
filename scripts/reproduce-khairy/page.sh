#!/usr/bin/env bash
# Fills in the tables of PAGE from the data that reproduce-khairy.sh wrote to FOLDER; with pictures, draws
# those beside the data too. Usage: page.sh FOLDER PAGE [pictures]
set -euo pipefail
folder=$1
page=$2
here=$(dirname "$0")
export LC_ALL=C
new=$(mktemp)
trap 'rm -f "$new"' EXIT
awk -f "$here/thresholds.awk" -f "$here/page.awk" -v "folder=$folder" "$page" >"$new"
cat "$new" >"$page"
[ "${3:-}" != pictures ] || gnuplot -e "folder='$folder'" "$here/pictures.gp"
