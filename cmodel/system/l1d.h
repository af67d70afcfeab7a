/* L1 data cache of an SM: write-evict, write-through or write-back and allocation on store misses,
 * each for global and for local memory; whole lines or sectors are filled. Atomics and strong loads
 * pass it and drop the line. */
#ifndef GOLDMEM_SYSTEM_L1D_H
#define GOLDMEM_SYSTEM_L1D_H

#include "policy/policy.h"
#include "system/cache.h"
#include "system/coalescer.h"
#include "system/noc.h"

typedef struct gm_l1d_policy {
    uint32_t all_sectors; /* of a line */
    bool enabled;
    bool conventional; /* enabled, and l1.kind says so */
    bool bypasses;     /* conventional, and l1.bypass has a say in an access */
    bool sectored;
    bool flush;               /* at the end of each kernel */
    gm_write_policy write[2]; /* [0] global, [1] local */
    bool allocate[2];         /* likewise */
} gm_l1d_policy;

typedef struct gm_l1d {
    gm_cache cache;
    struct gm_l1d_decoupled *decoupled; /* with l1.kind=decoupled in place of the cache; or NULL */
    const gm_l1d_policy *policy;
    gm_bypass_policy bypass;
    bool plain; /* conventional, and nobody looks at or decides on its accesses */
    gm_noc_port *port;
    struct gm_trackers *trackers; /* the trackers behind the L1s, or NULL */
    gm_cache_statistics statistics;
    gm_tracker_statistics tracker;
    uint64_t bypassed_sectors; /* of loads that bypass */
    uint64_t dirtied;          /* sectors that became dirty */
    uint64_t dirty_sectors;    /* now */
} gm_l1d;

void gm_l1d_policy_init(gm_l1d_policy *policy, const gm_config *config);

/* Sets `plain`, when what it says has been made or changed. */
void gm_l1d_settle(gm_l1d *l1d);

/* Each fills *outcome, which the caller has zeroed.
 *
 * A load. A strong one (.STRONG.GPU and .STRONG.SYS) must see what other SMs have written: it
 * bypasses the L1 and drops the line. */
void gm_l1d_load(gm_l1d *l1d, const gm_line_request *request, bool strong, gm_outcome *outcome);
void gm_l1d_store(gm_l1d *l1d, const gm_line_request *request, gm_outcome *outcome);

/* An atomic (returns the old values) or a reduction. */
void gm_l1d_atomic(gm_l1d *l1d, const gm_line_request *request, bool returns, gm_outcome *outcome);

/* Sectors of a line that the L1 holds; changes nothing. */
uint32_t gm_l1d_held(const gm_l1d *l1d, uint64_t line);

/* Writes every dirty line back and drops every line. */
void gm_l1d_flush(gm_l1d *l1d);

#endif
