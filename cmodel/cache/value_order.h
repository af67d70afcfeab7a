/* Coherence order of values: who wrote each, and in which order the L2 performed them. */
#ifndef GOLDMEM_CACHE_VALUE_ORDER_H
#define GOLDMEM_CACHE_VALUE_ORDER_H

#include "goldmem/error.h"
#include "goldmem/value_observer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A store. */
typedef struct gm_value_store {
    gm_value_warp warp; /* of a copy: its kernel is the next one */
    uint64_t time;      /* when it reached its L1 */
    uint64_t visible;   /* under a protocol: every SM sees it in loads of later cycles */
    uint32_t before[8]; /* of each word of its sector: the value that it replaced */
    uint32_t place;     /* in the order of performs, from 1; 0: not performed */
    uint32_t passed; /* with timed sharing trackers: in the order of passes, from 1; 0: not yet */
    bool copy;       /* a host copy: no warp */
} gm_value_store;

typedef struct gm_value_order {
    gm_value_store **chunk;
    uint32_t *open;     /* of each chunk: stores that are not performed */
    bool forgets;       /* stores that are performed: nothing is older than another then */
    uint32_t count;     /* values given, 0 included */
    uint32_t performed; /* stores performed */
    uint32_t passed;    /* stores that have passed their sharing tracker */
    uint32_t chunks;    /* room of `chunk` */
    const char *unit;   /* of time: "cycle" or "turn" */
    bool failed;        /* out of memory or numbers: values are void */
} gm_value_order;

void gm_value_order_init(gm_value_order *order, const char *unit);
void gm_value_order_free(gm_value_order *order);

/* Returns the number of a new store; 0 on lack of memory. */
uint32_t gm_value_order_add(gm_value_order *order, const gm_value_store *store);

/* Returns a store. Requires a value from 1 that gm_value_order_add has returned. */
const gm_value_store *gm_value_order_store(const gm_value_order *order, uint32_t value);

/* Gives a value the next place of the order, unless it has one: it replaces `before` in a word of
 * its sector. */
void gm_value_order_perform(gm_value_order *order, uint32_t value, unsigned word, uint32_t before,
                            uint64_t visible);

/* Returns the newest of a word's values from `last` back that every SM sees in a load of cycle
 * `cycle`.
 */
uint32_t gm_value_order_visible(const gm_value_order *order, uint32_t last, unsigned word,
                                uint64_t cycle);

/* True if `seen`, of the same word, is older than `bound`: another value, which the L2 performed
 * earlier, or any other value if `bound` is not performed. A value that is not performed is older
 * only than such a bound. */
bool gm_value_is_older(const gm_value_order *order, uint32_t seen, uint32_t bound);

/* Gives a value the next place in the order in which stores pass the timed sharing trackers, unless
 * it has one. Does nothing for value 0. */
void gm_value_order_pass(gm_value_order *order, uint32_t value);

/* True if `seen`, of the same word, passed its sharing tracker before `bound` did: a value that has
 * not passed is newer than all that have. Requires that `bound` has passed, or is 0. */
bool gm_value_passed_before(const gm_value_order *order, uint32_t seen, uint32_t bound);

/* Writes who wrote a value. */
void gm_value_order_describe(const gm_value_order *order, uint32_t value, char *text, size_t size);

#endif
