#!/usr/bin/env bash
# Fails unless Verilator (all warnings), Yosys and Icarus accept a module of rtl/ without a message.
# Usage: lint-rtl.sh MODULE
set -uo pipefail
module=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
check() { # NAME COMMAND...: no exit status, no output
    local name=$1
    shift
    if ! "$@" >"$log" 2>&1 || [ -s "$log" ]; then
        echo "$name: rtl/$module.sv:" >&2
        cat "$log" >&2
        exit 1
    fi
}
check Verilator verilator --lint-only -Wall -Irtl "rtl/$module.sv"
check Yosys yosys -q -p "read_verilog -sv -Irtl rtl/$module.sv; hierarchy -check -libdir rtl -top $module; proc; check -assert"
check Icarus iverilog -g2012 -Wall -Irtl -t null -y rtl -Y .sv -s "$module" "rtl/$module.sv"
