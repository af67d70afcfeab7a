# Tables of a reproduction's page from its CSVs, for tables.awk of [anssari] and [tabbakh], which have titled(TEXT): a column's title in words.
# Usage: page.sh FOLDER PAGE csv-tables.awk TABLES

# Reads a CSV once: value[CSV, line, k] by row and column numbers, with the row of titles as line 0.
function load(csv,    i, k, n, f) {
    if (csv in length_of) return
    read_csv(csv)
    columns_of[csv] = split(row[0], f, ",")
    for (i = 0; i <= rows; i++) {
        n = split(row[i], f, ",")
        for (k = 1; k <= n; k++) value[csv, i, k] = f[k]
    }
    length_of[csv] = rows
}
function header(titles,    line) {
    line = titles
    print line
    gsub("[^|]+", " --- ", line)
    print line
}
# Returns the number of a line in the column of that title.
function number(csv, i, title,    k) {
    for (k = 1; k <= columns_of[csv]; k++) if (value[csv, 0, k] == title) return value[csv, i, k]
    fail("no " title " in " csv ".csv")
}
# Prints a CSV as a table, numbers with two digits behind the point, or as percentages.
function table_csv(csv, shares,    i, k, line, v) {
    load(csv)
    line = "|"
    for (k = 1; k <= columns_of[csv]; k++) line = line " " titled(value[csv, 0, k]) " |"
    header(line)
    for (i = 1; i <= length_of[csv]; i++) {
        line = "|"
        for (k = 1; k <= columns_of[csv]; k++) {
            v = value[csv, i, k]
            line = line " " (v !~ /^[0-9]+[.][0-9]+$/ ? v : shares ? percent(v) : sprintf("%.2f", v)) " |"
        }
        print line
    }
}
# Returns the sizes of a run of runs.csv as the page has them.
function sizes_of(i,    size) {
    size = value["runs", i, 2]
    gsub(" ", ", ", size)
    return size == "" ? "defaults" : "`" size "`"
}
