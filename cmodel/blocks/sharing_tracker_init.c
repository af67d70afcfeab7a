/* Sharing tracker [anssari, 3.1]: one without entries, and whether its invariants hold. */
#include "goldmem/bits.h"
#include "goldmem/sharing_tracker.h"

#include <errno.h>

static int check_parameters(const gm_sharing_tracker_parameters *p, gm_error *error)
{
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"ways", p->ways, 1, GM_SHARING_TRACKER_WAYS},
        {"cus", p->cus, 1, GM_SHARING_TRACKER_CUS},
        {"pointers", p->pointers, 0, p->cus},
    };
    if (p->index->bits < 1 || p->index->bits > 12) {
        return gm_fail(error, -EINVAL, "sharing_tracker: %u sets: must be 2 to 4096",
                       1u << p->index->bits);
    }
    if (p->index->address_bits == p->index->bits) {
        return gm_fail(error, -EINVAL, "sharing_tracker: line addresses of %u bits: no tag bit",
                       p->index->address_bits);
    }
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "sharing_tracker: %s %u: must be %u to %u",
                           ranges[i].name, ranges[i].value, ranges[i].least, ranges[i].most);
        }
    }
    return 0;
}

size_t gm_sharing_tracker_bytes(const gm_sharing_tracker_parameters *parameters)
{
    enum { ALIGNMENT = 64, PARTS = 7 };
    const gm_sharing_tracker_parameters *p = parameters;
    size_t entry = 3 * sizeof(uint64_t) + p->pointers + 2;
    return ((sizeof(uint32_t) + p->ways * entry) << p->index->bits) + (size_t)(ALIGNMENT * PARTS);
}

int gm_sharing_tracker_init(gm_sharing_tracker *tracker,
                            const gm_sharing_tracker_parameters *parameters, gm_arena *arena,
                            gm_error *error)
{
    const gm_sharing_tracker_parameters *p = parameters;
    int code = check_parameters(p, error);
    if (code != 0) {
        return code;
    }
    size_t sets = (size_t)1 << p->index->bits;
    size_t entries = sets * p->ways;
    *tracker = (gm_sharing_tracker){
        .parameters = *p,
        .valid = gm_arena_take(arena, sets, sizeof *tracker->valid),
        .marks = gm_arena_take(arena, entries, sizeof *tracker->marks),
        .sharers = gm_arena_take(arena, entries, sizeof *tracker->sharers),
        .pointer = gm_arena_take(arena, entries * p->pointers, sizeof *tracker->pointer),
        .last = gm_arena_take(arena, entries, sizeof *tracker->last),
        .rank = gm_arena_take(arena, entries, sizeof *tracker->rank),
    };
    /* The largest, and taken last: it fails when any of them does. */
    tracker->line = gm_arena_take(arena, entries, sizeof *tracker->line);
    return tracker->line == NULL
               ? gm_fail(error, -ENOMEM, "sharing_tracker: the arena is full: it needs %zu bytes",
                         gm_sharing_tracker_bytes(p))
               : 0;
}

/* The pointers of an entry name its sharers. */
static bool pointers_agree(const gm_sharing_tracker *tracker, size_t entry)
{
    unsigned pointers = tracker->parameters.pointers;
    unsigned used = gm_count_ones(tracker->sharers[entry]);
    uint64_t named = 0;
    for (unsigned i = 0; pointers != 0 && i < used && i < pointers; i++) {
        named |= UINT64_C(1) << (tracker->pointer[entry * pointers + i] & 63);
    }
    return pointers == 0 || named == tracker->sharers[entry];
}

static const char *check_entry(const gm_sharing_tracker *tracker, uint32_t index, unsigned way)
{
    const gm_sharing_tracker_parameters *p = &tracker->parameters;
    size_t entry = (size_t)index * p->ways + way;
    uint64_t known = tracker->sharers[entry] | tracker->marks[entry];
    if (known == 0 || (known & ~gm_mask(p->cus)) != 0 || tracker->last[entry] >= p->cus) {
        return "an entry without sharer and mark, or a CU that is not there";
    }
    if (gm_set_index_of(p->index, tracker->line[entry]) != index) {
        return "a line of another set";
    }
    for (unsigned other = 0; other < way; other++) {
        size_t there = (size_t)index * p->ways + other;
        if ((tracker->valid[index] >> other & 1) != 0 &&
            tracker->line[there] == tracker->line[entry]) {
            return "two entries of one line";
        }
    }
    return pointers_agree(tracker, entry) ? NULL : "pointers that are not the sharers";
}

static const char *check_set(const gm_sharing_tracker *tracker, uint32_t index)
{
    const gm_sharing_tracker_parameters *p = &tracker->parameters;
    uint32_t valid = tracker->valid[index];
    uint64_t ranks = 0;
    if ((valid & ~gm_mask(p->ways)) != 0) {
        return "a way beyond the set";
    }
    for (uint32_t left = valid; left != 0; left &= left - 1) {
        unsigned way = gm_lowest_one(left);
        unsigned rank = tracker->rank[(size_t)index * p->ways + way];
        const char *wrong = check_entry(tracker, index, way);
        if (wrong != NULL) {
            return wrong;
        }
        ranks |= rank < p->ways ? UINT64_C(1) << rank : 0;
    }
    return ranks == gm_mask(gm_count_ones(valid)) ? NULL : "ranks that are no order";
}

int gm_sharing_tracker_check_set(const gm_sharing_tracker *tracker, uint32_t index, gm_error *error)
{
    const char *wrong = check_set(tracker, index);
    return wrong == NULL ? 0 : gm_fail(error, -EINVAL, "sharing_tracker: set %u: %s", index, wrong);
}

int gm_sharing_tracker_check(const gm_sharing_tracker *tracker, gm_error *error)
{
    int code = 0;
    for (uint32_t index = 0; index >> tracker->parameters.index->bits == 0 && code == 0; index++) {
        code = gm_sharing_tracker_check_set(tracker, index, error);
    }
    return code;
}
