#!/usr/bin/env bash
# Runs the test programs of a build folder, one on each core, and closes with one line of totals.
# Usage: run-tests.sh BUILD_FOLDER [NAME...]   (a NAME selects the programs whose path contains it)
set -uo pipefail
export build=$1
shift
export GOLDMEM=$PWD/$build/goldmem
logs=$(mktemp -d)
export logs
trap 'rm -rf "$logs"' EXIT

# Runs one program, prints its row (and its output when it failed), leaves its counts in $logs.
run_one() {
    local TIMEFORMAT="%U %S" seconds=0 name=${1#"$build"/tests/} log ok bad skip status
    log=$logs/${name//\//.}.log
    if [ "$1" -ot "$build/libgoldmem.so" ]; then
        echo "it is older than the library: make test-programs" >"$log"
        status=1
    else
        { time "$1" >"$log" 2>&1; } 2>"$log.time"
        status=$?
        seconds=$(awk '{ print $1 + $2 }' "$log.time")
    fi
    ok=$(grep -c '^\[       OK \]' "$log")
    bad=$(grep '^\[  FAILED  \] [^0-9]' "$log" | sort -u | wc -l)
    skip=$(grep '^\[  SKIPPED \] [^0-9]' "$log" | sort -u | wc -l)
    if [ $status -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
    echo "$ok $bad $skip $seconds" >"$log.counts"
    {
        printf '%-48s %4d passed %3d failed %3d skipped %6.1f CPU s\n' \
            "$name" "$ok" "$bad" "$skip" "$seconds"
        if [ "$bad" -gt 0 ]; then cat "$log"; fi
        if [ "$skip" -gt 0 ]; then grep -iE 'skipped: ' "$log" | sort -u | sed 's/^/    /'; fi
    } >"$log.row"
    flock "$logs" cat "$log.row"
}
export -f run_one

chosen() {
    [ $# -gt 1 ] || return 0
    local program=$1 name
    shift
    for name in "$@"; do [[ $program == *"$name"* ]] && return 0; done
    return 1
}

find "$build/tests" -type f -executable -name 'test_*' | sort | while read -r program; do
    if chosen "$program" "$@"; then printf '%s\0' "$program"; fi
done | xargs -0 -r -P "$(nproc)" -n 1 bash -c "run_one \"\$1\"" run_one

read -r passed failed skipped seconds < <(cat "$logs"/*.counts 2>/dev/null |
    awk '{p += $1; f += $2; s += $3; t += $4} END {print p + 0, f + 0, s + 0, int(t)}')
echo "$passed passed, $failed failed, $skipped skipped, $seconds CPU s"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
