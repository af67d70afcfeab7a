#!/usr/bin/env bash
# Makes the runs of a reproduction. Standard input: a line for each run,
#   WORKLOAD[,OPTION=VALUE...] PRESET NAME [KEY=VALUE | --OPTION=VALUE ...]
# Standard output: CSV, a row for each in the order of the input: workload, options, preset, NAME, then the columns of
# COLUMNS, a file of lines "title<TAB>jq of the report's total" and of definitions for them. Equal lines share one run. Two (JOBS) run
# at a time. Reports are kept in CACHE until goldmem changes, so that a stopped reproduction continues.
# The key l1.profile=@ stands for a profile of the workload on the unchanged preset.
# Usage: runs.sh GOLDMEM COLUMNS CACHE <RUNS
set -euo pipefail
goldmem=$1 columns=$2 cache=$3
export goldmem cache LC_ALL=C
build=$(sha256sum <"$goldmem" | cut -c1-16)
if [ "$(cat "$cache/goldmem" 2>/dev/null)" != "$build" ]; then
    rm -rf "$cache"
    mkdir -p "$cache"
    echo "$build" >"$cache/goldmem"
fi

# report_of WORKLOAD PRESET [KEY=VALUE | --OPTION=VALUE ...]: prints the name of its report's file
report_of() { echo "$cache/$(sha256sum <<<"$*" | cut -c1-32)"; }

profile_of() { echo "$cache/profile-$(sha256sum <<<"$*" | cut -c1-32)"; }

# profile FILE WORKLOAD PRESET: writes a profile
profile() {
    "$goldmem" run --preset "$3" --quiet --write-profile "$1.new" --json /dev/null "workload:$2"
    mv "$1.new" "$1"
}

# run FILE WORKLOAD PRESET ...: writes the report's total and analysis
run() {
    local file=$1 workload=$2 preset=$3 options=() argument
    shift 3
    for argument in "$@"; do
        [ "$argument" != l1.profile=@ ] || argument=l1.profile=$(profile_of "$workload" "$preset")
        if [[ $argument == --* ]]; then options+=("$argument"); else options+=(--set "$argument"); fi
    done
    "$goldmem" run --preset "$preset" --quiet "${options[@]}" --json - "workload:$workload" |
        jq -c '.total + {analysis}' >"$file.new" && mv "$file.new" "$file"
}
export -f run profile profile_of

# two_at_a_time FUNCTION: calls it with the words of each line of standard input, of equal lines once
two_at_a_time() {
    sort -u | xargs -r -d '\n' -P "${JOBS:-2}" -I '{}' \
        bash -c "set -euo pipefail; $1 {} || { echo 'failed: {}' >&2; exit 255; }"
}

mapfile -t runs
for line in "${runs[@]}"; do
    [[ $line == *" l1.profile=@"* ]] || continue
    read -r workload preset _ <<<"$line"
    file=$(profile_of "$workload" "$preset")
    [ -e "$file" ] || echo "$file $workload $preset"
done | two_at_a_time profile
for line in "${runs[@]}"; do
    read -r workload preset _ rest <<<"$line"
    # shellcheck disable=SC2086 # words
    file=$(report_of "$workload" "$preset" $rest)
    [ -e "$file" ] || echo "$file $workload $preset $rest"
done | two_at_a_time run

echo "workload,options,preset,configuration,$(cut -sf1 "$columns" | paste -sd,)"
definitions=$(grep -v $'\t' "$columns" || true)
counters=$(cut -sf2 "$columns" | sed 's/.*/(&)/' | paste -sd,)
for line in "${runs[@]}"; do
    read -r workload preset name rest <<<"$line"
    sizes=
    [[ $workload != *,* ]] || sizes=${workload#*,}
    # shellcheck disable=SC2086 # words
    jq -r --arg run "${workload%%,*},${sizes//,/ },$preset,$name" \
        "$definitions [$counters] | map(tostring) | \"\\(\$run),\\(join(\",\"))\"" "$(report_of "$workload" "$preset" $rest)"
done
