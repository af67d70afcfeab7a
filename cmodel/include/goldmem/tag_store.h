/* Decoupled LFU tag store [li, 4.1, 4.2]: the tags of an L1 data cache with more tags than data
 * lines. An entry counts the references to its line; at the locality threshold it gets a data line,
 * before that its line is bypassed. RTL: rtl/tag_store.sv; page with each rule:
 * docs/blocks/tag_store.md. */
#ifndef GOLDMEM_TAG_STORE_H
#define GOLDMEM_TAG_STORE_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/tag_store.h"
#include "goldmem/replacement.h"
#include "goldmem/set_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_TAG_STORE_WAYS = 32,  /* tag ways, at most */
    GM_TAG_STORE_NONE = 127, /* rank of a data line that is not in the order */
};

typedef struct gm_tag_store_parameters {
    const gm_set_index *index; /* kept by the caller; 4 to 1024 sets, at least one tag bit */
    unsigned tag_ways;         /* 2 to 32; 8 [li, Table 3] */
    unsigned data_ways;        /* 1 to tag_ways - 1; 4 [li, Table 3] */
    unsigned rc_bits;          /* 1 to 8; 6 [li, 4.1] */
    unsigned threshold;        /* 0 to 2^rc_bits - 1; 2 [li, Table 3] */
    unsigned allocation_rc;    /* RC of a new entry, 0 to 2^rc_bits - 1; 1 */
    bool compare_above;        /* a data line is due at RC > threshold, not at RC >= threshold */
    bool age_twice; /* an allocation that evicts ages by 2: the paper ages on either [li, 4.2] */
    bool lfu_any;   /* entries with a data line are candidates of LFU too */
    gm_replacement_policy replacement; /* of data lines [li, 4.2]; its parameters: */
    unsigned rrpv_bits;                /* SRRIP, SHIP: 1 to 4; 2 in Jaleel et al. */
    unsigned signature_bits;           /* SHIP: 1 to 14; 14 in Wu et al. */
    unsigned counter_bits;             /* SHIP: 1 to 4; 3 in Wu et al. */
} gm_tag_store_parameters;

/* Masks of a set: entries, with a bit for each tag way, and data lines in use. */
typedef struct gm_tag_store_set {
    uint32_t valid;     /* entries that a look-up can hit */
    uint32_t waiting;   /* entries that await their FILL; not valid: dead */
    uint32_t committed; /* entries in use (valid or waiting) that own a data line */
    uint32_t lines;     /* data lines that an entry owns; Free_Line counts the others */
} gm_tag_store_set;

/* State. The fields of an entry lie at its set and way, those of a data line at its set and
 * position; a set's part of `hash`, `rc` and `rank` begins at a word. */
typedef struct gm_tag_store {
    gm_tag_store_parameters parameters;
    unsigned enough[2];    /* RC from which a data line is due; of a conventional PROBE */
    unsigned words;        /* of a set in `hash` and `rc` */
    unsigned rank_words;   /* of a set in `rank` */
    gm_tag_store_set *set; /* one for each set */
    uint64_t *line;        /* line addresses */
    uint64_t *hash;        /* a byte of each line address, way 0 lowest: looked up 8 at once */
    uint64_t *rc;          /* a byte each; 0 where the entry is not valid */
    uint64_t *rank;        /* LRU: a byte for each data line: newer ones, GM_TAG_STORE_NONE: not
                            * owned by a valid entry */
    uint8_t *position;     /* data line of a committed entry */
    uint8_t *owner;        /* tag way that owns a data line */
    gm_replacement_state *lines; /* SRRIP, SHIP: in use are the data lines that a valid entry owns;
                                  * NULL: LRU */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_tag_store;

GM_PORTS_STRUCTS(tag_store, TAG_STORE)

/* Operations. Each ignores the fields of the request that it does not name.
 * PROBE       An access to `line` with the permissions may_miss and may_bypass; on RESERVATION_FAIL
 *             nothing changes. With `conventional` the threshold counts as 0 [li, 4.3].
 * FILL        The data of the MISS that got `position` arrived: one FILL for each MISS.
 * WRITE       A store to global memory: write-evict, no-allocate.
 * INVALIDATE  Drops the line; a line that waits becomes dead: its FILL will be dropped.
 * FLUSH       INVALIDATE of every line.
 * Their numbers, the outcomes and the reasons are in goldmem/ports/tag_store.h. */

/* Returns the bytes of an arena that gm_tag_store_init takes, at most. */
size_t gm_tag_store_bytes(const gm_tag_store_parameters *parameters);

/* Makes an empty store, with storage from the arena. Returns 0; -EINVAL, which names the parameter
 * that is out of range; -ENOMEM if the arena is full. */
int gm_tag_store_init(gm_tag_store *store, const gm_tag_store_parameters *parameters,
                      gm_arena *arena, gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths. */
gm_tag_store_response gm_tag_store_access(gm_tag_store *store, gm_tag_store_request request);

/* The fields of the response that a PROBE with both permissions would return. */
typedef struct gm_tag_store_expected {
    uint64_t evicted_line;
    uint32_t index;
    uint8_t outcome, position, evicted_position;
    bool dead, evicted;
} gm_tag_store_expected;

/* Returns the response of a PROBE without doing it, for a cache that must know what the PROBE needs
 * (the victim's write-back) before it gives permissions. Changes nothing and calls no observer. */
gm_tag_store_expected gm_tag_store_expect(const gm_tag_store *store, uint64_t line,
                                          bool conventional);

/* Returns the line of a data line. Requires that an entry owns the data line. */
uint64_t gm_tag_store_line_at(const gm_tag_store *store, uint32_t index, unsigned position);

/* Returns Free_Line of a set: the number of data lines that no entry owns. */
unsigned gm_tag_store_free_lines(const gm_tag_store *store, uint32_t index);

/* Returns 0 when the invariants hold: Free_Line and the committed entries of each set add up to its
 * data lines, a data line has one owner, a line has one entry, in its set, and the ranks are a
 * total order. Else -EINVAL, which names the set. */
int gm_tag_store_check(const gm_tag_store *store, gm_error *error);

/* Checks one set as gm_tag_store_check does, after each transaction on it in debug builds. */
int gm_tag_store_check_set(const gm_tag_store *store, uint32_t index, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
