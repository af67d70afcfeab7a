# [khairy, figure 12] from the runs of reproduce-index.sh: speeds, normalised to the 4-way cache with
# sequential index, load miss rates, and in the last row harmonic means of PRIC's speed against each cache.
# Usage: awk -f figure-12.awk runs.csv

function speed(w, name) { return cycles[w "," base[name]] / cycles[w "," name] }
function against(w, name) { return cycles[w "," name] / cycles[w ",PRIC"] }
function misses(w, name) { return loads[w "," name] == 0 ? 0 : load_misses[w "," name] / loads[w "," name] }

BEGIN {
    FS = ","
    caches = split("4-way PRIC 16-way 32-way 64-way full", cache, " ")
    for (c = 1; c <= caches; c++) base[cache[c]] = "4-way"
    base["PRIC-merges"] = "4-way-merges"
}
FNR > 1 {
    if (!($1 in seen)) { seen[$1]; order[++count] = $1 }
    cycles[$1 "," $4] = $5; loads[$1 "," $4] = $7; load_misses[$1 "," $4] = $8
}
END {
    printf "workload"
    for (c = 2; c <= caches; c++) printf ",%s", cache[c]
    printf ",PRIC with 64 merges"
    for (c = 1; c <= caches; c++) printf ",misses %s", cache[c]
    print ""
    for (i = 1; i <= count; i++) {
        w = order[i]
        printf "%s", w
        for (c = 2; c <= caches; c++) printf ",%.3f", speed(w, cache[c])
        printf ",%.3f", speed(w, "PRIC-merges")
        for (c = 1; c <= caches; c++) printf ",%.4f", misses(w, cache[c])
        print ""
        for (c = 1; c <= caches; c++) inverse[c] += 1 / against(w, cache[c])
    }
    printf "PRIC against"
    for (c = 2; c <= caches; c++) printf ",%.3f", count / inverse[c]
    print ","
}
