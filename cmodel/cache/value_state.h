/* Private to the value layer: its state, and what its files share. values.c has the run, value_l1.c
 * and value_l2.c the events of the caches, value_trackers.c those of sharing trackers,
 * value_checks.c what is checked of a load, of a fence and of the order of loads. */
#ifndef GOLDMEM_CACHE_VALUE_STATE_H
#define GOLDMEM_CACHE_VALUE_STATE_H

#include "cache/value_order.h"
#include "cache/value_table.h"
#include "cache/values.h"
#include "goldmem/bits.h"

#include <stdbool.h>
#include <stdint.h>

enum { GM_VALUE_WHO = 160 }; /* bytes of the description of a store */

/* The warp in a slot of an SM. */
typedef struct gm_value_slot {
    uint64_t cta;
    uint32_t warp, kernel;
    uint32_t number;        /* memory instructions so far */
    uint32_t reader;        /* number of the warp among those of its SM */
    uint32_t loads, stores; /* sectors not answered, stores not performed */
    uint32_t last;          /* the store that is visible last, 0: none */
    uint64_t fenced;        /* the cycle of its last fence behind one of them; 0: none */
} gm_value_slot;

struct gm_values {
    gm_value_table table;
    gm_value_order order;
    const gm_value_observer *observer;
    const uint64_t *now;
    gm_value_warp *issued; /* [sms][GM_VALUE_TICKETS] the warp of each ticket */
    gm_value_slot *slot;   /* [sms][slots] */
    uint32_t readers;      /* warps of all SMs so far */
    uint32_t sms, slots;
    uint32_t group;            /* SMs of whose stores a sharing tracker is told; 0: no trackers */
    unsigned l1_bits, l2_bits; /* log2 of the sectors of a line */
    bool passes;               /* timed sharing trackers: writes pass them, then are performed */
    bool flush;                /* kernels see the writes of earlier ones: l1.flush, or a protocol */
    bool coherent;             /* a protocol tells when writes are visible */
    bool unchecked;            /* wrong values are no errors */
    bool bytes;                /* the L2 and DRAM hold bytes: value_bytes.c */
    uint32_t kernels;          /* begun */
    char kernel[64];
    uint64_t *written; /* [written_count] sectors that the L2 wrote since GM_VALUE_FLOOR was made */
    uint32_t written_count, written_room;
    bool failed; /* out of memory */
    gm_error wrong;
};

/* Returns the slot of a warp. */
static inline gm_value_slot *gm_value_slot_of(gm_values *values, const gm_value_warp *warp)
{
    return &values->slot[(size_t)warp->sm * values->slots + warp->slot];
}

/* Returns the slot in which a warp of this kernel still is, or NULL. */
static inline gm_value_slot *gm_value_slot_with(gm_values *values, const gm_value_warp *warp)
{
    gm_value_slot *in = gm_value_slot_of(values, warp);
    bool same = in->kernel == warp->kernel + 1 && in->cta == warp->cta && in->warp == warp->warp;
    return same ? in : NULL;
}

/* Returns the first sector of an L1's line. */
static inline uint64_t gm_value_l1_sector(const gm_values *values, uint64_t line)
{
    return line << values->l1_bits;
}

/* Returns the byte address of a word. */
static inline uint64_t gm_value_address(uint64_t sector, unsigned word)
{
    return sector * GM_SECTOR + (uint64_t)word * 4;
}

/* Returns the place of the last writes of the SMs that share an SM's tracker. */
static inline uint64_t gm_value_group_of(const gm_values *values, uint32_t sm)
{
    return gm_value_owner(GM_VALUE_GROUP, sm / values->group, 0);
}

/* Writes words of a sector at a place. Returns the sector. */
static inline gm_value_sector *gm_value_write(gm_values *values, uint64_t owner, uint64_t sector,
                                              uint8_t mask, uint32_t value)
{
    gm_value_sector *at = gm_value_at(&values->table, owner, sector);
    for (unsigned left = mask; left != 0; left &= left - 1) {
        at->value[gm_lowest_one(left)] = value;
    }
    return at;
}

/* Keeps the first wrong value. `who`: who read it. */
void gm_value_report(gm_values *values, const char *who, uint64_t address, uint32_t seen,
                     uint32_t expected, const char *why);

/* Keeps what a load must see of a sector: what was visible in cycle `since`, 0: now, and what was
 * visible at its warp's last fence. */
void gm_value_note_visible(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t sector,
                           uint64_t since);

/* Ends a sector of a load that has all its words: checks them, tells the observer. */
void gm_value_end_load(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t sector);

/* Returns the place of the bytes of sectors in the L2 or in atomic buffers. */
static inline gm_value_place gm_value_bytes_of(gm_value_place place)
{
    return place == GM_VALUE_BUFFER ? GM_VALUE_BUFFER_BYTES : GM_VALUE_L2_BYTES;
}

/* Performs a store's write to bytes of a sector in the place of bytes `place`. */
void gm_value_write_bytes(gm_values *values, gm_value_place place, uint64_t sector, uint32_t bytes,
                          uint32_t value);

/* Moves `bytes` of a sector; `from` has none of the sector then, nor `to` others. */
void gm_value_move_bytes(gm_values *values, gm_value_place to, gm_value_place from, uint64_t sector,
                         uint32_t bytes);

/* A host copy writes a sector; `installs`: in the L2 as well, which else drops it. */
void gm_value_copy_bytes(gm_values *values, uint64_t sector, uint32_t value, bool installs);

/* Checks that a place, the L2 or DRAM, has the last values of `bytes` of a sector. `who`: reads it.
 */
void gm_value_check_bytes(gm_values *values, const char *who, gm_value_place place, uint64_t sector,
                          uint32_t bytes);

/* Returns the number of a new store to words of a sector, and tells the observer. */
uint32_t gm_value_number_store(gm_values *values, const gm_value_warp *warp, uint64_t sector,
                               uint8_t mask);

/* Checks that a copy of a sector has the last writes that were performed. `what`, of the SM, it is.
 */
void gm_value_check_last(gm_values *values, const char *what, uint32_t sm, uint64_t owner,
                         uint64_t sector);

/* Tells the observer the old values that an atomic reads. */
void gm_value_answer_atomic(gm_values *values, const gm_value_sector *sent);

/* Counts a store that is performed for its warp's fences. */
void gm_value_end_store(gm_values *values, uint32_t value, uint64_t visible);

/* Makes `value` the last of a word in coherence order. */
void gm_value_become_last(gm_values *values, gm_value_sector *last, unsigned word, uint32_t value,
                          uint64_t visible);

#endif
