# Writes the figures of [tabbakh] from the runs, a row for each workload and one for their mean: FOLDER/figure-N.csv, extras-*.csv (the literal
# rules beside the two keys of ours), clog.csv (shared lines of the L2), kepler.csv, levels.csv (kinds of
# misses, shared requests), checks.csv (the paper's means beside ours), orders.csv (what
# it says of Figures 14 and 15 without numbers), tries.csv (experiments).
# With FOOTPRINTS, workloads beside those, also footprints.csv (the L2's size and theirs).
# Usage: awk -f measures.awk -f figures.awk -v folder=FOLDER workloads.txt tabbakh_figures.csv experiments.txt runs.csv [FOOTPRINTS RUNS]

# Writes a quantity of each workload in a list of configurations, over that of a base, if one is given.
function write_ratios(name, what, list, base,    file, n, c, i, w, row) {
    file = folder "/" name ".csv"
    n = split(list, c, " ")
    row = "workload"
    for (i = 1; i <= n; i++) row = row "," c[i]
    print row >file
    for (w = 1; w <= workloads; w++) {
        row = workload[w]
        for (i = 1; i <= n; i++) row = row "," number4(ratio(what, workload[w], c[i], base))
        print row >file
    }
    row = "mean"
    for (i = 1; i <= n; i++) row = row sprintf(",%.4f", mean_ratio(what, c[i], base))
    print row >file
}
# Writes counters of round robin, over the number of lines that the workload touches.
function write_shares(name, list, cumulative,    file, n, column, i, w, row, v, sum) {
    file = folder "/" name ".csv"
    n = split(list, column, ";")
    row = "workload"
    for (i = 1; i <= n; i++) row = row "," column[i]
    print row >file
    for (w = 1; w <= workloads; w++) {
        row = workload[w]
        v = 0
        for (i = 1; i <= n; i++) {
            v = (cumulative ? v : 0) + of(workload[w], "rr", column[i]) / of(workload[w], "rr", "lines")
            sum[i] += v / workloads
            row = row sprintf(",%.4f", v)
        }
        print row >file
    }
    row = "mean"
    for (i = 1; i <= n; i++) row = row sprintf(",%.4f", sum[i])
    print row >file
}
# Figure 15: means of several quantities over those of round robin.
function write_means(    file, n, c, m, what, i, k, row) {
    file = folder "/figure-15.csv"
    n = split("BCS BCS+mgt mgt qx_adpt qx_adpt+mgt qx_adpt+mgt+reset qx_adpt+mgt+dead", c, " ")
    m = split(metrics, what, " ")
    row = "configuration"
    for (k = 1; k <= m; k++) row = row "," what[k]
    print row >file
    for (i = 1; i <= n; i++) {
        row = c[i]
        for (k = 1; k <= m; k++) row = row sprintf(",%.4f", mean_ratio(what[k], c[i], "rr"))
        print row >file
    }
}
# Figures 16 and 17, and the like of the larger L2: a row for each workload, a column for each quantity over its base.
function write_metrics(name, list, c, base,    file, m, what, k, w, row) {
    file = folder "/" name ".csv"
    m = split(list, what, " ")
    row = "workload"
    for (k = 1; k <= m; k++) row = row "," what[k]
    print row >file
    for (w = 1; w <= workloads; w++) {
        row = workload[w]
        for (k = 1; k <= m; k++) row = row "," number4(ratio(what[k], workload[w], c, base))
        print row >file
    }
    row = "mean"
    for (k = 1; k <= m; k++) row = row sprintf(",%.4f", mean_ratio(what[k], c, base))
    print row >file
}
# Energy of L2, interconnect and DRAM over that of all three in round robin.
function write_energy(list,    file, n, c, m, part, i, k, w, row, v, all, sum) {
    file = folder "/figure-17.csv"
    n = split(list, c, " ")
    m = split("L2 interconnect DRAM", part, " ")
    print "workload,configuration,L2,interconnect,DRAM,all" >file
    for (w = 1; w <= workloads + 1; w++)
        for (i = 1; i <= n; i++) {
            row = (w > workloads ? "mean" : workload[w]) "," c[i]
            all = 0
            for (k = 1; k <= m; k++) {
                v = w > workloads ? sum[i, k] / workloads : of(workload[w], c[i], part[k] " energy") / energy3(workload[w], "rr")
                sum[i, k] += v
                all += v
                row = row sprintf(",%.4f", v)
            }
            print row sprintf(",%.4f", all) >file
        }
}
# What stays in the L2: lines that became shared and were not evicted, of those that it holds; private ones of all lines evicted.
function write_clog(list,    file, n, c, i, w, private, shared, stay) {
    file = folder "/clog.csv"
    n = split(list, c, " ")
    print "workload,configuration,traffic,L2 misses,became shared,shared lines evicted,private lines evicted,private of evicted,shared of the L2 at the end" >file
    for (w = 1; w <= workloads; w++)
        for (i = 1; i <= n; i++) {
            private = of(workload[w], c[i], "L2 evictions of private lines")
            shared = of(workload[w], c[i], "L2 evictions of shared lines")
            printf "%s,%s,%.4f,%.4f,%d,%d,%d,%s,%s\n", workload[w], c[i], ratio("traffic", workload[w], c[i], "rr"),
                of(workload[w], c[i], "L2 misses") / of(workload[w], "rr", "L2 misses"), of(workload[w], c[i], "became shared"), shared, private,
                number4(share(private, private + shared)), c[i] ~ /reset/ ? "-" : sprintf("%.4f", (of(workload[w], c[i], "became shared") - shared) / l2_lines) >file
        }
}
# Kinds of misses [I, VII-B] and how requests to shared lines are served [VI-C], in a list of QUANTITY:CONFIGURATION.
function write_levels(list,    file, n, level, part, i, w, row) {
    file = folder "/levels.csv"
    n = split(list, level, " ")
    row = "workload"
    for (i = 1; i <= n; i++) row = row "," level[i]
    print row >file
    for (w = 1; w <= workloads + 1; w++) {
        row = w > workloads ? "mean" : workload[w]
        for (i = 1; i <= n; i++) {
            split(level[i], part, ":")
            row = row "," number4(w > workloads ? mean_ratio(part[1], part[2]) : quantity(part[1], workload[w], part[2]))
        }
        print row >file
    }
}
function write_checks(    file, i, f, ours) {
    file = folder "/checks.csv"
    print "name,paper,ours,agrees" >file
    for (i = 1; i <= claims; i++) {
        split(claim[i], f, ";")
        ours = claimed(f[3], f[6])
        printf "%s,%s,%.4f,%s\n", f[3], f[5], ours, agrees(ours, f[5], f[6]) >file
    }
}
# Returns the configuration of a list with the least mean of a quantity over round robin's, of those not in `but`.
function least(what, list, but, set,    n, c, i, v, best, at) {
    n = split(list, c, " ")
    for (i = 1; i <= n; i++) {
        if (index(" " but " ", " " c[i] " ")) continue
        v = mean_ratio(what, c[i], "rr", set)
        if (at == "" || v < best) { best = v; at = c[i] }
    }
    return at
}
# Returns in how many of the quantities a configuration's mean is below 1.
function better(c,    m, what, k, n) {
    m = split(metrics, what, " ")
    for (k = 1; k <= m; k++) if (mean_ratio(what[k], c, "rr") < 1) n++
    return n + 0
}
function write_orders(    file, first, m, what) {
    file = folder "/orders.csv"
    m = split(metrics, what, " ")
    print "what,paper,all workloads,2d workloads" >file
    printf "least execution time,qx_adpt,%s,%s\n", least("time", policies, ""), least("time", policies, "", "2d") >file
    first = least("sharers", policies, "")
    printf "fewest sharers,qx,%s,%s\n", first, least("sharers", policies, "", "2d") >file
    printf "second fewest sharers,qx_adpt,%s,%s\n", least("sharers", policies, first),
        least("sharers", policies, least("sharers", policies, "", "2d"), "2d") >file
    printf "quantities of %d in which BCS is better than rr,a minority,%d,\n", m, better("BCS") >file
}
# The footprint of each workload beside the others, over the L2's size, and its traffic and times over round robin's.
function write_footprints(    file, n, c, i, k, w, row, size) {
    file = folder "/footprints.csv"
    n = split("qx_adpt mgt qx_adpt+mgt qx_adpt+mgt+reset", c, " ")
    row = "workload,sizes,CTAs,launches,footprint"
    for (k = 1; k <= n; k++) row = row "," c[k]
    print row ",time of qx_adpt+mgt" >file
    for (i = 1; i <= specs; i++) {
        w = spec_name[i]
        if (source[w] !~ /^at/) continue
        size = spec[w]
        sub("^[^,]*,", "", size)
        gsub(",", " ", size)
        row = w
        sub("-.*", "", row)
        row = row "," size "," of(w, "rr", "CTAs") "," (source[w] ~ /x/ ? substr(source[w], index(source[w], "x") + 1) : 2) sprintf(",%.4f", of(w, "rr", "L2 compulsory") / l2_lines)
        for (k = 1; k <= n; k++) row = row "," number4(ratio("traffic", w, c[k], "rr"))
        print row "," number4(ratio("time", w, "qx_adpt+mgt", "rr")) >file
    }
}
function write_tries(    file, i, f, part, value, kind, c, base, now) {
    file = folder "/tries.csv"
    print "name,change,paper,before,after,agrees" >file
    for (i = 1; i <= experiments; i++) {
        split(experiment[i], f, ";")
        if (!(f[1] in value_of)) fail("no number of the paper " f[1])
        split(f[1], part, ":")
        kind = kind_of[f[1]]
        c = f[5] == "-" ? part[2] : f[5]
        base = f[6] == "-" ? part[3] : f[6]
        now = stated(mean_ratio(f[2] == "-" ? part[1] : f[2], c, base, f[4], f[3]), kind)
        printf "%s,%s,%s,%.4f,%.4f,%s\n", f[1], f[7], value_of[f[1]], claimed(f[1], kind), now, agrees(now, value_of[f[1]], kind) >file
    }
}

FILENAME == ARGV[1] || FILENAME == ARGV[5] { read_workload(); next }
FILENAME == ARGV[2] {
    if ($0 ~ /^(#|section;)/) next
    claim[++claims] = $0
    split($0, field, ";")
    if (!(field[3] in value_of)) { value_of[field[3]] = field[5]; kind_of[field[3]] = field[6] }
    next
}
FILENAME == ARGV[3] { if ($0 !~ /^#/) experiment[++experiments] = $0; next }
{ read_run() }
END {
    if (failed) exit 1
    policies = "rr BCS q8 q8_adpt q16 q16_adpt qx qx_adpt"
    metrics = "time miss_rate mpki traffic dram_energy dram_power noc_energy l2_energy energy3"
    l2_lines = 768 * 1024 / 128 # of fermi-sharing
    managed = "qx_adpt+mgt qx_adpt+mgt+reset qx_adpt+mgt+dead"
    write_shares("figure-3", "distance 1;distance 2;distance 3;distance 4;distance 5 to 8;distance 9 to 16;distance 17 to 64;distance 65 and more", 0)
    for (i = 1; i <= 15; i++) sms = sms (i == 1 ? "" : ";") "SMs " i
    write_shares("figure-5", sms, 1)
    write_ratios("figure-14-time", "time", policies, "rr")
    write_ratios("figure-14-sharers", "sharers", policies, "")
    write_means()
    write_metrics("figure-16", "miss_rate mpki traffic", "qx_adpt+mgt", "rr")
    write_energy("rr qx_adpt qx_adpt+mgt")
    write_metrics("kepler", "time traffic dram_energy noc_energy l2_energy", "K-qx_adpt+mgt", "K-rr")
    write_ratios("extras-time", "time", "qx_adpt mgt " managed, "rr")
    write_ratios("extras-traffic", "traffic", "qx_adpt mgt " managed, "rr")
    write_clog(managed)
    write_levels("compulsory_l1:rr compulsory_l2:rr compulsory_l2:qx_adpt+mgt merged_shared:rr merged_shared:qx_adpt+mgt late:rr")
    write_checks()
    write_orders()
    write_tries()
    if (ARGC > 6) write_footprints()
}
