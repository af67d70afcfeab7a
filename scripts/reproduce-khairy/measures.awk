# What [khairy, 5] compares, from the runs: speeds, their means, misses, reservation fails, limits. Speed is instructions a
# cycle, the bounded L1's = 1; its means are harmonic, as the paper's. What was not run is "-". For figures.awk and
# experiments.awk, whose arguments begin with workloads.txt studies.txt khairy_figures.csv, then CSV files of runs.
# technique: whose misses and fails are compared. variant: number of an experiment, whose runs (configuration "NAME#variant")
# stand for those of the plan; empty: none.

# "static-PRIC" is no run but the paper's techniques with the fastest static limit in place of DWT-CS: thrashing
# workloads with that limit and PRIC, other contention with PRIC, the rest with PRIC and the gates.
function run_of(w, c) {
    if (c != "static-PRIC") return (w, c "#" variant, "cycles") in counter ? c "#" variant : c
    if (class[w] ~ /thrashing/) return best_limit(w) == "-" ? c : run_of(w, "limit-" best_limit(w))
    if (class[w] != "conflict") return "PRIC-gates"
    return "PRIC"
}
function ran(w, c) { return (w, run_of(w, c), "cycles") in counter }
function of(w, c, title) { return counter[w, run_of(w, c), title] }
function rate(w, c) { return of(w, c, "thread instructions") / of(w, c, "cycles") }
function ratio(w, c, base) { return ran(w, c) && ran(w, base) ? rate(w, c) / rate(w, base) : "-" }
function speed(w, c) { return ratio(w, c, "bounded") }
# Limits of several kernels, "1/3", are no number.
function shown(x) { return x ~ /^[0-9.e+-]*[0-9]$/ ? sprintf("%.4f", x) : x }
function is_in(w, group) {
    if (group == "conflicts") return class[w] ~ /conflict/
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
function cut_misses(w, c) { return cut(misses(w, "bounded"), misses(w, c)) }
function cut_fails(w, c) { return cut(fails(w, "bounded"), fails(w, c)) }

# Returns the arithmetic mean of the cuts of fails over a group, to which those outside the contention classes add 0.
function mean_cut_fails(group,    i, x, n, sum) {
    for (i = 1; i <= workloads; i++) {
        if (!is_in(workload[i], group)) continue
        x = is_in(workload[i], "contention") ? cut_fails(workload[i], technique) : 0
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
# Returns the limits that sampling has chosen in a configuration.
function chosen_limit(w, c) { return ran(w, c) && (w, run_of(w, c), "limit chosen") in counter ? of(w, c, "limit chosen") : "-" }

# Returns our value of a number of the paper's, by its name:
# hm:GROUP:A:B the harmonic mean of A over B; ratio:WORKLOAD:A:B; least:GROUP:A:B; misses:WORKLOAD[:A] and
# fails:WORKLOAD[:A] the cut by A, else DWT-PRIC; near:WORKLOAD[:A] loads that miss in A, else under DWT-PRIC, over unbounded; fails:mean and fails:mean-of-all; limit:WORKLOAD the best
# static limit; chosen:WORKLOAD[:A] by DWT-CS in A, else DWT-PRIC.
function ours(name,    part, c) {
    split(name, part, ":")
    c = part[3] == "" ? technique : part[3]
    if (part[1] == "hm") return mean(part[2], part[3], part[4])
    if (part[1] == "least") return least(part[2], part[3], part[4])
    if (part[1] == "ratio") return ratio(part[2], part[3], part[4])
    if (name == "fails:mean") return mean_cut_fails("contention")
    if (name == "fails:mean-of-all") return mean_cut_fails("all")
    if (part[1] == "misses") return cut_misses(part[2], c)
    if (part[1] == "fails") return cut_fails(part[2], c)
    if (part[1] == "near") return misses(part[2], "unbounded") == "-" || misses(part[2], c) == "-" ? "-" : \
        misses(part[2], c) - misses(part[2], "unbounded")
    if (part[1] == "limit") return best_limit(part[2])
    if (part[1] == "chosen") return chosen_limit(part[2], c)
    print "measures.awk: no " name >"/dev/stderr"
    exit failed = 1
}
# Returns whether ours agrees: about 15%; least, most: at least, at most the paper's; equal.
function verdict(kind, theirs, x) {
    if (x == "-") return "not run"
    if (x !~ /^[0-9.e+-]+$/) return "no"
    if (kind == "about") return x >= theirs * 0.85 && x <= theirs * 1.15 ? "yes" : "no"
    if (kind == "least") return x >= theirs ? "yes" : "no"
    if (kind == "most") return x <= theirs ? "yes" : "no"
    return x == theirs ? "yes" : "no"
}

/^#/ || NF == 0 { next }
FILENAME == ARGV[1] {
    split($1, part, ",")
    workload[++workloads] = part[1]
    listed[part[1]] = $1
    paper[part[1]] = $2
    class[part[1]] = $3
    stop[part[1]] = $4
    next
}
FILENAME == ARGV[2] {
    if ($3 ~ /^limit-/) limit[++limits] = substr($3, 7)
    keys[$3] = ""
    for (i = 4; i <= NF; i++) keys[$3] = keys[$3] " " $i
    next
}
FILENAME == ARGV[3] {
    claim[++claims] = $0
    next
}
FILENAME ~ /experiments.txt$/ {
    experiment[++experiments] = $0
    next
}
FNR == 1 {
    columns = split($0, title, ",")
    next
}
{
    split($0, field, ",")
    of_index = FILENAME ~ /set-index/ ? "1-cycle-" : "" # as studies.txt names them
    for (i = 5; i <= columns; i++) counter[field[1], of_index field[4], title[i]] = field[i]
}
