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
# Returns a value by the row's first fields ("mean", or with the second or third "TCW,all", "mean,TCW") and the column's title; "": there is
# none.
function found(csv, line, title,    i, k) {
    load(csv)
    for (i = 1; i <= length_of[csv]; i++)
        if (value[csv, i, 1] == line || value[csv, i, 1] "," value[csv, i, 2] == line || value[csv, i, 1] "," value[csv, i, 3] == line)
            for (k = 2; k <= columns_of[csv]; k++) if (value[csv, 0, k] == title) return value[csv, i, k]
    return ""
}
function cell(csv, line, title,    text) {
    text = found(csv, line, title)
    if (text == "") fail("no " line ", " title " in " csv ".csv")
    return text
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
    header("| workload | sizes | configuration | thread instructions | core cycles | L1 loads |")
    for (i = 1; i <= length_of["runs"]; i++) {
        if (value["runs", i, 4] != (is_intra(value["runs", i, 1]) ? "NO-COH" : "NO-L1")) continue
        size = value["runs", i, 2]
        gsub(" ", ", ", size)
        printf "| %s | %s | %s | %.0f | %.0f | %.0f |\n", value["runs", i, 1], size == "" ? "defaults" : "`" size "`", value["runs", i, 4],
            value["runs", i, 6], value["runs", i, 5], value["runs", i, 9]
    }
}
function is_intra(workload,    i) {
    load("figure-7b")
    for (i = 1; i <= length_of["figure-7b"]; i++) if (value["figure-7b", i, 1] == workload) return 1
    return 0
}

function change(ratio) { return ratio == "" ? "" : sprintf("%+.0f%%", 100 * (ratio - 1)) }
function best(workload, protocol) { return cell("lifetimes", workload, "best lifetime of " protocol) }
function arrows(set,    i, text) {
    load("lifetimes")
    for (i = 1; i < length_of["lifetimes"]; i++)
        if (set == "all" || is_intra(value["lifetimes", i, 1]) == (set == "intra"))
            text = text (text == "" ? "" : ", ") value["lifetimes", i, 2] " " value["lifetimes", i, 3] " (best " value["lifetimes", i, 5] ")"
    return text
}
# Return the mean speed, or traffic, of a configuration over another's, for a set of programs; "": one of them has not run.
function over(what, c, other, set,    a, b) {
    a = found("figure-10", c "," set, what " over base")
    b = found("figure-10", other "," set, what " over base")
    return a == "" || b == "" ? "" : a / b
}
# Returns the mean over a set's own base: NO-L1 (inter), NO-COH (intra).
function mean(what, c, set) { return found("figure-10", c "," set, what " over base") }
# Returns the interconnect's power or energy under TCW over another's.
function of_energy(what, other, set,    b) {
    b = found("figure-9", other "," set, what)
    return b == "" ? "" : found("figure-9", "TCW," set, what) / b
}
# Returns a ratio of speeds of DLB.
function dlb(c, other,    a, b) {
    a = found("figure-7a", "worksteal", c)
    if (a == "") a = found("figure-11a", "worksteal", c)
    b = found("figure-7a", "worksteal", other)
    return a == "" || b == "" ? "" : a / b
}
# Returns the largest of the ratios of a configuration's speed of DLB over the directory protocols': the paper says "up to".
function dlb_directories(c,    i, n, other, ratio, most) {
    n = split("MESI GPU-VI GPU-VIni", other, " ")
    for (i = 1; i <= n; i++) {
        ratio = dlb(c, other[i])
        if (ratio != "" && (most == "" || ratio > most)) most = ratio
    }
    return most
}
# Returns the mean speed of the slowest of the coherent protocols over that of the fastest; "": one of them has not run.
function slowest(set,    i, n, c, speed, least, most) {
    n = split("MESI GPU-VI GPU-VIni TCW", c, " ")
    for (i = 1; i <= n; i++) {
        speed = mean("speed", c[i], set)
        if (speed == "") return ""
        if (i == 1 || speed < least) least = speed
        if (i == 1 || speed > most) most = speed
    }
    return least / most
}
function of_dlb(c, title,    i, k) {
    load("runs")
    for (i = 1; i <= length_of["runs"]; i++)
        if (value["runs", i, 1] == "worksteal" && value["runs", i, 4] == c)
            for (k = 5; k <= columns_of["runs"]; k++) if (value["runs", 0, k] == title) return value["runs", i, k]
    fail("no DLB, " title)
}
# Returns the ratio that stands beside one of the paper's numbers; "": not in this reproduction.
function ratio_of(name, set) { return ratio_by(name, set, "traffic") }
function flits_of(name, set) { return ratio_by(name, set, "flits") }
# `traffic`: "traffic", in bytes, or "flits". The configuration beside TCW is `mesi`.
function ratio_by(name, set, traffic) {
    if (name == "ideal-no-l1") return over("speed", "IDEAL-COH", "NO-L1", set)
    if (name == "tcw-no-l1") return over("speed", "TCW", "NO-L1", set)
    if (name == "dlb-directories") return dlb_directories("TCW")
    if (name == "tcw-mesi-speed") return over("speed", "TCW", mesi, set)
    if (name == "tcw-vi-speed") return over("speed", "TCW", "GPU-VI", set)
    if (name == "tcw-vini-speed") return over("speed", "TCW", "GPU-VIni", set)
    if (name == "similar-speed") return slowest(set)
    if (name == "vini-vi-speed") return over("speed", "GPU-VIni", "GPU-VI", set)
    if (name == "directory-speed") return over("speed", "VIni-16x-32w", "GPU-VIni", set)
    if (name == "mesi-traffic") return mean(traffic, mesi, set)
    if (name == "vi-traffic") return mean(traffic, "GPU-VI", set)
    if (name == "vini-traffic") return mean(traffic, "GPU-VIni", set)
    if (name == "tcw-mesi-traffic") return over(traffic, "TCW", mesi, set)
    if (name == "tcw-vi-traffic") return over(traffic, "TCW", "GPU-VI", set)
    if (name == "tcw-vini-traffic") return over(traffic, "TCW", "GPU-VIni", set)
    if (name == "fixed-tcs-speed") return over("speed", "TCW-FIXED", "TCS", set)
    if (name == "fixed-tcs-traffic") return over(traffic, "TCW-FIXED", "TCS", set)
    if (name == "tcw-tcs-speed") return over("speed", "TCW", "TCS", set)
    if (name == "tcw-tcs-traffic") return over(traffic, "TCW", "TCS", set)
    if (name ~ /^tcw-(mesi|vi|vini)-(power|energy)/)
        return of_energy(name ~ /power/ ? "power" : "energy", name ~ /mesi/ ? mesi : name ~ /vini/ ? "GPU-VIni" : "GPU-VI", set)
    if (name == "dlb-zero") return dlb("TCW-0", "NO-L1")
    if (name == "dlb-loads") return of_dlb("TCW-0", "L2 loads") / of_dlb("NO-L1", "L2 loads")
    return "none"
}
function text_of(name) {
    if (name == "best-tcs") return best("mean", "TCS")
    if (name == "best-tcw") return best("mean", "TCW")
    if (name == "ndl-lifetime") return "best " best("nw", "TCW")
    if (name == "hsp-lifetime") return "best " best("hotspot", "TCW")
    if (name == "arrows") return arrows("intra")
    if (name == "arrows-inter") return arrows("inter")
    return "not in this reproduction"
}
# Returns the ratio that the paper's text means, "" if it has none.
function ratio_in(text) {
    if (text ~ /^[+-][0-9]+%$/) { sub("%", "", text); return 1 + text / 100 }
    if (text == "equal") return 1
    sub("^up to ", "", text)
    if (text ~ /^[0-9.]+x$/) { sub("x", "", text); return text + 0 }
    return ""
}
# "yes" if our ratio is within 15% of the paper's.
function agreement(paper, ratio) {
    if (paper == "" || ratio == "" || ratio == "none") return ""
    return mark(ratio / paper >= 0.85 && ratio / paper <= 1.15 ? "yes" : "no")
}
# The paper's numbers beside ours. What follows from its traffic of TCW, GPU-VI and NO-COH: 1.31 * (1 - 0.23) = 1.01.
function table_paper(    line, f, ratio, shown_as, in_flits, verdict) {
    header("| | programs | section, figure | the paper | ours | within 15% | in flits | within 15% |")
    while ((getline line <"tests/golden/singh_figures.csv") > 0) {
        if (line ~ /^(#|section;)/) continue
        split(line, f, ";")
        ratio = ratio_of(f[4], f[3])
        verdict = agreement(ratio_in(f[6]), ratio)
        if (ratio == "none" && f[6] ~ /^[0-9]+$/) verdict = mark(text_of(f[4]) == f[6] ? "yes" : "no")
        shown_as = ratio == "none" ? text_of(f[4]) : ratio == "" ? "not in this reproduction" : f[6] ~ /x$/ ? sprintf("%.2fx", ratio) : change(ratio)
        in_flits = f[4] ~ /traffic/ ? flits_of(f[4], f[3]) : ""
        printf "| %s | %s | %s, %s | %s | %s | %s | %s | %s |\n", f[5], f[3], f[1], f[2], f[6], shown_as, verdict,
            change(in_flits), agreement(ratio_in(f[6]), in_flits)
        if (f[4] == "tcw-vi-traffic") {
            ratio = mean("traffic", "TCW", "intra")
            in_flits = mean("flits", "TCW", "intra")
            printf "| traffic of TCW over NO-COH: 1.31 x (1 - 0.23) | intra | 8.1, 8 | %s | %s | %s | %s | %s |\n", change(1.31 * (1 - 0.23)),
                change(ratio), agreement(1.31 * (1 - 0.23), ratio), change(in_flits), agreement(1.31 * (1 - 0.23), in_flits)
        }
    }
    close("tests/golden/singh_figures.csv")
    printf "| speed of TCW over NO-COH, harmonic mean | intra | 8.1, 7b | no number | %s | | | |\n", change(mean("speed", "TCW", "intra"))
    printf "| speed of IDEAL-COH over NO-COH, harmonic mean | intra | | | %s | | | |\n", change(mean("speed", "IDEAL-COH", "intra"))
    printf "| speed of NO-L1 over NO-COH, harmonic mean | intra | | | %s | | | |\n", change(mean("speed", "NO-L1", "intra"))
}

# What the paper says of MESI's traffic, power and energy beside MESI-lines.
function table_whole_lines(    line, f, ratio, whole) {
    header("| | programs | the paper | MESI | within 15% | whole lines | within 15% |")
    while ((getline line <"tests/golden/singh_figures.csv") > 0) {
        split(line, f, ";")
        if (f[4] !~ /mesi-(traffic|power|energy)/) continue
        mesi = "MESI"
        ratio = f[4] ~ /traffic/ ? flits_of(f[4], f[3]) : ratio_of(f[4], f[3])
        mesi = "MESI-lines"
        whole = f[4] ~ /traffic/ ? flits_of(f[4], f[3]) : ratio_of(f[4], f[3])
        printf "| %s%s | %s | %s | %s | %s | %s | %s |\n", f[5], f[4] ~ /traffic/ ? ", in flits" : "", f[3], f[6], change(ratio),
            agreement(ratio_in(f[6]), ratio), change(whole), agreement(ratio_in(f[6]), whole)
    }
    close("tests/golden/singh_figures.csv")
    mesi = "MESI"
}

# Changes beside the paper's numbers that differ, and ours without the change.
function table_tries(    line, f, i, name, ratio, changed) {
    while ((getline line <"tests/golden/singh_figures.csv") > 0) {
        if (line ~ /^(#|section;)/) continue
        split(line, f, ";")
        what[f[4]] = f[5]
        programs[f[4]] = f[3]
        printed[f[4]] = f[6]
    }
    close("tests/golden/singh_figures.csv")
    load("tries")
    header("| | programs | change | the paper | ours | ours, changed | within 15% |")
    for (i = 1; i <= length_of["tries"]; i++) {
        name = value["tries", i, 1]
        changed = value["tries", i, 3]
        ratio = ratio_by(name, programs[name], "flits")
        printf "| %s%s | %s | %s | %s |", what[name], name ~ /traffic/ ? ", in flits" : "", programs[name], value["tries", i, 2], printed[name]
        if (ratio == "none") printf " %s | %s | %s |\n", text_of(name), changed, mark(changed == printed[name] ? "yes" : "no")
        else
            printf " %s | %s | %s |\n", as_printed(printed[name], ratio), as_printed(printed[name], changed),
                agreement(ratio_in(printed[name]), changed)
    }
}
# Returns a ratio as the paper prints its own.
function as_printed(text, ratio) { return text ~ /x$/ ? sprintf("%.2fx", ratio) : change(ratio) }

# [singh, Table 1], states of an L1 and of the L2, beside those of our tables (docs/directory-protocols.md) and of TC-Weak's.
function table_states(    line, f, i, n) {
    header("| | Non-Coh. | GPU-VI | GPU-VIni | MESI | TC-Weak |")
    while ((getline line <"tests/golden/singh_table1.csv") > 0) {
        if (line ~ /^(#|states;)/) continue
        n = split(line, f, ";")
        printf "|"
        for (i = 1; i <= n; i++) printf " %s |", f[i]
        print ""
    }
    close("tests/golden/singh_table1.csv")
}

# Returns a run's cycles: of cloth (305: the preset's latency) or of its experiment at another latency of the L2.
function cloth_cycles(c, latency,    csv, i) {
    csv = latency == 305 ? "runs" : "changed-runs"
    if (latency != 305) c = "CL/" latency ":" c
    load(csv)
    for (i = 1; i <= length_of[csv]; i++) if (value[csv, i, 1] == "cloth" && value[csv, i, 4] == c) return value[csv, i, 5]
    fail("no run " c)
}
# CL's speed over NO-L1 with other latencies of the L2.
function table_latencies(    c, i, k, latency, n) {
    n = split("GPU-VI GPU-VIni VIni-4x-8w TCW TCW-FIXED", c, " ")
    split("290 305 320", latency, " ")
    header("| configuration | `l2.latency=290` | 305 (the preset's) | 320 |")
    for (i = 1; i <= n; i++) {
        printf "| %s |", c[i]
        for (k = 1; k <= 3; k++) printf " %.2f |", cloth_cycles("NO-L1", latency[k]) / cloth_cycles(c[i], latency[k])
        print ""
    }
}

BEGIN { mesi = "MESI" }
function table(name) {
    if (name == "paper") table_paper()
    else if (name == "states") table_states()
    else if (name == "whole-lines") table_whole_lines()
    else if (name == "tries") table_tries()
    else if (name == "latencies") table_latencies()
    else if (name == "sizes") table_sizes()
    else if (name ~ /^(figure-9|figure-10|figure-12)$/) table_csv(name, 0)
    else if (name ~ /^(figure-7[ab]|figure-8[ab]|figure-11[ab]|strong|lifetimes|causes)$/) table_csv(name, 1)
    else fail("no table " name)
}
