# Reads the list of workloads, then studies.txt. By itself it prints the runs that the studies need, each once, in the
# form of runs.sh; timed=0: those that analyse accesses, in the order engine.
# Usage: awk -f plan.awk -v timed=0|1 workloads.txt studies.txt

function class_of(nipc) { return nipc > 1 ? "CNF" : nipc < 1 ? "CF" : "CI" }
function among(class, classes) { return classes == "all" || index("," classes ",", "," class ",") > 0 }

/^#/ { next }
FILENAME == ARGV[1] && $4 != "-" {
    name = $1
    sub(",.*", "", name)
    workload[++workloads] = name
    sized[name] = $1
    paper[name] = $4
    class[name] = class_of($5)
}
# A configuration's name in runs.csv is its keys.
FILENAME == ARGV[2] {
    name = $4 == "" ? "baseline" : $4
    for (i = 5; i <= NF; i++) name = name "+" $i
    studied[++studies] = $1
    asked[studies] = $2
    label[studies] = $3
    configuration[studies] = name
}
END {
    for (i = 1; i <= studies && timed != ""; i++) {
        if ((configuration[i] !~ /--analyze/) != timed) continue
        for (w = 1; w <= workloads; w++) {
            name = workload[w]
            if (!among(class[name], asked[i]) || (name, configuration[i]) in planned) continue
            planned[name, configuration[i]] = 1
            keys = configuration[i] == "baseline" ? "" : configuration[i]
            gsub("[+]", " ", keys)
            print sized[name], "fermi-l1d", configuration[i], keys
        }
    }
}
