/* Merging the lanes' logs in SIMT order.
 *
 * The lanes of a warp ran one after the other, up to a barrier, a yield or their end, and each left
 * its events in program order. The merge issues, again and again, the lanes whose next event has
 * the lowest program point, all together.
 *
 * That is lock-step execution with reconvergence at the immediate post-dominator, for structured
 * kernels that end each loop's body with LOOP. By induction over the text, a set of lanes that
 * enters a statement together issues all of it, and each lane comes to wait behind it, before any
 * lane issues what lies behind:
 *  - sequence: the points of the first statement are lower than those of the second, so lanes that
 *    are through the first wait until all are;
 *  - if/else: the lanes of the first branch have the lower points and go first; those of the other
 *    follow; both wait for each other at the first point behind, the immediate post-dominator;
 *  - loop: LOOP is its highest point, and every lane that begins an iteration and does not leave
 *    the loop passes it; so it is issued by all of those together, and they begin the next
 *    iteration together; a lane that leaves waits at a higher point, behind the loop;
 *  - return: EXIT is the highest point of all.
 * Running the lanes one after the other computes the same values, since lanes race only through
 * atomics between two barriers; there lane order is one of the orders that the machine allows. */
#include "goldmem/bits.h"
#include "workload/simt/simt_internal.h"

#include <errno.h>

/* Compiled for each of these vector extensions, the best one chosen when the program is loaded. */
#if defined(__x86_64__)
#define EACH_MACHINE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EACH_MACHINE
#endif

enum { COLUMNS = 8 }; /* events of each lane compared at once */

enum { VECTOR = 4 }; /* the longest of AVX2: gcc 12 splits longer ones into pieces in memory */
typedef uint64_t vector __attribute__((vector_size(8 * VECTOR)));
typedef uint64_t unaligned_vector __attribute__((vector_size(8 * VECTOR), aligned(8), may_alias));

/* For each of the columns from `column` on: differ[c] >> GM_EVENT_OFFSET is 0 when all lanes are at
 * one point, and bend[c] is 0 when their events have a constant stride as well. */
EACH_MACHINE static void compare_columns(const uint64_t *const *head, unsigned lanes, size_t column,
                                         uint64_t *differ, uint64_t *bend)
{
    for (size_t end = column + COLUMNS; column < end;
         column += VECTOR, differ += VECTOR, bend += VECTOR) {
        vector first = *(const unaligned_vector *)(head[0] + column);
        vector before = first;
        vector different = {0};
        vector bent = {0};
        vector stride = {0};
        if (lanes > 1) {
            stride = *(const unaligned_vector *)(head[1] + column) - first;
        }
        for (unsigned k = 1; k < lanes; k++) {
            vector event = *(const unaligned_vector *)(head[k] + column);
            different |= event ^ first;
            bent |= (event - before) ^ stride;
            before = event;
        }
        *(unaligned_vector *)differ = different;
        *(unaligned_vector *)bend = bent;
    }
}

static uint64_t point_of(uint64_t event)
{
    return event >> GM_EVENT_OFFSET;
}

/* Forms the group of the lanes at the lowest point. */
static void form_group(const gm_warp *warp, uint32_t lanes, gm_group *group)
{
    uint64_t lowest = UINT64_MAX;
    group->lanes = 0;
    group->mask = 0;
    group->limit = UINT64_MAX;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        unsigned lane = gm_lowest_one(rest);
        uint64_t point = point_of(*warp->head[lane]);
        if (point < lowest) {
            group->limit = lowest;
            lowest = point;
            group->lanes = 0;
            group->mask = 0;
        }
        if (point == lowest) {
            group->head[group->lanes++] = warp->head[lane];
            group->mask |= UINT32_C(1) << lane;
        } else if (point < group->limit) {
            group->limit = point;
        }
    }
}

/* Moves the group's lanes behind `columns` events. */
static void advance(gm_warp *warp, gm_group *group, size_t columns)
{
    uint32_t rest = group->mask;
    for (unsigned k = 0; k < group->lanes; k++, rest &= rest - 1) {
        group->head[k] += columns;
        warp->head[gm_lowest_one(rest)] = group->head[k];
    }
}

/* Ends the run of a group at a barrier, a yield or EXIT. Returns a gm_merge_end. */
static int end_run(gm_simt *simt, gm_warp *warp, uint32_t lanes, gm_group *group, gm_record *record,
                   gm_error *error)
{
    gm_point_kind kind = gm_event_kind(*group->head[0]);
    if (kind == GM_POINT_YIELD) {
        warp->run = group->mask;
        return GM_MERGE_YIELD;
    }
    int result = gm_simt_issue(simt, group, 0, false, record, error);
    if (result < 0) {
        return result;
    }
    if (kind == GM_POINT_EXIT) {
        return GM_MERGE_EXITED;
    }
    warp->run = group->mask;
    if (gm_point_is_sync(kind)) {
        return GM_MERGE_SYNC;
    }
    for (uint32_t rest = lanes & ~group->mask; rest != 0; rest &= rest - 1) {
        if (gm_event_kind(*warp->head[gm_lowest_one(rest)]) != GM_POINT_EXIT) {
            return gm_fail(error, -EINVAL, "kernel %s: a barrier that not all lanes reach",
                           simt->current->code->name);
        }
    }
    return GM_MERGE_BARRIER;
}

/* Issues the group's events while its lanes stay together and below the others. Returns 1 at the
 * end of the group's run, else 0. */
static int issue_group(gm_simt *simt, gm_warp *warp, gm_group *group, gm_record *record,
                       gm_error *error)
{
    uint64_t differ[COLUMNS];
    uint64_t bend[COLUMNS];
    size_t column = 0;
    uint64_t event;
    for (;; column++) {
        size_t place = column % COLUMNS;
        if (place == 0) {
            compare_columns(group->head, group->lanes, column, differ, bend);
        }
        event = group->head[0][column];
        if (point_of(differ[place]) != 0 || point_of(event) >= group->limit ||
            gm_event_kind(event) >= GM_POINT_BARRIER) {
            break;
        }
        int result = gm_simt_issue(simt, group, column, bend[place] == 0, record, error);
        if (result < 0) {
            return result;
        }
    }
    advance(warp, group, column);
    return point_of(differ[column % COLUMNS]) == 0 && point_of(event) < group->limit;
}

/* Issues the lanes' events in SIMT order. */
int gm_simt_merge(gm_simt *simt, gm_warp *warp, uint32_t lanes, gm_record *record, gm_error *error)
{
    gm_group *group = &simt->group;
    for (;;) {
        form_group(warp, lanes, group);
        int result = issue_group(simt, warp, group, record, error);
        if (result < 0) {
            return result;
        }
        if (result == 1) {
            return end_run(simt, warp, lanes, group, record, error);
        }
    }
}
