/* Sharing tracker [anssari, 3.1, 3.2, 4.2]: which L1s have a line, so that a miss can be supplied
 * by another L1. The L1s are not coherent: the tracker need not know every copy, but a compute unit
 * (CU) always sees its own writes. RTL: rtl/sharing_tracker.sv; page with each rule:
 * docs/blocks/sharing_tracker.md. */
#ifndef GOLDMEM_SHARING_TRACKER_H
#define GOLDMEM_SHARING_TRACKER_H

#include "goldmem/arena.h"
#include "goldmem/error.h"
#include "goldmem/observer.h"
#include "goldmem/ports.h"
#include "goldmem/ports/sharing_tracker.h"
#include "goldmem/set_index.h"

#include <stdbool.h>
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
    uint64_t *marks;   /* a bit for each CU whose fill is in flight */
    uint64_t *sharers; /* a bit for each CU that has the line */
    uint8_t *pointer;  /* with pointers: the sharers' numbers, the oldest first */
    uint8_t *last;     /* last supplier; cus - 1: none yet */
    uint8_t *rank;     /* LRU: valid entries that are newer */
    /* Called with each transaction; NULL: no observer. Requires that the caller sets it before the
     * first transaction. */
    const gm_observer *observer;
} gm_sharing_tracker;

GM_PORTS_STRUCTS(sharing_tracker, SHARING_TRACKER)

/* Operations. Each ignores the fields of the request that it does not name.
 * LOOKUP    The L1 of `cu` missed on `line`: returns another CU that has it. With will_fill, marks
 *           cu as one whose fill is in flight, in the line's entry, which it allocates if need be.
 * FILL      The L1 of `cu` has installed the line: cu becomes a sharer if its mark is still set.
 * EVICT     The L1 of `cu` has evicted the line.
 * WRITE     A CU writes the line: frees the entry with its sharers and marks.
 * COHERENT  An atomic or another coherent operation on the line: as WRITE.
 * FLUSH     The L1s are flushed: frees all entries; operation 7 likewise.
 * ASK       The L1 of a CU of another tracker missed on `line`, and that tracker names no supplier:
 *           returns a CU of this one that has it. Leaves no mark [anssari, 4.3: "the distributed
 *           sharing trackers can interrogate each other"]. */

/* True for the numbers of FLUSH. */
static inline bool gm_sharing_tracker_flushes(uint64_t op)
{
    return op >= GM_SHARING_TRACKER_FLUSH && op != GM_SHARING_TRACKER_ASK;
}

/* Returns the bytes of an arena that gm_sharing_tracker_init takes, at most. */
size_t gm_sharing_tracker_bytes(const gm_sharing_tracker_parameters *parameters);

/* Makes a tracker without entries, with storage from the arena. Returns 0; -EINVAL, which names the
 * parameter that is out of range; -ENOMEM if the arena is full. */
int gm_sharing_tracker_init(gm_sharing_tracker *tracker,
                            const gm_sharing_tracker_parameters *parameters, gm_arena *arena,
                            gm_error *error);

/* The block's transaction. Requires that the fields of the request are within their widths and `cu`
 * is below `cus`. */
gm_sharing_tracker_response gm_sharing_tracker_access(gm_sharing_tracker *tracker,
                                                      gm_sharing_tracker_request request);

/* Returns 0 when the invariants hold: a line has one entry, in its set; an entry has a sharer or a
 * mark; the pointers name its sharers, each once; the ranks are a total order. Else -EINVAL, which
 * names the set. */
int gm_sharing_tracker_check(const gm_sharing_tracker *tracker, gm_error *error);

/* Checks one set as gm_sharing_tracker_check does, after each transaction on it in debug builds. */
int gm_sharing_tracker_check_set(const gm_sharing_tracker *tracker, uint32_t index,
                                 gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
