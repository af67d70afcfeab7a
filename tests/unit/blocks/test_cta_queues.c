/* CTA queues: operations worked by hand with the paper's examples. */
#include "goldmem/bits.h"
#include "support/blocks/cta_queues_run.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void refusals(void **state)
{
    (void)state;
    static const struct {
        gm_cta_queues_parameters parameters;
        const char *text;
    } rows[] = {
        {{0, 32, GROUPS, false}, "cta_queues: sms 0: must be 1 to 1024"},
        {{1025, 32, GROUPS, false}, "cta_queues: sms 1025: must be 1 to 1024"},
        {{15, 0, GROUPS, false}, "cta_queues: cta_bits 0: must be 1 to 63"},
        {{15, 64, GROUPS, false}, "cta_queues: cta_bits 64: must be 1 to 63"},
        {{15, 32, (gm_cta_queues_mode)3, false}, "cta_queues: mode 3: must be 0 to 2"},
        {{15, 32, BCS, true}, "cta_queues: adaptive needs mode 2"},
        {{15, 32, RR, true}, "cta_queues: adaptive needs mode 2"},
    };
    gm_arena arena;
    gm_error error;
    gm_cta_queues queues;
    test_ok(gm_arena_create(&arena, gm_cta_queues_bytes(1024), &error), error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(gm_cta_queues_init(&queues, &rows[i].parameters, &arena, &error), -EINVAL);
        assert_string_equal(error.text, rows[i].text);
    }
    const gm_cta_queues_parameters most = {1024, 63, GROUPS, true};
    assert_int_equal(gm_cta_queues_init(&queues, &most, &arena, &error), 0);
    assert_int_equal(gm_cta_queues_init(&queues, &most, &arena, &error), -ENOMEM);
    assert_string_equal(error.text, "cta_queues: the arena is full");
    arena.used = 0;
    const gm_cta_queues_parameters least = {1, 1, GROUPS, true};
    assert_int_equal(gm_cta_queues_init(&queues, &least, &arena, &error), 0);
    gm_arena_free(&arena);
}

/* One thing wrong in the state behind a START of 9 CTAs in groups of 3, of 3 SMs. */
static void check_finds_damage(void **state)
{
    (void)state;
    static const struct {
        uint64_t next;
        bool single;
        unsigned sm;
        gm_cta_queue queue;
        const char *text;
    } rows[] = {
        {9, false, 2, {6, 9, false}, NULL},
        {10, false, 2, {6, 9, false}, "cta_queues: next 10 of 9, single 0"},
        {9, true, 2, {6, 9, false}, "cta_queues: next 9 of 9, single 1"},
        {9, false, 0, {4, 3, false}, "cta_queues: SM 0: 4 to 3, of the 9 before next; opened 0"},
        {9, false, 2, {6, 10, false}, "cta_queues: SM 2: 6 to 10, of the 9 before next; opened 0"},
        {9, false, 2, {6, 9, true}, "cta_queues: SM 2: 6 to 9, of the 9 before next; opened 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gm_arena arena;
        gm_error error = {0};
        gm_cta_queues queues = make((gm_cta_queues_parameters){3, 8, GROUPS, false}, &arena);
        act(&queues, start_of(&queues, 9, 3));
        gm_cta_queue *exact = malloc(3 * sizeof *exact); /* AddressSanitizer sees its end */
        assert_non_null(exact);
        memcpy(exact, queues.queue, 3 * sizeof *exact);
        queues.queue = exact;
        exact[rows[i].sm] = rows[i].queue;
        queues.next = rows[i].next;
        queues.single = rows[i].single;
        int code = gm_cta_queues_check(&queues, &error);
        assert_int_equal(code, rows[i].text != NULL ? -EINVAL : 0);
        assert_string_equal(error.text, rows[i].text != NULL ? rows[i].text : "");
        free(exact);
        gm_arena_free(&arena);
    }
}

/* A kernel's CTAs, and the answers to ASKs. */
typedef struct hand_step {
    uint64_t sm, free;
    gm_cta_queues_response response; /* count, cta, taken, single, empty */
} hand_step;

typedef struct hand_case {
    const char *why;
    gm_cta_queues_parameters parameters;
    uint64_t ctas, size;
    hand_step step[12]; /* to the first of free 0 */
} hand_case;

static const hand_case cases[] = {
    {"Figure 2: CTAs in their order, to whoever asks",
     {3, 32, RR, false},
     3,
     1,
     {{0, 1, {1, 0, 0, 0, 0}},
      {1, 2, {1, 1, 0, 0, 0}},
      {1, 3, {1, 2, 0, 0, 1}},
      {2, 1, {0, 0, 0, 0, 1}}}},
    {"Figure 6: the current pointer is advanced until it reaches the end, then a new group",
     {2, 32, GROUPS, false},
     7,
     2,
     {{0, 1, {1, 0, 0, 0, 0}},
      {0, 1, {1, 1, 0, 0, 0}},
      {1, 1, {1, 2, 0, 0, 0}},
      {0, 1, {1, 4, 1, 0, 0}},
      {1, 1, {1, 3, 0, 0, 0}},
      {1, 1, {1, 6, 1, 0, 1}}, /* the last group is short */
      {1, 1, {0, 0, 0, 0, 1}},
      {0, 1, {1, 5, 0, 0, 1}},
      {0, 1, {0, 0, 0, 0, 1}}}},
    {"section IV: 16 SMs, 17 groups: one SM gets two",
     {16, 32, GROUPS, false},
     34,
     2,
     {{0, 1, {1, 0, 0, 0, 0}},
      {15, 1, {1, 30, 0, 0, 0}},
      {15, 1, {1, 31, 0, 0, 0}},
      {15, 1, {1, 32, 1, 0, 1}},
      {0, 1, {1, 1, 0, 0, 1}},
      {0, 1, {0, 0, 0, 0, 1}},
      {15, 1, {1, 33, 0, 0, 1}}}},
    {"section IV, modified: the 17th group goes CTA by CTA; groups that have begun are finished",
     {16, 32, GROUPS, true},
     34,
     2,
     {{0, 1, {1, 0, 0, 0, 0}},
      {15, 1, {1, 30, 0, 0, 0}},
      {15, 1, {1, 31, 0, 0, 0}},
      {15, 1, {1, 32, 0, 1, 0}},
      {0, 1, {1, 1, 0, 1, 0}},
      {0, 1, {1, 33, 0, 1, 1}},
      {15, 1, {0, 0, 0, 1, 1}},
      {1, 1, {1, 2, 0, 1, 1}}}},
    {"adaptive: as many groups as SMs remain: a group; one fewer: single CTAs",
     {2, 32, GROUPS, true},
     8,
     2,
     {{0, 1, {1, 0, 0, 0, 0}},
      {0, 1, {1, 1, 0, 0, 0}},
      {0, 1, {1, 4, 1, 0, 0}},
      {0, 1, {1, 5, 0, 0, 0}},
      {0, 1, {1, 6, 0, 1, 0}},
      {1, 1, {1, 2, 0, 1, 0}},
      {1, 1, {1, 3, 0, 1, 0}},
      {1, 1, {1, 7, 0, 1, 1}}}},
    {"adaptive, fewer groups than SMs: round robin from the start",
     {3, 32, GROUPS, true},
     4,
     2,
     {{2, 1, {1, 0, 0, 1, 0}}, {0, 1, {1, 1, 0, 1, 0}}, {1, 1, {1, 2, 0, 1, 0}}}},
    {"not adaptive, fewer groups than SMs: the others stay idle",
     {3, 32, GROUPS, false},
     4,
     2,
     {{2, 1, {0, 0, 0, 0, 1}}, {1, 2, {1, 2, 0, 0, 1}}, {0, 1, {1, 0, 0, 0, 1}}}},
    {"gridDim.x of a 1-D grid: one group, on SM 0",
     {3, 32, GROUPS, false},
     4,
     4,
     {{1, 1, {0, 0, 0, 0, 1}}, {0, 1, {1, 0, 0, 0, 1}}, {0, 1, {1, 1, 0, 0, 1}}}},
    {"an SM with room for more than a group takes the next at once",
     {2, 32, GROUPS, false},
     6,
     1,
     {{0, 2, {1, 0, 0, 0, 0}}, {0, 2, {1, 2, 1, 0, 0}}, {1, 2, {1, 1, 0, 0, 0}}}},
    {"BCS [VII-A]: a run at first, then pairs, when there is room for two; the odd last one alone",
     {2, 32, BCS, false},
     9,
     2,
     {{0, 1, {1, 0, 1, 0, 0}},
      {1, 1, {1, 2, 1, 0, 0}},
      {0, 1, {1, 1, 0, 0, 0}},
      {0, 1, {0, 0, 0, 0, 0}},
      {0, 2, {2, 4, 0, 0, 0}},
      {1, 2, {1, 3, 0, 0, 0}},
      {1, 3, {2, 6, 0, 0, 0}},
      {1, 1, {1, 8, 0, 0, 1}},
      {0, 2, {0, 0, 0, 0, 1}}}},
    {"BCS: an SM that holds one CTA gets them singly",
     {2, 32, BCS, false},
     4,
     1,
     {{0, 1, {1, 0, 1, 0, 0}},
      {0, 1, {1, 1, 0, 0, 0}},
      {0, 2, {1, 2, 0, 0, 0}},
      {1, 1, {1, 3, 1, 0, 1}}}},
    {"BCS: a first run that the kernel's end cuts short",
     {2, 32, BCS, false},
     3,
     2,
     {{0, 1, {1, 0, 1, 0, 0}},
      {1, 1, {1, 2, 1, 0, 1}},
      {1, 1, {0, 0, 0, 0, 1}},
      {0, 1, {1, 1, 0, 0, 1}}}},
};

static void operations_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const hand_case *it = &cases[i];
        gm_arena arena;
        gm_cta_queues queues = make(it->parameters, &arena);
        act(&queues, start_of(&queues, it->ctas, it->size));
        for (unsigned k = 0; it->step[k].free != 0; k++) {
            const hand_step *step = &it->step[k];
            gm_cta_queues_response none =
                act(&queues, (gm_cta_queues_request){.sm = step->sm, .free = 0});
            assert_int_equal(none.count | none.taken, 0); /* an SM without room gets nothing */
            gm_cta_queues_response got =
                act(&queues, (gm_cta_queues_request){.sm = step->sm, .free = step->free});
            if (memcmp(&got, &step->response, sizeof got) != 0) {
                fail_msg("%s: step %u: count %llu, cta %llu, taken %llu, single %llu, empty %llu",
                         it->why, k, (unsigned long long)got.count, (unsigned long long)got.cta,
                         (unsigned long long)got.taken, (unsigned long long)got.single,
                         (unsigned long long)got.empty);
            }
        }
        gm_arena_free(&arena);
    }
}

/* Before a kernel nothing is there; a second kernel begins afresh. */
static void kernels_follow_each_other(void **state)
{
    (void)state;
    for (unsigned mode = RR; mode <= GROUPS; mode++) {
        gm_arena arena;
        gm_cta_queues queues =
            make((gm_cta_queues_parameters){2, 8, (gm_cta_queues_mode)mode, false}, &arena);
        gm_cta_queues_response none = act(&queues, (gm_cta_queues_request){.free = 2});
        assert_int_equal(none.count, 0);
        assert_int_equal(none.empty, 1);
        for (unsigned kernel = 0; kernel < 3; kernel++) {
            act(&queues, start_of(&queues, 255, 3));
            for (unsigned i = 0; i < 3 + kernel; i++) {
                gm_cta_queues_response got = act(&queues, (gm_cta_queues_request){.free = 1});
                assert_int_equal(got.count, mode == BCS && i >= 3 ? 0 : 1);
                assert_int_equal(got.cta, mode == BCS && i >= 3      ? 0
                                          : mode == GROUPS && i >= 3 ? i + 3
                                                                     : i);
            }
        }
        gm_arena_free(&arena);
    }
}

/* The shipped parameters, 15 SMs and 32 bits, and the widest, at their ends. */
static void limits(void **state)
{
    (void)state;
    static const struct {
        unsigned sms, bits;
        uint64_t size, tail;
    } rows[] = {
        {15, 32, 65536, 14 * UINT64_C(65536)},
        {15, 32, UINT32_MAX, UINT32_MAX}, /* one group; tail is saturated */
        {15, 32, UINT32_MAX / 14, UINT32_MAX / 14 * UINT64_C(14)},
        {15, 32, UINT32_MAX / 14 + 1, UINT32_MAX},
        {15, 32, 1, 14},
        {1, 32, 65536, 0},
        {1024, 63, INT64_MAX, INT64_MAX},
        {1024, 63, INT64_MAX / 1023, INT64_MAX / 1023 * UINT64_C(1023)},
        {1024, 63, INT64_MAX / 1023 + 1, INT64_MAX},
    };
    const gm_cta_queues_parameters shipped = {15, 32, GROUPS, true};
    assert_int_equal(gm_cta_queues_tail(&shipped, 0), 14); /* a size of 0 is taken for 1 */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t total = gm_mask(rows[i].bits);
        gm_arena arena;
        const gm_cta_queues_parameters p = {rows[i].sms, rows[i].bits, GROUPS, false};
        gm_cta_queues queues = make(p, &arena);
        assert_int_equal(gm_cta_queues_tail(&p, rows[i].size), rows[i].tail);
        act(&queues, start_of(&queues, total, rows[i].size));
        uint64_t behind = 0;
        for (unsigned sm = 0; sm < rows[i].sms; sm++) {
            assert_int_equal(queues.queue[sm].current, behind);
            behind += total - behind < rows[i].size ? total - behind : rows[i].size;
            assert_int_equal(queues.queue[sm].behind, behind);
        }
        assert_int_equal(queues.next, behind);
        queues.next = total - 1; /* the last CTA of all */
        queues.queue[0].current = queues.queue[0].behind;
        gm_cta_queues_response got = act(&queues, (gm_cta_queues_request){.free = 1});
        assert_int_equal(got.cta, total - 1);
        assert_int_equal(got.count & got.taken & got.empty, 1);
        gm_arena_free(&arena);
    }
}

/* What is left differs from the tail, from a group, and under BCS from one CTA, in a single bit. */
static void expect_left_beside(const gm_cta_queues_parameters *p, uint64_t left, unsigned bit)
{
    uint64_t other = left ^ UINT64_C(1) << bit;
    gm_arena arena;
    gm_cta_queues queues = make(*p, &arena);
    uint64_t total = gm_mask(p->cta_bits);
    act(&queues, (gm_cta_queues_request){
                     .op = GM_CTA_QUEUES_START, .ctas = total, .size = other, .tail = other});
    bool rr = p->adaptive && total <= other;
    assert_int_equal(queues.single, rr);
    queues.next = total - left;
    for (unsigned sm = 0; sm < p->sms; sm++) { /* all have used theirs up */
        queues.queue[sm] = (gm_cta_queue){.opened = p->mode == BCS};
    }
    gm_cta_queues_response got = act(&queues, (gm_cta_queues_request){.sm = p->sms - 1, .free = 2});
    bool none = left == 0;
    if (p->mode == BCS) {
        assert_int_equal(got.count, none ? 0 : left == 1 || other <= 1 ? 1 : 2);
    } else {
        rr = rr || (p->adaptive && left <= other);
        assert_int_equal(got.single, rr);
        assert_int_equal(got.taken, !rr && !none);
        uint64_t taken = !got.taken ? got.count : left < other ? left : other == 0 ? 1 : other;
        assert_int_equal(queues.next, total - left + taken);
    }
    gm_arena_free(&arena);
}

static void each_bit_of_what_is_left_counts(void **state)
{
    (void)state;
    static const gm_cta_queues_parameters machines[] = {
        {15, 32, GROUPS, true}, {15, 32, GROUPS, false}, {15, 32, BCS, false},
        {3, 63, GROUPS, true},  {3, 63, GROUPS, false},  {3, 63, BCS, false},
    };
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        unsigned bits = machines[i].cta_bits;
        for (unsigned bit = 0; bit < bits; bit++) {
            const uint64_t left[] = {0,
                                     1,
                                     UINT64_C(1) << bit | 1,
                                     UINT64_C(1) << (bit + 1) % bits | 1,
                                     UINT64_C(1) << (bits - 1),
                                     UINT64_C(0x5555555555555555) & gm_mask(bits),
                                     gm_mask(bits)};
            for (size_t k = 0; k < sizeof left / sizeof *left; k++) {
                expect_left_beside(&machines[i], left[k], bit);
            }
        }
    }
}

/* A kernel finds each SM as after a reset, whatever its queue was in the last one. */
static void a_start_clears_every_sm(void **state)
{
    (void)state;
    static const gm_cta_queues_parameters machines[] = {
        {15, 32, BCS, false}, {15, 32, GROUPS, false}, {1024, 63, BCS, false}};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        const gm_cta_queues_parameters *p = &machines[i];
        gm_arena arena;
        gm_cta_queues queues = make(*p, &arena);
        for (unsigned kernel = 0; kernel < 2; kernel++) {
            act(&queues, start_of(&queues, UINT32_MAX, 2));
            for (unsigned sm = 0; sm < p->sms; sm++) {
                const gm_cta_queues_request ask = {.sm = sm, .free = 2};
                gm_cta_queues_response got = act(&queues, ask);
                assert_int_equal(got.count, 1);
                assert_int_equal(got.cta, 2 * sm);
                assert_int_equal(got.taken, p->mode == BCS);
                assert_int_equal(act(&queues, ask).cta, 2 * sm + 1);
            }
        }
        gm_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(operations_by_hand),
        cmocka_unit_test(kernels_follow_each_other),
        cmocka_unit_test(limits),
        cmocka_unit_test(each_bit_of_what_is_left_counts),
        cmocka_unit_test(a_start_clears_every_sm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
