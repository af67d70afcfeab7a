/* Sharing trackers of the order engine [anssari, 3.1, 3.2, 4.2]: between the L1s and the L2, so
 * that a load that one L1 misses is supplied by another that has the line. Each tracker, the block
 * sharing_tracker, is for as many consecutive SMs; trackers do not know of each other. */
#ifndef GOLDMEM_ORDER_TRACKERS_H
#define GOLDMEM_ORDER_TRACKERS_H

#include "goldmem/config.h"
#include "goldmem/engine.h"
#include "goldmem/sharing_tracker.h"
#include "goldmem/statistics.h"

struct gm_order_l1;
struct gm_order_sm;

typedef struct gm_trackers {
    gm_arena arena;
    gm_set_index index;
    const gm_observer *index_observer; /* of its calls; NULL: nobody looks */
    gm_sharing_tracker *tracker;       /* [count] */
    uint32_t count;
    uint32_t cus;           /* SMs of a tracker */
    struct gm_order_sm *sm; /* all SMs */
    /* For the conservation laws, as the trackers see it: */
    uint64_t flushed;               /* entries */
    uint64_t transactions, changed; /* but FLUSH; those that wrote the entry */
    uint64_t messages, sectors;     /* to and from L1s, but those to the L2 */
} gm_trackers;

/* The block's parameters; `index` is kept by the caller. */
gm_sharing_tracker_parameters gm_trackers_parameters(const gm_config *config,
                                                     const gm_set_index *index);

/* Empty trackers for the SMs, for a configuration that has been checked. -EINVAL, -ENOMEM. */
int gm_trackers_init(gm_trackers *trackers, const gm_config *config, struct gm_order_sm *sm,
                     gm_error *error);
void gm_trackers_free(gm_trackers *trackers);

/* Who is told the calls of blocks, from now on. */
void gm_trackers_observe(gm_trackers *trackers, const gm_run_options *options);

/* The L1's SM asks its tracker for a line, of which its L1 needs `sectors`. Returns whether another
 * L1 has supplied them; else they are for the L2 to supply. `installs`: the L1 has taken a line for
 * them that holds nothing else; the tracker registers it. */
bool gm_trackers_supply(struct gm_order_l1 *l1, uint64_t line, uint32_t sectors, bool installs);

/* EVICT, WRITE or COHERENT of the L1's SM passes its tracker. */
void gm_trackers_tell(struct gm_order_l1 *l1, uint64_t operation, uint64_t line);

/* All L1s have been emptied. */
void gm_trackers_flush(gm_trackers *trackers);

/* Adds the bytes of what an SM's L1 and its tracker sent each other, and of data that other L1s
 * supplied it with; `header`: bytes of each message. */
void gm_trackers_add_traffic(const gm_tracker_statistics *counts, uint64_t header,
                             gm_traffic_statistics *traffic);

/* Adds the bytes of all messages that trackers and suppliers have seen, for the conservation laws.
 */
void gm_trackers_add_passed(const gm_trackers *trackers, uint64_t header,
                            gm_traffic_statistics *traffic);

/* Between two accesses: the trackers' invariants; every sharer has its line; nobody's fill is in
 * flight; what the SMs counted, whose sum is `sum`, is what the trackers and suppliers did. -EPROTO
 * names the law and both values. */
int gm_trackers_check(const gm_trackers *trackers, const gm_tracker_statistics *sum,
                      gm_error *error);

#endif
