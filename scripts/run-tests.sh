#!/usr/bin/env bash
# Runs the test programs of a build folder and closes with one line of totals.
# Usage: run-tests.sh BUILD_FOLDER [NAME...]   (a NAME selects the programs whose path contains it)
set -uo pipefail
build=$1
shift
export GOLDMEM=$PWD/$build/goldmem
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0
mapfile -t programs < <(find "$build/tests" -type f -executable -name 'test_*' | sort)
for program in "${programs[@]}"; do
    if [ $# -gt 0 ]; then
        selected=0
        for name in "$@"; do [[ $program == *"$name"* ]] && selected=1; done
        [ $selected -eq 1 ] || continue
    fi
    start=$SECONDS
    "$program" >"$log" 2>&1
    status=$?
    ok=$(grep -c '^\[       OK \]' "$log")
    bad=$(grep '^\[  FAILED  \] [^0-9]' "$log" | sort -u | wc -l)
    skip=$(grep '^\[  SKIPPED \] [^0-9]' "$log" | sort -u | wc -l)
    if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
    printf '%-48s %4d passed %3d failed %3d skipped %4d s\n' \
        "${program#"$build"/tests/}" "$ok" "$bad" "$skip" $((SECONDS - start))
    if [ $status -ne 0 ]; then cat "$log"; fi
    if [ "$skip" -gt 0 ]; then grep -iE 'skipped: ' "$log" | sort -u | sed 's/^/    /'; fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
