/* Bytes of an L2 with lines of one sector (l2.dirty=byte) [anssari, 4.3]: which of a line are
 * valid, and which dirty. A store makes its own bytes valid and dirty and fetches nothing; a fetch
 * fills the others; a dirty line that leaves the L2 is written to DRAM with a mask, and nothing is
 * read.
 *
 * A line is partial while some of its bytes are not valid; then all that are valid are dirty. The
 * access rules (l2_access_rules.h) see it as one of a lazy L2. docs/l2.md has the rules. */
#ifndef GOLDMEM_CACHE_L2_BYTES_H
#define GOLDMEM_CACHE_L2_BYTES_H

#include "cache/cache.h"
#include "cache/l2_access_rules.h"
#include "goldmem/statistics.h"

/* Masks of a line's 32 bytes. */
typedef struct gm_l2_byte_mask {
    uint32_t valid;
    uint32_t dirty; /* of `valid` */
} gm_l2_byte_mask;

typedef struct gm_l2_bytes {
    gm_l2_byte_mask *mask; /* [slots] all 0 for a slot without a line */
    uint32_t *partial;     /* [slots] gm_l2.partial: 1 for a partial line */
    gm_l2_bytes_statistics statistics;
    uint64_t dirtied;     /* bytes that became dirty */
    uint64_t overwritten; /* bytes that were dirty when a host copy wrote them */
} gm_l2_bytes;

/* Returns the bytes of arena that gm_l2_bytes_make takes; makes the masks of an empty cache, or
 * returns NULL if the arena is full. `partial`: [slots], 0. */
size_t gm_l2_bytes_size(const gm_cache_parameters *cache);
gm_l2_bytes *gm_l2_bytes_make(const gm_cache *cache, uint32_t *partial, gm_arena *arena);

/* Returns the bytes that a message writes. `bytes`: of a store or atomic, those in the message. */
static inline uint32_t gm_l2_bytes_written(gm_message_kind kind, uint32_t bytes)
{
    bool writes =
        kind == GM_MESSAGE_WRITE || kind == GM_MESSAGE_ATOMIC || kind == GM_MESSAGE_REDUCTION;
    return writes ? bytes : kind == GM_MESSAGE_WRITE_BACK ? UINT32_MAX : 0;
}

/* Returns the bytes that a load or atomic needs. A load needs all: its answer is a sector. */
static inline uint32_t gm_l2_bytes_needed(gm_message_kind kind, uint32_t bytes)
{
    bool some = kind == GM_MESSAGE_ATOMIC || kind == GM_MESSAGE_REDUCTION;
    return some ? bytes : UINT32_MAX;
}

/* Returns 1 if the line in the slot lacks bytes that a load or atomic needs, else 0: the `partial`
 * of the access rules. */
static inline uint32_t gm_l2_bytes_lacks(const gm_l2_bytes *own, gm_message_kind kind,
                                         uint32_t bytes, uint32_t slot)
{
    return (gm_l2_bytes_needed(kind, bytes) & ~own->mask[slot].valid) != 0;
}

/* A line has taken the slot; none of its bytes is valid. */
void gm_l2_bytes_allocate(gm_l2_bytes *own, uint32_t slot);

/* A clean line has left the slot for an L1. */
static inline void gm_l2_bytes_leave(gm_l2_bytes *own, uint32_t slot)
{
    gm_l2_bytes_allocate(own, slot);
}

/* A store has missed, and fetched nothing. Requires the call before gm_l2_bytes_write. */
void gm_l2_bytes_miss(gm_l2_bytes *own, uint32_t bytes);

/* A message has written bytes of the line. Requires that an atomic's were valid. */
void gm_l2_bytes_write(gm_l2_bytes *own, uint32_t slot, uint32_t bytes);

/* An atomic has written bytes of a line that is in no slot. Requires that they are valid. */
void gm_l2_bytes_write_beside(gm_l2_bytes *own, gm_l2_byte_mask *mask, uint32_t bytes);

/* The line's sector has arrived from DRAM. Returns the bytes that it fills: those that were not
 * valid. */
uint32_t gm_l2_bytes_fill(gm_l2_bytes *own, uint32_t slot);

/* Returns the bytes that a fetch fills. */
static inline uint32_t gm_l2_bytes_missing(const gm_l2_bytes *own, uint32_t slot)
{
    return ~own->mask[slot].valid;
}

/* The dirty line leaves the slot: returns its dirty bytes, which are written to DRAM. */
uint32_t gm_l2_bytes_evict(gm_l2_bytes *own, uint32_t slot);

/* A host copy has written the whole line: it is clean, and stays in the slot if the copy installs
 * it. */
void gm_l2_bytes_copy(gm_l2_bytes *own, uint32_t slot, bool installs);

/* Checks the masks against the cache's lines and against the counters `l2`. Returns 0 or -EPROTO.
 */
int gm_l2_bytes_check(const gm_l2_bytes *own, const gm_cache *cache, const gm_cache_statistics *l2,
                      const char *where, gm_error *error);

#endif
