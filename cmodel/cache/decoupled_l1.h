/* L1 data cache of an SM whose lines get a data line by references [li, 4.1]: the block tag_store,
 * and what its data lines hold. order_l1.c calls it; docs/decoupled-l1d.md has what happens when.
 */
#ifndef GOLDMEM_CACHE_DECOUPLED_L1_H
#define GOLDMEM_CACHE_DECOUPLED_L1_H

#include "base/snapshot.h"
#include "cache/cache.h"
#include "goldmem/tag_store.h"
#include "policy/dueling.h"

typedef struct gm_decoupled_l1 {
    gm_tag_store tags;
    gm_sector_state *state; /* [sets * data ways] of each data line; valid 0: it holds nothing */
    const gm_observer *index_observer; /* of the calls of set_index; NULL: nobody looks */
    gm_dueling *dueling;               /* of all L1s; NULL: none */
    uint32_t sm;                       /* whose L1 it is */
    bool conventional;                 /* the access at hand is a conventional cache's */
    /* For the conservation laws: */
    uint64_t references; /* PROBEs, WRITEs and INVALIDATEs */
    uint64_t allocated;  /* answered MISS */
    uint64_t filled;     /* FILLs that found their line */
    uint64_t died;       /* lines that were written or invalidated while they waited */
    uint64_t dropped;    /* FILLs that found a dead line */
} gm_decoupled_l1;

/* The block's parameters; `index` is kept by the caller. */
gm_tag_store_parameters gm_decoupled_l1_parameters(const gm_config *config,
                                                   const gm_set_index *index);

/* Bytes of arena that gm_decoupled_l1_init takes, at most. */
size_t gm_decoupled_l1_bytes(const gm_tag_store_parameters *parameters);

/* An empty L1. -EINVAL, -ENOMEM. */
int gm_decoupled_l1_init(gm_decoupled_l1 *decoupled, const gm_tag_store_parameters *parameters,
                         gm_arena *arena, gm_error *error);

/* The block's transaction; observers of both blocks are told. */
gm_tag_store_response gm_decoupled_l1_transact(gm_decoupled_l1 *decoupled,
                                               gm_tag_store_request request);

/* From now on the L1, of SM `sm`, takes part in SM dueling. */
static inline void gm_decoupled_l1_join(gm_decoupled_l1 *decoupled, gm_dueling *dueling,
                                        uint32_t sm)
{
    decoupled->dueling = dueling;
    decoupled->sm = sm;
}

/* An access begins: which design is it for? */
static inline void gm_decoupled_l1_begin(gm_decoupled_l1 *decoupled)
{
    if (decoupled->dueling != NULL) {
        decoupled->conventional = gm_dueling_is_conventional(decoupled->dueling, decoupled->sm);
    }
}

/* A PROBE of the access at hand. */
gm_tag_store_response gm_decoupled_l1_probe(gm_decoupled_l1 *decoupled, uint64_t line,
                                            bool may_miss, bool may_bypass);

/* The data of a MISS have come: whether the line still wants them. */
bool gm_decoupled_l1_fill(gm_decoupled_l1 *decoupled, uint64_t line, uint32_t position);

/* A data line's number in `state`. */
static inline uint32_t gm_decoupled_l1_slot(const gm_decoupled_l1 *decoupled, uint64_t index,
                                            uint64_t position)
{
    return (uint32_t)(index * decoupled->tags.parameters.data_ways + position);
}

/* What a data line holds. */
static inline gm_sector_state *gm_decoupled_l1_state(const gm_decoupled_l1 *decoupled,
                                                     uint64_t index, uint64_t position)
{
    return &decoupled->state[gm_decoupled_l1_slot(decoupled, index, position)];
}

/* When no line waits: the laws between tag store, data lines and counters. -EPROTO
 * names the law and both values. */
int gm_decoupled_l1_check_tags(const gm_decoupled_l1 *decoupled, const gm_cache_statistics *counts,
                               uint64_t dirty_sectors, const char *where, gm_error *error);

void gm_decoupled_l1_snapshot(gm_decoupled_l1 *decoupled, gm_snapshot *snapshot);

#endif
