# Prints the tables of docs/reproduction/silicon.md from figures.csv and the published figures.
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
function difference(ours, theirs) { return 100 * (ours / theirs - 1) }
function verdict(key, off) {
    if (key != "") return "set by `" key "`"
    return off > 5 || off < -5 ? "**outside 5%**" : "predicted, within 5%"
}
function table_published(    i, off) {
    load_figures()
    load_published()
    print "| preset | figure | unit | published | ours | | | what was measured |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= published_rows; i++) {
        if (!((p_preset[i], p_figure[i]) in ours)) fail("no figure " p_figure[i] " of " p_preset[i])
        off = difference(ours[p_preset[i], p_figure[i]], p_value[i])
        printf "| `%s` | %s | %s | %s | %s | %+.1f%% | %s | %s (%s) |\n", p_preset[i], p_figure[i], unit_of[p_figure[i]], p_value[i],
            ours[p_preset[i], p_figure[i]], off, verdict(p_key[i], off), p_what[i], p_source[i]
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
function table_curve(    line, f, off, text) {
    load_figures()
    print "| preset | footprint, KB | published, cycles | ours | |"
    print "| --- | --- | --- | --- | --- |"
    while ((getline line <"tests/golden/silicon_curve.csv") > 0) {
        if (line ~ /^#/) continue
        split(line, f, ";")
        if (!((f[1], "curve." f[2]) in ours)) { # QUICK=1
            printf "| `%s` | %s | %s | not run | |\n", f[1], f[2], f[3]
            continue
        }
        off = difference(ours[f[1], "curve." f[2]], f[3])
        text = sprintf((off > 5 || off < -5) ? "**%+.0f%%**" : "%+.1f%%", off)
        printf "| `%s` | %s | %s | %.1f | %s |\n", f[1], f[2], f[3], ours[f[1], "curve." f[2]], text
    }
}
function table(name) {
    if (name == "published") table_published()
    else if (name == "unpublished") table_unpublished()
    else if (name == "curve") table_curve()
    else if (name == "experiments") table_experiments()
    else fail("no table " name)
}
