/* Memory instructions of an SM: from records to line requests, their tickets, and groups of
 * asynchronous copies. */
#ifndef GOLDMEM_CYCLE_SM_MEMORY_INSTRUCTION_H
#define GOLDMEM_CYCLE_SM_MEMORY_INSTRUCTION_H

#include "cycle/sm/warp.h"

enum {
    /* Most closed and unfinished groups of a warp that are counted separately: as many as an
       instruction can name. With one more, the two oldest groups become one. */
    GM_MOST_GROUPS = 64,
    GM_GROUP_RING =
        128, /* counters of a warp: of the groups above and of the open group behind them */
};

/* True if a memory instruction of the scheduler can issue: a ticket is free, and the load/store
 * unit or the register in front of the collectors has room. */
GM_TEMPLATE bool gm_cycle_sm_has_room(const gm_cycle_sm *sm, const gm_cycle_scheduler *scheduler,
                                      const gm_sm_shape shape)
{
    return sm->free_tickets != 0 &&
           (shape.collectors && sm->collects
                ? gm_operand_collector_takes(&sm->collector, GM_UNIT_MEMORY,
                                             (uint32_t)(scheduler - sm->scheduler))
                : gm_load_store_has_room(sm->load_store));
}

/* Issues the warp's next instruction, a memory instruction, to the load/store unit or to the
 * register in front of the collectors; removes its records. Leaves the scoreboard to the caller.
 * Requires room. Returns 0, or a negative errno value of the warp store. */
__attribute__((noinline)) int gm_cycle_sm_access(gm_cycle_sm *sm, gm_cycle_warp *warp,
                                                 uint32_t slot, gm_cycle now, gm_error *error);

/* Closes the warp's open group of asynchronous copies. */
__attribute__((noinline)) void gm_cycle_sm_commit(gm_cycle_sm *sm, uint32_t slot);

/* Handles the answer of an asynchronous copy of the warp. */
__attribute__((noinline)) void gm_cycle_sm_copied(gm_cycle_sm *sm, uint32_t slot, uint32_t group);

/* Returns the bytes of a timed record. Overwrites shared->address. */
size_t gm_cycle_sm_record_length(gm_cycle_sm_shared *shared, const unsigned char *record);

#endif
