#!/usr/bin/env bash
# Mutates a block's RTL with Yosys, many mutants in one Verilated build, and lets the lockstep run
# find them. Sets aside a survivor that tests/mutation/BLOCK.rtl names, with the reason, or that is proven
# equivalent to the RTL, register by register (scripts/same-logic.py) or in all answers
# (scripts/same-answers.py), or that scripts/formal-BLOCK.sh, if there is one, proves by induction to answer
# as the checkers demand, for all time. Lists the other survivors.
# The mutants are shared among the instances that the block names for it (cosim.h), or are all of the block at its default
# parameters ("shipped"), where the proofs by induction are too large.
# Usage: mutation.sh BLOCK MUTANTS TRANSACTIONS [shipped]    score = caught / not equivalent
set -euo pipefail
shopt -s extglob
block=$1 mutants=$2 transactions=$3 suite=${4:-mutation}
name=$block.mutation
if [ "$suite" = shipped ]; then name=$block.shipped-mutation; fi
folder=build/cosim/$name
mkdir -p "$folder"
"build/cosim/$block.generate" "$block" "$suite" "$folder/top.sv" "$folder/lanes.c"
mapfile -t instances < <(sed -n '/lane_options/,$s/^ *"\(.*\)",$/\1/p' "$folder/lanes.c")

mutation() { sed -n "${1}p" "$folder/list.ys" | sed -E "s/-ctrl mutant_i 32 [0-9]+//"; }

# same_logic NUMBER, same_answers NUMBER: succeed if the mutant is proven equal to the RTL, register by register or in all answers
same_logic() { scripts/same-logic.py "$folder/base.il" "$block" "$(mutation "$1")" "$folder" >"$folder/log" 2>&1; }
same_answers() {
    [ "$suite" = mutation ] &&
        scripts/same-answers.py "$folder/base.il" "$block" "$(mutation "$1")" "$folder" "${parameters//-chparam /}" >"$folder/log" 2>&1
}
equivalent() { same_logic "$1" || same_answers "$1"; }

# register NUMBER: prints the register whose flip-flops the mutant is of, if it is of any
register() {
    local cell
    cell=$(mutation "$1" | grep -oP -- '-cell \K[^ ]+')
    awk -v cell="$cell" '$1 == "cell" {found = $3 == cell || $3 == "\\" cell} found && $2 == "\\Q" {$1 = $2 = ""; print; exit}' "$folder/base.il" |
        sed 's/^ */ -register /; s/\\//g'
}

# listed NUMBER: succeeds if tests/mutation/BLOCK.rtl has the mutant, as `named` names it: one of a clock with its lines,
# one of a register's flip-flops, but its input or output, with the register
# shellcheck disable=SC2016  # the $ are of Yosys's names
named() {
    local of=
    mutation "$1" | grep -qE -- '-wire ' || of=$(register "$1")
    mutation "$1" | sed -E 's/^mutate +//; s/ -module [^ ]+//g; /-port (\w+_)?CLK /!s/ -src [^ ]+//g; s/(-cell [^ ]*[^ 0-9])\$?[0-9]+ /\1 /; s/\$flatten\\//' | sed "s/\$/$of/"
}
listed() { [ -f "tests/mutation/$block.rtl" ] && grep -qF -- "$(named "$1") | " "tests/mutation/$block.rtl"; }

# unclocked NUMBER...: prints the mutants that are not of a clock; the proofs take all registers to have the same one
unclocked() {
    local each
    for each in "$@"; do mutation "$each" | grep -qE -- '-port (\w+_)?CLK ' || echo "$each"; done
}

# conform NUMBER...: prints the mutants that scripts/formal-BLOCK.sh proves, for all time, to answer as
# the checkers, or the RTL, demand: first all in one proof, less those that make it fail; then each of
# those alone and, if the script has the command `renamed`, with its rows under other names
conform() {
    local left alone=() other others how
    mapfile -t left < <(unclocked "$@")
    [ -x "scripts/formal-$block.sh" ] && [ "$suite" = mutation ] || return 0
    while [ ${#left[@]} -gt 0 ]; do
        for other in "${left[@]}"; do sed -n "${other}p" "$folder/list.ys"; done >"$folder/some.ys"
        yosys -q -p "read_rtlil $folder/base.il; script $folder/some.ys; opt_clean; write_rtlil $folder/some.il" >"$folder/log" 2>&1
        # shellcheck disable=SC2086  # the values are words
        others=$("scripts/formal-$block.sh" mutants "$folder/some.il" ${parameters//-chparam +([A-Za-z])/}) && break
        other=$(grep -m1 -xFf <(printf '%s\n' "${left[@]}") <<<"$others") || return 0
        mapfile -t left < <(printf '%s\n' "${left[@]}" | grep -vx "$other")
        alone+=("$other")
    done
    [ ${#left[@]} -eq 0 ] || printf '%s\n' "${left[@]}"
    for other in "${alone[@]}"; do
        yosys -q -p "read_rtlil $folder/base.il; $(mutation "$other"); mutate -mode none -ctrl mutant_i 32 1
          opt_clean; write_rtlil $folder/some.il" >"$folder/log" 2>&1
        for how in mutants renamed; do
            grep -q "= $how" "scripts/formal-$block.sh" || continue
            # shellcheck disable=SC2086  # the values are words
            "scripts/formal-$block.sh" "$how" "$folder/some.il" ${parameters//-chparam +([A-Za-z])/} >/dev/null || continue
            echo "$other"
            break
        done
    done
    return 0
}

# mutate_instance OPTIONS LANE MUTANTS: adds to made, equivalents, listed and survivors
mutate_instance() {
    local caught few number lasting open conforming
    scripts/mutation-build.sh "$name" "$block" "$suite" "$2" "$1" "$3"
    parameters=$(cat "$folder/parameters")
    number=$(grep -c '^mutate ' "$folder/list.ys")
    echo "$block $1"
    build/goldmem-cosim "$block" --build "build/cosim/$name.so" --mutants "$number" \
        --transactions "$transactions" | tee "$folder/result"
    made=$((made + number))

    # No proof may hold for a mutant that was caught: tries each on a few.
    mapfile -t caught < <(seq 1 "$number" | grep -vxFf <(sed -n 's/^survivor //p' "$folder/result"))
    few=("${caught[0]}" "${caught[${#caught[@]} / 2]}" "${caught[-1]}")
    if equivalent "${few[0]}" || equivalent "${few[1]}" || equivalent "${few[2]}" || [ -n "$(conform "${few[@]}")" ]; then
        echo "$block: a proof of equivalence holds for a mutant which was caught: ${few[*]}" >&2
        exit 1
    fi
    mapfile -t lasting < <(sed -n 's/^survivor //p' "$folder/result")
    open=()
    for number in "${lasting[@]}"; do
        if listed "$number"; then # no proof ends in the time that it may take
            listed=$((listed + 1))
            echo "listed as equivalent: $(named "$number")"
        elif same_logic "$number"; then
            equivalents=$((equivalents + 1))
            echo "proven equal, register by register: $(named "$number")"
        else
            open+=("$number")
        fi
    done
    # A proof by induction takes seconds, one of all answers up to minutes.
    mapfile -t conforming < <(conform "${open[@]}")
    for number in "${open[@]}"; do
        if [[ " ${conforming[*]} " == *" $number "* ]]; then
            equivalents=$((equivalents + 1))
            echo "proven by induction to answer as the RTL: $(named "$number")"
        elif same_answers "$number"; then
            equivalents=$((equivalents + 1))
            echo "proven equal, in all answers: $(named "$number")"
        else
            survivors=$((survivors + 1))
            echo "not caught, not proven equivalent: $(named "$number")"
            mutation "$number" | { grep -oE -- '-src [^ ]+' || true; } | sed 's/^-src/   /'
        fi
    done
}

made=0 equivalents=0 listed=0 survivors=0
for lane in "${!instances[@]}"; do
    mutate_instance "${instances[lane]}" "$lane" $((mutants / ${#instances[@]}))
done
different=$((made - equivalents - listed))
echo "$block: score $((different - survivors)) of $different mutants that differ ($equivalents proven equivalent, $listed listed with a reason)"
[ "$survivors" -eq 0 ]
