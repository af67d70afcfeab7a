/* tc_l1 in lockstep: instances and stimulus. A phase of some batches has one pattern: the number of
 * slots, the shares of operations, and the range of times, which is narrow or has single bits that
 * differ, so that leases and times are often equal. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/tc_l1.h"

#include "stimulus/explored_sequences.h"
#include "stimulus/tc_l1_sequences.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The RTL parameters, in the port list's order. */
enum { SLOTS, PEND_W, TIME_W, STRONG, VISIBLE };

enum {
    ARENA_BYTES = GM_TC_L1_SLOTS * sizeof(gm_tc_l1_slot) + sizeof(gm_tc_l1) + 1024,
    REACHED_BITS = 11, /* a count of so many bits reaches its limit within an episode */
};

static int parse(const char *options, gm_tc_l1_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"slots", "pending_bits", "time_bits", "strong", "visible"};
    uint64_t value[5] = {0};
    int code = gm_cosim_options_parameters(options, &gm_tc_l1_ports, names, value, error);
    if (code == 0 && (value[STRONG] > 1 || value[VISIBLE] > 1)) {
        code = gm_fail(error, -EINVAL, "tc_l1: strong and visible: must be 0 or 1");
    }
    *parameters = (gm_tc_l1_parameters){
        .slots = (unsigned)value[SLOTS],
        .pending_bits = (unsigned)value[PEND_W],
        .time_bits = (unsigned)value[TIME_W],
        .strong = value[STRONG] != 0,
        .visible = value[VISIBLE] != 0,
    };
    return code;
}

GM_COSIM_MODEL(tc_l1, gm_tc_l1, ARENA_BYTES)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_tc_l1_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "slots=%u pending_bits=%u time_bits=%u strong=%u visible=%u", p.slots, p.pending_bits,
             p.time_bits, p.strong, p.visible);
    configuration->parameter[SLOTS][0] = p.slots;
    configuration->parameter[PEND_W][0] = p.pending_bits;
    configuration->parameter[TIME_W][0] = p.time_bits;
    configuration->parameter[STRONG][0] = p.strong;
    configuration->parameter[VISIBLE][0] = p.visible;
    return 0;
}

/* The paper's L1, the ends of every range, and numbers of slots that are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"strong=1", false, true},
    {"visible=1", false, true},
    {"slots=4 pending_bits=2 time_bits=3", true, true},
    {"slots=3 pending_bits=1 time_bits=2 strong=1", true, true},
    {"slots=2 pending_bits=2 time_bits=3 visible=1", true, true},
    {"slots=1 pending_bits=1 time_bits=2", false, true},
    {"slots=5 pending_bits=8 time_bits=17 visible=1", false, true},
    {"slots=8192 pending_bits=16 time_bits=32 visible=1", false, true},
    {"slots=1 pending_bits=16 time_bits=32 strong=1 visible=1", false, false},
    {"slots=8192 pending_bits=1 time_bits=2 strong=1", false, false},
    {"slots=1 pending_bits=3 time_bits=8 visible=1", false, false},
    {"slots=2 pending_bits=11 time_bits=9", false, false},
    {"slots=7 pending_bits=5 time_bits=31 strong=1 visible=1", false, false},
    {"slots=100 pending_bits=4 time_bits=16 visible=1", false, false},
    {"slots=384 pending_bits=7 time_bits=24", false, false},
    {"slots=512 strong=1", false, false},
    {"slots=1000 pending_bits=10 time_bits=12 strong=1", false, false},
};

GM_COSIM_ACCESS_ALL(tc_l1)

/* Reads an element of the port list's state. Returns false where it is a don't-care: the lease and
 * the GWCT of a slot without a copy. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { VALID, PENDING, LEASE };
    const gm_tc_l1 *l1 = model;
    const gm_tc_l1_slot *slot = &l1->slot[element == VALID ? lane : row];
    switch (element) {
    case VALID:
        *value = slot->valid;
        return true;
    case PENDING:
        *value = slot->pending;
        return true;
    case LEASE:
        *value = slot->lease;
        return slot->valid;
    default:
        *value = slot->visible;
        return slot->valid && l1->parameters.visible;
    }
}

/* Ranges of times. */
typedef enum range { NARROW, ONE_BIT, ANY, LAST } range;

/* The pattern of a phase. */
typedef struct habit {
    unsigned share[9];    /* of 64, for each operation */
    uint64_t slots;       /* different slots */
    uint64_t first;       /* the first of them */
    uint64_t base;        /* of times */
    range times;          /* how times differ from the base */
    unsigned elsewhere;   /* of 8: slots that hold another line */
    unsigned open;        /* of 8: lines with an open MSHR entry */
    unsigned without;     /* of 8: answers without a lease */
    unsigned consecutive; /* of 8: requests for the last request's slot */
    bool rounds;          /* ATOMIC, ACK, FILL, STORE, ACK in turn on one slot */
    unsigned sequel;      /* of 8: STOREs directly followed by FLUSH, and FLUSHes by ACK */
} habit;

static habit next_habit(const gm_cosim_configuration *configuration, uint64_t choice,
                        uint64_t numbers)
{
    /* LOAD, STORE, ATOMIC, BYPASS, FILL, ACK, DATA_G, EVICT, FLUSH */
    static const unsigned share[][9] = {
        {18, 12, 2, 2, 14, 8, 4, 3, 1},  {10, 24, 0, 0, 10, 16, 4, 0, 0},
        {8, 8, 2, 2, 8, 28, 8, 0, 0},    {10, 16, 1, 0, 12, 4, 20, 1, 0},
        {20, 6, 2, 2, 24, 2, 2, 4, 2},   {14, 12, 4, 4, 14, 6, 4, 4, 2},
        {12, 24, 0, 0, 14, 12, 0, 0, 2}, {9, 9, 6, 6, 12, 6, 6, 8, 2},
    };
    uint64_t all = configuration->parameter[SLOTS][0];
    const uint64_t slots[] = {1, 2, 3, all};
    const uint64_t last = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    const uint64_t bases[] = {numbers, numbers, numbers, last - 3, 0, 1, last, last};
    static const unsigned eighths[] = {0, 1, 4, 7};
    static const range times[] = {NARROW, NARROW, NARROW, ONE_BIT, ONE_BIT, ONE_BIT, ANY, LAST};
    habit made = {
        .slots = slots[choice >> 3 & 3],
        .first = (numbers >> 40) % all,
        .base = bases[choice >> 5 & 7] & last,
        .times = times[choice >> 21 & 7],
        .elsewhere = eighths[(choice >> 10 & 7) % 3],
        .open = eighths[choice >> 13 & 3],
        .without = eighths[(choice >> 15 & 7) % 3],
        .consecutive = eighths[(choice >> 18 & 3) % 3],
        .rounds = (choice >> 27 & 15) == 0,
        .sequel = eighths[(choice >> 24 & 7) % 3],
    };
    memcpy(made.share, share[choice & 7], sizeof made.share);
    return made;
}

static uint64_t next_time(const gm_cosim_configuration *configuration, const habit *habit,
                          uint64_t random)
{
    unsigned bits = (unsigned)configuration->parameter[TIME_W][0];
    uint64_t time = habit->base;
    if (habit->times == NARROW) {
        time += random & 3;
    } else if (habit->times == ONE_BIT) {
        time ^= (random & 1) << (random >> 1) % bits;
    } else if (habit->times == ANY) {
        time = random;
    } else {
        time = (random & 1) != 0 ? gm_mask(bits) : random >> 1;
    }
    return time & gm_mask(bits);
}

/* Computes SlotW as the port list does. */
static unsigned slot_bits(uint64_t slots)
{
    return slots < 3 ? 1 : gm_log2_ceil((unsigned)slots);
}

static gm_tc_l1_request next_request(const gm_cosim_configuration *configuration,
                                     const habit *habit, gm_cosim_random *random,
                                     const gm_tc_l1_request *before)
{
    uint64_t value = gm_cosim_random_next(random);
    uint64_t all = configuration->parameter[SLOTS][0];
    unsigned op = 0;
    for (uint64_t ticket = value & 63; ticket >= habit->share[op]; op++) {
        ticket -= habit->share[op];
    }
    bool again = (value >> 6 & 7) < habit->consecutive;
    if ((before->op == GM_TC_L1_STORE || before->op >= GM_TC_L1_FLUSH) &&
        (value >> 24 & 7) < habit->sequel) {
        op = before->op == GM_TC_L1_STORE ? GM_TC_L1_FLUSH : GM_TC_L1_ACK;
        again = true;
    }
    uint64_t slot = again ? before->slot : (habit->first + (value >> 40) % habit->slots) % all;
    return (gm_tc_l1_request){
        .op = op < GM_TC_L1_FLUSH ? op : op + (value >> 9 & 7),
        .slot = op < GM_TC_L1_FLUSH ? slot : value >> 28 & gm_mask(slot_bits(all)),
        .present = (value >> 12 & 7) >= habit->elsewhere,
        .open = (value >> 15 & 7) < habit->open,
        .lease_given = (value >> 18 & 7) >= habit->without,
        .timestamp = next_time(configuration, habit, gm_cosim_random_next(random)),
        .visible = next_time(configuration, habit, gm_cosim_random_next(random)),
        .now = next_time(configuration, habit, gm_cosim_random_next(random)),
    };
}

/* One step of rounds in which a copy gets a GWCT from a FILL, then another one from an ACK. */
static gm_tc_l1_request next_of_round(const gm_cosim_configuration *configuration,
                                      const habit *habit, unsigned step, gm_cosim_random *random)
{
    static const unsigned round[] = {GM_TC_L1_ATOMIC, GM_TC_L1_ACK, GM_TC_L1_FILL, GM_TC_L1_STORE,
                                     GM_TC_L1_ACK};
    return (gm_tc_l1_request){
        .op = round[step % 5],
        .slot = habit->first,
        .present = 1,
        .open = 1,
        .lease_given = 1,
        .timestamp = gm_mask((unsigned)configuration->parameter[TIME_W][0]),
        .visible = next_time(configuration, habit, gm_cosim_random_next(random)),
        .now = next_time(configuration, habit, gm_cosim_random_next(random)),
    };
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    enum { CHOICE, NUMBERS, BATCHES_LEFT };
    gm_tc_l1_request *requests = (void *)request;
    if (plan->word[BATCHES_LEFT] == 0) {
        static const unsigned batches[] = {1, 1, 2, 6};
        plan->word[CHOICE] = gm_cosim_random_next(random);
        plan->word[NUMBERS] = gm_cosim_random_next(random);
        plan->word[BATCHES_LEFT] = batches[plan->word[CHOICE] >> 32 & 3];
    }
    plan->word[BATCHES_LEFT]--;
    habit habit = next_habit(configuration, plan->word[CHOICE], plan->word[NUMBERS]);
    gm_tc_l1_request before = {.slot = habit.first};
    for (size_t i = 0; i < count; i++) {
        requests[i] = habit.rounds ? next_of_round(configuration, &habit, (unsigned)i, random)
                                   : next_request(configuration, &habit, random, &before);
        uint64_t slot = requests[i].op < GM_TC_L1_FLUSH ? requests[i].slot : before.slot;
        before = requests[i];
        before.slot = slot; /* of a FLUSH any number */
    }
}

enum { SWEPT = 1024 }; /* slots that a sweep accesses, at most */

/* Puts an operation of each slot, or of SWEPT of them, which differ from round to round. Leases of
 * neighbours differ. */
static void sweep(const gm_cosim_configuration *configuration, uint64_t round, unsigned op,
                  gm_cosim_tape *tape)
{
    uint64_t slots = configuration->parameter[SLOTS][0];
    uint64_t step = (slots + SWEPT - 1) / SWEPT;
    uint64_t last = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    for (uint64_t slot = round % step; slot < slots; slot += step) {
        const gm_tc_l1_request request = {
            .op = op,
            .slot = slot,
            .present = 1,
            .open = op == GM_TC_L1_FILL,
            .lease_given = 1,
            .timestamp = 1 + (slot ^ round) % last,
            .visible = (slot ^ round) & last,
            .now = 1,
        };
        gm_cosim_tape_put(tape, &request);
    }
}

/* Accesses every slot after the reset, while all others have copies or UPGRs, and after a FLUSH:
 * one that does not keep its state, or shares another one's, answers otherwise. */
static void sweep_all(const gm_cosim_configuration *configuration, uint64_t round,
                      gm_cosim_tape *tape)
{
    static const unsigned ops[] = {GM_TC_L1_LOAD, GM_TC_L1_FILL, GM_TC_L1_LOAD,  GM_TC_L1_STORE,
                                   GM_TC_L1_ACK,  GM_TC_L1_LOAD, GM_TC_L1_FLUSH, GM_TC_L1_LOAD};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (ops[i] == GM_TC_L1_FLUSH) {
            gm_cosim_tape_put(tape, &(gm_tc_l1_request){.op = GM_TC_L1_FLUSH});
        } else {
            sweep(configuration, round, ops[i], tape);
        }
    }
}

/* Returns request `number` of the sequences that make explore has found, of which it is in
 * `sequence`: in slots of its own, with times cut to the instance's bits. */
static gm_tc_l1_request explored(const gm_cosim_configuration *configuration, size_t number,
                                 uint64_t sequence)
{
    gm_tc_l1_request request;
    uint64_t times = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    EXPLORED_REQUEST(request, number);
    request.slot = (request.slot + 2 * sequence) % configuration->parameter[SLOTS][0];
    request.timestamp &= times;
    request.visible &= times;
    request.now &= times;
    return request;
}

/* After the sweeps: a copy with the last time as lease, as many stores as the count of UPGRs has
 * room for, and more, which are refused, with loads that merge and EVICTs in between; an EVICT and
 * an answer at each count down to 0. Last, the sequences of make explore. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    uint64_t sequence = 0;
    unsigned bits = (unsigned)configuration->parameter[PEND_W][0];
    uint64_t most = gm_mask(bits < REACHED_BITS ? bits : REACHED_BITS);
    uint64_t last = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    gm_tc_l1_request next = {.op = GM_TC_L1_FILL,
                             .slot = round % configuration->parameter[SLOTS][0],
                             .present = 1,
                             .open = 1,
                             .lease_given = 1,
                             .timestamp = last,
                             .visible = last / 2};
    sweep_all(configuration, round, tape);
    gm_cosim_tape_put(tape, &next);
    for (uint64_t i = 0; i < most + most / 4 + 16; i++) {
        next.op = i % 16 == 5 ? GM_TC_L1_EVICT : i % 16 == 11 ? GM_TC_L1_LOAD : GM_TC_L1_STORE;
        next.open = next.op == GM_TC_L1_LOAD || i % 3 == 0;
        next.now = i % 5 == 0 ? last : i & last;
        gm_cosim_tape_put(tape, &next);
    }
    for (uint64_t i = 0; i < 2 * most; i++) {
        next.op = i % 2 == 0                     ? GM_TC_L1_EVICT
                  : (i / 2 + round / 2) % 4 == 0 ? GM_TC_L1_ACK
                                                 : GM_TC_L1_DATA_G;
        next.now = last;
        gm_cosim_tape_put(tape, &next);
    }
    for (size_t i = 0; i < SEQUENCE_REQUESTS; i++) {
        sequence += sequences[i][0];
        next = explored(configuration, i, sequence);
        gm_cosim_tape_put(tape, &next);
    }
}

/* What requests must meet: leases and GWCTs that differ in one bit, equal times, the last time, the
 * limit of the count, and counts with one bit, or with bit 0 and another one, where a count that
 * lacks a bit would pass for 0 or 1. */
enum {
    DIFFERS_LEASE,
    TIES,
    LIMIT,
    DIFFERS_VISIBLE,
    ALL,
    EXPLORED,
    EVICTED, /* and the next: bit b of the count */
    ANSWERED,
    GOALS
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    uint64_t times = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    bool reached = configuration->parameter[PEND_W][0] <= REACHED_BITS;
    goal[DIFFERS_LEASE] = (gm_cosim_goal){"lease", true, times};
    goal[TIES] =
        (gm_cosim_goal){"now is the lease, or one later, or the lease is the last time", false, 7};
    goal[LIMIT] =
        (gm_cosim_goal){"UPGRs at their limit and one more STORE", false, reached ? 1 : 0};
    goal[DIFFERS_VISIBLE] =
        (gm_cosim_goal){"visible", true, configuration->parameter[VISIBLE][0] != 0 ? times : 0};
    goal[ALL] = (gm_cosim_goal){"every slot has a copy, and the last one is loaded", false,
                                configuration->parameter[SLOTS][0] <= SWEPT};
    goal[EXPLORED] = (gm_cosim_goal){"the last request of the explored sequences", false, 1};
    uint64_t counts = reached ? gm_mask((unsigned)configuration->parameter[PEND_W][0]) : 0;
    goal[EVICTED] = (gm_cosim_goal){"an EVICT with 2^b UPGRs", false, counts};
    goal[ANSWERED] =
        (gm_cosim_goal){"a DATA_G for a copy with 1 + 2^b UPGRs", false, counts / 2 * 2};
    return GOALS;
}

/* Why goals have no bits where an instance has the limit or field. */
static const char *undemanded(const gm_cosim_configuration *configuration, unsigned i)
{
    bool reached = configuration->parameter[PEND_W][0] <= REACHED_BITS;
    bool counts = i == LIMIT || i == EVICTED || i == ANSWERED;
    return counts && !reached ? "counts of too many bits for an episode"
           : i == ALL && configuration->parameter[SLOTS][0] > SWEPT ? "more slots than a sweep has"
                                                                    : NULL;
}

/* Returns true for the last slot of an L1 in which every slot has a copy. */
static bool all_are_valid(const gm_tc_l1 *l1, uint64_t slot)
{
    bool all = slot + 1 == l1->parameters.slots && slot < SWEPT;
    for (uint64_t other = 0; all && other <= slot; other++) {
        all = l1->slot[other].valid;
    }
    return all;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_tc_l1_request *r = (const void *)request;
    uint64_t last = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    gm_tc_l1_request last_explored = explored(configuration, SEQUENCE_REQUESTS - 1, SEQUENCES);
    met[EXPLORED] = memcmp(r, &last_explored, sizeof *r) == 0;
    const gm_tc_l1_slot *slot =
        r->op < GM_TC_L1_FLUSH ? &((const gm_tc_l1 *)model)->slot[r->slot] : NULL;
    if (slot == NULL) {
        return;
    }
    if (r->op == GM_TC_L1_EVICT) {
        met[EVICTED] = gm_count_ones(slot->pending) == 1 ? slot->pending : 0;
        return;
    }
    if (r->present == 0 || !slot->valid) {
        return;
    }
    if (r->op == GM_TC_L1_DATA_G && gm_count_ones(slot->pending) == 2) {
        met[ANSWERED] = (slot->pending & 1) != 0 ? slot->pending - 1 : 0;
    }
    met[ALL] = r->op == GM_TC_L1_LOAD && all_are_valid(model, r->slot);
    if (r->op == GM_TC_L1_LOAD || r->op == GM_TC_L1_STORE) {
        uint64_t differs = r->now ^ slot->lease;
        met[DIFFERS_LEASE] = (differs & (differs - 1)) == 0 ? differs : 0;
        met[TIES] = (r->now == slot->lease ? 1 : 0) |
                    (r->now == slot->lease + UINT64_C(1) ? 2 : 0) | (slot->lease == last ? 4 : 0);
        met[LIMIT] = r->op == GM_TC_L1_STORE && r->now <= slot->lease &&
                     slot->pending == gm_mask((unsigned)configuration->parameter[PEND_W][0]);
    }
    if ((r->op == GM_TC_L1_ACK || r->op == GM_TC_L1_DATA_G) && slot->pending > 0) {
        uint64_t differs = r->visible ^ slot->visible;
        met[DIFFERS_VISIBLE] = (differs & (differs - 1)) == 0 ? differs : 0;
    }
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_tc_l1_request *)(const void *)request)->slot;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_tc_l1_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .mutation = {"slots=4 pending_bits=2 time_bits=3 visible=1",
                 "slots=3 pending_bits=2 time_bits=2 strong=1"},
    .configure = configure,
    .arena_bytes = ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 40000,
    .goals = goals,
    .undemanded = undemanded,
    .meet = meet,
    .subject = subject,
};
