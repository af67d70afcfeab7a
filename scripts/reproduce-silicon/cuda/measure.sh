#!/usr/bin/env bash
# Builds the programs of this folder with nvcc and runs them on this machine's GPU: micro-benchmarks, and, where ncu can read
# the hardware's counters, the workloads. Writes FOLDER/NAME.txt of each. Changes no setting of the GPU; a program that does not
# build or end in time is named, and the others go on. figures.csv has all figures, counters.csv all counters.
# Usage: measure.sh FOLDER
set -uo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
cmodel=$here/../../../cmodel
export LC_ALL=C
mkdir -p "$folder"
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT

programs="launches atomics slices strides bandwidth chase sets merges passes halves ctas workloads"
for program in $programs; do
    nvcc -O3 -std=c++17 -arch=sm_90 -I "$cmodel" -o "$built/$program" "$here/$program.cu" 2>"$built/$program.log" &
done
wait
for program in $programs; do
    [[ -x $built/$program ]] || { echo "$program does not build:"; cat "$built/$program.log"; }
done

state() {
    nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,temperature.gpu,power.draw,ecc.mode.current \
        --format=csv,noheader >>"$folder/state.txt"
}

# run NAME SECONDS COMMAND...: its output to FOLDER/NAME.txt
run() {
    local name=$1 seconds=$2
    shift 2
    state
    timeout "$seconds" "$@" >"$folder/$name.txt" 2>"$folder/$name.errors" || echo "$name: exit status $? of $*"
    [[ -s $folder/$name.errors ]] || rm -f "$folder/$name.errors"
}

# count NAME SECONDS COMMAND...: what ncu counts of each launch
count() {
    local name=$1 seconds=$2
    shift 2
    run "$name" "$seconds" ncu --csv --page raw --print-units base --clock-control none --metrics "$metrics" \
        --log-file "$folder/$name.counts.csv" "$@"
}

for program in launches strides bandwidth atomics merges passes halves ctas; do
    run "$program" 60 "$built/$program"
done
run slices 60 "$built/slices" "$folder/slices.csv"
run sets 60 "$built/sets" "$folder/sets.csv"
run chase 90 "$built/chase" "$folder/sides.csv" "$folder/carve.csv" "$folder/misses.csv"
figures="launches strides bandwidth atomics slices chase merges passes halves ctas"
{
    echo "# figure; unit; median; least; greatest; runs"
    for program in $figures; do
        grep '^# .* SMs;' "$folder/$program.txt" | head -1
        awk -F ';' 'NF == 6' "$folder/$program.txt"
    done
} >"$folder/figures.csv"
if command -v ncu >/dev/null; then
    ncu --version | tail -1 >"$folder/ncu.txt"
    ncu --query-metrics --chips gh100 >"$folder/known.txt"
    # Of each metric the GPU must have the base name.
    metrics=$(awk 'FNR == NR { known[$1] = 1; next } /^#/ { next } { split($2, part, ".") } \
        (part[1] in known) || part[1] ~ /^launch__/ { printf "%s%s", n++ ? "," : "", $2 }' "$folder/known.txt" "$here/metrics.txt")
    count strides-counted 60 "$built/strides" counted
    count bandwidth-counted 60 "$built/bandwidth" counted
    count atomics-counted 60 "$built/atomics" counted
    count workloads 200 "$built/workloads"
    for counted in strides-counted bandwidth-counted atomics-counted workloads; do
        awk -f "$here/counters.awk" "$here/metrics.txt" "$folder/$counted.txt" "$folder/$counted.counts.csv"
    done | awk '!/^#/ || !n++' >"$folder/counters.csv"
fi
state
