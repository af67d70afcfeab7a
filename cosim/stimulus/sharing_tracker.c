/* sharing_tracker in lockstep: instances and stimulus. A batch has one pattern: the number of
 * lines, sets and CUs, the shares of operations; sometimes a request continues the sequence LOOKUP,
 * FILL, EVICT on the line of the last request. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/sharing_tracker.h"
#include "stimulus/each_element.h"
#include "stimulus/explored_sequences.h"
#include "stimulus/index_lines.h"
#include "stimulus/sharing_tracker_sequences.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The RTL parameters, in the port list's order. */
enum { WAYS = AFTER_INDEX, CUS, POINTERS };

enum { ARENA_BYTES = sizeof(gm_set_index) + 12 * 1024 * 1024 }; /* for the largest tracker */

/* The model: a tracker with its index function. */
typedef struct model {
    gm_sharing_tracker tracker;
    gm_set_index function;
} model;

static int make_model(const char *options, gm_arena *arena, model *m, gm_error *error)
{
    enum { SETS, LINE_BITS, NUMBER_WAYS, NUMBER_CUS, NUMBER_POINTERS, NUMBERS };
    static const char *const names[] = {"sets", "line_bits", "ways", "cus", "pointers", "index"};
    static const uint64_t fallback[] = {1024, 42, 8, 16, 0};
    uint64_t value[NUMBERS] = {0};
    char index[GM_COSIM_OPTIONS / 2] = "ipoly";
    int code =
        gm_cosim_options_numbers(options, names, NUMBERS + 1, fallback, NUMBERS, value, error);
    gm_cosim_option(options, "index", index, sizeof index);
    if (code == 0) {
        code =
            gm_set_index_parse(&m->function, index, value[SETS], (unsigned)value[LINE_BITS], error);
    }
    if (code == 0 && !gm_set_index_is_linear(&m->function)) {
        code =
            gm_fail(error, -EINVAL, "index=%s: not a matrix over GF(2), so it has no RTL", index);
    }
    const gm_sharing_tracker_parameters p = {
        .index = &m->function,
        .ways = (unsigned)value[NUMBER_WAYS],
        .cus = (unsigned)value[NUMBER_CUS],
        .pointers = (unsigned)value[NUMBER_POINTERS],
    };
    return code < 0 ? code : gm_sharing_tracker_init(&m->tracker, &p, arena, error);
}

static int init(const gm_cosim_configuration *configuration, gm_arena *arena, void **made,
                gm_error *error)
{
    model *m = gm_arena_take(arena, 1, sizeof *m);
    *made = m;
    return m == NULL ? gm_fail(error, -ENOMEM, "sharing_tracker: the arena is full")
                     : make_model(configuration->options, arena, m, error);
}

/* The options, and the parameters of the RTL. */
static void describe(gm_cosim_configuration *configuration, const char *options, const model *m)
{
    const gm_sharing_tracker_parameters *p = &m->tracker.parameters;
    char index[GM_COSIM_OPTIONS / 2] = "ipoly";
    gm_cosim_option(options, "index", index, sizeof index);
    snprintf(configuration->options, sizeof configuration->options,
             "sets=%u index=%.64s line_bits=%u ways=%u cus=%u pointers=%u", 1u << m->function.bits,
             index, m->function.address_bits, p->ways, p->cus, p->pointers);
    set_index_parameters(configuration, &m->function);
    configuration->parameter[WAYS][0] = p->ways;
    configuration->parameter[CUS][0] = p->cus;
    configuration->parameter[POINTERS][0] = p->pointers;
}

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_arena arena;
    model m;
    int code = gm_arena_create(&arena, ARENA_BYTES, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    code = make_model(options, &arena, &m, error);
    gm_arena_free(&arena);
    if (code == 0) {
        describe(configuration, options, &m);
    }
    return code;
}

/* The thesis's tracker, the ends of every range, and sizes that are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"pointers=1", false, true},
    {"sets=2 line_bits=6 ways=2 cus=3", true, true},
    {"sets=2 line_bits=6 ways=3 cus=5 pointers=2", true, true},
    {"sets=4 line_bits=8 ways=4 cus=4 pointers=3", true, true},
    {"sets=2 index=sequential line_bits=2 ways=1 cus=1", false, true},
    {"sets=2 index=sequential line_bits=3 ways=2 cus=2 pointers=1", false, true},
    {"sets=4 index=xor ways=32 cus=15", false, true},
    {"sets=8 index=sequential ways=5 cus=64", false, true},
    {"sets=4 ways=4 cus=7 pointers=7 line_bits=64", false, true},
    {"index=sequential", false, false},
    {"sets=128 index=sequential line_bits=57", false, false}, /* of kepler-hybrid-tracker */
    {"sets=256 cus=4 pointers=1", false, false},
    {"sets=512 cus=8", false, false},
    {"sets=4096 ways=2 cus=8", false, false},
    {"sets=16 ways=16 cus=16 pointers=4", false, false},
    {"sets=8 ways=2 cus=64 pointers=8", false, false},
    {"sets=4 ways=2 cus=16 pointers=16", false, false},
    {"sets=64 index=fold line_bits=25 ways=7 cus=15", false, false},
    {"sets=32 index=fermi line_bits=25 cus=15 pointers=2", false, false},
    {"sets=128 index=ipoly:131 ways=12 cus=28", false, false},
    {"sets=2 ways=32 cus=33 pointers=5", false, false},
};

GM_COSIM_ACCESS_ALL(sharing_tracker)

/* Reads an element of the port list's state. Returns false where it is a don't-care. */
static bool view(const void *made, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { VALID, TAG, MARK, SHARER, POINTER, COUNT, LAST };
    const model *m = made;
    const gm_sharing_tracker *t = &m->tracker;
    unsigned pointers = t->parameters.pointers;
    uint64_t slot = element == POINTER && pointers > 0 ? lane % pointers : 0;
    uint64_t way = element == POINTER && pointers > 0 ? lane / pointers : lane;
    size_t entry = row * t->parameters.ways + way;
    bool valid = (t->valid[row] >> way & 1) != 0;
    uint64_t used = gm_count_ones(t->sharers[entry]);
    switch (element) {
    case VALID:
        *value = valid;
        return true;
    case TAG:
        *value = gm_set_index_tag(&m->function, t->line[entry]);
        return valid;
    case MARK:
        *value = t->marks[entry];
        return valid;
    case SHARER:
        *value = t->sharers[entry];
        return valid && pointers == 0;
    case POINTER:
        *value = pointers > 0 ? t->pointer[entry * pointers + slot] : 0;
        return valid && pointers > 0 && slot < used;
    case COUNT:
        *value = used;
        return valid && pointers > 0;
    case LAST:
        *value = t->last[entry];
        return valid;
    default:
        *value = t->rank[entry];
        return valid;
    }
}

/* The pattern of a batch of requests. */
typedef struct habit {
    unsigned share[GM_SHARING_TRACKER_ASK + 1]; /* of 64, for each operation */
    uint64_t lines;                             /* different lines of each set */
    uint64_t sets;                              /* different sets */
    uint64_t cus;                               /* different CUs, around the first */
    uint64_t first, set, cu;                    /* the first of each */
    unsigned again;  /* of 8: requests for the line of the last request */
    unsigned sequel; /* of 8: LOOKUPs directly followed by FILL, and FILLs by EVICT */
    unsigned only;   /* of 8: LOOKUPs without will_fill */
} habit;

static habit next_habit(const gm_cosim_configuration *configuration, uint64_t choice)
{
    /* LOOKUP, FILL, EVICT, WRITE, COHERENT, FLUSH, ASK */
    static const unsigned share[][GM_SHARING_TRACKER_ASK + 1] = {
        {28, 22, 6, 2, 2, 0, 4},  {32, 30, 2, 0, 0, 0, 0}, {20, 18, 20, 1, 1, 0, 4},
        {32, 10, 6, 8, 4, 0, 4},  {64, 0, 0, 0, 0, 0, 0},  {28, 24, 6, 2, 1, 1, 2},
        {16, 20, 4, 1, 1, 0, 22}, {38, 14, 4, 2, 2, 2, 2}};
    uint64_t ways = configuration->parameter[WAYS][0];
    uint64_t all_sets = UINT64_C(1) << configuration->parameter[INDEX_W][0];
    uint64_t all_cus = configuration->parameter[CUS][0];
    const uint64_t lines[] = {1, 2, ways, ways + 1, ways + 1, ways + 2, 2 * ways, 2 * ways};
    const uint64_t sets[] = {1, 1, 2, all_sets};
    const uint64_t cus[] = {2, 3, all_cus, all_cus};
    static const unsigned eighths[] = {0, 1, 4, 6};
    habit made = {
        .lines = lines[choice >> 3 & 7],
        .sets = sets[choice >> 6 & 3],
        .cus = cus[choice >> 8 & 3],
        .again = eighths[choice >> 10 & 3],
        .sequel = eighths[choice >> 12 & 3],
        .only = eighths[choice >> 14 & 3],
        .cu = (choice >> 16 & 63) % all_cus,
        .first = choice >> 24 & 31,
        .set = choice >> 32 & (all_sets - 1),
    };
    memcpy(made.share, share[choice & 7], sizeof made.share);
    return made;
}

static gm_sharing_tracker_request next_request(const gm_cosim_configuration *configuration,
                                               const line_map *map, const habit *habit,
                                               uint64_t value,
                                               const gm_sharing_tracker_request *before)
{
    uint64_t set = (habit->set + (value >> 40 & 0xffff) % habit->sets) & gm_mask(map->index_bits);
    unsigned op = 0;
    for (uint64_t ticket = value & 63; ticket >= habit->share[op]; op++) {
        ticket -= habit->share[op];
    }
    bool again = (value >> 6 & 7) < habit->again;
    return (gm_sharing_tracker_request){
        .op = op == GM_SHARING_TRACKER_FLUSH ? op + 2 * (value >> 9 & 1) : op, /* 5 or 7 */
        .line = again ? before->line
                      : line_of(map, habit->first + (value >> 16 & 0xffff) % habit->lines, set),
        .cu = (habit->cu + (value >> 56) % habit->cus) % configuration->parameter[CUS][0],
        .will_fill = (value >> 12 & 7) >= habit->only,
    };
}

static void put(gm_cosim_tape *tape, const line_map *map, unsigned op, uint64_t tag, uint64_t set,
                uint64_t cu)
{
    gm_cosim_tape_put(tape,
                      &(gm_sharing_tracker_request){
                          .op = op, .line = line_of_tag(map, tag, set), .cu = cu, .will_fill = 1});
}

/* All entries of a set are in use, and one more is requested. */
static void put_full_set(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                         const line_map *map, uint64_t set)
{
    uint64_t cus = configuration->parameter[CUS][0];
    for (uint64_t i = 0; i <= configuration->parameter[WAYS][0]; i++) {
        put(tape, map, GM_SHARING_TRACKER_LOOKUP, i, set, i % cus);
        put(tape, map, GM_SHARING_TRACKER_FILL, i, set, i % cus);
    }
}

/* Tags that differ in one bit meet in a set: each is looked up right after the first. */
static void put_neighbours(gm_cosim_tape *tape, const line_map *map, uint64_t set)
{
    put(tape, map, GM_SHARING_TRACKER_LOOKUP, map->first, set, 0);
    put(tape, map, GM_SHARING_TRACKER_FILL, map->first, set, 0);
    for (unsigned b = 0; b < map->tag_bits; b++) {
        put(tape, map, GM_SHARING_TRACKER_LOOKUP, map->first ^ UINT64_C(1) << b, set, 0);
        put(tape, map, GM_SHARING_TRACKER_LOOKUP, map->first, set, 0);
    }
}

/* CUs that differ in one bit meet in an entry: one is marked or a sharer, the other asks. */
static void put_cus(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                    const line_map *map, uint64_t set)
{
    for (uint64_t other = 1; other < configuration->parameter[CUS][0]; other <<= 1) {
        put(tape, map, GM_SHARING_TRACKER_WRITE, map->first, set, 0);
        put(tape, map, GM_SHARING_TRACKER_LOOKUP, map->first, set, 0);
        put(tape, map, GM_SHARING_TRACKER_FILL, map->first, set, other);
        put(tape, map, GM_SHARING_TRACKER_FILL, map->first, set, 0);
        put(tape, map, GM_SHARING_TRACKER_ASK, map->first, set, 0);
        put(tape, map, GM_SHARING_TRACKER_LOOKUP, map->first, set, other);
        put(tape, map, GM_SHARING_TRACKER_EVICT, map->first, set, other);
        put(tape, map, GM_SHARING_TRACKER_EVICT, map->first, set, 0);
    }
}

/* Each CU in turn is the only sharer, when a CU with its number asks from another tracker. */
static void put_asks(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                     const line_map *map, uint64_t set)
{
    for (uint64_t cu = 0; cu < configuration->parameter[CUS][0]; cu++) {
        put(tape, map, GM_SHARING_TRACKER_LOOKUP, map->first, set, cu);
        put(tape, map, GM_SHARING_TRACKER_FILL, map->first, set, cu);
        put(tape, map, GM_SHARING_TRACKER_ASK, map->first, set, cu);
        put(tape, map, GM_SHARING_TRACKER_WRITE, map->first, set, cu);
    }
}

/* Each CU in turn becomes a sharer and supplies the next one; then all are marked, and fill. */
static void put_sharers(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                        const line_map *map, uint64_t set)
{
    uint64_t cus = configuration->parameter[CUS][0];
    for (uint64_t cu = 0; cu < cus; cu++) {
        put(tape, map, GM_SHARING_TRACKER_LOOKUP, ~map->first, set, cu);
        put(tape, map, GM_SHARING_TRACKER_FILL, ~map->first, set, cu);
        put(tape, map, GM_SHARING_TRACKER_LOOKUP, ~map->first, set, (cu + 1) % cus);
        put(tape, map, GM_SHARING_TRACKER_ASK, ~map->first, set, cu);
    }
    for (uint64_t cu = 0; cu < cus; cu++) {
        put(tape, map, GM_SHARING_TRACKER_LOOKUP, ~map->first, set, cu);
    }
    for (uint64_t cu = 0; cu < 2 * cus; cu++) {
        put(tape, map, GM_SHARING_TRACKER_FILL, ~map->first, set, cu % cus);
    }
}

enum { SWEPT = 1024 }; /* sets that a sweep accesses, at most */

/* Puts an operation with a line of each set, or of SWEPT of them, which differ from round to round.
 * Lines of neighbours differ in their tags and CUs. */
static void put_sweep(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                      const line_map *map, uint64_t round, unsigned op)
{
    uint64_t sets = UINT64_C(1) << map->index_bits;
    uint64_t step = (sets + SWEPT - 1) / SWEPT;
    uint64_t cus = configuration->parameter[CUS][0];
    for (uint64_t set = round % step; set < sets; set += step) {
        put(tape, map, op, map->first ^ (set & gm_mask(map->tag_bits)), set, set % cus);
    }
}

/* Accesses every set after a reset or FLUSH, and while all others have an entry: one that does not
 * keep its state, or shares another one's, answers EVICT otherwise. */
static void put_all_sets(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                         const line_map *map, uint64_t round)
{
    static const unsigned ops[] = {GM_SHARING_TRACKER_EVICT, GM_SHARING_TRACKER_LOOKUP,
                                   GM_SHARING_TRACKER_FILL, GM_SHARING_TRACKER_EVICT};
    put(tape, map, GM_SHARING_TRACKER_FLUSH, 0, 0, 0);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        put_sweep(tape, configuration, map, round, ops[i]);
    }
}

enum { STORED = 2560 /* requests of a round that store and compare tags, about */ };

/* Returns the sets whose tags a round stores. */
static uint64_t stored_sets(const gm_cosim_configuration *configuration)
{
    uint64_t sets = UINT64_C(1) << configuration->parameter[INDEX_W][0];
    uint64_t most = STORED / (4 * configuration->parameter[WAYS][0]);
    return sets < most ? sets : most;
}

/* Fills some sets, other ones in each round, with tags, and then with tags of which every bit
 * differs from the one that its entry had; LOOKUPs each once more. The tags that are dropped are
 * answered, so a bit of a row that is stuck is found. */
static void put_tags(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                     const line_map *map, uint64_t round)
{
    uint64_t ways = configuration->parameter[WAYS][0];
    uint64_t stored = stored_sets(configuration);
    put(tape, map, GM_SHARING_TRACKER_FLUSH, 0, 0, 0);
    for (uint64_t i = 0; i < stored * 4 * ways; i++) {
        uint64_t step = round * stored + i / (4 * ways);
        uint64_t tag = map->first ^ i % ways;
        bool second = i / ways % 4 >= 2;
        put(tape, map, GM_SHARING_TRACKER_LOOKUP, second ? ~tag : tag,
            walked_element(step, UINT64_C(1) << map->index_bits), 0);
    }
}

/* Returns true if the tags of each set are wanted: of full maps, since pointers change nothing of
 * them. */
static bool wants_all_tags(const gm_cosim_configuration *configuration)
{
    return configuration->parameter[POINTERS][0] == 0 &&
           configuration->parameter[INDEX_W][0] <= gm_log2_ceil(SWEPT);
}

/* Returns the rounds in which the tags of all sets are stored. */
static uint64_t walk(const gm_cosim_configuration *configuration)
{
    return wants_all_tags(configuration)
               ? walk_rounds(UINT64_C(1) << configuration->parameter[INDEX_W][0],
                             stored_sets(configuration))
               : 1;
}

/* Returns request `number` of the sequences that make explore-hybrid has found, on lines of one set
 * and with CUs of the instance. */
static gm_sharing_tracker_request explored(const gm_cosim_configuration *configuration,
                                           const line_map *map, size_t number)
{
    gm_sharing_tracker_request request;
    EXPLORED_REQUEST(request, number);
    request.line = line_of_tag(map, map->first ^ request.line / 2, 0);
    request.cu %= configuration->parameter[CUS][0];
    return request;
}

/* Each sequence of make explore-hybrid, in an empty tracker. */
static void put_sequences(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                          const line_map *map)
{
    for (size_t i = 0; i < SEQUENCE_REQUESTS; i++) {
        if (sequences[i][0] != 0) {
            put(tape, map, GM_SHARING_TRACKER_FLUSH, 0, 0, 0);
        }
        const gm_sharing_tracker_request request = explored(configuration, map, i);
        gm_cosim_tape_put(tape, &request);
    }
}

/* Everything at its limit, and one more. Last, the sequences of make explore-hybrid. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    gm_cosim_random random = {round};
    line_map map = map_lines(configuration);
    uint64_t last = gm_mask(map.index_bits);
    map.first = gm_cosim_random_next(&random) & gm_mask(map.tag_bits);
    put_full_set(tape, configuration, &map, last);
    put_neighbours(tape, &map, gm_cosim_random_next(&random) & last);
    put_cus(tape, configuration, &map, gm_cosim_random_next(&random) & last);
    put_asks(tape, configuration, &map, gm_cosim_random_next(&random) & last);
    put_sharers(tape, configuration, &map, gm_cosim_random_next(&random) & last);
    put_all_sets(tape, configuration, &map, round);
    put_tags(tape, configuration, &map, round);
    put_sequences(tape, configuration, &map);
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    gm_sharing_tracker_request *requests = (void *)request;
    line_map map = next_map(configuration, plan, random);
    habit habit = next_habit(configuration, gm_cosim_random_next(random));
    gm_sharing_tracker_request before = {0};
    before.line = line_of(&map, habit.first, habit.set);
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        gm_sharing_tracker_request next = next_request(configuration, &map, &habit, value, &before);
        if (before.op < GM_SHARING_TRACKER_EVICT && (value >> 32 & 7) < habit.sequel) {
            next = before;
            next.op++;
        }
        requests[i] = next;
        before = next;
    }
}

enum {
    GOAL_TAG,
    GOAL_MARK,
    GOAL_SHARER,
    GOAL_SUPPLIER,
    GOAL_WAY,
    GOAL_NO_ENTRY,
    GOAL_MARKED,
    GOAL_SHARES,
    GOAL_LAST,
    GOAL_ALL_SHARE,
    GOAL_ALL_POINTERS,
    GOAL_ALL_SETS,
    GOAL_ASKED,
    GOAL_TAG_OF, /* the first of 16 goals of 64 sets each */
    GOALS = GOAL_TAG_OF + 16,
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    unsigned tag_bits =
        (unsigned)(configuration->parameter[LINE_W][0] - configuration->parameter[INDEX_W][0]);
    unsigned ways = (unsigned)configuration->parameter[WAYS][0];
    unsigned cus = (unsigned)configuration->parameter[CUS][0];
    unsigned pointers = (unsigned)configuration->parameter[POINTERS][0];
    uint64_t cu_bits = gm_mask(gm_log2_ceil(cus));
    const gm_cosim_goal all[GOAL_TAG_OF] = {
        [GOAL_TAG] = {"tag", true, gm_mask(tag_bits)},
        [GOAL_MARK] = {"CU of a mark, by FILL", true, cu_bits},
        [GOAL_SHARER] = {"CU of a sharer, by EVICT", true, cu_bits},
        [GOAL_SUPPLIER] = {"CU of the only sharer, by LOOKUP", true, cu_bits},
        [GOAL_WAY] = {"entry of the highest set in use", false, gm_mask(ways)},
        [GOAL_NO_ENTRY] = {"all entries of a set are in use, and one more is needed", false,
                           gm_mask(tag_bits) >= ways},
        [GOAL_MARKED] = {"CU is marked", false, gm_mask(cus)},
        [GOAL_SHARES] = {"CU is a sharer", false, gm_mask(cus)},
        [GOAL_LAST] = {"CU is the last supplier", false, cus == 1 ? 0 : gm_mask(cus)},
        [GOAL_ALL_SHARE] = {"all CUs are sharers", false, pointers == 0 || pointers == cus},
        [GOAL_ALL_POINTERS] = {"all pointers are in use, and one more CU fills", false,
                               pointers > 0 && pointers < cus},
        [GOAL_ALL_SETS] = {"every set has an entry, and that of the last set fills", false,
                           configuration->parameter[INDEX_W][0] <= gm_log2_ceil(SWEPT)},
        [GOAL_ASKED] = {"only sharer, by an ASK with its number", false, gm_mask(cus)},
    };
    memcpy(goal, all, sizeof all);
    uint64_t sets = UINT64_C(1) << configuration->parameter[INDEX_W][0];
    each_element_goals(&goal[GOAL_TAG_OF], 16,
                       "full set whose last entry goes for a tag of which every bit differs",
                       wants_all_tags(configuration) ? sets : 0, gm_mask(tag_bits) >= 2 * ways);
    return GOALS;
}

/* Why goals have no bits where an instance has the limit or field. */
static const char *undemanded(const gm_cosim_configuration *configuration, unsigned i)
{
    bool many = configuration->parameter[INDEX_W][0] > gm_log2_ceil(SWEPT);
    return many && (i == GOAL_ALL_SETS || i == GOAL_TAG_OF) ? "more than 1024 sets"
           : i == GOAL_TAG_OF && !wants_all_tags(configuration)
               ? "tags are compared in trackers without pointers"
               : NULL;
}

static uint64_t single_bit(uint64_t value)
{
    return gm_is_power_of_two(value) ? value : 0;
}

/* Sets the goals of a request whose line has an entry. */
static void meet_entry(const gm_sharing_tracker *t, size_t entry,
                       const gm_sharing_tracker_request *request, uint64_t *met)
{
    const uint64_t one = UINT64_C(1) << request->cu;
    const uint64_t marks = t->marks[entry];
    const uint64_t sharers = t->sharers[entry];
    met[GOAL_MARKED] |= marks;
    met[GOAL_SHARES] |= sharers;
    met[GOAL_ALL_SHARE] |= sharers == gm_mask(t->parameters.cus);
    if (request->op == GM_SHARING_TRACKER_LOOKUP) {
        met[GOAL_LAST] |= (sharers & ~one) != 0 ? UINT64_C(1) << t->last[entry] : 0;
        met[GOAL_SUPPLIER] |=
            gm_is_power_of_two(sharers) ? single_bit(gm_lowest_one(sharers) ^ request->cu) : 0;
    }
    if (request->op == GM_SHARING_TRACKER_ASK) {
        met[GOAL_ASKED] |= sharers == one ? one : 0;
    }
    uint64_t compared = request->op == GM_SHARING_TRACKER_FILL    ? marks
                        : request->op == GM_SHARING_TRACKER_EVICT ? sharers
                                                                  : 0;
    for (uint64_t bit = 1; (compared & one) == 0 && bit < t->parameters.cus; bit <<= 1) {
        uint64_t other = request->cu ^ bit;
        met[request->op == GM_SHARING_TRACKER_FILL ? GOAL_MARK : GOAL_SHARER] |=
            (compared >> other & 1) != 0 ? bit : 0;
    }
    met[GOAL_ALL_POINTERS] |= request->op == GM_SHARING_TRACKER_FILL && (marks & one) != 0 &&
                              (sharers & one) == 0 &&
                              gm_count_ones(sharers) == t->parameters.pointers;
}

/* Notes a set whose last entry is the oldest, when a LOOKUP drops it for a tag of which every bit
 * differs. */
static void meet_last_tag(const gm_sharing_tracker *t, uint64_t row,
                          const gm_sharing_tracker_request *request, uint64_t *met)
{
    const gm_sharing_tracker_parameters *p = &t->parameters;
    size_t entry = row * p->ways + p->ways - 1;
    uint64_t difference = (t->line[entry] ^ request->line) >> p->index->bits;
    if (row < 1024 && request->op == GM_SHARING_TRACKER_LOOKUP && request->will_fill != 0 &&
        t->valid[row] == gm_mask(p->ways) && t->rank[entry] == p->ways - 1 &&
        difference == gm_mask(p->index->address_bits - p->index->bits)) {
        meet_element(&met[GOAL_TAG_OF], row);
    }
}

/* Returns true for the last set of a tracker in which every set has an entry. */
static bool all_have_entries(const gm_sharing_tracker *t, uint64_t row)
{
    bool all = row == gm_mask(t->parameters.index->bits) && row < SWEPT;
    for (uint64_t other = 0; all && other <= row; other++) {
        all = t->valid[other] != 0;
    }
    return all;
}

static void meet(const gm_cosim_configuration *configuration, const void *made,
                 const uint64_t *fields, uint64_t *met)
{
    const gm_sharing_tracker *t = &((const model *)made)->tracker;
    const gm_sharing_tracker_request *request = (const void *)fields;
    unsigned index_bits = t->parameters.index->bits;
    (void)configuration;
    if (gm_sharing_tracker_flushes(request->op)) {
        return;
    }
    uint64_t row = gm_set_index_of(t->parameters.index, request->line);
    bool found = false;
    for (uint32_t left = t->valid[row]; left != 0; left &= left - 1) {
        size_t entry = row * t->parameters.ways + gm_lowest_one(left);
        uint64_t difference = (t->line[entry] ^ request->line) >> index_bits;
        met[GOAL_TAG] |= single_bit(difference);
        if (difference == 0) {
            found = true;
            meet_entry(t, entry, request, met);
        }
    }
    met[GOAL_ALL_SETS] |=
        request->op == GM_SHARING_TRACKER_FILL && found && all_have_entries(t, row);
    meet_last_tag(t, row, request, met);
    met[GOAL_WAY] |= row == gm_mask(index_bits) ? t->valid[row] : 0;
    met[GOAL_NO_ENTRY] |= !found && t->valid[row] == gm_mask(t->parameters.ways) &&
                          request->op == GM_SHARING_TRACKER_LOOKUP && request->will_fill != 0;
}

static const char *stuck(const gm_cosim_configuration *configuration, unsigned field,
                         uint64_t *bits)
{
    enum { CU = offsetof(gm_sharing_tracker_request, cu) / sizeof(uint64_t) };
    *bits = field == CU && configuration->parameter[CUS][0] == 1;
    return *bits != 0 ? "one CU" : NULL;
}

/* Returns the line: its set would need the index function. */
static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_sharing_tracker_request *)(const void *)request)->line;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_sharing_tracker_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .mutation = {"sets=2 line_bits=6 ways=2 cus=3", "sets=2 line_bits=6 ways=3 cus=5 pointers=2"},
    .configure = configure,
    .arena_bytes = ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 80000,
    .walk = walk,
    .goals = goals,
    .undemanded = undemanded,
    .meet = meet,
    .stuck = stuck,
    .subject = subject,
};
