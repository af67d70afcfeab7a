# Reads [li, Table 1], the list of workloads and studies.txt. Alone it prints the runs that the studies need, each
# once, in the form of runs.sh; timed=0: the runs that analyse accesses, in the order engine.
# Usage: awk -f plan.awk -v timed=0|1 li_table1.csv workloads.txt studies.txt

function among(class, classes) { return classes == "all" || index("," classes ",", "," class ",") > 0 }
# Returns the workload in a configuration, with @paper at the paper's size; "" where there is none.
function sized_in(w, configuration) { return configuration ~ /@paper/ ? large[w] : small[w] }

/^#/ { next }
FILENAME == ARGV[1] {
    split($0, row, ";")
    class_of[row[1]] = row[3]
    nipc_of[row[1]] = row[4]
    instructions_of[row[1]] = row[5]
    counts_of[row[1]] = row[6]
    sized_as[row[1]] = row[7]
}
FILENAME == ARGV[2] {
    name = $1
    sub(",.*", "", name)
    if (!($2 in class_of)) {
        print FILENAME ":" FNR ": no " $2 " in " ARGV[1] >"/dev/stderr"
        exit failed = 1
    }
    workload[++workloads] = name
    paper[name] = $2
    class[name] = class_of[$2]
    small[name] = $1
    large[name] = $3 == "=" ? sized_as[$2] : $3 == "-" ? "" : $3
}
# A configuration is named by its keys in runs.csv.
FILENAME == ARGV[3] {
    name = $4 == "" ? "baseline" : $4
    for (i = 5; i <= NF; i++) name = name "+" $i
    studied[++studies] = $1
    asked[studies] = $2
    label[studies] = $3
    configuration[studies] = name
}
END {
    if (failed) exit failed
    for (i = 1; i <= studies && timed != ""; i++) {
        if ((configuration[i] !~ /--analyze/) != timed) continue
        for (w = 1; w <= workloads; w++) {
            name = workload[w]
            if (!among(class[name], asked[i]) || (name, configuration[i]) in planned) continue
            if (sized_in(name, configuration[i]) == "") continue
            planned[name, configuration[i]] = 1
            keys = configuration[i] == "baseline" ? "" : configuration[i]
            sub("@paper", "", keys)
            gsub("[+]", " ", keys)
            print sized_in(name, configuration[i]), "fermi-l1d", configuration[i], keys
        }
    }
}
