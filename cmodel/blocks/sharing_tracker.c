/* Sharing tracker [anssari, 3.1, 3.2, 4.2]: the transactions, by the rules of
 * docs/blocks/sharing_tracker.md. */
#include "goldmem/sharing_tracker.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum { NO_WAY = GM_SHARING_TRACKER_WAYS, USUAL_WAYS = 8 /* [anssari, Table 4.1] */ };

/* The state of one set. */
typedef struct row {
    unsigned ways;
    uint32_t *valid;
    uint64_t *line, *marks, *sharers;
    uint8_t *pointer, *last, *rank;
} row;

static row row_of(const gm_sharing_tracker *tracker, uint64_t index)
{
    const gm_sharing_tracker_parameters *p = &tracker->parameters;
    size_t first = index * p->ways;
    return (row){
        .ways = p->ways,
        .valid = &tracker->valid[index],
        .line = &tracker->line[first],
        .marks = &tracker->marks[first],
        .sharers = &tracker->sharers[first],
        .pointer = &tracker->pointer[first * p->pointers],
        .last = &tracker->last[first],
        .rank = &tracker->rank[first],
    };
}

static uint64_t bit(uint64_t number)
{
    return UINT64_C(1) << number;
}

/* Returns a bit for each of four ways whose line is `line`. */
static uint32_t match_four(const uint64_t *at, uint64_t line)
{
    return (uint32_t)(at[0] == line) | (uint32_t)(at[1] == line) << 1 |
           (uint32_t)(at[2] == line) << 2 | (uint32_t)(at[3] == line) << 3;
}

/* Returns the way of a line's entry, or NO_WAY. */
static unsigned find(const row *row, uint64_t line)
{
    uint32_t found = 0;
    unsigned way = 0;
    for (; way + 4 <= row->ways; way += 4) {
        found |= match_four(&row->line[way], line) << way;
    }
    for (; way < row->ways; way++) {
        found |= (uint32_t)(row->line[way] == line) << way;
    }
    found &= *row->valid;
    return found != 0 ? gm_lowest_one(found) : NO_WAY;
}

/* Ranks of 8 ways are computed at once, a byte each: a load that misses an L1 makes three
 * transactions, which took a third of the order engine's time on the thesis's machine. Ranks of
 * entries that are not valid follow, and mean nothing. */
static const uint64_t ones = UINT64_C(0x0101010101010101);
static const uint64_t tops = UINT64_C(0x8080808080808080);

/* Adds 1 to the ranks below `before`. */
static void move_up(const row *row, unsigned before)
{
    if (row->ways == USUAL_WAYS) {
        uint64_t ranks;
        memcpy(&ranks, row->rank, sizeof ranks);
        ranks += ((ones * (127 + before) - ranks) & tops) >> 7;
        memcpy(row->rank, &ranks, sizeof ranks);
        return;
    }
    for (unsigned way = 0; way < row->ways; way++) {
        row->rank[way] = (uint8_t)(row->rank[way] + (row->rank[way] < before));
    }
}

/* Subtracts 1 from the ranks above `after`. */
static void move_down(const row *row, unsigned after)
{
    if (row->ways == USUAL_WAYS) {
        uint64_t ranks;
        memcpy(&ranks, row->rank, sizeof ranks);
        ranks -= ((ranks + ones * (127 - after)) & tops) >> 7;
        memcpy(row->rank, &ranks, sizeof ranks);
        return;
    }
    for (unsigned way = 0; way < row->ways; way++) {
        row->rank[way] = (uint8_t)(row->rank[way] - (row->rank[way] > after));
    }
}

/* Makes a way the newest; ways newer than rank `before` move up. */
static void make_newest(const row *row, unsigned way, unsigned before)
{
    move_up(row, before);
    row->rank[way] = 0;
}

/* Frees an entry; older entries move down. */
static void free_entry(const row *row, unsigned way)
{
    *row->valid &= ~(uint32_t)bit(way);
    move_down(row, row->rank[way]);
}

static unsigned oldest(const row *row)
{
    unsigned way = gm_lowest_one(*row->valid);
    for (uint32_t left = *row->valid; left != 0; left &= left - 1) {
        unsigned other = gm_lowest_one(left);
        way = row->rank[other] > row->rank[way] ? other : way;
    }
    return way;
}

/* Takes an entry for a line, without sharers and marks: the lowest free one, else the oldest. */
static unsigned take_entry(const gm_sharing_tracker *tracker, const row *row, uint64_t line,
                           gm_sharing_tracker_response *a)
{
    const gm_sharing_tracker_parameters *p = &tracker->parameters;
    uint32_t free = ~*row->valid & (uint32_t)gm_mask(p->ways);
    unsigned way = free != 0 ? gm_lowest_one(free) : oldest(row);
    if (free == 0) {
        a->dropped = 1;
        a->dropped_line = row->line[way];
    }
    make_newest(row, way, p->ways);
    *row->valid |= (uint32_t)bit(way);
    row->line[way] = line;
    row->marks[way] = 0;
    row->sharers[way] = 0;
    row->last[way] = (uint8_t)(p->cus - 1);
    return way;
}

/* Returns the first of `candidates` after CU `last`, in CU order, circularly. */
static unsigned next_supplier(uint64_t candidates, unsigned last)
{
    uint64_t behind = candidates & ~gm_mask(last + 1);
    return gm_lowest_one(behind != 0 ? behind : candidates);
}

/* Names a sharer of an entry beside `asking`, and makes the entry the newest, if there is one. */
static void name_supplier(const row *row, unsigned way, uint64_t asking,
                          gm_sharing_tracker_response *a)
{
    uint64_t others = way != NO_WAY ? row->sharers[way] & ~asking : 0;
    if (others != 0) {
        a->hit = 1;
        a->supplier = next_supplier(others, row->last[way]);
        row->last[way] = (uint8_t)a->supplier;
        make_newest(row, way, row->rank[way]);
    }
}

static void look_up(const gm_sharing_tracker *tracker, const row *row, unsigned way,
                    const gm_sharing_tracker_request *request, gm_sharing_tracker_response *a)
{
    name_supplier(row, way, bit(request->cu), a);
    if (request->will_fill != 0) {
        way = way != NO_WAY ? way : take_entry(tracker, row, request->line, a);
        row->marks[way] |= bit(request->cu);
    }
}

/* Return the pointers of an entry, and the number in use. */
static uint8_t *pointers_of(const gm_sharing_tracker *tracker, const row *row, unsigned way)
{
    return &row->pointer[(size_t)way * tracker->parameters.pointers];
}

/* Removes the pointer `at`; the pointers after it move up. */
static void forget_pointer(const gm_sharing_tracker *tracker, const row *row, unsigned way,
                           unsigned at)
{
    uint8_t *pointer = pointers_of(tracker, row, way);
    unsigned used = gm_count_ones(row->sharers[way]);
    row->sharers[way] &= ~bit(pointer[at]);
    memmove(&pointer[at], &pointer[at + 1], used - at - 1);
}

static void add_sharer(const gm_sharing_tracker *tracker, const row *row, unsigned way, uint64_t cu,
                       gm_sharing_tracker_response *a)
{
    unsigned pointers = tracker->parameters.pointers;
    if (pointers != 0) {
        uint8_t *pointer = pointers_of(tracker, row, way);
        if (gm_count_ones(row->sharers[way]) == pointers) {
            a->displaced = 1;
            a->displaced_cu = pointer[0];
            forget_pointer(tracker, row, way, 0);
        }
        pointer[gm_count_ones(row->sharers[way])] = (uint8_t)cu;
    }
    row->sharers[way] |= bit(cu);
}

static void remove_sharer(const gm_sharing_tracker *tracker, const row *row, unsigned way,
                          uint64_t cu)
{
    if (tracker->parameters.pointers == 0) {
        row->sharers[way] &= ~bit(cu);
        return;
    }
    const uint8_t *pointer = pointers_of(tracker, row, way);
    unsigned at = 0;
    while (pointer[at] != cu) {
        at++;
    }
    forget_pointer(tracker, row, way, at);
}

static void fill(const gm_sharing_tracker *tracker, const row *row, unsigned way, uint64_t cu,
                 gm_sharing_tracker_response *a)
{
    if ((row->marks[way] & bit(cu)) == 0) {
        return;
    }
    a->filled = 1;
    row->marks[way] &= ~bit(cu);
    if ((row->sharers[way] & bit(cu)) == 0) {
        add_sharer(tracker, row, way, cu, a);
    }
}

/* Does an EVICT. A mark of the CU stays: the CU's next fill may be in flight already. */
static void evict(const gm_sharing_tracker *tracker, const row *row, unsigned way, uint64_t cu,
                  gm_sharing_tracker_response *a)
{
    if ((row->sharers[way] & bit(cu)) == 0) {
        return;
    }
    remove_sharer(tracker, row, way, cu);
    a->removed = 1;
    a->last_sharer = row->sharers[way] == 0;
    if (row->sharers[way] == 0 && row->marks[way] == 0) {
        free_entry(row, way);
        a->freed = 1;
    }
}

/* Returns a line's set; a sequential index, the default, needs no tables. */
static uint32_t index_of(const gm_set_index *index, uint64_t line)
{
    return index->kind == GM_INDEX_SEQUENTIAL ? (uint32_t)(line & gm_mask(index->bits))
                                              : gm_set_index_of(index, line);
}

static void transact(gm_sharing_tracker *tracker, const gm_sharing_tracker_request *request,
                     gm_sharing_tracker_response *a)
{
    if (gm_sharing_tracker_flushes(request->op)) {
        memset(tracker->valid, 0, sizeof *tracker->valid << tracker->parameters.index->bits);
        return;
    }
    a->index = index_of(tracker->parameters.index, request->line);
    row row = row_of(tracker, a->index);
    unsigned way = find(&row, request->line);
    a->found = way != NO_WAY;
    if (request->op == GM_SHARING_TRACKER_LOOKUP) {
        look_up(tracker, &row, way, request, a);
    } else if (request->op == GM_SHARING_TRACKER_ASK) {
        name_supplier(&row, way, 0, a); /* the CU that asks is none of this tracker's */
    } else if (way == NO_WAY) {
        return; /* no entry for the line */
    } else if (request->op == GM_SHARING_TRACKER_FILL) {
        fill(tracker, &row, way, request->cu, a);
    } else if (request->op == GM_SHARING_TRACKER_EVICT) {
        evict(tracker, &row, way, request->cu, a);
    } else {
        free_entry(&row, way);
        a->freed = 1;
    }
}

static void assert_request(const gm_sharing_tracker *tracker,
                           const gm_sharing_tracker_request *request)
{
    const gm_sharing_tracker_parameters *p = &tracker->parameters;
    gm_assert(request->op >= GM_SHARING_TRACKER_WRITE || request->cu < p->cus,
              "sharing_tracker: CU %llu", (unsigned long long)request->cu);
    gm_assert(gm_sharing_tracker_flushes(request->op) ||
                  (request->line & ~gm_mask(p->index->address_bits)) == 0,
              "sharing_tracker: line address 0x%llx", (unsigned long long)request->line);
}

static void assert_invariants(gm_sharing_tracker *tracker, uint32_t index)
{
    gm_error error;
    if (gm_assert_whole()) {
        gm_assert(gm_sharing_tracker_check(tracker, &error) == 0, "%s", error.text);
    } else {
        gm_assert(gm_sharing_tracker_check_set(tracker, index, &error) == 0, "%s", error.text);
    }
}

gm_sharing_tracker_response gm_sharing_tracker_access(gm_sharing_tracker *tracker,
                                                      gm_sharing_tracker_request request)
{
    gm_sharing_tracker_response response = {0};
    assert_request(tracker, &request);
    transact(tracker, &request, &response);
    assert_invariants(tracker, (uint32_t)response.index);
    if (tracker->observer != NULL) {
        gm_sharing_tracker_tell(tracker->observer, request, response);
    }
    return response;
}

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
    /* The largest and last allocation fails when any fails. */
    tracker->line = gm_arena_take(arena, entries, sizeof *tracker->line);
    return tracker->line == NULL
               ? gm_fail(error, -ENOMEM, "sharing_tracker: the arena is full: it needs %zu bytes",
                         gm_sharing_tracker_bytes(p))
               : 0;
}

/* Returns true if the pointers of an entry name its sharers. */
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

GM_PORTS_TABLE(sharing_tracker, SHARING_TRACKER)
