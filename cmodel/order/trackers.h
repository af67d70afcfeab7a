/* Sharing trackers of the order engine [anssari, 3.1, 3.2, 4.2], between the L1s and the L2: an L1
 * that has a line supplies it to a load that misses in another. Each tracker serves an
 * equal number of consecutive SMs; trackers are isolated from each other unless they ask each other
 * (tracker.ask). A tracker is a sharing_tracker block for each memory partition
 * (cache/tracker_map.h). */
#ifndef GOLDMEM_ORDER_TRACKERS_H
#define GOLDMEM_ORDER_TRACKERS_H

#include "cache/tracker_map.h"
#include "goldmem/config.h"
#include "goldmem/engine.h"
#include "goldmem/sharing_tracker.h"
#include "goldmem/statistics.h"

struct gm_order_l1;
struct gm_order_sm;

typedef struct gm_trackers {
    gm_arena arena;
    gm_set_index index;
    const gm_observer *index_observer; /* of the calls of index; NULL: no observer */
    gm_tracker_map map;
    gm_sharing_tracker *tracker; /* [count] the instances of the first tracker, then the others' */
    uint32_t count;
    uint32_t told;          /* trackers that a store is told to: 1, with tracker.ask all */
    bool victims;           /* lines of last sharers go to the L2: l2.victim */
    struct gm_order_sm *sm; /* all SMs */
    /* Counted by the trackers for the conservation laws: */
    uint64_t flushed;               /* entries freed by FLUSH */
    uint64_t transactions, changed; /* without FLUSH; those that wrote the entry */
    uint64_t messages, sectors;     /* to and from L1s, without those to the L2 */
    uint64_t evict_sectors;         /* received with EVICTs */
} gm_trackers;

/* Makes empty trackers for the SMs. Requires a configuration that has been checked. Returns 0,
 * -EINVAL or -ENOMEM. */
int gm_trackers_init(gm_trackers *trackers, const gm_config *config, struct gm_order_sm *sm,
                     gm_error *error);
void gm_trackers_free(gm_trackers *trackers);

/* Sets the observers of the blocks' transactions. */
void gm_trackers_observe(gm_trackers *trackers, const gm_run_options *options);

/* Does LOOKUP: requests `sectors` of a line from another L1 through the SM's tracker. Returns true
 * if another L1 supplied them; else the L2 must. `installs`: the L1 has allocated a line for these
 * sectors only; FILL follows at once, or in a run with values, which it checks, by
 * gm_trackers_fill when they are installed. */
bool gm_trackers_supply(struct gm_order_l1 *l1, uint64_t line, uint32_t sectors, bool installs);

/* Does FILL: registers the SM as a sharer of a line, of which its L1 holds `sectors`. */
void gm_trackers_fill(struct gm_order_l1 *l1, uint64_t line, uint32_t sectors);

/* Does EVICT of a clean line of which the L1 held `sectors`. With l2.victim sends the line to the
 * L2 if its tracker, or with tracker.ask any tracker, knows no other sharer. */
void gm_trackers_evict(struct gm_order_l1 *l1, uint64_t line, uint32_t sectors);

/* Does WRITE or COHERENT in the tracker of the L1's SM; with tracker.ask in all trackers. */
void gm_trackers_tell(struct gm_order_l1 *l1, uint64_t operation, uint64_t line);

/* Frees all entries. Requires that all L1s are empty. */
void gm_trackers_flush(gm_trackers *trackers);

/* Adds the bytes of the messages between an SM's L1 and its tracker, and of the data that other L1s
 * supplied to it. `header`: bytes of a message without data. */
void gm_trackers_add_traffic(const gm_tracker_statistics *counts, uint64_t header,
                             gm_traffic_statistics *traffic);

/* Adds the bytes of all messages that trackers and suppliers counted, for the conservation laws.
 */
void gm_trackers_add_passed(const gm_trackers *trackers, uint64_t header,
                            gm_traffic_statistics *traffic);

/* Checks the trackers' invariants; that every sharer has its line and no fill is in flight; and
 * that `sum`, the sum of the SMs' counts, equals the trackers' and suppliers' counts. Requires that
 * no access is under way. Returns 0, or -EPROTO, which names the conservation law and both values.
 */
int gm_trackers_check(const gm_trackers *trackers, const gm_tracker_statistics *sum,
                      gm_error *error);

#endif
