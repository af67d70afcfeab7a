/* L1 data cache of an SM whose lines get a data line by references [li, 4.1]: the block tag_store,
 * and what its data lines hold. l1d.c calls it; docs/decoupled-l1d.md has what happens when. */
#ifndef GOLDMEM_SYSTEM_L1D_DECOUPLED_H
#define GOLDMEM_SYSTEM_L1D_DECOUPLED_H

#include "goldmem/tag_store.h"
#include "system/dueling.h"
#include "system/l1d.h"

typedef struct gm_l1d_decoupled {
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
} gm_l1d_decoupled;

/* The block's parameters; `index` is kept by the caller. */
gm_tag_store_parameters gm_l1d_decoupled_parameters(const gm_config *config,
                                                    const gm_set_index *index);

/* Bytes of arena that gm_l1d_decoupled_init takes, at most. */
size_t gm_l1d_decoupled_bytes(const gm_tag_store_parameters *parameters);

/* An empty L1. -EINVAL, -ENOMEM. */
int gm_l1d_decoupled_init(gm_l1d_decoupled *decoupled, const gm_tag_store_parameters *parameters,
                          gm_arena *arena, gm_error *error);

/* The block's transaction; observers of both blocks are told. */
gm_tag_store_response gm_l1d_decoupled_transact(gm_l1d_decoupled *decoupled,
                                                gm_tag_store_request request);

/* From now on the L1, of SM `sm`, takes part in SM dueling. */
static inline void gm_l1d_decoupled_join(gm_l1d_decoupled *decoupled, gm_dueling *dueling,
                                         uint32_t sm)
{
    decoupled->dueling = dueling;
    decoupled->sm = sm;
}

/* An access begins: which design is it for? */
static inline void gm_l1d_decoupled_begin(gm_l1d_decoupled *decoupled)
{
    if (decoupled->dueling != NULL) {
        decoupled->conventional = gm_dueling_is_conventional(decoupled->dueling, decoupled->sm);
    }
}

/* A PROBE of the access at hand. */
gm_tag_store_response gm_l1d_decoupled_probe(gm_l1d_decoupled *decoupled, uint64_t line,
                                             bool may_miss, bool may_bypass);

/* The data of a MISS have come: whether the line still wants them. */
bool gm_l1d_decoupled_fill(gm_l1d_decoupled *decoupled, uint64_t line, uint32_t position);

/* A data line's number in `state`. */
static inline uint32_t gm_l1d_decoupled_slot(const gm_l1d_decoupled *decoupled, uint64_t index,
                                             uint64_t position)
{
    return (uint32_t)(index * decoupled->tags.parameters.data_ways + position);
}

/* When no line waits: the laws between tag store, data lines and counters. -EPROTO
 * names the law and both values. */
int gm_l1d_decoupled_check_tags(const gm_l1d_decoupled *decoupled,
                                const gm_cache_statistics *counts, uint64_t dirty_sectors,
                                const char *where, gm_error *error);

/* The order engine's, from here on: l1d->decoupled does what gm_l1d_load and gm_l1d_store say; they
 * have counted the access. */
void gm_l1d_decoupled_load(gm_l1d *l1d, const gm_line_request *request, gm_outcome *outcome);
void gm_l1d_decoupled_store(gm_l1d *l1d, const gm_line_request *request, gm_outcome *outcome);

/* The line of an access that passes the L1 is forgotten. */
void gm_l1d_decoupled_forget(gm_l1d *l1d, uint64_t line, gm_access_kind kind, gm_outcome *outcome);

/* Sectors of a line that its data line holds; changes nothing. */
uint32_t gm_l1d_decoupled_held(const gm_l1d *l1d, uint64_t line);

void gm_l1d_decoupled_flush(gm_l1d *l1d);

/* The laws between tag store, data lines and counters, between two accesses.
 * -EPROTO names the law and both values. */
int gm_l1d_decoupled_check(const gm_l1d *l1d, const char *where, gm_error *error);

#endif
