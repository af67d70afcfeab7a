/* lifetime_predictor in lockstep: instances and stimulus. A batch has one pattern: mostly
 * operations that lengthen, mostly operations that shorten, or both, with and without fences; so a
 * lifetime goes to both its ends and back, in steps and in turns. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/lifetime_predictor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The RTL parameters, in the port list's order. */
enum { LIFE_W, HIT, EVICT, WRITE, MAX, START, PARAMETERS };

static int parse(const char *options, gm_lifetime_predictor_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"life_bits", "hit", "evict", "write", "max", "start"};
    uint64_t value[PARAMETERS] = {0};
    int code =
        gm_cosim_options_parameters(options, &gm_lifetime_predictor_ports, names, value, error);
    *parameters = (gm_lifetime_predictor_parameters){
        .life_bits = (unsigned)value[LIFE_W],
        .hit = (unsigned)value[HIT],
        .evict = (unsigned)value[EVICT],
        .write = (unsigned)value[WRITE],
        .max = (unsigned)value[MAX],
        .start = (unsigned)value[START],
    };
    return code;
}

GM_COSIM_MODEL_IN_STRUCT(lifetime_predictor)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_lifetime_predictor_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "life_bits=%u hit=%u evict=%u write=%u max=%u start=%u", p.life_bits, p.hit, p.evict,
             p.write, p.max, p.start);
    const unsigned values[PARAMETERS] = {p.life_bits, p.hit, p.evict, p.write, p.max, p.start};
    for (unsigned i = 0; i < PARAMETERS; i++) {
        configuration->parameter[i][0] = values[i];
    }
    return 0;
}

/* The ends of every range; steps that end at a limit and that go beyond it; no steps. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"life_bits=5 hit=3 evict=4 write=5 max=27 start=9", true, true},
    {"life_bits=3 hit=2 evict=2 write=1 max=6 start=6", true, true},
    {"life_bits=1 hit=1 evict=1 write=1 max=1 start=0", false, true},
    {"life_bits=13 hit=0 evict=0 write=0 max=0 start=0", false, true},
    {"life_bits=32 hit=4294967295 evict=4294967295 write=4294967295 max=4294967295 "
     "start=4294967295",
     false, true},
    {"life_bits=32 hit=268435459 evict=1073741824 write=3 max=4026531839 start=1", false, true},
    {"life_bits=8 hit=64 evict=32 write=255 max=255 start=128", false, true},
    {"hit=7 evict=1 write=0", false, false},
    {"hit=0 evict=3 write=5 max=8191 start=8191", false, false},
    {"life_bits=16 hit=31 evict=17 write=23 max=40000 start=0", false, false},
};

GM_COSIM_ACCESS_ALL(lifetime_predictor)

/* The port list's state, in its order. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    const gm_lifetime_predictor *predictor = model;
    (void)row;
    (void)lane;
    *value = element == 0 ? predictor->life : predictor->fenced;
    return true;
}

/* Words of a plan: the shares of operations; batches that still have them; whether these are
 * many, almost without RESET, so that a lifetime goes from one end to the other. */
enum { PLAN_SHARE, PLAN_LEFT, PLAN_LONG };

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    /* Of 16: loads, evictions, stores; the rest are FENCED. */
    static const unsigned shares[][3] = {
        {15, 1, 0}, {16, 0, 0}, {1, 15, 0}, {0, 2, 14},
        {1, 1, 14}, {6, 5, 5},  {8, 4, 3},  {0, 0, 16},
    };
    gm_lifetime_predictor_request *requests = (void *)request;
    uint64_t choice = gm_cosim_random_next(random);
    if (plan->word[PLAN_LEFT] == 0) {
        plan->word[PLAN_LONG] = (choice >> 8 & 7) == 0;
        plan->word[PLAN_LEFT] = plan->word[PLAN_LONG] != 0 ? 32 : 1 + (choice >> 11 & 3);
        plan->word[PLAN_SHARE] = choice & (plan->word[PLAN_LONG] != 0 ? 3 : 7);
    }
    plan->word[PLAN_LEFT]--;
    bool is_long = plan->word[PLAN_LONG] != 0;
    const unsigned *share = shares[plan->word[PLAN_SHARE]];
    unsigned effective = is_long || (choice >> 16 & 1) != 0 ? 15 : 8; /* of 16 */
    uint64_t resets = !is_long && (choice >> 17 & 3) == 0 ? 16 : 4096;
    (void)configuration;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        unsigned ticket = value & 15;
        bool acts = (value >> 4 & 15) < effective;
        bool restarts = (value >> 8 & 0xffff) % resets == 0;
        requests[i] = (gm_lifetime_predictor_request){
            .op = restarts                       ? GM_LIFETIME_PREDICTOR_RESET + (value >> 24 & 3)
                  : ticket < share[0]            ? GM_LIFETIME_PREDICTOR_LOAD
                  : ticket < share[0] + share[1] ? GM_LIFETIME_PREDICTOR_EVICT
                  : ticket < share[0] + share[1] + share[2] ? GM_LIFETIME_PREDICTOR_STORE
                                                            : GM_LIFETIME_PREDICTOR_FENCED,
            .expired_l1 = acts && (value >> 26 & 3) != 0,
            .expired_l2 = acts && (value >> 28 & 3) != 0,
            .unexpired = acts,
        };
    }
}

enum { STEPS = 2000 /* from one end to the other, that an episode makes for certain */ };

enum { FULL, FULL_EXACTLY, EMPTY, EMPTY_EXACTLY, UNFENCED, GOALS };

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    const uint64_t(*p)[GM_COSIM_WORDS] = configuration->parameter;
    uint64_t up = p[HIT][0] > 0 && p[MAX][0] / p[HIT][0] < STEPS;
    uint64_t down = p[EVICT][0] > 0 && p[MAX][0] / p[EVICT][0] < STEPS;
    goal[FULL] = (gm_cosim_goal){"the largest lifetime and a longer one", false, up};
    goal[EMPTY] = (gm_cosim_goal){"lifetime 0 and a shorter one", false, down};
    goal[FULL_EXACTLY] = (gm_cosim_goal){"exactly to the largest lifetime", false,
                                         up && p[HIT][0] == 4 && p[MAX][0] % 4 == 0};
    goal[EMPTY_EXACTLY] = (gm_cosim_goal){"exactly to lifetime 0", false, down};
    goal[UNFENCED] = (gm_cosim_goal){"a store before a fence", false, 1};
    return GOALS;
}

/* Why goals have no bits where an instance has the limit or field. */
static const char *undemanded(const gm_cosim_configuration *configuration, unsigned i)
{
    const uint64_t(*p)[GM_COSIM_WORDS] = configuration->parameter;
    uint64_t step = i == FULL ? p[HIT][0] : i == EMPTY ? p[EVICT][0] : 0;
    return step > 0 && p[MAX][0] / step >= STEPS ? "2000 steps or more from end to end" : NULL;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_lifetime_predictor_request *fields = (const void *)request;
    const gm_lifetime_predictor *predictor = model;
    const gm_lifetime_predictor_parameters *p = &predictor->parameters;
    (void)configuration;
    bool lengthens = fields->op == GM_LIFETIME_PREDICTOR_LOAD &&
                     (fields->expired_l1 != 0 || fields->expired_l2 != 0);
    bool shortens = fields->op == GM_LIFETIME_PREDICTOR_EVICT && fields->unexpired != 0;
    met[FULL] = lengthens && predictor->life == p->max;
    met[FULL_EXACTLY] = lengthens && p->max - predictor->life == p->hit;
    met[EMPTY] = shortens && predictor->life == 0;
    met[EMPTY_EXACTLY] = shortens && predictor->life == p->evict;
    met[UNFENCED] = fields->op == GM_LIFETIME_PREDICTOR_STORE && fields->unexpired != 0 &&
                    !predictor->fenced && (predictor->life > 0 || p->max == 0);
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_lifetime_predictor_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = 1024,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"life_bits=3 hit=2 evict=2 write=1 max=7 start=6",
                 "life_bits=3 hit=3 evict=1 write=2 max=5 start=0"},
    .stimulus = stimulus,
    .self_check = 65536,
    .goals = goals,
    .undemanded = undemanded,
    .meet = meet,
};
