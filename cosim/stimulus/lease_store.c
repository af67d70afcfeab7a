/* lease_store in lockstep: instances and stimulus. A batch has one pattern: the number of lines,
 * the shares of operations, how far leases lie ahead of the time and how fast it passes. So the
 * store fills up, expires in part and at once, and lines return while they have a lease. Keeps the
 * time from batch to batch. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/lease_store.h"

#include "stimulus/each_element.h"
#include "stimulus/explored_sequences.h"
#include "stimulus/lease_store_sequences.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { ARENA_BYTES = (GM_LEASE_STORE_ENTRIES * 24) + 1024 }; /* for the largest store */

/* The RTL parameters, in the port list's order. */
enum { ENTRIES, LINE_W, TIME_W };

enum {
    SPREAD_BITS = 13, /* bits of lines of a full store that hardly ever differ in one bit only */
    COMPARED = 24,    /* entries that are compared bit by bit in a round */
};

/* Words of a plan: the current time; the line and the lease of the last request. */
enum { PLAN_TIME, PLAN_LINE, PLAN_LEASE };

static int parse(const char *options, gm_lease_store_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"entries", "line_bits", "time_bits"};
    uint64_t value[3] = {0};
    int code = gm_cosim_options_parameters(options, &gm_lease_store_ports, names, value, error);
    *parameters = (gm_lease_store_parameters){
        .entries = (unsigned)value[0],
        .line_bits = (unsigned)value[1],
        .time_bits = (unsigned)value[2],
    };
    return code;
}

GM_COSIM_MODEL(lease_store, gm_lease_store, ARENA_BYTES)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_lease_store_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "entries=%u line_bits=%u time_bits=%u", p.entries, p.line_bits, p.time_bits);
    configuration->parameter[ENTRIES][0] = p.entries;
    configuration->parameter[LINE_W][0] = p.line_bits;
    configuration->parameter[TIME_W][0] = p.time_bits;
    return 0;
}

/* The ends of every range, and sizes that are and are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"entries=3 line_bits=4 time_bits=5", true, true},
    {"entries=4 line_bits=3 time_bits=8", true, true},
    {"entries=1 line_bits=1 time_bits=2", false, true},
    {"entries=2 line_bits=64 time_bits=32", false, true},
    {"entries=17 line_bits=20 time_bits=16", false, true},
    {"entries=255 line_bits=42 time_bits=32", false, false},
    {"entries=7 line_bits=4 time_bits=3", false, false},
    {"entries=64 line_bits=33 time_bits=31", false, false},
};

GM_COSIM_ACCESS_ALL(lease_store)

/* The port list's state, in its order. Of free entries only `valid` is compared. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    const gm_lease_store *store = model;
    const gm_lease_store_entry *entry = &store->entry[lane];
    (void)row;
    *value = element == 0 ? entry->valid : element == 1 ? entry->line : entry->lease;
    return element == 0 || entry->valid;
}

/* What the requests of a batch share. */
typedef struct batch {
    unsigned put, take; /* of 16; the rest are EXPIRE. CLEAR replaces one of 512, at the last
                           times one of 16 */
    uint64_t lines;     /* different lines; 0: any */
    uint64_t ahead;     /* leases lie at most so far ahead of the time; 0: any time */
    unsigned steps;     /* of 16: requests before which the time passes */
    bool neighbours;    /* lines and leases that differ in one bit from the last ones */
} batch;

static batch next_batch(uint64_t entries, uint64_t choice)
{
    static const unsigned shares[][2] = {
        {15, 1}, {12, 3}, {8, 7}, {6, 2}, {15, 0}, {10, 5}, {4, 4}, {14, 1},
    };
    const uint64_t lines[] = {1, 3, entries, 2 * entries, 0, 0, 4 * entries, entries / 2 + 1};
    const uint64_t ahead[] = {2, 8, 4 * entries, 0};
    const unsigned steps[] = {0, 1, 8, 15};
    const unsigned *share = shares[choice & 7];
    return (batch){
        .put = share[0],
        .take = share[1],
        .lines = lines[choice >> 3 & 7],
        .ahead = ahead[choice >> 6 & 3],
        .steps = steps[choice >> 8 & 3],
        .neighbours = (choice >> 10 & 3) == 0,
    };
}

static uint64_t pick_line(const batch *b, unsigned line_bits, uint64_t last, uint64_t random)
{
    if (b->neighbours) {
        return (random & 3) == 0 ? random >> 8 & gm_mask(line_bits)
                                 : last ^ (UINT64_C(1) << (random >> 8 & 255) % line_bits);
    }
    uint64_t number = b->lines == 0 ? random : random % b->lines;
    return (number * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - line_bits);
}

/* Makes a request one whose lease, or time, differs from the last request's lease in one bit, or is
 * the last time. */
static void neighbour(gm_lease_store_request *request, const gm_cosim_plan *plan, uint64_t random,
                      unsigned time_bits)
{
    uint64_t other = plan->word[PLAN_LEASE] ^ (UINT64_C(1) << (random >> 2 & 63) % time_bits);
    if ((random & 3) == 0) {
        request->now = (random >> 8 & 15) == 0 ? gm_mask(time_bits) : other;
        return;
    }
    request->op = GM_LEASE_STORE_PUT;
    request->line = plan->word[PLAN_LINE];
    request->lease = (random >> 8 & 15) == 0 ? gm_mask(time_bits) : other;
    request->now = 0;
    request->may = 1;
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    gm_lease_store_request *requests = (void *)request;
    unsigned line_bits = (unsigned)configuration->parameter[LINE_W][0];
    unsigned time_bits = (unsigned)configuration->parameter[TIME_W][0];
    uint64_t last_time = gm_mask(time_bits);
    batch b = next_batch(configuration->parameter[ENTRIES][0], gm_cosim_random_next(random));
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        uint64_t where = gm_cosim_random_next(random);
        unsigned ticket = value & 15;
        bool clears = (value >> 8 & 0xffff) % 512 == 0 ||
                      (plan->word[PLAN_TIME] >= last_time - 1 && (value >> 24 & 15) == 0);
        uint64_t now = plan->word[PLAN_TIME];
        uint64_t lease = b.ahead == 0 ? where >> 7 & last_time
                                      : now + (where >> 7 & 0xffffff) % (b.ahead + 2) - 1;
        lease = now == 0 && lease > last_time ? 0 : lease > last_time ? last_time : lease;
        if (b.neighbours) {
            lease = now ^ (UINT64_C(1) << (where >> 7 & 63) % time_bits);
        }
        requests[i] = (gm_lease_store_request){
            .op = clears                    ? GM_LEASE_STORE_CLEAR
                  : ticket < b.put          ? GM_LEASE_STORE_PUT
                  : ticket < b.put + b.take ? GM_LEASE_STORE_TAKE
                                            : GM_LEASE_STORE_EXPIRE,
            .line = pick_line(&b, line_bits, plan->word[PLAN_LINE], gm_cosim_random_next(random)),
            .lease = lease,
            .now = (value >> 32 & 255) == 0 ? where >> 32 & last_time : now,
            .may = (value >> 40 & 7) != 0,
        };
        if (b.neighbours && (where >> 40 & 3) != 0) {
            neighbour(&requests[i], plan, where >> 42, time_bits);
        }
        plan->word[PLAN_LINE] = requests[i].line;
        plan->word[PLAN_LEASE] = requests[i].lease;
        plan->word[PLAN_TIME] +=
            (value >> 48 & 15) < b.steps ? 1 + ((value >> 52 & 63) == 0 ? b.ahead : 0) : 0;
        if (clears || plan->word[PLAN_TIME] > last_time) {
            plan->word[PLAN_TIME] = clears ? (value >> 58 & 1) & last_time : last_time;
        }
    }
}

/* Returns request `number` of the sequences that make explore has found, with times and lines cut
 * to the instance's bits. */
static gm_lease_store_request explored(const gm_cosim_configuration *configuration, size_t number)
{
    gm_lease_store_request request;
    uint64_t times = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    EXPLORED_REQUEST(request, number);
    request.line &= gm_mask((unsigned)configuration->parameter[LINE_W][0]);
    request.lease &= times;
    request.now &= times;
    return request;
}

static void put(gm_cosim_tape *tape, unsigned op, uint64_t line, uint64_t lease, uint64_t now,
                bool may)
{
    const gm_lease_store_request request = {
        .op = op, .line = line, .lease = lease, .now = now, .may = may};
    gm_cosim_tape_put(tape, &request);
}

/* Compares one entry's line and lease with numbers that differ in one bit, in a full store whose
 * other entries have the last time as lease: so this entry alone becomes free, and is taken again.
 * Ends with the store as it was. */
static void compare_entry(const gm_cosim_configuration *configuration, uint64_t line,
                          uint64_t scatter, gm_cosim_tape *tape)
{
    unsigned line_bits = (unsigned)configuration->parameter[LINE_W][0];
    unsigned time_bits = (unsigned)configuration->parameter[TIME_W][0];
    uint64_t last = gm_mask(time_bits);
    for (unsigned bit = 0; bit < line_bits; bit++) {
        put(tape, GM_LEASE_STORE_PUT, line ^ UINT64_C(1) << bit, last, 0, false);
    }
    for (unsigned bit = 0; bit < time_bits; bit++) {
        uint64_t lease = scatter >> (bit % 32) & last;
        put(tape, GM_LEASE_STORE_TAKE, line, 0, 0, false);
        put(tape, GM_LEASE_STORE_PUT, line, lease, 0, true);
        put(tape, GM_LEASE_STORE_PUT, line, lease ^ UINT64_C(1) << bit, 0, false);
        put(tape, GM_LEASE_STORE_TAKE, line, 0, 0, false);
        put(tape, GM_LEASE_STORE_PUT, line, lease, 0, true);
        put(tape, GM_LEASE_STORE_EXPIRE, 0, 0, lease ^ UINT64_C(1) << bit, false);
    }
    put(tape, GM_LEASE_STORE_TAKE, line, 0, 0, false);
    put(tape, GM_LEASE_STORE_PUT, line, last, 0, true);
}

/* Compares some entries of a full store, other ones in each round. Without room for lines that are
 * far from each other does nothing. */
static void compare_entries(const gm_cosim_configuration *configuration, uint64_t round,
                            gm_cosim_tape *tape)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t entries = configuration->parameter[ENTRIES][0];
    unsigned line_bits = (unsigned)configuration->parameter[LINE_W][0];
    uint64_t last = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    uint64_t first = round * entries + 1;
    if (line_bits < SPREAD_BITS) {
        return;
    }
    put(tape, GM_LEASE_STORE_CLEAR, 0, 0, 0, false);
    for (uint64_t entry = 0; entry < entries; entry++) {
        put(tape, GM_LEASE_STORE_PUT, (first + entry) * golden >> (64 - line_bits), last, 0, true);
    }
    for (uint64_t i = 0; i < COMPARED && i < entries; i++) {
        uint64_t own = walked_element(round * COMPARED + i, entries);
        uint64_t scatter = (first + own) * golden;
        compare_entry(configuration, scatter >> (64 - line_bits), scatter, tape);
    }
    put(tape, GM_LEASE_STORE_CLEAR, 0, 0, 0, false);
}

/* Returns the rounds that compare all elements. */
static uint64_t walk(const gm_cosim_configuration *configuration)
{
    return walk_rounds(configuration->parameter[ENTRIES][0], COMPARED);
}

/* Fills the store, with one lease more, raises one, and takes the last entry again. Then compares
 * entries bit by bit. Last, the sequences of make explore, each in an empty store. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    uint64_t entries = configuration->parameter[ENTRIES][0];
    for (uint64_t i = 0; i < entries + 3; i++) {
        const gm_lease_store_request request = {
            .op = i == entries + 2 ? GM_LEASE_STORE_CLEAR : GM_LEASE_STORE_PUT,
            .line = (i > entries ? 0 : i) & gm_mask((unsigned)configuration->parameter[LINE_W][0]),
            .lease = i > entries ? 3 : 2,
            .now = 1,
            .may = 1,
        };
        gm_cosim_tape_put(tape, &request);
    }
    compare_entries(configuration, round, tape);
    for (size_t i = 0; i < SEQUENCE_REQUESTS; i++) {
        if (sequences[i][0] != 0) {
            gm_cosim_tape_put(tape, &(gm_lease_store_request){.op = GM_LEASE_STORE_CLEAR});
        }
        const gm_lease_store_request request = explored(configuration, i);
        gm_cosim_tape_put(tape, &request);
    }
}

enum {
    STORED_LINE,
    STORED_LEASE,
    TIME_AND_LEASE,
    FULL,
    FULL_RAISED,
    LAST_FREE,
    LAST_TIME,
    EXPLORED,
    LAST_LINE, /* and the next two: of the last entry, in a full store */
    LAST_LEASE,
    LAST_AND_TIME,
    LINE_OF, /* the first of 4 goals of 64 entries each; likewise the next one */
    TIME_OF = LINE_OF + 4,
    GOALS = TIME_OF + 4
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    uint64_t lines = gm_mask((unsigned)configuration->parameter[LINE_W][0]);
    uint64_t times = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    goal[STORED_LINE] = (gm_cosim_goal){"line", true, lines};
    goal[STORED_LEASE] = (gm_cosim_goal){"lease of a line that has one", true, times};
    goal[TIME_AND_LEASE] = (gm_cosim_goal){"time beside a stored lease", true, times};
    goal[FULL] = (gm_cosim_goal){"all entries are in use, and a lease of another line", false, 1};
    goal[FULL_RAISED] = (gm_cosim_goal){"all entries are in use, and one is raised", false, 1};
    goal[LAST_FREE] = (gm_cosim_goal){"one entry is free, and it is the last", false, 1};
    goal[LAST_TIME] = (gm_cosim_goal){"a stored lease at the last time, and that time", false, 1};
    goal[EXPLORED] = (gm_cosim_goal){"the last request of the explored sequences", false, 1};
    bool compared = configuration->parameter[LINE_W][0] >= SPREAD_BITS;
    goal[LAST_LINE] = (gm_cosim_goal){"the last entry's line", true, compared ? lines : 0};
    goal[LAST_LEASE] = (gm_cosim_goal){"the last entry's lease", true, compared ? times : 0};
    goal[LAST_AND_TIME] =
        (gm_cosim_goal){"time beside the last entry's lease", true, compared ? times : 0};
    uint64_t entries = configuration->parameter[ENTRIES][0];
    each_element_goals(&goal[LINE_OF], 4, "entry whose line differs in its highest bit", entries,
                       compared);
    each_element_goals(&goal[TIME_OF], 4,
                       "entry whose lease differs from the time in its highest bit", entries,
                       compared);
    return GOALS;
}

/* Why goals have no bits where an instance has the limit or field. */
static const char *undemanded(const gm_cosim_configuration *configuration, unsigned i)
{
    bool compared = configuration->parameter[LINE_W][0] >= SPREAD_BITS;
    return i >= LAST_LINE && !compared ? "lines of fewer than 13 bits" : NULL;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_lease_store_request *fields = (const void *)request;
    const gm_lease_store *store = model;
    unsigned entries = store->parameters.entries;
    unsigned kept = 0;
    const gm_lease_store_entry *own = NULL;
    gm_lease_store_request last_explored = explored(configuration, SEQUENCE_REQUESTS - 1);
    met[EXPLORED] = memcmp(fields, &last_explored, sizeof *fields) == 0;
    for (unsigned e = 0; e < entries && fields->op != GM_LEASE_STORE_CLEAR; e++) {
        const gm_lease_store_entry *entry = &store->entry[e];
        uint64_t differs = entry->line ^ fields->line;
        uint64_t apart = entry->lease ^ fields->now;
        if (entry->valid && gm_count_ones(apart) == 1) {
            met[TIME_AND_LEASE] |= apart;
            met[LAST_AND_TIME] = e + 1 == entries ? apart : 0;
            if (apart >> (store->parameters.time_bits - 1) != 0) {
                meet_element(&met[TIME_OF], e);
            }
        }
        if (!entry->valid || entry->lease < fields->now) {
            continue;
        }
        kept++;
        own = differs == 0 ? entry : own;
        if (gm_count_ones(differs) == 1 && fields->op != GM_LEASE_STORE_EXPIRE) {
            met[STORED_LINE] |= differs;
            if (differs >> (store->parameters.line_bits - 1) != 0) {
                meet_element(&met[LINE_OF], e);
            }
        }
        if (e + 1 == entries && kept == entries) {
            met[LAST_LINE] =
                fields->op == GM_LEASE_STORE_PUT && gm_count_ones(differs) == 1 ? differs : 0;
        }
        met[LAST_TIME] |=
            entry->lease == gm_mask(store->parameters.time_bits) && fields->now == entry->lease;
    }
    if (fields->op != GM_LEASE_STORE_PUT || fields->lease < fields->now) {
        return;
    }
    if (own != NULL && gm_count_ones(own->lease ^ fields->lease) == 1) {
        met[STORED_LEASE] |= own->lease ^ fields->lease;
        met[LAST_LEASE] = own == &store->entry[entries - 1] ? own->lease ^ fields->lease : 0;
    }
    met[FULL] = kept == entries && own == NULL && fields->may != 0;
    met[FULL_RAISED] = kept == entries && own != NULL && fields->lease > own->lease;
    met[LAST_FREE] =
        kept == entries - 1 && own == NULL && fields->may != 0 &&
        (!store->entry[entries - 1].valid || store->entry[entries - 1].lease < fields->now);
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_lease_store_request *)(const void *)request)->line;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_lease_store_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"entries=3 line_bits=2 time_bits=3", "entries=2 line_bits=1 time_bits=2"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 100000,
    .walk = walk,
    .goals = goals,
    .undemanded = undemanded,
    .meet = meet,
    .subject = subject,
};
