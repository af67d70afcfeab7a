/* Observer of the accesses of a machine, for analyses: told of each when the timed machine performs
 * it. Units have a pointer to it, NULL without analyses. */
#ifndef GOLDMEM_CYCLE_UTIL_ACCESS_OBSERVER_H
#define GOLDMEM_CYCLE_UTIL_ACCESS_OBSERVER_H

#include "cycle/util/clock.h"

#include <stdbool.h>

/* The warp of an instruction that has got a ticket. */
typedef struct gm_observed_warp {
    uint64_t kernel; /* number in the run */
    uint64_t cta;    /* linear id */
    uint32_t warp;   /* number in the CTA */
    uint32_t sm, ticket;
} gm_observed_warp;

/* A line request that an L1 has taken, or a packet that an L2 bank has looked up. */
typedef struct gm_observed_access {
    uint64_t line; /* byte address >> log2 of the line size of the level */
    uint32_t sectors;
    uint32_t whole; /* stores: sectors of which they write every byte; L2: as in gm_packet, `bytes`
                       where it has these */
    uint32_t sm;
    uint32_t unit; /* L2: the bank */
    uint32_t id;   /* L1: the ticket; L2: the packet's id */
    uint32_t kind; /* L1: gm_request_kind; L2: gm_message_kind */
    bool local;    /* L1 */
    bool hit, waits, stale, bypass, drops, referenced; /* as in gm_analysis_access */
    gm_cycle now;
} gm_observed_access;

typedef struct gm_access_observer {
    void *context;
    /* An instruction of line requests has got a ticket; then for each of them: the lanes. */
    void (*issue)(void *context, const gm_observed_warp *warp);
    void (*ask)(void *context, uint32_t sm, uint32_t ticket, uint64_t line, uint32_t sectors,
                uint32_t lanes);
    void (*l1_access)(void *context, const gm_observed_access *access);
    void (*l2_access)(void *context, const gm_observed_access *access);
    /* Data for which a miss waited have arrived. */
    void (*l1_fill)(void *context, uint32_t sm, uint64_t line, gm_cycle now);
    void (*l2_fill)(void *context, uint64_t line, gm_cycle now);
    /* An L1 drops a line by a coherence protocol, or all its lines. */
    void (*l1_drop)(void *context, uint32_t sm, uint64_t line);
    void (*l1_flush)(void *context, uint32_t sm);
} gm_access_observer;

/* Tells the observer, if there is one, that nobody may use an L1's copy any more. */
static inline void gm_tell_l1_drop(const gm_access_observer *observer, uint32_t sm, uint64_t line)
{
    if (observer != NULL) {
        observer->l1_drop(observer->context, sm, line);
    }
}

#endif
