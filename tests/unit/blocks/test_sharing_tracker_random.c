/* Sharing tracker on random transactions: a second implementation, with lists, agrees. */
#include "goldmem/bits.h"
#include "support/blocks/sharing_tracker_lists.h"
#include "support/blocks/sharing_tracker_run.h"

#include <string.h>

static bool one_in(test_random *random, uint64_t n)
{
    return test_random_below(random, n) == 0;
}

static gm_sharing_tracker_parameters random_parameters(test_random *random, unsigned round)
{
    gm_sharing_tracker_parameters p = {
        .index = &function,
        .ways = 1 + (unsigned)test_random_below(random, one_in(random, 4) ? 32 : 8),
        .cus = 1 + (unsigned)test_random_below(random, one_in(random, 4) ? 64 : 8),
    };
    p.pointers = round % 2 == 0 ? 0 : 1 + (unsigned)test_random_below(random, p.cus);
    return p;
}

/* Lines of one of two sets. */
static uint64_t few_lines(test_random *random, uint64_t lines)
{
    return test_random_below(random, lines) << function.bits | one_in(random, 8);
}

/* Returns a number of `bits` bits that is 0, the highest, or one or none bit beside `number`. */
static uint64_t number_beside(test_random *random, uint64_t number, unsigned bits)
{
    switch (test_random_below(random, 4)) {
    case 0:
        return number & gm_mask(bits);
    case 1:
        return (number ^ UINT64_C(1) << test_random_below(random, bits)) & gm_mask(bits);
    default:
        return one_in(random, 2) ? 0 : gm_mask(bits);
    }
}

/* Lines whose sets and tags are few, of all bits: those of `base`, of which they differ in one bit,
 * and as many as fill a set. */
static uint64_t far_lines(test_random *random, uint64_t base, uint64_t lines)
{
    unsigned tag_bits = function.address_bits - function.bits;
    uint64_t set = number_beside(random, base, function.bits);
    uint64_t tag = base >> function.bits ^ test_random_below(random, lines);
    tag = one_in(random, 4) ? tag ^ UINT64_C(1) << test_random_below(random, tag_bits) : tag;
    return gm_set_index_line(&function, tag & gm_mask(tag_bits), (uint32_t)set);
}

/* Few lines of few CUs, about as many as there are entries; the mood says what prevails. With
 * `base` they have all bits of a line and set. */
static gm_sharing_tracker_request random_request(test_random *random,
                                                 const gm_sharing_tracker_parameters *p,
                                                 unsigned mood, const uint64_t *base)
{
    static const unsigned shares[4][4] = {/* of 64: LOOKUP, FILL, EVICT, WRITE; then COHERENT */
                                          {28, 24, 8, 2},
                                          {32, 30, 1, 0},
                                          {20, 20, 22, 1},
                                          {40, 10, 8, 5}};
    uint64_t lines = mood == 1 ? 2 : (uint64_t)p->ways + 2;
    uint64_t ticket = test_random_below(random, 64);
    unsigned op = 0;
    while (op < 4 && ticket >= shares[mood][op]) {
        ticket -= shares[mood][op++];
    }
    if (op == GM_SHARING_TRACKER_COHERENT && one_in(random, 8)) {
        op = GM_SHARING_TRACKER_FLUSH + 2 * (unsigned)test_random_below(random, 2);
    } else if (one_in(random, 8)) {
        op = GM_SHARING_TRACKER_ASK;
    }
    return (gm_sharing_tracker_request){
        .op = op,
        .line = base != NULL ? far_lines(random, *base, lines) : few_lines(random, lines),
        .cu = test_random_below(random, p->cus),
        .will_fill = !one_in(random, mood == 3 ? 2 : 6),
    };
}

/* How often each thing that is easily got wrong has come about. */
static void look(gm_sharing_tracker_response *seen, const gm_sharing_tracker_response *a)
{
    uint64_t *sum = (void *)seen;
    const uint64_t *value = (const void *)a;
    for (unsigned i = 0; i < gm_sharing_tracker_ports.responses; i++) {
        sum[i] += value[i] != 0;
    }
}

static void agrees_with_lists(void **state)
{
    (void)state;
    static const char *const functions[] = {"sequential", "xor", "fold", "ipoly", "skew", "prime"};
    enum { ROUNDS = 50, TRANSACTIONS = 20000 };
    static naive_tracker naive;
    test_random random = test_random_start(1);
    gm_sharing_tracker_response seen = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        make_function(functions[test_random_below(&random, 6)],
                      2u << test_random_below(&random, round == 0 ? 11 : 3));
        gm_sharing_tracker_parameters p = random_parameters(&random, round);
        gm_sharing_tracker tracker;
        make(&tracker, &p);
        naive = (naive_tracker){.p = &p};
        unsigned mood = 0;
        for (unsigned t = 0; t < TRANSACTIONS; t++) {
            mood = t % 256 == 0 ? (unsigned)test_random_below(&random, 4) : mood;
            gm_sharing_tracker_request r = random_request(&random, &p, mood, NULL);
            gm_sharing_tracker_response a = gm_sharing_tracker_access(&tracker, r);
            expect_equal(a, naive_access(&naive, &r), t);
            if (t % 128 == 0) {
                expect_sound(&tracker);
            }
            look(&seen, &a);
        }
        naive_flush(&naive);
        gm_arena_free(&arena);
    }
    const uint64_t *counts = (const void *)&seen;
    for (unsigned i = 0; i < gm_sharing_tracker_ports.responses; i++) {
        if (counts[i] < 1000) {
            fail_msg("%s only %llu times", gm_sharing_tracker_ports.response[i].name,
                     (unsigned long long)counts[i]);
        }
    }
}

/* The block's defaults, the instances of the thesis's machine (kepler-hybrid-tracker: 1024 sets in
 * 8 banks, lines of 57 bits) and the ends of the ranges. */
static void agrees_at_shipped_sizes_and_limits(void **state)
{
    (void)state;
    static const struct {
        const char *index;
        unsigned sets, line_bits, ways, cus, pointers;
    } sizes[] = {
        {"ipoly", 1024, 42, 8, 16, 0},      {"ipoly", 1024, 42, 8, 16, 1},
        {"sequential", 1024, 57, 8, 16, 0}, {"sequential", 128, 57, 8, 16, 0},
        {"sequential", 128, 57, 8, 16, 1},  {"sequential", 4096, 64, 32, 64, 0},
        {"fold", 4096, 64, 32, 64, 64},     {"sequential", 4096, 64, 1, 64, 63},
        {"sequential", 2, 2, 2, 1, 1},
    };
    enum { TRANSACTIONS = 40000, A_BASE = 4096 };
    static naive_tracker naive;
    test_random random = test_random_start(3);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        make_function_of(sizes[i].index, sizes[i].sets, sizes[i].line_bits);
        const gm_sharing_tracker_parameters p = {&function, sizes[i].ways, sizes[i].cus,
                                                 sizes[i].pointers};
        gm_sharing_tracker tracker;
        make(&tracker, &p);
        naive = (naive_tracker){.p = &p};
        uint64_t base = 0;
        unsigned mood = 0;
        for (unsigned t = 0; t < TRANSACTIONS; t++) {
            base = t % A_BASE == 0 ? test_random_next(&random) : base;
            mood = t % 256 == 0 ? (unsigned)test_random_below(&random, 4) : mood;
            gm_sharing_tracker_request r = random_request(&random, &p, mood, &base);
            expect_equal(gm_sharing_tracker_access(&tracker, r), naive_access(&naive, &r), t);
            if (t % A_BASE == 0) {
                expect_sound(&tracker);
            }
        }
        naive_flush(&naive);
        gm_arena_free(&arena);
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
