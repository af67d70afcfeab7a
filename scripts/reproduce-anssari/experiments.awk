# Experiments on the thesis's means: each makes the claim's two configurations anew, with other workloads or with keys added.
# plan=1: prints their runs in the form of runs.sh, each configuration NAME as NAME#number; workloads.txt configurations.txt experiments.txt.
# plan=0: prints a CSV, for each experiment the mean before and after the change; then also anssari_figures.csv runs.csv EXPERIMENTS_RUNS.csv.
# Usage: awk -f measures.awk -f experiments.awk -v plan=0|1 FILE...

# Reads the words "BENCHMARK=workload" of an experiment into changed[].
function read_changes(text,    n, i, word, at) {
    split("", changed)
    if (text == "-") return
    n = split(text, word, " ")
    for (i = 1; i <= n; i++) {
        at = index(word[i], "=")
        changed[substr(word[i], 1, at - 1)] = substr(word[i], at + 1)
    }
}
# Returns whether the experiment runs a benchmark anew.
function runs_anew(b, f) { return in_mean(b) && (b in changed || f[5] != "-") }

function print_runs(number,    f, part, b, i, name) {
    split(experiment[number], f, ";")
    split(f[1], part, ":")
    read_changes(f[4])
    for (b = 1; b <= benchmarks; b++) {
        name = benchmark[b]
        if (!runs_anew(name, f)) continue
        for (i = 2; i <= 3; i++)
            print name in changed ? changed[name] : spec[name], "kepler-hybrid", part[i] "#" number "#" name, keys[part[i]], \
                f[5] == "-" ? "" : f[5]
    }
}

function print_result(number,    f, part, what, b, n, sum, at, now) {
    split(experiment[number], f, ";")
    split(f[1], part, ":")
    read_changes(f[4])
    what = f[2] == "-" ? part[1] : f[2]
    for (b = 1; b <= benchmarks; b++) {
        if (!in_mean(benchmark[b])) continue
        n++
        at = runs_anew(benchmark[b], f) ? "#" number : ""
        now = quantity(what, benchmark[b], part[2] at) / quantity(what, benchmark[b], part[3] at)
        sum += f[3] == "geometric" ? log(now) : now
    }
    now = f[3] == "geometric" ? exp(sum / n) : sum / n
    if (kind[f[1]] == "saving") now = 1 - now
    printf "%s,%s,%s,%.4f,%.4f,%s\n", f[1], f[6], value[f[1]], claimed(f[1], kind[f[1]]), now, agrees(now, value[f[1]])
}

FILENAME == ARGV[1] { read_workload(); next }
FILENAME == ARGV[2] {
    if ($0 ~ /^#/) next
    name = $1
    sub(/^[^ ]+ */, "")
    keys[name] = $0
    next
}
FILENAME == ARGV[3] { if ($0 !~ /^#/) experiment[++experiments] = $0; next }
FILENAME == ARGV[4] {
    if ($0 ~ /^(#|section;)/) next
    split($0, field, ";")
    value[field[3]] = field[5]
    kind[field[3]] = field[6]
    next
}
FILENAME == ARGV[5] { read_run(); next }
{
    if (FNR == 1) { titles = split($0, title, ","); next }
    split($0, field, ",")
    split(field[4], part, "#")
    for (k = 5; k <= titles; k++) counter[part[3], part[1] "#" part[2], title[k]] = field[k]
}
END {
    if (failed) exit 1
    if (!plan) print "name,change,thesis,before,after,agrees"
    for (i = 1; i <= experiments; i++) {
        if (plan) print_runs(i)
        else print_result(i)
    }
}
