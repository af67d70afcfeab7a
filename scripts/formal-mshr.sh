#!/usr/bin/env bash
# Proves the assertions of tb/mshr_sva.sv for every stream of requests and waits: to a number of cycles from
# reset; and for all time by induction with the invariant of tb/mshr_invariant.svh, on
# tables of a few sizes. Shows that wrong designs are refuted. Prints one line for each; fails when one
# does not hold.
# Usage: formal-mshr.sh CYCLES [quick]                   quick: the smallest table, and only faults that show early
#        formal-mshr.sh netlist FILE.il PARAMETER...     the block as Yosys has it, by induction
set -uo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
parameters=(Entries Merges LineW RequesterW)
smallest=(2 2 1 1)
limit=300 # seconds for a proof

# model READ CONNECT PARAMETER...: writes what READ reads, with its harness, as SMT; CONNECT: Yosys commands
# between the flat design and its registers
model() {
    local read=$1 connect=$2 values="" unset=""
    shift 2
    for name in "${parameters[@]}"; do
        values+=" -set $name $1" unset+=" -unset $name"
        shift
    done
    [[ $read == read_rtlil* ]] || unset="" # a netlist has no parameters
    yosys -q -p "$read; chparam$values mshr_formal; ${unset:+setparam$unset mshr_formal/dut;}
      hierarchy -top mshr_formal; proc; flatten; memory_map; $connect
      async2sync; opt; dffunmap; write_smt2 -wires $scratch/block.smt2" >"$scratch/log" 2>&1
}

solve() { timeout "$limit" yosys-smtbmc --noprogress --unroll -s z3 "$@" "$scratch/block.smt2" >"$scratch/log" 2>&1; }

# bounded RTL CYCLES PARAMETER...
bounded() {
    local rtl=$1 cycles=$2
    shift 2
    model "read_verilog -sv -formal -Irtl $rtl rtl/sram_1r1w.sv tb/mshr_sva.sv tb/request_queue.sv tb/mshr_formal.sv" "" "$@" &&
        solve -t "$cycles"
}

# always READ PARAMETER...: the assertions hold in the first cycles, and in a cycle if they held in the two before
always() {
    local read=$1 connect="" width=$5 slot_bits=1
    while ((1 << slot_bits < $3)); do ((slot_bits++)); done
    shift
    for pair in stage_valid:stage_valid_q op:op_q line:request_line_q requester:request_requester_q \
        id:request_id_q may_allocate:may_allocate_q valid:valid_q open:open_q lines:line_q \
        oldest:oldest_q newest:newest_q; do
        connect+="connect -nounset -set dut_${pair%:*} \\dut.${pair#*:}; "
    done
    for ((row = 0; row < $1 << slot_bits; row++)); do
        connect+="connect -nounset -set dut_requesters[$((row * width + width - 1)):$((row * width))]"
        connect+=" \\dut.u_requester.mem[$row]; "
    done
    model "$read; read_verilog -sv -formal -Irtl -DGOLDMEM_INVARIANT -Itb tb/mshr_sva.sv tb/request_queue.sv tb/mshr_formal.sv" \
        "$connect" "$@" && solve -t 4 && solve -i -t 2
}

induction() { # RTL PARAMETER...
    always "read_verilog -sv -Irtl $1 rtl/sram_1r1w.sv" "${@:2}"
}

report() { # STATUS TEXT
    if [ "$1" -eq 0 ]; then
        echo "$2"
    else
        echo "FAILED:  $2"
        sed 's/^/    /' "$scratch/log"
        failed=1
    fi
}

# wrong FROM TO: the RTL with FROM replaced by TO
wrong() {
    sed "s/$1/$2/" rtl/mshr.sv >"$scratch/wrong.sv"
    ! cmp -s rtl/mshr.sv "$scratch/wrong.sv"
}

# refuted ASSERTION FROM TO WHAT: the wrong RTL makes the assertion fire within 8 cycles from reset
refuted() {
    wrong "$2" "$3" && ! bounded "$scratch/wrong.sv" 8 "${smallest[@]}" &&
        grep -q "Assert failed in mshr_formal: sva.$1" "$scratch/log"
    report $? "refuted: mshr: $4 ($1)"
}

if [ "$1" = netlist ]; then
    limit=1200
    always "read_rtlil $2" "${@:3}"
    exit
fi
cycles=$1

source_asserts=$(grep -cE '\ba_[a-z_]+: assert \(' tb/mshr_sva.sv)
invariant_asserts=$(grep -cE '\bi_[a-z_]+: assert \(' tb/mshr_invariant.svh)
for define in "" "-DGOLDMEM_INVARIANT -Itb"; do
    yosys -p "read_verilog -sv -formal -Irtl -defer $define tb/mshr_sva.sv tb/request_queue.sv
      hierarchy -top mshr_sva $(paste -d' ' <(printf -- '-chparam %s\n' "${parameters[@]}") <(printf '%s\n' "${smallest[@]}") | paste -sd' '); proc; stat" |
        awk '$1 == "$assert" {n = $2} END {print n + 0}'
done | paste -sd' ' >"$scratch/log"
[ "$source_asserts" -gt 0 ] && [ "$invariant_asserts" -gt 0 ] &&
    [ "$(cat "$scratch/log")" = "$source_asserts $((source_asserts + invariant_asserts))" ]
report $? "proven:  mshr: Yosys sees all $source_asserts assertions and $invariant_asserts invariants of the source"

bounded rtl/mshr.sv "$cycles" "${smallest[@]}"
report $? "proven:  mshr: $cycles cycles from reset, any requests and waits: its $source_asserts assertions"

refuted a_install "delivers && |(chosen & open_q)" "delivers" "a closed entry installs"
refuted a_new "!may_allocate_q" "1'b0" "a miss without room for it"
[ "${2:-}" = quick ] ||
    refuted a_delivered "chosen_oldest + 1'b1" "chosen_oldest" "a requester answered twice"
refuted a_delivered "allocates ? free_id : chosen_id" "chosen_id" "a requester put into another's slot"
refuted a_answered "response_valid_o <= stage_valid_q" "response_valid_o <= stage_valid_q \&\& !error_o" "a request lost"

# Entries, Merges, LineW, RequesterW.
sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("2 2 2 2" "3 2 2 2" "3 3 2 2")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/mshr.sv "${size[@]}"
    report $? "proven:  mshr: for all time, by induction: ${size[0]} entries of ${size[1]}, ${size[2]} line bits, ${size[3]} requester bits"
done

# A fault that shows only after more cycles from reset than the bound is refuted by induction.
wrong "is_full || has_two" "is_full"
if [ "${2:-}" != quick ]; then
    bounded "$scratch/wrong.sv" 6 3 2 1 1
    report $? "not seen: mshr: a third entry of a line, 6 cycles from reset"
fi
! induction "$scratch/wrong.sv" 3 2 1 1 && grep -qE "Assert failed in mshr_formal: sva.a_(new|fail)" "$scratch/log"
report $? "refuted: mshr: by induction: a third entry of a line (a_new or a_fail)"
exit $failed
