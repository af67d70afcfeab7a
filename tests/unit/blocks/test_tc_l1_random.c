/* L1 side of Temporal Coherence on random transactions: a second implementation agrees. It looks
 * messages up in Table 2 [singh] by state and request, keeps the first cycle in which a copy may
 * not be used, a list of the stores without an answer, and all GWCTs that a copy has got. */
#include "goldmem/tc_l1.h"
#include "support/support.h"

#include <string.h>

enum { SLOTS = 5, STORES = 64, GWCTS = 4096 };

typedef struct naive_slot {
    bool there;
    uint64_t end;            /* the first cycle in which the copy may not be used */
    uint64_t stored[STORES]; /* times of the stores without an answer, oldest first */
    unsigned stores;
    uint64_t gwct[GWCTS];
    unsigned gwcts;
} naive_slot;

static naive_slot naive[SLOTS];

/* Rows I, V, V_M, I_I; columns LOAD, STORE, ATOMIC, BYPASS. NONE: a hit. */
static const uint64_t message[4][4] = {
    {GM_TC_L1_GETS, GM_TC_L1_GETX, GM_TC_L1_ATOMIC_MESSAGE, GM_TC_L1_GETS},
    {GM_TC_L1_NONE, GM_TC_L1_UPGR, GM_TC_L1_ATOMIC_MESSAGE, GM_TC_L1_GETS},
    {GM_TC_L1_NONE, GM_TC_L1_UPGR, GM_TC_L1_ATOMIC_MESSAGE, GM_TC_L1_GETS},
    {GM_TC_L1_GETS, GM_TC_L1_GETX, GM_TC_L1_ATOMIC_MESSAGE, GM_TC_L1_GETS},
};

static uint64_t largest(const naive_slot *s)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < s->gwcts; i++) {
        most = s->gwct[i] > most ? s->gwct[i] : most;
    }
    return most;
}

static unsigned state_of(const naive_slot *s, const gm_tc_l1_request *r)
{
    if (r->present == 0) {
        return GM_TC_L1_I;
    }
    bool usable = s->there && r->now < s->end;
    return usable ? (s->stores == 0 ? GM_TC_L1_V : GM_TC_L1_V_M)
                  : (s->stores == 0 ? GM_TC_L1_I : GM_TC_L1_I_I);
}

/* LOAD, STORE, ATOMIC, BYPASS. */
static gm_tc_l1_response ask(const gm_tc_l1_parameters *p, naive_slot *s, const gm_tc_l1_request *r)
{
    gm_tc_l1_response a = {.was = state_of(s, r)};
    unsigned row = (unsigned)a.was;
    if (row == GM_TC_L1_V_M && r->op == GM_TC_L1_LOAD && (p->strong || p->visible)) {
        row = GM_TC_L1_I_I;
    }
    a.message = message[row][r->op];
    a.hit = a.message == GM_TC_L1_NONE || a.message == GM_TC_L1_UPGR;
    a.close = r->op == GM_TC_L1_LOAD ? 0 : r->open;
    if (a.message == GM_TC_L1_UPGR) {
        if (s->stores + 1 == 1u << p->pending_bits) {
            return (gm_tc_l1_response){.refused = 1, .was = a.was};
        }
        a.timestamp = s->end - 1;
        s->stored[s->stores++] = r->now;
    } else if (a.message == GM_TC_L1_NONE) {
        a.visible = p->visible ? largest(s) : 0;
    } else if (r->op == GM_TC_L1_LOAD && r->open != 0) {
        a.message = GM_TC_L1_MERGE;
    } else if (r->present != 0) {
        a.expired = r->op == GM_TC_L1_LOAD && s->there && r->now >= s->end;
        s->there = false;
    }
    return a;
}

static void give(naive_slot *s, uint64_t lease, uint64_t gwct)
{
    s->there = true;
    s->end = lease + 1;
    s->gwct[s->gwcts++] = gwct;
}

/* FILL, ACK, DATA_G. */
static gm_tc_l1_response take(naive_slot *s, const gm_tc_l1_request *r)
{
    gm_tc_l1_response a = {.was = state_of(s, r)};
    if (r->op == GM_TC_L1_FILL) {
        bool into = r->present != 0 && r->open != 0;
        a.error = into && (s->there || s->stores > 0);
        a.install = into && a.error == 0 && r->lease_given != 0 && r->now < r->timestamp + 1;
        if (a.install != 0) {
            s->gwcts = 0;
            give(s, r->timestamp, r->visible);
        }
        return a;
    }
    a.error = r->present == 0 || s->stores == 0;
    if (a.error != 0) {
        return a;
    }
    memmove(s->stored, s->stored + 1, --s->stores * sizeof *s->stored);
    a.install = r->op == GM_TC_L1_DATA_G && s->there && s->stores == 0;
    bool renews = r->op == GM_TC_L1_ACK && s->there;
    if (a.install != 0 || renews) {
        give(s, renews && r->lease_given == 0 ? s->end - 1 : r->timestamp, r->visible);
    }
    return a;
}

static gm_tc_l1_response naive_access(const gm_tc_l1_parameters *p, const gm_tc_l1_request *r)
{
    naive_slot *s = &naive[r->slot];
    if (r->op >= GM_TC_L1_FLUSH) {
        for (unsigned i = 0; i < SLOTS; i++) {
            naive[i].there = false;
        }
        return (gm_tc_l1_response){0};
    }
    if (r->op == GM_TC_L1_EVICT) {
        s->there = s->there && s->stores > 0;
        return (gm_tc_l1_response){.keep = s->stores > 0};
    }
    return r->op < GM_TC_L1_FILL ? ask(p, s, r) : take(s, r);
}

/* Times within four of `base`, at times any; mostly requests for a line that the slot holds. */
static gm_tc_l1_request random_request(test_random *random, const gm_tc_l1_parameters *p,
                                       uint64_t base, unsigned mood)
{
    static const unsigned shares[3][9] = {/* of 64: LOAD to EVICT; then FLUSH */
                                          {16, 14, 2, 2, 14, 8, 5, 2, 1},
                                          {8, 24, 1, 1, 10, 12, 6, 2, 0},
                                          {12, 8, 4, 4, 16, 8, 6, 4, 2}};
    uint64_t last = (UINT64_C(1) << p->time_bits) - 1;
    uint64_t ticket = test_random_below(random, 64);
    unsigned op = 0;
    while (op < GM_TC_L1_FLUSH && ticket >= shares[mood][op]) {
        ticket -= shares[mood][op++];
    }
    uint64_t times[3];
    for (unsigned i = 0; i < 3; i++) {
        bool any = test_random_below(random, 16) == 0;
        times[i] = (any ? test_random_next(random) : base + test_random_below(random, 4)) & last;
    }
    return (gm_tc_l1_request){
        .op = op < GM_TC_L1_FLUSH ? op : op + test_random_below(random, 8),
        .slot = test_random_below(random, p->slots),
        .present = test_random_below(random, 8) != 0,
        .open = test_random_below(random, 2),
        .lease_given = test_random_below(random, 4) != 0,
        .timestamp = times[0],
        .visible = times[1],
        .now = times[2],
    };
}

static void compare(const gm_tc_l1_response *is, const gm_tc_l1_response *should, unsigned step,
                    unsigned *seen)
{
    const uint64_t *a = (const void *)is;
    const uint64_t *b = (const void *)should;
    for (unsigned i = 0; i < gm_tc_l1_ports.responses; i++) {
        if (a[i] != b[i]) {
            fail_msg("transaction %u: %s is %llu, should be %llu", step,
                     gm_tc_l1_ports.response[i].name, (unsigned long long)a[i],
                     (unsigned long long)b[i]);
        }
        seen[i] += a[i] != 0;
    }
}

static void agrees_with_the_table(void **state)
{
    (void)state;
    enum { ROUNDS = 60, TRANSACTIONS = 2000 };
    test_random random = test_random_start(1);
    unsigned seen[GM_PORTS_FIELDS] = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        const gm_tc_l1_parameters p = {
            .slots = 1 + (unsigned)test_random_below(&random, SLOTS),
            .pending_bits = 1 + (unsigned)test_random_below(&random, 4),
            .time_bits = 2 + (unsigned)test_random_below(&random, 31),
            .strong = round % 4 == 1,
            .visible = round % 4 > 1,
        };
        gm_arena arena;
        gm_tc_l1 l1;
        gm_error error;
        test_ok(gm_arena_create(&arena, gm_tc_l1_bytes(&p), &error), error);
        test_ok(gm_tc_l1_init(&l1, &p, &arena, &error), error);
        memset(naive, 0, sizeof naive);
        uint64_t base = 0;
        unsigned mood = 0;
        for (unsigned t = 0; t < TRANSACTIONS; t++) {
            if (t % 256 == 0) {
                mood = (unsigned)test_random_below(&random, 3);
                base =
                    test_random_below(&random, 3) == 0 ? UINT64_MAX - 3 : test_random_next(&random);
            }
            gm_tc_l1_request r = random_request(&random, &p, base, mood);
            gm_tc_l1_response is = gm_tc_l1_access(&l1, r);
            gm_tc_l1_response should = naive_access(&p, &r);
            compare(&is, &should, t, seen);
            test_ok(gm_tc_l1_check(&l1, &error), error);
        }
        gm_arena_free(&arena);
    }
    for (unsigned i = 0; i < gm_tc_l1_ports.responses; i++) {
        if (seen[i] < 50) {
            fail_msg("%s only %u times", gm_tc_l1_ports.response[i].name, seen[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_the_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
