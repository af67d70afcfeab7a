# Prints the tables of docs/reproduction/li.md from the data of reproduce-li.sh.
# Usage: page.sh docs/reproduction/li PAGE tables.awk

# cell(CSV, ROW, COLUMN): returns a value by the row's first field and the column's title.
function load(csv,    i, k, f, t, n) {
    if (csv in loaded) return
    loaded[csv] = 1
    read_csv(csv)
    n = split(row[0], t, ",")
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        for (k = 2; k <= n; k++) data[csv, f[1], t[k]] = f[k]
        in_order[csv, i] = f[1]
    }
    length_of[csv] = rows
}
function cell(csv, line, column) {
    load(csv)
    if (!((csv, line, column) in data)) fail("no " line ", " column " in " csv ".csv")
    return data[csv, line, column]
}

# Returns 1234567 as 1,234,567.
function grouped(number,    text) {
    for (; length(number) > 3; number = substr(number, 1, length(number) - 3)) text = "," substr(number, length(number) - 2) text
    return number text
}
# Returns the format of a figure's values.
function shown(name, value) {
    if (name ~ /^(figure-10a|figure-3|figure-4|figure-11|blocked|reuse|dram)/) return percent(value)
    if (name == "instructions" && value !~ /[.]/) return grouped(value)
    return sprintf(name == "chosen" ? "%d" : name ~ /^figure-10/ ? "%.1f" : name ~ /^dueling/ ? "%.3f" : "%.2f", value)
}
# Prints a figure's CSV as a table.
function table_figure(name,    i, k, n, f, line) {
    read_csv(name)
    n = split(row[0], f, ",")
    line = "|"
    for (k = 1; k <= n; k++) line = line " " (f[k] == "paper name" ? "in the paper" : f[k]) " |"
    print line
    gsub("[^|]+", " --- ", line)
    print line
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        line = "| " f[1] " |"
        for (k = 2; k <= n; k++) line = line " " (f[k] ~ /^[0-9.]+$/ ? shown(name, f[k]) : f[k]) " |"
        print line
    }
}

function gain(speed) { return sprintf("%+.1f%%", 100 * (speed - 1)) }
function claim(what, where, theirs, ours) { printf "| %s | %s | %s | %s |\n", what, where, theirs, ours }

# Returns the extremes of a column over all rows but the mean's; of its ratio to another column where one is given.
function extreme(csv, column, other, largest,    i, w, v, best, at) {
    load(csv)
    for (i = 1; i <= length_of[csv]; i++) {
        w = in_order[csv, i]
        if (w == "mean") continue
        v = cell(csv, w, column) / (other == "" ? 1 : cell(csv, w, other))
        if (best == "" || (largest ? v > best : v < best)) { best = v; at = w }
    }
    where_extreme = at
    return best
}
function most(csv, column, other) { return gain(extreme(csv, column, other, 1)) " (" where_extreme ")" }
function least(csv, column, other) { return gain(extreme(csv, column, other, 0)) " (" where_extreme ")" }
function mean(csv, column, other) {
    return gain(cell(csv, "mean", column) / (other == "" ? 1 : cell(csv, "mean", other)))
}
function mean_share(csv, column) { return percent(cell(csv, "mean", column)) }

# Returns the arithmetic mean of a column of reuse-shares.csv over a class.
function mean_of_class(column, class,    i, w, sum, n) {
    load("reuse-shares")
    for (i = 1; i <= length_of["reuse-shares"]; i++) {
        w = in_order["reuse-shares", i]
        if (cell("reuse-shares", w, "class") != class) continue
        sum += cell("reuse-shares", w, column)
        n++
    }
    return n == 0 ? 0 : sum / n
}
# Returns by how much the values of a column are below 1 on average, without the mean's row.
function reduction(csv, column,    i, w, sum, n) {
    load(csv)
    for (i = 1; i <= length_of[csv]; i++) {
        w = in_order[csv, i]
        if (w == "mean") continue
        sum += 1 - cell(csv, w, column)
        n++
    }
    return sprintf("%.1f%%", 100 * sum / n)
}
function between(csv, w, column, other) { return gain(cell(csv, w, column) / cell(csv, w, other)) }
# Counters of runs.csv.
function counter(w, configuration, title,    i, k, n, t, f) {
    read_csv("runs")
    n = split(row[0], t, ",")
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        if (f[1] == w && f[4] == configuration)
            for (k = 5; k <= n; k++) if (t[k] == title) return f[k]
    }
    fail("no " title " of " w ", " configuration)
}

# Returns by how much the paper's design lowers the energy of the L1s, the interconnect, the L2 and the DRAM. Its larger tag stores take
# 0.002 nJ more for an access and leak 1.7 mW [li, 6.5], which is meant of one SM here, of 15 at 1.4 GHz [li, Table 2].
function energy_saved(w,    d, pj) {
    d = "l1.kind=decoupled+l1.dueling=yes"
    pj = counter(w, d, "energy [pJ]") + 2 * counter(w, d, "L1 accesses") + 15 * 1.7 / 1.4 * counter(w, d, "cycles")
    return percent(1 - pj / counter(w, "baseline", "energy [pJ]"))
}

# Lists the workloads of table-1.csv whose value is above, or below, the paper's by a tenth or more, and counts the others.
function sided(column, above,    i, w, v, names) {
    load("table-1")
    for (i = 1; i <= length_of["table-1"]; i++) {
        w = in_order["table-1", i]
        v = cell("table-1", w, column " by the paper's")
        if (w == "off by" || v == "-" || (above ? v <= 1.1 : v >= 1 / 1.1)) continue
        names = names (names == "" ? "" : ", ") cell("table-1", w, "paper name")
    }
    return names == "" ? "none" : names
}
function within_a_tenth(column,    i, w, v, near, count) {
    load("table-1")
    for (i = 1; i <= length_of["table-1"]; i++) {
        w = in_order["table-1", i]
        v = cell("table-1", w, column " by the paper's")
        if (w == "off by" || v == "-") continue
        count++
        near += v <= 1.1 && v >= 1 / 1.1
    }
    return near + 0 " of " count + 0
}
# Returns the geometric mean of the paper's column of table-1.csv over a class.
function mean_of_paper(class,    i, w, sum, n) {
    load("table-1")
    for (i = 1; i <= length_of["table-1"]; i++) {
        w = in_order["table-1", i]
        if (cell("table-1", w, "class") != class) continue
        sum += log(cell("table-1", w, "the paper's"))
        n++
    }
    return n == 0 ? "-" : gain(exp(sum / n))
}
function both(what, theirs, figure, column, of_what) {
    printf "| %s | %s", what, theirs
    printf " | %s", of_what == "" ? mean(figure, column) : of_what == "most" ? most(figure, column) : least(figure, column)
    printf " | %s", of_what == "" ? mean(figure "-67", column) : of_what == "most" ? most(figure "-67", column) : least(figure "-67", column)
    printf " | %s |\n", of_what == "" ? mean(figure "-size", column) : of_what == "most" ? most(figure "-size", column) : least(figure "-size", column)
}
function scores(what, theirs, function_of, argument,    i, n, column) {
    printf "| %s | %s", what, theirs
    n = split("134-GB/s 67-GB/s paper-size", column, " ")
    for (i = 1; i <= n; i++)
        printf " | %s", function_of == "near" ? within_a_tenth(column[i]) : function_of == "sided" ? sided(column[i], argument) \
            : sprintf("%.2f", cell("table-1", "off by", column[i] " by the paper's"))
    print " |"
}
# Values that depend on the reading of "48 bytes/cycle" and on the size.
function table_bandwidth(    d) {
    d = "Decoupled-L1D"
    print "| | the paper | 134 GB/s | 67 GB/s | 134 GB/s, the paper's sizes |\n| --- | --- | --- | --- | --- |"
    scores("N-IPC of Table 1: workloads within a tenth", "", "near")
    scores("above it by more", "", "sided", 1)
    scores("below it by more", "", "sided", 0)
    scores("off by a factor of, geometric mean", "", "off")
    both("CNF: BALL", mean_of_paper("CNF") " (Table 1)", "figure-8", "BALL")
    both("CNF: MRPB", "+19.2%", "figure-8", "MRPB")
    both("CNF: decoupled in all SMs", "", "figure-8", "decoupled")
    both("CNF: Decoupled L1D", "+30.3%", "figure-8", d)
    both("CNF: Decoupled L1D at most", "+56.8%", "figure-8", d, "most")
    both("CF: BALL", mean_of_paper("CF") " (Table 1)", "figure-9", "BALL")
    both("CF: decoupled in all SMs", "", "figure-9", "decoupled")
    both("CF: Decoupled L1D at worst", "no loss", "figure-9", d, "least")
}

# Prints each number in the text of [li, 3.2 and 6] beside ours. CNF: the seven workloads of the paper.
function table_paper(    d) {
    d = "Decoupled-L1D"
    print "| | in the paper | its figure | ours |\n| --- | --- | --- | --- |"
    claim("hit rate of CNF workloads", "3.2, figure 5a", "8.9%", mean_share("figure-10a", "BL"))
    claim("hit rate of CF workloads", "3.2, figure 5a", "55.4%", mean_share("figure-10a-CF", "BL"))
    claim("hit rates of NW and HS", "3.2", "below 1%", percent(cell("figure-10a", "nw", "BL")) "; " percent(cell("figure-10a", "hotspot", "BL")))
    claim("hit rate of LUD", "3.2", "36.8%", percent(cell("figure-10a", "lud", "BL")))
    claim("of LUD's hits, stores", "3.2", "62.8%", percent(counter("lud", "baseline", "L1 store hits") / counter("lud", "baseline", "L1 hits")))
    claim("accesses without reuse, CNF", "3.2, figure 5b", "53.2%", percent(mean_of_class("accesses without reuse", "CNF")))
    claim("accesses without reuse, CF", "3.2, figure 5b", "7.9%", percent(mean_of_class("accesses without reuse", "CF")))
    claim("time in which reservation fails stall CNF workloads", "3.2", "48.04%", mean_share("blocked", "BL"))
    claim("all loads bypass: NW, PTF, SD2", "3.2", "+24.2%; +36.8%; +36.6%", gain(cell("figure-8", "nw", "BALL")) "; " gain(cell("figure-8", "particlefilter", "BALL")) "; " gain(cell("figure-8", "srad2", "BALL")))
    claim("CNF: Decoupled L1D", "6.1a, figure 8", "+30.3%", mean("figure-8", d))
    claim("CNF: decoupled in all SMs, without dueling", "", "", mean("figure-8", "decoupled"))
    claim("CNF: Decoupled L1D, its probe a cycle more (`l1.latency=2`)", "6.5", "hidden", mean("probe", d) "; decoupled in all SMs " mean("probe", "decoupled"))
    claim("CNF: Decoupled L1D at most", "6.1a, figure 8", "+56.8%", most("figure-8", d))
    claim("CNF: MRPB", "6.1a, figure 8", "+19.2%", mean("figure-8", "MRPB"))
    claim("CNF: Decoupled L1D against MRPB", "6.1a", "+11%", mean("figure-8", d, "MRPB"))
    claim("CNF: Decoupled L1D against MRPB at most", "6.1a", "+36%", most("figure-8", d, "MRPB"))
    claim("CNF: decoupled in all SMs against MRPB", "", "", mean("figure-8", "decoupled", "MRPB") ", at most " most("figure-8", "decoupled", "MRPB"))
    claim("BH: Decoupled L1D against Profiled-BYPASS", "6.1a", "up to +11%", between("figure-8", "barneshut", d, "Profiled-BYPASS"))
    claim("Decoupled L1D against PDP-best: BH, SSSP, PTF", "6.1a", "+8%; +11%; +10.33%", between("figure-8", "barneshut", d, "PDP-best") "; " between("figure-8", "sssp", d, "PDP-best") "; " between("figure-8", "particlefilter", d, "PDP-best"))
    claim("decoupled in all SMs against PDP-best: BH, SSSP, PTF", "", "", between("figure-8", "barneshut", "decoupled", "PDP-best") "; " between("figure-8", "sssp", "decoupled", "PDP-best") "; " between("figure-8", "particlefilter", "decoupled", "PDP-best"))
    claim("Decoupled L1D against PDP-best: HS, NW, LUD", "6.1a", "as well", between("figure-8", "hotspot", d, "PDP-best") "; " between("figure-8", "nw", d, "PDP-best") "; " between("figure-8", "lud", d, "PDP-best"))
    claim("CF: BALL at worst", "6.1b, figure 9", "-77%", least("figure-9", "BALL"))
    claim("CF: MRPB at worst", "6.1b, figure 9", "-19%", least("figure-9", "MRPB"))
    claim("CF: PDP-best at worst", "6.1b, figure 9", "-30%", least("figure-9", "PDP-best"))
    claim("CF: Decoupled L1D at worst", "6.1b, figure 9", "no loss", least("figure-9", d))
    claim("CI: Decoupled L1D", "6.1b", "0.03% on average", mean("insensitive", d))
    claim("CNF: hit rate with Decoupled L1D, points above the baseline", "6.1c, figure 10a", "38.5", sprintf("%.1f", 100 * (cell("figure-10a", "mean", d) - cell("figure-10a", "mean", "BL"))))
    claim("CNF: hit rate with MRPB", "6.1c, figure 10a", "17.4%", mean_share("figure-10a", "MRPB"))
    claim("CNF: lines that enter the L1, fewer by", "6.1e", "63.4%", percent(1 - mean_of_class("lines that enter: decoupled", "CNF")))
    claim("CNF: cycles stalled by reservation fails, fewer by", "6.1e", "84.5%", reduction("stalls", d))
    claim("CNF: cycles stalled by other fails than those of the bypass path, fewer by", "", "", reduction("L1-stalls", d) "; decoupled in all SMs " reduction("L1-stalls", "decoupled"))
    claim("CNF: SRRIP and SHiP in place of LRU", "6.1g, figure 12", "little impact", mean("figure-12", "SRRIP") "; " mean("figure-12", "SHiP"))
    claim("CNF: 16 tag ways against 8", "6.2, figure 13b", "+2%", mean("figure-13b", "16", "8"))
    claim("CNF: threshold 2 against 1", "6.2, figure 13c", "the best or near", mean("figure-13c", "2"))
    claim("CNF: threshold 2 against 1, the first reference not counted (`l1.allocation_rc=0`)", "6.2, figure 13c", "the best or near", mean("figure-13c", "0-to-2", "0-to-1"))
    claim("CNF: threshold 2 so against the baseline", "", "", mean("figure-13c", "0-to-2"))
    claim("CNF: baseline of 128 KB against decoupled of 16 KB", "6.3, figure 14", "close", mean("figure-14", "BL-128KB", "decoupled-16KB"))
    claim("energy of the memory system, less by: PTF, BH, SSSP", "6.5", "10.4%; 14.7%; 11.4%", energy_saved("particlefilter") "; " energy_saved("barneshut") "; " energy_saved("sssp"))
    claim("L1 misses of SSSP, fewer by; bypasses not counted", "6.5", "up to 80%", percent(1 - counter("sssp", "l1.kind=decoupled+l1.dueling=yes", "L1 misses") / counter("sssp", "baseline", "L1 misses")))
}

function table(name) {
    if (name == "paper") table_paper()
    else if (name == "bandwidth") table_bandwidth()
    else table_figure(name)
}
