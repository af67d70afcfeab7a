# Prints the tables of docs/reproduction/singh.md from the data of reproduce-singh.sh and the paper's numbers.
# Usage: page.sh docs/reproduction/singh PAGE tables.awk; in the folder that has tests/golden/singh_figures.csv

# Reads a CSV once: value[CSV, line, k] by row and column numbers, and by titles through cell().
function load(csv,    i, k, n, f) {
    if (csv in length_of) return
    read_csv(csv)
    columns_of[csv] = split(row[0], f, ",")
    for (i = 0; i <= rows; i++) {
        n = split(row[i], f, ",")
        for (k = 1; k <= n; k++) value[csv, i, k] = f[k]
    }
    length_of[csv] = rows
}
# Returns a value by the row's first fields ("mean", or "mean,TCW" with the third) and the column's title.
function cell(csv, line, title,    i, k) {
    load(csv)
    for (i = 1; i <= length_of[csv]; i++)
        if (value[csv, i, 1] == line || value[csv, i, 1] "," value[csv, i, 3] == line)
            for (k = 2; k <= columns_of[csv]; k++) if (value[csv, 0, k] == title) return value[csv, i, k]
    fail("no " line ", " title " in " csv ".csv")
}

function header(titles,    line) {
    line = titles
    print line
    gsub("[^|]+", " --- ", line)
    print line
}
function shown(csv, title, text) {
    if (text !~ /^[0-9.]+$/) return text
    if (csv == "causes" && title ~ /^(L1 load hits|loads that)/) return percent(text)
    return text ~ /[.]/ ? sprintf("%.2f", text) : text
}
# Prints a CSV as a table; `names`: its first columns are the workload and its name in the paper.
function table_csv(csv, names,    i, k, line) {
    load(csv)
    line = names ? "| workload | in the paper |" : "| configuration |"
    for (k = names ? 3 : 2; k <= columns_of[csv]; k++) line = line " " value[csv, 0, k] " |"
    header(line)
    for (i = 1; i <= length_of[csv]; i++) {
        line = "|"
        for (k = 1; k <= columns_of[csv]; k++) line = line " " shown(csv, value[csv, 0, k], value[csv, i, k]) " |"
        print line
    }
}

function table_sizes(    i, size) {
    load("runs")
    header("| workload | sizes | thread instructions | core cycles, NO-COH | L1 loads |")
    for (i = 1; i <= length_of["runs"]; i++) {
        if (value["runs", i, 4] != "NO-COH") continue
        size = value["runs", i, 2]
        gsub(" ", ", ", size)
        printf "| %s | %s | %d | %d | %d |\n", value["runs", i, 1], size == "" ? "defaults" : "`" size "`",
            value["runs", i, 6], value["runs", i, 5], value["runs", i, 8]
    }
}

function change(ratio) { return sprintf("%+.0f%%", 100 * (ratio - 1)) }
function best(workload, protocol) { return cell("lifetimes", workload, "best lifetime of " protocol) }
function arrows(    i, text) {
    load("lifetimes")
    for (i = 1; i < length_of["lifetimes"]; i++)
        text = text (i == 1 ? "" : ", ") value["lifetimes", i, 2] " " value["lifetimes", i, 3] " (best " value["lifetimes", i, 5] ")"
    return text
}
# Returns our number for one of the paper's, for the programs without communication among workgroups.
function ours(name) {
    if (name == "fixed-tcs-speed") return change(cell("figure-10", "TCW-FIXED", "speed over TCS"))
    if (name == "fixed-tcs-traffic") return change(cell("figure-10", "TCW-FIXED", "traffic over TCS"))
    if (name == "tcw-tcs-speed") return change(cell("figure-10", "TCW", "speed over TCS"))
    if (name == "tcw-tcs-traffic") return change(cell("figure-10", "TCW", "traffic over TCS"))
    if (name == "best-tcs") return best("mean", "TCS")
    if (name == "best-tcw") return best("mean", "TCW")
    if (name == "ndl-lifetime") return "best " best("nw", "TCW")
    if (name == "hsp-lifetime") return "best " best("hotspot", "TCW")
    if (name == "arrows") return arrows()
    return ""
}
# The paper's numbers beside ours. What follows from its traffic of TCW, GPU-VI and NO-COH: 1.31 * (1 - 0.23) = 1.01.
function table_paper(    line, f) {
    header("| | programs | section, figure | the paper | ours, intra |")
    while ((getline line <"tests/golden/singh_figures.csv") > 0) {
        if (line ~ /^(#|section;)/) continue
        split(line, f, ";")
        printf "| %s | %s | %s, %s | %s | %s |\n", f[5], f[3], f[1], f[2], f[6], f[3] == "inter" ? "not run" : \
            f[4] ~ /mesi|vi/ ? "not built" : ours(f[4])
        if (f[4] == "tcw-vi-traffic")
            printf "| traffic of TCW over NO-COH: 1.31 x (1 - 0.23) | intra | 8.1, 8 | %s | %s |\n", change(1.31 * (1 - 0.23)),
                change(cell("figure-10", "TCW", "traffic over NO-COH"))
    }
    printf "| speed of TCW over NO-COH, harmonic mean | intra | 8.1, 7b | no number | %s |\n", 
        change(cell("figure-10", "TCW", "speed over NO-COH"))
    printf "| speed of IDEAL-COH over NO-COH, harmonic mean | intra | | | %s |\n", change(cell("figure-10", "IDEAL-COH", "speed over NO-COH"))
    printf "| speed of NO-COH over NO-L1, harmonic mean | intra | | | %s |\n", change(cell("figure-11-no-l1", "mean", "NO-COH"))
}

function table(name) {
    if (name == "paper") table_paper()
    else if (name == "sizes") table_sizes()
    else if (name == "figure-10") table_csv(name, 0)
    else if (name ~ /^(figure-7b|figure-8|figure-11|figure-11-no-l1|strong|lifetimes|causes)$/) table_csv(name, 1)
    else fail("no table " name)
}
