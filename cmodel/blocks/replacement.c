/* Replacement state of the sets of a cache: LRU; SRRIP (Jaleel et al., ISCA 2010); SHiP (Wu et al.,
 * MICRO 2011). docs/blocks/replacement.md has the rules. */
#include "goldmem/replacement.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdbool.h>

enum { NO_WAY = 32 };

static int check_parameters(const gm_replacement_parameters *p, gm_error *error)
{
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"policy", p->policy, GM_REPLACEMENT_LRU, GM_REPLACEMENT_SHIP},
        {"index_bits", p->index_bits, 1, 10},
        {"ways", p->ways, 1, 32},
        {"rrpv_bits", p->rrpv_bits, 1, 4},
        {"signature_bits", p->signature_bits, 1, 14},
        {"counter_bits", p->counter_bits, 1, 4},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "replacement: %s %u: must be %u to %u", ranges[i].name,
                           ranges[i].value, ranges[i].least, ranges[i].most);
        }
    }
    return 0;
}

size_t gm_replacement_bytes(const gm_replacement_parameters *parameters)
{
    enum { ALIGNMENT = 64, PARTS = 5 };
    const gm_replacement_parameters *p = parameters;
    size_t set = 2 * sizeof(uint32_t) + p->ways * (sizeof(uint8_t) + sizeof(uint16_t));
    return (set << p->index_bits) + ((size_t)1 << p->signature_bits) + (size_t)(ALIGNMENT * PARTS);
}

int gm_replacement_init(gm_replacement_state *state, const gm_replacement_parameters *parameters,
                        gm_arena *arena, gm_error *error)
{
    const gm_replacement_parameters *p = parameters;
    int code = check_parameters(p, error);
    if (code < 0) {
        return code;
    }
    size_t sets = (size_t)1 << p->index_bits;
    *state = (gm_replacement_state){
        .parameters = *p,
        .used = gm_arena_take(arena, sets, sizeof *state->used),
        .reused = gm_arena_take(arena, sets, sizeof *state->reused),
        .value = gm_arena_take(arena, sets * p->ways, sizeof *state->value),
        .signature = gm_arena_take(arena, sets * p->ways, sizeof *state->signature),
        .doubt = gm_arena_take(arena, (size_t)1 << p->signature_bits, sizeof *state->doubt),
    };
    return state->used == NULL || state->reused == NULL || state->value == NULL ||
                   state->signature == NULL || state->doubt == NULL
               ? gm_fail(error, -ENOMEM, "replacement: the arena is full: it needs %zu bytes",
                         gm_replacement_bytes(p))
               : 0;
}

/* The state of one set. */
typedef struct row {
    uint32_t *used, *reused;
    uint8_t *value;
    uint16_t *signature;
} row;

static row row_of(const gm_replacement_state *state, uint64_t index)
{
    return (row){
        .used = &state->used[index],
        .reused = &state->reused[index],
        .value = &state->value[index * state->parameters.ways],
        .signature = &state->signature[index * state->parameters.ways],
    };
}

static uint32_t bit(unsigned way)
{
    return UINT32_C(1) << way;
}

/* LRU: makes a way the newest; ways newer than rank `before` move up. */
static void make_newest(const row *row, unsigned way, unsigned before)
{
    for (uint32_t left = *row->used; left != 0; left &= left - 1) {
        uint8_t *rank = &row->value[gm_lowest_one(left)];
        *rank = (uint8_t)(*rank + (*rank < before));
    }
    row->value[way] = 0;
}

static void leave_order(const row *row, unsigned way)
{
    for (uint32_t left = *row->used; left != 0; left &= left - 1) {
        uint8_t *rank = &row->value[gm_lowest_one(left)];
        *rank = (uint8_t)(*rank - (*rank > row->value[way]));
    }
}

/* Returns the eligible way in use with the largest value, the lowest of several; NO_WAY: none. */
static unsigned largest_value(const row *row, uint32_t eligible)
{
    unsigned way = NO_WAY;
    for (uint32_t left = eligible & *row->used; left != 0; left &= left - 1) {
        unsigned other = gm_lowest_one(left);
        way = way == NO_WAY || row->value[other] > row->value[way] ? other : way;
    }
    return way;
}

static unsigned farthest(const gm_replacement_state *state)
{
    return (unsigned)gm_mask(state->parameters.rrpv_bits);
}

/* SRRIP: raises every RRPV by the victim's distance to the maximum, up to the maximum. */
static void count_up(const gm_replacement_state *state, const row *row, unsigned victim)
{
    unsigned most = farthest(state);
    unsigned steps = most - row->value[victim];
    for (uint32_t left = *row->used; left != 0; left &= left - 1) {
        uint8_t *rrpv = &row->value[gm_lowest_one(left)];
        *rrpv = (uint8_t)(*rrpv + steps < most ? *rrpv + steps : most);
    }
}

/* SHiP: trains a signature's counter: its line was touched, or leaves untouched. */
static void learn(const gm_replacement_state *state, unsigned signature, bool touched)
{
    uint8_t *doubt = &state->doubt[signature];
    if (touched && *doubt > 0) {
        --*doubt;
    } else if (!touched && *doubt < gm_mask(state->parameters.counter_bits)) {
        ++*doubt;
    }
}

static void touch(const gm_replacement_state *state, const row *row, unsigned way)
{
    if (state->parameters.policy == GM_REPLACEMENT_LRU) {
        make_newest(row, way, row->value[way]);
        return;
    }
    row->value[way] = 0;
    if (state->parameters.policy == GM_REPLACEMENT_SHIP) {
        *row->reused |= bit(way);
        learn(state, row->signature[way], true);
    }
}

/* Returns true if a line of this signature is not expected to be touched, after the signature of
 * the line in `victim` (NO_WAY: none) was trained. */
static bool is_distant(const gm_replacement_state *state, const row *row, unsigned signature,
                       unsigned victim)
{
    if (state->parameters.policy != GM_REPLACEMENT_SHIP) {
        return false;
    }
    bool worse = victim != NO_WAY && (*row->reused & bit(victim)) == 0 &&
                 row->signature[victim] == signature;
    unsigned doubt = state->doubt[signature] + (worse ? 1u : 0u);
    return doubt >= gm_mask(state->parameters.counter_bits);
}

/* Puts a new line into the way; removes the line held there, if any. */
static void put(const gm_replacement_state *state, const row *row, unsigned way, unsigned signature,
                bool distant)
{
    bool evicts = (*row->used & bit(way)) != 0;
    if (state->parameters.policy == GM_REPLACEMENT_LRU) {
        make_newest(row, way, evicts ? row->value[way] : state->parameters.ways);
        *row->used |= bit(way);
        return;
    }
    if (evicts) {
        count_up(state, row, way);
    }
    if (state->parameters.policy == GM_REPLACEMENT_SHIP) {
        if (evicts && (*row->reused & bit(way)) == 0) {
            learn(state, row->signature[way], false);
        }
        *row->reused &= ~bit(way);
        row->signature[way] = (uint16_t)signature;
    }
    *row->used |= bit(way);
    row->value[way] = (uint8_t)(farthest(state) - !distant);
}

/* Does a REPLACE, or a PEEK when not `commit`. */
static gm_replacement_response replace(const gm_replacement_state *state,
                                       const gm_replacement_request *request, bool commit)
{
    row row = row_of(state, request->index);
    uint32_t eligible = (uint32_t)request->eligible;
    uint32_t free = eligible & ~*row.used;
    unsigned way = free != 0 ? gm_lowest_one(free) : largest_value(&row, eligible);
    if (way == NO_WAY) {
        return (gm_replacement_response){.none = 1};
    }
    unsigned signature = (unsigned)request->signature;
    bool distant = is_distant(state, &row, signature, free == 0 ? way : NO_WAY);
    if (commit) {
        put(state, &row, way, signature, distant);
    }
    return (gm_replacement_response){.way = way, .evicted = free == 0, .distant = distant};
}

/* Does a TOUCH or REMOVE. */
static gm_replacement_response work_on_way(const gm_replacement_state *state,
                                           const gm_replacement_request *request)
{
    row row = row_of(state, request->index);
    unsigned way = (unsigned)request->way;
    if ((*row.used & bit(way)) == 0) {
        return (gm_replacement_response){.error = 1};
    }
    if (request->op == GM_REPLACEMENT_TOUCH) {
        touch(state, &row, way);
        return (gm_replacement_response){0};
    }
    if (state->parameters.policy == GM_REPLACEMENT_LRU) {
        leave_order(&row, way);
    }
    *row.used &= ~bit(way);
    *row.reused &= ~bit(way);
    return (gm_replacement_response){0};
}

static void flush(gm_replacement_state *state)
{
    for (uint32_t index = 0; index >> state->parameters.index_bits == 0; index++) {
        state->used[index] = 0;
        state->reused[index] = 0;
    }
}

static gm_replacement_response transact(gm_replacement_state *state,
                                        const gm_replacement_request *request)
{
    switch (request->op) {
    case GM_REPLACEMENT_TOUCH:
    case GM_REPLACEMENT_REMOVE:
        return work_on_way(state, request);
    case GM_REPLACEMENT_FLUSH:
        flush(state);
        return (gm_replacement_response){0};
    default:
        return replace(state, request, request->op == GM_REPLACEMENT_REPLACE);
    }
}

static const char *check_row(const gm_replacement_state *state, const row *row)
{
    const gm_replacement_parameters *p = &state->parameters;
    uint32_t ranks = 0;
    if ((*row->used & ~gm_mask(p->ways)) != 0 || (*row->reused & ~*row->used) != 0) {
        return "marks of a way that is not in use";
    }
    for (uint32_t left = *row->used; left != 0; left &= left - 1) {
        unsigned value = row->value[gm_lowest_one(left)];
        if (value > (p->policy == GM_REPLACEMENT_LRU ? p->ways - 1 : farthest(state))) {
            return "a value beyond its range";
        }
        ranks |= bit(value);
    }
    return p->policy != GM_REPLACEMENT_LRU || ranks == gm_mask(gm_count_ones(*row->used))
               ? NULL
               : "ranks that are no order";
}

int gm_replacement_check_set(const gm_replacement_state *state, uint32_t index, gm_error *error)
{
    row row = row_of(state, index);
    const char *wrong = check_row(state, &row);
    return wrong == NULL ? 0 : gm_fail(error, -EINVAL, "replacement: set %u: %s", index, wrong);
}

int gm_replacement_check(const gm_replacement_state *state, gm_error *error)
{
    for (uint32_t index = 0; index >> state->parameters.index_bits == 0; index++) {
        int code = gm_replacement_check_set(state, index, error);
        if (code < 0) {
            return code;
        }
    }
    for (uint32_t i = 0; i >> state->parameters.signature_bits == 0; i++) {
        if (state->doubt[i] > gm_mask(state->parameters.counter_bits)) {
            return gm_fail(error, -EINVAL, "replacement: signature %u: a counter beyond its bits",
                           i);
        }
    }
    return 0;
}

static void assert_request(const gm_replacement_state *state, const gm_replacement_request *request)
{
    bool works_on_way = request->op == GM_REPLACEMENT_TOUCH || request->op == GM_REPLACEMENT_REMOVE;
    gm_assert(request->index >> state->parameters.index_bits == 0 ||
                  request->op == GM_REPLACEMENT_FLUSH,
              "replacement: set %llu", (unsigned long long)request->index);
    gm_assert(!works_on_way || request->way < state->parameters.ways, "replacement: way %llu",
              (unsigned long long)request->way);
}

static void assert_invariants(gm_replacement_state *state, const gm_replacement_request *request)
{
    gm_error error;
    if (gm_assert_whole()) {
        gm_assert(gm_replacement_check(state, &error) == 0, "%s", error.text);
    } else if (request->op != GM_REPLACEMENT_FLUSH) {
        gm_assert(gm_replacement_check_set(state, (uint32_t)request->index, &error) == 0, "%s",
                  error.text);
    }
}

gm_replacement_response gm_replacement_access(gm_replacement_state *state,
                                              gm_replacement_request request)
{
    assert_request(state, &request);
    gm_replacement_response response = transact(state, &request);
    assert_invariants(state, &request);
    if (state->observer != NULL) {
        gm_replacement_tell(state->observer, request, response);
    }
    return response;
}

GM_PORTS_TABLE(replacement, REPLACEMENT)
