# Reads workloads.txt and runs.csv, whose quantities the other scripts ask for. Of a run: demand, DRAM bytes; flushed, with what the L2
# still has to write; energy. Means are arithmetic, over the benchmarks of [anssari, Table 4.2] (LBM-SoA is no part of them).

function fail(message) { print "measures.awk: " message >"/dev/stderr"; failed = 1; exit 1 }
function of(b, c, column) {
    if (!((b, c, column) in counter)) fail("no " column " of " b ", " c)
    return counter[b, c, column]
}
function energy(b, c) {
    return of(b, c, "L1 energy") + of(b, c, "tracker energy") + of(b, c, "L2 energy") + of(b, c, "interconnect energy") + \
        of(b, c, "DRAM energy")
}
function quantity(what, b, c) {
    if (what == "demand") return of(b, c, "DRAM bytes")
    if (what == "flushed") return of(b, c, "DRAM bytes") + of(b, c, "dirty bytes")
    if (what == "energy") return energy(b, c)
    fail("no quantity " what)
}
function ratio(what, b, c, base) { return quantity(what, b, c) / quantity(what, b, base) }
function in_mean(b) { return b != "LBM-SoA" }
function mean_ratio(what, c, base,    i, n, sum) {
    for (i = 1; i <= benchmarks; i++)
        if (in_mean(benchmark[i])) { n++; sum += ratio(what, benchmark[i], c, base) }
    return sum / n
}
# Returns a number of the thesis by its name, QUANTITY:CONFIGURATION:BASE, and kind.
function claimed(name, kind,    part, value) {
    split(name, part, ":")
    value = mean_ratio(part[1], part[2], part[3])
    return kind == "saving" ? 1 - value : value
}
function agrees(ours, value) { return ours >= 0.85 * value && ours <= 1.15 * value ? "yes" : "no" }

# Reads a line of workloads.txt: the workload's whole text is in spec[], by benchmark.
function read_workload() {
    if ($0 ~ /^#/) return
    benchmark[++benchmarks] = $2
    spec[$2] = $1
}
# Reads a line of a CSV of runs: `key` of a run is its benchmark.
function read_run(    field, k, text, i) {
    if (FNR == 1) { titles = split($0, title, ","); return }
    split($0, field, ",")
    text = field[2]
    gsub(" ", ",", text)
    text = field[1] (text == "" ? "" : "," text)
    for (i = 1; i <= benchmarks; i++)
        if (spec[benchmark[i]] == text)
            for (k = 5; k <= titles; k++) counter[benchmark[i], field[4], title[k]] = field[k]
}
