/* Cores sampling: a second way to compute the answers, from the list of all requests, agrees on
 * random streams. */
#include "goldmem/bits.h"
#include "support/blocks/cores_sampling_run.h"

#include <stdbool.h>

enum { EVENTS = 1200, KERNELS = 5 };

/* The second way: a kernel's history, all launches one after the other, and the order in which
 * kernels entered the table. Periods are found from the list of requests. */
typedef struct history {
    unsigned count, limit; /* hot periods in a row; the limit found */
    unsigned entered;      /* when it entered the table, from 1 on; 0: it is not there */
} history;

typedef struct naive {
    const gm_cores_sampling_parameters *p;
    history kernel[KERNELS];
    unsigned runs, entries; /* the kernel; entries taken so far */
    enum { WATCHED, SAMPLED, LIMITED } phase;
    unsigned first; /* limit of SM 0 */
    /* The reports since sampling began, or of the period. */
    gm_cores_sampling_request report[4096];
    unsigned reports;
    uint64_t best_before; /* of the rounds before */
    unsigned best_limit;
} naive;

static unsigned limit_of(const naive *n, unsigned sm)
{
    unsigned limit = n->first + sm;
    return n->phase == SAMPLED   ? (limit > n->p->warps ? n->p->warps : limit)
           : n->phase == LIMITED ? n->kernel[n->runs].limit
                                 : 0;
}

static void enter(naive *n)
{
    history *own = &n->kernel[n->runs];
    if (own->entered > 0) {
        return;
    }
    for (unsigned k = 0; k < KERNELS; k++) {
        if (n->kernel[k].entered > 0 && n->kernel[k].entered + n->p->entries <= n->entries + 1) {
            n->kernel[k] = (history){0};
        }
    }
    *own = (history){.entered = ++n->entries};
}

/* The last period's reports end at `n->reports`. */
static void end_period(naive *n)
{
    const gm_cores_sampling_parameters *p = n->p;
    const gm_cores_sampling_request *last = n->report + n->reports - p->sms;
    double misses = 0;
    double thousands = 0;
    int open = 0;
    bool dry = false;
    for (unsigned sm = 0; sm < p->sms; sm++) {
        misses += (double)last[sm].misses;
        thousands += (double)last[sm].issued * 32;
        open += last[sm].closed != 0 ? -1 : 1;
        dry = dry || last[sm].idle != 0;
    }
    bool is_hot = 1000 * misses > p->threshold * thousands && open >= 0;
    history *own = &n->kernel[n->runs];
    if (n->phase == WATCHED) {
        n->reports = 0;
        if (!is_hot) {
            own->count = 0;
            return;
        }
        enter(n);
        own->count += own->count < p->hot;
        if (own->limit > 0) {
            n->phase = LIMITED;
        } else if (own->count == p->hot && !dry) {
            n->phase = SAMPLED;
            n->first = n->best_limit = 1;
            n->best_before = 0;
        }
        return;
    }
    if (n->phase == LIMITED || dry || open < 0) {
        own->count = n->phase == SAMPLED && open < 0 ? 0 : own->count;
        n->phase = n->phase == SAMPLED ? WATCHED : n->phase;
        n->reports = 0;
        return;
    }
    if (n->reports < p->sms * p->samples) {
        return;
    }
    /* the round: from the last SM to the first, so that of equal ones the first stays */
    unsigned best_limit = n->best_limit;
    uint64_t best = n->best_before;
    for (unsigned sm = p->sms; sm-- > 0;) {
        uint64_t sum = 0;
        for (unsigned i = sm; i < n->reports; i += p->sms) {
            sum += n->report[i].issued;
        }
        if (sum > n->best_before && sum >= best) {
            best = sum;
            best_limit = limit_of(n, sm);
        }
    }
    n->reports = 0;
    n->best_before = best;
    n->best_limit = best_limit;
    if (best_limit == n->first + p->sms - 1 && best_limit < p->warps) {
        n->first = best_limit + 1;
    } else {
        own->limit = best_limit;
        n->phase = LIMITED;
    }
}

static gm_cores_sampling_response answer(naive *n, gm_cores_sampling_request request)
{
    gm_cores_sampling_response response = {0};
    if (request.op >= GM_CORES_SAMPLING_RESTART) {
        *n = (naive){.p = n->p};
    } else if (request.op == GM_CORES_SAMPLING_KERNEL) {
        n->runs = (unsigned)request.kernel;
        n->phase = WATCHED;
        n->reports = 0;
    } else {
        n->report[n->reports++] = request;
        response.ended = n->reports % n->p->sms == 0;
        if (response.ended != 0) {
            end_period(n);
        }
    }
    response.hot = n->kernel[n->runs].count;
    response.sampling = n->phase == SAMPLED;
    response.limit = limit_of(n, 0);
    return response;
}

static gm_cores_sampling_parameters any_parameters(test_random *random)
{
    return (gm_cores_sampling_parameters){
        .sms = 1 + (unsigned)test_random_below(random, 6),
        .warps = 1 + (unsigned)test_random_below(random, 20),
        .miss_bits = 1 + (unsigned)test_random_below(random, 9),
        .issue_bits = 1 + (unsigned)test_random_below(random, 5),
        .threshold = 1 + (unsigned)test_random_below(random, 30),
        .hot = 1 + (unsigned)test_random_below(random, 3),
        .samples = 1 + (unsigned)test_random_below(random, 4),
        .entries = 1 + (unsigned)test_random_below(random, 4),
        .kernel_bits = 3,
    };
}

/* How often SMs were sampled, in a further round, and a limit was found. */
typedef struct sight {
    unsigned sampled, further, found;
} sight;

/* Does a request in both ways, which must agree. */
static void compare(gm_cores_sampling *s, naive *n, gm_cores_sampling_request request, sight *seen)
{
    bool was_limited = s->phase == GM_CORES_SAMPLING_LIMITED;
    unsigned base = s->base;
    gm_cores_sampling_response is = act(s, request);
    gm_cores_sampling_response expected = answer(n, request);
    assert_memory_equal(&is, &expected, sizeof is);
    for (unsigned sm = 0; sm < n->p->sms; sm++) {
        assert_int_equal(gm_cores_sampling_limit(s, sm), limit_of(n, sm));
    }
    seen->sampled += is.sampling != 0;
    seen->further += is.sampling != 0 && s->base > base;
    seen->found += !was_limited && s->phase == GM_CORES_SAMPLING_LIMITED;
}

static void agrees_with_events(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    sight seen = {0};
    static naive n;
    for (unsigned round = 0; round < 400; round++) {
        gm_cores_sampling_parameters p = any_parameters(&random);
        gm_cores_sampling s = make(p);
        n = (naive){.p = &p};
        uint64_t calm = test_random_below(&random, 4);
        for (unsigned i = 0; i < EVENTS; i++) {
            uint64_t ticket = test_random_below(&random, 2000);
            bool kernel = ticket >= 2 && ticket < 30;
            gm_cores_sampling_request request = {
                .op = ticket < 2 ? 2 + (ticket & 1) : kernel,
                .misses = test_random_below(&random, 4) < calm
                              ? 0
                              : test_random_below(&random, gm_mask(p.miss_bits) + 1),
                .issued = test_random_below(&random, gm_mask(p.issue_bits) + 1),
                .idle = test_random_below(&random, 40) == 0,
                .closed = test_random_below(&random, 5) == 0,
                .kernel = test_random_below(&random, KERNELS),
            };
            compare(&s, &n, request, &seen);
        }
    }
    assert_true(seen.sampled > 10000 && seen.further > 200 && seen.found > 2000);
}

/* Table 4's sizes with reports up to their largest: SMs issue about as much as each other; in some
 * rounds the later ones more, so that the last wins. */
static void agrees_at_shipped_sizes_and_limits(void **state)
{
    (void)state;
    enum { PERIODS = 60 };
    test_random random = test_random_start(2);
    sight seen = {0};
    static naive n;
    for (unsigned round = 0; round < 200; round++) {
        gm_cores_sampling s = make(table_4);
        n = (naive){.p = &table_4};
        for (unsigned i = 0; i < PERIODS; i++) {
            if (test_random_below(&random, 12) == 0) {
                compare(&s, &n,
                        (gm_cores_sampling_request){.op = GM_CORES_SAMPLING_KERNEL,
                                                    .kernel = test_random_below(&random, KERNELS)},
                        &seen);
            }
            bool cool = test_random_below(&random, 10) == 0;
            bool is_idle = test_random_below(&random, 10) == 0;
            uint64_t step = test_random_below(&random, 3) * 100;
            uint64_t below = 1500 + test_random_below(&random, round % 2 == 0 ? 30000 : 100);
            for (unsigned sm = 0; sm < table_4.sms; sm++) {
                uint64_t issued = 32767 - below + step * sm % 1500;
                uint64_t at = issued * 8 / 25; /* the threshold */
                uint64_t near = test_random_below(&random, 10);
                uint64_t misses = at + near < 4 + (uint64_t)cool ? 0 : at + near - 3 - cool;
                compare(
                    &s, &n,
                    (gm_cores_sampling_request){.misses = misses < 16383 ? misses : 16383,
                                                .issued = issued + test_random_below(&random, 3),
                                                .idle = is_idle && sm == i % table_4.sms,
                                                .closed = test_random_below(&random, 4) == 0},
                    &seen);
            }
        }
    }
    assert_true(seen.sampled > 10000 && seen.further > 50 && seen.found > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_events),
        cmocka_unit_test(agrees_at_shipped_sizes_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
