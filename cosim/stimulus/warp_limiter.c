/* warp_limiter in lockstep: instances and stimulus. Requests are those of a scheduler: warps are
 * admitted in groups, held and resumed by ones or together, and the limit is set now and then; some
 * batches have requests of any bits. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/warp_limiter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int parse(const char *options, gm_warp_limiter_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"warps"};
    uint64_t value = 0;
    int code = gm_cosim_options_parameters(options, &gm_warp_limiter_ports, names, &value, error);
    *parameters = (gm_warp_limiter_parameters){.warps = (unsigned)value};
    return code;
}

GM_COSIM_MODEL_IN_STRUCT(warp_limiter)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_warp_limiter_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options, "warps=%u", p.warps);
    configuration->parameter[0][0] = p.warps;
    return 0;
}

/* Warps of a scheduler of gtx480 (24), of gv100 and later presets (16), and the ends of the range.
 */
static const gm_cosim_instance instances[] = {
    {"", false, true},          {"warps=5", true, true},    {"warps=3", true, true},
    {"warps=2", false, true},   {"warps=16", false, true},  {"warps=4", false, false},
    {"warps=12", false, false}, {"warps=32", false, false}, {"warps=64", false, false},
};

GM_COSIM_ACCESS_ALL(warp_limiter)

/* The port list's state, in its order. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    const gm_warp_limiter *limiter = model;
    (void)row;
    if (element == 0) {
        unsigned i = 1;
        while (i * (i + 1) / 2 <= lane) {
            i++;
        }
        *value = gm_warp_limiter_is_older(limiter, (unsigned)lane - i * (i - 1) / 2, i);
    } else {
        *value = element == 1 ? limiter->counts : limiter->limit;
    }
    return true;
}

/* Words of a plan: kind of the batch. */
enum { PLAN_KIND, PLAN_LEFT };

/* Returns `count` random warps of `all`, at most. */
static uint64_t some(gm_cosim_random *random, uint64_t all, unsigned count)
{
    unsigned warps = gm_count_ones(all);
    uint64_t set = 0;
    for (; count > 0; count--) {
        set |= UINT64_C(1) << gm_cosim_random_next(random) % warps;
    }
    return set;
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    gm_warp_limiter_request *requests = (void *)request;
    unsigned warps = (unsigned)configuration->parameter[0][0];
    uint64_t all = gm_mask(warps);
    uint64_t most = gm_mask(gm_log2_ceil(warps + 1));
    if (plan->word[PLAN_LEFT] == 0) {
        uint64_t choice = gm_cosim_random_next(random);
        plan->word[PLAN_KIND] = choice % 4;
        plan->word[PLAN_LEFT] = 1 + (choice >> 8 & 7);
    }
    plan->word[PLAN_LEFT]--;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        gm_warp_limiter_request *it = &requests[i];
        *it = (gm_warp_limiter_request){.limit = (value >> 32) & most};
        if (plan->word[PLAN_KIND] == 0) { /* any bits */
            it->admit = (value & 3) == 0 ? gm_cosim_random_next(random) & all : 0;
            it->resume = gm_cosim_random_next(random) & all;
            it->hold = gm_cosim_random_next(random) & ~it->resume & all;
            it->hold |= it->resume & value >> 16 & all;
            it->sets = value >> 8 & 1;
            continue;
        }
        unsigned events = (unsigned)(value & 15);
        it->admit = events == 0 ? some(random, all, 1 + (value >> 8 & 7))
                    : events == 1 && (value >> 16 & 15) == 0 ? all
                                                             : 0;
        it->hold = events >= 2 && events < 8               ? some(random, all, 1)
                   : events == 8 && (value >> 16 & 3) == 0 ? all
                                                           : 0;
        it->resume = events >= 6 && events < 12 ? some(random, all, 1 + (value >> 24 & 3))
                     : events == 12             ? all
                                                : 0;
        it->sets = events == 13 && (value >> 16 & 3) == 0;
        /* mostly a limit that forbids some warps but not all */
        it->limit = plan->word[PLAN_KIND] == 3 || !it->sets
                        ? it->limit
                        : 1 + (value >> 40) % (warps > 3 ? warps / 2 : warps);
    }
}

static void put(gm_cosim_tape *tape, gm_warp_limiter_request request)
{
    gm_cosim_tape_put(tape, &request);
}

/* For each limit: all warps are admitted one after the other in an order of the round, are held
 * from the oldest on, and resumed from the youngest on. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    unsigned warps = (unsigned)configuration->parameter[0][0];
    uint64_t most = gm_mask(gm_log2_ceil(warps + 1));
    const uint64_t limit[] = {0, 1, 2, warps - 1, warps, most};
    for (unsigned k = 0; k < sizeof limit / sizeof *limit; k++) {
        put(tape, (gm_warp_limiter_request){.sets = 1, .limit = limit[k]});
        unsigned first = (unsigned)(round % warps);
        for (unsigned i = 0; i < warps; i++) {
            unsigned warp = round % 2 == 0 ? (first + i) % warps : (first + warps - i) % warps;
            put(tape, (gm_warp_limiter_request){.admit = UINT64_C(1) << warp});
        }
        for (unsigned i = 0; i < warps; i++) {
            unsigned warp = round % 2 == 0 ? (first + i) % warps : (first + warps - i) % warps;
            put(tape, (gm_warp_limiter_request){.hold = UINT64_C(1) << warp});
        }
        for (unsigned i = 0; i < warps; i++) {
            put(tape, (gm_warp_limiter_request){.resume = UINT64_C(1) << (warps - 1 - i)});
        }
    }
    put(tape, (gm_warp_limiter_request){.admit = gm_mask(warps)});
    put(tape, (gm_warp_limiter_request){.admit = gm_mask(warps), .hold = gm_mask(warps)});
}

enum { AS_MANY, ONE_MORE, NONE, ALL_COUNT, OLDEST, GOALS };

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    uint64_t warps = configuration->parameter[0][0];
    goal[AS_MANY] = (gm_cosim_goal){"as many warps count as may issue", false, 1};
    goal[ONE_MORE] = (gm_cosim_goal){"one more counts than may issue", false, 1};
    goal[NONE] = (gm_cosim_goal){"a limit of 0 while warps count", false, 1};
    goal[ALL_COUNT] = (gm_cosim_goal){"all warps count, and one is admitted", false, 1};
    goal[OLDEST] = (gm_cosim_goal){"warp that is the oldest", false, gm_mask((unsigned)warps)};
    return GOALS;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_warp_limiter_request *fields = (const void *)request;
    const gm_warp_limiter *limiter = model;
    uint64_t all = gm_mask((unsigned)configuration->parameter[0][0]);
    unsigned counted = gm_count_ones(limiter->counts);
    met[AS_MANY] = counted == limiter->limit && counted != 0;
    met[ONE_MORE] = counted == limiter->limit + 1;
    met[NONE] = limiter->limit == 0 && counted != 0;
    met[ALL_COUNT] = limiter->counts == all && fields->admit != 0;
    met[OLDEST] = UINT64_C(1) << limiter->order[0];
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_warp_limiter_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = 1024,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"warps=3", "warps=4"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 262144,
    .goals = goals,
    .meet = meet,
};
