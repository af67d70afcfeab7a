/* What a timed L1 tells sharing trackers [anssari, 3.1, 3.2]: LOOKUP, FILL and EVICT, which leave
 * by its miss queue, in one order with its stores. Stores wait while a LOOKUP of their line is not
 * answered. docs/hybrid-caching.md has the rules. */
#ifndef GOLDMEM_CYCLE_L1_L1_TRACKER_H
#define GOLDMEM_CYCLE_L1_L1_TRACKER_H

#include "cycle/l1/l1_queue.h"

/* A LOOKUP that is not answered; its number is its MSHR entry, or the entries and the place of the
 * load that bypasses. */
typedef struct gm_cycle_l1_asked {
    uint64_t line;
    uint32_t next; /* of its bucket: number + 1; 0: none */
    uint32_t will_fill;
} gm_cycle_l1_asked;

enum { GM_CYCLE_L1_ASKED_BUCKETS = 256 };

typedef struct gm_cycle_l1_tracked {
    gm_cycle_l1_asked *asked;                   /* [MSHR entries + GM_BYPASSED_LOADS] */
    uint16_t bucket[GM_CYCLE_L1_ASKED_BUCKETS]; /* number + 1 of the first; 0: none */
    uint32_t unanswered;
    uint32_t fill_places;         /* packets that each MSHR entry may queue when its data arrive */
    bool peer_first;              /* if both networks have data for the L1, the peers' come first */
    gm_ring ring;                 /* data that leave for other L1s */
    gm_packet *packet;            /* elements of `ring` */
    gm_cycle *leaves;             /* of each: first cycle in which it can */
    uint64_t came, missed;        /* SUPPLYs; those whose sectors the L1 lacked */
    uint64_t marks_left;          /* LOOKUPs that will fill whose data were not installed */
    uint64_t strong;              /* strong loads */
    gm_tracker_statistics counts; /* what the L1 counts; the rest is the tracker banks' */
} gm_cycle_l1_tracked;

/* Returns the bytes of arena that gm_cycle_l1_tracked_init takes; 0 without trackers. */
size_t gm_cycle_l1_tracked_bytes(const gm_cycle_l1_shared *shared);

/* Makes l1->tracked if there are trackers. Returns 0 or -ENOMEM. */
int gm_cycle_l1_tracked_init(gm_cycle_l1 *l1, gm_arena *arena, gm_error *error);

/* Returns the places that the miss queue needs beside those of an L1 without trackers. */
uint32_t gm_cycle_l1_tracked_places(const gm_cycle_l1_shared *shared);

/* Each function below requires l1->tracked, but where it says otherwise. */

/* Queues the LOOKUP of a load for sectors of a line, whose answer has `id`. `will_fill`: the L1
 * takes or will take a way for the line, of which it holds no sector. */
void gm_cycle_l1_look_up_elsewhere(gm_cycle_l1 *l1, uint64_t line, uint32_t sectors, uint32_t id,
                                   bool will_fill);

/* True if a LOOKUP of the line is not answered. */
bool gm_cycle_l1_is_asked(const gm_cycle_l1 *l1, uint64_t line);

/* Returns true, and counts the first attempt, if a request must wait: a store, atomic or strong
 * load of a line for which a LOOKUP is not answered. Otherwise an older load could get the data of
 * the store from the L1 that supplies it. False without trackers. */
static inline bool gm_cycle_l1_holds(gm_cycle_l1 *l1, const gm_cycle_l1_request *request)
{
    if (l1->tracked == NULL || !gm_cycle_l1_is_asked(l1, request->line->line)) {
        return false;
    }
    l1->tracked->counts.held += !request->again;
    return true;
}

/* The LOOKUP with this id has all its data. */
void gm_cycle_l1_answered_elsewhere(gm_cycle_l1 *l1, uint32_t id);

/* The MSHR entry's data have been installed (queues FILL), or not. Nothing happens for an entry
 * whose LOOKUP marks nothing, or a second time. */
void gm_cycle_l1_tell_fill(gm_cycle_l1 *l1, uint64_t line, uint32_t entry, uint32_t sectors);
void gm_cycle_l1_tell_no_fill(gm_cycle_l1 *l1, uint32_t entry);

/* Queues EVICT of a clean line that made room for another, with l2.victim with its valid sectors.
 */
void gm_cycle_l1_tell_evict(gm_cycle_l1 *l1, uint64_t line, uint32_t valid, bool from_fill);

/* Frees the place of a SUPPLY of a tracker bank. */
void gm_cycle_l1_free_place(gm_cycle_l1 *l1, uint32_t bank, gm_cycle now);

/* Checks, at the end of a kernel, that nothing is in flight and the counts agree. */
int gm_cycle_l1_tracked_check(const gm_cycle_l1 *l1, const char *where, gm_error *error);

/* Saves or loads l1->tracked, if there is one. */
void gm_cycle_l1_tracked_snapshot(gm_cycle_l1 *l1, gm_snapshot *snapshot);

#endif
