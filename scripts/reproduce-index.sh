#!/usr/bin/env bash
# Reproduces what [khairy, 4.3 and figure 12] say of the set index: how SYRK and GESUMMV spread over
# the sets, and L1 miss rates against higher associativity. Writes data and pictures.
# Usage: reproduce-index.sh GOLDMEM FOLDER
set -euo pipefail
goldmem=$1
folder=$2
export LC_ALL=C
mkdir -p "$folder"

echo "workload,function,lines,sets,fullest" >"$folder/spread.csv"
for workload in syrk gesummv; do
    "$goldmem" index --json --histogram "workload:$workload" sequential ipoly:37 |
        jq -r --arg workload "$workload" '. as $all | .functions[] | [$workload, .function,
            $all.divergent_lines / $all.divergent, .divergent_sets / $all.divergent,
            .divergent_fullest / $all.divergent] | @csv' | tr -d '"' >>"$folder/spread.csv"
done

# miss_rate WORKLOAD KEY=VALUE...: share of the L1's load requests that miss
miss_rate() {
    local workload=$1 keys=()
    shift
    for key in "$@"; do keys+=(--set "$key"); done
    "$goldmem" run --engine=order --preset gtx480 --quiet "${keys[@]}" --json - "workload:$workload" |
        jq '.total.l1d.load | if .accesses == 0 then 0 else .misses / .accesses end'
}

echo "workload,4-way,4-way ipoly(37),16-way,32-way,64-way,full" >"$folder/miss-rate.csv"
for workload in srad srad2 "stencil3d,x=512,y=512,z=16,iterations=1" conv2d "mm,n=256" syrk gesummv; do
    row=${workload%%,*}
    for keys in "l1.ways=4" "l1.ways=4 l1.index=ipoly:37" "l1.ways=16" "l1.ways=32" "l1.ways=64" \
        "l1.ways=full"; do
        # shellcheck disable=SC2086  # several settings of one configuration
        row+=",$(miss_rate "$workload" $keys | awk '{printf "%.4f", $1}')"
    done
    echo "$row" >>"$folder/miss-rate.csv"
done

gnuplot <<PLOT
set datafile separator ","
set terminal svg size 820,360 font "sans,11" background "white"
set style data histogram
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set key outside top center horizontal
set output "$folder/spread.svg"
set ylabel "per divergent warp load"
set yrange [0:35]
plot "$folder/spread.csv" using 4:xtic(strcol(1)." ".strcol(2)) every ::1 title "different sets", \
     "" using 5 every ::1 title "lines in the fullest set"
set terminal svg size 900,400 font "sans,11" background "white"
set output "$folder/miss-rate.svg"
set key outside right
set ylabel "L1 load miss rate"
set yrange [0:1.05]
plot for [column=2:7] "$folder/miss-rate.csv" using column:xtic(1) title columnheader(column)
PLOT
