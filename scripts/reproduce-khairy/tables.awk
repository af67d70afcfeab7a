# Prints the tables of docs/reproduction/khairy.md from the data of reproduce-khairy.sh and the thresholds of thresholds.awk.
# Usage: page.sh docs/reproduction/khairy PAGE thresholds.awk tables.awk

# "-" stands for what was not run.
function factor(x) { return x == "-" ? "-" : sprintf("%.2f", x) }
function share(x) { return x == "-" ? "-" : percent(x) }

# Prints the speeds of a CSV: workload, name, class, configurations; then means.
function print_speeds(csv,    i, k, n, f, line) {
    read_csv(csv)
    n = split(row[0], f, ",")
    line = "| in the paper | class |"
    for (k = 4; k <= n; k++) line = line " " f[k] " |"
    print line
    gsub("[^|]+", " --- ", line)
    print line
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        line = "| " f[2] " | " f[3] " |"
        for (k = 4; k <= n; k++) line = line " " factor(f[k]) " |"
        print line
    }
}

function table_misses(    i, f) {
    read_csv("figure-10")
    split(row[0], f, ",")
    print "| in the paper | class | bounded | " f[5] " | unbounded | cut by " f[5] " |\n| --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        printf "| %s | %s | %s | %s | %s | %s |\n", f[2], f[3], share(f[4]), share(f[5]), share(f[6]), share(f[7])
    }
}

function table_fails(    i, f) {
    read_csv("figure-11")
    split(row[0], f, ",")
    print "| in the paper | class | bounded | " f[5] " | cut by " f[5] " |\n| --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        printf "| %s | %s | %s | %s | %s |\n", f[2], f[3], f[4] == "-" ? "-" : sprintf("%.0f", f[4]),
            f[5] == "-" ? "-" : sprintf("%.0f", f[5]), share(f[6])
    }
}

# Limits of one kernel or of several.
function limits_of(x) { return x == "-" || x ~ "/" ? x : x + 0 }

function table_limits(    i, k, n, f, line) {
    read_csv("limits")
    n = split(row[0], f, ",")
    line = "| in the paper | fastest static limit | chosen by DWT-CS | and without PRIC |"
    for (k = 6; k <= n; k++) line = line " " f[k] " |"
    print line
    gsub("[^|]+", " --- ", line)
    print line
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        line = "| " f[2] " | " f[3] " | " limits_of(f[4]) " | " limits_of(f[5]) " |"
        for (k = 6; k <= n; k++) line = line " " factor(f[k]) " |"
        print line
    }
}

# One line for each workload: shares of accesses in an unbounded cache, and of those that the bounded one hits.
function table_locality(    i, k, n, f, t, line, level, accesses) {
    read_csv("locality")
    n = split(row[0], t, ",")
    print "| workload | L1: intra-warp | intra-block | intra-core | inter-kernel | L2: intra-warp | intra-block |" \
        " intra-core | inter-core | inter-kernel |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        line = "| " f[1] " |"
        for (k = 7; k <= n; k++) {
            if (t[k] !~ / unbounded /) continue
            accesses = t[k] ~ /^L1/ ? f[5] : f[6]
            level = t[k] ~ /^L1/ ? 4 : 5 # classes of the level: the bounded one stands so many columns on
            line = line sprintf(" %s, %s |", percent(accesses == 0 ? 0 : f[k] / accesses), percent(accesses == 0 ? 0 : f[k + level] / accesses))
        }
        print line
    }
}

function number(x) { return x == "-" || x ~ "/" ? x : x + 0 == int(x) ? x + 0 : sprintf("%.2f", x) }
function table_claims(    i, f, met, ran) {
    read_csv("claims")
    print "| section | figure | what | paper | ours | |\n| --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        printf "| %s | %s | %s | %s | %s | %s |\n", f[1], f[2], f[3], f[4], number(f[6]),
            f[7] == "yes" ? "met" : f[7] == "no" ? "**not met**" : f[7]
        met += f[7] == "yes"
        ran += f[7] != "not run"
    }
    printf "\n%d of %d are met; %d of the paper's numbers are not run.\n", met, ran, rows - ran
}

function table_experiments(    i, f) {
    if (!has_rows("experiments")) { print "Their workloads are not run."; return }
    read_csv("experiments")
    print "| figure | what | paper | ours | changed | then | |\n| --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        printf "| %s | %s | %s | %s | %s | %s | %s |\n", f[1], f[2], f[4], number(f[6]), f[3], number(f[7]),
            f[9] == "yes" ? "met" : f[9] == "no" ? "not met" : f[9]
    }
}

function table_sizes(    i, f, size) {
    read_csv("runs")
    print "| workload | sizes | cycles | L1 accesses of loads |\n| --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        if (f[3] != "gtx480" || f[4] != "bounded") continue
        size = f[2] == "" ? "defaults" : "`" f[2] "`"
        gsub(" ", ", ", size)
        printf "| %s | %s | %d | %d |\n", f[1], size, f[5], f[7]
    }
}

function table_speed(    i, f) {
    read_csv("classes")
    print "| workload | no caches | no L1 | bounded | unbounded L1 | unbounded L1 and L2 | loads that miss, bounded |" \
        " unbounded L1 | L2 loads that miss | DRAM in use |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        printf "| %s | %s | %.2f | 1 | %.2f | %.2f | %s | %s | %s | %s |\n", f[1], factor(f[25]), f[3], f[4], f[5],
            percent(f[6]), percent(f[7]), percent(f[8]), percent(f[9])
    }
}

function table_contention(    i, f) {
    read_csv("classes")
    print "| workload | line allocation | MSHR entry | MSHR merge | miss queue | misses per 1000 cycles |" \
        " MPKI |\n| --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        printf "| %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.1f |\n", f[1], f[10], f[11], f[12], f[13],
            f[14], f[15]
    }
}

function table_classes(    i, f, named, agree) {
    read_csv("classes")
    print "| workload | in the paper | its class | our class | |\n| --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        printf "| %s | %s | %s | %s | %s |\n", f[1], f[2], f[17], f[16], mark(f[18])
        named += f[17] != "-"
        agree += f[18] == "yes"
    }
    printf "\n%d of %d agree with the paper.\n", agree, named
}

function or_none(x) { return x == "" ? "none" : sprintf("%.2f", x) }

# Distance of the thresholds of classes.awk from the values that they divide, over the paper's workloads.
function table_margins(    i, f, gain, contends, above, below) {
    read_csv("classes")
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        if (f[17] == "-") continue
        contends = f[16] ~ /conflict|thrashing|contention/
        if (f[3] >= no_benefit && f[7] >= streams) above["misses"] = low(above["misses"], f[7] + 0)
        else if (f[3] >= no_benefit) below["misses"] = high(below["misses"], f[7] + 0)
        if (f[7] >= streams && f[3] >= no_benefit) above["none"] = low(above["none"], f[3] + 0)
        else if (f[7] >= streams) below["none"] = high(below["none"], f[3] + 0)
        gain = f[4] / (f[3] > 1 ? f[3] : 1)
        if (contends) above["gain"] = low(above["gain"], gain)
        if (f[16] == "friendly") below["near"] = high(below["near"], f[4] + 0)
        else if (f[3] < 1 / gains) above["near"] = low(above["near"], f[4] + 0)
        if (!contends) continue
        if (f[16] ~ /thrashing/) above["mpki"] = low(above["mpki"], f[15] + 0)
        else below["mpki"] = high(below["mpki"], f[15] + 0)
        if (f[16] ~ /conflict/) above["line"] = low(above["line"], f[10] / (f[11] + 0.1))
        else below["line"] = high(below["line"], f[10] / (f[11] + 0.1))
    }
    print "| quantity | threshold | nearest above | nearest below |\n| --- | --- | --- | --- |"
    printf "| loads that miss an unbounded L1 | %s | %s | %s |\n", percent(streams), 
        percent(above["misses"]), percent(below["misses"])
    printf "| misses those: speed without L1 | %.2f | %s | %s |\n", no_benefit, or_none(above["none"]), or_none(below["none"])
    printf "| faster with than without L1: unbounded against bounded | %.1f | %s | %s |\n", near,
        or_none(above["near"]), or_none(below["near"])
    printf "| contention: unbounded L1 against the better of bounded and none | %.2f | %.2f | |\n",
        gains, above["gain"]
    printf "| contention: line allocation fails to MSHR entry fails | 1 | %.2f | %.2f |\n",
        above["line"], below["line"]
    printf "| contention: MPKI | %d | %.1f | %.1f |\n", thrashes, above["mpki"], below["mpki"]
}

function table_remedies(    i, f) {
    read_csv("classes")
    print "| workload | its class | 16 KB, fully associative | 64 KB, 4 ways | 64 KB, fully associative |" \
        " unbounded | PRIC | 64 merges | PRIC, 64 merges |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        if (f[17] ~ /conflict|thrashing/)
            printf "| %s | %s | %s | %s | %s | %.2f | %s | %s | %s |\n", f[1], f[17], factor(f[19]), factor(f[20]),
                factor(f[21]), f[4], factor(f[22]), factor(f[23]), factor(f[24])
    }
}

# Returns whether FOLDER/NAME.csv has more than its header.
function has_rows(name,    file, text, n) {
    file = folder "/" name ".csv"
    while ((getline text <file) > 0) n++
    close(file)
    return n > 1
}

function table_short_rows(    i, f, name, cycles) {
    if (!has_rows("short-rows")) { print "MM is not among the workloads."; return }
    read_csv("short-rows")
    print "| MM, n=256 | cycles | speed | loads that miss | MSHR merge fails |\n| --- | --- | --- | --- | --- |"
    name["bounded"] = "sequential index, 8 merges"; name["merges"] = "sequential index, 64 merges"
    name["PRIC"] = "PRIC, 8 merges"; name["PRIC-merges"] = "PRIC, 64 merges"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        if (f[4] == "bounded") cycles = f[5]
        printf "| %s | %d | %.2f | %s | %d |\n", name[f[4]], f[5], cycles / f[5], percent(f[8] / f[7]), f[12]
    }
}

function table(name) {
    if (name == "sizes") table_sizes()
    else if (name == "speed") table_speed()
    else if (name == "contention") table_contention()
    else if (name == "classes") table_classes()
    else if (name == "margins") table_margins()
    else if (name == "remedies") table_remedies()
    else if (name == "short-rows") table_short_rows()
    else if (name == "techniques") print_speeds("figure-8")
    else if (name == "rivals") print_speeds("figure-9")
    else if (name == "misses") table_misses()
    else if (name == "fails") table_fails()
    else if (name == "limits") table_limits()
    else if (name == "locality") table_locality()
    else if (name == "claims") table_claims()
    else if (name == "experiments") table_experiments()
    else fail("no table " name)
}
