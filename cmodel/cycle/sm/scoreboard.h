/* Scoreboard of a warp: when each of its registers is there. An instruction waits for every
 * register that it reads or writes (RAW and WAW; WAR cannot happen, since warps issue in order and
 * read their operands at issue). Registers are numbered by frontend/timed_record.h. */
#ifndef GOLDMEM_CYCLE_SM_SCOREBOARD_H
#define GOLDMEM_CYCLE_SM_SCOREBOARD_H

#include "cycle/util/clock.h"
#include "frontend/timed_record.h"
#include "goldmem/bits.h"

#include <string.h>

enum { GM_SCORES_MARKED = 8 }; /* of them have one mark */

_Static_assert(GM_SCORES % GM_SCORES_MARKED == 0 && GM_SCORES / GM_SCORES_MARKED <= 64,
               "a word has all marks");

/* When a result of an instruction that has not left its operand collector is there. */
#define GM_COLLECTING (GM_NEVER - 1)

/* The first cycle, `ready` or later, from which the lowest `count` registers of the word are there.
 */
static inline gm_cycle gm_scoreboard_later(const gm_cycle *score, uint64_t registers,
                                           unsigned count, gm_cycle ready)
{
    for (; count != 0; count--, registers >>= GM_TIMED_REGISTER_BITS) {
        gm_cycle at = score[gm_timed_lowest(registers)];
        ready = at > ready ? at : ready;
    }
    return ready;
}

/* `registers`: packed by gm_timed_pack, `count` of them. The first cycle from which all are there;
 * GM_NEVER: one waits for data; else GM_COLLECTING: for an instruction in a collector. */
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

/* The lowest `count` registers of the word, those that an instruction writes, are there from `at`
 * on; GM_NEVER: when data come. They have been set before, for the same instruction. */
static inline void gm_scoreboard_set_again(gm_cycle *score, uint64_t registers, unsigned count,
                                           gm_cycle at)
{
    for (; count != 0; count--, registers >>= GM_TIMED_REGISTER_BITS) {
        score[gm_timed_lowest(registers)] = at;
    }
}

/* The same for the first time. Marks in *written where the scoreboard is not as it was in the
 * beginning. */
static inline void gm_scoreboard_set(gm_cycle *score, uint64_t *written, uint64_t registers,
                                     unsigned count, gm_cycle at)
{
    for (; count != 0; count--, registers >>= GM_TIMED_REGISTER_BITS) {
        unsigned place = gm_timed_lowest(registers);
        score[place] = at;
        *written |= UINT64_C(1) << place / GM_SCORES_MARKED;
    }
}

_Static_assert((int)GM_DESTINATIONS <= (int)GM_TIMED_WORD_REGISTERS, "they are in the first word");

/* As it was in the beginning: all registers are there. */
static inline void gm_scoreboard_clear(gm_cycle *score, uint64_t *written)
{
    for (; *written != 0; *written &= *written - 1) {
        memset(&score[gm_lowest_one(*written) * GM_SCORES_MARKED], 0,
               GM_SCORES_MARKED * sizeof *score);
    }
}

#endif
