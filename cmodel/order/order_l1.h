/* L1 data cache of an SM: write-evict, write-through or write-back and allocation on store misses,
 * each for global and for local memory; whole lines or sectors are filled. Atomics and strong loads
 * pass it and drop the line. */
#ifndef GOLDMEM_ORDER_ORDER_L1_H
#define GOLDMEM_ORDER_ORDER_L1_H

#include "cache/cache.h"
#include "cache/l1_policy.h"
#include "frontend/coalescer.h"
#include "order/order_noc.h"
#include "policy/bypass.h"

typedef struct gm_order_l1 {
    gm_cache cache;
    struct gm_decoupled_l1 *decoupled; /* with l1.kind=decoupled in place of the cache; or NULL */
    const gm_l1_policy *policy;
    gm_bypass_policy bypass;
    bool plain; /* conventional, and nobody looks at or decides on its accesses */
    gm_order_noc_port *port;
    struct gm_trackers *trackers; /* the trackers behind the L1s, or NULL */
    gm_cache_statistics statistics;
    gm_tracker_statistics tracker;
    uint64_t bypassed_sectors; /* of loads that bypass */
    uint64_t dirtied;          /* sectors that became dirty */
    uint64_t dirty_sectors;    /* now */
} gm_order_l1;

/* Sets `plain`, when what it says has been made or changed. */
void gm_order_l1_settle(gm_order_l1 *l1d);

/* Each fills *outcome, which the caller has zeroed.
 *
 * A load. A strong one (.STRONG.GPU and .STRONG.SYS) must see what other SMs have written: it
 * bypasses the L1 and drops the line. */
void gm_order_l1_load(gm_order_l1 *l1d, const gm_line_request *request, bool strong,
                      gm_outcome *outcome);
void gm_order_l1_store(gm_order_l1 *l1d, const gm_line_request *request, gm_outcome *outcome);

/* An atomic (returns the old values) or a reduction. */
void gm_order_l1_atomic(gm_order_l1 *l1d, const gm_line_request *request, bool returns,
                        gm_outcome *outcome);

/* Sectors of a line that the L1 holds; changes nothing. */
uint32_t gm_order_l1_held(const gm_order_l1 *l1d, uint64_t line);

/* Writes every dirty line back and drops every line. */
void gm_order_l1_flush(gm_order_l1 *l1d);

#endif
