#!/usr/bin/env bash
# Runs Verilator on a generated top. Fails at errors, and at warnings outside a user's own files; says
# first in one line what is wrong, then prints what Verilator printed, which LOG keeps.
# Usage: verilate.sh LOG MODULE PORT_LIST VERILATOR_ARGUMENT...
set -uo pipefail
log=$1 module=$2 ports=$3
shift 3
verilator -Wno-fatal "$@" >"$log" 2>&1
status=$?
# Of all messages, the one that explains the others: a syntax error, then a port or parameter, then the rest.
awk -v module="$module" -v ports="$ports" -v failed="$status" '
    # Keeps the first message of the most telling kind.
    function keep(kind, text) { if (best == 0 || kind < best) { best = kind; line = text } }
    # The text in single quotes of a message.
    function quoted(  part) { split($0, part, "\047"); return part[2] }
    # "FILE:LINE: text" of a message, without its column.
    function plain(  text) {
        text = $0
        sub(/^%(Error|Warning)[^:]*: /, "", text)
        if (match(text, /^[^ :]+:[0-9]+:[0-9]+: /)) sub(/:[0-9]+: /, ": ", text)
        return text
    }
    !/^%(Error|Warning)/ || /^%Error: (Exiting|Command Failed)/ { next }
    { ours = $2 ~ /^(build\/cosim|rtl|tb|cosim|tests)\// }
    /^%Warning/ && !ours { next }
    /syntax error/ { keep(1, plain()); next }
    /Parameter pin not found/ {
        keep(2, module " has no parameter " quoted() " of " ports "; a module of one configuration needs FIXED=1 and SET=")
        next
    }
    /Pin not found/ { keep(3, module " has no port " quoted() " of " ports); next }
    /missing pin:/ { keep(4, module " has a port " quoted() " that " ports " does not have"); next }
    ours && /port connection .* expects [0-9]+ bits/ {
        match($0, /expects [0-9]+ bits/); has = substr($0, RSTART + 8, RLENGTH - 13)
        match($0, /generates [0-9]+ bits/); wants = substr($0, RSTART + 10, RLENGTH - 15)
        keep(5, "port " quoted() " of " module " has " has " bits; with these parameters " ports " says " wants)
        next
    }
    { keep(6, plain()) }
    END {
        if (best == 0 && failed != 0) line = "Verilator failed"
        if (best == 0 && failed == 0) exit 0
        print "goldmem-cosim: " line (best > 1 && best < 6 ? "; see docs/bring-your-rtl.md" : "")
        exit 2
    }' "$log" >&2
refused=$?
if [ "$refused" -ne 0 ]; then
    echo "goldmem-cosim: what Verilator says:" >&2
    cat "$log" >&2
elif [ -s "$log" ]; then
    echo "goldmem-cosim: Verilator warns $(grep -c '^%Warning' "$log") times of files of yours: $log" >&2
fi
exit "$refused"
