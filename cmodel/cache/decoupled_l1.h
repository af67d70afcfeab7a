/* Decoupled L1 data cache of an SM, the part that both engines share [li, 4.1]: the block tag_store
 * and the sector state of its data lines. docs/decoupled-l1d.md has the rules. */
#ifndef GOLDMEM_CACHE_DECOUPLED_L1_H
#define GOLDMEM_CACHE_DECOUPLED_L1_H

#include "base/snapshot.h"
#include "cache/cache.h"
#include "goldmem/tag_store.h"
#include "policy/dueling.h"

typedef struct gm_decoupled_l1 {
    gm_tag_store tags;
    gm_sector_state *state;            /* [sets * data ways] of each data line; valid 0: empty */
    const gm_observer *index_observer; /* of the calls of set_index; NULL: no observer */
    gm_dueling *dueling;               /* of all L1s; NULL: none */
    uint32_t sm;                       /* the L1's SM */
    bool conventional;                 /* the current access runs the conventional design */
    /* Counted for the conservation laws: */
    uint64_t references; /* PROBEs, WRITEs and INVALIDATEs */
    uint64_t allocated;  /* answered MISS */
    uint64_t filled;     /* FILLs that found their line */
    uint64_t died;       /* lines that were written or invalidated while they waited */
    uint64_t dropped;    /* FILLs that found a dead line */
} gm_decoupled_l1;

/* Returns the block's parameters; the caller keeps `index`. */
gm_tag_store_parameters gm_decoupled_l1_parameters(const gm_config *config,
                                                   const gm_set_index *index);

/* Returns the bytes of an arena that gm_decoupled_l1_init takes, at most. */
size_t gm_decoupled_l1_bytes(const gm_tag_store_parameters *parameters);

/* Makes an empty L1. Returns 0, -EINVAL or -ENOMEM. */
int gm_decoupled_l1_init(gm_decoupled_l1 *decoupled, const gm_tag_store_parameters *parameters,
                         gm_arena *arena, gm_error *error);

/* Does a transaction of tag_store; calls the observers of tag_store and set_index. */
gm_tag_store_response gm_decoupled_l1_transact(gm_decoupled_l1 *decoupled,
                                               gm_tag_store_request request);

/* Lets the L1, of SM `sm`, take part in SM dueling. */
static inline void gm_decoupled_l1_join(gm_decoupled_l1 *decoupled, gm_dueling *dueling,
                                        uint32_t sm)
{
    decoupled->dueling = dueling;
    decoupled->sm = sm;
}

/* Begins an access: latches the design that the SM runs. */
static inline void gm_decoupled_l1_begin(gm_decoupled_l1 *decoupled)
{
    if (decoupled->dueling != NULL) {
        decoupled->conventional = gm_dueling_is_conventional(decoupled->dueling, decoupled->sm);
    }
}

/* Does a PROBE of the current access. */
gm_tag_store_response gm_decoupled_l1_probe(gm_decoupled_l1 *decoupled, uint64_t line,
                                            bool may_miss, bool may_bypass);

/* Does the FILL of a MISS, whose data arrived. Returns true if the data are installed, false if the
 * line is dead. */
bool gm_decoupled_l1_fill(gm_decoupled_l1 *decoupled, uint64_t line, uint32_t position);

/* Returns a data line's number in `state`. */
static inline uint32_t gm_decoupled_l1_slot(const gm_decoupled_l1 *decoupled, uint64_t index,
                                            uint64_t position)
{
    return (uint32_t)(index * decoupled->tags.parameters.data_ways + position);
}

/* Returns the sector state of a data line. */
static inline gm_sector_state *gm_decoupled_l1_state(const gm_decoupled_l1 *decoupled,
                                                     uint64_t index, uint64_t position)
{
    return &decoupled->state[gm_decoupled_l1_slot(decoupled, index, position)];
}

/* Checks the invariants between tag store, data lines and counters. Requires that no line waits.
 * Returns 0, or -EPROTO, which names the invariant and both values. */
int gm_decoupled_l1_check_tags(const gm_decoupled_l1 *decoupled, const gm_cache_statistics *counts,
                               uint64_t dirty_sectors, const char *where, gm_error *error);

void gm_decoupled_l1_snapshot(gm_decoupled_l1 *decoupled, gm_snapshot *snapshot);

#endif
