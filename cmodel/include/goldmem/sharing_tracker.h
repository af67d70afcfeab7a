/* Sharing tracker [anssari, 3.1, 3.2, 4.2]: which L1s have a line, so that a miss can be supplied
 * by another L1. The L1s are not coherent: the tracker need not know every copy, but a compute unit
 * (CU) always sees its own writes. Its RTL is rtl/sharing_tracker.sv, its page
 * docs/blocks/sharing_tracker.md, which has each rule. */
#ifndef GOLDMEM_SHARING_TRACKER_H
#define GOLDMEM_SHARING_TRACKER_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/sharing_tracker.h"
#include "goldmem/set_index.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GM_SHARING_TRACKER_WAYS = 32, /* at most */
    GM_SHARING_TRACKER_CUS = 64,  /* at most */
};

typedef struct gm_sharing_tracker_parameters {
    const gm_set_index *index; /* kept by the caller; 2 to 4096 sets, at least one tag bit;
                                  1024 [anssari, Table 4.1] */
    unsigned ways;             /* 1 to 32; 8 [anssari, Table 4.1] */
    unsigned cus;              /* 1 to 64; 16 [anssari, Table 4.1] */
    unsigned pointers; /* sharers that an entry can name, 1 to cus; 0: full map, a bit for each CU
                          [anssari, 4.2, 4.3: 16 and 1] */
} gm_sharing_tracker_parameters;

/* State. The fields of an entry lie at its set and way. */
typedef struct gm_sharing_tracker {
    gm_sharing_tracker_parameters parameters;
    uint32_t *valid;   /* of each set: a bit for each way */
    uint64_t *line;    /* line addresses */
    uint64_t *marks;   /* a bit for each CU whose fill is on its way */
    uint64_t *sharers; /* a bit for each CU that has the line */
    uint8_t *pointer;  /* with pointers: the sharers again, the oldest first */
    uint8_t *last;     /* last supplier; cus - 1: none yet */
    uint8_t *rank;     /* LRU: valid entries that are newer */
    /* Is told each transaction from when the caller sets it, before the first; NULL: nobody looks.
     */
    const gm_observer *observer;
} gm_sharing_tracker;

GM_PORTS_STRUCTS(sharing_tracker, SHARING_TRACKER)

/* Operations; fields of the request that an operation does not name do not matter.
 * LOOKUP    An L1 of `cu` missed on `line`: which other CU has it? With will_fill, marks cu as one
 *           whose fill is in flight, in the line's entry, taken if need be.
 * FILL      The L1 of `cu` has installed the line: a sharer now, if the mark still stands.
 * EVICT     The L1 of `cu` has evicted the line.
 * WRITE     A CU writes the line: frees the entry with its sharers and marks.
 * COHERENT  An atomic or another coherent operation on the line: as WRITE.
 * FLUSH     The L1s are flushed: frees all entries. */

/* Bytes of an arena that gm_sharing_tracker_init takes, at most. */
size_t gm_sharing_tracker_bytes(const gm_sharing_tracker_parameters *parameters);

/* A tracker without entries, its storage taken from the arena. -EINVAL names the parameter that is
 * out of range, -ENOMEM an arena that is full. */
int gm_sharing_tracker_init(gm_sharing_tracker *tracker,
                            const gm_sharing_tracker_parameters *parameters, gm_arena *arena,
                            gm_error *error);

/* The block's transaction. Fields of the request are within their widths; `cu` is below `cus`. */
gm_sharing_tracker_response gm_sharing_tracker_access(gm_sharing_tracker *tracker,
                                                      gm_sharing_tracker_request request);

/* 0 when the invariants hold: a line has one entry, in its set; an entry has a sharer or a mark;
 * the pointers name its sharers, each once; the order is an order. Else -EINVAL, with the set. */
int gm_sharing_tracker_check(const gm_sharing_tracker *tracker, gm_error *error);

/* gm_sharing_tracker_check of one set: what debug builds check after a transaction on it. */
int gm_sharing_tracker_check_set(const gm_sharing_tracker *tracker, uint32_t index,
                                 gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
