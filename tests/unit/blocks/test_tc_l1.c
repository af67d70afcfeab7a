/* L1 side of Temporal Coherence [singh, 6.2, 6.3, Table 2 (left)]: sequences worked by hand, each
 * cell of the table, parameters, and what the check finds. */
#include "goldmem/tc_l1.h"
#include "support/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    LOAD = GM_TC_L1_LOAD,
    STORE = GM_TC_L1_STORE,
    ATOMIC = GM_TC_L1_ATOMIC,
    BYPASS = GM_TC_L1_BYPASS,
    FILL = GM_TC_L1_FILL,
    ACK = GM_TC_L1_ACK,
    DATA_G = GM_TC_L1_DATA_G,
    EVICT = GM_TC_L1_EVICT,
    FLUSH = GM_TC_L1_FLUSH,
    GETS = GM_TC_L1_GETS,
    MERGE = GM_TC_L1_MERGE,
    GETX = GM_TC_L1_GETX,
    UPGR = GM_TC_L1_UPGR,
    ATO = GM_TC_L1_ATOMIC_MESSAGE,
    V = GM_TC_L1_V,
    V_M = GM_TC_L1_V_M,
    I_I = GM_TC_L1_I_I,
};

enum { WEAK = 0, STRONG = 1, VISIBLE = 2 };

static gm_arena arena;

/* 4 slots, counts of 2 bits, times of 7 bits: the last time is 127. */
static void make(gm_tc_l1 *l1, unsigned protocol)
{
    const gm_tc_l1_parameters p = {
        .slots = 4,
        .pending_bits = 2,
        .time_bits = 7,
        .strong = (protocol & STRONG) != 0,
        .visible = (protocol & VISIBLE) != 0,
    };
    gm_error error;
    test_ok(gm_arena_create(&arena, gm_tc_l1_bytes(&p), &error), error);
    test_ok(gm_tc_l1_init(l1, &p, &arena, &error), error);
}

/* Field by field, so that a difference is named. */
static void expect_equal(gm_tc_l1_response is, gm_tc_l1_response should, unsigned step)
{
    const uint64_t *a = (const void *)&is;
    const uint64_t *b = (const void *)&should;
    for (unsigned i = 0; i < gm_tc_l1_ports.responses; i++) {
        if (a[i] != b[i]) {
            fail_msg("step %u: %s is %llu, should be %llu", step, gm_tc_l1_ports.response[i].name,
                     (unsigned long long)a[i], (unsigned long long)b[i]);
        }
    }
}

/* A request and what is not 0 of its answer. */
typedef struct step {
    gm_tc_l1_request request;
    gm_tc_l1_response answer;
} step;

/* Requests on slot 2, which holds the line: of a load, store or atomic; of DATA with a lease; of an
 * ACK with a lease and a GWCT, of one without; of a DATA-G. */
#define AT(operation, time)                                                                        \
    {                                                                                              \
        .op = (operation), .slot = 2, .present = 1, .now = (time)                                  \
    }
#define OPEN_AT(operation, time)                                                                   \
    {                                                                                              \
        .op = (operation), .slot = 2, .present = 1, .open = 1, .now = (time)                       \
    }
#define DATA(lease, gwct, time)                                                                    \
    {                                                                                              \
        .op = FILL, .slot = 2, .present = 1, .open = 1, .lease_given = 1, .timestamp = (lease),    \
        .visible = (gwct), .now = (time)                                                           \
    }
#define ACK_L(lease, gwct, time)                                                                   \
    {                                                                                              \
        .op = ACK, .slot = 2, .present = 1, .lease_given = 1, .timestamp = (lease),                \
        .visible = (gwct), .now = (time)                                                           \
    }
#define ACK_0(time)                                                                                \
    {                                                                                              \
        .op = ACK, .slot = 2, .present = 1, .timestamp = 99, .now = (time)                         \
    }
#define LINE(lease, gwct, time)                                                                    \
    {                                                                                              \
        .op = DATA_G, .slot = 2, .present = 1, .timestamp = (lease), .visible = (gwct),            \
        .now = (time)                                                                              \
    }
#define OTHER(operation)                                                                           \
    {                                                                                              \
        .op = (operation), .slot = 2                                                               \
    }

static void expect_steps(unsigned protocol, const step *steps, unsigned count)
{
    gm_tc_l1 l1;
    make(&l1, protocol);
    for (unsigned i = 0; i < count; i++) {
        gm_error error;
        expect_equal(gm_tc_l1_access(&l1, steps[i].request), steps[i].answer, i);
        test_ok(gm_tc_l1_check(&l1, &error), error);
    }
    gm_arena_free(&arena);
}
#define EXPECT_STEPS(protocol, steps) expect_steps(protocol, steps, sizeof(steps) / sizeof *(steps))

/* [singh, Figure 4(b)], C1: the L2 gives a lease to T=15; at T=25 C1 stores. */
static void figure_4b(void **state)
{
    (void)state;
    static const step steps[] = {
        {AT(LOAD, 5), {.message = GETS}},     {DATA(15, 0, 8), {.install = 1}},
        {AT(LOAD, 15), {.hit = 1, .was = V}}, /* by T=15 it is read for the last time */
        {AT(STORE, 25), {.message = GETX}},   /* self-invalidated: a write without copy */
        {AT(LOAD, 26), {.message = GETS}},    /* which the GETX has dropped */
    };
    EXPECT_STEPS(WEAK, steps);
    EXPECT_STEPS(STRONG, steps);
}

/* [singh, Figure 6(b), 6(c)], C2: copies of data with a lease to 30 and of flag to 60. C1, which
 * has no copies, sends GETX for both, in each protocol. */
static void figure_6(void **state)
{
    (void)state;
    static const step steps[] = {
        {DATA(30, 0, 1), {.install = 1}},
        {{.op = FILL,
          .slot = 3,
          .present = 1,
          .open = 1,
          .lease_given = 1,
          .timestamp = 60,
          .now = 1},
         {.install = 1}},
        {{.op = STORE, .slot = 0, .present = 1, .now = 10}, {.message = GETX}}, /* S1, as of C1 */
        {AT(LOAD, 30), {.hit = 1, .was = V}},
        {AT(LOAD, 31), {.message = GETS, .expired = 1}}, /* C2 self-invalidates data */
        {{.op = STORE, .slot = 1, .present = 1, .now = 31}, {.message = GETX}}, /* S2 */
        {{.op = LOAD, .slot = 3, .present = 1, .now = 60}, {.hit = 1, .was = V}},
        {{.op = LOAD, .slot = 3, .present = 1, .now = 61}, {.message = GETS, .expired = 1}},
    };
    EXPECT_STEPS(WEAK, steps);
    EXPECT_STEPS(STRONG, steps);
}

/* Row I of Table 2: no copy, or an expired one. */
static void row_i(void **state)
{
    (void)state;
    static const step steps[] = {
        {AT(LOAD, 5), {.message = GETS}},
        {AT(STORE, 5), {.message = GETX}},
        {AT(ATOMIC, 5), {.message = ATO}},
        {AT(BYPASS, 5), {.message = GETS}},
        {OTHER(EVICT), {0}},
        /* Data: the entry was closed, so that the data answer loads and are not installed */
        {{.op = FILL, .slot = 2, .present = 1, .lease_given = 1, .timestamp = 9, .now = 5}, {0}},
        {AT(LOAD, 5), {.message = GETS}},
        {ACK_L(9, 0, 5), {.error = 1}}, /* impossible: no UPGR was sent */
        {LINE(9, 0, 5), {.error = 1}},
        {AT(LOAD, 5), {.message = GETS}},
        /* another line's slot is in state I too, and keeps its copy */
        {DATA(9, 0, 5), {.install = 1}},
        {{.op = LOAD, .slot = 2, .now = 5}, {.message = GETS}},
        {{.op = STORE, .slot = 2, .now = 5}, {.message = GETX}},
        {{.op = ATOMIC, .slot = 2, .now = 5}, {.message = ATO}},
        {AT(LOAD, 5), {.hit = 1, .was = V}},
    };
    EXPECT_STEPS(WEAK, steps);
    EXPECT_STEPS(STRONG | VISIBLE, steps);
}

/* Row V: an unexpired copy. */
static void row_v(void **state)
{
    (void)state;
    static const step steps[] = {
        {DATA(9, 0, 5), {.install = 1}},
        {AT(LOAD, 9), {.hit = 1, .was = V}},
        {AT(ATOMIC, 9), {.message = ATO, .was = V}},
        {AT(LOAD, 9), {.message = GETS}}, /* to I_I: the copy is gone */
        {DATA(9, 0, 9), {.install = 1}},
        {AT(BYPASS, 9), {.message = GETS, .was = V}},
        {AT(LOAD, 9), {.message = GETS}},
        {DATA(9, 0, 9), {.install = 1}},
        {OTHER(EVICT), {0}},
        {AT(LOAD, 9), {.message = GETS}},
        {DATA(9, 0, 9), {.install = 1}},
        {AT(LOAD, 10), {.message = GETS, .expired = 1}}, /* Expire: to I */
        {AT(LOAD, 9), {.message = GETS}},                /* and sending a GETS drops the copy */
        {DATA(9, 0, 9), {.install = 1}},
        {DATA(20, 0, 9), {.error = 1, .was = V}}, /* impossible: an open entry has no copy */
        {ACK_L(20, 0, 9), {.error = 1, .was = V}},
        {LINE(20, 0, 9), {.error = 1, .was = V}},
        {AT(LOAD, 10), {.message = GETS, .expired = 1}}, /* none of the three gave a lease */
        {DATA(9, 0, 9), {.install = 1}},
        {AT(STORE, 9), {.hit = 1, .message = UPGR, .timestamp = 9, .was = V}},
        {AT(LOAD, 9), {.hit = 1, .was = V_M}},
    };
    EXPECT_STEPS(WEAK, steps);
}

/* Row V_M: an unexpired copy with UPGRs without an answer. */
static void row_v_m(void **state)
{
    (void)state;
    static const step steps[] = {
        {DATA(20, 0, 5), {.install = 1}},
        {AT(STORE, 5), {.hit = 1, .message = UPGR, .timestamp = 20, .was = V}},
        {AT(STORE, 6), {.hit = 1, .message = UPGR, .timestamp = 20, .was = V_M}},
        {OTHER(EVICT), {.keep = 1}}, /* stall */
        {AT(LOAD, 6), {.hit = 1, .was = V_M}},
        {ACK_L(21, 0, 6), {.was = V_M}}, /* one UPGR is left: V_M, with the new lease */
        {AT(LOAD, 21), {.hit = 1, .was = V_M}},
        {ACK_0(21), {.was = V_M}}, /* the last: V; without a lease the old one stays */
        {AT(LOAD, 21), {.hit = 1, .was = V}},
        {AT(STORE, 21), {.hit = 1, .message = UPGR, .timestamp = 21, .was = V}},
        {AT(STORE, 21), {.hit = 1, .message = UPGR, .timestamp = 21, .was = V_M}},
        {LINE(50, 0, 21), {.was = V_M}}, /* DATA-G would overwrite the later own store */
        {AT(LOAD, 22), {.message = GETS, .expired = 1, .was = I_I}}, /* and gives it no lease */
        {LINE(50, 0, 22), {.was = I_I}}, /* the GETS has dropped the copy: nothing is revived */
        {DATA(30, 0, 22), {.install = 1}},
        {AT(STORE, 22), {.hit = 1, .message = UPGR, .timestamp = 30, .was = V}},
        {LINE(40, 0, 23), {.install = 1, .was = V_M}}, /* pending 0: V, with the line */
        {AT(LOAD, 40), {.hit = 1, .was = V}},
        {AT(STORE, 40), {.hit = 1, .message = UPGR, .timestamp = 40, .was = V}},
        {AT(ATOMIC, 40), {.message = ATO, .was = V_M}}, /* to I_I */
        {AT(LOAD, 40), {.message = GETS, .was = I_I}},
        {ACK_L(90, 0, 41), {.was = I_I}}, /* to I: a lease without a copy is none */
        {AT(LOAD, 41), {.message = GETS}},
    };
    EXPECT_STEPS(WEAK, steps);
}

/* Row I_V: a read miss, that is an open entry. Loads merge; a store or an atomic closes it. */
static void row_i_v(void **state)
{
    (void)state;
    static const step steps[] = {
        {AT(LOAD, 5), {.message = GETS}},
        {OPEN_AT(LOAD, 6), {.message = MERGE}},
        {ACK_0(6), {.error = 1}}, /* impossible */
        {LINE(9, 0, 6), {.error = 1}},
        {OPEN_AT(STORE, 6), {.message = GETX, .close = 1}},
        {OPEN_AT(ATOMIC, 6), {.message = ATO, .close = 1}},
        {OPEN_AT(BYPASS, 6), {.message = GETS, .close = 1}},
        {DATA(9, 0, 10), {0}}, /* a lease that is past when the data arrive: not installed */
        {{.op = FILL, .slot = 2, .present = 1, .open = 1, .timestamp = 20, .now = 10},
         {0}}, /* none */
        {{.op = FILL, .slot = 2, .open = 1, .lease_given = 1, .timestamp = 20, .now = 10},
         {0}}, /* no slot */
        {AT(LOAD, 10), {.message = GETS}},
        {DATA(10, 0, 10), {.install = 1}}, /* to V; the lease ends now */
        {AT(LOAD, 10), {.hit = 1, .was = V}},
        {AT(LOAD, 11), {.message = GETS, .expired = 1}},
    };
    EXPECT_STEPS(WEAK, steps);
    EXPECT_STEPS(STRONG | VISIBLE, steps);
}

/* Row I_I: writes without an answer and no copy, or an expired one. */
static void row_i_i(void **state)
{
    (void)state;
    static const step steps[] = {
        {DATA(9, 0, 5), {.install = 1}},
        {AT(STORE, 9), {.hit = 1, .message = UPGR, .timestamp = 9, .was = V}},
        {AT(STORE, 9), {.hit = 1, .message = UPGR, .timestamp = 9, .was = V_M}},
        {AT(STORE, 9), {.hit = 1, .message = UPGR, .timestamp = 9, .was = V_M}},
        {AT(STORE, 10), {.message = GETX, .was = I_I}}, /* V_M Expire: I_I */
        {AT(LOAD, 10), {.message = GETS, .was = I_I}},
        {AT(ATOMIC, 10), {.message = ATO, .was = I_I}},
        {AT(BYPASS, 10), {.message = GETS, .was = I_I}},
        {OPEN_AT(LOAD, 10), {.message = MERGE, .was = I_I}},
        {OPEN_AT(STORE, 10), {.message = GETX, .close = 1, .was = I_I}},
        {OTHER(EVICT), {.keep = 1}},
        /* impossible: the UPGRs were sent before the GETS, and are answered before it */
        {DATA(20, 0, 10), {.error = 1, .was = I_I}},
        {ACK_0(10), {.was = I_I}},       /* two are left */
        {LINE(20, 0, 10), {.was = I_I}}, /* one is left */
        {OTHER(EVICT), {.keep = 1}},
        {LINE(20, 0, 10), {.was = I_I}}, /* to I */
        {OTHER(EVICT), {0}},
        {AT(LOAD, 10), {.message = GETS}},
    };
    EXPECT_STEPS(WEAK, steps);
}

/* An expired copy that no request has dropped is still the newest: an ACK or DATA-G renews it. */
static void an_expired_copy_is_renewed(void **state)
{
    (void)state;
    static const step steps[] = {
        {DATA(9, 0, 5), {.install = 1}},
        {AT(STORE, 9), {.hit = 1, .message = UPGR, .timestamp = 9, .was = V}},
        {ACK_L(12, 0, 11), {.was = I_I}},
        {AT(LOAD, 12), {.hit = 1, .was = V}},
        {AT(STORE, 12), {.hit = 1, .message = UPGR, .timestamp = 12, .was = V}},
        {LINE(30, 0, 13), {.install = 1, .was = I_I}},
        {AT(LOAD, 30), {.hit = 1, .was = V}},
    };
    EXPECT_STEPS(WEAK, steps);
}

/* TC-Strong, and lines with GWCTs: a load may not hit a copy whose own writes are not performed. */
static void a_load_waits_for_own_writes(void **state)
{
    (void)state;
    static const step steps[] = {
        {DATA(20, 0, 5), {.install = 1}},
        {AT(STORE, 5), {.hit = 1, .message = UPGR, .timestamp = 20, .was = V}},
        {OPEN_AT(LOAD, 6), {.message = MERGE, .was = V_M}},
        {AT(STORE, 6), {.hit = 1, .message = UPGR, .timestamp = 20, .was = V_M}},
        {AT(LOAD, 6), {.message = GETS, .was = V_M}}, /* not expired; dropped */
        {ACK_0(7), {.was = I_I}},
        {ACK_0(7), {.was = I_I}},
        {DATA(20, 0, 7), {.install = 1}},
        {AT(LOAD, 7), {.hit = 1, .was = V}},
        /* UPGRs of another line in the slot do not count */
        {AT(STORE, 7), {.hit = 1, .message = UPGR, .timestamp = 20, .was = V}},
        {{.op = LOAD, .slot = 2, .now = 7}, {.message = GETS}},
    };
    EXPECT_STEPS(STRONG, steps);
    EXPECT_STEPS(VISIBLE, steps);
    EXPECT_STEPS(STRONG | VISIBLE, steps);
}

/* The count of UPGRs has 2 bits: a fourth store is refused, and nothing is closed. */
static void a_store_beyond_the_limit_is_refused(void **state)
{
    (void)state;
    static const step steps[] = {
        {DATA(9, 0, 5), {.install = 1}},
        {OPEN_AT(STORE, 5), {.hit = 1, .message = UPGR, .timestamp = 9, .close = 1, .was = V}},
        {OPEN_AT(STORE, 5), {.hit = 1, .message = UPGR, .timestamp = 9, .close = 1, .was = V_M}},
        {AT(STORE, 5), {.hit = 1, .message = UPGR, .timestamp = 9, .was = V_M}},
        {OPEN_AT(STORE, 5), {.refused = 1, .was = V_M}},
        {AT(STORE, 5), {.refused = 1, .was = V_M}},
        {AT(LOAD, 5), {.hit = 1, .was = V_M}}, /* the copy is not dropped */
        {ACK_0(5), {.was = V_M}},
        {AT(STORE, 5), {.hit = 1, .message = UPGR, .timestamp = 9, .was = V_M}},
        {AT(STORE, 10), {.message = GETX, .was = I_I}}, /* a GETX is not counted */
        {ACK_0(10), {.was = I_I}},
        {ACK_0(10), {.was = I_I}},
        {ACK_0(10), {.was = I_I}},
        {ACK_0(10), {.error = 1}},
    };
    EXPECT_STEPS(WEAK, steps);
}

/* `visible`: a copy has the largest GWCT of its data, the loads' and its own writes'. */
static void copies_carry_the_largest_gwct(void **state)
{
    (void)state;
    static const step steps[] = {
        {DATA(20, 7, 5), {.install = 1}},
        {AT(LOAD, 5), {.hit = 1, .visible = 7, .was = V}},
        {AT(STORE, 5), {.hit = 1, .message = UPGR, .timestamp = 20, .was = V}},
        {ACK_L(21, 20, 6), {.was = V_M}},
        {AT(LOAD, 6), {.hit = 1, .visible = 20, .was = V}},
        {AT(STORE, 6), {.hit = 1, .message = UPGR, .timestamp = 21, .was = V}},
        {ACK_L(22, 3, 6), {.was = V_M}}, /* the older one is larger */
        {AT(LOAD, 6), {.hit = 1, .visible = 20, .was = V}},
        {AT(STORE, 6), {.hit = 1, .message = UPGR, .timestamp = 22, .was = V}},
        {LINE(30, 19, 6), {.install = 1, .was = V_M}},
        {AT(LOAD, 6), {.hit = 1, .visible = 20, .was = V}},
        {AT(STORE, 6), {.hit = 1, .message = UPGR, .timestamp = 30, .was = V}},
        {LINE(40, 29, 6), {.install = 1, .was = V_M}},
        {AT(LOAD, 6), {.hit = 1, .visible = 29, .was = V}},
        {AT(ATOMIC, 6), {.message = ATO, .was = V}},
        {DATA(40, 1, 6), {.install = 1}}, /* a new copy has the L2's GWCT only */
        {AT(LOAD, 6), {.hit = 1, .visible = 1, .was = V}},
    };
    EXPECT_STEPS(VISIBLE, steps);
}

/* Without `visible` no GWCT is kept. */
static void no_gwct_is_kept(void **state)
{
    (void)state;
    static const step steps[] = {
        {DATA(20, 7, 5), {.install = 1}},
        {AT(STORE, 5), {.hit = 1, .message = UPGR, .timestamp = 20, .was = V}},
        {ACK_L(21, 20, 6), {.was = V_M}},
        {AT(LOAD, 6), {.hit = 1, .was = V}},
    };
    EXPECT_STEPS(WEAK, steps);
    EXPECT_STEPS(STRONG, steps);
}

/* FLUSH drops all copies at once; UPGRs stay counted. Codes 9 to 15 do so too. */
static void a_flush_drops_all_copies(void **state)
{
    (void)state;
    for (unsigned code = FLUSH; code < 16; code++) {
        const step steps[] = {
            {DATA(127, 0, 5), {.install = 1}},
            {{.op = FILL, .slot = 0, .present = 1, .open = 1, .lease_given = 1, .timestamp = 127},
             {.install = 1}},
            {AT(STORE, 5), {.hit = 1, .message = UPGR, .timestamp = 127, .was = V}},
            {{.op = code, .slot = 3}, {0}},
            {{.op = LOAD, .slot = 0, .present = 1, .now = 1}, {.message = GETS}},
            {AT(LOAD, 1), {.message = GETS, .was = I_I}},
            {OTHER(EVICT), {.keep = 1}},
            {ACK_L(127, 0, 1), {.was = I_I}},
            {OTHER(EVICT), {0}},
            {AT(LOAD, 1), {.message = GETS}},
        };
        EXPECT_STEPS(WEAK, steps);
    }
}

/* A lease of the last time does not expire within the epoch. */
static void the_last_time_is_a_lease(void **state)
{
    (void)state;
    static const step steps[] = {
        {DATA(127, 0, 127), {.install = 1}},
        {AT(LOAD, 127), {.hit = 1, .was = V}},
        {AT(LOAD, 0), {.hit = 1, .was = V}},
        {AT(STORE, 127), {.hit = 1, .message = UPGR, .timestamp = 127, .was = V}},
    };
    EXPECT_STEPS(WEAK, steps);
}

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        gm_tc_l1_parameters p;
        const char *text;
    } cases[] = {
        {{0, 6, 32, false, false}, "tc_l1: slots 0: must be 1 to 8192"},
        {{8193, 6, 32, false, false}, "tc_l1: slots 8193: must be 1 to 8192"},
        {{256, 0, 32, false, false}, "tc_l1: pending_bits 0: must be 1 to 16"},
        {{256, 17, 32, false, false}, "tc_l1: pending_bits 17: must be 1 to 16"},
        {{256, 6, 1, false, false}, "tc_l1: time_bits 1: must be 2 to 32"},
        {{256, 6, 33, false, false}, "tc_l1: time_bits 33: must be 2 to 32"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        gm_error error;
        gm_arena none = {0};
        gm_tc_l1 l1;
        assert_int_equal(gm_tc_l1_init(&l1, &cases[i].p, &none, &error), -EINVAL);
        assert_string_equal(error.text, cases[i].text);
    }
}

/* The largest and the smallest L1; the first without storage. */
static void the_ends_of_the_ranges_are_taken(void **state)
{
    (void)state;
    static const gm_tc_l1_parameters ends[] = {{8192, 16, 32, true, true}, {1, 1, 2, false, false}};
    for (unsigned i = 0; i < 2; i++) {
        gm_error error;
        gm_tc_l1 l1;
        gm_arena none = {0};
        assert_int_equal(gm_tc_l1_init(&l1, &ends[i], &none, &error), -ENOMEM);
        assert_non_null(strstr(error.text, "tc_l1: the arena is full"));
        test_ok(gm_arena_create(&arena, gm_tc_l1_bytes(&ends[i]), &error), error);
        assert_int_equal(gm_tc_l1_init(&l1, &ends[i], &arena, &error), 0);
        test_ok(gm_tc_l1_check(&l1, &error), error);
        uint64_t last = ends[i].time_bits == 32 ? UINT32_MAX : 3;
        gm_tc_l1_request r = {.op = FILL,
                              .slot = ends[i].slots - 1,
                              .present = 1,
                              .open = 1,
                              .lease_given = 1,
                              .timestamp = last};
        assert_int_equal(gm_tc_l1_access(&l1, r).install, 1);
        r.op = STORE;
        unsigned limit = (1u << ends[i].pending_bits) - 1;
        for (unsigned k = 0; k < limit; k++) {
            assert_int_equal(gm_tc_l1_access(&l1, r).message, UPGR);
        }
        assert_int_equal(gm_tc_l1_access(&l1, r).refused, 1);
        gm_arena_free(&arena);
    }
}

/* Sets what may be wrong with slot 3. */
static const struct {
    unsigned protocol;
    gm_tc_l1_slot slot;
    const char *text;
} damages[] = {
    {WEAK, {.lease = 1, .pending = 4, .valid = true}, "tc_l1: slot 3: 4 UPGRs, lease 1, GWCT 0"},
    {WEAK, {.lease = 128, .pending = 3}, "tc_l1: slot 3: 3 UPGRs, lease 128, GWCT 0"},
    {WEAK, {.visible = 1}, "tc_l1: slot 3: 0 UPGRs, lease 0, GWCT 1"},
    {VISIBLE, {.visible = 128}, "tc_l1: slot 3: 0 UPGRs, lease 0, GWCT 128"},
};

static void broken_invariants_are_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof damages / sizeof *damages; i++) {
        gm_tc_l1 l1;
        gm_error error;
        make(&l1, damages[i].protocol);
        l1.slot[3] = (gm_tc_l1_slot){.lease = 127,
                                     .visible = damages[i].protocol == VISIBLE ? 127 : 0,
                                     .pending = 3,
                                     .valid = true};
        test_ok(gm_tc_l1_check(&l1, &error), error);
        l1.slot[3] = damages[i].slot;
        assert_int_equal(gm_tc_l1_check(&l1, &error), -EINVAL);
        assert_string_equal(error.text, damages[i].text);
        gm_arena_free(&arena);
    }
}

/* FLUSH drops the copies of all slots and touches nothing behind them; the check looks at all
 * slots, and at nothing behind them. */
static void all_slots_and_no_others(void **state)
{
    (void)state;
    gm_tc_l1 l1;
    gm_error error;
    gm_tc_l1_slot slots[5];
    make(&l1, WEAK);
    l1.slot = slots;
    for (unsigned i = 0; i < 5; i++) {
        slots[i] = (gm_tc_l1_slot){.lease = i < 4 ? 127 : 128, .valid = true};
    }
    test_ok(gm_tc_l1_check(&l1, &error), error);
    gm_tc_l1_access(&l1, (gm_tc_l1_request){.op = FLUSH});
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(slots[i].valid, i == 4);
    }
    for (unsigned i = 0; i < 4; i++) {
        slots[i].lease = 128;
        assert_int_equal(gm_tc_l1_check(&l1, &error), -EINVAL);
        slots[i].lease = 127;
    }
    gm_arena_free(&arena);
}

static void note_message(void *context, const uint64_t *request, const uint64_t *response)
{
    const gm_tc_l1_request *r = (const void *)request;
    const gm_tc_l1_response *a = (const void *)response;
    *(uint64_t *)context += r->op == LOAD && a->message == GETS;
}

static void an_observer_is_told(void **state)
{
    (void)state;
    gm_tc_l1 l1;
    uint64_t told = 0;
    const gm_observer observer = {.call = note_message, .context = &told};
    make(&l1, WEAK);
    l1.observer = &observer;
    gm_tc_l1_access(&l1, (gm_tc_l1_request)AT(LOAD, 5));
    gm_tc_l1_access(&l1, (gm_tc_l1_request)AT(STORE, 5));
    assert_int_equal(told, 1);
    gm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_4b),
        cmocka_unit_test(figure_6),
        cmocka_unit_test(row_i),
        cmocka_unit_test(row_v),
        cmocka_unit_test(row_v_m),
        cmocka_unit_test(row_i_v),
        cmocka_unit_test(row_i_i),
        cmocka_unit_test(an_expired_copy_is_renewed),
        cmocka_unit_test(a_load_waits_for_own_writes),
        cmocka_unit_test(a_store_beyond_the_limit_is_refused),
        cmocka_unit_test(copies_carry_the_largest_gwct),
        cmocka_unit_test(no_gwct_is_kept),
        cmocka_unit_test(a_flush_drops_all_copies),
        cmocka_unit_test(the_last_time_is_a_lease),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(the_ends_of_the_ranges_are_taken),
        cmocka_unit_test(broken_invariants_are_found),
        cmocka_unit_test(all_slots_and_no_others),
        cmocka_unit_test(an_observer_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
