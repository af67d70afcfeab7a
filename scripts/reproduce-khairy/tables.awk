# Prints the tables of docs/reproduction/khairy.md from the data of reproduce-khairy.sh and the thresholds of thresholds.awk.
# Usage: page.sh docs/reproduction/khairy PAGE thresholds.awk tables.awk

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
    print "| workload | no L1 | bounded | unbounded L1 | unbounded L1 and L2 | loads that miss, bounded |" \
        " unbounded L1 | L2 loads that miss | DRAM in use |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        printf "| %s | %.2f | 1 | %.2f | %.2f | %s | %s | %s | %s |\n", f[1], f[3], f[4], f[5],
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
            printf "| %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", f[1], f[17], f[19], f[20],
                f[21], f[4], f[22], f[23], f[24]
    }
}

function table_short_rows(    i, f, name, cycles) {
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
    else fail("no table " name)
}
