/* stream_gate in lockstep: instances and stimulus. A batch has one share of misses and one length
 * of its periods, near the least that decides or much longer; so the gate closes and opens, by a
 * little and by much, and some periods fill the counts. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/stream_gate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The RTL parameters, in the port list's order. */
enum { COUNT_W, THRESHOLD, LEAST, PARAMETERS };

static int parse(const char *options, gm_stream_gate_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"count_bits", "threshold", "least"};
    uint64_t value[PARAMETERS] = {0};
    int code = gm_cosim_options_parameters(options, &gm_stream_gate_ports, names, value, error);
    *parameters = (gm_stream_gate_parameters){.count_bits = (unsigned)value[COUNT_W],
                                              .threshold = (unsigned)value[THRESHOLD],
                                              .least = (unsigned)value[LEAST]};
    return code;
}

GM_COSIM_MODEL_IN_STRUCT(stream_gate)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_stream_gate_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "count_bits=%u threshold=%u least=%u", p.count_bits, p.threshold, p.least);
    configuration->parameter[COUNT_W][0] = p.count_bits;
    configuration->parameter[THRESHOLD][0] = p.threshold;
    configuration->parameter[LEAST][0] = p.least;
    return 0;
}

/* The ends of every range; thresholds that a rate can meet exactly, and some that it cannot. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"count_bits=5 threshold=75 least=4", true, true},
    {"count_bits=4 threshold=50 least=3", true, true},
    {"count_bits=1 threshold=1 least=1", false, true},
    {"count_bits=15 threshold=90 least=64", false, false},
    {"count_bits=6 threshold=100 least=8", false, true},
    {"count_bits=3 threshold=1 least=7", false, true},
    {"count_bits=20 threshold=99 least=1048575", false, false},
    {"count_bits=8 threshold=1 least=255", false, false},
    {"count_bits=10 threshold=37 least=1", false, false},
    {"count_bits=2 threshold=67 least=1", false, false},
};

GM_COSIM_ACCESS_ALL(stream_gate)

/* The port list's state, in its order. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    const gm_stream_gate *gate = model;
    (void)row;
    (void)lane;
    *value = element == 0 ? gate->accesses : element == 1 ? gate->misses : gate->closed;
    return true;
}

/* Words of a plan: misses of 128 accesses; accesses of a period; accesses since the last one;
 * batches that still have them. */
enum { PLAN_MISSES, PLAN_LENGTH, PLAN_SINCE, PLAN_LEFT };

/* Chooses the share of misses, mostly near the threshold, and the length of periods. */
static void plan_periods(const gm_cosim_configuration *configuration, gm_cosim_plan *plan,
                         uint64_t choice)
{
    uint64_t full = gm_mask((unsigned)configuration->parameter[COUNT_W][0]);
    uint64_t least = configuration->parameter[LEAST][0];
    uint64_t at = configuration->parameter[THRESHOLD][0] * 128 / 100;
    const uint64_t shares[] = {0, 128, at, at + 4, at > 4 ? at - 4 : 0, choice >> 8 & 127};
    const uint64_t lengths[] = {
        least, least + 1, least - 1, 2 * least + 7, 100, 1000, full > 2000 ? 2000 : full, full + 3};
    plan->word[PLAN_MISSES] = shares[choice % 6];
    plan->word[PLAN_LENGTH] = lengths[choice >> 16 & 7];
    plan->word[PLAN_LEFT] = 1 + (choice >> 20 & 7);
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    gm_stream_gate_request *requests = (void *)request;
    uint64_t choice = gm_cosim_random_next(random);
    if (plan->word[PLAN_LEFT] == 0) {
        plan_periods(configuration, plan, choice);
    }
    plan->word[PLAN_LEFT]--;
    uint64_t restarts = (choice >> 32 & 3) == 0 ? 64 : 4096;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        bool ends = plan->word[PLAN_SINCE] >= plan->word[PLAN_LENGTH] || (value >> 40 & 511) == 0;
        bool restart = (value >> 16 & 0xffff) % restarts == 0;
        requests[i] = (gm_stream_gate_request){
            .op = restart ? GM_STREAM_GATE_RESTART + (value >> 7 & 1)
                  : ends  ? GM_STREAM_GATE_PERIOD
                          : GM_STREAM_GATE_ACCESS,
            .miss = (value & 127) < plan->word[PLAN_MISSES],
            .hot = (value >> 8 & 7) == 0,
        };
        plan->word[PLAN_SINCE] = restart || ends ? 0 : plan->word[PLAN_SINCE] + 1;
    }
}

static void put(gm_cosim_tape *tape, uint64_t op, bool miss)
{
    const gm_stream_gate_request request = {.op = op, .miss = miss};
    gm_cosim_tape_put(tape, &request);
}

/* A period of `accesses`, of which the first `misses` miss. */
static void put_period(gm_cosim_tape *tape, uint64_t accesses, uint64_t misses)
{
    for (uint64_t i = 0; i < accesses; i++) {
        put(tape, GM_STREAM_GATE_ACCESS, i < misses);
    }
    put(tape, GM_STREAM_GATE_PERIOD, false);
}

enum {
    LONGEST = 15, /* bits of counts that a tape fills */
    BEYOND = 40,  /* accesses behind the last that is counted */
};

/* Returns the accesses of a period, `least` or more, of which a whole number is at the
 * threshold; 0: the counts have too few bits. */
static uint64_t exact_length(const gm_cosim_configuration *configuration)
{
    uint64_t full = gm_mask((unsigned)configuration->parameter[COUNT_W][0]);
    uint64_t length = configuration->parameter[LEAST][0];
    while (length <= full && length * configuration->parameter[THRESHOLD][0] % 100 != 0) {
        length++;
    }
    return length <= full ? length : 0;
}

/* Returns the largest such number, if its highest bit is that of the counts; else 0. */
static uint64_t large_length(const gm_cosim_configuration *configuration)
{
    uint64_t full = gm_mask((unsigned)configuration->parameter[COUNT_W][0]);
    uint64_t length = full;
    while (length > 0 && length * configuration->parameter[THRESHOLD][0] % 100 != 0) {
        length--;
    }
    return length > full / 2 && length >= configuration->parameter[LEAST][0] ? length : 0;
}

/* Has a period at the threshold, and one a miss away from it, on the other side. */
static void put_threshold(const gm_cosim_configuration *configuration, gm_cosim_tape *tape,
                          uint64_t length, bool closed)
{
    uint64_t at = length * configuration->parameter[THRESHOLD][0] / 100;
    uint64_t least = configuration->parameter[LEAST][0];
    put_period(tape, least, closed ? least : 0);
    put_period(tape, length, at);
    put_period(tape, length, closed && at > 0 ? at - 1 : at + (at < length));
}

/* Has periods of 3/8 and 5/8 of the largest count, without a miss and without a hit: a difference
 * with too few bits wraps there, and not always at the largest count. Closes or opens the gate, and
 * has periods at the threshold, of few accesses and of as many as are counted. Then fills the
 * counts, and goes on: by misses, by hits, or by misses and a hit. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    unsigned bits = (unsigned)configuration->parameter[COUNT_W][0];
    if (bits > LONGEST) {
        return;
    }
    uint64_t full = gm_mask(bits);
    for (uint64_t eighths = 3; eighths <= 5; eighths += 2) {
        put_period(tape, full * eighths / 8, 0);
        put_period(tape, full * eighths / 8, full * eighths / 8);
    }
    for (unsigned closed = 0; closed < 2; closed++) {
        put_period(tape, full, closed != 0 ? full : 0);
        put_threshold(configuration, tape, exact_length(configuration), closed != 0);
        put_threshold(configuration, tape, large_length(configuration), closed != 0);
    }
    put_period(tape, full + BEYOND, round % 3 == 0 ? full + BEYOND : round % 3 == 1 ? 0 : full - 1);
    for (uint64_t i = 0; i < full + BEYOND; i++) {
        put(tape, GM_STREAM_GATE_ACCESS, i + 1 < full || (i >= full && i % 2 != 0));
    }
    put(tape, GM_STREAM_GATE_PERIOD, false);
}

enum { FULL, AT_THRESHOLD, FEW, HOT, HITS, MISSES, LARGE, ABOVE, BELOW, GOALS };

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    const uint64_t(*p)[GM_COSIM_WORDS] = configuration->parameter;
    bool fills = p[COUNT_W][0] <= LONGEST;
    goal[FULL] = (gm_cosim_goal){"a miss beyond the largest count, behind a hit", false, fills};
    goal[AT_THRESHOLD] = (gm_cosim_goal){"a period at the threshold", false,
                                         fills && exact_length(configuration) != 0};
    goal[FEW] = (gm_cosim_goal){"a period of one access too few to decide", false,
                                fills && p[LEAST][0] > 1};
    goal[HOT] = (gm_cosim_goal){"a hot period that would close", false,
                                fills && p[THRESHOLD][0] < 100 && p[COUNT_W][0] > 1};
    uint64_t quarters = fills && p[COUNT_W][0] > 4 ? 6 : 0; /* the second and the third */
    goal[HITS] = (gm_cosim_goal){"a period without a miss, by its quarter", false, quarters};
    goal[MISSES] = (gm_cosim_goal){"a period without a hit, by its quarter", false, quarters};
    bool large = fills && large_length(configuration) != 0;
    bool closes = large && p[THRESHOLD][0] < 100;
    goal[LARGE] = (gm_cosim_goal){"a period at the threshold, with the counts' highest bit; closed",
                                  false, (uint64_t)large + 2 * (uint64_t)closes};
    goal[ABOVE] = (gm_cosim_goal){"with that bit, a miss more closes", false, closes};
    goal[BELOW] = (gm_cosim_goal){"with that bit, a miss less opens", false, closes};
    return GOALS;
}

/* Why goals have no bits where an instance has the limit or field. */
static const char *undemanded(const gm_cosim_configuration *configuration, unsigned i)
{
    (void)i;
    return configuration->parameter[COUNT_W][0] > LONGEST ? "counts of more than 15 bits" : NULL;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_stream_gate_request *fields = (const void *)request;
    const gm_stream_gate *gate = model;
    const gm_stream_gate_parameters *p = &gate->parameters;
    (void)configuration;
    bool ends = fields->op == GM_STREAM_GATE_PERIOD;
    uint64_t missed = UINT64_C(100) * gate->misses;
    uint64_t allowed = (uint64_t)p->threshold * gate->accesses;
    met[FULL] = fields->op == GM_STREAM_GATE_ACCESS && fields->miss != 0 &&
                gate->accesses == gm_mask(p->count_bits) &&
                (gate->misses < gate->accesses || p->count_bits == 1);
    met[AT_THRESHOLD] = ends && gate->accesses >= p->least && missed == allowed;
    met[FEW] = ends && gate->accesses + 1 == p->least;
    uint64_t quarter = ends ? UINT64_C(1) << (UINT64_C(4) * gate->accesses >> p->count_bits) : 0;
    met[HITS] = gate->misses == 0 ? quarter : 0;
    met[MISSES] = gate->misses == gate->accesses ? quarter : 0;
    bool large = ends && fields->hot == 0 && gate->accesses >= p->least &&
                 gate->accesses >> (p->count_bits - 1) != 0;
    met[LARGE] = large && missed == allowed ? UINT64_C(1) << gate->closed : 0;
    met[ABOVE] = large && !gate->closed && missed == allowed + 100;
    met[BELOW] = large && gate->closed && missed + 100 == allowed;
    met[HOT] = ends && fields->hot != 0 && gate->accesses >= p->least && missed > allowed;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_stream_gate_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = 1024,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"count_bits=3 threshold=75 least=3", "count_bits=3 threshold=50 least=4"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 262144,
    .goals = goals,
    .undemanded = undemanded,
    .meet = meet,
};
