#!/usr/bin/env bash
# Refuses a user's RTL that cannot be built, in one line, before any tool reads it.
# Usage: check-dut.sh PROGRAM BLOCK MODULE FILE...; PROGRAM begins the line. Exit status 0 or 2.
set -euo pipefail
program=$1 block=$2 module=$3
shift 3

refuse() {
    echo "$program: $*" >&2
    exit 2
}

for file in "$@"; do
    case ${file,,} in
    *.vhd | *.vhdl) refuse "$file: VHDL; Verilator reads SystemVerilog only (docs/bring-your-rtl.md says how to convert it)" ;;
    esac
    [ -e "$file" ] || refuse "$file: no such file"
    if [ ! -f "$file" ] || [ ! -r "$file" ]; then refuse "$file: not a file that can be read"; fi
done

# Modules of the files, comments left out.
modules=$(cat "$@" | sed 's://.*::' | tr '\n' ' ' | sed 's:/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/: :g' |
    grep -oE '(^|[^A-Za-z0-9_$])module +((automatic|static) +)?[A-Za-z_][A-Za-z0-9_$]*' | awk '{ print $NF }' || true)
[ -n "$modules" ] || refuse "$*: no module in it"
if ! grep -qxF "$module" <<<"$modules"; then
    there=$(paste -sd' ' <<<"$modules")
    hint=""
    case $program in
    "make testbench" | goldmem) ;; # they know no TOP
    *) [ "$module" != "$block" ] || hint=": TOP=${there%% *}?" ;;
    esac
    refuse "$*: has no module $module; it has ${there// /, }$hint"
fi
