# Writes the figures of [li] from the runs: FOLDER/NAME.csv for each line of figures.txt, a row for each workload and one for
# their mean (geometric of speeds, arithmetic of others); Table 1 beside ours; and the figures of the reuse analysis.
# Usage: awk -f plan.awk -f figures.awk -v folder=FOLDER li_table1.csv workloads.txt studies.txt figures.txt runs.csv reuse.csv

function of(w, c, column) {
    if (!((w, c, column) in counter)) { print "figures.awk: no " column " of " w ", " c >"/dev/stderr"; exit failed = 1 }
    return counter[w, c, column]
}
# Returns the configuration of that name in a study; of X/1, X/2, ... the fastest for the workload.
function configuration_of(w, study, name,    i, best) {
    for (i = 1; i <= studies; i++) {
        if (studied[i] != study || (label[i] != name && index(label[i], name "/") != 1)) continue
        if (best == "" || of(w, configuration[i], "cycles") < of(w, best, "cycles")) best = configuration[i]
    }
    return best
}
# Puts the names in a study into names[1..]; returns their number.
function names_of(study, names,    i, n, name, seen) {
    for (i = 1; i <= studies; i++) {
        name = label[i]
        sub("/.*", "", name)
        if (studied[i] == study && !(name in seen)) { seen[name] = 1; names[++n] = name }
    }
    return n
}
# Returns whether the study has runs of the workload.
function runs_in(w, study,    i) {
    for (i = 1; i <= studies; i++)
        if (studied[i] == study) return among(class[w], asked[i]) && sized_in(w, configuration[i]) != ""
    return 0
}
function speed_in(w, study, name, base) {
    return of(w, configuration_of(w, study, base), "cycles") / of(w, configuration_of(w, study, name), "cycles")
}
function ratio(a, b) { return b == 0 ? 1 : a / b }
function quantity(kind, w, c, base) {
    if (kind == "speed") return of(w, base, "cycles") / of(w, c, "cycles")
    if (kind == "hits") return of(w, c, "L1 hits") / of(w, c, "L1 accesses")
    if (kind == "l2") return 1000 * of(w, c, "L2 accesses") / of(w, c, "thread instructions")
    if (kind == "misses") return 1000 * of(w, c, "L2 misses") / of(w, c, "thread instructions")
    if (kind == "blocked") return of(w, c, "blocked") / 1000000
    if (kind == "stalls") return ratio(of(w, c, "stalls"), of(w, base, "stalls"))
    if (kind == "l1-stalls") return ratio(of(w, c, "stalls") - of(w, c, "bypass path fails"), of(w, base, "stalls"))
    print "figures.awk: no quantity " kind >"/dev/stderr"
    exit failed = 1
}
function write_figure(figure, study, classes, kind, base,    file, n, names, w, i, v, sum, count, header, row) {
    file = folder "/" figure ".csv"
    n = names_of(study, names)
    for (i = 1; i <= n; i++) header = header "," names[i]
    print "workload,paper name" header >file
    for (w = 1; w <= workloads; w++) {
        if (!among(class[workload[w]], classes) || !runs_in(workload[w], study)) continue
        count++
        row = ""
        for (i = 1; i <= n; i++) {
            v = quantity(kind, workload[w], configuration_of(workload[w], study, names[i]),
                base == "" ? "" : configuration_of(workload[w], study, base))
            sum[i] += kind == "speed" ? log(v) : v
            row = row sprintf(",%.4f", v)
        }
        print workload[w] "," paper[workload[w]] row >file
    }
    row = ""
    for (i = 1; i <= n && count > 0; i++)
        row = row sprintf(",%.4f", kind == "speed" ? exp(sum[i] / count) : sum[i] / count)
    print "mean," row >file
    close(file)
}
# Writes which of X/1, X/2, ... of a study was the fastest.
function write_chosen(study,    file, n, names, w, i, k, c, row, header, tried) {
    file = folder "/chosen.csv"
    n = names_of(study, names)
    for (i = 1; i <= n; i++) {
        for (k = 1; k <= studies && (studied[k] != study || index(label[k], names[i] "/") != 1); k++) {}
        tried[i] = k <= studies
        if (tried[i]) header = header "," names[i]
    }
    print "workload,paper name" header >file
    for (w = 1; w <= workloads; w++) {
        if (!runs_in(workload[w], study)) continue
        row = workload[w] "," paper[workload[w]]
        for (i = 1; i <= n; i++) {
            if (!tried[i]) continue
            c = configuration_of(workload[w], study, names[i])
            for (k = 1; configuration[k] != c || index(label[k], names[i] "/") != 1; k++) {}
            row = row "," substr(label[k], length(names[i]) + 2)
        }
        print row >file
    }
    close(file)
}

# Writes Table 1's IPC with all accesses bypassing beside ours, in several studies, and the ratio of both; the last row has
# the geometric means of the deviations in either direction.
function write_bypassing(    file, n, study, i, w, name, row, tail, header, off, counted) {
    file = folder "/table-1.csv"
    n = split("134-GB/s 67-GB/s paper-size", study, " ")
    for (i = 1; i <= n; i++) {
        header = header "," study[i]
        tail = tail "," study[i] " by the paper's"
    }
    print "workload,paper name,class,the paper's" header tail >file
    for (w = 1; w <= workloads; w++) {
        name = workload[w]
        row = tail = ""
        for (i = 1; i <= n; i++) {
            if (!runs_in(name, study[i])) { row = row ",-"; tail = tail ",-"; continue }
            v = speed_in(name, study[i], "BALL", "BL")
            row = row sprintf(",%.4f", v)
            v /= nipc_of[paper[name]]
            tail = tail sprintf(",%.4f", v)
            off[i] += v < 1 ? -log(v) : log(v)
            counted[i]++
        }
        print name "," paper[name] "," class[name] "," nipc_of[paper[name]] row tail >file
    }
    row = "off by,,,"
    for (i = 1; i <= n; i++) row = row ","
    for (i = 1; i <= n; i++) row = row (counted[i] == 0 ? ",-" : sprintf(",%.4f", exp(off[i] / counted[i])))
    print row >file
    close(file)
}
# Writes the thread instructions of Table 1, what they count, and ours at both sizes.
function write_instructions(    file, w, name, row, large_one) {
    file = folder "/instructions.csv"
    print "workload,paper name,Table 1,a count of,ours,at the paper's size,that by Table 1" >file
    for (w = 1; w <= workloads; w++) {
        name = workload[w]
        row = name "," paper[name] "," instructions_of[paper[name]] "," counts_of[paper[name]]
        row = row "," of(name, configuration_of(name, "134-GB/s", "BL"), "thread instructions")
        if (runs_in(name, "paper-size")) {
            large_one = of(name, configuration_of(name, "paper-size", "BL"), "thread instructions")
            row = row "," large_one sprintf(",%.4f", large_one / instructions_of[paper[name]])
        } else row = row ",-,-"
        print row >file
    }
    close(file)
}
# Writes the share of the DRAM's data buses in use, at both bandwidths.
function write_dram(    file, n, column, i, w, name, part, header, row) {
    file = folder "/dram.csv"
    n = split("134-GB/s:BL 134-GB/s:BALL 134-GB/s:decoupled 67-GB/s:BL 67-GB/s:BALL 67-GB/s:decoupled paper-size:BL", column, " ")
    for (i = 1; i <= n; i++) {
        split(column[i], part, ":")
        header = header "," part[1] " " part[2]
    }
    print "workload,paper name" header >file
    for (w = 1; w <= workloads; w++) {
        name = workload[w]
        row = ""
        for (i = 1; i <= n; i++) {
            split(column[i], part, ":")
            if (runs_in(name, part[1])) row = row sprintf(",%.4f", of(name, configuration_of(name, part[1], part[2]), "DRAM in use"))
            else row = row ",-"
        }
        print name "," paper[name] row >file
    }
    close(file)
}

# Writes the shares of a histogram's columns, which begin with `prefix`, of a name of the study `reuse`.
function write_histogram(figure, prefix, name,    file, i, w, c, whole, row, first) {
    file = folder "/" figure ".csv"
    row = "workload,paper name"
    for (i = 1; i <= columns; i++)
        if (index(title[i], prefix " ") == 1) row = row "," substr(title[i], length(prefix) + 2)
    print row >file
    for (w = 1; w <= workloads; w++) {
        if (class[workload[w]] != "CNF") continue
        c = configuration_of_reuse(name)
        whole = 0
        for (i = 1; i <= columns; i++)
            if (index(title[i], prefix " ") == 1) whole += of(workload[w], c, title[i])
        row = workload[w] "," paper[workload[w]]
        for (i = 1; i <= columns; i++)
            if (index(title[i], prefix " ") == 1)
                row = row sprintf(",%.4f", whole == 0 ? 0 : of(workload[w], c, title[i]) / whole)
        print row >file
    }
    close(file)
}
function configuration_of_reuse(name,    i) {
    for (i = 1; studied[i] != "reuse" || label[i] != name; i++) {}
    return configuration[i]
}
# Writes PTF's distances, those in all accesses first: a row for each, shares of re-references.
function write_distances(    file, n, names, i, k, row, c, whole, at) {
    if (!("particlefilter" in class)) return
    file = folder "/figure-11.csv"
    n = names_of("reuse", names)
    row = "distance"
    for (k = 1; k <= n; k++) {
        row = row "," names[k]
        for (i = 1; i <= columns; i++)
            if (index(title[i], "entering ") == 1) whole[k] += of("particlefilter", configuration_of_reuse(names[k]), title[i])
    }
    print row >file
    for (i = 1; i <= columns; i++) {
        if (index(title[i], "entering ") != 1) continue
        row = substr(title[i], length("entering ") + 1)
        for (k = 1; k <= n; k++) {
            c = configuration_of_reuse(names[k])
            row = row sprintf(",%.4f", whole[k] == 0 ? 0 : of("particlefilter", c, title[i]) / whole[k])
        }
        print row >file
    }
    close(file)
}
# Writes accesses without reuse (figure 5b), and the share of accesses and lines that enter the L1.
function write_reuse(    file, n, names, w, i, c, row) {
    file = folder "/reuse-shares.csv"
    n = names_of("reuse", names)
    row = "workload,paper name,class,accesses without reuse"
    for (i = 2; i <= n; i++) row = row ",accesses that enter: " names[i] ",lines that enter: " names[i]
    print row >file
    for (w = 1; w <= workloads; w++) {
        if (class[workload[w]] == "CI") continue
        c = configuration_of_reuse(names[1])
        row = workload[w] "," paper[workload[w]] "," class[workload[w]]
        row = row sprintf(",%.4f", of(workload[w], c, "accesses without reuse") / of(workload[w], c, "accesses"))
        for (i = 2; i <= n; i++) {
            c = configuration_of_reuse(names[i])
            row = row sprintf(",%.4f,%.4f", of(workload[w], c, "accesses that enter") / of(workload[w], c, "accesses"),
                of(workload[w], c, "lines that enter") / of(workload[w], c, "lines"))
        }
        print row >file
    }
    close(file)
}

FILENAME == ARGV[4] && !/^#/ { figure[++figures] = $0 }
FILENAME == ARGV[5] && FNR == 1 { FS = ","; $0 = $0 }
(FILENAME == ARGV[5] || FILENAME == ARGV[6]) && FNR == 1 {
    columns = NF
    for (i = 5; i <= NF; i++) title[i] = $i
}
(FILENAME == ARGV[5] || FILENAME == ARGV[6]) && FNR > 1 {
    for (i = 5; i <= NF; i++) counter[$1, $4, title[i]] = $i
}
END {
    for (f = 1; f <= figures; f++) {
        split(figure[f], part, " ")
        write_figure(part[1], part[2], part[3], part[4], part[5])
    }
    write_chosen("schemes")
    write_bypassing()
    write_instructions()
    write_dram()
    write_histogram("figure-3", "references", "BL")
    write_histogram("figure-4", "distance", "BL")
    write_distances()
    write_reuse()
    exit failed
}
