/* sharing_lru in lockstep: instances and stimulus. A batch has one pattern: the number of sets and
 * SMs, the eligible ways, the shares of operations and of lines that are `incoming`. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/sharing_lru.h"

#include "stimulus/each_element.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The RTL parameters, in the port list's order. */
enum { LEVEL, DEAD, INDEX_W, WAYS, SM_W };

enum { ARENA_BYTES = 1 << 18 }; /* for the largest instance */

static const char *const level_names[] = {"l1", "l2"};
static const char *const dead_names[] = {"off", "private", "any"};

/* Reads the choice of option `name` among `count` names; `choice` stays without the option. */
static int parse_choice(const char *options, const char *name, const char *const *names,
                        unsigned count, unsigned *choice, gm_error *error)
{
    char text[16];
    snprintf(text, sizeof text, "%s", names[*choice]);
    gm_cosim_option(options, name, text, sizeof text);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0) {
            *choice = i;
            return 0;
        }
    }
    return gm_fail(error, -EINVAL, "%s=%s: must be %s", name, text,
                   count == 2 ? "l1 or l2" : "off, private or any");
}

static int parse(const char *options, gm_sharing_lru_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"index_bits", "ways", "sm_bits", "level", "dead"};
    static const uint64_t fallback[] = {5, 4, 4};
    uint64_t value[3] = {0};
    unsigned level = GM_SHARING_L1;
    unsigned dead = GM_SHARING_DEAD_ANY;
    int code = gm_cosim_options_numbers(options, names, 5, fallback, 3, value, error);
    code = code < 0 ? code : parse_choice(options, "level", level_names, 2, &level, error);
    code = code < 0 ? code : parse_choice(options, "dead", dead_names, 3, &dead, error);
    *parameters = (gm_sharing_lru_parameters){
        .level = (gm_sharing_level)level,
        .dead = (gm_sharing_dead)dead,
        .index_bits = (unsigned)value[0],
        .ways = (unsigned)value[1],
        .sm_bits = (unsigned)value[2],
    };
    return code;
}

GM_COSIM_MODEL(sharing_lru, gm_sharing_lru, ARENA_BYTES)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_sharing_lru_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "level=%s dead=%s index_bits=%u ways=%u sm_bits=%u", level_names[p.level],
             dead_names[p.dead], p.index_bits, p.ways, p.sm_bits);
    configuration->parameter[LEVEL][0] = p.level;
    configuration->parameter[DEAD][0] = p.dead;
    configuration->parameter[INDEX_W][0] = p.index_bits;
    configuration->parameter[WAYS][0] = p.ways;
    configuration->parameter[SM_W][0] = p.sm_bits;
    return 0;
}

/* The ends of every range, the L1 and the L2 bank of [tabbakh, Table I], a bank of kepler-sharing
 * with dead lines, and sizes that are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"level=l1", false, true},
    {"level=l1 dead=private", false, true},
    {"level=l2 dead=off index_bits=7 ways=8", false, true},
    {"level=l1 index_bits=1 ways=4 sm_bits=1", true, true},
    {"level=l2 dead=private index_bits=1 ways=3 sm_bits=2", true, true},
    {"level=l1 dead=off index_bits=1 ways=3 sm_bits=1", false, true},
    {"level=l2 index_bits=1 ways=4 sm_bits=1", false, true},
    {"level=l1 index_bits=2 ways=1", false, true},
    {"level=l2 index_bits=2 ways=1", false, true},
    {"level=l1 index_bits=2 ways=32", false, true},
    {"level=l2 index_bits=2 ways=32 sm_bits=10", false, true},
    {"level=l1 index_bits=10 ways=16", false, false},
    {"level=l2 dead=off index_bits=10 ways=16 sm_bits=10", false, false},
    {"level=l1 dead=private index_bits=1 ways=31", false, false},
    {"level=l2 index_bits=8 ways=8", false, false},
    {"level=l2 index_bits=3 ways=6 sm_bits=6", false, false},
    {"level=l1 dead=private index_bits=1 ways=2", false, false},
};

GM_COSIM_ACCESS_ALL(sharing_lru)

/* Reads an element of the port list's state. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { USED, RANK, SHARED, DEAD_LINES, OWNED };
    const gm_sharing_lru *table = model;
    const gm_sharing_lru_parameters *p = &table->parameters;
    size_t at = row * p->ways + lane;
    switch (element) {
    case USED:
        *value = table->used[row] >> lane & 1;
        return true;
    case RANK:
        *value = table->rank[at];
        return (table->used[row] >> lane & 1) != 0;
    case SHARED:
        *value = table->shared[row] >> lane & 1;
        return true;
    case DEAD_LINES:
        *value = table->dead[row] >> lane & 1;
        return p->dead != GM_SHARING_DEAD_OFF;
    case OWNED:
        *value = table->owned[row] >> lane & 1;
        return p->level == GM_SHARING_L2;
    default:
        *value = table->owner[at];
        return (table->owned[row] >> lane & 1) != 0;
    }
}

/* The pattern of a batch of requests. */
typedef struct habit {
    unsigned share[6]; /* of 64, for each operation */
    uint64_t sets;     /* different sets */
    uint64_t sms;      /* different SMs */
    unsigned eligible; /* 0 all, 1 one, 2 any, 3 all but one */
    unsigned incoming; /* share of 4 of REPLACEs */
    bool same_way;     /* TOUCH and REMOVE of few ways */
} habit;

static habit next_habit(const gm_cosim_configuration *configuration, uint64_t choice)
{
    /* TOUCH, REPLACE, REMOVE, FLUSH, RESET, PEEK */
    static const unsigned share[][6] = {
        {24, 31, 2, 0, 1, 6}, {8, 52, 2, 0, 0, 2},  {48, 11, 2, 0, 1, 2},  {28, 18, 12, 1, 1, 4},
        {0, 64, 0, 0, 0, 0},  {16, 39, 8, 0, 1, 0}, {20, 20, 15, 4, 1, 4}, {52, 12, 0, 0, 0, 0},
    };
    uint64_t all_sets = UINT64_C(1) << configuration->parameter[INDEX_W][0];
    uint64_t all_sms = UINT64_C(1) << configuration->parameter[SM_W][0];
    const uint64_t sets[] = {1, 2, all_sets, all_sets};
    const uint64_t sms[] = {1, 2, all_sms, all_sms};
    habit made = {
        .sets = sets[choice >> 3 & 3],
        .sms = sms[choice >> 5 & 3],
        .eligible = (choice >> 7 & 1) != 0 ? 0 : (unsigned)(choice >> 8 & 3),
        .same_way = (choice >> 10 & 3) == 0,
        .incoming = (unsigned)(choice >> 12 & 3),
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

/* A request of the highest set. */
static void put(gm_cosim_tape *tape, const gm_cosim_configuration *configuration, unsigned op,
                uint64_t way, uint64_t eligible, uint64_t incoming, uint64_t sm)
{
    uint64_t mask = gm_mask((unsigned)configuration->parameter[SM_W][0]);
    gm_cosim_tape_put(
        tape, &(gm_sharing_lru_request){
                  .op = op,
                  .index = gm_mask((unsigned)configuration->parameter[INDEX_W][0]),
                  .way = way,
                  .eligible = eligible & gm_mask((unsigned)configuration->parameter[WAYS][0]),
                  .incoming = incoming,
                  .sm = sm & mask,
                  .known = 1,
              });
}

/* Fills the highest set with lines that stay: of an L1 private ones; of the L2 ones of which each
 * is touched by an SM that differs from the owner in one bit. */
static void put_full_set(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                         uint64_t sm)
{
    uint64_t ways = configuration->parameter[WAYS][0];
    uint64_t bits = configuration->parameter[SM_W][0];
    put(tape, configuration, GM_SHARING_LRU_FLUSH, 0, 0, 0, 0);
    put(tape, configuration, GM_SHARING_LRU_REPLACE, 0, UINT64_MAX, 0, sm);
    for (uint64_t way = 1; way < ways; way <<= 1) {
        put(tape, configuration, GM_SHARING_LRU_TOUCH, way, 0, 0, sm);
    }
    for (uint64_t i = 1; i < ways; i++) {
        put(tape, configuration, GM_SHARING_LRU_REPLACE, 0, UINT64_MAX, 0, sm);
    }
    for (uint64_t way = 0; way < ways; way++) {
        put(tape, configuration, GM_SHARING_LRU_TOUCH, way, 0, 0, sm);
        put(tape, configuration, GM_SHARING_LRU_TOUCH, way, 0, 0, sm ^ UINT64_C(1) << way % bits);
        put(tape, configuration, GM_SHARING_LRU_TOUCH, way, 0, 0, sm);
    }
}

enum {
    COMPARED = 2048 /* TOUCHes of a round by an SM that differs from the owner in one bit, about */
};

/* Returns the sets whose owners a round compares bit by bit. */
static uint64_t compared_sets(const gm_cosim_configuration *configuration)
{
    uint64_t sets = UINT64_C(1) << configuration->parameter[INDEX_W][0];
    uint64_t bits = configuration->parameter[WAYS][0] * configuration->parameter[SM_W][0];
    uint64_t most = COMPARED / bits > 0 ? COMPARED / bits : 1;
    return sets < most ? sets : most;
}

/* Of some sets of an L2, other ones in each round, and of each way: a new line is touched by an SM
 * that differs from the owner in one bit, for each bit; so it becomes shared. */
static void compare_owners(const gm_cosim_configuration *configuration, uint64_t round,
                           gm_cosim_tape *tape)
{
    const uint64_t(*p)[GM_COSIM_WORDS] = configuration->parameter;
    uint64_t compared = p[LEVEL][0] == GM_SHARING_L2 ? compared_sets(configuration) : 0;
    uint64_t sms = gm_mask((unsigned)p[SM_W][0]);
    for (uint64_t i = 0; i < compared * p[WAYS][0] * p[SM_W][0]; i++) {
        uint64_t way = i / p[SM_W][0] % p[WAYS][0];
        uint64_t step = round * compared + i / p[SM_W][0] / p[WAYS][0];
        uint64_t sm = step * UINT64_C(0x9e3779b97f4a7c15) >> (64 - p[SM_W][0]);
        gm_sharing_lru_request request = {
            .op = GM_SHARING_LRU_REPLACE,
            .index = walked_element(step, UINT64_C(1) << p[INDEX_W][0]),
            .way = way,
            .eligible = UINT64_C(1) << way,
            .sm = sm,
            .known = 1,
        };
        gm_cosim_tape_put(tape, &request);
        request.op = GM_SHARING_LRU_TOUCH;
        request.sm = (sm ^ UINT64_C(1) << i % p[SM_W][0]) & sms;
        gm_cosim_tape_put(tape, &request);
    }
}

/* Returns the rounds that compare all elements. */
static uint64_t rounds_of(const gm_cosim_configuration *configuration)
{
    return walk_rounds(UINT64_C(1) << configuration->parameter[INDEX_W][0],
                       compared_sets(configuration));
}

/* Returns the rounds of which the self-check wants all elements: one if they are too many. */
static uint64_t walk(const gm_cosim_configuration *configuration)
{
    uint64_t rounds = rounds_of(configuration);
    return walk_is_short(rounds) ? rounds : 1;
}

/* Everything at its limit, and one more: each way dies and is replaced; the oldest of a full set is
 * touched; lines of both classes in every way; each bit of an owner is compared. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    gm_cosim_random random = {round};
    uint64_t ways = configuration->parameter[WAYS][0];
    uint64_t sm = gm_cosim_random_next(&random);
    put_full_set(tape, configuration, sm);
    for (uint64_t way = 0; way < ways; way++) {
        put(tape, configuration, GM_SHARING_LRU_REPLACE, 0, UINT64_C(1) << way, 1, sm);
    }
    for (uint64_t i = 0; i <= 2 * ways; i++) {
        put(tape, configuration, GM_SHARING_LRU_REPLACE, 0, UINT64_MAX, i & 1, sm);
    }
    put(tape, configuration, GM_SHARING_LRU_RESET, 0, 0, 0, 0);
    for (uint64_t way = 0; way < ways; way++) { /* no line has a flag any more */
        put(tape, configuration, GM_SHARING_LRU_PEEK, 0, UINT64_C(1) << way, 0, sm);
    }
    for (uint64_t bit = 0; bit < configuration->parameter[SM_W][0]; bit++) {
        put(tape, configuration, GM_SHARING_LRU_REMOVE, 0, 0, 0, 0);
        put(tape, configuration, GM_SHARING_LRU_REPLACE, 0, 1, 0, sm);
        put(tape, configuration, GM_SHARING_LRU_TOUCH, 0, 0, 0, sm ^ UINT64_C(1) << bit);
    }
    compare_owners(configuration, round, tape);
    put_full_set(tape, configuration, ~sm);
    for (uint64_t i = 0; i <= 2 * ways; i++) {
        put(tape, configuration, GM_SHARING_LRU_REPLACE, 0, UINT64_MAX, 1, sm);
    }
}

enum {
    GOAL_WAY,
    GOAL_USED,
    GOAL_FULL,
    GOAL_OLDEST,
    GOAL_SHARED,
    GOAL_DEAD,
    GOAL_OWNER,
    GOAL_OWNER_OF, /* the first of 16 goals of 64 sets each */
    GOALS = GOAL_OWNER_OF + 16
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    unsigned ways = (unsigned)configuration->parameter[WAYS][0];
    bool l2 = configuration->parameter[LEVEL][0] == GM_SHARING_L2;
    bool dead = configuration->parameter[DEAD][0] != GM_SHARING_DEAD_OFF;
    goal[GOAL_WAY] = (gm_cosim_goal){"way in use, by TOUCH of one not in use", true,
                                     gm_mask(gm_log2_ceil(ways))};
    goal[GOAL_USED] = (gm_cosim_goal){"way of the highest set in use", false, gm_mask(ways)};
    goal[GOAL_FULL] =
        (gm_cosim_goal){"all ways of a set are in use, and one more line comes in", false, 1};
    goal[GOAL_OLDEST] = (gm_cosim_goal){"the oldest line of a full set is touched", false, 1};
    goal[GOAL_SHARED] = (gm_cosim_goal){"shared line of the highest set", false, gm_mask(ways)};
    goal[GOAL_DEAD] =
        (gm_cosim_goal){"dead line of the highest set", false, dead ? gm_mask(ways) : 0};
    goal[GOAL_OWNER] =
        (gm_cosim_goal){"bit of an owner alone tells it from the SM that touches its line", true,
                        l2 ? gm_mask((unsigned)configuration->parameter[SM_W][0]) : 0};
    uint64_t sets = UINT64_C(1) << configuration->parameter[INDEX_W][0];
    each_element_goals(
        &goal[GOAL_OWNER_OF], 16,
        "set whose last way has an owner that differs in its highest bit from the SM that touches",
        sets, l2 && walk_is_short(rounds_of(configuration)));
    return GOALS;
}

/* Why goals have no bits where an instance has the limit or field. */
static const char *undemanded(const gm_cosim_configuration *configuration, unsigned i)
{
    bool l2 = configuration->parameter[LEVEL][0] == GM_SHARING_L2;
    return i == GOAL_OWNER_OF && l2 && !walk_is_short(rounds_of(configuration))
               ? "more sets than a run compares"
               : NULL;
}

/* A TOUCH. */
static void meet_touch(const gm_sharing_lru *state, const gm_sharing_lru_request *request,
                       uint64_t *met)
{
    const gm_sharing_lru_parameters *p = &state->parameters;
    uint32_t used = state->used[request->index];
    size_t at = request->index * p->ways + request->way;
    if ((used >> request->way & 1) != 0) {
        met[GOAL_OLDEST] |= state->rank[at] == p->ways - 1;
        bool alone = (state->owned[request->index] >> request->way & 1) != 0 &&
                     (state->shared[request->index] >> request->way & 1) == 0 &&
                     request->known != 0 && gm_is_power_of_two(state->owner[at] ^ request->sm);
        met[GOAL_OWNER] |= alone ? state->owner[at] ^ request->sm : 0;
        if (request->way + 1 == p->ways && met[GOAL_OWNER] >> (p->sm_bits - 1) != 0) {
            meet_element(&met[GOAL_OWNER_OF], request->index);
        }
        return;
    }
    for (uint64_t bit = 1; bit < p->ways; bit <<= 1) {
        met[GOAL_WAY] |= (used >> (request->way ^ bit) & 1) != 0 ? bit : 0;
    }
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *fields, uint64_t *met)
{
    (void)configuration;
    const gm_sharing_lru *state = model;
    const gm_sharing_lru_request *request = (const void *)fields;
    const gm_sharing_lru_parameters *p = &state->parameters;
    if (request->op == GM_SHARING_LRU_FLUSH || request->op == GM_SHARING_LRU_RESET) {
        return;
    }
    bool highest = request->index == gm_mask(p->index_bits);
    met[GOAL_USED] |= highest ? state->used[request->index] : 0;
    met[GOAL_SHARED] |= highest ? state->shared[request->index] : 0;
    met[GOAL_DEAD] |= highest ? state->dead[request->index] : 0;
    if (request->op == GM_SHARING_LRU_REPLACE) {
        met[GOAL_FULL] |= state->used[request->index] == gm_mask(p->ways) && request->eligible != 0;
    } else if (request->op == GM_SHARING_LRU_TOUCH) {
        meet_touch(state, request, met);
    }
}

static const char *stuck(const gm_cosim_configuration *configuration, unsigned field,
                         uint64_t *bits)
{
    enum { WAY = offsetof(gm_sharing_lru_request, way) / sizeof(uint64_t) };
    *bits = field == WAY && configuration->parameter[WAYS][0] == 1;
    return *bits != 0 ? "one way" : NULL;
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    (void)plan;
    gm_sharing_lru_request *requests = (void *)request;
    unsigned ways = (unsigned)configuration->parameter[WAYS][0];
    habit habit = next_habit(configuration, gm_cosim_random_next(random));
    uint64_t first = gm_cosim_random_next(random); /* the first set and SM */
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        uint64_t other = gm_cosim_random_next(random);
        unsigned op = 0;
        for (uint64_t ticket = value & 63; ticket >= habit.share[op]; op++) {
            ticket -= habit.share[op];
        }
        requests[i] = (gm_sharing_lru_request){
            .op = op == GM_SHARING_LRU_PEEK ? op + (value >> 6 & 3) % 3 : op,
            .index = (first + (value >> 8) % habit.sets) &
                     gm_mask((unsigned)configuration->parameter[INDEX_W][0]),
            .way = (value >> 32) % (habit.same_way && ways > 2 ? 2 : ways),
            .eligible = next_eligible(habit.eligible, ways, other),
            .incoming = (other >> 42 & 3) < habit.incoming,
            .sm = (first + (other >> 44) % habit.sms) &
                  gm_mask((unsigned)configuration->parameter[SM_W][0]),
            .known = (other >> 40 & 3) != 0,
        };
    }
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_sharing_lru_request *)(const void *)request)->index;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_sharing_lru_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"level=l1 index_bits=1 ways=4 sm_bits=1",
                 "level=l2 dead=private index_bits=1 ways=3 sm_bits=2"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 65536,
    .walk = walk,
    .goals = goals,
    .undemanded = undemanded,
    .meet = meet,
    .stuck = stuck,
    .subject = subject,
};
