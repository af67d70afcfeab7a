/* Decoupled LFU tag store on random transactions: a second implementation, with lists, agrees; and
 * with threshold 0 or 1, or told to be, it is a conventional LRU cache, transaction by transaction.
 */
#include "cache/cache.h"
#include "goldmem/bits.h"
#include "goldmem/tag_store.h"
#include "support/blocks/block_answers.h"
#include "support/blocks/tag_store_lists.h"
#include "support/support.h"

#include <string.h>

static gm_arena arena;
static gm_set_index function;

static void make_function(const char *text, unsigned sets)
{
    gm_error error;
    test_ok(gm_set_index_parse(&function, text, sets, 42, &error), error);
}

static void make_store(gm_tag_store *store, const gm_tag_store_parameters *p)
{
    gm_error error;
    test_ok(gm_arena_create(&arena, gm_tag_store_bytes(p), &error), error);
    test_ok(gm_tag_store_init(store, p, &arena, &error), error);
}

static void expect_equal(gm_tag_store_response is, gm_tag_store_response should)
{
    block_answers_equal(&gm_tag_store_ports, &is, &should);
}

/* MISSes that wait for their FILL. */
typedef struct pending {
    gm_tag_store_request fill[1024];
    unsigned count;
} pending;

static bool one_in(test_random *random, uint64_t n)
{
    return test_random_below(random, n) == 0;
}

static gm_tag_store_parameters random_parameters(test_random *random)
{
    unsigned rc_bits = 1 + (unsigned)test_random_below(random, one_in(random, 2) ? 3 : 8);
    uint64_t values = UINT64_C(1) << rc_bits;
    gm_tag_store_parameters p = {
        .index = &function,
        .tag_ways = 2 + (unsigned)test_random_below(random, one_in(random, 4) ? 31 : 8),
        .rc_bits = rc_bits,
        .threshold =
            (unsigned)test_random_below(random, one_in(random, 4) || values < 4 ? values : 4),
        .allocation_rc = one_in(random, 4) ? (unsigned)test_random_below(random, values) : 1,
        .compare_above = one_in(random, 4),
        .age_twice = one_in(random, 3),
        .lfu_any = one_in(random, 2),
        .replacement = (gm_replacement_policy)test_random_below(random, 3),
        .rrpv_bits = 1 + (unsigned)test_random_below(random, 4),
        .signature_bits = 1 + (unsigned)test_random_below(random, one_in(random, 4) ? 14 : 3),
        .counter_bits = 1 + (unsigned)test_random_below(random, 4),
    };
    p.data_ways = 1 + (unsigned)test_random_below(random, p.tag_ways - 1);
    return p;
}

/* Lines of few sets, about as many as there are entries; what is asked for depends on a mood that
 * changes now and then, so that lines wait for long, or counts climb. */
static gm_tag_store_request random_request(test_random *random, const gm_tag_store_parameters *p,
                                           const pending *pending, unsigned mood)
{
    uint64_t number = test_random_below(random, 3 * (uint64_t)p->tag_ways);
    if (mood == 3) { /* a few lines much used */
        number = test_random_below(random, p->data_ways + 2);
    }
    uint64_t line = number << p->index->bits | (one_in(random, 8) ? 1 : 0);
    static const unsigned fills[] = {2, 8, 30, 8};
    gm_tag_store_request r = {.op = GM_TAG_STORE_PROBE,
                              .line = line,
                              .may_miss = !one_in(random, 8),
                              .may_bypass = !one_in(random, 8),
                              .conventional = one_in(random, mood == 1 ? 4 : 32),
                              .signature = (number ^ test_random_below(random, 2)) &
                                           gm_mask(p->signature_bits)};
    uint64_t ticket = test_random_below(random, 64);
    if (ticket < fills[mood] && pending->count > 0) {
        r = pending->fill[test_random_below(random, pending->count)];
    } else if (ticket > 60) {
        r.op = GM_TAG_STORE_INVALIDATE;
    } else if (ticket > 56) {
        r.op = GM_TAG_STORE_WRITE;
    } else if (ticket == 56) {
        r.op = one_in(random, 4) ? GM_TAG_STORE_FLUSH + test_random_below(random, 4)
                                 : GM_TAG_STORE_FILL;
        r.position = test_random_below(random, p->data_ways);
    }
    return r;
}

static void remember(pending *pending, const gm_tag_store_request *r,
                     const gm_tag_store_response *a)
{
    if (r->op == GM_TAG_STORE_PROBE && a->outcome == GM_TAG_STORE_MISS) {
        assert_true(pending->count < 1024);
        pending->fill[pending->count++] = (gm_tag_store_request){
            .op = GM_TAG_STORE_FILL, .line = r->line, .position = a->position};
    }
    for (unsigned i = 0; r->op == GM_TAG_STORE_FILL && a->error == 0 && i < pending->count; i++) {
        if (pending->fill[i].line == r->line) {
            pending->fill[i] = pending->fill[--pending->count];
        }
    }
}

/* How often each thing that is easily got wrong has come about. */
typedef struct sight {
    uint64_t outcome[5], reason[3], evicted_bypass, tie, saturated, aged, emptied, dropped, dead;
    uint64_t early;     /* data lines taken below the threshold */
    uint64_t chosen[3]; /* data lines that gave way, for each policy */
    uint64_t distant;   /* lines of a signature without reuse */
} sight;

static void look(sight *s, const gm_tag_store_parameters *p, const gm_tag_store_request *r,
                 const gm_tag_store_response *a)
{
    if (r->op == GM_TAG_STORE_PROBE) {
        s->outcome[a->outcome]++;
        s->reason[a->reason] += a->outcome == GM_TAG_STORE_RESERVATION_FAIL;
        s->distant += a->distant;
        s->chosen[p->replacement] += a->outcome == GM_TAG_STORE_MISS && a->evicted != 0;
        s->early += a->outcome == GM_TAG_STORE_MISS && a->rc < p->threshold;
        s->evicted_bypass += a->outcome == GM_TAG_STORE_BYPASS && a->evicted != 0;
    }
    s->tie += a->tie;
    s->saturated += a->saturated;
    s->aged += a->aged;
    s->emptied += a->emptied;
    s->dropped += a->dropped;
    s->dead += a->dead;
}

static void expect_unchanged(const void *memory, size_t size)
{
    assert_memory_equal(arena.memory, memory, size);
}

/* What was expected has come, or would have with all permissions. */
static void expect_expected(const gm_tag_store_expected *e, const gm_tag_store_response *a)
{
    assert_int_equal(e->index, a->index);
    if (a->outcome != GM_TAG_STORE_RESERVATION_FAIL) {
        assert_int_equal(e->outcome, a->outcome);
        assert_int_equal(e->position, a->position);
        assert_int_equal(e->dead, a->dead);
        assert_int_equal(e->evicted, a->evicted);
        assert_int_equal(e->evicted_line, a->evicted_line);
        assert_int_equal(e->evicted_position, a->evicted_position);
    } else if (a->reason == GM_TAG_STORE_FAIL_LINE) {
        assert_int_equal(e->outcome, GM_TAG_STORE_RESERVATION_FAIL);
        assert_int_equal(e->evicted + e->position, 0);
    } else if (a->reason == GM_TAG_STORE_FAIL_BYPASS) {
        assert_int_equal(e->outcome, GM_TAG_STORE_BYPASS);
    } else {
        assert_true(e->outcome == GM_TAG_STORE_MISS || e->outcome == GM_TAG_STORE_HIT_PENDING);
    }
}

static void agrees_with_lists(void **state)
{
    (void)state;
    static const char *const functions[] = {"sequential", "xor", "fold", "ipoly", "skew", "prime"};
    enum { ROUNDS = 50, TRANSACTIONS = 20000, COPY = 1 << 16 };
    static unsigned char copy[COPY];
    static naive_store naive;
    static pending pending;
    test_random random = test_random_start(1);
    sight seen = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        make_function(functions[test_random_below(&random, 6)],
                      4u << test_random_below(&random, round == 0 ? 9 : 3));
        gm_tag_store_parameters p = random_parameters(&random);
        if (round % 8 == 0) { /* old committed entries give way to bypassed lines */
            p.lfu_any = true;
            p.rc_bits = 4;
            p.threshold = 3;
            p.allocation_rc = 1;
        } else if (round % 8 == 1) { /* counts saturate: nothing is ever due */
            p.rc_bits = 2;
            p.threshold = 3;
            p.compare_above = true;
            p.allocation_rc = 0;
        } else if (round % 8 == 2) { /* the largest sets, whose lines all have ranks */
            p.tag_ways = GM_TAG_STORE_WAYS;
            p.data_ways = p.tag_ways - 1;
            p.replacement = GM_REPLACEMENT_LRU;
            p.threshold = 1;
        }
        gm_tag_store store;
        make_store(&store, &p);
        naive_start(&naive, &p);
        pending.count = 0;
        unsigned mood = 0;
        for (unsigned t = 0; t < TRANSACTIONS; t++) {
            mood = t % 256 == 0 ? (unsigned)test_random_below(&random, 4) : mood;
            gm_tag_store_request r = random_request(&random, &p, &pending, mood);
            bool watch = t % 16 == 0 && arena.size < COPY;
            if (watch) {
                memcpy(copy, arena.memory, arena.size);
            }
            gm_tag_store_expected e = gm_tag_store_expect(&store, r.line, r.conventional != 0);
            if (watch) {
                expect_unchanged(copy, arena.size);
            }
            gm_tag_store_response a = gm_tag_store_access(&store, r);
            if (r.op == GM_TAG_STORE_PROBE) {
                expect_expected(&e, &a);
            }
            expect_equal(a, naive_access(&naive, &r));
            if (watch && (a.error != 0 || a.outcome == GM_TAG_STORE_RESERVATION_FAIL)) {
                expect_unchanged(copy, arena.size);
            }
            if (t % 128 == 0) {
                gm_error error;
                test_ok(gm_tag_store_check(&store, &error), error);
            }
            remember(&pending, &r, &a);
            look(&seen, &p, &r, &a);
        }
        naive_flush(&naive, true);
        gm_arena_free(&arena);
    }
    for (unsigned i = 0; i < 5; i++) {
        assert_true(seen.outcome[i] > 10000);
    }
    assert_true(seen.reason[0] > 1000 && seen.reason[1] > 1000 && seen.reason[2] > 1000);
    assert_true(seen.tie > 1000 && seen.saturated > 1000);
    assert_true(seen.evicted_bypass > 20 && seen.aged > 1000 && seen.emptied > 1000);
    assert_true(seen.dropped > 1000 && seen.dead > 1000 && seen.early > 1000);
    assert_true(seen.chosen[GM_REPLACEMENT_LRU] > 1000 && seen.distant > 1000);
    assert_true(seen.chosen[GM_REPLACEMENT_SRRIP] > 1000 &&
                seen.chosen[GM_REPLACEMENT_SHIP] > 1000);
}

/* What a conventional cache does on the request: its tags never tell a line's first access from
 * later ones, so each miss gets a line at once. */
static gm_tag_store_response conventional(gm_cache *cache, const gm_tag_store_request *r,
                                          uint64_t *allocated)
{
    gm_cache_place place = gm_cache_find(cache, r->line);
    bool there = place.slot != GM_NO_SLOT;
    gm_tag_store_response a = {.outcome = GM_TAG_STORE_HIT};
    if (r->op == GM_TAG_STORE_FILL) {
        gm_cache_arrive(cache, place.slot);
    } else if (r->op != GM_TAG_STORE_PROBE) {
        a.evicted = there;
        a.evicted_line = there ? r->line : 0;
        if (there) {
            gm_cache_drop(cache, place);
        }
    } else if (there) {
        a.outcome = gm_cache_waits(cache, place.slot) ? GM_TAG_STORE_HIT_PENDING : GM_TAG_STORE_HIT;
        gm_cache_touch(cache, place);
    } else {
        uint32_t slot = gm_cache_victim(cache, place);
        if (slot == GM_NO_SLOT) {
            a.outcome = GM_TAG_STORE_RESERVATION_FAIL;
            return a;
        }
        gm_victim victim;
        slot = gm_cache_replace(cache, r->line, place, slot, &victim);
        *gm_cache_state(cache, slot) = (gm_sector_state){.valid = 1};
        gm_cache_wait(cache, slot);
        a.outcome = GM_TAG_STORE_MISS;
        a.evicted = victim.state.valid != 0;
        a.evicted_line = a.evicted != 0 ? victim.line : 0;
        ++*allocated;
    }
    return a;
}

static bool line_waits(const pending *pending, uint64_t line)
{
    for (unsigned i = 0; i < pending->count; i++) {
        if (pending->fill[i].line == line) {
            return true;
        }
    }
    return false;
}

/* A line that waits is not written or invalidated here: gm_cache has no dead lines. */
static void equals_a_conventional_cache(void **state)
{
    (void)state;
    enum { ROUNDS = 24, TRANSACTIONS = 10000 };
    static pending pending;
    test_random random = test_random_start(2);
    for (unsigned round = 0; round < ROUNDS; round++) {
        make_function(round % 3 == 0 ? "ipoly" : "sequential", 4u << round % 4);
        unsigned data_ways = 1 + (unsigned)test_random_below(&random, 16);
        gm_tag_store_parameters p = {
            .index = &function,
            .data_ways = data_ways,
            .tag_ways = data_ways + 1 + (unsigned)test_random_below(&random, 32 - data_ways),
            .rc_bits = 1 + round % 6,
            .threshold = round & 1,
            .allocation_rc = 1,
            .rrpv_bits = 2,
            .signature_bits = 8,
            .counter_bits = 3,
        };
        bool told = (round & 2) != 0; /* each PROBE says it, and the threshold does not matter */
        if (told) {
            p.threshold = (unsigned)gm_mask(p.rc_bits);
            p.allocation_rc = (unsigned)test_random_below(&random, p.threshold + 1);
        }
        gm_cache_parameters c = {.sets = UINT64_C(1) << function.bits,
                                 .ways = data_ways,
                                 .replacement = GM_REPLACE_LRU,
                                 .index = &function,
                                 .waits = true};
        gm_tag_store store;
        make_store(&store, &p);
        gm_cache cache;
        gm_arena cache_arena;
        gm_error error;
        test_ok(gm_arena_create(&cache_arena, gm_cache_bytes(&c), &error), error);
        test_ok(gm_cache_init(&cache, &c, &cache_arena, &error), error);
        pending.count = 0;
        uint64_t allocated = 0;
        unsigned mood = 0;
        for (unsigned t = 0; t < TRANSACTIONS; t++) {
            mood = t % 256 == 0 ? (unsigned)test_random_below(&random, 4) : mood;
            gm_tag_store_request r = random_request(&random, &p, &pending, mood);
            r.may_miss = 1;
            r.may_bypass = 0; /* nothing bypasses */
            r.conventional = told;
            bool waits = line_waits(&pending, r.line);
            if (r.op >= GM_TAG_STORE_FLUSH || (waits && r.op >= GM_TAG_STORE_WRITE)) {
                r.op = GM_TAG_STORE_PROBE;
            }
            gm_tag_store_response a = gm_tag_store_access(&store, r);
            if (a.error == 0) { /* a FILL of a line that does not wait: not for gm_cache */
                gm_tag_store_response b = conventional(&cache, &r, &allocated);
                assert_int_equal(a.outcome, b.outcome);
                assert_int_equal(a.evicted, b.evicted);
                assert_int_equal(a.evicted_line, b.evicted_line);
            }
            remember(&pending, &r, &a);
        }
        assert_true(allocated > 100);
        gm_cache_free(&cache);
        gm_arena_free(&cache_arena);
        gm_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_lists),
        cmocka_unit_test(equals_a_conventional_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
