# Makes a man page of what --help of the command or of a subcommand prints. Indented lines that are no options stay as they are, which
# help2man does not do.
# Usage: awk -v page=goldmem-run -v version=0.1.0 -v date=2026-11-27 -v name='one line' -v also='goldmem-run goldmem-sweep' -f man-page.awk
function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    if (text ~ /^[.']/) text = "\\&" text
    return text
}
function section(title) {
    close_block()
    print ".SH " title
}
function close_block() {
    if (verbatim) print ".fi\n.RE"
    verbatim = 0
}
# A line of text: in a paragraph, or as it is if indented or if it is in a table.
function text(line) {
    if (line ~ /^ /) {
        if (!verbatim) print ".RS 2\n.nf"
        verbatim = 1
        print roff(substr(line, 3))
    } else {
        close_block()
        print line == "" ? ".PP" : roff(line)
    }
}
NR == 1 {
    print ".TH " toupper(roff(page)) " 1 \"" date "\" \"goldmem " version "\" \"User commands\""
    section("NAME")
    print roff(page) " \\- " roff(name)
    section("SYNOPSIS")
}
/^Usage: |^ +or: / {
    sub(/^Usage: +|^ +or: +/, "")
    if (match($0, /^goldmem( [a-z]+)?/)) {
        print (uses++ ? ".br\n" : "") ".B " roff(substr($0, 1, RLENGTH))
        if (RLENGTH < length($0)) print roff(substr($0, RLENGTH + 2))
    }
    next
}
!described { section("DESCRIPTION"); described = 1; if ($0 == "") next }
# An option: up to two blanks or more its name, then its text, which goes on in lines of 29 blanks.
/^ +-/ && match($0, /--?[a-zA-Z]/) && RSTART <= 7 {
    if (!options++) section("OPTIONS")
    begin = match($0, /-/)
    head = substr($0, begin)
    tail = ""
    if (substr($0, 29, 2) ~ / [^ ]/) {
        tail = substr($0, 30)
        head = substr($0, begin, 29 - begin)
    } else if (match(head, /  +/)) {
        tail = substr(head, RSTART + RLENGTH)
        head = substr(head, 1, RSTART - 1)
    }
    sub(/ +$/, "", head)
    print ".TP\n.B " roff(head)
    if (tail != "") print roff(tail)
    inside = 1
    next
}
inside && substr($0, 1, 28) ~ /^ *$/ && length($0) > 28 { sub(/^ +/, ""); print roff($0); next }
inside && $0 == "" { next }
inside { inside = 0; section("NOTES") }
{ text($0) }
END {
    section("SEE ALSO")
    count = split(also, pages, " ")
    for (i = 1; i <= count; i++) print ".BR " roff(pages[i]) " (1)" (i < count ? "," : "")
}
