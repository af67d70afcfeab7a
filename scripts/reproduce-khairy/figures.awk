# Writes what [khairy, 5] compares, from the runs: FOLDER/figure-8.csv (speed of the techniques), figure-9.csv (of
# their rivals), figure-10.csv (loads that miss), figure-11.csv (reservation fails), limits.csv (static limits of
# warps, Table 3), claims.csv (each number of tests/golden/khairy_figures.csv beside ours). Speed is instructions a
# cycle, the bounded L1's = 1; its means are harmonic, as the paper's. What was not run is "-".
# technique: whose misses and fails are compared.
# Usage: awk -f figures.awk -v technique=DWT-PRIC -v folder=FOLDER workloads.txt studies.txt khairy_figures.csv runs.csv

# "static-PRIC" is no run but the paper's techniques with the fastest static limit in place of DWT-CS: thrashing
# workloads with that limit and PRIC, other contention with PRIC, the rest with PRIC and the gates.
function run_of(w, c) {
    if (c != "static-PRIC") return c
    if (class[w] ~ /thrashing/) return best_limit(w) == "-" ? c : "limit-" best_limit(w)
    if (class[w] != "conflict") return "PRIC-gates"
    return "PRIC"
}
function ran(w, c) { return (w, run_of(w, c), "cycles") in counter }
function of(w, c, title) { return counter[w, run_of(w, c), title] }
function rate(w, c) { return of(w, c, "thread instructions") / of(w, c, "cycles") }
function ratio(w, c, base) { return ran(w, c) && ran(w, base) ? rate(w, c) / rate(w, base) : "-" }
function speed(w, c) { return ratio(w, c, "bounded") }
function shown(x) { return x == "-" ? "-" : sprintf("%.4f", x) }
function is_in(w, group) {
    return group == "all" ? class[w] != "-" : group == "contention" ? class[w] ~ /conflict|thrashing/ : class[w] == group
}

# Returns the harmonic mean of ratios over a group of the paper's workloads, "-" if one was not run.
function mean(group, c, base,    i, w, x, n, sum) {
    for (i = 1; i <= workloads; i++) {
        w = workload[i]
        if (!is_in(w, group)) continue
        x = ratio(w, c, base)
        if (x == "-") return "-"
        sum += 1 / x
        n++
    }
    return n == 0 ? "-" : n / sum
}
# Returns the least ratio of a group.
function least(group, c, base,    i, w, x, best) {
    best = "-"
    for (i = 1; i <= workloads; i++) {
        w = workload[i]
        if (!is_in(w, group)) continue
        x = ratio(w, c, base)
        if (x == "-") return "-"
        if (best == "-" || x < best) best = x
    }
    return best
}

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

function misses(w, c) {
    if (!ran(w, c)) return "-"
    return of(w, c, "L1 loads") == 0 ? 0 : of(w, c, "L1 load misses") / of(w, c, "L1 loads")
}
function fails(w, c) {
    if (!ran(w, c)) return "-"
    return 1000 * (of(w, c, "line allocation fails") + of(w, c, "MSHR entry fails") + of(w, c, "MSHR merge fails") + \
        of(w, c, "miss queue fails")) / of(w, c, "cycles")
}
# Returns by how much the second is below the first, as a share.
function cut(before, after) { return before == "-" || after == "-" || before == 0 ? "-" : 1 - after / before }
function cut_misses(w) { return cut(misses(w, "bounded"), misses(w, technique)) }
function cut_fails(w) { return cut(fails(w, "bounded"), fails(w, technique)) }

function write_reductions(    i, w) {
    print "workload,paper name,class,bounded," technique ",unbounded,reduction" >(folder "/figure-10.csv")
    print "workload,paper name,class,bounded," technique ",reduction" >(folder "/figure-11.csv")
    for (i = 1; i <= workloads; i++) {
        w = workload[i]
        if (!is_in(w, "contention")) continue
        print w "," paper[w] "," class[w] "," shown(misses(w, "bounded")) "," shown(misses(w, technique)) "," \
            shown(misses(w, "unbounded")) "," shown(cut_misses(w)) >(folder "/figure-10.csv")
        print w "," paper[w] "," class[w] "," shown(fails(w, "bounded")) "," shown(fails(w, technique)) "," \
            shown(cut_fails(w)) >(folder "/figure-11.csv")
    }
}

# Returns the arithmetic mean of the cuts of fails over the contention classes.
function mean_cut_fails(    i, x, n, sum) {
    for (i = 1; i <= workloads; i++) {
        if (!is_in(workload[i], "contention")) continue
        x = cut_fails(workload[i])
        if (x == "-") return "-"
        sum += x
        n++
    }
    return n == 0 ? "-" : sum / n
}

# Returns the limit of the fastest static one, the smaller of equals: configurations "limit-N".
function best_limit(w,    i, best, at) {
    at = "-"
    for (i = 1; i <= limits; i++) {
        if (!ran(w, "limit-" limit[i])) continue
        if (at == "-" || speed(w, "limit-" limit[i]) > best) { best = speed(w, "limit-" limit[i]); at = limit[i] }
    }
    return at
}
function chosen_limit(w) { return (w, "DWT-PRIC", "limit chosen") in counter ? of(w, "DWT-PRIC", "limit chosen") : "-" }

function write_limits(    file, i, k, w, row) {
    file = folder "/limits.csv"
    row = "workload,paper name,best,DWT-CS"
    for (k = 1; k <= limits; k++) row = row "," limit[k]
    print row >file
    for (i = 1; i <= workloads; i++) {
        w = workload[i]
        if (class[w] !~ /thrashing/) continue
        row = w "," paper[w] "," best_limit(w) "," chosen_limit(w)
        for (k = 1; k <= limits; k++) row = row "," shown(speed(w, "limit-" limit[k]))
        print row >file
    }
}

# Returns our value of a number of the paper's, by its name:
# hm:GROUP:A:B the harmonic mean of A over B; ratio:WORKLOAD:A:B; least:GROUP:A:B; misses:WORKLOAD and fails:WORKLOAD
# the cut by DWT-PRIC; near:WORKLOAD loads that miss under DWT-PRIC over unbounded; fails:mean; limit:WORKLOAD the best
# static limit; chosen:WORKLOAD; ways:COLUMN of reproduce-index.
function ours(name,    part) {
    split(name, part, ":")
    if (part[1] == "hm") return mean(part[2], part[3], part[4])
    if (part[1] == "least") return least(part[2], part[3], part[4])
    if (part[1] == "ratio") return ratio(part[2], part[3], part[4])
    if (name == "fails:mean") return mean_cut_fails()
    if (part[1] == "misses") return cut_misses(part[2])
    if (part[1] == "fails") return cut_fails(part[2])
    if (part[1] == "near") return misses(part[2], "unbounded") == "-" || misses(part[2], technique) == "-" ? "-" : \
        misses(part[2], technique) - misses(part[2], "unbounded")
    if (part[1] == "limit") return best_limit(part[2])
    if (part[1] == "chosen") return chosen_limit(part[2])
    print "figures.awk: no " name >"/dev/stderr"
    exit failed = 1
}
# Returns whether ours agrees: about 15%; least, most: at least, at most the paper's; equal.
function verdict(kind, theirs, x) {
    if (x == "-") return "not run"
    if (kind == "about") return x >= theirs * 0.85 && x <= theirs * 1.15 ? "yes" : "no"
    if (kind == "least") return x >= theirs ? "yes" : "no"
    if (kind == "most") return x <= theirs ? "yes" : "no"
    return x == theirs ? "yes" : "no"
}

/^#/ { next }
FILENAME == ARGV[1] {
    split($1, part, ",")
    workload[++workloads] = part[1]
    paper[part[1]] = $2
    class[part[1]] = $3
    next
}
FILENAME == ARGV[2] {
    if ($3 ~ /^limit-/) limit[++limits] = substr($3, 7)
    next
}
FILENAME == ARGV[3] {
    claim[++claims] = $0
    next
}
FNR == 1 {
    columns = split($0, title, ",")
    next
}
{
    split($0, field, ",")
    for (i = 5; i <= columns; i++) counter[field[1], field[4], title[i]] = field[i]
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
