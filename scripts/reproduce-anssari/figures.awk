# Writes the figures of [anssari, 4.3] from the runs, a row for each benchmark, one for their mean and one for LBM's SoA form:
# FOLDER/figure-4.1.csv to figure-4.6.csv, and checks.csv, the thesis's numbers beside ours.
# Usage: awk -f measures.awk -f figures.awk -v folder=FOLDER workloads.txt anssari_figures.csv runs.csv

# Returns those of a list of configurations that there are runs of: data from before a configuration of ours was added lack it.
function made(list,    n, c, i, b, there, kept) {
    n = split(list, c, " ")
    for (i = 1; i <= n; i++) {
        there = 0
        for (b = 1; b <= benchmarks; b++) there += (benchmark[b], c[i], "DRAM bytes") in counter
        if (there) kept = kept (kept == "" ? "" : " ") c[i]
    }
    return kept
}

# Writes the demand of configurations over that of N-1024.
function write_demand(name, list,    file, n, c, i, b, row, means) {
    file = folder "/" name ".csv"
    n = split(list, c, " ")
    row = "benchmark"
    for (i = 1; i <= n; i++) row = row "," c[i]
    print row >file
    for (b = 1; b <= benchmarks; b++) {
        if (!in_mean(benchmark[b])) continue
        row = benchmark[b]
        for (i = 1; i <= n; i++) row = row sprintf(",%.4f", ratio("demand", benchmark[b], c[i], "N-1024"))
        print row >file
    }
    row = "mean"
    for (i = 1; i <= n; i++) row = row sprintf(",%.4f", mean_ratio("demand", c[i], "N-1024"))
    print row >file
    for (b = 1; b <= benchmarks; b++) {
        if (in_mean(benchmark[b])) continue
        row = benchmark[b]
        for (i = 1; i <= n; i++) row = row sprintf(",%.4f", ratio("demand", benchmark[b], c[i], "N-1024"))
        print row >file
    }
}

# Loads that the L1 does not serve: misses, and what bypasses it.
function miss_rate(b, c) { return 1 - of(b, c, "L1 load hits") / of(b, c, "L1 loads") }
function write_miss_rates(    file, b) {
    file = folder "/figure-4.2.csv"
    print "benchmark,T-1024,B-1024,loads that bypass in B-1024" >file
    for (b = 1; b <= benchmarks; b++)
        printf "%s,%.4f,%.4f,%.4f\n", benchmark[b], miss_rate(benchmark[b], "T-1024"), miss_rate(benchmark[b], "B-1024"),
            of(benchmark[b], "B-1024", "L1 bypasses") / of(benchmark[b], "B-1024", "L1 loads") >file
}

# Energy of each part over all of N-1024's.
function write_energy(list,    file, n, c, m, part, i, b, k, row, sum, v, counted) {
    file = folder "/figure-4.6.csv"
    n = split(list, c, " ")
    m = split("L1 tracker L2 interconnect DRAM", part, " ")
    print "benchmark,configuration,L1,tracker,L2,interconnect,DRAM,all" >file
    for (b = 1; b <= benchmarks; b++) {
        counted += in_mean(benchmark[b])
        for (i = 1; i <= n; i++) {
            row = benchmark[b] "," c[i]
            for (k = 1; k <= m; k++) {
                v = of(benchmark[b], c[i], part[k] " energy") / energy(benchmark[b], "N-1024")
                if (in_mean(benchmark[b])) sum[i, k] += v
                row = row sprintf(",%.4f", v)
            }
            print row sprintf(",%.4f", ratio("energy", benchmark[b], c[i], "N-1024")) >file
        }
    }
    for (i = 1; i <= n; i++) {
        row = "mean," c[i]
        for (k = 1; k <= m; k++) row = row sprintf(",%.4f", sum[i, k] / counted)
        print row sprintf(",%.4f", mean_ratio("energy", c[i], "N-1024")) >file
    }
}

function write_checks(    file, i, f, ours) {
    file = folder "/checks.csv"
    print "name,thesis,ours,agrees" >file
    for (i = 1; i <= claims; i++) {
        split(claim[i], f, ";")
        ours = claimed(f[3], f[6])
        printf "%s,%s,%.4f,%s\n", f[3], f[5], ours, agrees(ours, f[5]) >file
    }
}

FILENAME == ARGV[1] { read_workload(); next }
FILENAME == ARGV[2] { if ($0 !~ /^(#|section;)/) claim[++claims] = $0; next }
{ read_run() }
END {
    if (failed) exit 1
    write_demand("figure-4.1", "N-128 T-128 B-128 N-256 T-256 B-256 N-512 T-512 B-512 N-1024 T-1024 B-1024")
    write_miss_rates()
    write_demand("figure-4.3", "B-1024 B-coalesced " made("B-bytes B-coalesced-bytes B-victims B-victims-bytes"))
    write_demand("figure-4.4", "B-1024 B-1-sharer")
    write_demand("figure-4.5", "B-1024 B-2-trackers B-4-trackers")
    write_energy("N-1024 T-1024 P-1024 B-1024")
    write_checks()
}
