/* Scoreboard of a warp: the cycle from which each of its registers is available. An instruction
 * waits for every register that it reads or writes (RAW and WAW; WAR cannot happen, since warps
 * issue in order and read their operands at issue). Registers are numbered by
 * frontend/timed_record.h. */
#ifndef GOLDMEM_CYCLE_SM_SCOREBOARD_H
#define GOLDMEM_CYCLE_SM_SCOREBOARD_H

#include "cycle/util/clock.h"
#include "frontend/timed_record.h"
#include "goldmem/bits.h"

#include <string.h>

enum { GM_SCORES_MARKED = 8 }; /* registers of one mark */

_Static_assert(GM_SCORES % GM_SCORES_MARKED == 0 && GM_SCORES / GM_SCORES_MARKED <= 64,
               "a word has all marks");

/* Stands for the unknown cycle of a result whose instruction has not left its operand collector. */
#define GM_COLLECTING (GM_NEVER - 1)

/* Returns the first cycle, `ready` or later, from which the lowest `count` registers of the word
 * are available. */
static inline gm_cycle gm_scoreboard_later(const gm_cycle *score, uint64_t registers,
                                           unsigned count, gm_cycle ready)
{
    for (; count != 0; count--, registers >>= GM_TIMED_REGISTER_BITS) {
        gm_cycle at = score[gm_timed_lowest(registers)];
        ready = at > ready ? at : ready;
    }
    return ready;
}

/* Returns the first cycle from which `count` registers, packed by gm_timed_pack, are available;
 * GM_NEVER if one waits for data; else GM_COLLECTING if one waits for an instruction in a
 * collector. */
static inline gm_cycle gm_scoreboard_ready(const gm_cycle *score, const uint64_t *registers,
                                           unsigned count)
{
    gm_cycle ready = 0;
    if (count > GM_TIMED_WORD_REGISTERS) {
        ready = gm_scoreboard_later(score, registers[1], count - GM_TIMED_WORD_REGISTERS, 0);
        count = GM_TIMED_WORD_REGISTERS;
    }
    return gm_scoreboard_later(score, registers[0], count, ready);
}

/* Makes the lowest `count` registers of the word, those that an instruction writes, available from
 * `at` on. Requires that gm_scoreboard_set was called for the instruction. */
static inline void gm_scoreboard_set_again(gm_cycle *score, uint64_t registers, unsigned count,
                                           gm_cycle at)
{
    for (; count != 0; count--, registers >>= GM_TIMED_REGISTER_BITS) {
        score[gm_timed_lowest(registers)] = at;
    }
}

/* At issue: makes the lowest `count` registers of the word available from `at` on, which may be
 * GM_NEVER or GM_COLLECTING. Marks them in *written for gm_scoreboard_clear. */
static inline void gm_scoreboard_set(gm_cycle *score, uint64_t *written, uint64_t registers,
                                     unsigned count, gm_cycle at)
{
    for (; count != 0; count--, registers >>= GM_TIMED_REGISTER_BITS) {
        unsigned place = gm_timed_lowest(registers);
        score[place] = at;
        *written |= UINT64_C(1) << place / GM_SCORES_MARKED;
    }
}

_Static_assert((int)GM_DESTINATIONS <= (int)GM_TIMED_WORD_REGISTERS,
               "the first word has all registers that are written");

/* Returns the first cycle from which every register is available, as gm_scoreboard_ready. */
static inline gm_cycle gm_scoreboard_all(const gm_cycle *score, uint64_t written)
{
    gm_cycle ready = 0;
    for (; written != 0; written &= written - 1) {
        const gm_cycle *marked = &score[gm_lowest_one(written) * GM_SCORES_MARKED];
        for (unsigned i = 0; i < GM_SCORES_MARKED; i++) {
            ready = marked[i] > ready ? marked[i] : ready;
        }
    }
    return ready;
}

/* Makes all registers available from cycle 0 on, for the slot's next warp. */
static inline void gm_scoreboard_clear(gm_cycle *score, uint64_t *written)
{
    for (; *written != 0; *written &= *written - 1) {
        memset(&score[gm_lowest_one(*written) * GM_SCORES_MARKED], 0,
               GM_SCORES_MARKED * sizeof *score);
    }
}

#endif
