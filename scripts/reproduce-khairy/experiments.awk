# Experiments on where ours differs from the paper: experiments.txt names a claim of khairy_figures.csv, workloads whose runs
# are made anew with changed sizes or keys, and the change in words; the claim's other runs are those of the plan. With "=NAME" in place
# of keys no run is made anew: the number of that name (measures.awk) is what the claim is after the change.
# plan=1: prints the runs of experiments.txt in the form of runs.sh, each configuration NAME as NAME#number.
# plan=0: prints a CSV, for each experiment the claim before and after the change.
# Usage: awk -f measures.awk -f experiments.awk -v plan=0|1 -v technique=DWT-PRIC workloads.txt studies.txt khairy_figures.csv
#     set-index/runs.csv runs.csv experiments.txt EXPERIMENTS_RUNS.csv (of plan=1: /dev/null)

# Returns the configurations of a claim, with spaces between.
function configurations(name, w,    part, i, all) {
    split(name, part, ":")
    if (part[1] == "hm" || part[1] == "least" || part[1] == "ratio") all = part[3] " " part[4]
    else if (part[1] == "misses" || part[1] == "fails") all = "bounded " technique
    else if (part[1] == "near") all = "unbounded " technique
    else if (part[1] == "limit") all = "bounded static-PRIC"
    else if (part[1] == "chosen") all = technique
    if (all !~ /static-PRIC/) return all
    sub("static-PRIC", "", all)
    for (i = 1; i <= limits; i++) if (ran(w, "limit-" limit[i])) all = all " limit-" limit[i]
    return all
}

# Returns the instructions of "... --max-instructions=10M", none: more than any.
function most_instructions(text,    n) {
    if (!match(text, /--max-instructions=[0-9]+[KM]?/)) return 1e18
    n = substr(text, RSTART + 19, RLENGTH - 19)
    return n * (n ~ /K$/ ? 1e3 : n ~ /M$/ ? 1e6 : 1)
}

# Returns the changes with the list's stop in place of a later one, so that runs of a short list are short.
function stopped(change, stop) {
    if (most_instructions(change) <= most_instructions(stop)) return change
    sub(/ --max-instructions=[^ ]*/, "", change)
    return change (stop == "" ? "" : " " stop)
}

# Returns whether the list has the experiment's workloads; a list of fewer workloads has fewer experiments.
function can_run(number,    f, spec, n, i) {
    split(experiment[number], f, ";")
    n = split(f[2], spec, " ")
    for (i = 1; i <= n; i++) {
        sub(",.*", "", spec[i])
        if (!(spec[i] in class)) return 0
    }
    return 1
}

# Returns the changed keys of a configuration: of the bounded and the unbounded L1 without those that begin with "+".
function changes(list, c,    key, n, i, all) {
    n = split(list, key, " ")
    for (i = 1; i <= n; i++) {
        if (key[i] == "-" || key[i] ~ /^\+/ && c ~ /bounded/) continue
        sub(/^\+/, "", key[i])
        all = all " " key[i]
    }
    return all
}

function print_runs(number,    f, spec, change, name, c, i, k, n, m) {
    split(experiment[number], f, ";")
    if (f[3] ~ /^=/) return
    n = split(f[2], spec, " ")
    for (i = 1; i <= n; i++) {
        name = spec[i]
        sub(",.*", "", name)
        m = split(configurations(f[1], name), c, " ")
        for (k = 1; k <= m; k++) {
            change = stopped(changes(f[3], c[k]), stop[name])
            print spec[i] == name ? listed[name] : spec[i], "gtx480", c[k] "#" number keys[c[k]] change
        }
    }
}

# Returns whether all runs of an experiment have been made.
function has_run(number,    f, spec, name, c, i, k, n, m) {
    split(experiment[number], f, ";")
    n = split(f[2], spec, " ")
    for (i = 1; i <= n; i++) {
        name = spec[i]
        sub(",.*", "", name)
        m = split(configurations(f[1], name), c, " ")
        for (k = 1; k <= m; k++) if (!((name, c[k] "#" number, "cycles") in counter)) return 0
    }
    return 1
}

function print_row(number,    f, g, before, after) {
    split(experiment[number], f, ";")
    split(claim_of[f[1]], g, ";")
    variant = ""
    before = ours(f[1])
    if (f[3] ~ /^=/) {
        after = ours(substr(f[3], 2))
    } else {
        variant = number
        after = has_run(number) ? ours(f[1]) : "-"
    }
    print g[2] "," g[4] "," f[4] "," g[5] "," g[6] "," shown(before) "," shown(after) "," \
        verdict(g[6], g[5], before) "," verdict(g[6], g[5], after)
}

END {
    if (failed) exit failed
    for (i = 2; i <= claims; i++) {
        split(claim[i], f, ";")
        claim_of[f[3]] = claim[i]
    }
    if (!plan) print "figure,what,changed,theirs,kind,before,after,agreed,agrees"
    for (e = 1; e <= experiments; e++) {
        split(experiment[e], f, ";")
        if (!(f[1] in claim_of)) {
            print "experiments.txt: no claim " f[1] >"/dev/stderr"
            exit 1
        }
        if (!can_run(e)) continue
        if (plan) print_runs(e)
        else print_row(e)
    }
}
