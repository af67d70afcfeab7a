# The classes of [khairy, 3.2] from the runs of reproduce-khairy.sh.
# Usage: awk -f thresholds.awk -f classes.awk workloads.txt runs.csv

function khairy_class(none, unbounded, unbounded_misses, line, entry, mpki) {
    if (unbounded_misses >= streams && none >= no_benefit) return "streaming"
    if (none <= 1 / gains && unbounded < near) return "friendly"
    if (unbounded >= gains && unbounded >= gains * none) {
        if (line > entry) return mpki >= thrashes ? "thrashing+conflict" : "conflict"
        return mpki >= thrashes ? "thrashing" : "contention"
    }
    return "insensitive"
}

function misses(run) { return loads[run] == 0 ? 0 : load_misses[run] / loads[run] }
# Instructions a cycle over the bounded L1's: of a run that ends at an instruction limit too.
function speed(w, name,    run, base) {
    run = w ",gtx480," name
    base = w ",gtx480,bounded"
    return instructions[run] / cycles[run] / (instructions[base] / cycles[base])
}
# Prints "-" where there is no such run.
function speed_or_none(w, name) { return (w ",gtx480," name) in cycles ? sprintf("%.3f", speed(w, name)) : "-" }
function verdict(ours, theirs) { return theirs == "-" ? "-" : ours == theirs ? "yes" : "no" }

function print_khairy(w,    run, kilo, mpki, class) {
    run = w ",gtx480,bounded"
    kilo = cycles[run] / 1000
    mpki = 1000 * all_misses[run] / instructions[run]
    class = khairy_class(speed(w, "no"), speed(w, "unbounded"), misses(w ",gtx480,unbounded"),
        line[run], entry[run], mpki)
    printf "%s,%s,%.3f,%.3f,%.3f,%.4f,%.4f,%.4f,%.4f,%.1f,%.1f,%.1f,%.1f,%.1f,%.2f,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s\n",
        w, khairy[w], speed(w, "no"), speed(w, "unbounded"), speed(w, "unbounded-both"), misses(run),
        misses(w ",gtx480,unbounded"), l2_misses[run], dram[run], line[run] / kilo,
        entry[run] / kilo, merge[run] / kilo, queue[run] / kilo, all_misses[run] / kilo, mpki, class,
        khairy_theirs[w], verdict(class, khairy_theirs[w]), speed_or_none(w, "full"),
        speed_or_none(w, "64KB"), speed_or_none(w, "64KB-full"), speed_or_none(w, "PRIC"),
        speed_or_none(w, "merges"), speed_or_none(w, "PRIC-merges"), speed_or_none(w, "no-caches")
}

BEGIN {
    print "workload,paper name,no L1,unbounded L1,unbounded L1 and L2,miss rate," \
            "miss rate unbounded,L2 miss rate,DRAM in use,line allocation,MSHR entry,MSHR merge," \
            "miss queue,misses per kilocycle,MPKI,class,paper class,agrees,fully associative," \
            "64 KB,64 KB fully associative,PRIC,64 merges,PRIC and 64 merges,no caches"
}
FNR == NR && /^[^#]/ {
    split($1, part, ",")
    order[++count] = part[1]
    khairy[part[1]] = $2; khairy_theirs[part[1]] = $3
}
FNR != NR && FNR == 1 { FS = ","; $0 = $0 }
FNR != NR && FNR > 1 {
    run = $1 "," $3 "," $4
    cycles[run] = $5; instructions[run] = $6
    loads[run] = $7; load_misses[run] = $8; all_misses[run] = $9
    line[run] = $10; entry[run] = $11; merge[run] = $12; queue[run] = $13
    dram[run] = $16 / $17
    l2_misses[run] = $14 == 0 ? 0 : $15 / $14
}
END {
    for (i = 1; i <= count; i++) print_khairy(order[i])
}
