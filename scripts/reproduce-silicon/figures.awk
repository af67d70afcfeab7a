# Computes figures.csv from the runs: preset, experiment, figure, unit, value.
# Usage: awk -f figures.awk facts.csv silicon_curve.csv figures.txt machines.txt runs.csv
BEGIN { FS = ";"; print "preset,experiment,figure,unit,value" }
/^#/ { next }
FILENAME ~ /facts/ { sms[$1] = $2; banks[$1] = $3; integer[$1] = $4; peak[$1] = $5; next }
FILENAME ~ /curve/ { points[$1] = points[$1] " " $2; next }
FILENAME ~ /figures.txt/ { name[++figures] = $1; unit[$1] = $2; rule[$1] = $9; next }
FILENAME ~ /machines/ { preset[++machines] = $1; experiment[machines] = $2; next }
FNR == 1 { next }
{
    split($0, column, ",")
    split(column[4], part, "/")
    key = part[1] "/" part[2]
    if (key in first) {
        cycles[key] = column[5] - first[key]
        n[key] = part[3] - from[key]
    } else {
        first[key] = column[5]
        from[key] = part[3]
    }
}
# The rules of figures.txt, each once.
function value_of(rule, cycles, n, p,    per) {
    if (rule == "cycles / n - integer") return cycles / n - integer[p]
    if (rule == "2 * (cycles / n - integer) - near") return 2 * (cycles / n - integer[p]) - near[p]
    if (rule == "cycles / n / 32") return cycles / n / 32
    if (rule == "n * 32768 / cycles") return n * 32768 / cycles
    if (rule == "n * sms * sms * 3072 / cycles / banks") return n * sms[p] * sms[p] * 3072 / cycles / banks[p]
    if (rule == "64 * cycles / n") return 64 * cycles / n
    if (rule == "160 * cycles / n") return 160 * cycles / n
    if (rule == "100 * n * 8 / cycles / peak") return 100 * n * 8 / cycles / peak[p]
    if (rule == "n * 512 * sms / cycles") return n * 512 * sms[p] / cycles
    print "figures.awk: no rule " rule >"/dev/stderr"
    exit failed = 1
}
END {
    if (failed) exit 1
    for (m = 1; m <= machines; m++) {
        count = experiment[m] == "" ? split(points[preset[m]], kb, " ") : 0
        for (i = 1; i <= count; i++) {
            key = m "/curve." kb[i]
            if (key in cycles)
                printf "%s,,curve.%s,cycles,%.2f\n", preset[m], kb[i], value_of("cycles / n - integer", cycles[key], n[key], preset[m])
        }
        for (i = 1; i <= figures; i++) {
            key = m "/" name[i]
            if (!(key in cycles)) continue
            v[key] = value_of(rule[name[i]], cycles[key], n[key], preset[m])
            if (name[i] == "latency.l2" && experiment[m] == "") near[preset[m]] = v[key]
            printf "%s,%s,%s,%s,%.2f\n", preset[m], experiment[m], name[i], unit[name[i]], v[key]
            if (name[i] == "conflicts.32")
                printf "%s,%s,conflicts,cycles a way,%.2f\n", preset[m], experiment[m], (v[key] - v[m "/conflicts.1"]) / 31
        }
    }
}
