# Writes FOLDER/figure-8.csv (speed of the techniques), figure-9.csv (of
# their rivals), figure-10.csv (loads that miss), figure-11.csv (reservation fails), limits.csv (static limits of
# warps, Table 3), claims.csv (each number of tests/golden/khairy_figures.csv beside ours).
# Usage: awk -f measures.awk -f figures.awk -v technique=DWT-PRIC -v folder=FOLDER workloads.txt studies.txt khairy_figures.csv
#     set-index/runs.csv runs.csv

function write_speeds(name, groups, list,    file, n, c, i, k, w, row, g, count) {
    file = folder "/" name ".csv"
    n = split(list, c, " ")
    count = split(groups, g, " ")
    row = "workload,paper name,class"
    for (k = 1; k <= n; k++) row = row "," c[k]
    print row >file
    for (i = 1; i <= workloads; i++) {
        w = workload[i]
        if (!is_in(w, g[count])) continue
        row = w "," paper[w] "," class[w]
        for (k = 1; k <= n; k++) row = row "," shown(speed(w, c[k]))
        print row >file
    }
    for (i = 1; i <= count; i++) {
        row = "mean,harmonic mean," g[i]
        for (k = 1; k <= n; k++) row = row "," shown(mean(g[i], c[k], "bounded"))
        print row >file
    }
}

function write_reductions(    i, w) {
    print "workload,paper name,class,bounded," technique ",unbounded,reduction" >(folder "/figure-10.csv")
    print "workload,paper name,class,bounded," technique ",reduction" >(folder "/figure-11.csv")
    for (i = 1; i <= workloads; i++) {
        w = workload[i]
        if (!is_in(w, "contention")) continue
        print w "," paper[w] "," class[w] "," shown(misses(w, "bounded")) "," shown(misses(w, technique)) "," \
            shown(misses(w, "unbounded")) "," shown(cut_misses(w, technique)) >(folder "/figure-10.csv")
        print w "," paper[w] "," class[w] "," shown(fails(w, "bounded")) "," shown(fails(w, technique)) "," \
            shown(cut_fails(w, technique)) >(folder "/figure-11.csv")
    }
}

function write_limits(    file, i, k, w, row) {
    file = folder "/limits.csv"
    row = "workload,paper name,best,DWT-CS,without PRIC"
    for (k = 1; k <= limits; k++) row = row "," limit[k]
    print row >file
    for (i = 1; i <= workloads; i++) {
        w = workload[i]
        if (class[w] !~ /thrashing/) continue
        row = w "," paper[w] "," best_limit(w) "," chosen_limit(w, technique) "," chosen_limit(w, "DWT-CS")
        for (k = 1; k <= limits; k++) row = row "," shown(speed(w, "limit-" limit[k]))
        print row >file
    }
}

END {
    if (failed) exit failed
    write_speeds("figure-8", "streaming contention friendly all", "DWT-PRIC static-PRIC gates L1-gate PRIC DWT-CS")
    write_speeds("figure-9", "conflict thrashing thrashing+conflict contention", "DWT-PRIC static-PRIC CCWS MRPB")
    write_reductions()
    write_limits()
    file = folder "/claims.csv"
    print "section,figure,what,theirs,kind,ours,agrees" >file
    for (i = 2; i <= claims; i++) {
        split(claim[i], f, ";")
        x = ours(f[3])
        print f[1] "," f[2] "," f[4] "," f[5] "," f[6] "," shown(x) "," verdict(f[6], f[5], x) >file
    }
}
