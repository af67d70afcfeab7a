/* sharing_lru: a second implementation, which keeps each set as a list of lines and asks the
 * paper's questions one by one, agrees on random transactions. */
#include "goldmem/bits.h"
#include "support/blocks/sharing_lru_run.h"
#include "support/support.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { PRIVATE, SHARED } kind;

typedef struct naive_line {
    unsigned way;
    kind kind;
    bool dead;
    int owner; /* -1: none */
} naive_line;

/* A set: its lines from the least to the most recently used. */
typedef struct naive_set {
    unsigned count;
    naive_line line[32];
} naive_set;

typedef struct naive {
    const gm_sharing_lru_parameters *p;
    naive_set *set;
} naive;

static kind kept_kind(const naive *n)
{
    return n->p->level == GM_SHARING_L1 ? PRIVATE : SHARED;
}

static int find_way(const naive_set *set, unsigned way)
{
    for (unsigned i = 0; i < set->count; i++) {
        if (set->line[i].way == way) {
            return (int)i;
        }
    }
    return -1;
}

/* Returns the place of the first line in LRU order that is eligible and of one of the kinds. */
static int first_of(const naive_set *set, uint64_t eligible, bool is_private, bool is_shared)
{
    for (unsigned i = 0; i < set->count; i++) {
        bool fits = set->line[i].kind == PRIVATE ? is_private : is_shared;
        if (fits && (eligible >> set->line[i].way & 1) != 0) {
            return (int)i;
        }
    }
    return -1;
}

static naive_line take_out(naive_set *set, int place)
{
    naive_line out = set->line[place];
    set->count--;
    memmove(set->line + place, set->line + place + 1,
            (set->count - (unsigned)place) * sizeof *set->line);
    return out;
}

static naive_line new_line(const naive *n, unsigned way, const gm_sharing_lru_request *r)
{
    naive_line line = {.way = way, .kind = PRIVATE, .owner = -1};
    if (n->p->level == GM_SHARING_L1) {
        line.kind = r->incoming != 0 ? SHARED : PRIVATE;
    } else if (r->known != 0) {
        line.owner = (int)r->sm;
    }
    return line;
}

/* Returns the place of the victim; -1: bypass. */
static int naive_victim(const naive *n, naive_set *set, const gm_sharing_lru_request *r)
{
    bool kept_private = kept_kind(n) == PRIVATE;
    int last = first_of(set, r->eligible, true, true);
    naive_line *p = &set->line[last];
    bool detects = n->p->dead != GM_SHARING_DEAD_OFF;
    if (detects && p->kind == kept_kind(n) && p->dead) {
        if (r->incoming == 0 || n->p->dead == GM_SHARING_DEAD_ANY) {
            return last;
        }
    }
    if (detects && p->kind == kept_kind(n)) {
        p->dead = true;
    }
    int other = first_of(set, r->eligible, !kept_private, kept_private);
    return other >= 0 ? other : (r->incoming == 0 ? last : -1);
}

static unsigned dead_lines(const naive_set *set)
{
    unsigned count = 0;
    for (unsigned i = 0; i < set->count; i++) {
        count += set->line[i].dead;
    }
    return count;
}

static gm_sharing_lru_response naive_replace(const naive *n, naive_set *set,
                                             const gm_sharing_lru_request *r)
{
    unsigned before = dead_lines(set);
    if ((r->eligible & gm_mask(n->p->ways)) == 0) {
        return (gm_sharing_lru_response){.none = 1};
    }
    for (unsigned way = 0; way < n->p->ways; way++) {
        if ((r->eligible >> way & 1) != 0 && find_way(set, way) < 0) {
            set->line[set->count++] = new_line(n, way, r);
            return (gm_sharing_lru_response){.way = way};
        }
    }
    int place = naive_victim(n, set, r);
    if (place < 0) {
        return (gm_sharing_lru_response){.bypass = 1, .died = dead_lines(set) > before};
    }
    bool was_dead = before > dead_lines(set) - set->line[place].dead;
    naive_line victim = take_out(set, place);
    gm_sharing_lru_response a = {
        .way = victim.way,
        .evicted = 1,
        .shared = victim.kind == SHARED,
        .dead = was_dead,
        .died = dead_lines(set) > before,
    };
    set->line[set->count++] = new_line(n, victim.way, r);
    return a;
}

static gm_sharing_lru_response naive_touch(const naive *n, naive_set *set, int place,
                                           const gm_sharing_lru_request *r)
{
    naive_line line = take_out(set, place);
    gm_sharing_lru_response a = {0};
    line.dead = false;
    if (n->p->level == GM_SHARING_L2 && r->known != 0) {
        if (line.owner == -1) {
            line.owner = (int)r->sm;
        } else if (line.owner != (int)r->sm) {
            a.became = line.kind == PRIVATE;
            line.kind = SHARED;
        }
    }
    a.shared = line.kind == SHARED;
    set->line[set->count++] = line;
    return a;
}

static void naive_forget(const naive *n, bool lines)
{
    for (unsigned i = 0; i >> n->p->index_bits == 0; i++) {
        naive_set *set = &n->set[i];
        for (unsigned k = 0; k < set->count; k++) {
            set->line[k] = (naive_line){.way = set->line[k].way, .owner = -1};
        }
        set->count = lines ? 0 : set->count;
    }
}

static gm_sharing_lru_response naive_access(const naive *n, const gm_sharing_lru_request *r)
{
    naive_set *set = &n->set[r->index];
    if (r->op == REP) {
        return naive_replace(n, set, r);
    }
    if (r->op >= PEK) {
        naive_set copy = *set;
        return naive_replace(n, &copy, r);
    }
    if (r->op == FLU || r->op == RST) {
        naive_forget(n, r->op == FLU);
        return (gm_sharing_lru_response){0};
    }
    int place = find_way(set, (unsigned)r->way);
    if (place < 0) {
        return (gm_sharing_lru_response){.error = 1};
    }
    if (r->op == REM) {
        take_out(set, place);
        return (gm_sharing_lru_response){0};
    }
    return naive_touch(n, set, place, r);
}

static void expect_same_set(const gm_sharing_lru *state, const naive *n, uint64_t index)
{
    const naive_set *set = &n->set[index];
    unsigned ways = n->p->ways;
    assert_int_equal(gm_count_ones(state->used[index]), set->count);
    for (unsigned i = 0; i < set->count; i++) {
        const naive_line *line = &set->line[i];
        unsigned way = line->way;
        assert_int_equal(state->rank[index * ways + way], set->count - 1 - i);
        assert_int_equal(state->shared[index] >> way & 1, line->kind == SHARED);
        assert_int_equal(state->dead[index] >> way & 1, line->dead);
        assert_int_equal(state->owned[index] >> way & 1, line->owner >= 0);
        assert_int_equal(state->owner[index * ways + way], line->owner >= 0 ? line->owner : 0);
    }
}

static gm_sharing_lru_request random_request(test_random *random,
                                             const gm_sharing_lru_parameters *p, uint64_t sets)
{
    static const uint8_t ops[] = {TCH, TCH, TCH, TCH, TCH, REP, REP, REP,
                                  REP, REP, REP, REP, REP, REM, PEK, PEK + 2};
    uint64_t any = test_random_next(random);
    uint64_t last = gm_mask(p->index_bits);
    return (gm_sharing_lru_request){
        .op = (any & 1023) == 0   ? FLU
              : (any & 1023) == 1 ? RST
                                  : ops[any >> 10 & 15],
        .index = last - test_random_below(random, sets),
        .way = test_random_below(random, p->ways),
        .eligible = (any & 0x8000) != 0 ? gm_mask(p->ways) : any >> 16 & gm_mask(p->ways),
        .incoming = any >> 14 & 1,
        .sm = (any & UINT64_C(1) << 60) != 0 ? any >> 50 & gm_mask(p->sm_bits) : 0,
        .known = (any >> 61 & 7) != 0,
    };
}

enum { FIELDS = 9 };

static void run_random(test_random *random, const gm_sharing_lru_parameters *p, unsigned requests,
                       uint64_t seen[2][FIELDS])
{
    naive n = {.p = p, .set = calloc((size_t)1 << p->index_bits, sizeof *n.set)};
    assert_non_null(n.set);
    gm_sharing_lru table = make(*p);
    for (unsigned t = 0; t < requests; t++) {
        gm_sharing_lru_request r = random_request(random, p, 2);
        gm_sharing_lru_response a = gm_sharing_lru_access(&table, r);
        expect_equal(a, naive_access(&n, &r));
        for (unsigned i = 0; i < FIELDS; i++) {
            seen[p->level][i] += ((const uint64_t *)&a)[i] != 0;
        }
        expect_same_set(&table, &n, r.index);
        if (t % 1024 == 0) {
            expect_sound(&table);
        }
    }
    gm_arena_free(&arena);
    free(n.set);
}

static void agrees_with_lists(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    uint64_t seen[2][FIELDS] = {{0}}; /* of the response's fields */
    for (unsigned round = 0; round < 60; round++) {
        const gm_sharing_lru_parameters p = {
            .level = (gm_sharing_level)(round % 2),
            .dead = (gm_sharing_dead)(round / 2 % 3),
            .index_bits = 1,
            .ways = 1 + (unsigned)test_random_below(&random, round % 4 == 0 ? 32 : 6),
            .sm_bits = 1 + (unsigned)test_random_below(&random, 10),
        };
        run_random(&random, &p, 4000, seen);
    }
    enum { WAY, EVICTED, NONE, BYPASS, SHARES, BECAME };
    for (unsigned i = 0; i < FIELDS; i++) {
        assert_true(i == BECAME ? seen[GM_SHARING_L1][i] == 0 : seen[GM_SHARING_L1][i] > 1000);
        assert_true(seen[GM_SHARING_L2][i] > 1000);
    }
}

/* The sizes of the papers' machines and the ends of the ranges. */
static void agrees_at_shipped_sizes_and_limits(void **state)
{
    (void)state;
    static const gm_sharing_lru_parameters sizes[] = {
        {GM_SHARING_L1, GM_SHARING_DEAD_ANY, 5, 4, 4}, /* 16 KB, 4 ways [Table I] */
        {GM_SHARING_L2, GM_SHARING_DEAD_OFF, 7, 8, 4}, /* 128 KB, 8 ways [Table I] */
        {GM_SHARING_L2, GM_SHARING_DEAD_ANY, 10, 32, 10},
        {GM_SHARING_L1, GM_SHARING_DEAD_PRIVATE, 10, 32, 1},
        {GM_SHARING_L1, GM_SHARING_DEAD_ANY, 1, 1, 1},
        {GM_SHARING_L2, GM_SHARING_DEAD_PRIVATE, 1, 1, 1},
    };
    test_random random = test_random_start(2);
    uint64_t seen[2][FIELDS] = {{0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run_random(&random, &sizes[i], 20000, seen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_lists),
        cmocka_unit_test(agrees_at_shipped_sizes_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
