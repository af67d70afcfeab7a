# Prints the runs of studies.txt, each once, in the form of runs.sh; timed=0: those that analyse accesses, in the order
# engine. Usage: awk -f plan.awk -v timed=0|1 workloads.txt studies.txt

# Returns whether a class [khairy, Table 2] or the workload (with options) is one of those asked for.
function among(class, workload, classes,    i, n, asked) {
    sub(",.*", "", workload)
    n = split(classes, asked, ",")
    for (i = 1; i <= n; i++) {
        if (asked[i] == workload) return 1
        if (asked[i] == "all" || asked[i] == "named" && class != "-") return 1
        if (asked[i] == "contention" && class ~ /conflict|thrashing/ || index(class, asked[i]) > 0) return 1
    }
    return 0
}

/^#/ { next }
FNR == NR {
    workload[++workloads] = $1
    class[workloads] = $3
    limit[workloads] = $4
    next
}
{
    asked[++studies] = $2
    configuration[studies] = $3
    keys[studies] = ""
    for (i = 4; i <= NF; i++) keys[studies] = keys[studies] " " $i
}
END {
    for (w = 1; w <= workloads; w++)
        for (i = 1; i <= studies; i++) {
            if ((keys[i] !~ /--analyze/) != timed || !among(class[w], workload[w], asked[i])) continue
            print workload[w], "gtx480", configuration[i] keys[i] (timed && limit[w] != "" ? " " limit[w] : "")
        }
}
