/* What the two kinds of L1 share: order_l1.c and l1d_decoupled.c. */
#ifndef GOLDMEM_ORDER_ORDER_L1_LINES_H
#define GOLDMEM_ORDER_ORDER_L1_LINES_H

#include "goldmem/bits.h"
#include "order/order_l1.h"
#include "order/trackers.h"

void gm_order_l1_write_dirty_back(gm_order_l1 *l1d, uint64_t line, uint32_t dirty,
                                  gm_access_kind kind);

static inline void gm_order_l1_write_back(gm_order_l1 *l1d, uint64_t line, uint32_t dirty,
                                          gm_access_kind kind)
{
    if (dirty != 0) {
        gm_order_l1_write_dirty_back(l1d, line, dirty, kind);
    }
}

/* An operation of sharing_tracker passes the SM's tracker, if there is one. */
static inline void gm_order_l1_tell(gm_order_l1 *l1d, uint64_t operation, uint64_t line)
{
    if (l1d->trackers != NULL) {
        gm_trackers_tell(l1d, operation, line);
    }
}

/* A line has been evicted; its dirty sectors go back. */
static inline void gm_order_l1_evicted(gm_order_l1 *l1d, uint64_t line, uint32_t dirty,
                                       gm_access_kind kind)
{
    if (dirty != 0) {
        gm_order_l1_write_dirty_back(l1d, line, dirty, kind);
    } else {
        gm_order_l1_tell(l1d, GM_SHARING_TRACKER_EVICT, line);
    }
}

/* Fetches a load's sectors from another L1, if a tracker knows one that has them, else from the L2.
 * `installs`: the load takes a line of the L1 for them. */
static inline void gm_order_l1_fetch(gm_order_l1 *l1d, uint64_t line, uint32_t sectors,
                                     uint32_t whole, bool installs)
{
    if (l1d->trackers == NULL || !gm_trackers_supply(l1d, line, sectors, installs)) {
        gm_order_noc_send(l1d->port, GM_MESSAGE_READ, line, sectors, whole);
    }
}

/* Counts an access that goes on to the L2 and leaves nothing in the L1; the caller sends it. */
static inline void gm_order_l1_count_bypass(gm_order_l1 *l1d, const gm_line_request *request,
                                            gm_access_kind kind, gm_outcome *outcome)
{
    outcome->bypass = true;
    l1d->statistics.bypasses[kind]++;
    if (kind == GM_LOAD) {
        l1d->bypassed_sectors += gm_count_ones(request->sectors);
    }
}

/* Makes the sectors of a request (or the whole line) valid in a line of which `held` are; fetches
 * those missing except `covered`, which a store overwrites whole. Further sectors of a line held
 * register nothing: its old sectors may lack another SM's store that the tracker has passed on. */
static inline __attribute__((always_inline)) uint32_t gm_order_l1_fill(
    gm_order_l1 *l1d, const gm_line_request *request, gm_sector_state *state, uint32_t held,
    uint32_t covered, gm_access_kind kind)
{
    uint32_t wanted = l1d->policy->sectored ? request->sectors : l1d->policy->all_sectors;
    uint32_t missing = wanted & ~held;
    uint32_t fetched = missing & ~covered;
    state->valid = held | missing;
    if (fetched != 0) {
        l1d->statistics.sectors_filled[kind] += gm_count_ones(fetched);
        if (kind == GM_LOAD) {
            gm_order_l1_fetch(l1d, request->line, fetched, 0, held == 0);
        } else {
            gm_order_noc_send(l1d->port, GM_MESSAGE_READ, request->line, fetched, 0);
        }
    }
    return missing;
}

static inline void gm_order_l1_make_dirty(gm_order_l1 *l1d, gm_sector_state *state,
                                          uint32_t sectors)
{
    unsigned count = gm_count_ones(sectors & ~state->dirty);
    state->dirty |= sectors;
    l1d->dirtied += count;
    l1d->dirty_sectors += count;
}

#endif
