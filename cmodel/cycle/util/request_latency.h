/* What an SM keeps of its requests in flight for the latency histograms (goldmem/latency.h). */
#ifndef GOLDMEM_CYCLE_UTIL_REQUEST_LATENCY_H
#define GOLDMEM_CYCLE_UTIL_REQUEST_LATENCY_H

#include "base/snapshot.h"
#include "cycle/util/clock.h"
#include "goldmem/latency.h"
#include "goldmem/mshr.h"

#include <stdbool.h>

enum { GM_LATENCY_TICKETS = 2048, GM_LATENCY_BYPASSED = 1024 };

/* Levels are gm_latency_source values, so far, of the answers that have come; kinds
 * gm_latency_kind, GM_LATENCY_KINDS: not counted. */
typedef struct gm_cycle_latency {
    gm_latencies *all; /* of the machine */
    gm_cycle issued[GM_LATENCY_TICKETS];
    uint8_t kind[GM_LATENCY_TICKETS], level[GM_LATENCY_TICKETS];
    uint8_t of_entry[GM_MSHR_ENTRIES];        /* of the data of an L1 MSHR entry */
    uint8_t of_bypassed[GM_LATENCY_BYPASSED]; /* of a load that bypasses the L1 */
} gm_cycle_latency;

static inline void gm_latency_raise(uint8_t *level, uint8_t to)
{
    *level = to > *level ? to : *level;
}

/* A ticket's instruction enters the load/store unit. */
static inline void gm_latency_begin(gm_cycle_latency *own, uint32_t ticket, gm_latency_kind kind)
{
    own->kind[ticket] = (uint8_t)kind;
    own->level[ticket] = GM_SERVED_BY_l1;
}

/* One of a ticket's requests is answered; `load`: it is one of a load, of so many core cycles. */
static inline void gm_latency_answer(gm_cycle_latency *own, uint32_t ticket, uint8_t level,
                                     bool load, uint64_t cycles)
{
    gm_latency_raise(&own->level[ticket], level);
    if (load) {
        gm_latency_add(&own->all->of[GM_LATENCY_requests][level], cycles);
    }
}

/* All of a ticket's requests are answered. */
static inline void gm_latency_end(const gm_cycle_latency *own, uint32_t ticket, gm_cycle now)
{
    if (own->kind[ticket] != GM_LATENCY_KINDS) {
        gm_latency_add(&own->all->of[own->kind[ticket]][own->level[ticket]],
                       now - own->issued[ticket]);
    }
}

/* Saves or loads the state. */
static inline void gm_latency_snapshot(gm_cycle_latency *own, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, own->issued);
    GM_SNAPSHOT_VALUE(snapshot, own->kind);
    GM_SNAPSHOT_VALUE(snapshot, own->level);
    GM_SNAPSHOT_VALUE(snapshot, own->of_entry);
    GM_SNAPSHOT_VALUE(snapshot, own->of_bypassed);
}

#endif
