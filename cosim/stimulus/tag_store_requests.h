/* Requests of tag_store in lockstep. A batch has one pattern: the number of lines and sets, the
 * shares of operations, the permissions; or it is a directed walk, a stream, or allocations and
 * evictions, in one set. The position at which a line waits is not known here: a FILL is sent to
 * one position, or to all. */
#ifndef GOLDMEM_COSIM_STIMULUS_TAG_STORE_REQUESTS_H
#define GOLDMEM_COSIM_STIMULUS_TAG_STORE_REQUESTS_H

#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/tag_store.h"
#include "stimulus/index_lines.h"

#include <string.h>

/* The RTL parameters, in the port list's order. */
enum {
    TAG_WAYS = AFTER_INDEX,
    DATA_WAYS,
    RC_W,
    THRESHOLD,
    ALLOCATION_RC,
    COMPARE_ABOVE,
    AGE_TWICE,
    LFU_ANY,
    REPLACEMENT,
    RRPV_W,
    SIGNATURE_W,
    COUNTER_W,
    HAS_PROBE_STAGE,
};

/* The pattern of a batch of requests. */
typedef struct habit {
    unsigned share[6];           /* of 64, for each kind of operation */
    uint64_t lines;              /* different lines of each set */
    uint64_t sets;               /* different sets */
    unsigned no_miss, no_bypass; /* of 8: requests without the permission */
    unsigned again;              /* of 8: requests for the line of the last request */
    unsigned conventional;       /* of 8: PROBEs with threshold 0 */
    unsigned region;             /* log2 of the lines that share a signature */
    unsigned stray;              /* of 8: requests with a random signature */
    unsigned set;                /* the first of the sets */
} habit;

/* Kinds of operation: SWEEP is a sequence of FILLs, one for each position. */
enum { PROBE, FILL, SWEEP, WRITE, INVALIDATE, FLUSH };

enum { LONGEST_SWEEP = 8 };

static habit next_habit(const gm_cosim_configuration *configuration, uint64_t choice)
{
    /* PROBE, FILL, SWEEP, WRITE, INVALIDATE, FLUSH */
    static const unsigned share[][6] = {
        {50, 2, 10, 1, 1, 0}, {38, 4, 18, 2, 2, 0}, {26, 4, 28, 3, 3, 0}, {64, 0, 0, 0, 0, 0},
        {40, 2, 16, 5, 1, 0}, {42, 2, 14, 1, 4, 1}, {44, 2, 14, 1, 1, 2}, {8, 0, 54, 1, 1, 0}};
    uint64_t data_ways = configuration->parameter[DATA_WAYS][0];
    uint64_t tag_ways = configuration->parameter[TAG_WAYS][0];
    uint64_t all = UINT64_C(1) << configuration->parameter[INDEX_W][0];
    const uint64_t lines[] = {1,        2,        data_ways,    data_ways + 1,
                              tag_ways, tag_ways, tag_ways + 1, 2 * tag_ways};
    const uint64_t sets[] = {1, 1, 2, all};
    static const unsigned lacks[] = {0, 0, 1, 4};
    static const unsigned again[] = {0, 1, 4, 6};
    static const unsigned conventional[] = {0, 0, 2, 6};
    static const unsigned region[] = {0, 1, 2, 6};
    static const unsigned stray[] = {0, 1};
    habit made = {
        .lines = lines[choice >> 3 & 7],
        .sets = sets[choice >> 6 & 3],
        .no_miss = lacks[choice >> 8 & 3],
        .no_bypass = lacks[choice >> 10 & 3],
        .again = again[choice >> 12 & 3],
        .conventional = conventional[choice >> 14 & 3],
        .region = region[choice >> 16 & 3],
        .stray = stray[choice >> 18 & 1],
        .set = (unsigned)(choice >> 32 & (all - 1)),
    };
    memcpy(made.share, share[choice & 7], sizeof made.share);
    return made;
}

typedef struct target {
    uint64_t line, signature;
} target;

static target next_target(const line_map *map, const habit *habit, uint64_t random)
{
    uint64_t number = (random & 0xffffffff) % habit->lines;
    uint64_t set = (habit->set + (random >> 48) % habit->sets) & gm_mask(map->index_bits);
    return (target){line_of(map, number, set), number >> habit->region};
}

/* A directed walk through one set, for 8 entries with 4 data lines and threshold 2; allowed with
 * other parameters. Names lines by number, and the position that each gets. */
static const struct {
    uint8_t op, line, position, may_miss, may_bypass, conventional;
} walk[] = {
    /* a line is bypassed, requested again, waits, is hit [li, Figure 7] */
    {GM_TAG_STORE_PROBE, 1, 0, 1, 0, 0},
    {GM_TAG_STORE_PROBE, 1, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 1, 0, 0, 1, 0},
    {GM_TAG_STORE_PROBE, 1, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 1, 0, 0, 1, 0},
    {GM_TAG_STORE_PROBE, 1, 0, 1, 0, 0},
    {GM_TAG_STORE_FILL, 1, 1, 0, 0, 0},
    {GM_TAG_STORE_FILL, 1, 0, 0, 0, 0},
    {GM_TAG_STORE_FILL, 1, 0, 0, 0, 0},
    {GM_TAG_STORE_PROBE, 1, 0, 0, 0, 0},
    /* all data lines wait: a fifth line fails; then one is filled and evicted */
    {GM_TAG_STORE_PROBE, 2, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 3, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 4, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 5, 0, 1, 1, 0},
    {GM_TAG_STORE_WRITE, 1, 0, 0, 0, 0},
    {GM_TAG_STORE_PROBE, 1, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 1, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 2, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 3, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 4, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 4, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 5, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 5, 0, 1, 1, 0},
    {GM_TAG_STORE_FILL, 2, 1, 0, 0, 0},
    {GM_TAG_STORE_PROBE, 5, 0, 1, 1, 0},
    /* a waiting line is written, invalidated, flushed, and its fill dropped */
    {GM_TAG_STORE_WRITE, 1, 0, 0, 0, 0},
    {GM_TAG_STORE_PROBE, 1, 0, 1, 1, 0},
    {GM_TAG_STORE_WRITE, 1, 0, 0, 0, 0},
    {GM_TAG_STORE_FILL, 1, 0, 0, 0, 0},
    {GM_TAG_STORE_INVALIDATE, 3, 0, 0, 0, 0},
    {GM_TAG_STORE_INVALIDATE, 3, 0, 0, 0, 0},
    {GM_TAG_STORE_FILL, 3, 2, 0, 0, 0},
    {GM_TAG_STORE_FLUSH, 0, 0, 0, 0, 0},
    {GM_TAG_STORE_PROBE, 4, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 6, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 6, 0, 1, 1, 0},
    {GM_TAG_STORE_FILL, 4, 3, 0, 0, 0},
    {GM_TAG_STORE_FILL, 5, 1, 0, 0, 0},
    {GM_TAG_STORE_FILL, 6, 0, 0, 0, 0},
    {GM_TAG_STORE_INVALIDATE, 6, 0, 0, 0, 0},
    /* more lines than entries: LFU with ties, then with an entry of a larger count */
    {GM_TAG_STORE_PROBE, 7, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 8, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 9, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 10, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 11, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 12, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 13, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 14, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 15, 0, 1, 0, 0},
    {GM_TAG_STORE_PROBE, 15, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 7, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 8, 0, 1, 1, 0},
    {GM_TAG_STORE_FILL, 8, 0, 0, 0, 0},
    {GM_TAG_STORE_WRITE, 8, 0, 0, 0, 0},
    {GM_TAG_STORE_INVALIDATE, 9, 0, 0, 0, 0},
    /* conventional PROBEs below the threshold: a line with an entry, and new lines */
    {GM_TAG_STORE_PROBE, 9, 0, 1, 1, 0},
    {GM_TAG_STORE_PROBE, 9, 0, 0, 1, 1},
    {GM_TAG_STORE_PROBE, 10, 0, 1, 1, 1},
    {GM_TAG_STORE_PROBE, 16, 0, 1, 0, 1},
    {GM_TAG_STORE_PROBE, 17, 0, 1, 0, 1},
    {GM_TAG_STORE_PROBE, 18, 0, 1, 1, 0},
    {GM_TAG_STORE_FILL, 16, 0, 0, 0, 0},
    {GM_TAG_STORE_FILL, 16, 1, 0, 0, 0},
};

static void take_walk(const gm_cosim_configuration *configuration, const line_map *map,
                      uint64_t set, gm_tag_store_request *requests, size_t count)
{
    uint64_t all = configuration->parameter[DATA_WAYS][0];
    for (size_t i = 0; i < count; i++) {
        size_t step = i % (sizeof walk / sizeof *walk);
        requests[i] = (gm_tag_store_request){
            .op = walk[step].op,
            .line = line_of(map, walk[step].line, set),
            .position = walk[step].position < all ? walk[step].position : 0,
            .may_miss = walk[step].may_miss,
            .may_bypass = walk[step].may_bypass,
            .conventional = walk[step].conventional,
            .signature = walk[step].line & 1,
        };
    }
}

/* Lines with the set's one signature stream through one set, two at a time and never twice in a
 * row, so that each is evicted without reuse. Their positions are not known: a FILL is sent to
 * every position. Sometimes all are flushed. */
static void take_stream(const gm_cosim_configuration *configuration, const line_map *map,
                        uint64_t set, gm_tag_store_request *requests, size_t count)
{
    uint64_t data_ways = configuration->parameter[DATA_WAYS][0];
    uint64_t lines = 2 * configuration->parameter[TAG_WAYS][0];
    uint64_t positions = data_ways < LONGEST_SWEEP ? data_ways : LONGEST_SWEEP;
    uint64_t round = 3 + 2 * positions; /* PROBE a, which fails; PROBE a, b; FILLs of a; of b */
    enum { ROUNDS_TO_FLUSH = 4 };
    for (size_t i = 0; i < count; i++) {
        uint64_t step = i % round;
        bool probes = step < 3;
        bool second = step == 2 || step >= 3 + positions;
        bool flushes = step == 0 && i / round % ROUNDS_TO_FLUSH == ROUNDS_TO_FLUSH - 1;
        requests[i] = (gm_tag_store_request){
            .op = flushes  ? GM_TAG_STORE_FLUSH
                  : probes ? GM_TAG_STORE_PROBE
                           : GM_TAG_STORE_FILL,
            .line = line_of(map, (2 * (i / round) + second) % lines, set),
            .position = probes ? 0 : (step - 3) % positions,
            .may_miss = step != 0,
            .conventional = 1,
            .signature = set & gm_mask((unsigned)configuration->parameter[SIGNATURE_W][0]),
        };
    }
}

/* Lines are allocated in one set, used and removed, each filled before the next; sometimes more new
 * lines than the set has data lines. Tests that a line keeps its place in the replacement order
 * while others are removed, until it is evicted. */
static void take_departures(const gm_cosim_configuration *configuration, const line_map *map,
                            uint64_t set, gm_cosim_random *random, gm_tag_store_request *requests,
                            size_t count)
{
    static const uint8_t operation[] = {GM_TAG_STORE_PROBE, GM_TAG_STORE_PROBE, GM_TAG_STORE_WRITE,
                                        GM_TAG_STORE_INVALIDATE};
    uint64_t data_ways = configuration->parameter[DATA_WAYS][0];
    uint64_t positions = data_ways < LONGEST_SWEEP ? data_ways : LONGEST_SWEEP;
    uint64_t round = 3 * data_ways + 2; /* then data_ways + 1 new lines */
    uint64_t fills = 0;                 /* FILLs left for the line */
    uint64_t line = 0;
    for (size_t i = 0, event = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        bool is_new = event % round > 2 * data_ways;
        gm_tag_store_request *request = &requests[i];
        *request = (gm_tag_store_request){.op = GM_TAG_STORE_FILL, .position = positions - fills};
        if (fills > 0) {
            fills--;
        } else {
            line = is_new ? data_ways + 1 + event % round : (value >> 32) % (data_ways + 1);
            *request = (gm_tag_store_request){.op = operation[is_new ? 0 : value & 3],
                                              .may_miss = 1,
                                              .may_bypass = (value >> 2 & 7) != 0,
                                              .conventional = (value >> 5 & 7) != 0};
            fills = request->op == GM_TAG_STORE_PROBE ? positions : 0;
            event++;
        }
        request->line = line_of(map, line, set);
        request->signature = line & gm_mask((unsigned)configuration->parameter[SIGNATURE_W][0]);
    }
}

/* Appends one request with every permission. */
static void put(gm_cosim_tape *tape, const line_map *map, unsigned op, uint64_t tag, uint64_t set)
{
    gm_cosim_tape_put(tape, &(gm_tag_store_request){
                                .op = op,
                                .line = line_of_tag(map, tag, set),
                                .may_miss = 1,
                                .may_bypass = 1,
                            });
}

/* Tags that differ in one bit meet in a set: each is requested right after the first. */
static void put_neighbours(gm_cosim_tape *tape, const line_map *map, uint64_t set)
{
    put(tape, map, GM_TAG_STORE_PROBE, map->first, set);
    for (unsigned b = 0; b < map->tag_bits; b++) {
        put(tape, map, GM_TAG_STORE_PROBE, map->first ^ UINT64_C(1) << b, set);
        put(tape, map, GM_TAG_STORE_PROBE, map->first, set);
    }
}

/* FILLs of a line to all positions. */
static void put_fills(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                      const line_map *map, uint64_t tag, uint64_t set)
{
    for (uint64_t p = 0; p < configuration->parameter[DATA_WAYS][0]; p++) {
        gm_cosim_tape_put(tape, &(gm_tag_store_request){.op = GM_TAG_STORE_FILL,
                                                        .line = line_of_tag(map, tag, set),
                                                        .position = p});
    }
}

/* Appends the PROBEs that a new line needs to get a data line as in the conventional cache. */
static void put_miss(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                     const line_map *map, uint64_t tag, uint64_t set, uint64_t signature)
{
    bool twice = configuration->parameter[COMPARE_ABOVE][0] != 0 &&
                 configuration->parameter[ALLOCATION_RC][0] == 0;
    uint64_t all = gm_mask((unsigned)configuration->parameter[SIGNATURE_W][0]);
    for (unsigned i = 0; i < (twice ? 2 : 1); i++) {
        gm_cosim_tape_put(tape, &(gm_tag_store_request){.op = GM_TAG_STORE_PROBE,
                                                        .line = line_of_tag(map, tag, set),
                                                        .may_miss = 1,
                                                        .may_bypass = 1,
                                                        .conventional = 1,
                                                        .signature = signature & all});
    }
}

/* All data lines of a set wait, and one more is requested; then all entries are in use, and one
 * more is requested. */
static void put_full_set(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                         const line_map *map, uint64_t set)
{
    uint64_t data_ways = configuration->parameter[DATA_WAYS][0];
    uint64_t tag_ways = configuration->parameter[TAG_WAYS][0];
    for (uint64_t i = 0; i <= data_ways; i++) {
        put_miss(tape, configuration, map, i, set, i);
    }
    for (uint64_t i = data_ways + 1; i-- > 0;) { /* at the other positions first: they fail */
        put_fills(tape, configuration, map, i, set);
    }
    for (uint64_t i = 0; i <= tag_ways; i++) {
        put(tape, map, GM_TAG_STORE_PROBE, i, set);
        put_fills(tape, configuration, map, i, set);
    }
}

/* A reference count goes up to its end, and a request more. */
static void put_full_count(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                           const line_map *map, uint64_t set)
{
    uint64_t tag = ~map->first;
    put(tape, map, GM_TAG_STORE_FLUSH, tag, set);
    for (uint64_t i = 0; i < 2 + (UINT64_C(1) << configuration->parameter[RC_W][0]); i++) {
        put(tape, map, GM_TAG_STORE_PROBE, tag, set);
    }
    put_fills(tape, configuration, map, tag, set);
    put(tape, map, GM_TAG_STORE_PROBE, tag, set);
}

/* A count goes up to its end, and ages down to 0 while another line gets a data line and loses it,
 * again and again, in a set not used before: the counted line has no data line or the first one,
 * the other line the next. With one data line the count stops before it is due. */
static void put_ages(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                     const line_map *map, uint64_t set)
{
    uint64_t all = gm_mask((unsigned)configuration->parameter[RC_W][0]);
    uint64_t enough =
        configuration->parameter[THRESHOLD][0] + configuration->parameter[COMPARE_ABOVE][0];
    uint64_t first = configuration->parameter[ALLOCATION_RC][0];
    uint64_t positions = configuration->parameter[DATA_WAYS][0] > 1 ? 2 : 1;
    uint64_t probes = (enough > first ? enough - first : 0) + positions - 1;
    uint64_t most = first > enough ? first : enough < all ? enough : all;
    uint64_t tag = map->first;
    uint64_t other = tag ^ 1;
    for (uint64_t i = 0; i < probes; i++) {
        put(tape, map, GM_TAG_STORE_PROBE, tag, set);
    }
    for (uint64_t i = 0; i < most / 2 + 1; i++) {
        put_miss(tape, configuration, map, other, set, 0);
        for (uint64_t p = 0; p < positions; p++) {
            gm_cosim_tape_put(tape, &(gm_tag_store_request){.op = GM_TAG_STORE_FILL,
                                                            .line = line_of_tag(map, other, set),
                                                            .position = p});
        }
        put(tape, map, GM_TAG_STORE_WRITE, other, set);
    }
    put_fills(tape, configuration, map, tag, set);
}

/* SRRIP, SHiP: lines without reuse until their signature's counter is at its end, and more; lines
 * of signatures that differ from it in one bit; then lines with reuse until the counter is at its
 * other end, and more. */
static void put_full_counter(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                             const line_map *map, uint64_t set)
{
    uint64_t steps = UINT64_C(2) << configuration->parameter[COUNTER_W][0];
    uint64_t bits = configuration->parameter[SIGNATURE_W][0];
    uint64_t without = configuration->parameter[DATA_WAYS][0] + steps;
    uint64_t others = without + 2 * bits;
    for (uint64_t i = 0; i < others + steps; i++) {
        bool is_other = i >= without && i < others && (i - without) % 2 != 0;
        uint64_t tag = map->first + i;
        put_miss(tape, configuration, map, tag, set,
                 is_other ? ~(UINT64_C(1) << (i - without) / 2) : UINT64_MAX);
        put_fills(tape, configuration, map, tag, set);
        if (i >= others) {
            put(tape, map, GM_TAG_STORE_PROBE, tag, set);
        }
    }
}

/* Everything at its limit, and one more. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    gm_cosim_random random = {round};
    line_map map = map_lines(configuration);
    uint64_t last = gm_mask(map.index_bits);
    map.first = gm_cosim_random_next(&random) & gm_mask(map.tag_bits);
    put_ages(tape, configuration, &map, 0);
    put_full_set(tape, configuration, &map, last);
    put_neighbours(tape, &map, gm_cosim_random_next(&random) & last);
    put_full_count(tape, configuration, &map, gm_cosim_random_next(&random) & last);
    if (configuration->parameter[REPLACEMENT][0] != GM_REPLACEMENT_LRU) {
        put_full_counter(tape, configuration, &map, gm_cosim_random_next(&random) & last);
    }
}

static unsigned next_kind(const habit *habit, uint64_t ticket)
{
    unsigned kind = 0;
    while (ticket >= habit->share[kind]) {
        ticket -= habit->share[kind++];
    }
    return kind;
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    static const uint8_t operation[] = {GM_TAG_STORE_PROBE,      GM_TAG_STORE_FILL,
                                        GM_TAG_STORE_FILL,       GM_TAG_STORE_WRITE,
                                        GM_TAG_STORE_INVALIDATE, GM_TAG_STORE_FLUSH};
    gm_tag_store_request *requests = (void *)request;
    uint64_t data_ways = configuration->parameter[DATA_WAYS][0];
    line_map map = next_map(configuration, plan, random);
    uint64_t choice = gm_cosim_random_next(random);
    habit habit = next_habit(configuration, choice);
    if (choice >> 60 == 0) {
        take_walk(configuration, &map, habit.set, requests, count);
        return;
    }
    if (choice >> 61 == 1) {
        take_stream(configuration, &map, habit.set, requests, count);
        return;
    }
    if (choice >> 61 == 2) {
        take_departures(configuration, &map, habit.set, random, requests, count);
        return;
    }
    target target = next_target(&map, &habit, gm_cosim_random_next(random));
    uint64_t sweep = 0; /* positions left of a SWEEP */
    uint64_t position = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        if (sweep == 0 && (value >> 6 & 7) >= habit.again) {
            target = next_target(&map, &habit, gm_cosim_random_next(random));
        }
        unsigned kind = sweep > 0 ? SWEEP : next_kind(&habit, value & 63);
        if (kind == SWEEP && sweep == 0) {
            sweep = data_ways < LONGEST_SWEEP ? data_ways : LONGEST_SWEEP;
        }
        position = sweep > 0 ? position + 1 : value >> 32;
        sweep -= kind == SWEEP;
        requests[i] = (gm_tag_store_request){
            .op = kind == FLUSH ? operation[kind] + (value >> 9 & 3) : operation[kind],
            .line = target.line,
            .position = position % data_ways,
            .may_miss = (value >> 12 & 7) >= habit.no_miss,
            .may_bypass = (value >> 15 & 7) >= habit.no_bypass,
            .conventional = (value >> 18 & 7) < habit.conventional,
            .signature = ((value >> 21 & 7) < habit.stray ? value >> 40 : target.signature) &
                         gm_mask((unsigned)configuration->parameter[SIGNATURE_W][0]),
        };
    }
}

#endif
