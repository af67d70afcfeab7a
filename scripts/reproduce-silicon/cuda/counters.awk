# Prints a row of counters for each launch: its name, then the columns of metrics.txt; empty where the GPU lacks a metric.
# Usage: awk -f counters.awk metrics.txt NAMES NCU.csv; NAMES: lines launch;NAME in order; NCU.csv: ncu --csv --page raw
BEGIN { OFS = ";" }
FILENAME ~ /metrics.txt$/ {
    if (!/^#/) { column[++columns] = $1; metric[columns] = $2 }
    next
}
FILENAME ~ /\.txt$/ {
    if (split($0, part, ";") == 2 && part[1] == "launch") name[++names] = part[2]
    next
}
!/^"/ { next } # ncu's own lines
{
    count = split(substr($0, 2, length($0) - 2), cell, "\",\"")
    if (!headed++) {
        for (i = 1; i <= count; i++) place[cell[i]] = i
        line = "# name"
        for (c = 1; c <= columns; c++) line = line OFS column[c]
        print line
    } else if (cell[1] ~ /^[0-9]+$/) { # not the row of units
        line = name[++launch]
        for (c = 1; c <= columns; c++) {
            value = metric[c] in place ? cell[place[metric[c]]] : ""
            gsub(",", "", value)
            line = line OFS value
        }
        print line
    }
}
END { if (launch != names) { print launch + 0 " launches counted of " names >"/dev/stderr"; exit 1 } }
