/* Lifetime predictor: events worked by hand with the constants of [singh, Table 4]; and a second
 * way to compute a lifetime, which composes all events since the reset to one function, the last
 * event first, that agrees on random streams. */
#include "goldmem/lifetime_predictor.h"
#include "support/support.h"

#include <errno.h>
#include <stdbool.h>

/* Steps of 4, 8 and 8 cycles [singh, Table 4]; the range and the start are a modelling choice. */
static const gm_lifetime_predictor_parameters table_4 = {
    .life_bits = 13, .hit = 4, .evict = 8, .write = 8, .max = 6400, .start = 800};

static gm_lifetime_predictor make(gm_lifetime_predictor_parameters p)
{
    gm_lifetime_predictor predictor;
    gm_error error;
    test_ok(gm_lifetime_predictor_init(&predictor, &p, &error), error);
    return predictor;
}

static uint64_t act(gm_lifetime_predictor *predictor, gm_lifetime_predictor_request request)
{
    gm_error error;
    uint64_t life = gm_lifetime_predictor_access(predictor, request).life;
    test_ok(gm_lifetime_predictor_check(predictor, &error), error);
    return life;
}

/* One event and the lifetime after it. */
typedef struct step {
    gm_lifetime_predictor_request request;
    uint64_t life;
    const char *why;
} step;

#define LOAD_OF(l1, l2)                                                                            \
    {                                                                                              \
        .op = GM_LIFETIME_PREDICTOR_LOAD, .expired_l1 = (l1), .expired_l2 = (l2)                   \
    }
#define EVICT_OF(is_unexpired)                                                                     \
    {                                                                                              \
        .op = GM_LIFETIME_PREDICTOR_EVICT, .unexpired = (is_unexpired)                             \
    }
#define STORE_TO(is_unexpired)                                                                     \
    {                                                                                              \
        .op = GM_LIFETIME_PREDICTOR_STORE, .unexpired = (is_unexpired)                             \
    }
#define FENCE_DONE                                                                                 \
    {                                                                                              \
        .op = GM_LIFETIME_PREDICTOR_FENCED                                                         \
    }
#define RESET_BY(number)                                                                           \
    {                                                                                              \
        .op = (number)                                                                             \
    }

static void run(gm_lifetime_predictor_parameters p, const step *steps, size_t count)
{
    gm_lifetime_predictor predictor = make(p);
    for (const step *s = steps; s < steps + count; s++) {
        uint64_t life = act(&predictor, s->request);
        if (life != s->life) {
            fail_msg("%s: lifetime %llu", s->why, (unsigned long long)life);
        }
    }
}

#define RUN(p, steps) run(p, steps, sizeof(steps) / sizeof *(steps))

static const step constants[] = {
    {LOAD_OF(0, 0), 800, "a load of an unexpired line, or of one the L1 never had"},
    {LOAD_OF(1, 0), 804, "the L1's copy was expired: t_hit is 4"},
    {LOAD_OF(0, 1), 808, "the L2's line was expired"},
    {LOAD_OF(1, 1), 812, "both: one increase per load"},
    {EVICT_OF(0), 812, "an eviction of an expired line stores no lease"},
    {EVICT_OF(1), 804, "of an unexpired line: t_evict is 8"},
    {STORE_TO(1), 804, "no fence has completed: the rule for stores is off"},
    {FENCE_DONE, 804, "an SM completes a fence"},
    {STORE_TO(0), 804, "a store to an expired line makes nobody wait"},
    {STORE_TO(1), 796, "to an unexpired line: t_write is 8"},
    {FENCE_DONE, 796, "fences are counted once"},
    {STORE_TO(1), 788, "still on"},
    {RESET_BY(4), 800, "as after the reset"},
    {STORE_TO(1), 800, "no fence since then"},
    {EVICT_OF(1), 792, "evictions need no fence"},
    {RESET_BY(7), 800, "5 to 7 are RESETs too"},
};

static const step ends[] = {
    {LOAD_OF(1, 0), 9, "8 + 4 is above 9: 9"},
    {LOAD_OF(1, 0), 9, "stays at the largest"},
    {EVICT_OF(1), 4, "9 - 5"},
    {LOAD_OF(0, 1), 8, "4 + 4"},
    {EVICT_OF(1), 3, "8 - 5"},
    {EVICT_OF(1), 0, "3 - 5 is below 0: 0"},
    {EVICT_OF(1), 0, "stays at 0"},
    {FENCE_DONE, 0, "a fence"},
    {LOAD_OF(1, 1), 4, "0 + 4"},
    {STORE_TO(1), 1, "4 - 3"},
    {STORE_TO(1), 0, "1 - 3 is below 0: 0"},
    {LOAD_OF(1, 1), 4, "4"},
    {LOAD_OF(1, 1), 8, "8"},
    {STORE_TO(1), 5, "8 - 3"},
    {EVICT_OF(1), 0, "exactly to 0"},
};

static void events_by_hand(void **state)
{
    (void)state;
    RUN(table_4, constants);
    gm_lifetime_predictor_parameters p = {
        .life_bits = 4, .hit = 4, .evict = 5, .write = 3, .max = 9, .start = 8};
    RUN(p, ends);
}

/* The way from 800 to 6400 takes (6400 - 800) / 4 loads; down to 0 6400 / 8 evictions. */
static void whole_range(void **state)
{
    (void)state;
    gm_lifetime_predictor predictor = make(table_4);
    for (unsigned i = 1; i <= 1400; i++) {
        assert_int_equal(act(&predictor, (gm_lifetime_predictor_request)LOAD_OF(1, 0)),
                         800 + 4 * i);
    }
    assert_int_equal(act(&predictor, (gm_lifetime_predictor_request)LOAD_OF(1, 0)), 6400);
    for (unsigned i = 1; i <= 800; i++) {
        assert_int_equal(act(&predictor, (gm_lifetime_predictor_request)EVICT_OF(1)), 6400 - 8 * i);
    }
    assert_int_equal(act(&predictor, (gm_lifetime_predictor_request)EVICT_OF(1)), 0);
}

/* Steps of 2^32 - 1 cycles in a range of 32 bits. */
static void greatest_steps(void **state)
{
    (void)state;
    gm_lifetime_predictor predictor = make((gm_lifetime_predictor_parameters){.life_bits = 32,
                                                                              .hit = UINT32_MAX,
                                                                              .evict = UINT32_MAX,
                                                                              .write = 1,
                                                                              .max = UINT32_MAX,
                                                                              .start = 1});
    assert_int_equal(act(&predictor, (gm_lifetime_predictor_request)LOAD_OF(1, 0)), UINT32_MAX);
    act(&predictor, (gm_lifetime_predictor_request)FENCE_DONE);
    assert_int_equal(act(&predictor, (gm_lifetime_predictor_request)STORE_TO(1)), UINT32_MAX - 1);
    assert_int_equal(act(&predictor, (gm_lifetime_predictor_request)EVICT_OF(1)), 0);
}

enum { EVENTS = 200 };

/* The second way: the lifetime after the events is x + shift, held within low to high, of the start
 * x. Goes through the events from the last to the first RESET or the beginning. */
static uint64_t lifetime_of(const gm_lifetime_predictor_request *event, unsigned count,
                            const gm_lifetime_predictor_parameters *p)
{
    int64_t shift = 0;
    int64_t low = 0;
    int64_t high = p->max;
    unsigned first = count;
    while (first > 0 && event[first - 1].op < GM_LIFETIME_PREDICTOR_RESET) {
        first--;
    }
    for (unsigned i = count; i-- > first;) {
        bool fenced = false;
        for (unsigned j = first; j < i; j++) {
            fenced |= event[j].op == GM_LIFETIME_PREDICTOR_FENCED;
        }
        const gm_lifetime_predictor_request *e = &event[i];
        int64_t amount = 0;
        if (e->op == GM_LIFETIME_PREDICTOR_LOAD) {
            amount = (e->expired_l1 | e->expired_l2) != 0 ? (int64_t)p->hit : 0;
        } else if (e->unexpired != 0 && e->op == GM_LIFETIME_PREDICTOR_EVICT) {
            amount = -(int64_t)p->evict;
        } else if (e->unexpired != 0 && e->op == GM_LIFETIME_PREDICTOR_STORE && fenced) {
            amount = -(int64_t)p->write;
        }
        /* This event: x + amount, within 0 to max. Behind it: + shift, within low to high. */
        int64_t least = shift > low ? shift : low;
        int64_t most = p->max + shift < high ? p->max + shift : high;
        least = least < high ? least : high;
        most = most > low ? most : low;
        shift += amount;
        low = least;
        high = most;
    }
    int64_t life = p->start + shift;
    return (uint64_t)(life < low ? low : life > high ? high : life);
}

static void agrees_with_composition(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    unsigned at_end[2] = {0};
    for (unsigned round = 0; round < 200; round++) {
        gm_lifetime_predictor_parameters p = {.life_bits =
                                                  1 + (unsigned)test_random_below(&random, 32)};
        uint64_t values = UINT64_C(1) << p.life_bits;
        uint64_t steps = values > 64 && test_random_below(&random, 2) != 0 ? values / 16 : values;
        p.hit = (unsigned)test_random_below(&random, steps);
        p.evict = (unsigned)test_random_below(&random, steps);
        p.write = (unsigned)test_random_below(&random, steps);
        p.max = (unsigned)test_random_below(&random, values);
        p.start = (unsigned)test_random_below(&random, (uint64_t)p.max + 1);
        gm_lifetime_predictor predictor = make(p);
        gm_lifetime_predictor_request event[EVENTS];
        for (unsigned i = 0; i < EVENTS; i++) {
            uint64_t ticket = test_random_below(&random, 64);
            event[i] = (gm_lifetime_predictor_request){
                .op = ticket == 0  ? GM_LIFETIME_PREDICTOR_RESET + test_random_below(&random, 4)
                      : ticket < 4 ? GM_LIFETIME_PREDICTOR_FENCED
                                   : ticket % 3,
                .expired_l1 = test_random_below(&random, 2),
                .expired_l2 = test_random_below(&random, 2),
                .unexpired = test_random_below(&random, 2),
            };
            uint64_t life = act(&predictor, event[i]);
            assert_int_equal(life, lifetime_of(event, i + 1, &p));
            at_end[0] += life == 0 && p.max > 0;
            at_end[1] += life == p.max && p.max > 0;
        }
    }
    assert_true(at_end[0] > 1000 && at_end[1] > 1000);
}

static const struct {
    gm_lifetime_predictor_parameters p;
    const char *text; /* NULL: taken */
} ranges[] = {
    {{1, 0, 0, 0, 0, 0}, NULL},
    {{1, 1, 1, 1, 1, 1}, NULL},
    {{32, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}, NULL},
    {{0, 0, 0, 0, 0, 0}, "lifetime_predictor: life_bits 0: must be 1 to 32"},
    {{33, 4, 8, 8, 6400, 800}, "lifetime_predictor: life_bits 33: must be 1 to 32"},
    {{13, 8192, 8, 8, 6400, 800}, "lifetime_predictor: hit 8192: must be at most 8191"},
    {{13, 4, 8192, 8, 6400, 800}, "lifetime_predictor: evict 8192: must be at most 8191"},
    {{13, 4, 8, 8192, 6400, 800}, "lifetime_predictor: write 8192: must be at most 8191"},
    {{13, 4, 8, 8, 8192, 800}, "lifetime_predictor: max 8192: must be at most 8191"},
    {{13, 4, 8, 8, 6400, 6401}, "lifetime_predictor: start 6401: must be at most 6400"},
};

static void parameters_are_checked(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        gm_error error;
        gm_lifetime_predictor predictor;
        int code = gm_lifetime_predictor_init(&predictor, &ranges[i].p, &error);
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
    gm_lifetime_predictor predictor = make(table_4);
    predictor.life = 6400;
    assert_int_equal(gm_lifetime_predictor_check(&predictor, &error), 0);
    predictor.life = 6401;
    assert_int_equal(gm_lifetime_predictor_check(&predictor, &error), -EINVAL);
    assert_string_equal(error.text, "lifetime_predictor: lifetime 6401 above 6400");
}

static void count_call(void *context, const uint64_t *request, const uint64_t *response)
{
    uint64_t *seen = context;
    seen[0]++;
    seen[1] = request[0];
    seen[2] = response[0];
}

static void observer_is_told_each_transaction(void **state)
{
    (void)state;
    gm_lifetime_predictor predictor = make(table_4);
    uint64_t seen[3] = {0};
    gm_observer observer = {seen, count_call};
    predictor.observer = &observer;
    for (uint64_t op = 0; op < 5; op++) {
        uint64_t life = act(
            &predictor, (gm_lifetime_predictor_request){.op = op, .expired_l1 = 1, .unexpired = 1});
        assert_int_equal(seen[0], op + 1);
        assert_int_equal(seen[1], op);
        assert_int_equal(seen[2], life);
    }
    assert_ptr_equal(predictor.observer, &observer); /* a RESET keeps it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_by_hand),
        cmocka_unit_test(whole_range),
        cmocka_unit_test(greatest_steps),
        cmocka_unit_test(agrees_with_composition),
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(check_finds_damage),
        cmocka_unit_test(observer_is_told_each_transaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
