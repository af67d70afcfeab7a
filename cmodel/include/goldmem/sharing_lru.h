/* Replacement state of the sets of a sharing-aware cache: an L1 keeps private lines, the L2 keeps
 * shared ones [tabbakh, V-B, VI]. RTL: rtl/sharing_lru.sv; page with each rule:
 * docs/blocks/sharing_lru.md. */
#ifndef GOLDMEM_SHARING_LRU_H
#define GOLDMEM_SHARING_LRU_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/sharing_lru.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gm_sharing_level {
    GM_SHARING_L1, /* private lines stay longer */
    GM_SHARING_L2, /* shared lines stay longer; a line has an owner */
} gm_sharing_level;

/* What a dead line, of the class that stays longer, gives way to [tabbakh, VI-B]. */
typedef enum gm_sharing_dead {
    GM_SHARING_DEAD_OFF,     /* no line becomes dead */
    GM_SHARING_DEAD_PRIVATE, /* lines without `incoming`: [tabbakh, V-B2] property P1 of L1s */
    GM_SHARING_DEAD_ANY,     /* any line */
} gm_sharing_dead;

typedef struct gm_sharing_lru_parameters {
    gm_sharing_level level;
    gm_sharing_dead dead;
    unsigned index_bits; /* log2 of the number of sets, 1 to 10 */
    unsigned ways;       /* lines of a set, 1 to 32 */
    unsigned sm_bits;    /* L2: bits of an SM's number, 1 to 10; 4 in [tabbakh, VI-A] */
} gm_sharing_lru_parameters;

/* State. A word has a bit for each way of its set; rank and owner lie at set and way. A way that is
 * not in use has no marks. */
typedef struct gm_sharing_lru {
    gm_sharing_lru_parameters parameters;
    uint32_t *used;
    uint32_t *shared;
    uint32_t *dead;
    uint32_t *owned; /* L2 */
    uint8_t *rank;   /* ways in use that are newer */
    uint16_t *owner; /* L2: of owned lines, else 0 */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_sharing_lru;

GM_PORTS_STRUCTS(sharing_lru, SHARING_LRU)

/* An operation ignores the fields of the request that it does not name. */

/* Returns the bytes of an arena that gm_sharing_lru_init takes, at most. */
size_t gm_sharing_lru_bytes(const gm_sharing_lru_parameters *parameters);

/* Makes sets without lines, with storage from the arena. Returns 0; -EINVAL, which names the
 * parameter that is out of range; -ENOMEM if the arena is full. */
int gm_sharing_lru_init(gm_sharing_lru *state, const gm_sharing_lru_parameters *parameters,
                        gm_arena *arena, gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths and
 * `way` is below `ways`. */
gm_sharing_lru_response gm_sharing_lru_access(gm_sharing_lru *state,
                                              gm_sharing_lru_request request);

/* Returns 0 when the invariants hold: the ranks of the ways in use are a total order, marks are of
 * ways in use, a dead line is of the class that stays longer, an L1 knows no owners, a line of the
 * L2 without owner is private. Else -EINVAL, which names the set. */
int gm_sharing_lru_check(const gm_sharing_lru *state, gm_error *error);

/* Checks one set as gm_sharing_lru_check does, after each transaction on it in debug builds. */
int gm_sharing_lru_check_set(const gm_sharing_lru *state, uint32_t index, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
