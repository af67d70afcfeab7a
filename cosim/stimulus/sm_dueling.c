/* sm_dueling in lockstep: which intervals and counters are built, and what happens in them. A batch
 * has one habit: how often time passes and by how much, and the miss rates of the two SMs, which
 * are often alike or just the threshold apart; or it has whole intervals whose rates are as
 * near to the threshold as their counts allow. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/sm_dueling.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Of the RTL parameters, in the port list's order. */
enum { INTERVAL, INTERVAL_W, COUNT_W, DIFFERENCE, HYSTERESIS };

static int parse(const char *options, gm_sm_dueling_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"interval", "count_bits", "difference", "hysteresis"};
    static const uint64_t fallback[] = {500, 9, 10, 0};
    uint64_t value[4] = {0};
    int code = gm_cosim_options_numbers(options, names, 4, fallback, 4, value, error);
    if (code == 0 && value[3] > 1) {
        code = gm_fail(error, -EINVAL, "hysteresis: must be 0 or 1");
    }
    *parameters = (gm_sm_dueling_parameters){
        .interval = (unsigned)value[0],
        .count_bits = (unsigned)value[1],
        .difference = (unsigned)value[2],
        .hysteresis = value[3] != 0,
    };
    return code;
}

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_sm_dueling_parameters p;
    gm_sm_dueling dueling;
    int code = parse(options, &p, error);
    if (code == 0) {
        code = gm_sm_dueling_init(&dueling, &p, error);
    }
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "interval=%u count_bits=%u difference=%u hysteresis=%d", p.interval, p.count_bits,
             p.difference, p.hysteresis);
    configuration->parameter[INTERVAL][0] = p.interval;
    configuration->parameter[INTERVAL_W][0] = gm_log2_ceil(p.interval + UINT64_C(1));
    configuration->parameter[COUNT_W][0] = p.count_bits;
    configuration->parameter[DIFFERENCE][0] = p.difference;
    configuration->parameter[HYSTERESIS][0] = p.hysteresis;
    return 0;
}

/* Ends of every range, and counters that the interval's accesses do not fit in. */
static const gm_cosim_instance instances[] = {
    {"interval=500", false, true},
    {"interval=20 count_bits=4 difference=10", true, true},
    {"interval=20 count_bits=4 difference=25 hysteresis=1", true, true},
    {"interval=1 count_bits=1 difference=0", false, true},
    {"interval=64 count_bits=3 difference=0 hysteresis=1", false, true},
    {"interval=63 count_bits=16 difference=100", false, true},
    {"interval=65535 count_bits=16", false, false},
    {"interval=100 count_bits=8 difference=50", false, false},
    {"interval=500 hysteresis=1", false, false},
};

static int init(const gm_cosim_configuration *configuration, gm_arena *arena, void **model,
                gm_error *error)
{
    gm_sm_dueling_parameters p;
    gm_sm_dueling *dueling = gm_arena_take(arena, 1, sizeof *dueling);
    *model = dueling;
    int code = parse(configuration->options, &p, error);
    if (code == 0 && dueling == NULL) {
        code = gm_fail(error, -ENOMEM, "sm_dueling: the arena is full");
    }
    return code < 0 ? code : gm_sm_dueling_init(dueling, &p, error);
}

GM_COSIM_ACCESS_ALL(sm_dueling)

/* The port list's state, in its order. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { ACCESSES, MISSES, ELAPSED };
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
    default:
        *value = dueling->decoupled;
        return true;
    }
}

/* An interval from its begin to its end in which SM0's miss rate is `difference` above or below
 * SM1's, as near to it as their counts allow. Returns the requests made, at most `count`. */
static size_t near_threshold(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                             gm_sm_dueling_request *requests, size_t count)
{
    uint64_t full = gm_mask((unsigned)configuration->parameter[COUNT_W][0]);
    uint64_t most = full < count / 2 - 1 ? full : count / 2 - 1;
    uint64_t all = gm_mask((unsigned)configuration->parameter[INTERVAL_W][0]);
    uint64_t value = gm_cosim_random_next(random);
    uint64_t accesses[2] = {1 + (value & 0xffff) % most, 1 + (value >> 16 & 0xffff) % most};
    uint64_t worse = value >> 32 & 1; /* whose rate is the higher one */
    uint64_t misses[2];
    misses[!worse] = (value >> 33 & 0xffff) % (accesses[!worse] + 1);
    misses[worse] = (misses[!worse] * 100 / accesses[!worse] +
                     configuration->parameter[DIFFERENCE][0] + (value >> 49 & 1)) *
                        accesses[worse] / 100 +
                    (value >> 50 & 1);
    size_t made = 0;
    requests[made++] = (gm_sm_dueling_request){.op = (value >> 51 & 3) == 0 ? GM_SM_DUELING_RESTART
                                                                            : GM_SM_DUELING_ADVANCE,
                                               .amount = configuration->parameter[INTERVAL][0]};
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
                     uint64_t *request, size_t count)
{
    gm_sm_dueling_request *requests = (void *)request;
    uint64_t interval = configuration->parameter[INTERVAL][0];
    uint64_t difference = configuration->parameter[DIFFERENCE][0];
    uint64_t all = gm_mask((unsigned)configuration->parameter[INTERVAL_W][0]);
    uint64_t choice = gm_cosim_random_next(random);
    size_t directed = 0;
    while ((choice >> 28 & 1) == 0 && count - directed >= 4) {
        directed += near_threshold(configuration, random, requests + directed, count - directed);
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
    unsigned passes = 1 + (unsigned)(choice >> 24 & 15); /* of 16: how often time passes */
    for (size_t i = directed; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        uint64_t which = sm == 2 ? value >> 8 & 1 : sm;
        bool restart = (value & 1023) == 0;
        bool advance = (value >> 10 & 15) < passes;
        requests[i] = (gm_sm_dueling_request){
            .op = restart ? GM_SM_DUELING_RESTART + (value >> 60 & 1)
                          : (advance ? GM_SM_DUELING_ADVANCE : GM_SM_DUELING_ACCESS),
            .sm = which,
            .miss = (value >> 16 & 0xffff) % 100 < rate[which],
            .amount = (value >> 32 & 0xfffff) % amounts & all,
        };
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
    .mutation = {"interval=20 count_bits=4 difference=10",
                 "interval=20 count_bits=4 difference=25 hysteresis=1"},
    .stimulus = stimulus,
};
