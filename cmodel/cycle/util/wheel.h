/* Timing wheel: which of the next cycles have events [Varghese and Lauck, "Hashed and hierarchical
 * timing wheels", SOSP 1987, scheme 4].
 *
 *     cycle   128 129 130 ... 189 190 191        now 129, 64 slots: slot 0 is cycle 192 by now
 *     slot      0   1   2 ...  61  62  63
 *
 * A cycle's slot is its number modulo the number of slots. Requires that each event is fewer cycles
 * ahead than there are slots: then no slot has events of two cycles. The wheel keeps which slots
 * have events; the user keeps the events of a slot, as a list or a mask.
 *
 * `one_word` is a constant of the user's shape: true only if the wheel has 64 slots. */
#ifndef GOLDMEM_CYCLE_UTIL_WHEEL_H
#define GOLDMEM_CYCLE_UTIL_WHEEL_H

#include "base/bitset.h"
#include "cycle/util/clock.h"

typedef struct gm_wheel {
    uint64_t *due;  /* [slots / 64] bit set of the slots that have events */
    uint32_t slots; /* a power of two, at least 64 */
} gm_wheel;

/* Returns the slots of the smallest wheel for events up to `longest` cycles ahead; 64 at least. */
static inline uint32_t gm_wheel_slots(uint32_t longest)
{
    return longest < GM_BITSET_WORD ? GM_BITSET_WORD : 1U << gm_log2_ceil((uint64_t)longest + 1);
}

/* Returns the slot of cycle `at`. */
GM_TEMPLATE uint32_t gm_wheel_slot(const gm_wheel *wheel, gm_cycle at, const bool one_word)
{
    return (uint32_t)at & ((one_word ? GM_BITSET_WORD : wheel->slots) - 1);
}

/* Marks a slot as having events. */
GM_TEMPLATE void gm_wheel_add(gm_wheel *wheel, uint32_t slot, const bool one_word)
{
    gm_bitset_add(wheel->due, one_word ? slot % GM_BITSET_WORD : slot);
}

/* Takes the events of the present cycle's slot: clears its mark. Returns true if there were any,
 * which the user then handles. */
GM_TEMPLATE bool gm_wheel_take(gm_wheel *wheel, uint32_t slot, const bool one_word)
{
    uint64_t *word = &wheel->due[one_word ? 0 : slot / GM_BITSET_WORD];
    uint64_t bit = UINT64_C(1) << slot % GM_BITSET_WORD;
    if ((*word & bit) == 0) {
        return false;
    }
    *word ^= bit;
    return true;
}

/* Returns the first cycle, `from` or later, that has events, or GM_NEVER. Requires that no events
 * of earlier cycles are left. */
GM_TEMPLATE gm_cycle gm_wheel_next(const gm_wheel *wheel, gm_cycle from, const bool one_word)
{
    uint32_t slot = gm_wheel_slot(wheel, from, one_word);
    if (one_word) {
        uint64_t due = wheel->due[0];
        uint64_t ahead = due >> slot | due << (-slot % GM_BITSET_WORD);
        return ahead == 0 ? GM_NEVER : from + gm_lowest_one(ahead);
    }
    uint32_t next = gm_bitset_next(wheel->due, wheel->slots / GM_BITSET_WORD, slot);
    return next == GM_BITSET_NONE ? GM_NEVER : from + ((next - slot) & (wheel->slots - 1));
}

#endif
