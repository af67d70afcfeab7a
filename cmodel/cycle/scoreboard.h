/* Scoreboard of a warp: when each of its registers is there. An instruction waits for every
 * register that it reads or writes (RAW and WAW; WAR cannot happen, since warps issue in order and
 * read their operands at issue). Registers are numbered by system/timed_record.h. */
#ifndef GOLDMEM_CYCLE_SCOREBOARD_H
#define GOLDMEM_CYCLE_SCOREBOARD_H

#include "cycle/clock.h"
#include "system/timed_record.h"

/* `registers`: packed by gm_timed_pack, `count` of them. The first cycle from which all are there;
 * GM_NEVER: one waits for data. */
static inline gm_cycle gm_scoreboard_ready(const gm_cycle *score, const uint64_t *registers,
                                           unsigned count)
{
    gm_cycle ready = 0;
    for (unsigned i = 0; i < count; i++) {
        gm_cycle at = score[gm_timed_register_at(registers, i)];
        ready = at > ready ? at : ready;
    }
    return ready;
}

/* The first `count` of the registers are there from `at` on; GM_NEVER: when data come. */
static inline void gm_scoreboard_set(gm_cycle *score, const uint64_t *registers, unsigned count,
                                     gm_cycle at)
{
    for (unsigned i = 0; i < count; i++) {
        score[gm_timed_register_at(registers, i)] = at;
    }
}

#endif
