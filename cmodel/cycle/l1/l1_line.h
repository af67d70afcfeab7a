/* Private to the L1 with time: what its tags hold of a line, and lines that come and go, whichever
 * kind of tags it has. l1_line.c has the conventional cache, l1_decoupled.c the decoupled one. */
#ifndef GOLDMEM_CYCLE_L1_L1_LINE_H
#define GOLDMEM_CYCLE_L1_L1_LINE_H

#include "cache/decoupled_l1.h"
#include "cycle/l1/l1_queue.h"

/* What tags and MSHRs hold of a request's line. */
typedef struct gm_cycle_l1_line {
    gm_cache_place place; /* slot: GM_NO_SLOT, it has none; decoupled: a data line's number */
    bool there;           /* has a slot, whose line may wait */
    bool pending;         /* all that is missing is on its way */
    uint32_t held;        /* valid sectors */
    uint32_t dirty;       /* of them */
    uint32_t missing;     /* sectors asked for and not held */
    uint32_t open;        /* entry, or GM_NO_ENTRY */
    uint32_t coming;      /* sectors on their way in it */
    /* Decoupled: what a PROBE would find and do. HIT_PENDING of a line that is not there: dead. */
    uint32_t outcome;  /* conventional: 0 */
    uint32_t victim;   /* slot whose line it would give up, or GM_NO_SLOT */
    bool victim_waits; /* for sectors */
} gm_cycle_l1_line;

static inline gm_sector_state *gm_cycle_l1_state(gm_cycle_l1 *l1d, uint32_t slot)
{
    return l1d->decoupled == NULL ? gm_cache_state(&l1d->cache, slot)
                                  : &l1d->decoupled->state[slot];
}

gm_cycle_l1_line gm_cycle_l1_look_up(gm_cycle_l1 *l1d, const gm_line_request *request);

/* The same of a conventional L1, where gm_cache_find has given the place. */
gm_cycle_l1_line gm_cycle_l1_look_up_at(gm_cycle_l1 *l1d, const gm_line_request *request,
                                        gm_cache_place place);

/* A reference to a line; `may_miss`: it may be on its way. */
void gm_cycle_l1_touch(gm_cycle_l1 *l1d, uint64_t address, const gm_cycle_l1_line *line,
                       bool may_miss);

/* The slot that a line without one gets, and packets for the write-back of what is in it now.
 * false: there is none. */
bool gm_cycle_l1_find_slot(gm_cycle_l1 *l1d, const gm_cycle_l1_line *line, uint32_t *slot,
                           uint32_t *packets);

/* A request that must pass the line: what stores that wait have written would be lost. */
static inline bool gm_cycle_l1_may_close(const gm_cycle_l1 *l1d, const gm_cycle_l1_line *line)
{
    return line->open == GM_NO_ENTRY || l1d->entry[line->open].dirty == 0;
}

/* The line's data on their way are not installed, for the sake of a request that passes them; a
 * line with no valid sector gives its slot back (decoupled: when its data come). Whether there was
 * such a line. */
bool gm_cycle_l1_close(gm_cycle_l1 *l1d, uint64_t address, const gm_cycle_l1_line *line,
                       gm_access_kind kind);

/* The line goes too. After a request that is no store, a decoupled L1 has forgotten it. */
void gm_cycle_l1_remove(gm_cycle_l1 *l1d, uint64_t address, const gm_cycle_l1_line *line,
                        gm_access_kind kind);

/* Conventional: puts a line into the slot that gm_cache_victim has named, and sends what was there.
 * Returns the slot. */
static inline uint32_t gm_cycle_l1_take_line(gm_cycle_l1 *l1d, uint64_t line, gm_cache_place place,
                                             uint32_t slot, gm_access_kind kind, bool from_fill)
{
    gm_victim victim;
    slot = gm_cache_replace(&l1d->cache, line, place, slot, &victim);
    if (victim.state.valid != 0) {
        l1d->statistics.evictions[kind]++;
        if (victim.state.dirty != 0) {
            gm_cycle_l1_write_back(l1d, victim.line, victim.state.dirty, kind, from_fill);
        }
    }
    return slot;
}

void gm_cycle_l1_make_dirty(gm_cycle_l1 *l1d, uint32_t slot, uint32_t sectors);

/* Decoupled: a request is tried. What its first try finds the SM to run, it is for. */
static inline void gm_cycle_l1_decoupled_begin_at(gm_cycle_l1 *l1d,
                                                  const gm_cycle_l1_request *request, gm_cycle now)
{
    if (l1d->decoupled != NULL && l1d->decoupled->dueling != NULL) {
        gm_dueling_catch_up(l1d->decoupled->dueling, now);
        if (!request->again) {
            gm_decoupled_l1_begin(l1d->decoupled);
        }
    }
}

/* Decoupled, for the functions above. */
void gm_cycle_l1_decoupled_look_up(const gm_cycle_l1 *l1d, uint64_t address,
                                   gm_cycle_l1_line *line);
bool gm_cycle_l1_decoupled_find_slot(const gm_cycle_l1 *l1d, const gm_cycle_l1_line *line,
                                     uint32_t *packets);
void gm_cycle_l1_decoupled_remove(gm_cycle_l1 *l1d, uint64_t address, gm_access_kind kind);

/* Decoupled: PROBE is a MISS, `filled`: at once. The slot; what was there has been sent. */
uint32_t gm_cycle_l1_decoupled_take_line(gm_cycle_l1 *l1d, uint64_t address, gm_access_kind kind,
                                         bool filled);

/* Decoupled: PROBE is a BYPASS, if there is room for it: of a load on the bypass path; of a store
 * that allocates in the miss queue. */
gm_cycle_l1_answer gm_cycle_l1_decoupled_pass(gm_cycle_l1 *l1d, const gm_cycle_l1_request *request,
                                              const gm_cycle_l1_line *line, uint32_t *answers);

/* Decoupled: the first answer of an entry; `open`: it has not been closed. Whether something has
 * changed for requests that wait. */
bool gm_cycle_l1_decoupled_arrive(gm_cycle_l1 *l1d, uint64_t address, gm_cycle_l1_entry *entry,
                                  bool open);

#endif
