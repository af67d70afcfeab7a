# Fills in the tables of a page: prints it with the text between `<!-- table NAME ... -->` and `<!-- end -->`
# made anew from the data in FOLDER, by the function table(NAME) of another file, which calls fail() for an
# unknown name. Usage: awk -f page.awk -f TABLES... -v folder=FOLDER PAGE

function percent(share) { return sprintf("%.1f%%", 100 * share) }
function mark(agrees) { return agrees == "yes" ? "agrees" : agrees == "no" ? "**differs**" : "" }
function low(a, b) { return a == "" || b < a ? b : a }
function high(a, b) { return a == "" || b > a ? b : a }
function fail(message) { print "page.awk: " message >"/dev/stderr"; exit failed = 1 }

# Reads FOLDER/NAME.csv into row[1..rows] and its header into row[0].
function read_csv(name,    file, text) {
    file = folder "/" name ".csv"
    rows = -1
    while ((getline text <file) > 0) row[++rows] = text
    close(file)
    if (rows < 1) fail("no rows in " file)
}

/^<!-- end -->$/ { skipping = 0 }
!skipping { print }
/^<!-- table / {
    skipping = 1
    name = $3
    sub(":", "", name)
    table(name)
}
END { exit failed }
