/* Replacement of a sharing-aware cache: LRU within the private and the shared lines of a set
 * [tabbakh, V-B3]; who shares a line, at the L2 [VI-A]; dead blocks [VI-B].
 * docs/blocks/sharing_lru.md has the rules. */
#include "goldmem/sharing_lru.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum { NO_WAY = 32 };

static int check_parameters(const gm_sharing_lru_parameters *p, gm_error *error)
{
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"level", p->level, GM_SHARING_L1, GM_SHARING_L2},
        {"dead", p->dead, GM_SHARING_DEAD_OFF, GM_SHARING_DEAD_ANY},
        {"index_bits", p->index_bits, 1, 10},
        {"ways", p->ways, 1, 32},
        {"sm_bits", p->sm_bits, 1, 10},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "sharing_lru: %s %u: must be %u to %u", ranges[i].name,
                           ranges[i].value, ranges[i].least, ranges[i].most);
        }
    }
    return 0;
}

size_t gm_sharing_lru_bytes(const gm_sharing_lru_parameters *parameters)
{
    enum { ALIGNMENT = 64, PARTS = 6 };
    size_t set = 4 * sizeof(uint32_t) + parameters->ways * (sizeof(uint8_t) + sizeof(uint16_t));
    return (set << parameters->index_bits) + (size_t)(ALIGNMENT * PARTS);
}

int gm_sharing_lru_init(gm_sharing_lru *state, const gm_sharing_lru_parameters *parameters,
                        gm_arena *arena, gm_error *error)
{
    const gm_sharing_lru_parameters *p = parameters;
    int code = check_parameters(p, error);
    if (code < 0) {
        return code;
    }
    size_t sets = (size_t)1 << p->index_bits;
    *state = (gm_sharing_lru){
        .parameters = *p,
        .used = gm_arena_take(arena, sets, sizeof *state->used),
        .shared = gm_arena_take(arena, sets, sizeof *state->shared),
        .dead = gm_arena_take(arena, sets, sizeof *state->dead),
        .owned = gm_arena_take(arena, sets, sizeof *state->owned),
        .rank = gm_arena_take(arena, sets * p->ways, sizeof *state->rank),
        .owner = gm_arena_take(arena, sets * p->ways, sizeof *state->owner),
    };
    return state->used == NULL || state->shared == NULL || state->dead == NULL ||
                   state->owned == NULL || state->rank == NULL || state->owner == NULL
               ? gm_fail(error, -ENOMEM, "sharing_lru: the arena is full: it needs %zu bytes",
                         gm_sharing_lru_bytes(p))
               : 0;
}

/* The state of one set. */
typedef struct row {
    uint32_t *used, *shared, *dead, *owned;
    uint8_t *rank;
    uint16_t *owner;
} row;

static row row_of(const gm_sharing_lru *state, uint64_t index)
{
    return (row){
        .used = &state->used[index],
        .shared = &state->shared[index],
        .dead = &state->dead[index],
        .owned = &state->owned[index],
        .rank = &state->rank[index * state->parameters.ways],
        .owner = &state->owner[index * state->parameters.ways],
    };
}

static uint32_t bit(unsigned way)
{
    return UINT32_C(1) << way;
}

/* Makes a way the newest; ways newer than rank `before` move up. */
static void make_newest(const row *row, unsigned way, unsigned before)
{
    for (uint32_t left = *row->used; left != 0; left &= left - 1) {
        uint8_t *rank = &row->rank[gm_lowest_one(left)];
        *rank = (uint8_t)(*rank + (*rank < before));
    }
    row->rank[way] = 0;
}

static void leave_order(const row *row, unsigned way)
{
    for (uint32_t left = *row->used; left != 0; left &= left - 1) {
        uint8_t *rank = &row->rank[gm_lowest_one(left)];
        *rank = (uint8_t)(*rank - (*rank > row->rank[way]));
    }
}

/* Returns the least recently used of `ways`, which are in use; NO_WAY: there is none. */
static unsigned oldest(const row *row, uint32_t ways)
{
    unsigned way = NO_WAY;
    for (uint32_t left = ways; left != 0; left &= left - 1) {
        unsigned other = gm_lowest_one(left);
        way = way == NO_WAY || row->rank[other] > row->rank[way] ? other : way;
    }
    return way;
}

/* Returns the ways of the class that stays longer: private in an L1, shared in the L2. */
static uint32_t preferred(const gm_sharing_lru *state, const row *row)
{
    return state->parameters.level == GM_SHARING_L1 ? *row->used & ~*row->shared : *row->shared;
}

/* Removes the marks of a way. */
static void clear_marks(const row *row, unsigned way)
{
    *row->shared &= ~bit(way);
    *row->dead &= ~bit(way);
    *row->owned &= ~bit(way);
    row->owner[way] = 0;
}

/* The way that a line gets, and the line that is declared dead beside it. */
typedef struct choice {
    unsigned way;  /* NO_WAY: bypass */
    unsigned dies; /* NO_WAY: none */
} choice;

/* Chooses a victim among lines in use. The least recently used one, if preferred, goes if it is
 * dead, and is dead from now on if not [tabbakh, VI-B]. Else the least recently used one of the
 * other class goes; if there is none, the least recently used one, but not for a line of the other
 * class [V-B2, properties P1, P2]. */
static choice choose_victim(const gm_sharing_lru *state, const row *row, uint32_t eligible,
                            bool incoming)
{
    gm_sharing_dead rule = state->parameters.dead;
    uint32_t stays = preferred(state, row) & eligible;
    unsigned last = oldest(row, eligible);
    choice choice = {.way = oldest(row, eligible & ~stays), .dies = NO_WAY};
    if (rule != GM_SHARING_DEAD_OFF && (stays & bit(last)) != 0) {
        if ((*row->dead & bit(last)) == 0) {
            choice.dies = last;
        } else if (!incoming || rule == GM_SHARING_DEAD_ANY) {
            choice.way = last;
            return choice;
        }
    }
    if (choice.way == NO_WAY && !incoming) {
        choice.way = last;
    }
    if (choice.dies == choice.way) {
        choice.dies = NO_WAY; /* it goes at once */
    }
    return choice;
}

/* Puts a new line into the way; removes the line held there, if any. */
static void put(const gm_sharing_lru *state, const row *row, unsigned way,
                const gm_sharing_lru_request *request)
{
    bool evicts = (*row->used & bit(way)) != 0;
    make_newest(row, way, evicts ? row->rank[way] : state->parameters.ways);
    clear_marks(row, way);
    *row->used |= bit(way);
    if (state->parameters.level == GM_SHARING_L1) {
        *row->shared |= request->incoming != 0 ? bit(way) : 0;
    } else if (request->known != 0) {
        *row->owned |= bit(way);
        row->owner[way] = (uint16_t)request->sm;
    }
}

/* Does a REPLACE, or a PEEK when not `commit`. */
static gm_sharing_lru_response replace(const gm_sharing_lru *state,
                                       const gm_sharing_lru_request *request, bool commit)
{
    row row = row_of(state, request->index);
    uint32_t eligible = (uint32_t)request->eligible;
    uint32_t free = eligible & ~*row.used;
    if (eligible == 0) {
        return (gm_sharing_lru_response){.none = 1};
    }
    choice choice = {.way = free != 0 ? gm_lowest_one(free) : 0, .dies = NO_WAY};
    if (free == 0) {
        choice = choose_victim(state, &row, eligible, request->incoming != 0);
    }
    gm_sharing_lru_response response = {.bypass = choice.way == NO_WAY,
                                        .died = choice.dies != NO_WAY};
    if (choice.way != NO_WAY) {
        response.way = choice.way;
        response.evicted = free == 0;
        response.shared = *row.shared >> choice.way & 1;
        response.dead = *row.dead >> choice.way & 1;
    }
    if (commit && choice.dies != NO_WAY) {
        *row.dead |= bit(choice.dies);
    }
    if (commit && choice.way != NO_WAY) {
        put(state, &row, choice.way, request);
    }
    return response;
}

/* L2: an SM accesses the line: the first becomes its owner, another makes it shared [tabbakh,
 * VI-A]. Returns true if the line became shared. */
static bool note_sm(const row *row, unsigned way, unsigned sm)
{
    if ((*row->owned & bit(way)) == 0) {
        *row->owned |= bit(way);
        row->owner[way] = (uint16_t)sm;
        return false;
    }
    bool becomes = row->owner[way] != sm && (*row->shared & bit(way)) == 0;
    *row->shared |= becomes ? bit(way) : 0;
    return becomes;
}

/* Does a TOUCH or REMOVE. */
static gm_sharing_lru_response work_on_way(const gm_sharing_lru *state,
                                           const gm_sharing_lru_request *request)
{
    row row = row_of(state, request->index);
    unsigned way = (unsigned)request->way;
    gm_sharing_lru_response response = {0};
    if ((*row.used & bit(way)) == 0) {
        return (gm_sharing_lru_response){.error = 1};
    }
    if (request->op == GM_SHARING_LRU_REMOVE) {
        leave_order(&row, way);
        *row.used &= ~bit(way);
        clear_marks(&row, way);
        return response;
    }
    make_newest(&row, way, row.rank[way]);
    *row.dead &= ~bit(way);
    if (state->parameters.level == GM_SHARING_L2 && request->known != 0) {
        response.became = note_sm(&row, way, (unsigned)request->sm);
    }
    response.shared = *row.shared >> way & 1;
    return response;
}

/* Does a RESET, or a FLUSH if `all`. */
static void clear(gm_sharing_lru *state, bool all)
{
    size_t sets = (size_t)1 << state->parameters.index_bits;
    memset(state->shared, 0, sets * sizeof *state->shared);
    memset(state->dead, 0, sets * sizeof *state->dead);
    memset(state->owned, 0, sets * sizeof *state->owned);
    memset(state->owner, 0, sets * state->parameters.ways * sizeof *state->owner);
    if (all) {
        memset(state->used, 0, sets * sizeof *state->used);
    }
}

static gm_sharing_lru_response transact(gm_sharing_lru *state,
                                        const gm_sharing_lru_request *request)
{
    switch (request->op) {
    case GM_SHARING_LRU_TOUCH:
    case GM_SHARING_LRU_REMOVE:
        return work_on_way(state, request);
    case GM_SHARING_LRU_FLUSH:
    case GM_SHARING_LRU_RESET:
        clear(state, request->op == GM_SHARING_LRU_FLUSH);
        return (gm_sharing_lru_response){0};
    default:
        return replace(state, request, request->op == GM_SHARING_LRU_REPLACE);
    }
}

static const char *check_row(const gm_sharing_lru *state, const row *row)
{
    const gm_sharing_lru_parameters *p = &state->parameters;
    uint32_t ranks = 0;
    if ((*row->used & ~gm_mask(p->ways)) != 0 ||
        ((*row->shared | *row->dead | *row->owned) & ~*row->used) != 0) {
        return "marks of a way that is not in use";
    }
    if ((*row->dead & ~preferred(state, row)) != 0) {
        return "a dead line that gives way anyhow";
    }
    if (p->level == GM_SHARING_L1 ? *row->owned != 0 : (*row->shared & ~*row->owned) != 0) {
        return p->level == GM_SHARING_L1 ? "an owner in an L1" : "a shared line without owner";
    }
    for (unsigned way = 0; way < p->ways; way++) {
        bool used = (*row->used & bit(way)) != 0;
        unsigned most = (*row->owned & bit(way)) != 0 ? (unsigned)gm_mask(p->sm_bits) : 0;
        if ((used && row->rank[way] >= p->ways) || row->owner[way] > most) {
            return "a value beyond its range";
        }
        ranks |= used ? bit(row->rank[way]) : 0;
    }
    return ranks == gm_mask(gm_count_ones(*row->used)) ? NULL : "ranks that are no order";
}

int gm_sharing_lru_check_set(const gm_sharing_lru *state, uint32_t index, gm_error *error)
{
    row row = row_of(state, index);
    const char *wrong = check_row(state, &row);
    return wrong == NULL ? 0 : gm_fail(error, -EINVAL, "sharing_lru: set %u: %s", index, wrong);
}

int gm_sharing_lru_check(const gm_sharing_lru *state, gm_error *error)
{
    int code = 0;
    for (uint32_t index = 0; code == 0 && index >> state->parameters.index_bits == 0; index++) {
        code = gm_sharing_lru_check_set(state, index, error);
    }
    return code;
}

static void assert_request(const gm_sharing_lru *state, const gm_sharing_lru_request *request)
{
    const gm_sharing_lru_parameters *p = &state->parameters;
    bool works_on_way = request->op == GM_SHARING_LRU_TOUCH || request->op == GM_SHARING_LRU_REMOVE;
    bool all = request->op == GM_SHARING_LRU_FLUSH || request->op == GM_SHARING_LRU_RESET;
    gm_assert(request->index >> p->index_bits == 0 || all, "sharing_lru: set %llu",
              (unsigned long long)request->index);
    gm_assert(!works_on_way || request->way < p->ways, "sharing_lru: way %llu",
              (unsigned long long)request->way);
    gm_assert(request->known == 0 || request->sm >> p->sm_bits == 0, "sharing_lru: SM %llu",
              (unsigned long long)request->sm);
}

static void assert_invariants(gm_sharing_lru *state, const gm_sharing_lru_request *request)
{
    gm_error error;
    bool all = request->op == GM_SHARING_LRU_FLUSH || request->op == GM_SHARING_LRU_RESET;
    if (gm_assert_whole()) {
        gm_assert(gm_sharing_lru_check(state, &error) == 0, "%s", error.text);
    } else if (!all) {
        gm_assert(gm_sharing_lru_check_set(state, (uint32_t)request->index, &error) == 0, "%s",
                  error.text);
    }
}

gm_sharing_lru_response gm_sharing_lru_access(gm_sharing_lru *state, gm_sharing_lru_request request)
{
    assert_request(state, &request);
    gm_sharing_lru_response response = transact(state, &request);
    assert_invariants(state, &request);
    if (state->observer != NULL) {
        gm_sharing_lru_tell(state->observer, request, response);
    }
    return response;
}

GM_PORTS_TABLE(sharing_lru, SHARING_LRU)
