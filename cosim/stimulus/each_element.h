/* Walks and goals over the elements of a table (entries, warps, rows): each has a comparator or
 * bits of its own, so directed requests and the self-check go through all of them. */
#ifndef GOLDMEM_COSIM_EACH_ELEMENT_H
#define GOLDMEM_COSIM_EACH_ELEMENT_H

#include "cosim.h"

#include "goldmem/bits.h"

/* Returns element number `step` of a walk that visits each of `count` elements once before it
 * begins again, with an odd stride: few steps reach all parts of the table. */
static inline uint64_t walked_element(uint64_t step, uint64_t count)
{
    enum { STRIDE = 61 }; /* a prime number */
    return step % count * (count % STRIDE == 0 ? 1 : STRIDE) % count;
}

/* Returns the rounds in which `each` elements a round are all of `count`. */
static inline uint64_t walk_rounds(uint64_t count, uint64_t each)
{
    return each == 0 ? 0 : (count + each - 1) / each;
}

/* Returns true if a run of 1,000,000 transactions is long enough for a walk of so many rounds. */
static inline bool walk_is_short(uint64_t rounds)
{
    return rounds <= 48;
}

/* Writes the goals of `count` elements, 64 a goal, into goal[0 .. goals - 1]: one bit an element.
 * None is demanded unless `demanded`. Requires count <= 64 * goals. */
static inline void each_element_goals(gm_cosim_goal *goal, unsigned goals, const char *name,
                                      uint64_t count, bool demanded)
{
    for (unsigned i = 0; i < goals; i++) {
        uint64_t left = count > 64 * i ? count - 64 * i : 0;
        uint64_t these = left >= 64 ? UINT64_MAX : gm_mask((unsigned)left);
        goal[i] = (gm_cosim_goal){name, false, demanded ? these : 0};
    }
}

/* Notes that an element has met its goal; `met` is that of the first of the elements' goals. */
static inline void meet_element(uint64_t *met, uint64_t element)
{
    met[element / 64] |= UINT64_C(1) << element % 64;
}

#endif
