# The tables of docs/reproduction/li.md, from the data of reproduce-li.sh.
# Usage: page.sh docs/reproduction/li PAGE tables.awk

# cell(CSV, ROW, COLUMN): by the row's first field and the column's title.
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

# How a figure's values are shown.
function shown(name, value) {
    if (name ~ /^(figure-10a|figure-3|figure-4|figure-11|blocked|reuse)/) return percent(value)
    return sprintf(name ~ /^figure-10/ ? "%.1f" : "%.2f", value)
}
# Any figure's CSV as it is.
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

# Extremes of a column over the rows but the mean; of its ratio to another one where that is given.
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
function both(a, b) { return a "; " b }

# The arithmetic mean of a column of reuse-shares.csv over a class.
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
function lud_store_hits(    i, k, n, t, f, hits, stores) {
    read_csv("runs")
    n = split(row[0], t, ",")
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        if (f[1] != "lud" || f[4] != "baseline") continue
        for (k = 5; k <= n; k++) {
            if (t[k] == "L1 hits") hits = f[k]
            if (t[k] == "L1 store hits") stores = f[k]
        }
    }
    return hits == 0 ? 0 : stores / hits
}

# Each number that the text of [li, 3.2 and 6] gives, beside ours. CNF: means over the seven workloads.
function table_paper() {
    print "| | in the paper | its figure | ours |\n| --- | --- | --- | --- |"
    claim("hit rate of CNF workloads", "3.2, figure 5a", "8.9%", mean_share("figure-10a", "BL"))
    claim("hit rate of CF workloads", "3.2, figure 5a", "55.4%", mean_share("figure-10a-friendly", "BL"))
    claim("hit rates of NW and HS", "3.2", "below 1%", both(percent(cell("figure-10a", "nw", "BL")), percent(cell("figure-10a", "hotspot", "BL"))))
    claim("hit rate of LUD", "3.2", "36.8%", percent(cell("figure-10a", "lud", "BL")))
    claim("of LUD's hits, stores", "3.2", "62.8%", percent(lud_store_hits()))
    claim("accesses without reuse, CNF", "3.2, figure 5b", "53.2%", percent(mean_of_class("accesses without reuse", "CNF")))
    claim("accesses without reuse, CF", "3.2, figure 5b", "7.9%", percent(mean_of_class("accesses without reuse", "CF")))
    claim("time in which reservation fails stall CNF workloads", "3.2", "48.04%", mean_share("blocked", "BL"))
    claim("without L1: NW, PTF, SD2", "3.2, Table 1", "+24.2%; +36.8%; +36.6%", both(both(gain(cell("figure-8", "nw", "no-L1")), gain(cell("figure-8", "particlefilter", "no-L1"))), gain(cell("figure-8", "srad2", "no-L1"))))
}

function table(name) {
    if (name == "paper") table_paper()
    else if (name ~ /^(figure-|insensitive$|blocked$|reuse-shares$|chosen$)/) table_figure(name)
    else fail("no table " name)
}
