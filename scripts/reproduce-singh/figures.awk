# Writes the figures of [singh, 8] from the runs, a row for each workload and one for their mean: FOLDER/figure-7a.csv, figure-7b.csv
# (speed), figure-8a.csv, figure-8b.csv (traffic by class), figure-9.csv, figure-10.csv, figure-11a.csv, figure-11b.csv (speed by
# lifetime), figure-12.csv, strong.csv (of TC-Strong), lifetimes.csv, causes.csv; with experiments tries.csv. a: programs with communication among workgroups
# (set inter), over NO-L1; b: without (intra), over NO-COH, as in the paper. Configurations without runs are left out.
# Speeds are cycles of the base over those of the run, their mean is harmonic, as in the paper; shares' means are arithmetic.
# Usage: awk -f figures.awk -v folder=FOLDER workloads.txt runs.csv [experiments.txt changed-runs.csv]

function fail(message) { print "figures.awk: " message >"/dev/stderr"; failed = 1; exit 1 }
function of(w, c, column) {
    if (!((w, c, column) in counter)) fail("no " column " of " w ", " c)
    return counter[w, c, column]
}
function base_of(w) { return set_of[w] == "inter" ? "NO-L1" : "NO-COH" }
function speed(w, c, base) { return of(w, base, "cycles") / of(w, c, "cycles") }
function traffic(w, c,    i, sum) {
    for (i = 1; i <= classes; i++) sum += of(w, c, class[i])
    return sum
}
function share(a, b) { return b == 0 ? 0 : a / b }
function mean_lifetime(w, c) { return share(of(w, c, "lease cycles"), of(w, c, "leases")) }
function is_in(w, set) { return set == "all" || set_of[w] == set }
# True if all programs of the set have a run of the configuration.
function has(c, set,    w) {
    for (w = 1; w <= workloads; w++) if (is_in(workload[w], set) && !((workload[w], c, "cycles") in counter)) return 0
    return 1
}
# Returns those of a list that have runs of the set's programs.
function known(list, set,    c, i, n, text) {
    n = split(list, c, " ")
    for (i = 1; i <= n; i++) if (has(c[i], set)) text = text " " c[i]
    return text
}

# Returns the harmonic mean of the speeds of a configuration over each program's base.
function mean_speed(c, set,    w, n, sum) {
    for (w = 1; w <= workloads; w++) if (is_in(workload[w], set)) { n++; sum += 1 / speed(workload[w], c, base_of(workload[w])) }
    return n / sum
}
# Returns the arithmetic mean of a counter of a configuration over each program's base; "traffic": of all bytes; "flits": of all flits.
function mean_of(c, set, column,    w, n, sum, name) {
    for (w = 1; w <= workloads; w++) {
        name = workload[w]
        if (!is_in(name, set)) continue
        n++
        sum += column == "traffic" ? traffic(name, c) / traffic(name, base_of(name)) : \
            column == "flits" ? flits(name, c) / flits(name, base_of(name)) : of(name, c, column) / of(name, base_of(name), column)
    }
    return sum / n
}

function write_speeds(name, list, set,    file, n, c, i, w, row) {
    file = folder "/" name ".csv"
    n = split(known(list, set), c, " ")
    row = "workload,paper name"
    for (i = 1; i <= n; i++) row = row "," c[i]
    print row >file
    for (w = 1; w <= workloads; w++) {
        if (!is_in(workload[w], set)) continue
        row = workload[w] "," paper[w]
        for (i = 1; i <= n; i++) row = row sprintf(",%.4f", speed(workload[w], c[i], base_of(workload[w])))
        print row >file
    }
    row = "mean,HM"
    for (i = 1; i <= n; i++) row = row sprintf(",%.4f", mean_speed(c[i], set))
    print row >file
}

# Traffic by class over all of the base's.
function write_traffic(name, list, set,    file, n, c, i, k, w, v, sum, row, members, at) {
    file = folder "/" name ".csv"
    n = split(known(list, set), c, " ")
    row = "workload,paper name,configuration"
    for (k = 1; k <= classes; k++) row = row "," class[k]
    print row ",all" >file
    for (w = 1; w <= workloads + 1; w++) {
        at = workload[w]
        if (w <= workloads && !is_in(at, set)) continue
        members += w <= workloads
        for (i = 1; i <= n; i++) {
            row = (w > workloads ? "mean,AVG," : at "," paper[w] ",") c[i]
            for (k = 1; k <= classes; k++) {
                v = w > workloads ? sum[i, k] / members : of(at, c[i], class[k]) / traffic(at, base_of(at))
                sum[i, k] += v
                row = row sprintf(",%.4f", v)
            }
            v = w > workloads ? mean_of(c[i], set, "traffic") : traffic(at, c[i]) / traffic(at, base_of(at))
            print row sprintf(",%.4f", v) >file
        }
    }
}

# Mean speed and traffic over the base, and over TCS, of each configuration that all programs of a set have run.
function write_means(    file, i, k, c, n, set) {
    file = folder "/figure-10.csv"
    print "configuration,programs,speed over base,traffic over base,speed over TCS,traffic over TCS,flits over base" >file
    n = split("all inter intra", set, " ")
    for (k = 1; k <= n; k++)
        for (i = 1; i <= configurations; i++) {
            c = configuration[i]
            if (!has(c, set[k])) continue
            printf "%s,%s,%.4f,%.4f,%.4f,%.4f,%.4f\n", c, set[k], mean_speed(c, set[k]), mean_of(c, set[k], "traffic"),
                mean_speed(c, set[k]) / mean_speed("TCS", set[k]),
                mean_of(c, set[k], "traffic") / mean_of("TCS", set[k], "traffic"), mean_of(c, set[k], "flits") >file
        }
}

# Returns the lifetime of the fastest fixed one of a workload, or in the mean of all, under tcw or tcs; the shorter of equals.
function best_lifetime(w, protocol,    i, c, s, best, at) {
    for (i = 1; i <= configurations; i++) {
        c = configuration[i]
        if (c !~ "^" protocol "-[0-9]+$") continue
        s = w == "" ? mean_speed(c, "all") : speed(w, c, base_of(w))
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
        printf "%s,%s,%.0f,%.4f,%d,%.4f,%d,%.4f\n", name, paper[w], mean_lifetime(name, "TCW"), speed(name, "TCW", base_of(name)),
            best_lifetime(name, "TCW"), speed(name, "TCW-" best_lifetime(name, "TCW"), base_of(name)),
            best_lifetime(name, "TCS"), speed(name, "TCS-" best_lifetime(name, "TCS"), base_of(name)) >file
    }
    printf "mean,HM,-,%.4f,%d,%.4f,%d,%.4f\n", mean_speed("TCW", "all"), best_lifetime("", "TCW"),
        mean_speed("TCW-" best_lifetime("", "TCW"), "all"), best_lifetime("", "TCS"),
        mean_speed("TCS-" best_lifetime("", "TCS"), "all") >file
}

# Directories of GPU-VIni beside TCW: means over the base, and the traffic of RG by class over NO-COH's.
function write_directories(    file, n, c, i, k, w, name, row) {
    file = folder "/figure-12.csv"
    row = "configuration,inter: speed,inter: traffic,intra: speed,intra: traffic"
    for (k = 1; k <= classes; k++) row = row ",RG: " class[k]
    print row >file
    for (w = 1; w <= workloads; w++) if (paper[w] == "RG") name = workload[w]
    n = split(known("GPU-VIni VIni-4x-8w VIni-8x-16w VIni-16x-32w TCW", "all"), c, " ")
    for (i = 1; name != "" && i <= n; i++) {
        row = c[i] sprintf(",%.4f,%.4f,%.4f,%.4f", mean_speed(c[i], "inter"), mean_of(c[i], "inter", "traffic"),
            mean_speed(c[i], "intra"), mean_of(c[i], "intra", "traffic"))
        for (k = 1; k <= classes; k++) row = row sprintf(",%.4f", of(name, c[i], class[k]) / traffic(name, base_of(name)))
        print row >file
    }
}

# Energy of the interconnect [pJ]: of routers, of wires, and of the buffers of virtual channels, which leak all the time. A flit of 256 bits
# passes one router: 550 mW at 5 ports of 128 bits and 2 GHz, 0.43 pJ a bit [Salihundam et al., A 2 Tb/s 6x4 mesh network for a
# single-chip cloud computer, JSSC 46(4), 2011; abstract]; and 10 mm (noc.length) of wire of 0.144 pJ a byte and mm [anssari, Table 4.3].
# Buffers: 170.38 mW of 16 * 64 KB [anssari, Table 4.3: 16 L1s], 20.3 nW a bit, of 8 flits a channel [singh, Table 4], at the ports of 16
# SMs and of 8 banks.
function flits(w, c) { return of(w, c, "request flits") + of(w, c, "reply flits") }
function channels(c) {
    return c ~ /MESI/ ? 4 * 16 + 2 * 8 : c ~ /VI/ ? 2 * 16 + 2 * 8 : 16 + 8
}
function routers(w, c) { return flits(w, c) * 256 * 0.55 / 1.28 }
function wires(w, c) { return traffic(w, c) * 0.144 * 10 }
function buffers(w, c) { return channels(c) * 8 * 256 * 20.3e-9 * of(w, c, "cycles") / 1400e6 * 1e12 }
function energy(w, c) { return routers(w, c) + wires(w, c) + buffers(w, c) }

# MESI-lines: MESI, had each write-back and each answer of an owner, to recalls and of clean lines too, carried its whole line: flits, bytes and
# energy of MESI's runs with these data added, times as they are.
function add_whole_lines(    w, k, name, answers, sectors) {
    for (w = 1; w <= workloads; w++) {
        name = workload[w]
        if (!((name, "MESI", "cycles") in counter)) return
        for (k = 5; k <= titles; k++) counter[name, "MESI-lines", title[k]] = counter[name, "MESI", title[k]]
        answers = of(name, "MESI", "write-backs") + of(name, "MESI", "forwards") + of(name, "MESI", "owner recalls")
        sectors = 4 * answers - of(name, "MESI", "L1 sectors written back")
        counter[name, "MESI-lines", "request flits"] += sectors
        counter[name, "MESI-lines", "ST"] += 32 * sectors
    }
    configuration[++configurations] = "MESI-lines"
}

# Means of the interconnect's power and energy over the base, and the components' shares of the base's energy.
function write_energy(    file, i, k, c, w, n, set, members, sum) {
    file = folder "/figure-9.csv"
    print "configuration,programs,power,energy,routers,wires,buffers" >file
    n = split("all inter intra", set, " ")
    for (k = 1; k <= n; k++)
        for (i = 1; i <= configurations; i++) {
            c = configuration[i]
            if (!has(c, set[k]) || c ~ /-[0-9]/) continue
            members = 0
            split("", sum)
            for (w = 1; w <= workloads; w++) {
                if (!is_in(workload[w], set[k])) continue
                members++
                base = energy(workload[w], base_of(workload[w]))
                sum["power"] += energy(workload[w], c) / base * speed(workload[w], c, base_of(workload[w]))
                sum["routers"] += routers(workload[w], c) / base
                sum["wires"] += wires(workload[w], c) / base
                sum["buffers"] += buffers(workload[w], c) / base
            }
            printf "%s,%s,%.4f,%.4f,%.4f,%.4f,%.4f\n", c, set[k], sum["power"] / members,
                (sum["routers"] + sum["wires"] + sum["buffers"]) / members, sum["routers"] / members, sum["wires"] / members,
                sum["buffers"] / members >file
        }
}

# What makes the differences: hits, loads of lines whose lease was past, writes that stalled in the L2 or found other leases, polls.
function write_causes(    file, w, i, n, name, c) {
    file = folder "/causes.csv"
    n = split("NO-L1 NO-COH IDEAL-COH MESI GPU-VI GPU-VIni TCW TCW-FIXED TCS", c, " ")
    print "workload,paper name,configuration,warp instructions,L1 load hits,loads that expired,fills not kept,leases stored,L2 MSHR fails," \
        "private writes,writes with GWCT,write stalls,invalidations,recalls" >file
    for (w = 1; w <= workloads; w++)
        for (i = 1; i <= n; i++) {
            name = workload[w]
            if (!((name, c[i], "cycles") in counter)) continue
            printf "%s,%s,%s,%.0f,%.4f,%.4f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n", name, paper[w], c[i], of(name, c[i], "warp instructions"),
                share(of(name, c[i], "L1 load hits"), of(name, c[i], "L1 loads")),
                share(of(name, c[i], "expired loads"), of(name, c[i], "L1 loads")), of(name, c[i], "fills not kept"),
                of(name, c[i], "leases stored"), of(name, c[i], "MSHR entry fails"), of(name, c[i], "private writes"),
                of(name, c[i], "writes with GWCT"), of(name, c[i], "write stalls"), of(name, c[i], "invalidations"),
                of(name, c[i], "recalls") >file
        }
}

# Reads the members of an experiment's set: all, inter, intra, or names in the paper or of changed.txt, joined by "+"; inter/line: BH/line
# and so on.
function read_members(set,    i, n, name, suffix) {
    if (set ~ /^(all|inter|intra)[/]/) {
        suffix = substr(set, index(set, "/"))
        sub("/.*", "", set)
    }
    members = 0
    split("", member)
    if (set ~ /^(all|inter|intra)$/) {
        for (i = 1; i <= workloads; i++) if (is_in(workload[i], set)) member[++members] = suffix == "" ? workload[i] : paper[i] suffix
        return
    }
    n = split(set, name, "+")
    for (i = 1; i <= n; i++) member[++members] = name[i] in workload_of ? workload_of[name[i]] : name[i]
}
# Returns the configuration that an experiment compares a program with: own, as in the paper's figures; l1s: that with L1s.
function other_of(base, w) {
    if (base == "own") return base_of(w)
    if (base == "l1s") return set_of[w] == "inter" ? "IDEAL-COH" : "NO-COH"
    return base
}
# As mean_over; over base "directories": the largest of those over each directory protocol.
function measured(quantity, c, base,    i, n, other, ratio, most) {
    if (base != "directories") return mean_over(quantity, c, base)
    n = split("MESI GPU-VI GPU-VIni", other, " ")
    for (i = 1; i <= n; i++) {
        ratio = mean_over(quantity, c, other[i])
        if (i == 1 || ratio > most) most = ratio
    }
    return most
}
# Returns a mean of the members: harmonic of speed, arithmetic of all else and of "speed-arithmetic".
function mean_over(quantity, c, base,    i, w, b, sum) {
    for (i = 1; i <= members; i++) {
        w = member[i]
        b = other_of(base, w)
        if (quantity == "speed") sum += 1 / speed(w, c, b)
        else if (quantity == "speed-arithmetic") sum += speed(w, c, b)
        else if (quantity == "bytes") sum += traffic(w, c) / traffic(w, b)
        else if (quantity == "flits") sum += flits(w, c) / flits(w, b)
        else if (quantity == "loads") sum += of(w, c, "L2 loads") / of(w, b, "L2 loads")
        else fail("no quantity " quantity)
    }
    return quantity == "speed" ? members / sum : sum / members
}
# Returns the fastest fixed lifetime of a protocol for the members.
function fastest(protocol,    i, s, best, at) {
    for (i = 1; i <= configurations; i++) {
        if (configuration[i] !~ "^" protocol "-[0-9]+$") continue
        s = measured("speed", configuration[i], "own")
        if (best == "" || s > best) { best = s; at = configuration[i] }
    }
    sub(".*-", "", at)
    return at
}
function write_tries(    file, i, f) {
    file = folder "/tries.csv"
    print "name,change,ours" >file
    for (i = 1; i <= experiments; i++) {
        split(experiment[i], f, ";")
        read_members(f[3])
        print f[1] "," f[6] "," (f[2] == "best" ? fastest(f[4]) : sprintf("%.4f", measured(f[2], f[4], f[5]))) >file
    }
}

BEGIN { classes = split("REQ LD ST ATO INV RCL", class, " ") }
FILENAME == ARGV[1] {
    if ($0 ~ /^#/) next
    workload[++workloads] = $1
    sub(",.*", "", workload[workloads])
    paper[workloads] = $2
    set_of[workload[workloads]] = $3
    workload_of[$2] = workload[workloads]
    next
}
FILENAME ~ /experiments.txt$/ {
    if ($0 !~ /^#/) experiment[++experiments] = $0
    next
}
FNR == 1 { titles = split($0, title, ","); next }
{
    split($0, field, ",")
    if (index(field[4], ":")) { # of changed.txt: program and configuration
        split(field[4], name, ":")
        for (k = 5; k <= titles; k++) counter[name[1], name[2], title[k]] = field[k]
        next
    }
    if (!(field[4] in seen)) configuration[++configurations] = field[4]
    seen[field[4]] = 1
    for (k = 5; k <= titles; k++) counter[field[1], field[4], title[k]] = field[k]
}
END {
    if (failed) exit 1
    add_whole_lines()
    protocols = "IDEAL-COH MESI GPU-VI GPU-VIni TCW TCW-FIXED TCS"
    lifetimes = " TCW-0 TCW-100 TCW-200 TCW-400 TCW-800 TCW-1600 TCW-3200 TCW-6400 TCW "
    write_speeds("figure-7a", "NO-L1 " protocols, "inter")
    write_speeds("figure-7b", "NO-L1 NO-COH " protocols, "intra")
    write_traffic("figure-8a", "NO-L1 " protocols, "inter")
    write_traffic("figure-8b", "NO-COH " protocols, "intra")
    write_energy()
    write_means()
    write_speeds("figure-11a", lifetimes "NO-L1", "inter")
    write_speeds("figure-11b", lifetimes "NO-L1", "intra")
    strong = lifetimes
    gsub("TCW ", "", strong)
    gsub("TCW", "TCS", strong)
    write_speeds("strong", strong, "all")
    write_directories()
    write_lifetimes()
    write_causes()
    if (experiments) write_tries()
}
