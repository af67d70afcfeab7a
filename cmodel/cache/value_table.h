/* Value table: the values of sectors in every place that holds data, sparse. A sector that is not
 * in the table has value 0 in all its words. */
#ifndef GOLDMEM_CACHE_VALUE_TABLE_H
#define GOLDMEM_CACHE_VALUE_TABLE_H

#include "cache/cache.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GM_VALUE_WORDS = 8, /* 4-byte words of a sector */
    GM_VALUE_ALL = (1 << GM_VALUE_WORDS) - 1,
};

/* What holds a sector. */
typedef enum gm_value_place {
    GM_VALUE_MEMORY,
    GM_VALUE_L2,
    GM_VALUE_BUFFER,  /* the lines in atomic buffers */
    GM_VALUE_L1,      /* of an SM; mask: words written since the last write-back */
    GM_VALUE_REQUEST, /* a packet to the L2, by SM and id; mask: words written */
    GM_VALUE_PASSED,  /* such a packet, from its sharing tracker on, in time */
    GM_VALUE_REPLY,   /* data for an SM, by SM and id */
    GM_VALUE_WAITING, /* stores that wait for the data of an MSHR entry, by SM and id of the reply;
                         mask: words written */
    GM_VALUE_ASKED,   /* a request, by SM and ticket; mask: its words; got: those that a load has */
    GM_VALUE_BEHIND,  /* a load, by SM and ticket: what its SM had written before it */
    GM_VALUE_SEEN,    /* a load under a protocol, by SM and ticket: what it must see */
    GM_VALUE_OWN,     /* last writes of an SM */
    GM_VALUE_GROUP,   /* last writes of a sharing tracker's SMs, by number of the tracker, that the
                         L2 performed; in time: that passed the tracker */
    GM_VALUE_NAMED,   /* in time, by SM and id: what a LOOKUP's supplier has, as GROUP then was */
    GM_VALUE_FILLING, /* in time: the copy of which an SM's FILL tells, in flight */
    GM_VALUE_EVICTED, /* in time: the copy that an SM's EVICT brings to its tracker */
    GM_VALUE_VICTIM,  /* in time: such a copy, from the tracker on, of an SM's L1 */
    GM_VALUE_LAST,    /* last writes that the L2 performed */
    GM_VALUE_FLOOR,   /* last writes that every SM must see */
    /* By bytes, eight for each entry, whose `sector` is a byte address / 8: */
    GM_VALUE_MEMORY_BYTES,
    GM_VALUE_L2_BYTES,
    GM_VALUE_BUFFER_BYTES,
    GM_VALUE_LAST_BYTES,
    /* Of what a warp has read, by SM and number of the warp: the newest value of each word and the
     * first load that got it; what the latest load got, and which that is. A load: 1 + its number.
     */
    GM_VALUE_NEWEST,
    GM_VALUE_NEWEST_AT,
    GM_VALUE_LATEST,
    GM_VALUE_LATEST_AT,
} gm_value_place;

typedef struct gm_value_sector {
    uint64_t owner;  /* gm_value_owner */
    uint64_t sector; /* byte address / 32 */
    uint32_t next;   /* of the chain, or of the free list: number + 1; 0: none */
    uint8_t mask, got;
    uint8_t waits; /* ASKED: 1 while the load waits for a reply */
    union {
        uint32_t reply; /* ASKED, of a load: its id */
        uint32_t
            bytes; /* ASKED, of a store, REQUEST and PASSED: the bytes that it writes, if known */
    };
    uint32_t later; /* ASKED, of a load: values from this one on were stored after it */
    uint32_t value[GM_VALUE_WORDS];
} gm_value_sector;

typedef struct gm_value_table {
    gm_value_sector *sector; /* [room] */
    uint32_t *chain;         /* [chains] first of each chain: number + 1; 0: none */
    uint32_t room, used;     /* sectors ever used */
    uint32_t free;           /* first of the free list: number + 1; 0: none */
    uint32_t count;          /* in the table */
    uint32_t chains;         /* a power of two */
    bool failed;             /* out of memory: values are void */
    gm_value_sector spare;   /* what gm_value_add returns then */
} gm_value_table;

/* Returns the key of a place. `number`: packet id or ticket. */
static inline uint64_t gm_value_owner(gm_value_place place, uint32_t sm, uint32_t number)
{
    return (uint64_t)place << 56 | (uint64_t)sm << 32 | number;
}

static inline gm_value_place gm_value_place_of(uint64_t owner)
{
    return (gm_value_place)(owner >> 56);
}

static inline uint32_t gm_value_sm_of(uint64_t owner)
{
    return owner >> 32 & 0xffffff;
}

/* Makes an empty table. gm_value_table_free frees its memory. */
void gm_value_table_init(gm_value_table *table);
void gm_value_table_free(gm_value_table *table);

/* Returns the oldest entry of a sector at a place, or NULL. Valid until the next call that adds. */
gm_value_sector *gm_value_find(const gm_value_table *table, uint64_t owner, uint64_t sector);

/* Returns a new entry of value 0 behind the older ones of the sector at the place; on lack of
 * memory an entry that is in no table, and sets `failed`. */
gm_value_sector *gm_value_add(gm_value_table *table, uint64_t owner, uint64_t sector);

/* Returns the entry of a sector at a place, new if there is none. */
gm_value_sector *gm_value_at(gm_value_table *table, uint64_t owner, uint64_t sector);

/* Removes the oldest entry of a sector at a place, if there is one. */
void gm_value_remove(gm_value_table *table, uint64_t owner, uint64_t sector);

/* Gives the sector at `to` the values that it has at `from`; its mask becomes 0. */
void gm_value_copy(gm_value_table *table, uint64_t to, uint64_t from, uint64_t sector);

/* Removes each entry for which `gone` returns true. */
void gm_value_sweep(gm_value_table *table,
                    bool (*gone)(void *context, const gm_value_sector *sector), void *context);

#endif
