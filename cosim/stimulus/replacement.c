/* replacement in lockstep: instances and stimulus. A batch has one pattern: the number of sets and
 * signatures, the eligible ways, the shares of operations. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/replacement.h"
#include "stimulus/counter_goals.h"
#include "stimulus/policy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The RTL parameters, in the port list's order. */
enum { POLICY, INDEX_W, WAYS, RRPV_W, SIGNATURE_W, COUNTER_W };

enum { ARENA_BYTES = 1 << 20 }; /* for the largest instance */

static int parse(const char *options, gm_replacement_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"index_bits",     "ways",         "rrpv_bits",
                                        "signature_bits", "counter_bits", "policy"};
    static const uint64_t fallback[] = {5, 4, 2, 8, 3};
    uint64_t value[5] = {0};
    int code = gm_cosim_options_numbers(options, names, 6, fallback, 5, value, error);
    *parameters = (gm_replacement_parameters){
        .index_bits = (unsigned)value[0],
        .ways = (unsigned)value[1],
        .rrpv_bits = (unsigned)value[2],
        .signature_bits = (unsigned)value[3],
        .counter_bits = (unsigned)value[4],
    };
    return code == 0 ? parse_policy(options, "policy", &parameters->policy, error) : code;
}

GM_COSIM_MODEL(replacement, gm_replacement_state, ARENA_BYTES)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_replacement_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "policy=%s index_bits=%u ways=%u rrpv_bits=%u signature_bits=%u counter_bits=%u",
             policy_names[p.policy], p.index_bits, p.ways, p.rrpv_bits, p.signature_bits,
             p.counter_bits);
    configuration->parameter[POLICY][0] = p.policy;
    configuration->parameter[INDEX_W][0] = p.index_bits;
    configuration->parameter[WAYS][0] = p.ways;
    configuration->parameter[RRPV_W][0] = p.rrpv_bits;
    configuration->parameter[SIGNATURE_W][0] = p.signature_bits;
    configuration->parameter[COUNTER_W][0] = p.counter_bits;
    return 0;
}

/* The ends of every range, and sizes that are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"policy=lru", false, true},
    {"policy=srrip", false, true},
    {"policy=ship", false, true},
    {"policy=lru index_bits=1 ways=4", true, true},
    {"policy=srrip index_bits=1 ways=4", true, true},
    {"policy=ship index_bits=1 ways=4 signature_bits=2 counter_bits=2", true, true},
    {"policy=ship index_bits=1 ways=3 rrpv_bits=1 signature_bits=1 counter_bits=1", false, true},
    {"policy=lru index_bits=2 ways=1", false, true},
    {"policy=ship index_bits=2 ways=1", false, true},
    {"policy=lru index_bits=2 ways=32", false, true},
    {"policy=ship index_bits=2 ways=32 rrpv_bits=4 counter_bits=4", false, true},
    {"policy=srrip index_bits=3 ways=16 rrpv_bits=3", false, true},
    {"policy=lru index_bits=10 ways=16", false, false},
    {"policy=srrip index_bits=10 ways=16", false, false},
    {"policy=ship index_bits=10 ways=16 signature_bits=14", false, false},
    {"policy=lru index_bits=1 ways=31", false, false},
    {"policy=srrip index_bits=1 ways=31 rrpv_bits=4", false, false},
    {"policy=srrip index_bits=1 ways=2 rrpv_bits=1", false, false},
    {"policy=ship index_bits=4 ways=6 signature_bits=4 counter_bits=1", false, false},
    {"policy=ship index_bits=1 ways=5 rrpv_bits=3 signature_bits=3 counter_bits=4", false, false},
};

GM_COSIM_ACCESS_ALL(replacement)

/* Reads an element of the port list's state. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { USED, RANK, RRPV, SIGNATURE, REUSED };
    const gm_replacement_state *table = model;
    gm_replacement_policy policy = table->parameters.policy;
    size_t at = row * table->parameters.ways + lane;
    bool used = element <= REUSED && (table->used[row] >> lane & 1) != 0;
    switch (element) {
    case USED:
        *value = used;
        return true;
    case RANK:
        *value = used ? table->value[at] : 0;
        return used && policy == GM_REPLACEMENT_LRU;
    case RRPV:
        *value = used ? table->value[at] : 0;
        return used && policy != GM_REPLACEMENT_LRU;
    case SIGNATURE:
        *value = used && policy == GM_REPLACEMENT_SHIP ? table->signature[at] : 0;
        return used && policy == GM_REPLACEMENT_SHIP;
    case REUSED:
        *value = table->reused[row] >> lane & 1;
        return used && policy == GM_REPLACEMENT_SHIP;
    default:
        *value = policy == GM_REPLACEMENT_SHIP ? table->doubt[row] : 0;
        return policy == GM_REPLACEMENT_SHIP;
    }
}

/* The pattern of a batch of requests. */
typedef struct habit {
    unsigned share[5]; /* of 32, for each operation */
    uint64_t sets;     /* different sets */
    uint64_t signatures;
    unsigned eligible; /* 0 all, 1 one, 2 any, 3 all but one */
    bool same_way;     /* TOUCH and REMOVE of few ways */
} habit;

static habit next_habit(const gm_cosim_configuration *configuration, uint64_t choice)
{
    /* TOUCH, REPLACE, REMOVE, FLUSH, PEEK */
    static const unsigned share[][5] = {
        {12, 16, 1, 0, 3}, {4, 26, 1, 0, 1}, {24, 6, 1, 0, 1},  {14, 9, 6, 1, 2},
        {0, 32, 0, 0, 0},  {8, 20, 4, 0, 0}, {10, 10, 8, 2, 2}, {26, 6, 0, 0, 0},
    };
    uint64_t all_sets = UINT64_C(1) << configuration->parameter[INDEX_W][0];
    uint64_t all_signatures = UINT64_C(1) << configuration->parameter[SIGNATURE_W][0];
    const uint64_t sets[] = {1, 2, all_sets, all_sets};
    const uint64_t signatures[] = {1, 2, all_signatures, all_signatures};
    habit made = {
        .sets = sets[choice >> 3 & 3],
        .signatures = signatures[choice >> 5 & 3],
        .eligible = (choice >> 7 & 1) != 0 ? 0 : (unsigned)(choice >> 8 & 3),
        .same_way = (choice >> 10 & 3) == 0,
    };
    memcpy(made.share, share[choice & 7], sizeof made.share);
    return made;
}

static uint64_t next_eligible(unsigned kind, unsigned ways, uint64_t random)
{
    uint64_t one = UINT64_C(1) << random % ways;
    uint64_t all = gm_mask(ways);
    const uint64_t masks[] = {all, one, random >> 8 & all, all & ~one};
    return masks[kind];
}

static void put(gm_cosim_tape *tape, const gm_cosim_configuration *configuration, unsigned op,
                uint64_t index, uint64_t way, uint64_t signature)
{
    gm_cosim_tape_put(
        tape,
        &(gm_replacement_request){
            .op = op,
            .index = index,
            .way = way,
            .eligible = gm_mask((unsigned)configuration->parameter[WAYS][0]),
            .signature = signature & gm_mask((unsigned)configuration->parameter[SIGNATURE_W][0])});
}

/* From empty sets: a set fills up with lines of signatures that differ from the first one in one
 * bit, and one more; each way is touched, the oldest first; ways that differ in one bit, one in
 * use, are touched. */
static void put_full_set(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                         uint64_t index, uint64_t signature)
{
    uint64_t ways = configuration->parameter[WAYS][0];
    unsigned bits = (unsigned)configuration->parameter[SIGNATURE_W][0];
    put(tape, configuration, GM_REPLACEMENT_REPLACE, index, 0, signature);
    for (uint64_t way = 1; way < ways; way <<= 1) {
        put(tape, configuration, GM_REPLACEMENT_TOUCH, index, way, 0);
    }
    for (uint64_t i = 0; i < ways + bits; i++) {
        put(tape, configuration, GM_REPLACEMENT_REPLACE, index, 0,
            signature ^ (UINT64_C(1) << i % bits));
        put(tape, configuration, GM_REPLACEMENT_TOUCH, index, 0, 0);
    }
    put(tape, configuration, GM_REPLACEMENT_REPLACE, index, 0, signature);
    for (uint64_t way = 0; way < 2 * ways; way++) {
        put(tape, configuration, GM_REPLACEMENT_TOUCH, index, way % ways, 0);
    }
}

/* SHiP: lines without reuse until their signature's counter is at its end, and more; lines with
 * other signatures; then touches until the counter is at its other end, and more. */
static void put_full_counter(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                             uint64_t index, uint64_t signature)
{
    uint64_t ways = configuration->parameter[WAYS][0];
    uint64_t steps = UINT64_C(1) << configuration->parameter[COUNTER_W][0];
    for (uint64_t i = 0; i < ways + steps; i++) {
        put(tape, configuration, GM_REPLACEMENT_REPLACE, index, 0, signature);
    }
    for (unsigned b = 0; b < configuration->parameter[SIGNATURE_W][0]; b++) {
        put(tape, configuration, GM_REPLACEMENT_PEEK, index, 0, signature ^ UINT64_C(1) << b);
        put(tape, configuration, GM_REPLACEMENT_PEEK, index, 0, signature);
    }
    for (uint64_t i = 0; i <= steps; i++) {
        put(tape, configuration, GM_REPLACEMENT_TOUCH, index, i % ways, 0);
    }
}

/* Everything at its limit, and one more. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    gm_cosim_random random = {round};
    uint64_t last = gm_mask((unsigned)configuration->parameter[INDEX_W][0]);
    put_full_set(tape, configuration, last, gm_cosim_random_next(&random));
    put(tape, configuration, GM_REPLACEMENT_FLUSH, 0, 0, 0);
    put_full_counter(tape, configuration, gm_cosim_random_next(&random) & last, UINT64_MAX);
    put_full_counter(tape, configuration, gm_cosim_random_next(&random) & last,
                     gm_cosim_random_next(&random));
}

enum { GOAL_WAY, GOAL_USED, GOAL_FULL, GOAL_OLDEST, GOAL_COUNTER };

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    unsigned ways = (unsigned)configuration->parameter[WAYS][0];
    uint64_t policy = configuration->parameter[POLICY][0];
    goal[GOAL_WAY] = (gm_cosim_goal){"way in use, by TOUCH of one not in use", true,
                                     gm_mask(gm_log2_ceil(ways))};
    goal[GOAL_USED] = (gm_cosim_goal){"way of the highest set in use", false, gm_mask(ways)};
    goal[GOAL_FULL] =
        (gm_cosim_goal){"all ways of a set are in use, and one more line comes in", false, 1};
    goal[GOAL_OLDEST] = (gm_cosim_goal){"the oldest line of a full set is touched", false,
                                        policy == GM_REPLACEMENT_LRU};
    return GOAL_COUNTER +
           counter_goals(goal + GOAL_COUNTER, policy, configuration->parameter[SIGNATURE_W][0]);
}

/* A line comes into a way, if one is eligible. */
static void meet_replace(const gm_replacement_state *state, const gm_replacement_request *request,
                         uint64_t *met)
{
    gm_replacement_state copy = *state; /* a PEEK changes nothing */
    gm_replacement_request peek = *request;
    peek.op = GM_REPLACEMENT_PEEK;
    gm_replacement_response e = gm_replacement_access(&copy, peek);
    met[GOAL_FULL] |= state->used[request->index] == gm_mask(state->parameters.ways) && e.none == 0;
    if (e.none == 0 && state->parameters.policy != GM_REPLACEMENT_LRU) {
        meet_insertion(state, request->index, request->signature,
                       e.evicted != 0 ? (unsigned)e.way : state->parameters.ways,
                       met + GOAL_COUNTER);
    }
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *fields, uint64_t *met)
{
    const gm_replacement_state *state = model;
    const gm_replacement_request *request = (const void *)fields;
    const gm_replacement_parameters *p = &state->parameters;
    if (request->op == GM_REPLACEMENT_FLUSH) {
        return;
    }
    uint32_t used = state->used[request->index];
    met[GOAL_USED] |= request->index == gm_mask(p->index_bits) ? used : 0;
    if (request->op == GM_REPLACEMENT_REPLACE) {
        meet_replace(state, request, met);
    } else if (request->op == GM_REPLACEMENT_TOUCH && (used >> request->way & 1) != 0) {
        met[GOAL_OLDEST] |= p->policy == GM_REPLACEMENT_LRU &&
                            state->value[request->index * p->ways + request->way] == p->ways - 1;
        if (p->policy != GM_REPLACEMENT_LRU) {
            meet_touch(state, request->index, (unsigned)request->way, met + GOAL_COUNTER);
        }
    }
    for (uint64_t bit = 1; request->op == GM_REPLACEMENT_TOUCH && (used >> request->way & 1) == 0 &&
                           bit < configuration->parameter[WAYS][0];
         bit <<= 1) {
        met[GOAL_WAY] |= (used >> (request->way ^ bit) & 1) != 0 ? bit : 0;
    }
}

static const char *stuck(const gm_cosim_configuration *configuration, unsigned field,
                         uint64_t *bits)
{
    enum { WAY = offsetof(gm_replacement_request, way) / sizeof(uint64_t) };
    *bits = field == WAY && configuration->parameter[WAYS][0] == 1;
    return *bits != 0 ? "one way" : NULL;
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    (void)plan;
    gm_replacement_request *requests = (void *)request;
    unsigned ways = (unsigned)configuration->parameter[WAYS][0];
    habit habit = next_habit(configuration, gm_cosim_random_next(random));
    uint64_t first = gm_cosim_random_next(random); /* the first set and signature */
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        uint64_t other = gm_cosim_random_next(random);
        unsigned op = 0;
        for (uint64_t ticket = value & 31; ticket >= habit.share[op]; op++) {
            ticket -= habit.share[op];
        }
        requests[i] = (gm_replacement_request){
            .op = op == GM_REPLACEMENT_PEEK ? op + (value >> 5 & 3) : op,
            .index = (first + (value >> 8) % habit.sets) &
                     gm_mask((unsigned)configuration->parameter[INDEX_W][0]),
            .way = (value >> 32) % (habit.same_way && ways > 2 ? 2 : ways),
            .eligible = next_eligible(habit.eligible, ways, other),
            .signature = (first + (other >> 44) % habit.signatures) &
                         gm_mask((unsigned)configuration->parameter[SIGNATURE_W][0]),
        };
    }
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_replacement_request *)(const void *)request)->index;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_replacement_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"policy=ship index_bits=1 ways=4 signature_bits=2 counter_bits=2",
                 "policy=lru index_bits=1 ways=4"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 65536,
    .goals = goals,
    .meet = meet,
    .stuck = stuck,
    .subject = subject,
};
