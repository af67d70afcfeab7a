/* gwct in lockstep: instances and stimulus. A batch has one pattern: the warps it uses, the shares
 * of operations, and times near the current time, at the ends of their range, anywhere, or that
 * differ in one bit. Some batches in sequence fill the count of one warp; directed requests fill
 * and empty each. Keeps the time and the epoch from batch to batch, so that GWCTs pass and answers
 * are of this epoch or of another. An episode begins without operations, so that FENCEs of all
 * warps are ready. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/gwct.h"

#include "stimulus/each_element.h"
#include "stimulus/explored_sequences.h"
#include "stimulus/gwct_sequences.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    ARENA_BYTES = (GM_GWCT_WARPS * 8) + 1024, /* for the largest table */
    REACHABLE = 10,                           /* bits of a count that random requests fill */
    QUIET = 2, /* batches at the start of an episode without operations */
};

/* The RTL parameters, in the port list's order. */
enum { WARPS, COUNT_W, TIME_W };

/* Words of a plan: the current time - 1; the epoch; requests of one warp still to come; that warp
 * and kind; batches so far. */
enum { PLAN_TIME, PLAN_EPOCH, PLAN_FILLS, PLAN_FILLED, PLAN_BATCHES };

static int parse(const char *options, gm_gwct_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"warps", "count_bits", "time_bits"};
    uint64_t value[3] = {0};
    int code = gm_cosim_options_parameters(options, &gm_gwct_ports, names, value, error);
    *parameters = (gm_gwct_parameters){
        .warps = (unsigned)value[0],
        .count_bits = (unsigned)value[1],
        .time_bits = (unsigned)value[2],
    };
    return code;
}

GM_COSIM_MODEL(gwct, gm_gwct, ARENA_BYTES)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_gwct_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "warps=%u count_bits=%u time_bits=%u", p.warps, p.count_bits, p.time_bits);
    configuration->parameter[WARPS][0] = p.warps;
    configuration->parameter[COUNT_W][0] = p.count_bits;
    configuration->parameter[TIME_W][0] = p.time_bits;
    return 0;
}

/* The ends of every range, and numbers of warps that are and are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"warps=3 count_bits=2 time_bits=4", true, true},
    {"warps=4 count_bits=3 time_bits=8", true, true},
    {"warps=1 count_bits=1 time_bits=2", false, true},
    {"warps=2 count_bits=1 time_bits=3", false, true},
    {"warps=5 count_bits=4 time_bits=31", false, true},
    {"warps=32 count_bits=8 time_bits=16", false, true},
    {"warps=256 count_bits=8", false, false},
    {"warps=255 count_bits=3 time_bits=9", false, false},
    {"warps=129 count_bits=10 time_bits=32", false, false},
    {"warps=64 count_bits=16 time_bits=24", false, false},
    {"warps=1 count_bits=16 time_bits=32", false, false},
    {"warps=31 count_bits=7 time_bits=2", false, false},
};

GM_COSIM_ACCESS_ALL(gwct)

/* The port list's state, in its order. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { LOADS, STORES, VISIBLE };
    const gm_gwct *table = model;
    (void)row;
    switch (element) {
    case LOADS:
        *value = table->entry[lane].loads;
        return true;
    case STORES:
        *value = table->entry[lane].stores;
        return true;
    case VISIBLE:
        *value = table->entry[lane].visible;
        return true;
    default:
        *value = table->epoch;
        return true;
    }
}

enum { NEAR_NOW, AT_ENDS, ANYWHERE, NEIGHBOURS };

/* The pattern of a batch of requests. */
typedef struct habit {
    unsigned share[4];    /* of 16: ISSUE, ACK, RAISE; the rest are FENCEs */
    unsigned times;       /* NEAR_NOW, AT_ENDS, ANYWHERE, NEIGHBOURS */
    uint64_t base, warps; /* first and number of the warps it uses */
    unsigned range;       /* of FENCEs: 0 one warp, 1 all, 2 and 3 random */
    unsigned rollovers;   /* one request in so many */
} habit;

static habit next_habit(uint64_t warps, uint64_t choice)
{
    static const unsigned share[][3] = {
        {5, 5, 1}, {8, 4, 0}, {3, 9, 0}, {0, 0, 8}, {6, 6, 0}, {0, 13, 0}, {4, 4, 4}, {2, 2, 4},
    };
    const uint64_t pools[] = {1, 2, warps, warps};
    habit made = {
        .times = (unsigned)(choice >> 3 & 3),
        .base = (choice >> 16 & 0xffff) % warps,
        .warps = pools[choice >> 5 & 3],
        .range = (unsigned)(choice >> 7 & 3),
        .rollovers = (choice >> 9 & 3) == 0 ? 16 : 256,
    };
    memcpy(made.share, share[choice & 7], sizeof share[0]);
    return made;
}

/* What the requests of a batch share. */
typedef struct batch {
    habit habit;
    uint64_t warps;           /* of the table */
    unsigned warp_bits;       /* of a warp's number */
    unsigned time_bits;       /* of a time */
    uint64_t most;            /* largest time */
    uint64_t now;             /* current time */
    uint64_t epoch;           /* the table's */
    uint64_t recent, subject; /* the last timestamp, and its warp */
} batch;

/* Returns a warp of the pattern; one in 16 is the number above the last warp's, or any number that
 * the field can hold. */
static uint64_t pick_warp(const batch *b, uint64_t random)
{
    if ((random & 15) == 0) {
        return ((random >> 4 & 1) != 0 ? b->warps : random >> 5) & gm_mask(b->warp_bits);
    }
    return (b->habit.base + (random >> 4 & 0xffff) % b->habit.warps) % b->warps;
}

/* Returns `time` + up to 3 - 2, within the range of times. */
static uint64_t near(const batch *b, uint64_t time, uint64_t random)
{
    uint64_t above = time + (random & 3);
    above = above < 2 ? 0 : above - 2;
    return above > b->most ? b->most : above;
}

static uint64_t pick_time(const batch *b, uint64_t random)
{
    const uint64_t ends[] = {0, 1, b->most - 1, b->most};
    switch (b->habit.times) {
    case NEAR_NOW:
        return near(b, b->now + (random >> 2 & 7), random);
    case AT_ENDS:
        return ends[random & 3];
    case ANYWHERE:
        return random >> 8 & b->most;
    default:
        return (random & 7) == 0 ? random >> 8 & b->most
                                 : b->recent ^ (UINT64_C(1) << (random >> 8 & 63) % b->time_bits);
    }
}

/* Returns the time of a FENCE: near the current time or the last timestamp, or as in the pattern.
 * At least 1. */
static uint64_t pick_now(const batch *b, uint64_t random)
{
    uint64_t time = (random >> 60 & 3) == 0   ? b->now
                    : (random >> 60 & 3) == 1 ? near(b, b->recent, random)
                                              : pick_time(b, random);
    return time == 0 ? 1 : time;
}

static void pick_range(const batch *b, uint64_t random, gm_gwct_request *request)
{
    uint64_t all = gm_mask(b->warp_bits);
    switch (b->habit.range) {
    case 0:
        request->warp = request->last = (random & 1) != 0 ? b->subject : pick_warp(b, random >> 1);
        return;
    case 1:
        request->warp = 0;
        request->last = (random & 1) != 0 ? all : b->warps - 1;
        return;
    default:
        request->warp = pick_warp(b, random);
        request->last = random >> 32 & all;
        return;
    }
}

static gm_gwct_request pick(batch *b, uint64_t value, uint64_t random, uint64_t more)
{
    unsigned ticket = (unsigned)(value & 15);
    unsigned issues = b->habit.share[0];
    unsigned acknowledges = issues + b->habit.share[1];
    unsigned raises = acknowledges + b->habit.share[2];
    bool rolls = (value >> 4 & 0xffff) % b->habit.rollovers == 0;
    bool fences = !rolls && ticket >= raises;
    gm_gwct_request request = {
        .op = rolls                   ? GM_GWCT_ROLLOVER
              : ticket < issues       ? GM_GWCT_ISSUE
              : ticket < acknowledges ? GM_GWCT_ACK
              : ticket < raises       ? GM_GWCT_RAISE
                                      : GM_GWCT_FENCE + (value >> 20 & 3),
        .warp = pick_warp(b, random),
        .last = more & gm_mask(b->warp_bits),
        .store = value >> 22 & 1,
        .has_gwct = (value >> 23 & 3) != 0,
        .epoch = b->epoch ^ ((value >> 25 & 7) == 0),
        .timestamp = pick_time(b, more),
        .now = more >> 8 & b->most,
    };
    if (fences) {
        pick_range(b, random, &request);
        request.now = pick_now(b, more);
    } else {
        b->recent = request.timestamp;
        b->subject = request.warp;
    }
    b->epoch ^= rolls;
    b->now = rolls ? 1 : b->now + (value >> 28 & 1);
    b->now = b->now > b->most ? 1 : b->now;
    return request;
}

/* Begins to fill a count now and then; half of the requests of the batches that follow then send a
 * load or store of one warp. */
static void plan_filling(const gm_cosim_configuration *configuration, uint64_t choice,
                         gm_cosim_plan *plan)
{
    uint64_t count_bits = configuration->parameter[COUNT_W][0];
    if (plan->word[PLAN_FILLS] == 0 && count_bits <= REACHABLE && (choice & 15) == 0) {
        plan->word[PLAN_FILLS] = gm_mask((unsigned)count_bits) + 8;
        plan->word[PLAN_FILLED] = choice >> 4 & 0xffff;
    }
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    gm_gwct_request *requests = (void *)request;
    uint64_t warps = configuration->parameter[WARPS][0];
    batch b = {
        .habit = next_habit(warps, gm_cosim_random_next(random)),
        .warps = warps,
        .warp_bits = warps < 3 ? 1 : gm_log2_ceil(warps),
        .time_bits = (unsigned)configuration->parameter[TIME_W][0],
        .most = gm_mask((unsigned)configuration->parameter[TIME_W][0]),
        .now = plan->word[PLAN_TIME] + 1,
        .epoch = plan->word[PLAN_EPOCH],
    };
    if (plan->word[PLAN_BATCHES]++ < QUIET) {
        b.habit = (habit){
            .share = {0, 0, 4}, .times = NEAR_NOW, .warps = warps, .range = 1, .rollovers = 64};
    } else {
        plan_filling(configuration, gm_cosim_random_next(random), plan);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        uint64_t where = gm_cosim_random_next(random);
        requests[i] = pick(&b, value, where, gm_cosim_random_next(random));
        if (plan->word[PLAN_FILLS] > 0 && requests[i].op != GM_GWCT_ROLLOVER &&
            (value >> 40 & 7) != 0) {
            plan->word[PLAN_FILLS]--;
            requests[i].op = GM_GWCT_ISSUE;
            requests[i].warp = (plan->word[PLAN_FILLED] >> 1) % warps;
            requests[i].store = plan->word[PLAN_FILLED] & 1;
        }
    }
    plan->word[PLAN_TIME] = b.now - 1;
    plan->word[PLAN_EPOCH] = b.epoch;
}

enum {
    LONGEST = 270000, /* requests for limits in an episode that is long enough: both counts of a
                         warp at 16 bits, or all counts of 256 warps at 8 bits */
    SHORT = 4096,     /* in any other: half of it */
    LONG_ROUND = 8,   /* one round in so many is of a long episode (cosim/limits.c) */
    AROUND = 4,       /* requests beside those that fill and empty a count */
    COMPARED = 12,    /* warps that are compared bit by bit in a round */
};

/* Returns the requests that bring one count to its limit and one past, and to 0 and one past. */
static uint64_t filling(const gm_cosim_configuration *configuration)
{
    return 2 * gm_mask((unsigned)configuration->parameter[COUNT_W][0]) + AROUND;
}

/* Fills and empties one count: of loads or of stores of a warp. */
static void fill_and_empty(const gm_cosim_configuration *configuration, uint64_t which,
                           gm_cosim_tape *tape)
{
    uint64_t times = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    uint64_t one_past = gm_mask((unsigned)configuration->parameter[COUNT_W][0]) + 1;
    gm_gwct_request request = {.warp = which / 2,
                               .last = which / 2,
                               .store = which & 1,
                               .has_gwct = 1,
                               .timestamp = which & times,
                               .now = 1};
    static const uint64_t ops[] = {GM_GWCT_ISSUE, GM_GWCT_FENCE, GM_GWCT_ACK, GM_GWCT_FENCE};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        request.op = ops[i];
        for (uint64_t left = ops[i] == GM_GWCT_FENCE ? 1 : one_past; left > 0; left--) {
            gm_cosim_tape_put(tape, &request);
        }
    }
}

/* Compares the GWCT of one warp with times that differ in one bit, while all other GWCTs are 0: by
 * RAISE, and by a FENCE of all warps. Leaves the epoch. */
static void compare_warp(const gm_cosim_configuration *configuration, uint64_t warp,
                         uint64_t scatter, gm_cosim_tape *tape)
{
    uint64_t warps = configuration->parameter[WARPS][0];
    unsigned bits = (unsigned)configuration->parameter[TIME_W][0];
    for (unsigned bit = 0; bit < bits; bit++) {
        uint64_t time = scatter >> (bit % 32) & gm_mask(bits);
        uint64_t other = time ^ UINT64_C(1) << bit;
        const gm_gwct_request requests[] = {
            {.op = GM_GWCT_ROLLOVER},
            {.op = GM_GWCT_RAISE, .warp = warp, .timestamp = time},
            {.op = GM_GWCT_FENCE, .last = warps - 1, .now = other != 0 ? other : 1},
            {.op = GM_GWCT_RAISE, .warp = warp, .timestamp = other},
            {.op = GM_GWCT_FENCE, .last = warps - 1, .now = 1},
            {.op = GM_GWCT_ROLLOVER},
        };
        for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
            gm_cosim_tape_put(tape, &requests[i]);
        }
    }
}

/* Compares some warps, other ones in each round. */
static void compare_warps(const gm_cosim_configuration *configuration, uint64_t round,
                          gm_cosim_tape *tape)
{
    uint64_t warps = configuration->parameter[WARPS][0];
    for (uint64_t i = 0; i < COMPARED && i < warps; i++) {
        uint64_t step = round * COMPARED + i;
        compare_warp(configuration, walked_element(step, warps),
                     (step + 1) * UINT64_C(0x9e3779b97f4a7c15), tape);
    }
}

/* Returns the rounds that compare all elements. */
static uint64_t walk(const gm_cosim_configuration *configuration)
{
    return walk_rounds(configuration->parameter[WARPS][0], COMPARED);
}

/* Returns request `number` of the sequences that make explore has found, of which it is in
 * `sequence`: of warps of its own, with times cut to the instance's bits. */
static gm_gwct_request explored(const gm_cosim_configuration *configuration, size_t number,
                                uint64_t sequence, uint64_t epoch)
{
    gm_gwct_request request;
    uint64_t warps = configuration->parameter[WARPS][0];
    uint64_t times = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    EXPLORED_REQUEST(request, number);
    request.warp = (request.warp + 2 * sequence) % warps;
    request.last = (request.last + 2 * sequence) % warps;
    request.epoch ^= epoch;
    request.timestamp &= times;
    request.now = (request.now & times) != 0 ? request.now & times : 1;
    return request;
}

/* Compares warps' GWCTs bit by bit. Then fills and empties one count after another, as many as an
 * episode has room for; the episodes after it go on with the next. Last, the sequences of make
 * explore, each in the epoch that the one before has left. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    uint64_t counts = 2 * configuration->parameter[WARPS][0];
    bool is_long = round % LONG_ROUND == 0;
    uint64_t room = (is_long ? LONGEST : SHORT) / filling(configuration);
    uint64_t taken = room < counts ? room : counts;
    uint64_t first = (is_long ? round / LONG_ROUND : round) * taken % counts;
    compare_warps(configuration, round, tape);
    for (uint64_t i = 0; i < taken; i++) {
        fill_and_empty(configuration, (first + i) % counts, tape);
    }
    uint64_t sequence = 0;
    uint64_t now = 0; /* the epoch; and at the sequence's begin */
    uint64_t begin = 0;
    for (size_t r = 0; r < SEQUENCE_REQUESTS; r++) {
        sequence += sequences[r][0];
        begin = sequences[r][0] != 0 ? now : begin;
        gm_gwct_request request = explored(configuration, r, sequence, begin);
        now ^= request.op == GM_GWCT_ROLLOVER;
        gm_cosim_tape_put(tape, &request);
    }
}

enum {
    RAISED,
    RAISED_LAST,
    FENCED,
    LOADS_FULL,
    STORES_FULL,
    NO_LOAD,
    NO_STORE,
    TIE,
    LATEST,
    NO_WARP,
    OTHER_EPOCH,
    EXPLORED,
    DECIDES, /* the first of 4 goals of 64 warps each; likewise the next two */
    LOADS_OF = DECIDES + 4,
    STORES_OF = LOADS_OF + 4,
    RAISED_OF = STORES_OF + 4,
    GOALS = RAISED_OF + 4
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    uint64_t warps = configuration->parameter[WARPS][0];
    uint64_t times = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    bool fills_all = 2 * warps * filling(configuration) <= LONGEST;
    bool has_gap = warps == 1 || gm_count_ones(warps) != 1;
    goal[RAISED] = (gm_cosim_goal){"GWCT of an answer or a RAISE", true, times};
    goal[RAISED_LAST] = (gm_cosim_goal){"RAISE of the last warp's GWCT", true, times};
    goal[FENCED] = (gm_cosim_goal){"time of a FENCE", true, times};
    goal[LOADS_FULL] = (gm_cosim_goal){"loads at their limit and one more", false, 1};
    goal[STORES_FULL] = (gm_cosim_goal){"stores at their limit and one more", false, 1};
    goal[NO_LOAD] = (gm_cosim_goal){"no load and an answer", false, 1};
    goal[NO_STORE] = (gm_cosim_goal){"no store and an answer", false, 1};
    goal[TIE] = (gm_cosim_goal){"a FENCE at the time of a GWCT", false, 1};
    goal[LATEST] = (gm_cosim_goal){"a FENCE at time 1 and a GWCT at the last time", false, 1};
    goal[NO_WARP] = (gm_cosim_goal){"a warp above the last", false, has_gap};
    goal[EXPLORED] = (gm_cosim_goal){"the last request of the explored sequences", false, 1};
    goal[OTHER_EPOCH] = (gm_cosim_goal){"a later GWCT of another epoch", false, 1};
    each_element_goals(&goal[DECIDES], 4,
                       "warp whose GWCT alone decides for how long a FENCE waits", warps, true);
    each_element_goals(&goal[LOADS_OF], 4, "warp whose loads are at their limit and one more",
                       warps, fills_all);
    each_element_goals(&goal[STORES_OF], 4, "warp whose stores are at their limit and one more",
                       warps, fills_all);
    each_element_goals(&goal[RAISED_OF], 4,
                       "warp whose GWCT a RAISE differs from in its highest bit", warps, true);
    return GOALS;
}

/* Why goals have no bits where an instance has the limit or field. */
static const char *undemanded(const gm_cosim_configuration *configuration, unsigned i)
{
    uint64_t counts = 2 * configuration->parameter[WARPS][0];
    bool is_filled = counts * filling(configuration) <= LONGEST;
    return i >= LOADS_OF && i < RAISED_OF && !is_filled ? "more requests than an episode has"
                                                        : NULL;
}

/* Sets the bit in which two values differ, if it is one. */
static uint64_t one_bit(uint64_t a, uint64_t b)
{
    return gm_count_ones(a ^ b) == 1 ? a ^ b : 0;
}

static void meet_fence(const gm_gwct *table, const gm_gwct_request *request, uint64_t *met)
{
    uint64_t latest = 0;
    uint64_t decides = 0;
    bool alone = false;
    for (uint64_t w = request->warp; w <= request->last && w < table->parameters.warps; w++) {
        uint64_t visible = table->entry[w].visible;
        met[FENCED] |= one_bit(visible, request->now);
        alone = visible != latest ? visible > latest || alone : false;
        decides = visible > latest ? w : decides;
        latest = visible > latest ? visible : latest;
    }
    met[TIE] |= latest == request->now;
    met[LATEST] |= latest == gm_mask(table->parameters.time_bits) && request->now == 1;
    if (alone && latest >= request->now) {
        meet_element(&met[DECIDES], decides);
    }
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_gwct_request *fields = (const void *)request;
    const gm_gwct *table = model;
    gm_gwct_request last_explored = explored(configuration, SEQUENCE_REQUESTS - 1, SEQUENCES, 0);
    last_explored.epoch = fields->epoch;
    met[EXPLORED] = memcmp(fields, &last_explored, sizeof *fields) == 0;
    if (fields->op >= GM_GWCT_FENCE) {
        meet_fence(table, fields, met);
        return;
    }
    if (fields->op == GM_GWCT_ROLLOVER) {
        return;
    }
    if (fields->warp >= table->parameters.warps) {
        met[NO_WARP] = 1;
        return;
    }
    const gm_gwct_entry *entry = &table->entry[fields->warp];
    uint64_t full = gm_mask(table->parameters.count_bits);
    uint64_t count = fields->store != 0 ? entry->stores : entry->loads;
    bool brings = fields->op == GM_GWCT_ACK && fields->has_gwct != 0 && count > 0;
    if (fields->op == GM_GWCT_ISSUE && count == full) {
        met[fields->store != 0 ? STORES_FULL : LOADS_FULL] = 1;
        meet_element(&met[fields->store != 0 ? STORES_OF : LOADS_OF], fields->warp);
    }
    met[fields->store != 0 ? NO_STORE : NO_LOAD] = fields->op == GM_GWCT_ACK && count == 0;
    if (fields->op == GM_GWCT_RAISE || (brings && fields->epoch == table->epoch)) {
        met[RAISED] = one_bit(entry->visible, fields->timestamp);
        met[RAISED_LAST] = fields->warp + 1 == table->parameters.warps ? met[RAISED] : 0;
        if (met[RAISED] >> (table->parameters.time_bits - 1) != 0) {
            meet_element(&met[RAISED_OF], fields->warp);
        }
    }
    met[OTHER_EPOCH] =
        brings && fields->epoch != table->epoch && fields->timestamp > entry->visible;
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_gwct_request *)(const void *)request)->warp;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_gwct_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"warps=4 count_bits=2 time_bits=3", "warps=2 count_bits=1 time_bits=2"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 65536,
    .walk = walk,
    .goals = goals,
    .undemanded = undemanded,
    .meet = meet,
    .subject = subject,
};
