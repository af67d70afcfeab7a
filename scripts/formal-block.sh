# shellcheck shell=bash disable=SC2154,SC2034  # sourced by formal-NAME.sh, which sets block, parameters and files, and reads failed
# Proofs of a block's checkers with Yosys and Z3, shared by the scripts formal-NAME.sh, which set
#   block       the block: rtl/$block.sv, tb/${block}_sva.sv, tb/${block}_invariant.svh
#   parameters  names of its RTL parameters, in the port list's order
#   files       the modules that it instantiates
#   bounded_only  number of assertions that are not for induction (absent with GOLDMEM_INVARIANT)
# build/cosim/$block.generate prints the harness. Each report is a line; $failed is the status.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
limit=300 # CPU seconds for a proof

# inside: prints Yosys commands that connect each wire dut_NAME (of the harness, or of a module in it) and gate_NAME, and each
# wire NAME of the harness's instances dut_inside and gate_inside, to NAME of the block and of the netlist in
# $scratch/flat.il: INSTANCE__NAME to an instance's NAME, __mem to a memory's rows, the first row lowest.
# A wire that the block lacks with its parameters stays open.
inside() {
    sed -nE 's/^ +wire (.*)\\([^ ]+)$/\2 \1/p' "$scratch/flat.il" | awk '
        {
            width = 1
            for (i = 2; i < NF; i++) if ($i == "width") width = $(i + 1)
        }
        match($1, /^(dut|gate)\./) {
            name = $1; row = -1
            if (match(name, /\[[0-9]+\]$/)) {
                row = substr(name, RSTART + 1, RLENGTH - 2)
                name = substr(name, 1, RSTART - 1)
            }
            sub(/\./, "_", name)
            gsub(/\./, "__", name)
            source[$1] = name
            bits[$1] = row < 0 ? "" : "[" (row + 1) * width - 1 ":" row * width "]"
            next
        }
        match($1, /(^|\.)(dut|gate)_(inside\.)?[a-z0-9_]+$/) {
            name = substr($1, RSTART)
            sub(/_inside\./, "_", name)
            sub(/^\./, "", name)
            wire[name] = $1
        }
        END {
            for (name in source) {
                if (source[name] in wire)
                    print "connect -nounset -set " wire[source[name]] bits[name] " \\" name ";"
            }
        }'
}

# flat READ TOP: writes what READ reads, flattened, as $scratch/block.il
flat() {
    yosys -q -p "$1; hierarchy -top $2; proc; flatten; memory_map; write_rtlil $scratch/flat.il" >"$scratch/log" 2>&1 &&
        yosys -q -p "read_rtlil $scratch/flat.il; $(inside | paste -sd' ')
          async2sync; opt; dffunmap; write_rtlil $scratch/block.il" >"$scratch/log" 2>&1
}

# model READ VALUE...: writes what READ reads, in its harness with the parameters' values, as $scratch/block.il. For a
# netlist, which has no parameters, HARNESS is "fixed".
model() {
    local read=$1
    # shellcheck disable=SC2086  # a word or none
    "build/cosim/$block.generate" formal ${harness:-} >"$scratch/formal.sv" &&
        flat "$read; read_verilog -sv -formal -Irtl -defer ${define:-} tb/${block}_sva.sv tb/request_queue.sv; read_verilog -sv -formal -Irtl $scratch/formal.sv
          $(set_values "${block}_formal" "${@:2}" | paste -sd' ')" "${block}_formal"
}

# prove TOP STEPS OPTION...: the assertions hold, by Yosys' own solver
prove() {
    prlimit --cpu="$limit" yosys -QT -p "read_rtlil $scratch/block.il; delete t:\$cover
      sat -maxsteps $2 -prove-asserts -set-assumes -verify ${*:3} $1" >"$scratch/log" 2>&1
}

# induct TOP: the assertions hold in the first cycles, and in each cycle follow from the cycles before
induct() {
    local show=""
    grep -q 'mutant_i$' "$scratch/block.il" && show="-show mutant_i"
    prove "$1" 3 -tempinduct "$show"
}

# bounded RTL CYCLES VALUE...: the checkers' assertions hold for CYCLES cycles from reset
bounded() {
    model "read_verilog -sv -formal -Irtl $1 $files" "${@:3}" && prove "${block}_formal" "$2" -tempinduct-baseonly
}

# breaks RTL CYCLES ASSERTION VALUE...: the assertion fails within CYCLES cycles from reset: Z3 names it; "a_x or a_y": one of
# them, of which the solver chooses
breaks() {
    model "read_verilog -sv -formal -Irtl $1 $files" "${@:4}" &&
        yosys -q -p "read_rtlil $scratch/block.il; write_smt2 -wires $scratch/block.smt2" >"$scratch/log" 2>&1 || return 1
    prlimit --cpu="$limit" yosys-smtbmc --noprogress --unroll -s z3 -t "$2" "$scratch/block.smt2" >"$scratch/log" 2>&1 && return 1
    grep -qE "Assert failed in ${block}_formal: sva\.(${3// or /|})" "$scratch/log"
}

# always READ VALUE...: the assertions and the invariant hold in the first cycles, and in a cycle if they held in the two
# before
always() {
    local define="-DGOLDMEM_INVARIANT -Itb"
    model "$@" && induct "${block}_formal"
}

induction() { # RTL VALUE...
    always "read_verilog -sv -Irtl $1 $files" "${@:2}"
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

# wrong FROM TO: writes $scratch/wrong.sv, the RTL with FROM replaced by TO
wrong() {
    sed "s/$1/$2/" "rtl/$block.sv" >"$scratch/wrong.sv"
    ! cmp -s "rtl/$block.sv" "$scratch/wrong.sv"
}

# fails COMMAND...: succeeds if the command fails because an assertion does not hold
fails() { ! "$@" && grep -q "proof did fail" "$scratch/log"; }

# refuted CYCLES ASSERTION FROM TO WHAT VALUE...: the wrong RTL breaks the assertion
refuted() {
    wrong "$3" "$4" && breaks "$scratch/wrong.sv" "$1" "$2" "${@:6}"
    report $? "refuted: $block: $5 ($2)"
}

# all_assertions VALUE...: Yosys sees every assertion and invariant of the source.
all_assertions() {
    local source_asserts invariant_asserts define values
    values=$(set_values "" "$@" | sed 's/^-set/-chparam/')
    source_asserts=$(grep -cE '\ba_[a-z_]+: assert \(' "tb/${block}_sva.sv")
    invariant_asserts=$(grep -cE '\bi_[a-z_]+: assert \(' "tb/${block}_invariant.svh")
    for define in "" "-DGOLDMEM_INVARIANT -Itb"; do
        yosys -p "read_verilog -sv -formal -Irtl -defer $define $files tb/${block}_sva.sv tb/request_queue.sv
          hierarchy -top ${block}_sva $(sed 1d <<<"$values" | paste -sd' '); proc; stat" |
            awk '$1 == "$assert" {n = $2} END {print n + 0}'
    done | paste -sd' ' >"$scratch/log"
    [ "$source_asserts" -gt 0 ] && [ "$invariant_asserts" -gt 0 ] &&
        [ "$(cat "$scratch/log")" = "$source_asserts $((source_asserts - ${bounded_only:-0} + invariant_asserts))" ]
    report $? "proven:  $block: Yosys sees all $source_asserts assertions and $invariant_asserts invariants of the source"
}

# mutants FILE.il VALUE...: proves all mutants of a netlist at once, by induction; its input mutant_i selects one. On failure
# prints numbers: the first that is a mutant's number is a mutant that is not proven equivalent.
mutants() {
    local harness="fixed mutants"
    limit=1200
    always "read_rtlil $1" "${@:2}" || not_equivalent
}

# Prints the solver's values of mutant_i in the last cycles. First that of the failing cycle, the last but one: an
# assertion, and the assumption that mutant_i stays, count in the next cycle.
not_equivalent() {
    grep -oE '\\mutant_i +[0-9]+' "$scratch/log" | awk '{print $2}' | tail -2
    return 1
}

# set_values "[-set NAME VALUE] MODULE" VALUE...: prints Yosys options that set the block's parameters
set_values() {
    local i
    echo "chparam"
    for i in "${!parameters[@]}"; do
        echo "-set ${parameters[i]} ${*:i+2:1}"
    done
    echo "$1"
}

# twin FILE.il VALUE...: the netlist is equivalent to the RTL (tb/${block}_twin.sv), with $masks (-set NAME VALUE)
twin() {
    flat "read_rtlil $1; rename $block ${block}_mutant; read_verilog -sv -formal -Irtl -Itb rtl/$block.sv $files tb/${block}_twin.sv
      $(set_values "${masks:-} ${block}_twin" "${@:2}" | paste -sd' ')" "${block}_twin" && induct "${block}_twin"
}

# netlist_of RTL VALUE...: writes $scratch/netlist.il
netlist_of() {
    yosys -q -p "read_verilog -sv -Irtl $1 $files; $(set_values "$block" "${@:2}" | paste -sd' ')
      hierarchy -top $block; proc; flatten; opt; memory; opt; rename -top $block
      mutate -mode none -ctrl mutant_i 32 1; write_rtlil $scratch/netlist.il" >"$scratch/log" 2>&1
}
