# shellcheck shell=bash disable=SC2154  # a part of bench.sh, which sets $build and $scratch
# The cycle engine on machines of today, on one core: the public simulator's QV100 and RTX3070 as imported, its traces and the
# user seconds that it took (GOLDMEM_REFERENCE, GOLDMEM_TRACES). Uses cycle_rows of cycle_engine.sh.

# modern_rows MACHINE SECONDS...: prints the rows of one machine; SECONDS: the public simulator's, of the traces in their order
modern_rows() {
    local machine=$1 trace config=$scratch/$1.config
    shift
    { cat "$GOLDMEM_REFERENCE/$machine/gpgpusim.config"; echo; cat "$GOLDMEM_REFERENCE/$machine/trace.config"; } >"$config"
    for trace in "$GOLDMEM_REFERENCE"/traces/{a1_syrk_shared,a2_syrk_private,c_stream} \
        "$GOLDMEM_TRACES"/{vectoradd-sm80-v5,vecadd-sm61-v3-raw,matrixmul-sm61-v4}; do
        cycle_rows "$machine, $(basename "$trace")" "$1" -c "$config" --set l2.copy_fills=no "$trace"
        shift
    done
    cycle_rows "$machine, random gather" - -c "$config" --set l2.copy_fills=no workload:gather,n=61440,bytes=4194304
}

if [ -n "${GOLDMEM_REFERENCE:-}" ] && [ -n "${GOLDMEM_TRACES:-}" ]; then
    modern_rows qv100 80 119 61 7.1 16 2.4
    modern_rows rtx3070 56 116 42 4.7 12 1.5
fi
