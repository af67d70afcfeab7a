/* tc_l2 in lockstep: instances and stimulus. A phase of some batches has one pattern: the number of
 * slots and SMs, the shares of operations, and the range of times, which is narrow or has single
 * bits that differ, so that leases and times are often equal. Some requests continue a sequence
 * with the lease that the line then has. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/tc_l2.h"

#include "stimulus/explored_sequences.h"
#include "stimulus/tc_l2_sequences.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The RTL parameters, in the port list's order. */
enum { SLOTS, SMS, TIME_W, STRONG, PRINTED, VISIBLE, NUMBERS };

enum { ARENA_BYTES = GM_TC_L2_SLOTS * sizeof(gm_tc_l2_line) + sizeof(gm_tc_l2) + 1024 };

static int parse(const char *options, gm_tc_l2_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"slots",  "sms",     "time_bits",
                                        "strong", "printed", "visible"};
    uint64_t value[NUMBERS] = {0};
    int code = gm_cosim_options_parameters(options, &gm_tc_l2_ports, names, value, error);
    if (code == 0 && (value[STRONG] > 1 || value[VISIBLE] > 1)) {
        code = gm_fail(error, -EINVAL, "tc_l2: strong and visible: must be 0 or 1");
    }
    *parameters = (gm_tc_l2_parameters){
        .slots = (unsigned)value[SLOTS],
        .sms = (unsigned)value[SMS],
        .time_bits = (unsigned)value[TIME_W],
        .strong = value[STRONG] != 0,
        .printed = (unsigned)value[PRINTED],
        .visible = value[VISIBLE] != 0,
    };
    return code;
}

GM_COSIM_MODEL(tc_l2, gm_tc_l2, ARENA_BYTES)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_tc_l2_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "slots=%u sms=%u time_bits=%u strong=%u printed=%u visible=%u", p.slots, p.sms,
             p.time_bits, p.strong, p.printed, p.visible);
    const uint64_t value[NUMBERS] = {p.slots, p.sms, p.time_bits, p.strong, p.printed, p.visible};
    for (unsigned i = 0; i < NUMBERS; i++) {
        configuration->parameter[i][0] = value[i];
    }
    return 0;
}

/* The paper's bank, each rule of the printed table, the ends of every range, and numbers of slots
 * and SMs that are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"strong=1", false, true},
    {"visible=1", false, true},
    {"slots=4 sms=4 time_bits=3", true, true},
    {"slots=3 sms=3 time_bits=3 strong=1", true, true},
    {"slots=2 sms=3 time_bits=4 visible=1", true, true},
    {"slots=3 sms=2 time_bits=3 printed=7", true, true},
    {"slots=1 sms=1 time_bits=2", false, true},
    {"slots=5 sms=15 time_bits=17 printed=1 visible=1", false, true},
    {"slots=8 sms=28 time_bits=16 printed=2", false, true},
    {"slots=100 sms=56 time_bits=24 printed=4", false, true},
    {"slots=65536 sms=1024 time_bits=32 visible=1", false, false},
    {"slots=1 sms=1024 time_bits=32 strong=1 visible=1", false, false},
    {"slots=65536 sms=1 time_bits=2 strong=1 printed=4", false, false},
    {"slots=2 sms=2 time_bits=8 printed=3", false, false},
    {"slots=7 sms=6 time_bits=31 strong=1 printed=5 visible=1", false, false},
    {"slots=384 sms=80 printed=6 visible=1", false, false},
    {"slots=768 sms=30 time_bits=12 visible=1", false, false},
    {"slots=1000 sms=132 time_bits=20 strong=1", false, false},
};

GM_COSIM_ACCESS_ALL(tc_l2)

/* Reads an element of the port list's state. The GWCT is a don't-care if lines keep none. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { READERS, OWNED, OWNER, LEASE };
    (void)lane;
    const gm_tc_l2 *l2 = model;
    const gm_tc_l2_line *line = &l2->line[row];
    switch (element) {
    case READERS:
        *value = line->readers;
        return true;
    case OWNED:
        *value = line->owned;
        return true;
    case OWNER:
        *value = line->owner;
        return true;
    case LEASE:
        *value = line->lease;
        return true;
    default:
        *value = line->visible;
        return l2->parameters.visible;
    }
}

/* Ranges of times. */
typedef enum range { NARROW, ONE_BIT, ANY, LAST } range;

/* The pattern of a phase. */
typedef struct habit {
    unsigned share[7];    /* of 64, for each operation */
    uint64_t slots, sms;  /* different slots and SMs */
    uint64_t first;       /* the first slot */
    uint64_t base;        /* of times */
    range times;          /* how times differ from the base */
    unsigned without;     /* of 8: loads that bypass the L1 */
    unsigned consecutive; /* of 8: requests for the last request's slot */
    unsigned sequel;      /* of 8: requests that continue a sequence on that slot */
    bool rounds;          /* only sequences */
} habit;

static habit next_habit(const gm_cosim_configuration *configuration, uint64_t choice,
                        uint64_t numbers)
{
    /* GETS, GETX, UPGR, ATOMIC, INSTALL, EVICT, ROLLOVER */
    static const unsigned share[][7] = {
        {24, 8, 14, 6, 5, 5, 2},  {32, 4, 20, 2, 2, 2, 2},   {16, 12, 12, 12, 6, 6, 0},
        {20, 4, 28, 2, 8, 2, 0},  {12, 6, 10, 6, 20, 10, 0}, {30, 10, 10, 6, 4, 4, 0},
        {14, 14, 14, 8, 2, 8, 4}, {20, 10, 20, 10, 2, 2, 0},
    };
    uint64_t all = configuration->parameter[SLOTS][0];
    uint64_t all_sms = configuration->parameter[SMS][0];
    const uint64_t slots[] = {1, 2, 3, all};
    const uint64_t sms[] = {2, 3, all_sms, all_sms};
    const uint64_t last = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    const uint64_t bases[] = {numbers, numbers, numbers, last - 3, 0, 1, last, last - 1};
    static const unsigned eighths[] = {0, 1, 4, 7};
    static const range times[] = {NARROW, NARROW, NARROW, ONE_BIT, ONE_BIT, NARROW, ANY, LAST};
    habit made = {
        .slots = slots[choice >> 3 & 3],
        .sms = sms[choice >> 5 & 3],
        .first = (numbers >> 40) % all,
        .base = bases[choice >> 7 & 7] & last,
        .times = times[choice >> 10 & 7],
        .without = eighths[(choice >> 13 & 7) % 3],
        .consecutive = eighths[(choice >> 16 & 7) % 3],
        .sequel = eighths[choice >> 19 & 3],
        .rounds = (choice >> 21 & 7) == 0,
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
        time += random & 7;
    } else if (habit->times == ONE_BIT) {
        time ^= (random & 1) << (random >> 1) % bits;
    } else if (habit->times == ANY) {
        time = random;
    } else {
        time = (random & 1) != 0 ? gm_mask(bits) : random >> 1;
    }
    return time & gm_mask(bits);
}

/* A lifetime: mostly short, so that leases are near their base; else with one bit, or any. */
static uint64_t next_life(const gm_cosim_configuration *configuration, const habit *habit,
                          uint64_t random)
{
    unsigned bits = (unsigned)configuration->parameter[TIME_W][0];
    const uint64_t life[] = {random >> 8 & 3, UINT64_C(1) << (random >> 8) % bits, random >> 8,
                             habit->times == NARROW ? random >> 8 & 1 : random >> 8};
    return life[habit->times == NARROW ? 3 * (random >> 3 & 1) : random & 3] & gm_mask(bits);
}

static uint64_t sum_of(uint64_t a, uint64_t b, uint64_t last)
{
    return a + b < last ? a + b : last;
}

/* Computes SlotW and SmW as the port list does. */
static uint64_t numbers_of(uint64_t count)
{
    return gm_mask(count < 3 ? 1 : gm_log2_ceil((unsigned)count));
}

static gm_tc_l2_request next_request(const gm_cosim_configuration *configuration,
                                     const habit *habit, gm_cosim_random *random,
                                     uint64_t slot_before)
{
    uint64_t value = gm_cosim_random_next(random);
    uint64_t all = configuration->parameter[SLOTS][0];
    uint64_t all_sms = configuration->parameter[SMS][0];
    unsigned op = 0;
    for (uint64_t ticket = value & 63; ticket >= habit->share[op]; op++) {
        ticket -= habit->share[op];
    }
    bool again = (value >> 6 & 7) < habit->consecutive;
    uint64_t slot = again ? slot_before : (habit->first + (value >> 40) % habit->slots) % all;
    bool asks = op == GM_TC_L2_GETS || op == GM_TC_L2_UPGR;
    return (gm_tc_l2_request){
        .op = op < GM_TC_L2_ROLLOVER ? op : op + (value >> 9 & 1),
        .slot = op < GM_TC_L2_ROLLOVER ? slot : value >> 28 & numbers_of(all),
        .sm = asks ? (value >> 20) % habit->sms % all_sms : value >> 20 & numbers_of(all_sms),
        .no_lease = (value >> 12 & 7) < habit->without,
        .timestamp = next_time(configuration, habit, gm_cosim_random_next(random)),
        .now = next_time(configuration, habit, gm_cosim_random_next(random)),
        .life = next_life(configuration, habit, gm_cosim_random_next(random)),
        .kept = value >> 15 & 1,
        .kept_lease = next_time(configuration, habit, gm_cosim_random_next(random)),
        .write = value >> 16 & 1,
    };
}

/* What a stimulus knows of the last slot: its lease and its owner, as far as it can tell. */
typedef struct sequence {
    uint64_t slot, lease, sm, op;
} sequence;

static void follow(sequence *s, const gm_tc_l2_request *r, uint64_t last)
{
    s->op = r->op;
    if (r->op >= GM_TC_L2_ROLLOVER) {
        return;
    }
    s->slot = r->slot;
    if (r->op == GM_TC_L2_GETS && r->no_lease == 0) {
        s->lease = sum_of(r->now, r->life, last);
        s->sm = r->sm;
    } else if (r->op == GM_TC_L2_INSTALL) {
        s->lease = r->kept != 0 ? r->kept_lease : 0;
    } else if (r->op != GM_TC_L2_EVICT && r->op != GM_TC_L2_GETS) {
        s->lease = sum_of(s->lease, 1, last);
    }
}

/* Makes of a request one that continues the sequence: an UPGR of the copy with the line's lease, or
 * with a bit of lease or SM wrong; a ROLLOVER behind a GETS, and an UPGR behind that. */
static void continue_sequence(const gm_cosim_configuration *configuration, const sequence *s,
                              gm_cosim_random *random, gm_tc_l2_request *r)
{
    uint64_t value = gm_cosim_random_next(random);
    unsigned bits = (unsigned)configuration->parameter[TIME_W][0];
    uint64_t all_sms = configuration->parameter[SMS][0];
    uint64_t sm_bit =
        UINT64_C(1) << (value >> 8) % (all_sms < 3 ? 1 : gm_log2_ceil((unsigned)all_sms));
    if (s->op == GM_TC_L2_GETS && (value & 7) == 0) {
        r->op = GM_TC_L2_ROLLOVER;
        return;
    }
    r->op = s->op < GM_TC_L2_ROLLOVER && (value & 24) == 8 ? GM_TC_L2_EVICT : GM_TC_L2_UPGR;
    r->slot = s->slot;
    r->sm = (value & 32) != 0 && (s->sm ^ sm_bit) < all_sms ? s->sm ^ sm_bit : s->sm;
    r->timestamp = s->lease ^ ((value & 192) == 64 ? UINT64_C(1) << (value >> 16) % bits : 0);
    r->now = (value & 256) != 0 ? s->lease : s->lease & r->now;
}

/* Makes of a request the first or the second one of a round on one slot: an INSTALL; a GETS, half
 * of which want the line's lease with one bit wrong. */
static void begin_round(const gm_cosim_configuration *configuration, bool first, const sequence *s,
                        gm_cosim_random *random, gm_tc_l2_request *r)
{
    uint64_t value = gm_cosim_random_next(random);
    r->op = first ? GM_TC_L2_INSTALL : GM_TC_L2_GETS;
    r->slot = s->slot;
    r->sm %= configuration->parameter[SMS][0];
    if ((value & 1) != 0) {
        r->now = s->lease ^ UINT64_C(1) << (value >> 1) % configuration->parameter[TIME_W][0];
        r->life = 0;
    }
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    enum { CHOICE, NUMBERS_OF, BATCHES_LEFT };
    gm_tc_l2_request *requests = (void *)request;
    uint64_t last = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    if (plan->word[BATCHES_LEFT] == 0) {
        static const unsigned batches[] = {1, 1, 2, 6};
        plan->word[CHOICE] = gm_cosim_random_next(random);
        plan->word[NUMBERS_OF] = gm_cosim_random_next(random);
        plan->word[BATCHES_LEFT] = batches[plan->word[CHOICE] >> 32 & 3];
    }
    plan->word[BATCHES_LEFT]--;
    habit habit = next_habit(configuration, plan->word[CHOICE], plan->word[NUMBERS_OF]);
    sequence sequence = {.slot = habit.first};
    for (size_t i = 0; i < count; i++) {
        requests[i] = next_request(configuration, &habit, random, sequence.slot);
        if (habit.rounds && i % 3 != 2) {
            begin_round(configuration, i % 3 == 0, &sequence, random, &requests[i]);
        } else if (habit.rounds || gm_cosim_random_next(random) % 8 < habit.sequel) {
            continue_sequence(configuration, &sequence, random, &requests[i]);
        }
        follow(&sequence, &requests[i], last);
    }
}

enum { SWEPT = 1024 }; /* slots that a sweep accesses, at most */

/* What a sweep does with each slot: an operation of an SM, `other` ones above the slot's first; at
 * the time 0, in which no line that was not accessed is in E, or later. */
typedef struct swept {
    unsigned op;
    uint64_t other;
    bool at_zero;
} swept;

/* Puts an operation of each slot, or of SWEPT of them, which differ from round to round. Leases and
 * owners of neighbours differ. */
static void sweep(const gm_cosim_configuration *configuration, uint64_t round, swept what,
                  gm_cosim_tape *tape)
{
    uint64_t slots = configuration->parameter[SLOTS][0];
    uint64_t step = (slots + SWEPT - 1) / SWEPT;
    uint64_t last = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    for (uint64_t slot = round % step; slot < slots; slot += step) {
        uint64_t lease = 1 + (slot ^ round) % (last - 1);
        const gm_tc_l2_request request = {
            .op = what.op,
            .slot = slot,
            .sm = (slot + what.other) % configuration->parameter[SMS][0],
            .timestamp = what.at_zero ? 0 : lease,
            .now = what.at_zero ? 0 : 1,
            .life = what.at_zero ? 0 : lease - 1,
        };
        gm_cosim_tape_put(tape, &request);
    }
}

/* Returns request `number` of the sequences that make explore has found, of which it is in
 * `sequence`: in slots of its own, with times and SMs cut to the instance's. */
static gm_tc_l2_request explored(const gm_cosim_configuration *configuration, size_t number,
                                 uint64_t sequence)
{
    gm_tc_l2_request request;
    uint64_t times = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    EXPLORED_REQUEST(request, number);
    request.slot = (request.slot + 2 * sequence) % configuration->parameter[SLOTS][0];
    request.sm %= configuration->parameter[SMS][0];
    request.timestamp &= times;
    request.now &= times;
    request.life &= times;
    request.kept_lease &= times;
    return request;
}

/* Last, the sequences of make explore. Before: accesses every slot after the reset, while all
 * others have a lease, and after a ROLLOVER: one that does not keep its state, or shares another
 * one's, answers otherwise. The second ROLLOVER takes owners, which an UPGR at the time 0 asks for.
 */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    sweep(configuration, round, (swept){.op = GM_TC_L2_EVICT}, tape);
    sweep(configuration, round, (swept){.op = GM_TC_L2_GETS}, tape);
    sweep(configuration, round, (swept){.op = GM_TC_L2_UPGR}, tape); /* of the owner */
    sweep(configuration, round, (swept){.op = GM_TC_L2_GETS, .other = 1}, tape);
    sweep(configuration, round, (swept){.op = GM_TC_L2_EVICT}, tape);
    gm_cosim_tape_put(tape, &(gm_tc_l2_request){.op = GM_TC_L2_ROLLOVER});
    sweep(configuration, round, (swept){.op = GM_TC_L2_EVICT}, tape);
    sweep(configuration, round, (swept){.op = GM_TC_L2_GETS}, tape);
    gm_cosim_tape_put(tape, &(gm_tc_l2_request){.op = GM_TC_L2_ROLLOVER});
    sweep(configuration, round, (swept){.op = GM_TC_L2_UPGR, .at_zero = true}, tape);
    uint64_t sequence = 0;
    for (size_t i = 0; i < SEQUENCE_REQUESTS; i++) {
        sequence += sequences[i][0];
        gm_tc_l2_request request = explored(configuration, i, sequence);
        gm_cosim_tape_put(tape, &request);
    }
}

/* What requests must meet: times and SMs that differ in one bit, equal times, the last time. */
enum {
    DIFFERS_NOW,
    DIFFERS_TIMESTAMP,
    DIFFERS_WANTED,
    DIFFERS_OWNER,
    TIES,
    LAST_TIMES,
    ALL,
    EXPLORED,
    GOALS
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    uint64_t times = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    uint64_t sms = configuration->parameter[SMS][0];
    const gm_cosim_goal all[GOALS] = {
        [DIFFERS_NOW] = {"lease: now", true, times},
        [DIFFERS_TIMESTAMP] = {"lease: the timestamp of an UPGR", true, times},
        [DIFFERS_WANTED] = {"lease: what a GETS wants", true, times},
        [DIFFERS_OWNER] = {"owner", true, sms == 1 ? 0 : numbers_of(sms)},
        [TIES] = {"now is the lease (0), or one later (1)", false, 3},
        [LAST_TIMES] =
            {"a GETS beyond the last time (0), a write one before it (1), a write at it (2)", false,
             configuration->parameter[STRONG][0] != 0 ? 1 : 7},
        [ALL] = {"every slot has a lease, and the last one is accessed", false,
                 configuration->parameter[SLOTS][0] <= SWEPT},
        [EXPLORED] = {"the last request of the explored sequences", false, 1},
    };
    memcpy(goal, all, sizeof all);
    return GOALS;
}

/* Returns true for the last slot of a bank in which every slot has a lease. */
static bool all_have_leases(const gm_tc_l2 *l2, uint64_t slot)
{
    bool all = slot + 1 == l2->parameters.slots && slot < SWEPT;
    for (uint64_t other = 0; all && other <= slot; other++) {
        all = l2->line[other].lease != 0;
    }
    return all;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_tc_l2_request *r = (const void *)request;
    uint64_t last = gm_mask((unsigned)configuration->parameter[TIME_W][0]);
    gm_tc_l2_request last_explored = explored(configuration, SEQUENCE_REQUESTS - 1, SEQUENCES);
    met[EXPLORED] = memcmp(r, &last_explored, sizeof *r) == 0;
    if (r->op >= GM_TC_L2_INSTALL && r->op != GM_TC_L2_EVICT) {
        return;
    }
    const gm_tc_l2_line *line = &((const gm_tc_l2 *)model)->line[r->slot];
    met[ALL] = r->op == GM_TC_L2_EVICT && all_have_leases(model, r->slot);
    bool unexpired = r->now <= line->lease;
    uint64_t differs = r->now ^ line->lease;
    met[DIFFERS_NOW] = gm_is_power_of_two(differs) ? differs : 0;
    met[TIES] = (r->now == line->lease ? 1 : 0) | (r->now == line->lease + UINT64_C(1) ? 2 : 0);
    if (r->op == GM_TC_L2_GETS && r->no_lease == 0) {
        differs = (r->now + r->life) ^ line->lease;
        met[DIFFERS_WANTED] = gm_is_power_of_two(differs) && differs <= last ? differs : 0;
        met[LAST_TIMES] = r->now + r->life > last ? 1 : 0;
    } else if (r->op != GM_TC_L2_EVICT && unexpired) {
        met[LAST_TIMES] =
            (line->lease + UINT64_C(1) == last ? 2 : 0) | (line->lease == last ? 4 : 0);
    }
    if (r->op == GM_TC_L2_UPGR && unexpired) {
        differs = r->timestamp ^ line->lease;
        met[DIFFERS_TIMESTAMP] = gm_is_power_of_two(differs) ? differs : 0;
        differs = r->sm ^ line->owner;
        met[DIFFERS_OWNER] =
            line->owned && r->timestamp == line->lease && gm_is_power_of_two(differs) ? differs : 0;
    }
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_tc_l2_request *)(const void *)request)->slot;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_tc_l2_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .mutation = {"slots=4 sms=4 time_bits=3 visible=1", "slots=3 sms=3 time_bits=3 strong=1",
                 "slots=2 sms=4 time_bits=3 printed=7"},
    .configure = configure,
    .arena_bytes = ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 60000,
    .goals = goals,
    .meet = meet,
    .subject = subject,
};
