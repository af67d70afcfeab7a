/* The machine of the order engine: SMs, interconnect, memory side, and the accounting for each
 * kernel's statistics and the conservation laws. */
#ifndef GOLDMEM_ORDER_ORDER_MACHINE_H
#define GOLDMEM_ORDER_ORDER_MACHINE_H

#include "cache/values.h"
#include "frontend/cta_scheduler.h"
#include "goldmem/engine.h"
#include "order/batch_queue.h"
#include "order/order_sm.h"
#include "order/trackers.h"
#include "policy/dueling.h"

/* The source's deliveries, counted. */
typedef struct gm_delivered {
    uint64_t ctas, warps, instructions, lanes;
} gm_delivered;

typedef struct gm_order_machine {
    const gm_config *config;
    gm_arena arena;
    uint32_t sms;
    gm_order_sm *sm; /* [sms] */
    gm_order_sm_shared shared;
    gm_l1_policy l1_policy;
    gm_bypass_shared bypass;
    gm_set_index l1_index;
    gm_dueling dueling;
    gm_trackers trackers; /* count 0: no trackers */
    gm_cta_scheduler scheduler;
    gm_memory_side memory;
    gm_order_noc noc;
    gm_batch *own_batch;   /* without a queue */
    gm_batch_queue *queue; /* or NULL */
    gm_values *values;     /* or NULL; the machine's */
    uint64_t resident;     /* warps in all SMs */
    gm_delivered delivered;
    gm_unified_statistics unified; /* of the kernel */
    gm_statistics total;           /* of the accounting */
} gm_order_machine;

/* Makes the machine. `threaded`: the memory side runs in a thread of its own. Returns 0 or a
 * negative errno value. */
int gm_order_machine_init(gm_order_machine *machine, const gm_config *config, bool threaded,
                          gm_error *error);
void gm_order_machine_free(gm_order_machine *machine);

/* Carries values from now on. `now`: the number of turns taken, which the caller keeps. Requires a
 * machine without a thread. Returns 0 or -ENOMEM. */
int gm_order_machine_keep_values(gm_order_machine *machine, const uint64_t *now,
                                 const gm_value_observer *observer, gm_error *error);

/* Ends a kernel of the values, if there are any. Returns 0, or what gm_values_check returns. */
int gm_order_machine_end_values(gm_order_machine *machine, gm_error *error);

/* Counts each later reference to a line in the profile. */
void gm_order_machine_write_profile(gm_order_machine *machine, gm_profile_writer *into);

/* Sets the observers of the blocks' transactions. */
void gm_order_machine_observe(gm_order_machine *machine, const gm_run_options *options);

/* Sums the statistics of all SMs, banks and partitions since the beginning of the run. */
void gm_order_machine_sum(const gm_order_machine *machine, gm_statistics *sum);

/* Return the statistics of one SM, bank or partition. */
void gm_order_machine_sm_statistics(const gm_order_sm *sm, gm_statistics *statistics);
void gm_order_machine_bank_statistics(const gm_l2 *bank, gm_statistics *statistics);

/* Returns 0, or -ENOMEM if the results are void. Requires a drained machine. */
int gm_order_machine_failed(const gm_order_machine *machine, gm_error *error);

/* Verifies every conservation law. Requires a machine drained after a kernel, and `total` up to
 * date. Returns 0, or -EPROTO, which names the conservation law and both values. */
int gm_order_machine_check(const gm_order_machine *machine, gm_error *error);

/* Reads what the sets of the L2 hold; NULL: nothing. */
void gm_order_machine_read_sets(gm_order_machine *machine, gm_set_contents *contents);

#endif
