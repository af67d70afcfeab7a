# Writes the figures of [singh, 8] from the runs, a row for each workload and one for their mean: FOLDER/figure-7b.csv (speed),
# figure-8.csv (traffic by class), figure-10.csv, figure-11.csv (speed by lifetime), strong.csv (of TC-Strong), lifetimes.csv, causes.csv.
# Speeds are cycles of the base over those of the run, their mean is harmonic, as in the paper; shares' means are arithmetic.
# Usage: awk -f figures.awk -v folder=FOLDER workloads.txt runs.csv

function fail(message) { print "figures.awk: " message >"/dev/stderr"; failed = 1; exit 1 }
function of(w, c, column) {
    if (!((w, c, column) in counter)) fail("no " column " of " w ", " c)
    return counter[w, c, column]
}
function speed(w, c, base) { return of(w, base, "cycles") / of(w, c, "cycles") }
function traffic(w, c,    i, sum) {
    for (i = 1; i <= classes; i++) sum += of(w, c, class[i])
    return sum
}
function share(a, b) { return b == 0 ? 0 : a / b }
function mean_lifetime(w, c) { return share(of(w, c, "lease cycles"), of(w, c, "leases")) }

# Returns the harmonic mean of the speeds of a configuration.
function mean_speed(c, base,    w, sum) {
    for (w = 1; w <= workloads; w++) sum += 1 / speed(workload[w], c, base)
    return workloads / sum
}
# Returns the arithmetic mean of the traffic of a configuration over the base's.
function mean_traffic(c, base,    w, sum) {
    for (w = 1; w <= workloads; w++) sum += traffic(workload[w], c) / traffic(workload[w], base)
    return sum / workloads
}

function write_speeds(name, list, base,    file, n, c, i, w, row) {
    file = folder "/" name ".csv"
    n = split(list, c, " ")
    row = "workload,paper name"
    for (i = 1; i <= n; i++) row = row "," c[i]
    print row >file
    for (w = 1; w <= workloads; w++) {
        row = workload[w] "," paper[w]
        for (i = 1; i <= n; i++) row = row sprintf(",%.4f", speed(workload[w], c[i], base))
        print row >file
    }
    row = "mean,HM"
    for (i = 1; i <= n; i++) row = row sprintf(",%.4f", mean_speed(c[i], base))
    print row >file
}

# Traffic by class over all of NO-COH's.
function write_traffic(list,    file, n, c, i, k, w, v, sum, row) {
    file = folder "/figure-8.csv"
    n = split(list, c, " ")
    row = "workload,paper name,configuration"
    for (k = 1; k <= classes; k++) row = row "," class[k]
    print row ",all" >file
    for (w = 1; w <= workloads + 1; w++)
        for (i = 1; i <= n; i++) {
            row = (w > workloads ? "mean,AVG," : workload[w] "," paper[w] ",") c[i]
            for (k = 1; k <= classes; k++) {
                v = w > workloads ? sum[i, k] / workloads : of(workload[w], c[i], class[k]) / traffic(workload[w], "NO-COH")
                sum[i, k] += v
                row = row sprintf(",%.4f", v)
            }
            v = w > workloads ? mean_traffic(c[i], "NO-COH") : traffic(workload[w], c[i]) / traffic(workload[w], "NO-COH")
            print row sprintf(",%.4f", v) >file
        }
}

# Mean speed and traffic over NO-COH, and over TCS: of what figure 10 compares, and of each fixed lifetime.
function write_means(    file, i, c) {
    file = folder "/figure-10.csv"
    print "configuration,speed over NO-COH,traffic over NO-COH,speed over TCS,traffic over TCS" >file
    for (i = 1; i <= configurations; i++) {
        c = configuration[i]
        printf "%s,%.4f,%.4f,%.4f,%.4f\n", c, mean_speed(c, "NO-COH"), mean_traffic(c, "NO-COH"),
            mean_speed(c, "NO-COH") / mean_speed("TCS", "NO-COH"),
            mean_traffic(c, "NO-COH") / mean_traffic("TCS", "NO-COH") >file
    }
}

# Returns the lifetime of the fastest fixed one of a workload, or in the mean of all, under tcw or tcs; the shorter of equals.
function best_lifetime(w, protocol,    i, c, s, best, at) {
    for (i = 1; i <= configurations; i++) {
        c = configuration[i]
        if (c !~ "^" protocol "-[0-9]+$") continue
        s = w == "" ? mean_speed(c, "NO-COH") : speed(w, c, "NO-COH")
        if (best == "" || s > best) { best = s; at = c }
    }
    sub(".*-", "", at)
    return at
}
function write_lifetimes(    file, w, name) {
    file = folder "/lifetimes.csv"
    print "workload,paper name,mean lifetime of TCW,TCW,best lifetime of TCW,TCW at its best,best lifetime of TCS,TCS at its best" >file
    for (w = 1; w <= workloads; w++) {
        name = workload[w]
        printf "%s,%s,%.0f,%.4f,%d,%.4f,%d,%.4f\n", name, paper[w], mean_lifetime(name, "TCW"), speed(name, "TCW", "NO-COH"),
            best_lifetime(name, "TCW"), speed(name, "TCW-" best_lifetime(name, "TCW"), "NO-COH"),
            best_lifetime(name, "TCS"), speed(name, "TCS-" best_lifetime(name, "TCS"), "NO-COH") >file
    }
    printf "mean,HM,-,%.4f,%d,%.4f,%d,%.4f\n", mean_speed("TCW", "NO-COH"), best_lifetime("", "TCW"),
        mean_speed("TCW-" best_lifetime("", "TCW"), "NO-COH"), best_lifetime("", "TCS"),
        mean_speed("TCS-" best_lifetime("", "TCS"), "NO-COH") >file
}

# What makes the differences: hits, loads of lines whose lease was past, writes that stalled in the L2 or found other leases.
function write_causes(    file, w, i, n, name, c) {
    file = folder "/causes.csv"
    n = split("NO-COH IDEAL-COH TCW TCW-FIXED TCS", c, " ")
    print "workload,paper name,configuration,L1 load hits,loads that expired,fills not kept,leases stored,L2 MSHR fails,private writes," \
        "writes with GWCT,write stalls" >file
    for (w = 1; w <= workloads; w++)
        for (i = 1; i <= n; i++) {
            name = workload[w]
            printf "%s,%s,%s,%.4f,%.4f,%d,%d,%d,%d,%d,%d\n", name, paper[w], c[i],
                share(of(name, c[i], "L1 load hits"), of(name, c[i], "L1 loads")),
                share(of(name, c[i], "expired loads"), of(name, c[i], "L1 loads")), of(name, c[i], "fills not kept"),
                of(name, c[i], "leases stored"), of(name, c[i], "MSHR entry fails"), of(name, c[i], "private writes"),
                of(name, c[i], "writes with GWCT"), of(name, c[i], "write stalls") >file
        }
}

BEGIN { classes = split("REQ LD ST ATO INV RCL", class, " ") }
FILENAME == ARGV[1] {
    if ($0 ~ /^#/) next
    workload[++workloads] = $1
    sub(",.*", "", workload[workloads])
    paper[workloads] = $2
    next
}
FNR == 1 { titles = split($0, title, ","); next }
{
    split($0, field, ",")
    if (field[1] == workload[1]) configuration[++configurations] = field[4]
    for (k = 5; k <= titles; k++) counter[field[1], field[4], title[k]] = field[k]
}
END {
    if (failed) exit 1
    write_speeds("figure-7b", "NO-L1 NO-COH IDEAL-COH TCW TCW-FIXED TCS", "NO-COH")
    write_traffic("NO-COH IDEAL-COH TCW TCW-FIXED TCS")
    write_means()
    write_speeds("figure-11", "TCW-0 TCW-100 TCW-200 TCW-400 TCW-800 TCW-1600 TCW-3200 TCW-6400 TCW NO-L1", "NO-COH")
    write_speeds("figure-11-no-l1", "TCW-0 TCW-100 TCW-200 TCW-400 TCW-800 TCW-1600 TCW-3200 TCW-6400 TCW NO-COH", "NO-L1")
    write_speeds("strong", "TCS-0 TCS-100 TCS-200 TCS-400 TCS-800 TCS-1600 TCS-3200 TCS-6400", "NO-COH")
    write_lifetimes()
    write_causes()
}
