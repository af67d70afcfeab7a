/* L2 side of Temporal Coherence [singh, 6.2, 6.3, Table 2 (right)]: sequences worked by hand, each
 * cell of the table, the printed rules, parameters, and what the check finds. */
#include "goldmem/tc_l2.h"
#include "support/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    DATA = GM_TC_L2_DATA,
    ACK = GM_TC_L2_ACK,
    ACK_G = GM_TC_L2_ACK_G,
    DATA_G = GM_TC_L2_DATA_G,
    WAIT = GM_TC_L2_WAIT,
    P = GM_TC_L2_P,
    S = GM_TC_L2_S,
};

enum { C1 = 1, C2 = 2 };

static gm_arena arena;

/* 4 slots, 4 SMs, times of 7 bits: the last time is 127. */
static void make(gm_tc_l2 *l2, bool strong, unsigned printed, bool visible)
{
    const gm_tc_l2_parameters p = {.slots = 4,
                                   .sms = 4,
                                   .time_bits = 7,
                                   .strong = strong,
                                   .printed = printed,
                                   .visible = visible};
    gm_error error;
    test_ok(gm_arena_create(&arena, gm_tc_l2_bytes(&p), &error), error);
    test_ok(gm_tc_l2_init(l2, &p, &arena, &error), error);
}

/* Field by field, so that a difference is named. */
static void expect_equal(gm_tc_l2_response is, gm_tc_l2_response should, unsigned step)
{
    const uint64_t *a = (const void *)&is;
    const uint64_t *b = (const void *)&should;
    for (unsigned i = 0; i < gm_tc_l2_ports.responses; i++) {
        if (a[i] != b[i]) {
            fail_msg("step %u: %s is %llu, should be %llu", step, gm_tc_l2_ports.response[i].name,
                     (unsigned long long)a[i], (unsigned long long)b[i]);
        }
    }
}

/* A request and what is not 0 of its answer. */
typedef struct step {
    gm_tc_l2_request request;
    gm_tc_l2_response answer;
} step;

/* Requests on slot 1. */
#define GETS(who, time, lives)                                                                     \
    {                                                                                              \
        .op = GM_TC_L2_GETS, .slot = 1, .sm = (who), .now = (time), .life = (lives)                \
    }
#define BYPASS(time)                                                                               \
    {                                                                                              \
        .op = GM_TC_L2_GETS, .slot = 1, .sm = 3, .no_lease = 1, .now = (time), .life = 9           \
    }
#define GETX(time)                                                                                 \
    {                                                                                              \
        .op = GM_TC_L2_GETX, .slot = 1, .now = (time)                                              \
    }
#define UPGR(who, copy, time)                                                                      \
    {                                                                                              \
        .op = GM_TC_L2_UPGR, .slot = 1, .sm = (who), .timestamp = (copy), .now = (time)            \
    }
#define ATOMIC(time)                                                                               \
    {                                                                                              \
        .op = GM_TC_L2_ATOMIC, .slot = 1, .now = (time)                                            \
    }
#define EVICT(time)                                                                                \
    {                                                                                              \
        .op = GM_TC_L2_EVICT, .slot = 1, .now = (time)                                             \
    }
#define FETCHED                                                                                    \
    {                                                                                              \
        .op = GM_TC_L2_INSTALL, .slot = 1, .kept_lease = 99                                        \
    }
#define FETCHED_TO_WRITE                                                                           \
    {                                                                                              \
        .op = GM_TC_L2_INSTALL, .slot = 1, .kept_lease = 99, .write = 1                            \
    }
#define KEPT(until)                                                                                \
    {                                                                                              \
        .op = GM_TC_L2_INSTALL, .slot = 1, .kept = 1, .kept_lease = (until)                        \
    }
#define KEPT_TO_WRITE(until)                                                                       \
    {                                                                                              \
        .op = GM_TC_L2_INSTALL, .slot = 1, .kept = 1, .kept_lease = (until), .write = 1            \
    }
/* Its answers: DATA with a lease; a private write; a write that waits; a kept lease. */
#define LEASE(state, until)                                                                        \
    {                                                                                              \
        .answer = DATA, .lease_given = 1, .lease = (until), .was = (state)                         \
    }
#define PRIVATE(until)                                                                             \
    {                                                                                              \
        .answer = ACK, .lease_given = 1, .lease = (until), .was = P, .is_private = 1               \
    }
#define LATEST(state, old)                                                                         \
    {                                                                                              \
        .answer = ACK_G, .lease_given = 1, .lease = (old) + 1, .gwct = (old), .was = (state)       \
    }
#define LINE(state, old)                                                                           \
    {                                                                                              \
        .answer = DATA_G, .lease_given = 1, .lease = (old) + 1, .gwct = (old), .was = (state)      \
    }
#define WRITTEN(state, old)                                                                        \
    {                                                                                              \
        .answer = ACK_G, .gwct = (old), .was = (state)                                             \
    }
#define OLD_VALUES(state, old)                                                                     \
    {                                                                                              \
        .answer = DATA_G, .gwct = (old), .was = (state)                                            \
    }
#define KEEP(state, until)                                                                         \
    {                                                                                              \
        .lease = (until), .was = (state), .keep = 1                                                \
    }

static void expect_steps(bool strong, unsigned printed, bool visible, const step *steps,
                         unsigned count)
{
    gm_tc_l2 l2;
    make(&l2, strong, printed, visible);
    for (unsigned i = 0; i < count; i++) {
        gm_error error;
        expect_equal(gm_tc_l2_access(&l2, steps[i].request), steps[i].answer, i);
        test_ok(gm_tc_l2_check(&l2, &error), error);
    }
    gm_arena_free(&arena);
}
#define EXPECT(strong, printed, visible, steps)                                                    \
    expect_steps(strong, printed, visible, steps, sizeof(steps) / sizeof *(steps))
#define EXPECT_WEAK(steps) EXPECT(false, 0, false, steps)

/* [singh, Figure 4(b)]: C1 reads with a lease to T=15, C2 to T=20; C1's write at T=25 completes at
 * once. */
static void figure_4b(void **state)
{
    (void)state;
    static const step steps[] = {
        {FETCHED, {0}},
        {GETS(C1, 5, 10), LEASE(0, 15)},
        {GETS(C2, 8, 12), LEASE(P, 20)},
        {GETX(25), {.answer = ACK}},
    };
    EXPECT_WEAK(steps);
    EXPECT(true, 0, false, steps);
}

/* [singh, Figure 6(b)], TC-Strong: C2 has data to T=30 and flag to T=60; C1's writes wait for both.
 */
static void figure_6b(void **state)
{
    (void)state;
    static const step steps[] = {
        {GETS(C2, 1, 29), LEASE(0, 30)},
        {{.op = GM_TC_L2_GETS, .slot = 2, .sm = C2, .now = 1, .life = 59}, LEASE(0, 60)},
        {GETX(10), {.answer = WAIT, .was = P, .earliest = 31}}, /* S1 */
        {GETX(30), {.answer = WAIT, .was = P, .earliest = 31}},
        {GETX(31), {.answer = ACK}},
        {{.op = GM_TC_L2_GETX, .slot = 2, .now = 33},
         {.answer = WAIT, .was = P, .earliest = 61}}, /* S2 */
        {{.op = GM_TC_L2_GETX, .slot = 2, .now = 61}, {.answer = ACK}},
    };
    EXPECT(true, 0, false, steps);
}

/* [singh, Figure 6(c)], TC-Weak: the writes are done at once; the fence waits for the GWCT 30. */
static void figure_6c(void **state)
{
    (void)state;
    static const step steps[] = {
        {GETS(C2, 1, 29), LEASE(0, 30)},
        {{.op = GM_TC_L2_GETS, .slot = 2, .sm = C2, .now = 1, .life = 59}, LEASE(0, 60)},
        {GETX(10), WRITTEN(P, 30)},
        {{.op = GM_TC_L2_GETX, .slot = 2, .now = 31}, WRITTEN(P, 60)},
    };
    EXPECT_WEAK(steps);
}

/* Row E: no unexpired lease. Writes leave the lease alone. */
static void row_e(void **state)
{
    (void)state;
    static const step steps[] = {
        {FETCHED, {0}},
        {GETX(1), {.answer = ACK}},
        {UPGR(C1, 0, 1), {.answer = ACK}},
        {ATOMIC(1), {.answer = DATA}}, /* old values, without a lease */
        {BYPASS(1), {.answer = DATA}},
        {EVICT(1), {0}},
        {GETS(C1, 1, 4), LEASE(0, 5)}, /* to P */
        {EVICT(5), KEEP(P, 5)},
        {EVICT(6), {0}}, /* Expire: to E */
        {GETX(6), {.answer = ACK}},
        {UPGR(C1, 5, 6), {.answer = ACK}}, /* of a copy that has expired on the way: no lease */
        {ATOMIC(6), {.answer = DATA}},
        {EVICT(5), KEEP(P, 5)}, /* the lease is the same still */
        {GETS(C2, 6, 1), LEASE(0, 7)},
        {UPGR(C2, 7, 7), PRIVATE(8)}, /* the first reader after it expired is the only one */
    };
    EXPECT_WEAK(steps);
}

/* Row P: one reader. */
static void row_p(void **state)
{
    (void)state;
    static const step steps[] = {
        {GETS(C1, 1, 9), LEASE(0, 10)},
        {UPGR(C1, 10, 2), PRIVATE(11)},
        {UPGR(C1, 11, 2), PRIVATE(12)},
        {UPGR(C1, 11, 3), LINE(P, 12)},   /* a copy from before its last ACK; no longer owned */
        {UPGR(C1, 13, 3), LATEST(P, 13)}, /* nobody has written since, but C2 may have a copy */
        {UPGR(C2, 13, 3), LINE(P, 14)},   /* of an older copy: the line is sent */
        {GETX(3), WRITTEN(P, 15)},
        {ATOMIC(3), OLD_VALUES(P, 16)},
        {EVICT(3), KEEP(P, 17)},
        {BYPASS(3), {.answer = DATA, .was = P}},
        {GETS(C1, 3, 2), LEASE(P, 17)}, /* other copies may be unexpired: to S, no owner */
        {UPGR(C1, 17, 3), LATEST(S, 17)},
        {FETCHED, {0}},
        {GETS(C1, 3, 7), LEASE(0, 10)},
        {UPGR(C2, 10, 3),
         LINE(P, 10)}, /* another SM than the owner: of an old epoch, or older data */
        {FETCHED, {0}},
        {GETS(C1, 3, 7), LEASE(0, 10)},
        {GETX(3), WRITTEN(P, 10)},
        {UPGR(C1, 10, 3), LINE(P, 11)}, /* C1's copy is from before the write */
    };
    EXPECT_WEAK(steps);
}

/* Row S: several readers. */
static void row_s(void **state)
{
    (void)state;
    static const step steps[] = {
        {GETS(C1, 1, 9), LEASE(0, 10)},
        {GETS(C2, 1, 4), LEASE(P, 10)}, /* a shorter one does not shorten the lease */
        {GETS(C2, 2, 10), LEASE(S, 12)},
        {BYPASS(2), {.answer = DATA, .was = S}},
        {EVICT(12), KEEP(S, 12)},
        {EVICT(13), {0}},                 /* Expire: to E */
        {UPGR(C2, 12, 3), LATEST(S, 12)}, /* to P; C1's copy to 10 is covered by the GWCT */
        {GETS(C1, 3, 20), LEASE(P, 23)},
        {UPGR(C1, 10, 3), LINE(S, 23)}, /* to P */
        {GETS(C1, 3, 1), LEASE(P, 24)},
        {GETX(3), WRITTEN(S, 24)},
        {GETS(C1, 3, 1), LEASE(P, 25)},
        {ATOMIC(3), OLD_VALUES(S, 25)},
        {EVICT(26), KEEP(P, 26)},
    };
    EXPECT_WEAK(steps);
}

/* I_S, I_M, M_I: the line is fetched, without or with a lease that was kept. */
static void fetched_lines(void **state)
{
    (void)state;
    static const step steps[] = {
        {FETCHED, {0}},
        {GETS(C1, 1, 9), LEASE(0, 10)}, /* one reader: P */
        {FETCHED_TO_WRITE, {0}},
        {EVICT(1), {0}}, /* E */
        {FETCHED, {0}},
        {GETS(C1, 1, 9), LEASE(0, 10)},
        {GETS(C2, 1, 9), LEASE(P, 10)}, /* merged reads: S */
        {EVICT(1), KEEP(S, 10)},
        {KEPT(10), {0}}, /* fetched again: its readers are not known */
        {EVICT(2), KEEP(S, 10)},
        {UPGR(C1, 10, 2), LATEST(S, 10)},
        {KEPT_TO_WRITE(10), {0}},
        {GETX(2), WRITTEN(S, 10)},
        {KEPT(10), {0}},
        {GETS(C1, 11, 1), LEASE(0, 12)}, /* past by now */
        {UPGR(C1, 12, 12), PRIVATE(13)},
    };
    EXPECT_WEAK(steps);
}

/* Leases end at the last time, 127. There no UPGR tells its copy from an older one. */
static void leases_saturate(void **state)
{
    (void)state;
    static const step steps[] = {
        {GETS(C1, 120, 6), LEASE(0, 126)},
        {UPGR(C1, 126, 120), PRIVATE(127)},
        {UPGR(C1, 127, 120),
         {.answer = DATA_G, .lease_given = 1, .lease = 127, .gwct = 127, .was = P}},
        {UPGR(C1, 127, 120),
         {.answer = DATA_G, .lease_given = 1, .lease = 127, .gwct = 127, .was = P}},
        {GETX(127), WRITTEN(P, 127)},
        {EVICT(127), KEEP(P, 127)},
        {FETCHED, {0}},
        {GETS(C1, 120, 7), LEASE(0, 127)},
        {FETCHED, {0}},
        {GETS(C1, 127, 127), LEASE(0, 127)},
    };
    EXPECT_WEAK(steps);
    static const step strong[] = {
        {GETS(C1, 120, 20), LEASE(0, 127)},
        {UPGR(C1, 127, 121), {.answer = WAIT, .was = P, .earliest = 127}},
    };
    EXPECT(true, 0, false, strong);
}

/* TC-Strong: private writes go at once and change nothing; other writes of unexpired lines wait. */
static void strong_writes_wait(void **state)
{
    (void)state;
    static const step steps[] = {
        {GETS(C1, 1, 9), LEASE(0, 10)},
        {UPGR(C1, 10, 2), {.answer = ACK, .was = P, .is_private = 1}},
        {UPGR(C1, 10, 2), {.answer = ACK, .was = P, .is_private = 1}},
        {UPGR(C1, 9, 2), {.answer = WAIT, .was = P, .earliest = 11}},
        {UPGR(C2, 10, 2), {.answer = WAIT, .was = P, .earliest = 11}},
        {GETX(2), {.answer = WAIT, .was = P, .earliest = 11}},
        {ATOMIC(10), {.answer = WAIT, .was = P, .earliest = 11}},
        {GETS(C2, 3, 20), LEASE(P, 23)}, /* extends what they wait for */
        {UPGR(C2, 23, 4), {.answer = WAIT, .was = S, .earliest = 24}},
        {GETX(23), {.answer = WAIT, .was = S, .earliest = 24}},
        {ATOMIC(24), {.answer = DATA}},
        {UPGR(C2, 23, 24), {.answer = ACK}},
        {GETX(24), {.answer = ACK}},
        {EVICT(23), KEEP(S, 23)},
    };
    EXPECT(true, 0, false, steps);
}

/* `visible`: DATA carries the largest GWCT of the line's writes. */
static void lines_keep_the_largest_gwct(void **state)
{
    (void)state;
#define DATA_OF(state, until, gwct)                                                                \
    {                                                                                              \
        .answer = DATA, .lease_given = 1, .lease = (until), .visible = (gwct), .was = (state)      \
    }
    static const step steps[] = {
        {GETS(C1, 1, 9), DATA_OF(0, 10, 0)},
        {UPGR(C1, 10, 2), PRIVATE(11)}, /* visible to all: no GWCT */
        {GETS(C2, 2, 1), DATA_OF(P, 11, 0)},
        {GETX(2), WRITTEN(S, 11)},
        {GETS(C2, 2, 18), DATA_OF(P, 20, 11)},
        {BYPASS(2), {.answer = DATA, .visible = 11, .was = S}},
        {ATOMIC(2), OLD_VALUES(S, 20)},
        {BYPASS(2), {.answer = DATA, .visible = 20, .was = P}},
        {ATOMIC(22), {.answer = DATA, .visible = 20}}, /* expired: it has no effect, and stays */
        {GETX(22), {.answer = ACK}},
        {BYPASS(22), {.answer = DATA, .visible = 20}},
        {KEPT(30), {0}}, /* of the evicted line's writes only the lease is known */
        {BYPASS(22), {.answer = DATA, .visible = 30, .was = S}},
        {FETCHED, {0}},
        {BYPASS(22), {.answer = DATA}},
    };
    EXPECT(false, 0, true, steps);
#undef DATA_OF
}

/* Each rule of the printed table; without it the answers are those above. */
static void the_printed_table(void **state)
{
    (void)state;
    static const step refetch[] = {
        {KEPT(10), {0}},
        {EVICT(2), KEEP(P, 10)},
        {GETS(C1, 2, 3), LEASE(P, 10)}, /* the next reader is taken for the only one */
        {UPGR(C1, 10, 2), PRIVATE(11)}, /* though another SM's copy is valid to 10 */
    };
    EXPECT(false, GM_TC_L2_REFETCH, false, refetch);
    static const step miss[] = {
        {KEPT_TO_WRITE(10), {0}},
        {GETX(2), {.answer = ACK}}, /* though copies are valid to 10 */
        {KEPT(10), {0}},
        {GETX(2), WRITTEN(S, 10)},
    };
    EXPECT(false, GM_TC_L2_MISS, false, miss);
    static const step expired[] = {
        {GETS(C1, 1, 4), LEASE(0, 5)},
        {GETX(6), {.answer = ACK}}, /* TS 6 */
        {GETX(6), WRITTEN(P, 6)},   /* which is unexpired again: TS 7 */
        {UPGR(C1, 5, 8), {.answer = ACK, .lease_given = 1, .lease = 8}}, /* revives an old copy */
        {ATOMIC(9), {.answer = DATA_G, .gwct = 8}},
        {GETX(20), {.answer = ACK}},
        {EVICT(9), KEEP(P, 10)},
    };
    EXPECT(false, GM_TC_L2_EXPIRED, false, expired);
    static const step at_last[] = {
        {GETS(C1, 1, 126), LEASE(0, 127)},
        {KEPT(0), {0}},
        {GETX(1), {.answer = ACK}},
        {EVICT(1), KEEP(S, 1)}, /* readers stay */
    };
    EXPECT(false, GM_TC_L2_EXPIRED, false, at_last);
}

static void a_rollover_forgets_all_leases(void **state)
{
    (void)state;
    for (unsigned code = GM_TC_L2_ROLLOVER; code < 8; code++) {
        const step steps[] = {
            {GETS(C1, 100, 27), LEASE(0, 127)},
            {{.op = GM_TC_L2_GETS, .slot = 3, .sm = C2, .now = 100, .life = 9}, LEASE(0, 109)},
            {{.op = code, .slot = 2}, {0}},
            {EVICT(1), {0}},
            {UPGR(C1, 127, 1), {.answer = ACK}}, /* of the old epoch; grants no lease */
            {{.op = GM_TC_L2_GETS, .slot = 3, .sm = C1, .now = 1, .life = 9}, LEASE(0, 10)},
        };
        EXPECT_WEAK(steps);
    }
}

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        gm_tc_l2_parameters p;
        const char *text;
    } cases[] = {
        {{0, 16, 32, false, 0, false}, "tc_l2: slots 0: must be 1 to 65536"},
        {{65537, 16, 32, false, 0, false}, "tc_l2: slots 65537: must be 1 to 65536"},
        {{1024, 0, 32, false, 0, false}, "tc_l2: sms 0: must be 1 to 1024"},
        {{1024, 1025, 32, false, 0, false}, "tc_l2: sms 1025: must be 1 to 1024"},
        {{1024, 16, 1, false, 0, false}, "tc_l2: time_bits 1: must be 2 to 32"},
        {{1024, 16, 33, false, 0, false}, "tc_l2: time_bits 33: must be 2 to 32"},
        {{1024, 16, 32, false, 8, false}, "tc_l2: printed 8: must be 0 to 7"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        gm_error error;
        gm_arena none = {0};
        gm_tc_l2 l2;
        assert_int_equal(gm_tc_l2_init(&l2, &cases[i].p, &none, &error), -EINVAL);
        assert_string_equal(error.text, cases[i].text);
    }
}

/* The largest and the smallest bank; first without storage. */
static void the_ends_of_the_ranges_are_taken(void **state)
{
    (void)state;
    static const gm_tc_l2_parameters ends[] = {{65536, 1024, 32, true, 7, true},
                                               {1, 1, 2, false, 0, false}};
    for (unsigned i = 0; i < 2; i++) {
        gm_error error;
        gm_tc_l2 l2;
        gm_arena none = {0};
        assert_int_equal(gm_tc_l2_init(&l2, &ends[i], &none, &error), -ENOMEM);
        assert_non_null(strstr(error.text, "tc_l2: the arena is full"));
        test_ok(gm_arena_create(&arena, gm_tc_l2_bytes(&ends[i]), &error), error);
        assert_int_equal(gm_tc_l2_init(&l2, &ends[i], &arena, &error), 0);
        uint64_t last = ends[i].time_bits == 32 ? UINT32_MAX : 3;
        gm_tc_l2_request r = {
            .slot = ends[i].slots - 1, .sm = ends[i].sms - 1, .now = last, .life = last};
        gm_tc_l2_response a = gm_tc_l2_access(&l2, r);
        assert_int_equal(a.lease, last);
        assert_int_equal(l2.line[r.slot].owner, r.sm);
        test_ok(gm_tc_l2_check(&l2, &error), error);
        gm_arena_free(&arena);
    }
}

/* Sets what may be wrong with slot 3. */
static const struct {
    gm_tc_l2_line line;
    const char *text;
} damages[] = {
    {{.readers = GM_TC_L2_SHARED, .owned = true}, "tc_l2: slot 3: readers 2, owner 0"},
    {{.readers = GM_TC_L2_NO_READER, .owned = true}, "tc_l2: slot 3: readers 0, owner 0"},
    {{.readers = GM_TC_L2_PRIVATE, .owner = 2}, "tc_l2: slot 3: readers 1, owner 2"},
    {{.readers = 3}, "tc_l2: slot 3: readers 3, lease 0, GWCT 0"},
    {{.lease = 128}, "tc_l2: slot 3: readers 0, lease 128, GWCT 0"},
    {{.lease = 9, .visible = 10}, "tc_l2: slot 3: readers 0, lease 9, GWCT 10"},
};

static void broken_invariants_are_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof damages / sizeof *damages; i++) {
        gm_tc_l2 l2;
        gm_error error;
        make(&l2, false, 0, true);
        l2.line[3] = (gm_tc_l2_line){
            .lease = 127, .visible = 127, .readers = GM_TC_L2_PRIVATE, .owned = true, .owner = 3};
        l2.line[2] = (gm_tc_l2_line){.lease = 1, .readers = GM_TC_L2_SHARED};
        test_ok(gm_tc_l2_check(&l2, &error), error);
        l2.line[3] = damages[i].line;
        assert_int_equal(gm_tc_l2_check(&l2, &error), -EINVAL);
        assert_string_equal(error.text, damages[i].text);
        gm_arena_free(&arena);
    }
}

/* ROLLOVER clears all lines and touches nothing behind them; the check looks at all lines, and at
 * nothing behind them. */
static void all_lines_and_no_others(void **state)
{
    (void)state;
    gm_tc_l2 l2;
    gm_error error;
    gm_tc_l2_line lines[5];
    make(&l2, false, 0, false);
    l2.line = lines;
    for (unsigned i = 0; i < 5; i++) {
        lines[i] = (gm_tc_l2_line){.lease = i < 4 ? 127 : 128};
    }
    test_ok(gm_tc_l2_check(&l2, &error), error);
    gm_tc_l2_access(&l2, (gm_tc_l2_request){.op = GM_TC_L2_ROLLOVER});
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(lines[i].lease, i < 4 ? 0 : 128);
    }
    for (unsigned i = 0; i < 4; i++) {
        lines[i].lease = 128;
        assert_int_equal(gm_tc_l2_check(&l2, &error), -EINVAL);
        lines[i].lease = 127;
    }
    gm_arena_free(&arena);
}

static void note_answer(void *context, const uint64_t *request, const uint64_t *response)
{
    const gm_tc_l2_request *r = (const void *)request;
    const gm_tc_l2_response *a = (const void *)response;
    *(uint64_t *)context += r->op == GM_TC_L2_GETX && a->answer == ACK;
}

static void an_observer_is_told(void **state)
{
    (void)state;
    gm_tc_l2 l2;
    uint64_t told = 0;
    const gm_observer observer = {.call = note_answer, .context = &told};
    make(&l2, false, 0, false);
    l2.observer = &observer;
    gm_tc_l2_access(&l2, (gm_tc_l2_request)GETS(C1, 1, 1));
    gm_tc_l2_access(&l2, (gm_tc_l2_request)GETX(9));
    assert_int_equal(told, 1);
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_4b),
        cmocka_unit_test(figure_6b),
        cmocka_unit_test(figure_6c),
        cmocka_unit_test(row_e),
        cmocka_unit_test(row_p),
        cmocka_unit_test(row_s),
        cmocka_unit_test(fetched_lines),
        cmocka_unit_test(leases_saturate),
        cmocka_unit_test(strong_writes_wait),
        cmocka_unit_test(lines_keep_the_largest_gwct),
        cmocka_unit_test(the_printed_table),
        cmocka_unit_test(a_rollover_forgets_all_leases),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(the_ends_of_the_ranges_are_taken),
        cmocka_unit_test(broken_invariants_are_found),
        cmocka_unit_test(all_lines_and_no_others),
        cmocka_unit_test(an_observer_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
