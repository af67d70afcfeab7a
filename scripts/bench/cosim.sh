# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build and $scratch
# set_index (32 sets, ipoly(37)) and tag_store of the paper's size, one instance on one core: the RTL
# alone, with its assertions, and in each form of cosimulation. Random requests, idle cycles and
# back-pressure.
cosim_row() { # BLOCK WHAT COMMAND...: the cycles that the command says it ran, per second of CPU time
    local cycles command="${*:3}"
    cycles=$("${@:3}" 2>/dev/null | sed -nE 's/.* ([0-9]+) cycles.*/\1/p')
    row "$1 RTL, $2" "$(awk -v c="$cycles" -v s="$(seconds "${@:3}")" 'BEGIN {printf "%.3f", 1e-6 * c / s}')" \
        "million cycles/s" "${command//$scratch//tmp}"
}
cosim_one=("$build/goldmem-cosim" set_index --build "$build/cosim/set_index.one.so" --transactions)
cosim_row set_index "alone" "${cosim_one[@]}" 3000000 --alone
cosim_row set_index "lockstep" "${cosim_one[@]}" 3000000
cosim_row set_index "lockstep, with waveform" "${cosim_one[@]}" 200000 --wave "$scratch/wave.fst"
cosim_row set_index "SystemC, both as sc_module" "$build/systemc-set_index" 500000
cosim_row set_index "SystemVerilog testbench, DPI" "$build/dpi-set_index" +transactions=1000000
cosim_tags=("$build/goldmem-cosim" tag_store --build "$build/cosim/tag_store.one.so" --transactions 500000)
cosim_row tag_store "alone" "${cosim_tags[@]}" --alone
cosim_row tag_store "lockstep" "${cosim_tags[@]}"

# RTL in the loop: a run with and without it.
cosim_run=("$build/goldmem" run --engine=order -q --threads 1 --set l1.index=ipoly:37 workload:syrk)
cosim_plain=$(seconds "${cosim_run[@]}")
"${cosim_run[@]}" --rtl=set_index 2>/dev/null # builds the RTL
row "goldmem run --engine=order --rtl=set_index, syrk" \
    "$(awk -v p="$cosim_plain" -v r="$(seconds "${cosim_run[@]}" --rtl=set_index)" 'BEGIN {printf "%.2f", r / p}')" \
    "times the plain run" "${cosim_run[*]} --rtl=set_index"
