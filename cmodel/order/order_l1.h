/* L1 data cache of an SM in the order engine. Write policy and allocation on store misses are
 * configured for global and for local memory; fills are lines or sectors. docs/l1d.md has the rules
 * of an access. */
#ifndef GOLDMEM_ORDER_ORDER_L1_H
#define GOLDMEM_ORDER_ORDER_L1_H

#include "cache/cache.h"
#include "cache/l1_policy.h"
#include "cache/request_kind.h"
#include "frontend/coalescer.h"
#include "order/order_noc.h"
#include "policy/bypass.h"

typedef struct gm_order_l1 {
    gm_cache cache;
    struct gm_decoupled_l1 *decoupled; /* l1.kind=decoupled: replaces the cache; else NULL */
    const gm_l1_policy *policy;
    gm_bypass_policy bypass;
    bool usual; /* conventional, without bypass policy, gate and profile */
    gm_order_noc_port *port;
    struct gm_streaming *streaming; /* l1.streaming; else NULL */
    struct gm_trackers *trackers;   /* the sharing trackers behind the L1s, or NULL */
    struct gm_values *values;       /* of --check=values, or NULL; then the L1 is not `usual`, and a
                                       message     is done when it is sent */
    gm_cache_statistics statistics;
    gm_tracker_statistics tracker;
    uint64_t bypassed_sectors; /* of loads that bypass */
    uint64_t dirtied;          /* sectors that became dirty */
    uint64_t dirty_sectors;    /* now */
} gm_order_l1;

/* Sets `usual`. Requires a call after each change of policy or bypass. */
void gm_order_l1_settle(gm_order_l1 *l1);

/* Does an access and fills *outcome. Requires that *outcome is zeroed. */
void gm_order_l1_access(gm_order_l1 *l1, const gm_line_request *request, gm_request_kind kind,
                        gm_outcome *outcome);

/* Returns the sectors of a line that the L1 holds; changes nothing. */
uint32_t gm_order_l1_held(const gm_order_l1 *l1, uint64_t line);

/* Writes every dirty line back and drops every line. */
void gm_order_l1_flush(gm_order_l1 *l1);

#endif
