/* Victim tags of cache-conscious wavefront scheduling (CCWS) [rogers]: for each warp of an SM the
 * tags of the last lines that the warp brought into the L1 and that were replaced. A load of the
 * warp that misses and finds its line here has lost locality: with more of the cache for itself the
 * warp would have hit. RTL: rtl/victim_tags.sv; page: docs/blocks/victim_tags.md. */
#ifndef GOLDMEM_VICTIM_TAGS_H
#define GOLDMEM_VICTIM_TAGS_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/victim_tags.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_VICTIM_TAGS_WARPS = 64 /* warps, at most */ };

typedef struct gm_victim_tags_parameters {
    unsigned warps;     /* of the SM, 1 to 64; 48 */
    unsigned sets;      /* of a warp's tags, a power of two, 1 to 16; 2 [rogers] */
    unsigned ways;      /* tags of a set, 1 to 16; 8 [rogers] */
    unsigned line_bits; /* of a line address, 1 + log2(sets) to 64; 42 */
} gm_victim_tags_parameters;

/* How far a set is filled: ways 0 to `next` - 1, or all. */
typedef struct gm_victim_tags_fill {
    uint8_t next; /* the way of the next tag: of the oldest one once all hold a tag */
    uint8_t full; /* 1: all ways hold a tag */
} gm_victim_tags_fill;

typedef struct gm_victim_tags {
    gm_victim_tags_parameters parameters;
    unsigned set_bits;         /* log2(sets) */
    gm_victim_tags_fill *fill; /* [warps * sets] */
    uint64_t *tag;             /* [warps * sets][ways] */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_victim_tags;

GM_PORTS_STRUCTS(victim_tags, VICTIM_TAGS)

/* Returns the bytes of an arena that gm_victim_tags_init takes, at most. Requires parameters within
 * their ranges. */
size_t gm_victim_tags_bytes(const gm_victim_tags_parameters *parameters);

/* Begins without tags, with storage from the arena. Returns 0; -EINVAL, which names the parameter
 * that is out of range; -ENOMEM if the arena is full. */
int gm_victim_tags_init(gm_victim_tags *tags, const gm_victim_tags_parameters *parameters,
                        gm_arena *arena, gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths, and,
 * but for RESTART, a warp below `warps`. */
gm_victim_tags_response gm_victim_tags_access(gm_victim_tags *tags, gm_victim_tags_request request);

/* Returns 0 when ways and tags are within their bits, and no set has a tag twice. Else -EINVAL. */
int gm_victim_tags_check(const gm_victim_tags *tags, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
