# Prints the tables of docs/reproduction/anssari.md from the data of reproduce-anssari.sh and the thesis's numbers.
# Usage: page.sh docs/reproduction/anssari PAGE csv-tables.awk tables.awk; in the folder that has tests/golden/anssari_*.csv

function titled(text) { return text }
function shown(kind, v) { return kind == "saving" ? percent(v) : sprintf("%.2f", v) }

# The thesis's numbers beside ours; behind them what experiments make of ours.
function table_paper(    line, f, i, n) {
    load("checks")
    header("| mean of nine benchmarks | section, figure | thesis | ours | within 15% |")
    while ((getline line <"tests/golden/anssari_figures.csv") > 0) {
        if (line ~ /^(#|section;)/) continue
        split(line, f, ";")
        kind[f[3]] = f[6]
        what[f[3]] = f[4]
        i = ++n
        if (value["checks", i, 1] != f[3]) fail("checks.csv has no " f[3])
        printf "| %s | %s | %s | %s | %s |\n", f[4], f[1] (f[2] == "" ? "" : ", figure " f[2]), shown(f[6], f[5]), \
            shown(f[6], value["checks", i, 3]), mark(value["checks", i, 4])
    }
    close("tests/golden/anssari_figures.csv")
}
function table_tries(    i) {
    table_kinds()
    load("tries")
    header("| mean | change | thesis | ours | ours, changed | within 15% |")
    for (i = 1; i <= length_of["tries"]; i++)
        printf "| %s | %s | %s | %s | %s | %s |\n", what[value["tries", i, 1]], value["tries", i, 2], \
            shown(kind[value["tries", i, 1]], value["tries", i, 3]), shown(kind[value["tries", i, 1]], value["tries", i, 4]), \
            shown(kind[value["tries", i, 1]], value["tries", i, 5]), mark(value["tries", i, 6])
}
# Reads the kind and the words of each of the thesis's numbers.
function table_kinds(    line, f) {
    while ((getline line <"tests/golden/anssari_figures.csv") > 0) {
        split(line, f, ";")
        kind[f[3]] = f[6]
        what[f[3]] = f[4]
    }
    close("tests/golden/anssari_figures.csv")
}

# Kernels beside the marks of [anssari, Table 4.2].
function table_sharing(    i, k, line, f, marks) {
    while ((getline line <"tests/golden/anssari_table4.2.csv") > 0) {
        if (line ~ /^(#|benchmark;)/) continue
        split(line, f, ";")
        marks[f[1], f[2]] = f[3] " | " f[4]
    }
    close("tests/golden/anssari_table4.2.csv")
    load("sharing")
    header("| benchmark | kernel | thesis: shared | partitioned | lines | half of the SMs or more | 2 SMs to half | neighbouring CTAs | lines of an instruction |")
    for (i = 1; i <= length_of["sharing"]; i++) {
        line = value["sharing", i, 1] SUBSEP value["sharing", i, 2]
        if (!(line in marks)) line = value["sharing", i, 1] SUBSEP "*"
        if (!(line in marks)) fail("no marks for " value["sharing", i, 1] ", " value["sharing", i, 2])
        printf "| %s | %s | %s | %d | %s | %s | %s | %.1f |\n", value["sharing", i, 1], value["sharing", i, 2], marks[line], value["sharing", i, 4], \
            percent(value["sharing", i, 5]), percent(value["sharing", i, 6]), percent(value["sharing", i, 7]), value["sharing", i, 8]
    }
}

function table_sizes(    i) {
    load("runs")
    header("| benchmark's workload | sizes | thread instructions | L1 loads | DRAM bytes, N-1024 |")
    for (i = 1; i <= length_of["runs"]; i++) {
        if (value["runs", i, 4] != "N-1024") continue
        printf "| %s | %s | %.0f | %.0f | %.0f |\n", value["runs", i, 1], sizes_of(i), number("runs", i, "thread instructions"), \
            number("runs", i, "L1 loads"), number("runs", i, "DRAM bytes")
    }
}
function table(name) {
    if (name == "paper") table_paper()
    else if (name == "tries") table_tries()
    else if (name == "sharing") table_sharing()
    else if (name == "sizes") table_sizes()
    else if (name == "figure-4.2") table_csv(name, 1)
    else if (name ~ /^(figure-4[.][1-6]|table-4[.]3)$/) table_csv(name, 0)
    else fail("no table " name)
}
