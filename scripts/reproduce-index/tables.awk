# Prints the tables of docs/reproduction/set-index.md from the data of reproduce-index.sh.
# Usage: page.sh docs/reproduction/set-index PAGE tables.awk

function table_spread(    i, f) {
    read_csv("spread")
    print "| workload | function | lines of an instruction | sets they meet | lines in the fullest set |"
    print "| --- | --- | --- | --- | --- |"
    for (i = 1; i <= rows; i++) {
        split(row[i], f, ",")
        printf "| %s | %s | %.0f | %.2f | %.2f |\n", f[1], f[2], f[3], f[4], f[5]
    }
}

# The last row of figure-12.csv holds means.
function table_speed(    i, f) {
    read_csv("figure-12")
    print "| workload | PRIC | 16-way | 32-way | 64-way | full | PRIC, 64 merges |"
    print "| --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i < rows; i++) {
        split(row[i], f, ",")
        printf "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |\n", f[1], f[2], f[3], f[4], f[5], f[6], f[7]
    }
}

function table_means(    f) {
    read_csv("figure-12")
    split(row[rows], f, ",")
    print "| PRIC against | 16-way | 32-way | 64-way | full |\n| --- | --- | --- | --- | --- |"
    print "| paper | 1.60 | 1.40 | 1.16 | 0.97 |"
    printf "| here | %.2f | %.2f | %.2f | %.2f |\n", f[3], f[4], f[5], f[6]
}

function table_misses(    i, f, c) {
    read_csv("figure-12")
    print "| workload | 4-way | PRIC | 16-way | 32-way | 64-way | full |"
    print "| --- | --- | --- | --- | --- | --- | --- |"
    for (i = 1; i < rows; i++) {
        split(row[i], f, ",")
        printf "| %s", f[1]
        for (c = 8; c <= 13; c++) printf " | %s", percent(f[c])
        print " |"
    }
}

function table(name) {
    if (name == "spread") table_spread()
    else if (name == "speed") table_speed()
    else if (name == "means") table_means()
    else if (name == "misses") table_misses()
    else fail("no table " name)
}
