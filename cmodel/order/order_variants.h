/* Variants of the order engine's machine: each has L1s, interconnect and memory side of its own,
 * and takes the line requests of the run's machine, in their order. The order engine selects warps
 * whatever the caches do, so that a variant counts what a run of its configuration counts, and one
 * pass over the source serves them all. */
#ifndef GOLDMEM_ORDER_ORDER_VARIANTS_H
#define GOLDMEM_ORDER_ORDER_VARIANTS_H

#include "order/order_machine.h"

typedef struct gm_order_variants {
    uint64_t count;
    gm_order_machine machine[]; /* [count] */
} gm_order_variants;

/* Makes the variants that `options` name. Returns 0, -EINVAL for a configuration that differs from
 * the run's in more than gm_run_options.variants allows, or what gm_order_machine_init returns. */
int gm_order_variants_create(gm_order_variants **variants, const gm_config *config,
                             const gm_run_options *options, gm_error *error);
void gm_order_variants_free(gm_order_variants *variants);

/* Begins a kernel. Returns 0 or a negative errno value. */
int gm_order_variants_kernel(gm_order_variants *variants, uint64_t number, const gm_kernel *kernel,
                             gm_error *error);

/* Returns what does each line request of the run's machine in each variant. */
gm_order_tap gm_order_variants_tap(gm_order_variants *variants);

/* Empty all L1s; change their ways (l1.unified) once they are empty. */
void gm_order_variants_flush_l1s(gm_order_variants *variants);
void gm_order_variants_resize_l1s(gm_order_variants *variants, uint32_t ways);

/* Does the message of a host copy. */
void gm_order_variants_copy(gm_order_variants *variants, gm_message_kind kind, uint64_t l2_line,
                            uint32_t sectors);

/* Ends a kernel whose L1s have been flushed, if they are: empties atomic buffers, and takes over
 * what `of`, the run's drained machine, has counted of instructions and line requests. `check`:
 * verifies every conservation law of each variant. Returns 0, -ENOMEM, or -EPROTO. */
int gm_order_variants_end_kernel(gm_order_variants *variants, const gm_order_machine *of,
                                 bool check, gm_error *error);

/* Sets *total to the counters of a variant, but for those of host copies, which `of`, the run's
 * machine, does not count either. */
void gm_order_variants_sum(gm_order_variants *variants, uint64_t variant,
                           const gm_order_machine *of, gm_statistics *total);

#endif
