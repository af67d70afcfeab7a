/* sm_dueling in lockstep: instances and stimulus. A batch has one pattern: how often and by how
 * much the interval advances, and the miss rates of the two SMs, which are often equal or differ by
 * the threshold; or sampling intervals whose rates differ by nearly the threshold, as closely as
 * their counts allow; or many intervals with few accesses. Directed intervals do so with counts up
 * to their end. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/sm_dueling.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Of the RTL parameters, in the port list's order. */
enum { INTERVAL, COUNT_W, DIFFERENCE, HYSTERESIS, PERIOD };

static int parse(const char *options, gm_sm_dueling_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"interval", "count_bits", "difference", "hysteresis",
                                        "period"};
    uint64_t value[5] = {0};
    int code = gm_cosim_options_parameters(options, &gm_sm_dueling_ports, names, value, error);
    if (code == 0 && value[3] > 1) {
        code = gm_fail(error, -EINVAL, "hysteresis: must be 0 or 1");
    }
    *parameters = (gm_sm_dueling_parameters){
        .interval = (unsigned)value[0],
        .count_bits = (unsigned)value[1],
        .difference = (unsigned)value[2],
        .hysteresis = value[3] != 0,
        .period = (unsigned)value[4],
    };
    return code;
}

GM_COSIM_MODEL_IN_STRUCT(sm_dueling)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_sm_dueling_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "interval=%u count_bits=%u difference=%u hysteresis=%d period=%u", p.interval,
             p.count_bits, p.difference, p.hysteresis, p.period);
    configuration->parameter[INTERVAL][0] = p.interval;
    configuration->parameter[COUNT_W][0] = p.count_bits;
    configuration->parameter[DIFFERENCE][0] = p.difference;
    configuration->parameter[HYSTERESIS][0] = p.hysteresis;
    configuration->parameter[PERIOD][0] = p.period;
    return 0;
}

/* The ends of every range, counters that are too small for the interval's accesses, and periods
 * that are and are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"interval=500", false, true},
    {"interval=20 count_bits=4 difference=10 period=1", true, true},
    {"interval=20 count_bits=4 difference=25 hysteresis=1 period=3", true, true},
    {"interval=1 count_bits=1 difference=0 period=2", false, true},
    {"interval=64 count_bits=3 difference=0 hysteresis=1 period=16", false, true},
    {"interval=63 count_bits=16 difference=100 period=1", false, true},
    {"interval=500 period=1", false, true},
    {"interval=500 period=100", false, false},
    {"interval=2 count_bits=2 period=65535", false, false},
    {"interval=65535 count_bits=16 period=1", false, false},
    {"interval=65535 count_bits=16 period=65535", false, false},
    {"interval=100 count_bits=8 difference=50 period=5", false, false},
    {"interval=500 hysteresis=1 period=100", false, false},
};

GM_COSIM_ACCESS_ALL(sm_dueling)

/* The port list's state, in its order. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { ACCESSES, MISSES, ELAPSED, PHASE };
    const gm_sm_dueling *dueling = model;
    (void)row;
    switch (element) {
    case ACCESSES:
        *value = dueling->accesses[lane];
        return true;
    case MISSES:
        *value = dueling->misses[lane];
        return true;
    case ELAPSED:
        *value = dueling->elapsed;
        return true;
    case PHASE:
        *value = dueling->phase;
        return true;
    default:
        *value = dueling->decoupled;
        return true;
    }
}

/* Begins a sampling interval. If the last request is `known` to have ended a sampling interval,
 * waits for the next one; else sends a RESTART and, if `better`, an interval that decides for the
 * decoupled L1. Returns the number of requests made. */
static size_t begin_sampling(const gm_cosim_configuration *configuration, bool known, bool better,
                             gm_sm_dueling_request *requests, size_t count)
{
    const gm_sm_dueling_request whole = {.op = GM_SM_DUELING_ADVANCE,
                                         .amount = configuration->parameter[INTERVAL][0]};
    uint64_t period = configuration->parameter[PERIOD][0];
    size_t made = 0;
    bool is_short = period <= count / 8;
    if (!known || !is_short) {
        requests[made++] = (gm_sm_dueling_request){.op = GM_SM_DUELING_RESTART};
        if (!better || !is_short) {
            return made;
        }
        for (uint64_t sm = 0; sm < 2; sm++) {
            requests[made++] =
                (gm_sm_dueling_request){.op = GM_SM_DUELING_ACCESS, .sm = sm, .miss = sm};
        }
        requests[made++] = whole;
    }
    for (uint64_t i = 1; i < period; i++) {
        requests[made++] = whole;
    }
    return made;
}

/* Makes a whole sampling interval in which SM0's miss rate is `difference` above or below SM1's, as
 * closely as the counts allow. Returns the number of requests made, at most `count`. */
static size_t near_threshold(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                             bool known, gm_sm_dueling_request *requests, size_t count)
{
    uint64_t full = gm_mask((unsigned)configuration->parameter[COUNT_W][0]);
    uint64_t all = gm_mask(gm_log2_ceil(configuration->parameter[INTERVAL][0] + 1));
    uint64_t value = gm_cosim_random_next(random);
    size_t made = begin_sampling(configuration, known, (value >> 51 & 1) == 0, requests, count);
    uint64_t room = (count - made - 1) / 2;
    uint64_t most = full < room ? full : room;
    uint64_t accesses[2] = {1 + (value & 0xffff) % most, 1 + (value >> 16 & 0xffff) % most};
    if ((value >> 49 & 1) != 0) {
        accesses[1] = accesses[0]; /* equal counts more often give exactly the difference */
    }
    uint64_t worse = value >> 32 & 1; /* the SM with the higher rate */
    uint64_t misses[2];
    misses[!worse] = (value >> 33 & 0xffff) % (accesses[!worse] + 1);
    misses[worse] =
        (100 * misses[!worse] + configuration->parameter[DIFFERENCE][0] * accesses[!worse]) *
            accesses[worse] / (100 * accesses[!worse]) +
        (value >> 50 & 1);
    if ((value >> 53 & 3) == 0) { /* only misses: the largest products */
        accesses[0] = most - (value >> 55 & 3) % most;
        accesses[1] = most - (value >> 57 & 3) % most;
        misses[worse] = accesses[worse];
        misses[!worse] = accesses[!worse] * (100 - configuration->parameter[DIFFERENCE][0]) / 100;
    }
    for (uint64_t sm = 0; sm < 2; sm++) {
        for (uint64_t i = 0; i < accesses[sm]; i++) {
            requests[made++] = (gm_sm_dueling_request){.op = GM_SM_DUELING_ACCESS,
                                                       .sm = sm,
                                                       .miss = i < misses[sm],
                                                       .amount = value & all};
        }
    }
    requests[made++] = (gm_sm_dueling_request){.op = GM_SM_DUELING_ADVANCE,
                                               .amount = configuration->parameter[INTERVAL][0]};
    return made;
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    (void)plan;
    gm_sm_dueling_request *requests = (void *)request;
    uint64_t interval = configuration->parameter[INTERVAL][0];
    uint64_t difference = configuration->parameter[DIFFERENCE][0];
    uint64_t all = gm_mask(gm_log2_ceil(configuration->parameter[INTERVAL][0] + 1));
    uint64_t period = configuration->parameter[PERIOD][0];
    uint64_t choice = gm_cosim_random_next(random);
    size_t directed = 0;
    bool directs = period <= count ? (choice >> 28 & 1) == 0 : (choice >> 34) % (16 * period) == 0;
    while (directs && count - directed >= 4) {
        directed += near_threshold(configuration, random, directed > 0, requests + directed,
                                   count - directed);
    }
    uint64_t first = choice % 101; /* miss rates [%] */
    const uint64_t seconds[] = {first, first + difference, (choice >> 8) % 101, 50};
    uint64_t rate[2] = {first, seconds[choice >> 16 & 3]};
    if ((choice >> 18 & 1) != 0) {
        rate[0] = rate[1];
        rate[1] = first;
    }
    const uint64_t sms[] = {0, 1, 2, 2}; /* only SM0, only SM1, both */
    uint64_t sm = sms[choice >> 20 & 3];
    const uint64_t most[] = {2, 2, interval + 1, all + 1}; /* amounts below this */
    uint64_t amounts = most[choice >> 22 & 3];
    bool whole = (choice >> 32 & 3) < (period <= count ? 1 : 3); /* amounts: the interval's */
    unsigned passes = 1 + (unsigned)(choice >> 24 & 15);         /* ADVANCEs, of 16 requests */
    for (size_t i = directed; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        uint64_t which = sm == 2 ? value >> 8 & 1 : sm;
        bool restart = (value >> 3 & 0x1fffffff) % (1024 + 64 * period) == 0;
        bool advance = (value >> 56 & 15) < passes;
        requests[i] = (gm_sm_dueling_request){
            .op = restart ? GM_SM_DUELING_RESTART + (value >> 60 & 1)
                          : (advance ? GM_SM_DUELING_ADVANCE : GM_SM_DUELING_ACCESS),
            .sm = which,
            .miss = (value >> 16 & 0xffff) % 100 < rate[which],
            .amount = whole ? interval : (value >> 32 & 0xfffff) % amounts & all,
        };
    }
}

static void put(gm_cosim_tape *tape, unsigned op, uint64_t sm, bool miss, uint64_t amount)
{
    gm_cosim_tape_put(tape,
                      &(gm_sm_dueling_request){.op = op, .sm = sm, .miss = miss, .amount = amount});
}

/* Begins a sampling interval in which the counts of both SMs reach their end, with two accesses
 * more; only misses of SM `worse`, which counts of fewer bits would not tell from the other's: it
 * has its misses first. */
static void put_full_counts(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                            uint64_t worse)
{
    uint64_t full = gm_mask((unsigned)configuration->parameter[COUNT_W][0]);
    put(tape, GM_SM_DUELING_RESTART, 0, false, 0);
    for (uint64_t i = 0; i < full + 2; i++) {
        put(tape, GM_SM_DUELING_ACCESS, worse, true, 0);
        put(tape, GM_SM_DUELING_ACCESS, !worse, i <= full / 2, 0);
    }
    put(tape, GM_SM_DUELING_ADVANCE, 0, false, configuration->parameter[INTERVAL][0]);
}

enum {
    BOTH = 10,       /* bits of counts up to which both SMs are the worse one in one episode */
    ACCESSES = 2048, /* about, of the intervals with any numbers of accesses */
    REQUESTS = 512,  /* of begin_sampling, at most */
};

/* Returns the misses of the SM that is not `worse`, at most `most`, with which the rates come
 * closest to the difference without being at it: from above with one miss of `worse` more than does
 * not exceed it, from below without. Comparators without a low bit would not see it. */
static uint64_t closest(const gm_cosim_configuration *configuration, const uint64_t accesses[2],
                        uint64_t worse, uint64_t most, bool above)
{
    uint64_t other = !worse;
    uint64_t divisor = 100 * accesses[other];
    uint64_t best = 0;
    uint64_t least = divisor + 1;
    for (uint64_t misses = 0; misses <= most; misses++) {
        uint64_t beyond =
            (100 * misses + configuration->parameter[DIFFERENCE][0] * accesses[other]) *
            accesses[worse] % divisor;
        uint64_t distance = beyond == 0 ? divisor : above ? divisor - beyond : beyond;
        if (distance < least) {
            least = distance;
            best = misses;
        }
    }
    return best;
}

/* Puts a sampling interval with so many accesses, in which SM `worse`'s miss rate is above the
 * other one's by nearly the difference: misses[worse] is the largest number that does not exceed
 * it, or one more. */
static void put_decision(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                         const uint64_t accesses[2], uint64_t random)
{
    gm_sm_dueling_request requests[REQUESTS];
    size_t made = begin_sampling(configuration, false, (random & 1) != 0, requests, REQUESTS);
    for (size_t i = 0; i < made; i++) {
        gm_cosim_tape_put(tape, &requests[i]);
    }
    uint64_t difference = configuration->parameter[DIFFERENCE][0];
    uint64_t worse = random >> 1 & 1;
    uint64_t other = !worse;
    uint64_t most = accesses[other] * (100 - difference) / 100;
    uint64_t misses[2];
    misses[other] = (random >> 3 & 1) != 0
                        ? closest(configuration, accesses, worse, most, (random >> 2 & 1) != 0)
                        : (random >> 8) % (most + 1);
    misses[worse] = (100 * misses[other] + difference * accesses[other]) * accesses[worse] /
                        (100 * accesses[other]) +
                    (random >> 2 & 1);
    for (uint64_t sm = 0; sm < 2; sm++) {
        for (uint64_t i = 0; i < accesses[sm]; i++) {
            put(tape, GM_SM_DUELING_ACCESS, sm, i < misses[sm], 0);
        }
    }
    put(tape, GM_SM_DUELING_ADVANCE, 0, false, configuration->parameter[INTERVAL][0]);
}

/* Decisions with accesses of each power of two, which a count with a bit too few takes for none,
 * and with any numbers of accesses. */
static void put_decisions(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                          uint64_t round)
{
    unsigned bits = (unsigned)configuration->parameter[COUNT_W][0];
    gm_cosim_random random = {round};
    for (unsigned b = 0; b < bits; b++) {
        const uint64_t accesses[2] = {UINT64_C(1) << b, UINT64_C(1) << (bits - 1 - b)};
        put_decision(tape, configuration, accesses, gm_cosim_random_next(&random));
    }
    for (unsigned i = 0; i < (unsigned)ACCESSES >> bits; i++) {
        uint64_t value = gm_cosim_random_next(&random);
        const uint64_t accesses[2] = {1 + (value & 0xffff) % gm_mask(bits),
                                      1 + (value >> 16 & 0xffff) % gm_mask(bits)};
        put_decision(tape, configuration, accesses, gm_cosim_random_next(&random));
    }
}

/* Everything at its limit, and one more. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    uint64_t interval = configuration->parameter[INTERVAL][0];
    put_full_counts(tape, configuration, round & 1);
    if (configuration->parameter[COUNT_W][0] <= BOTH) {
        put_full_counts(tape, configuration, ~round & 1);
        put_decisions(tape, configuration, round);
    }
    const uint64_t ends[] = {1, gm_mask(gm_log2_ceil(interval + 1))};
    for (unsigned i = 0; i < 2; i++) {
        put(tape, GM_SM_DUELING_RESTART, 0, false, 0);
        put(tape, GM_SM_DUELING_ADVANCE, 0, false, interval - 1);
        put(tape, GM_SM_DUELING_ADVANCE, 0, false, ends[i]);
    }
    for (uint64_t i = 0; i <= configuration->parameter[PERIOD][0]; i++) {
        put(tape, GM_SM_DUELING_ADVANCE, 0, false, interval);
    }
}

enum {
    GOAL_ACCESSES,
    GOAL_MISSES,
    GOAL_DECISION,
    GOAL_EXACT_END,
    GOAL_LATEST_END,
    GOAL_PERIOD,
    GOAL_BIT, /* the first of four: accesses of SM0 and SM1, misses of SM0 and SM1 */
    GOALS = GOAL_BIT + 4,
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    bool both = configuration->parameter[COUNT_W][0] <= BOTH;
    uint64_t bits = both ? gm_mask((unsigned)configuration->parameter[COUNT_W][0]) : 0;
    uint64_t of_misses = configuration->parameter[DIFFERENCE][0] < 100 ? bits : 0;
    const gm_cosim_goal all[GOALS] = {
        [GOAL_ACCESSES] = {"accesses are at their end, and one more: SM", false, 3},
        [GOAL_MISSES] = {"misses are at their end, and one more: SM", false, both ? 3 : 1},
        [GOAL_DECISION] = {"an interval ends with the accesses of both SMs and the misses of one "
                           "at their end: SM",
                           false, both ? 3 : 1},
        [GOAL_EXACT_END] = {"an interval lacks one, and one passes", false, 1},
        [GOAL_LATEST_END] = {"an interval lacks one, and the largest amount passes", false, 1},
        [GOAL_PERIOD] = {"the last interval of a period ends", false, 1},
        [GOAL_BIT] = {"bit of SM0's accesses that decides", false, bits},
        [GOAL_BIT + 1] = {"bit of SM1's accesses that decides", false, bits},
        [GOAL_BIT + 2] = {"bit of SM0's misses that decides", false, of_misses},
        [GOAL_BIT + 3] = {"bit of SM1's misses that decides", false, of_misses},
    };
    memcpy(goal, all, sizeof all);
    return GOALS;
}

/* A sampling interval ends: finds the bits of the counts without which the answer would be another.
 */
static void meet_bits(const gm_sm_dueling *dueling, gm_sm_dueling_request request, uint64_t *met)
{
    gm_sm_dueling model = *dueling;
    model.observer = NULL;
    gm_sm_dueling_response is = gm_sm_dueling_access(&model, request);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned b = 0; b < dueling->parameters.count_bits; b++) {
            model = *dueling;
            model.observer = NULL;
            (i < 2 ? model.accesses : model.misses)[i & 1] ^= UINT32_C(1) << b;
            gm_sm_dueling_response flipped = gm_sm_dueling_access(&model, request);
            bool differs = flipped.decided != is.decided || flipped.decoupled != is.decoupled;
            met[GOAL_BIT + i] |= differs ? UINT64_C(1) << b : 0;
        }
    }
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *fields, uint64_t *met)
{
    const gm_sm_dueling *dueling = model;
    const gm_sm_dueling_request *request = (const void *)fields;
    uint64_t interval = configuration->parameter[INTERVAL][0];
    uint64_t full = gm_mask((unsigned)configuration->parameter[COUNT_W][0]);
    if (request->op == GM_SM_DUELING_ACCESS) {
        uint64_t bit = UINT64_C(1) << request->sm;
        met[GOAL_ACCESSES] |= dueling->accesses[request->sm] == full ? bit : 0;
        met[GOAL_MISSES] |= dueling->misses[request->sm] == full && request->miss != 0 ? bit : 0;
        return;
    }
    if (request->op != GM_SM_DUELING_ADVANCE || dueling->elapsed + request->amount < interval) {
        return;
    }
    bool is_last = dueling->elapsed + 1 == interval;
    for (unsigned sm = 0; sm < 2; sm++) {
        met[GOAL_DECISION] |= dueling->accesses[0] == full && dueling->accesses[1] == full &&
                                      dueling->misses[sm] == full
                                  ? UINT64_C(1) << sm
                                  : 0;
    }
    met[GOAL_EXACT_END] |= is_last && request->amount == 1;
    met[GOAL_LATEST_END] |= is_last && request->amount == gm_mask(gm_log2_ceil(interval + 1));
    met[GOAL_PERIOD] |= dueling->phase + 1 == dueling->parameters.period;
    if (dueling->phase == 0) {
        meet_bits(dueling, *request, met);
    }
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_sm_dueling_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = 1024,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"interval=20 count_bits=4 difference=10 period=1",
                 "interval=20 count_bits=4 difference=25 hysteresis=1 period=4",
                 "interval=20 count_bits=4 difference=10 period=2"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 65536,
    .goals = goals,
    .meet = meet,
};
