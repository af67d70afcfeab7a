# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build and $scratch
# set_index (32 sets, ipoly(37)), one instance, on one core: the RTL with its assertions on alone, and in
# each way of comparing it with the C model. Random requests, idle cycles and back-pressure.
cosim_row() { # WHAT COMMAND...: the cycles that the command says it ran, per second of CPU time
    local cycles command="${*:2}"
    cycles=$("${@:2}" 2>/dev/null | sed -nE 's/.* ([0-9]+) cycles.*/\1/p')
    row "set_index RTL, $1" "$(awk -v c="$cycles" -v s="$(seconds "${@:2}")" 'BEGIN {printf "%.3f", 1e-6 * c / s}')" \
        "million cycles/s" "${command//$scratch//tmp}"
}
cosim_one=("$build/goldmem-cosim" set_index --build "$build/cosim/set_index.one.so" --transactions)
cosim_row "alone" "${cosim_one[@]}" 3000000 --alone
cosim_row "lockstep" "${cosim_one[@]}" 3000000
cosim_row "lockstep, with waveform" "${cosim_one[@]}" 200000 --wave "$scratch/wave.fst"
cosim_row "SystemC, both as sc_module" "$build/systemc-set_index" 500000
cosim_row "SystemVerilog testbench, DPI" "$build/dpi-set_index" +transactions=1000000

# RTL in the loop: a run with and without it.
cosim_run=("$build/goldmem" run --engine=order -q --threads 1 --set l1.index=ipoly:37 workload:syrk)
cosim_plain=$(seconds "${cosim_run[@]}")
"${cosim_run[@]}" --rtl=set_index 2>/dev/null # builds the RTL
row "goldmem run --engine=order --rtl=set_index, syrk" \
    "$(awk -v p="$cosim_plain" -v r="$(seconds "${cosim_run[@]}" --rtl=set_index)" 'BEGIN {printf "%.2f", r / p}')" \
    "times the plain run" "${cosim_run[*]} --rtl=set_index"
