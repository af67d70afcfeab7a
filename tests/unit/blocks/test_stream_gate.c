/* Stream gate: operations worked by hand at the rate of [khairy, Table 4]; every rate of a period,
 * decided by its hits instead of its misses; and a second way to compute the answers, from the list
 * of all requests, that agrees on random streams. */
#include "goldmem/bits.h"
#include "goldmem/stream_gate.h"
#include "support/support.h"

#include <errno.h>
#include <stdbool.h>

/* 90% [khairy, Table 4]; the counts and the least number of accesses are modelling choices. */
static const gm_stream_gate_parameters table_4 = {.count_bits = 14, .threshold = 90, .least = 64};

static gm_stream_gate make(gm_stream_gate_parameters p)
{
    gm_stream_gate gate;
    gm_error error;
    test_ok(gm_stream_gate_init(&gate, &p, &error), error);
    return gate;
}

static gm_stream_gate_response act(gm_stream_gate *gate, gm_stream_gate_request request)
{
    gm_error error;
    gm_stream_gate_response response = gm_stream_gate_access(gate, request);
    test_ok(gm_stream_gate_check(gate, &error), error);
    return response;
}

static gm_stream_gate_response end_period(gm_stream_gate *gate, bool hot)
{
    return act(gate, (gm_stream_gate_request){.op = GM_STREAM_GATE_PERIOD, .hot = hot});
}

/* Counts `accesses`, of which the first `misses` miss. */
static void use(gm_stream_gate *gate, uint64_t accesses, uint64_t misses)
{
    for (uint64_t i = 0; i < accesses; i++) {
        act(gate, (gm_stream_gate_request){.op = GM_STREAM_GATE_ACCESS, .miss = i < misses});
    }
}

/* A period, and the gate after it. */
typedef struct period {
    uint64_t accesses, misses;
    bool hot, closed;
    const char *why;
} period;

static void operations_by_hand(void **state)
{
    (void)state;
    static const period periods[] = {
        {100, 91, false, true, "91% is above 90%"},
        {100, 90, false, true, "90% keeps a closed gate"},
        {63, 0, false, true, "63 accesses are too few to open"},
        {100, 89, false, false, "89% is below"},
        {100, 90, false, false, "90% keeps an open gate"},
        {63, 63, false, false, "63 accesses are too few to close"},
        {64, 64, false, true, "64 are enough"},
        {0, 0, false, true, "no access"},
        {64, 64, true, false, "warps contend: opens"},
        {64, 64, true, false, "and stays open"},
        {64, 58, false, true, "58 of 64 are 90.6%"},
        {0, 0, true, false, "warps contend: opens without accesses too"},
        {64, 57, false, false, "57 of 64 are 89.1%"},
        {10000, 9001, false, true, "a period of 10,000 cycles with an access in each"},
        {10000, 9000, false, true, "at the rate"},
        {10000, 8999, false, false, "a miss fewer"},
    };
    gm_stream_gate gate = make(table_4);
    for (const period *p = periods; p < periods + sizeof periods / sizeof *periods; p++) {
        bool before = gate.closed;
        use(&gate, p->accesses, p->misses);
        assert_int_equal(gate.closed, before); /* decided at the end only */
        gm_stream_gate_response response = end_period(&gate, p->hot);
        if (response.closed != p->closed) {
            fail_msg("%s: closed %llu", p->why, (unsigned long long)response.closed);
        }
        assert_int_equal(response.accesses, p->accesses);
        assert_int_equal(response.misses, p->misses);
        assert_true(gate.accesses == 0 && gate.misses == 0);
    }
    for (uint64_t op = GM_STREAM_GATE_RESTART; op < 4; op++) {
        use(&gate, 70, 70);
        assert_int_equal(end_period(&gate, false).closed, 1);
        use(&gate, 3, 2);
        gm_stream_gate_response response =
            act(&gate, (gm_stream_gate_request){.op = op, .miss = 1, .hot = 1});
        assert_true(response.closed == 0 && response.accesses == 0 && response.misses == 0);
        assert_true(!gate.closed && gate.accesses == 0 && gate.misses == 0);
    }
}

/* The rate stays that of the accesses counted. */
static void counts_stop_at_the_limit(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits <= 20; bits++) {
        gm_stream_gate gate =
            make((gm_stream_gate_parameters){.count_bits = bits, .threshold = 50, .least = 1});
        uint64_t full = gm_mask(bits);
        use(&gate, full, full - 1);
        for (unsigned miss = 0; miss < 2; miss++) {
            gm_stream_gate_response response =
                act(&gate, (gm_stream_gate_request){.op = GM_STREAM_GATE_ACCESS, .miss = miss});
            assert_int_equal(response.accesses, full);
            assert_int_equal(response.misses, full - 1);
        }
        gm_stream_gate_response response = end_period(&gate, false);
        assert_int_equal(response.accesses, full);
        assert_int_equal(response.closed, bits > 1);
    }
}

/* Returns the gate behind a period, from its hits: it closes when fewer than 100 - threshold
 * percent hit. */
static bool closed_by_hits(const gm_stream_gate_parameters *p, bool closed, uint64_t accesses,
                           uint64_t misses)
{
    uint64_t hits = 100 * (accesses - misses);
    uint64_t wanted = (100 - p->threshold) * accesses;
    bool keeps = accesses < p->least || hits == wanted;
    return keeps ? closed : hits < wanted;
}

static void every_rate_of_a_period(void **state)
{
    (void)state;
    static const unsigned thresholds[] = {1, 10, 50, 67, 75, 90, 99, 100};
    for (size_t t = 0; t < sizeof thresholds / sizeof *thresholds; t++) {
        const gm_stream_gate_parameters p = {
            .count_bits = 6, .threshold = thresholds[t], .least = 20};
        for (uint64_t accesses = 0; accesses < 64; accesses++) {
            for (uint64_t misses = 0; misses <= accesses; misses++) {
                for (unsigned closed = 0; closed < 2; closed++) {
                    gm_stream_gate gate = make(p);
                    gate.closed = closed != 0;
                    use(&gate, accesses, misses);
                    assert_int_equal(end_period(&gate, false).closed,
                                     closed_by_hits(&p, closed != 0, accesses, misses));
                }
            }
        }
    }
}

/* All counts of 14 bits at 90% [khairy, Table 4], up to two misses away from the threshold. */
static void every_count_near_the_threshold(void **state)
{
    (void)state;
    const gm_stream_gate_parameters p = {.count_bits = 14, .threshold = 90, .least = 64};
    for (uint32_t accesses = 1; accesses < 16384; accesses++) {
        uint32_t at = accesses * 9 / 10;
        for (uint32_t misses = at < 2 ? 0 : at - 2; misses <= at + 2 && misses <= accesses;
             misses++) {
            for (unsigned closed = 0; closed < 2; closed++) {
                gm_stream_gate gate = make(p);
                gate.accesses = accesses;
                gate.misses = misses;
                gate.closed = closed != 0;
                assert_int_equal(end_period(&gate, false).closed,
                                 closed_by_hits(&p, closed != 0, accesses, misses));
            }
        }
    }
}

enum { EVENTS = 300 };

/* The second way: counts the requests behind the last PERIOD or RESTART before `end`. */
static void count_events(const gm_stream_gate_request *event, unsigned end, uint64_t most,
                         uint64_t *accesses, uint64_t *misses)
{
    unsigned first = end;
    while (first > 0 && event[first - 1].op == GM_STREAM_GATE_ACCESS) {
        first--;
    }
    *accesses = end - first < most ? end - first : most;
    *misses = 0;
    for (unsigned i = first; i < first + *accesses; i++) {
        *misses += event[i].miss;
    }
}

/* The gate behind the events: that of the last one which decides; open before the first. */
static bool gate_of(const gm_stream_gate_request *event, unsigned count,
                    const gm_stream_gate_parameters *p)
{
    while (count-- > 0) {
        if (event[count].op >= GM_STREAM_GATE_RESTART ||
            (event[count].op == GM_STREAM_GATE_PERIOD && event[count].hot != 0)) {
            return false;
        }
        uint64_t accesses;
        uint64_t misses;
        count_events(event, count, gm_mask(p->count_bits), &accesses, &misses);
        bool kept = closed_by_hits(p, true, accesses, misses);
        if (event[count].op == GM_STREAM_GATE_PERIOD &&
            kept == closed_by_hits(p, false, accesses, misses)) {
            return kept;
        }
    }
    return false;
}

static void agrees_with_events(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    unsigned changes = 0;
    unsigned full = 0;
    for (unsigned round = 0; round < 300; round++) {
        gm_stream_gate_parameters p = {.count_bits = 1 + (unsigned)test_random_below(&random, 7),
                                       .threshold = 1 + (unsigned)test_random_below(&random, 100)};
        p.least = 1 + (unsigned)test_random_below(&random, gm_mask(p.count_bits));
        gm_stream_gate gate = make(p);
        gm_stream_gate_request event[EVENTS];
        uint64_t length = 1 + test_random_below(&random, 2 * gm_mask(p.count_bits));
        bool before = false;
        for (unsigned i = 0; i < EVENTS; i++) {
            uint64_t ticket = test_random_below(&random, 100);
            event[i] = (gm_stream_gate_request){
                .op = ticket == 0                               ? 2 + test_random_below(&random, 2)
                      : test_random_below(&random, length) == 0 ? GM_STREAM_GATE_PERIOD
                                                                : GM_STREAM_GATE_ACCESS,
                .miss = test_random_below(&random, 100) < p.threshold,
                .hot = test_random_below(&random, 8) == 0,
            };
            gm_stream_gate_response response = act(&gate, event[i]);
            uint64_t accesses = 0;
            uint64_t misses = 0;
            if (event[i].op < GM_STREAM_GATE_RESTART) {
                unsigned end = event[i].op == GM_STREAM_GATE_ACCESS ? i + 1 : i;
                count_events(event, end, gm_mask(p.count_bits), &accesses, &misses);
            }
            assert_int_equal(response.accesses, accesses);
            assert_int_equal(response.misses, misses);
            assert_int_equal(response.closed, gate_of(event, i + 1, &p));
            changes += before != response.closed;
            full += accesses == gm_mask(p.count_bits);
            before = response.closed;
        }
    }
    assert_true(changes > 1000 && full > 1000);
}

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        gm_stream_gate_parameters p;
        const char *text; /* NULL: taken */
    } ranges[] = {
        {{1, 1, 1}, NULL},
        {{20, 100, (1 << 20) - 1}, NULL},
        {{0, 90, 64}, "stream_gate: count_bits 0: must be 1 to 20"},
        {{21, 90, 64}, "stream_gate: count_bits 21: must be 1 to 20"},
        {{14, 0, 64}, "stream_gate: threshold 0: must be 1 to 100"},
        {{14, 101, 64}, "stream_gate: threshold 101: must be 1 to 100"},
        {{14, 90, 0}, "stream_gate: least 0: must be 1 to 16383"},
        {{14, 90, 16384}, "stream_gate: least 16384: must be 1 to 16383"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_stream_gate gate;
        int code = gm_stream_gate_init(&gate, &ranges[i].p, &error);
        assert_int_equal(code, ranges[i].text == NULL ? 0 : -EINVAL);
        if (ranges[i].text != NULL) {
            assert_string_equal(error.text, ranges[i].text);
        }
    }
}

static void check_finds_damage(void **state)
{
    (void)state;
    gm_error error;
    gm_stream_gate gate = make(table_4);
    gate.accesses = gate.misses = 16383;
    assert_int_equal(gm_stream_gate_check(&gate, &error), 0);
    gate.accesses = 16384;
    assert_int_equal(gm_stream_gate_check(&gate, &error), -EINVAL);
    assert_string_equal(error.text, "stream_gate: 16384 accesses do not fit 14 bits");
    gate.accesses = 7;
    gate.misses = 8;
    assert_int_equal(gm_stream_gate_check(&gate, &error), -EINVAL);
    assert_string_equal(error.text, "stream_gate: 8 misses of 7 accesses");
}

static void count_call(void *context, const uint64_t *request, const uint64_t *response)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] = request[0];
    seen[2] = response[1];
}

static void observer_is_told_each_transaction(void **state)
{
    (void)state;
    gm_stream_gate gate = make(table_4);
    uint64_t seen[3] = {0};
    gm_observer observer = {seen, count_call};
    gate.observer = &observer;
    for (uint64_t op = 0; op < 4; op++) {
        gm_stream_gate_response response =
            act(&gate, (gm_stream_gate_request){.op = op, .miss = 1});
        assert_int_equal(seen[0], op + 1);
        assert_int_equal(seen[1], op);
        assert_int_equal(seen[2], response.accesses);
    }
    assert_ptr_equal(gate.observer, &observer); /* a RESTART keeps it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_by_hand),
        cmocka_unit_test(counts_stop_at_the_limit),
        cmocka_unit_test(every_rate_of_a_period),
        cmocka_unit_test(every_count_near_the_threshold),
        cmocka_unit_test(agrees_with_events),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
