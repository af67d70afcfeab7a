# Prints the tables of docs/reproduction/tabbakh.md from the data of reproduce-tabbakh.sh and the paper's numbers.
# Usage: page.sh docs/reproduction/tabbakh PAGE csv-tables.awk tables.awk; in the folder that has tests/golden/tabbakh_figures.csv

# Prints a number of the paper or ours: numbers of lines and SMs as they are, all else as a percentage.
function shown(name, v) { return name ~ /^sharers/ ? sprintf("%.2f", v) : percent(v) }

# Reads the words and kinds of the paper's numbers, in order.
function read_claims(    line, f) {
    if (claims) return
    while ((getline line <"tests/golden/tabbakh_figures.csv") > 0) {
        if (line ~ /^(#|section;)/) continue
        split(line, f, ";")
        claim[++claims] = line
        if (!(f[3] in what)) what[f[3]] = f[4]
    }
    close("tests/golden/tabbakh_figures.csv")
}
function table_paper(    f, i) {
    load("checks")
    read_claims()
    header("| mean | section, figure | paper | ours | within 15% |")
    for (i = 1; i <= claims; i++) {
        split(claim[i], f, ";")
        if (value["checks", i, 1] != f[3]) fail("checks.csv has no " f[3])
        printf "| %s | %s | %s | %s | %s |\n", f[4], f[1] (f[2] == "" ? "" : ", Figure " f[2]), shown(f[3], f[5]), \
            shown(f[3], value["checks", i, 3]), mark(value["checks", i, 4])
    }
}
function table_tries(    i, name) {
    load("tries")
    read_claims()
    header("| mean | change | paper | ours | ours, changed | within 15% |")
    for (i = 1; i <= length_of["tries"]; i++) {
        name = value["tries", i, 1]
        printf "| %s | %s | %s | %s | %s | %s |\n", what[name], value["tries", i, 2], shown(name, value["tries", i, 3]), \
            shown(name, value["tries", i, 4]), shown(name, value["tries", i, 5]), mark(value["tries", i, 6])
    }
}
# Returns a title of a column in words.
function titled(text) {
    if (text == "miss_rate") return "L1 miss rate"
    if (text == "mpki") return "L2 MPKI"
    if (text == "traffic") return "off-chip traffic"
    if (text ~ /^compulsory_l/) return "compulsory of L" substr(text, 13, 1) " misses, " substr(text, 15)
    if (text ~ /^merged_shared:/) return "hits in MSHRs, " substr(text, 15)
    if (text ~ /^late:/) return "1000 cycles or later, " substr(text, 6)
    if (text == "energy3") return "energy of all three"
    sub("^noc_", "interconnect ", text)
    sub("^l2_", "L2 ", text)
    sub("^dram_", "DRAM ", text)
    return text
}
# Figure 8 in one line for each kernel of Gaussian by name: the range of its launches.
function table_figure_8(    i, k, n, name, order) {
    load("figure-8")
    for (i = 1; i <= length_of["figure-8"]; i++) {
        name = value["figure-8", i, 2]
        if (!(name in launches)) order[++n] = name
        launches[name]++
        ctas[name] = value["figure-8", i, 3]
        for (k = 4; k <= 6; k++) {
            at_least[name, k] = low(at_least[name, k], value["figure-8", i, k] + 0)
            at_most[name, k] = high(at_most[name, k], value["figure-8", i, k] + 0)
        }
    }
    header("| kernel | launches | CTAs of each | least | mean | most |")
    for (i = 1; i <= n; i++) {
        printf "| %s | %d | %d |", order[i], launches[order[i]], ctas[order[i]]
        for (k = 4; k <= 6; k++) printf " %d to %d |", at_least[order[i], k], at_most[order[i], k]
        print ""
    }
}
function table_sizes(    i) {
    load("runs")
    header("| workload | sizes | CTAs | thread instructions | core cycles, rr | DRAM bytes, rr |")
    for (i = 1; i <= length_of["runs"]; i++) {
        if (value["runs", i, 4] != "rr") continue
        printf "| %s | %s | %.0f | %.0f | %.0f | %.0f |\n", value["runs", i, 1], sizes_of(i), number("runs", i, "CTAs"), \
            number("runs", i, "thread instructions"), number("runs", i, "cycles"), number("runs", i, "DRAM bytes")
    }
}

function table(name) {
    if (name == "paper") table_paper()
    else if (name == "tries") table_tries()
    else if (name == "sizes") table_sizes()
    else if (name == "figure-8") table_figure_8()
    else if (name ~ /^(figure-[35]|levels)$/) table_csv(name, 1)
    else if (name ~ /^(figure-1[4-7].*|kepler|extras-.*|footprints|clog|contents|orders)$/) table_csv(name, 0)
    else fail("no table " name)
}
