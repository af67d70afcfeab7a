# Prints the tables of docs/reproduction/silicon.md from figures.csv, workloads.csv, and the published and the measured figures.
# Usage: page.sh docs/reproduction/silicon PAGE tables.awk; in the folder that has tests/golden/silicon.csv
function load_figures(    i, f) {
    if (loaded++) return
    read_csv("figures")
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        preset[i] = f[1]; experiment[i] = f[2]; figure[i] = f[3]; unit[i] = f[4]; value[i] = f[5]
        if (f[2] == "") { ours[f[1], f[3]] = f[5]; unit_of[f[3]] = f[4] }
    }
    figures = rows
}
function load_published(    line, f) {
    if (published_rows) return
    while ((getline line <"tests/golden/silicon.csv") > 0) {
        if (line ~ /^#/) continue
        split(line, f, ";")
        at = ++published_rows
        p_preset[at] = f[1]; p_figure[at] = f[2]; p_value[at] = f[3]; p_what[at] = f[4]; p_source[at] = f[5]; p_key[at] = f[6]
        is_published[f[1], f[2]] = 1
    }
}
# Figures measured on an H100, in our unit, and the keys set by them.
function load_measured(    line, f, ratio) {
    if (measured_rows) return
    while ((getline line <"tests/golden/silicon_h100_measured.csv") > 0) {
        if (line ~ /^#/) continue
        split(line, f, ";")
        m_value[f[1]] = f[3]; m_least[f[1]] = f[4]; m_greatest[f[1]] = f[5]
    }
    while ((getline line <"scripts/reproduce-silicon/measured.txt") > 0) {
        if (line ~ /^#/) continue
        split(line, f, ";")
        if (!(f[2] in m_value)) fail("no measured figure " f[2])
        m_name[++measured_rows] = f[1]
        split(f[3] "/1", ratio, "/")
        m_at[f[1]] = f[2]; m_factor[f[1]] = ratio[1] / ratio[2]; m_key[f[1]] = f[4]
    }
    for (line = 1; line <= 32; line++) {
        m_name[++measured_rows] = "strides." line
        m_at["strides." line] = "strides." line; m_factor["strides." line] = 1
        m_key["strides." line] = "chosen l1.tag_index"
    }
}
function measured(figure) { return m_value[m_at[figure]] * m_factor[figure] }
function difference(ours, theirs) { return 100 * (ours / theirs - 1) }
# What a figure is by its key: "KEY", "chosen KEY" or none; `by` is named in the key's place, unless "".
function verdict(key, off, by,    outside, chosen) {
    outside = off > 5 || off < -5 ? "**outside 5%**" : ""
    if (key == "") return outside != "" ? outside : "predicted, within 5%"
    chosen = sub(/^chosen /, "", key)
    if (by == "") by = "`" key "`"
    if (!chosen) return "set by " by
    return (outside != "" ? outside ", " : "") "chosen: " by
}
# Verdict of a published figure; those of an H100 may be by our measurement.
function verdict_published(preset, figure, key, off) {
    return preset == "h100" && m_key[figure] != "" ? verdict(m_key[figure], off, "[our measurement](#on-an-h100)") : verdict(key, off, "")
}
# A share of the peak above 100 is the end effect that the page explains.
function shown(value, unit) { return value (unit == "% of the peak" && value > 100 ? " ([ends of the runs](#what-is-outside-and-why))" : "") }
function table_published(    i, off) {
    load_figures()
    load_published()
    load_measured()
    print "| preset | figure | unit | published | ours | | | what was measured |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= published_rows; i++) {
        if (!((p_preset[i], p_figure[i]) in ours)) fail("no figure " p_figure[i] " of " p_preset[i])
        off = difference(ours[p_preset[i], p_figure[i]], p_value[i])
        printf "| `%s` | %s | %s | %s | %s | %+.1f%% | %s | %s (%s) |\n", p_preset[i], p_figure[i], unit_of[p_figure[i]], p_value[i],
            shown(ours[p_preset[i], p_figure[i]], unit_of[p_figure[i]]), off, verdict_published(p_preset[i], p_figure[i], p_key[i], off), p_what[i], p_source[i]
    }
}
function table_unpublished(    i) {
    load_figures()
    load_published()
    print "| preset | figure | unit | ours |"
    print "| --- | --- | --- | --- |"
    for (i = 1; i <= figures; i++)
        if (experiment[i] == "" && figure[i] !~ /^curve/ && !((preset[i], figure[i]) in is_published))
            printf "| `%s` | %s | %s | %s |\n", preset[i], figure[i], unit[i], value[i]
}
function table_experiments(    i) {
    load_figures()
    print "| preset | figure | with | ours | then | |"
    print "| --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= figures; i++)
        if (experiment[i] != "")
            printf "| `%s` | %s | %s | %s | %s | %+.1f%% |\n", preset[i], figure[i], experiment[i], ours[preset[i], figure[i]], value[i],
                difference(value[i], ours[preset[i], figure[i]])
}
function table_measured(    i, name, off, value) {
    load_figures()
    load_published()
    load_measured()
    for (i = 1; i <= published_rows; i++)
        if (p_preset[i] == "h100") published_of[p_figure[i]] = p_value[i]
    print "| figure | unit | published | measured | from | to | ours | | |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= measured_rows; i++) {
        name = m_name[i]
        if (!(("h100", name) in ours)) {
            if (name ~ /^strides/) continue # not a figure of ours
            fail("no figure " name " of h100")
        }
        value = measured(name)
        off = difference(ours["h100", name], value)
        printf "| %s | %s | %s | %.2f | %.2f | %.2f | %s | %+.1f%% | %s |\n", name, unit_of[name], published_of[name], value,
            m_least[m_at[name]] * m_factor[name], m_greatest[m_at[name]] * m_factor[name], ours["h100", name], off,
            verdict(m_key[name], off, "")
    }
}
# Both GPUs' figures, in the units of the measurements.
function table_gpus(    line, f, i, n, name) {
    while ((getline line <"tests/golden/silicon_h200_measured.csv") > 0)
        if (split(line, f, ";") == 6) h200[f[1]] = f[3]
    n = split("latency.l1 latency.shared latency.l2.sms latency.far latency.dram.sms bandwidth.l1.16 bandwidth.l2.256KB bandwidth.l2.shared " \
        "read.full write.full copy.full read.1024 read.768 read.512 cta.64 cta.160 cta.nothing.32 conflicts.1 conflicts.32 " \
        "strides.3 strides.5 strides.31 atomics.word atomics.lane atomics.thread launch.graph.132", name, " ")
    print "| figure | unit | H100 | H200 |"
    print "| --- | --- | --- | --- |"
    close("tests/golden/silicon_h100_measured.csv") # another table has read it
    while ((getline line <"tests/golden/silicon_h100_measured.csv") > 0)
        if (split(line, f, ";") == 6) { h100[f[1]] = f[3]; unit_in[f[1]] = f[2] }
    for (i = 1; i <= n; i++) {
        if (!(name[i] in h100 && name[i] in h200)) fail("no measured figure " name[i])
        printf "| %s | %s | %s | %s |\n", name[i], unit_in[name[i]], h100[name[i]], h200[name[i]]
    }
}
# The GPU's counters, then ours in italics; in thousands.
function thousands(n) { return sprintf(n < 9950 ? "%.1f" : "%.0f", n / 1000) }
function beside(theirs, mine) {
    if (theirs == mine) return thousands(theirs) " ="
    if (theirs == 0) return "0, *" thousands(mine) "*"
    return sprintf("%s, *%+.1f%%*", thousands(theirs), difference(mine, theirs))
}
function table_workloads(    line, f, i, n, name) {
    read_csv("workloads")
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        for (n = 5; n <= 12; n++) run[f[4], n] = f[n]
        is_run[f[4]] = 1
    }
    print "| workload | loads and stores | lines looked up | sectors to L1s | stored sectors | DRAM read, KB | cycles | ours |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- |"
    while ((getline line <"tests/golden/silicon_h100_counters.csv") > 0) {
        n = split(line, f, ";")
        if (line ~ /^# name/) for (i = 1; i <= n; i++) column_of[i == 1 ? "name" : f[i]] = i
        name = f[column_of["name"]]
        gsub(",", "/", name)
        if (line ~ /^#/ || !(name in is_run)) continue
        printf "| `%s` | %s | %s | %s | %s | %s | %d | %d, *%+.0f%%* |\n", f[1],
            beside(f[column_of["loads"]] + f[column_of["stores"]] + f[column_of["reductions"]], run[name, 5]), beside(f[column_of["load_lines"]], run[name, 6]),
            beside(f[column_of["to_l1_sectors"]], run[name, 7]), beside(f[column_of["l2_write_sectors"]], run[name, 8]),
            beside(f[column_of["dram_read_bytes"]], run[name, 11]), f[column_of["cycles"]], run[name, 12],
            difference(run[name, 12], f[column_of["cycles"]])
    }
}
function table_curve(    line, f, off, text, seen) {
    load_figures()
    load_measured()
    print "| preset | footprint, KB | published, cycles | measured | ours | |"
    print "| --- | --- | --- | --- | --- | --- |"
    while ((getline line <"tests/golden/silicon_curve.csv") > 0) {
        if (line ~ /^#/) continue
        split(line, f, ";")
        seen = f[1] == "h100" ? m_value["curve." f[2]] : ""
        if (!((f[1], "curve." f[2]) in ours)) { # QUICK=1
            printf "| `%s` | %s | %s | %s | not run | |\n", f[1], f[2], f[3], seen
            continue
        }
        off = difference(ours[f[1], "curve." f[2]], seen != "" ? seen : f[3])
        text = sprintf((off > 5 || off < -5) ? "**%+.0f%%**" : "%+.1f%%", off)
        printf "| `%s` | %s | %s | %s | %.1f | %s |\n", f[1], f[2], f[3], seen, ours[f[1], "curve." f[2]], text
    }
}
function table(name) {
    if (name == "published") table_published()
    else if (name == "unpublished") table_unpublished()
    else if (name == "curve") table_curve()
    else if (name == "measured") table_measured()
    else if (name == "gpus") table_gpus()
    else if (name == "workloads") table_workloads()
    else if (name == "experiments") table_experiments()
    else fail("no table " name)
}
