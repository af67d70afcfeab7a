# Reads workloads.txt and runs.csv, whose quantities the other scripts ask for. Means are arithmetic, of each workload's quantity over
# that of its base; of all workloads, or of a set of them: named, ours, 1d, 2d (workloads.txt), another of its third column, or names.

function fail(message) { print "measures.awk: " message >"/dev/stderr"; failed = 1; exit 1 }
function of(w, c, column) {
    if (!((w, c, column) in counter) || counter[w, c, column] == "-") fail("no " column " of " w ", " c)
    return counter[w, c, column]
}
function share(a, b) { return b == 0 ? "-" : a / b }
function energy3(w, c) { return of(w, c, "L2 energy") + of(w, c, "interconnect energy") + of(w, c, "DRAM energy") }
function misses_of(w, c, cache) {
    return of(w, c, cache " compulsory") + of(w, c, cache " policy") + of(w, c, cache " capacity") + of(w, c, cache " conflict")
}
function near(w, c) { return of(w, c, "distance 1") + of(w, c, "distance 2") + of(w, c, "distance 3") + of(w, c, "distance 4") }
function quantity(what, w, c) {
    if (what == "time") return of(w, c, "cycles")
    if (what == "speed") return 1 / of(w, c, "cycles")
    if (what == "miss_rate") return share(of(w, c, "L1 misses"), of(w, c, "L1 accesses"))
    if (what == "miss_rate_merges") return share(of(w, c, "L1 misses") + of(w, c, "L1 merges"), of(w, c, "L1 accesses"))
    if (what == "mpki") return 1000 * (of(w, c, "L2 misses") + of(w, c, "L2 bypasses")) / of(w, c, "thread instructions")
    if (what == "mpki_no_bypass") return 1000 * of(w, c, "L2 misses") / of(w, c, "thread instructions")
    if (what == "traffic") return of(w, c, "DRAM bytes")
    if (what == "traffic_flushed") return of(w, c, "DRAM bytes") + of(w, c, "dirty bytes")
    if (what == "dram_energy") return of(w, c, "DRAM energy")
    if (what == "dram_power") return of(w, c, "DRAM energy") / of(w, c, "cycles")
    if (what == "noc_energy") return of(w, c, "interconnect energy")
    if (what == "l2_energy") return of(w, c, "L2 energy")
    if (what == "energy3" || what == "energy3_text") return energy3(w, c)
    if (what == "compulsory_l1") return share(of(w, c, "L1 compulsory"), misses_of(w, c, "L1"))
    if (what == "compulsory_l2") return share(of(w, c, "L2 compulsory"), misses_of(w, c, "L2"))
    if (what == "noncompulsory_l2") return share(misses_of(w, c, "L2") - of(w, c, "L2 compulsory"), misses_of(w, c, "L2"))
    if (what == "shared_ctas") return share(of(w, c, "lines of two CTAs or more"), of(w, c, "lines"))
    if (what == "neighbours") return share(of(w, c, "distance 1"), of(w, c, "lines of two CTAs or more"))
    if (what == "near") return share(near(w, c), of(w, c, "lines of two CTAs or more"))
    if (what == "shared_sms") return share(of(w, c, "lines of two SMs or more"), of(w, c, "lines"))
    if (what == "sharers_of_shared") return share(of(w, c, "their SMs"), of(w, c, "lines of two SMs or more"))
    if (what == "sharers") return share(of(w, c, "their SMs") + of(w, c, "SMs 1"), of(w, c, "lines"))
    if (what == "merged_shared") return share(of(w, c, "merges with shared lines"), of(w, c, "requests to shared lines"))
    if (what == "merges") return of(w, c, "merges with shared lines")
    if (what == "late") return share(of(w, c, "these 1000 cycles or later"), of(w, c, "accesses behind fills of shared lines"))
    if (what == "late_first") return share(of(w, c, "first ones 1000 cycles or later"), of(w, c, "first accesses behind these fills"))
    if (what == "late_l2") return share(of(w, c, "L2 ones 1000 cycles or later"), of(w, c, "L2 accesses behind fills of shared lines"))
    fail("no quantity " what)
}
# Returns a quantity of a workload over that of its base; without a base, itself. "-" if there is none: a share of nothing.
function ratio(what, w, c, base,    v, b) {
    v = quantity(what, w, c)
    if (base == "" || v == "-") return v
    b = quantity(what, w, base)
    return b == "-" || b == 0 ? "-" : v / b
}
function number4(v) { return v == "-" ? v : sprintf("%.4f", v) }
# Returns whether a workload is one of those of means and tables, not beside them.
function counts(w) { return source[w] == "named" || source[w] == "ours" }
# Returns whether a workload is of a set: all, named, ours, 1d, 2d, another third column of its list, or names joined by "+". One beside the
# others is only in sets that name it or its third column.
function in_set(w, set) {
    if (index("+" set "+", "+" w "+") || index("+" set "+", "+" source[w] "+")) return 1
    return counts(w) && (set == "" || set == "all" || grid[w] == set)
}
# Returns a mean of a set: arithmetic, geometric, total: the ratio of the sums; or its least ratio.
function mean_ratio(what, c, base, set, mean,    i, n, sum, r, below, least) {
    for (i = 1; i <= specs; i++) {
        if (!in_set(spec_name[i], set)) continue
        r = ratio(what, spec_name[i], c, mean == "total" ? "" : base)
        if (r == "-") continue
        if (n++ == 0 || r < least) least = r
        sum += mean == "geometric" ? log(r) : r
        if (mean == "total") below += quantity(what, spec_name[i], base)
    }
    if (mean == "least") return least + 0
    return n == 0 ? 0 : mean == "geometric" ? exp(sum / n) : sum / (mean == "total" ? below : n)
}
# Returns a mean as the paper states one of that kind.
function stated(mean, kind) { return kind == "saving" ? 1 - mean : kind == "gain" ? mean - 1 : mean }
# Returns a number of the paper by its name, QUANTITY:CONFIGURATION[:BASE], and kind.
function claimed(name, kind,    part) {
    split(name, part, ":")
    return stated(mean_ratio(part[1], part[2], part[3], "all"), kind)
}
function agrees(ours, value, kind) {
    if (kind == "at_least") return ours >= value ? "yes" : "no"
    if (kind == "at_most") return ours <= value ? "yes" : "no"
    return ours >= 0.85 * value && ours <= 1.15 * value ? "yes" : "no"
}

# Reads a line of workloads.txt: workload[] has those of means and tables.
function read_workload(    text) {
    if ($0 ~ /^#/) return
    if ($3 == "named" || $3 == "ours") workload[++workloads] = $2
    spec_name[++specs] = $2
    spec[$2] = $1
    source[$2] = $3
    grid[$2] = $4
}
# Reads a line of runs.csv.
function read_run(    field, k, text, i) {
    if (FNR == 1) { titles = split($0, title, ","); return }
    split($0, field, ",")
    text = field[2]
    gsub(" ", ",", text)
    text = field[1] (text == "" ? "" : "," text)
    for (i = 1; i <= specs; i++)
        if (spec[spec_name[i]] == text)
            for (k = 5; k <= titles; k++) counter[spec_name[i], field[4], title[k]] = field[k]
}
