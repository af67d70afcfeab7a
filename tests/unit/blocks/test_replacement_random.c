/* Replacement: a second implementation, with time stamps and SRRIP's search as its paper has it,
 * agrees on random transactions. */
#include "goldmem/bits.h"
#include "goldmem/replacement.h"
#include "support/blocks/replacement_run.h"
#include "support/support.h"

#include <stdbool.h>
#include <string.h>

/* The second implementation: of one set; time stamps for LRU, SRRIP's loop as its paper has it. */
typedef struct naive_line {
    bool used, touched;
    uint64_t stamp, signature;
    int rrpv;
} naive_line;

typedef struct naive {
    const gm_replacement_parameters *p;
    naive_line line[2][32];
    int shct[1 << 4];
    uint64_t now;
} naive;

static int naive_far(const naive *n)
{
    return (1 << n->p->rrpv_bits) - 1;
}

/* -1: none */
static int naive_victim(naive *n, naive_line *set, uint64_t eligible)
{
    int oldest = -1;
    for (int i = 0; i < (int)n->p->ways; i++) {
        if ((eligible >> i & 1) != 0 && !set[i].used) {
            return i;
        }
    }
    eligible &= gm_mask(n->p->ways);
    if (eligible == 0) {
        return -1;
    }
    if (n->p->policy == GM_REPLACEMENT_LRU) {
        for (int i = 0; i < (int)n->p->ways; i++) {
            if ((eligible >> i & 1) != 0 && (oldest < 0 || set[i].stamp < set[oldest].stamp)) {
                oldest = i;
            }
        }
        return oldest;
    }
    for (;;) {
        for (int i = 0; i < (int)n->p->ways; i++) {
            if ((eligible >> i & 1) != 0 && set[i].rrpv == naive_far(n)) {
                return i;
            }
        }
        for (int i = 0; i < (int)n->p->ways; i++) {
            set[i].rrpv += set[i].used && set[i].rrpv < naive_far(n);
        }
    }
}

static gm_replacement_response naive_replace(naive *n, const gm_replacement_request *r)
{
    naive_line *set = n->line[r->index];
    int way = naive_victim(n, set, r->eligible);
    if (way < 0) {
        return (gm_replacement_response){.none = 1};
    }
    gm_replacement_response a = {.way = (uint64_t)way, .evicted = set[way].used};
    bool ship_policy = n->p->policy == GM_REPLACEMENT_SHIP;
    if (set[way].used && !set[way].touched && n->shct[set[way].signature] > 0) {
        n->shct[set[way].signature]--;
    }
    a.distant = ship_policy && n->shct[r->signature] == 0;
    set[way] = (naive_line){.used = true,
                            .stamp = ++n->now,
                            .signature = r->signature,
                            .rrpv = naive_far(n) - (a.distant == 0)};
    return a;
}

static gm_replacement_response naive_access(naive *n, const gm_replacement_request *r)
{
    naive_line *line = &n->line[r->index][r->way];
    if (r->op == REP) {
        return naive_replace(n, r);
    }
    if (r->op >= PEK) {
        naive copy = *n;
        return naive_replace(&copy, r);
    }
    if (r->op == FLU) {
        memset(n->line, 0, sizeof n->line);
        return (gm_replacement_response){0};
    }
    if (!line->used) {
        return (gm_replacement_response){.error = 1};
    }
    if (r->op == REM) {
        line->used = false;
        return (gm_replacement_response){0};
    }
    line->touched = true;
    line->stamp = ++n->now;
    line->rrpv = 0;
    int most = (1 << n->p->counter_bits) - 1;
    n->shct[line->signature] += n->shct[line->signature] < most;
    return (gm_replacement_response){0};
}

static void expect_same_state(const gm_replacement_state *state, const naive *n)
{
    unsigned ways = n->p->ways;
    for (unsigned i = 0; i < 2 * ways; i++) {
        const naive_line *line = &n->line[i / ways][i % ways];
        assert_int_equal(state->used[i / ways] >> i % ways & 1, line->used);
        if (line->used && n->p->policy != GM_REPLACEMENT_LRU) {
            assert_int_equal(state->value[i], line->rrpv);
        }
    }
    for (unsigned i = 0; i < 1u << n->p->signature_bits; i++) {
        if (n->p->policy == GM_REPLACEMENT_SHIP) {
            assert_int_equal(gm_mask(n->p->counter_bits) - state->doubt[i], n->shct[i]);
        }
    }
}

static gm_replacement_request random_request(test_random *random,
                                             const gm_replacement_parameters *p)
{
    static const uint8_t ops[] = {TCH, TCH, TCH, TCH, TCH, REP, REP, REP,
                                  REP, REP, REP, REP, REP, REM, PEK, PEK + 2};
    uint64_t any = test_random_next(random);
    return (gm_replacement_request){
        .op = (any & 1023) == 0 ? FLU : ops[any >> 10 & 15],
        .index = any >> 14 & 1,
        .way = test_random_below(random, p->ways),
        .eligible = (any & 0x8000) != 0 ? gm_mask(p->ways) : any >> 16 & gm_mask(p->ways),
        .signature = any >> 60 & gm_mask(p->signature_bits),
    };
}

static void agrees_with_counting(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    uint64_t seen[5] = {0}; /* of the response's fields */
    for (unsigned round = 0; round < 60; round++) {
        gm_replacement_parameters p = {
            .policy = (gm_replacement_policy)(round % 3),
            .index_bits = 1,
            .ways = 1 + (unsigned)test_random_below(&random, round % 4 == 0 ? 32 : 6),
            .rrpv_bits = 1 + (unsigned)test_random_below(&random, 4),
            .signature_bits = 1 + (unsigned)test_random_below(&random, 4),
            .counter_bits = 1 + (unsigned)test_random_below(&random, 4),
        };
        naive n = {.p = &p};
        for (unsigned i = 0; i < 1u << p.signature_bits; i++) {
            n.shct[i] = (1 << p.counter_bits) - 1;
        }
        gm_replacement_state table = make(p);
        for (unsigned t = 0; t < 8000; t++) {
            gm_replacement_request r = random_request(&random, &p);
            gm_replacement_response a = gm_replacement_access(&table, r);
            expect_equal(a, naive_access(&n, &r));
            for (unsigned i = 0; i < 5; i++) {
                seen[i] += ((const uint64_t *)&a)[i] != 0;
            }
            if (t % 64 == 0) {
                expect_same_state(&table, &n);
                expect_sound(&table);
            }
        }
        gm_arena_free(&arena);
    }
    for (unsigned i = 0; i < 5; i++) {
        assert_true(seen[i] > 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_counting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
