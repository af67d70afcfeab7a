/* Turn log: what each record of a resident CTA's warps adds to the core counters. The core counters
 * count a whole CTA at its admission; a run that stops at a limit subtracts what has not issued. */
#ifndef GOLDMEM_FRONTEND_TURN_LOG_H
#define GOLDMEM_FRONTEND_TURN_LOG_H

#include "goldmem/error.h"
#include "goldmem/statistics.h"

/* Flags of a turn: counters to which it adds 1. */
enum {
    GM_TURN_INSTRUCTION = 1, /* not set: a further record of one instruction */
    GM_TURN_MEMORY = 2,
    GM_TURN_GLOBAL = 4,
    GM_TURN_LOCAL = 8,
    GM_TURN_SHARED = 16,
    GM_TURN_ATOMIC = 32,
    GM_TURN_BARRIER = 64,
    GM_TURN_FENCE = 128,
    GM_TURN_FENCE_GPU = 256,
    GM_TURN_FENCE_SYS = 512,
    GM_TURN_COPY = 1024, /* to shared memory */
};

typedef struct gm_turn {
    uint16_t flags, lane_accesses, shared_accesses, shared_conflicts;
    uint16_t copied; /* bytes copied to shared memory */
    uint8_t lanes;
} gm_turn;

/* The turns of all warps of a CTA, warp by warp. Zeroed before first use. */
typedef struct gm_turn_log {
    gm_turn *turn;
    uint64_t turns, room;
} gm_turn_log;

/* Adds an instruction of `records` records that took the counters from `before` to `after`. Returns
 * 0 or -ENOMEM. */
int gm_turn_log_add(gm_turn_log *log, const gm_core_statistics *before,
                    const gm_core_statistics *after, uint64_t records, gm_error *error);

/* Appends turns [from, to) of another log. Returns 0 or -ENOMEM. */
int gm_turn_log_append(gm_turn_log *log, const gm_turn_log *other, uint64_t from, uint64_t to,
                       gm_error *error);

/* Adds turns [from, to) to *sum. */
void gm_turn_log_sum(const gm_turn_log *log, uint64_t from, uint64_t to, gm_core_statistics *sum);

void gm_turn_log_free(gm_turn_log *log);

/* Subtracts *what from *from, counter by counter. */
void gm_core_statistics_subtract(gm_core_statistics *from, const gm_core_statistics *what);

#endif
