/* mshr in lockstep: instances and stimulus. A batch has one pattern: the number of lines, the
 * shares of operations, the order of ids. So tables fill up and drain again, while each line gets
 * CLOSE, RESPONSE and further requests. */
#include "cosim.h"

#include "goldmem/bits.h"
#include "goldmem/mshr.h"

#include "stimulus/each_element.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    ARENA_BYTES = (GM_MSHR_ENTRIES * (GM_MSHR_MERGES + 2) * 8) + 1024, /* for the largest table */
};

/* The RTL parameters, in the port list's order. */
enum { ENTRIES, MERGES, LINE_W, REQUESTER_W };

static int parse(const char *options, gm_mshr_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"entries", "merges", "line_bits", "requester_bits"};
    uint64_t value[4] = {0};
    int code = gm_cosim_options_parameters(options, &gm_mshr_ports, names, value, error);
    *parameters = (gm_mshr_parameters){
        .entries = (unsigned)value[0],
        .merges = (unsigned)value[1],
        .line_bits = (unsigned)value[2],
        .requester_bits = (unsigned)value[3],
    };
    return code;
}

/* Computes IdW and MergeW as the port list does. */
static unsigned width_of(unsigned states)
{
    return states < 3 ? 1 : gm_log2_ceil(states);
}

GM_COSIM_MODEL(mshr, gm_mshr, ARENA_BYTES)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_mshr_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "entries=%u merges=%u line_bits=%u requester_bits=%u", p.entries, p.merges,
             p.line_bits, p.requester_bits);
    configuration->parameter[ENTRIES][0] = p.entries;
    configuration->parameter[MERGES][0] = p.merges;
    configuration->parameter[LINE_W][0] = p.line_bits;
    configuration->parameter[REQUESTER_W][0] = p.requester_bits;
    return 0;
}

/* The ends of every range, and sizes that are not powers of two. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"entries=4 merges=4 line_bits=12 requester_bits=8", true, true},
    {"entries=3 merges=3 line_bits=5 requester_bits=4", true, true},
    {"entries=1 merges=1 line_bits=1 requester_bits=1", true, true},
    {"entries=1 merges=256 line_bits=3", false, true},
    {"entries=2 merges=2 line_bits=64 requester_bits=64", true, true},
    {"entries=5 merges=1", true, true},
    {"entries=64 merges=8", false, true},
    {"entries=256 merges=2", false, true},
    {"entries=512 merges=2", false, false},
    {"entries=1024 merges=1", false, false},
    {"entries=1 merges=1024 line_bits=3", false, false},
    {"entries=256 merges=256", false, false},
    {"entries=256 merges=1 line_bits=64 requester_bits=64", false, false},
    {"entries=128 merges=128 requester_bits=8", false, false},
    {"entries=33 merges=9", false, false},
    {"entries=200 merges=100", false, false},
    {"entries=32 merges=4 requester_bits=1", false, false},
    {"entries=16 merges=5 line_bits=2", false, false},
    {"entries=7 merges=255", false, false},
};

GM_COSIM_ACCESS_ALL(mshr)

/* Reads an element of the port list's state. Of free entries only `valid` and `open` are compared.
 */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    enum { VALID, OPEN, LINE, OLDEST, NEWEST };
    const gm_mshr *table = model;
    unsigned id = (unsigned)lane;
    switch (element) {
    case VALID:
        *value = gm_mshr_is_valid(table, id);
        return true;
    case OPEN:
        *value = gm_mshr_is_open(table, id);
        return true;
    case LINE:
        *value = table->entry[id].line;
        return gm_mshr_is_valid(table, id);
    case OLDEST:
        *value = table->entry[id].oldest;
        return gm_mshr_is_valid(table, id);
    case NEWEST:
        *value = table->entry[id].newest;
        return gm_mshr_is_valid(table, id);
    default: {
        unsigned merge_bits = width_of(table->merges);
        uint64_t slot = row & gm_mask(merge_bits);
        id = (unsigned)(row >> merge_bits);
        *value = slot < table->merges ? *gm_mshr_requester(table, id, (unsigned)slot) : 0;
        return gm_mshr_is_valid(table, id) && slot >= table->entry[id].oldest &&
               slot <= table->entry[id].newest;
    }
    }
}

/* The pattern of a batch of requests. */
typedef struct habit {
    unsigned share[5]; /* of 16, for each operation */
    uint64_t lines;    /* different lines; 0: without bound */
    bool neighbours;   /* lines that differ from `first` in one bit, from `rotation` on */
    uint64_t first;
    unsigned rotation;
    unsigned ids;  /* 0 random, 1 in sequence, 2 one id */
    bool may_fail; /* may_allocate is 0 half of the time */
} habit;

static habit next_habit(unsigned entries, unsigned merges, uint64_t choice)
{
    enum { FEW = 8, MANY = 64 };
    /* REQUEST, RESPONSE, CLOSE, FLUSH, PROBE */
    static const unsigned share[][5] = {
        {16, 0, 0, 0, 0}, {13, 0, 1, 0, 2}, {8, 6, 1, 0, 1},  {6, 7, 0, 1, 2},
        {7, 3, 4, 1, 1},  {7, 6, 1, 1, 1},  {1, 13, 0, 1, 1}, {0, 16, 0, 0, 0},
    };
    const uint64_t lines[] = {1, 2, 3, entries / 2 + 1, entries + 1, 4 * entries, 0, 0};
    habit made = {
        .lines = lines[choice >> 3 & 7],
        .neighbours = (choice >> 6 & 3) == 0,
        .first = (choice >> 32) * UINT64_C(0x9e3779b97f4a7c15),
        .rotation = (unsigned)(choice >> 17 & 0xff),
        .ids = (unsigned)(choice >> 8 & 3),
        .may_fail = (choice >> 10 & 3) == 0,
    };
    memcpy(made.share, share[choice & 7], sizeof made.share);
    if (entries > 64 && made.share[1] == 16 && (choice >> 12 & 3) != 0) {
        memcpy(made.share, share[0], sizeof made.share); /* large tables take long to fill */
    }
    if (entries <= FEW && merges > MANY && (choice >> 14 & 7) != 0) { /* long entries too */
        memcpy(made.share, share[0], sizeof made.share);
        made.lines = 1;
        made.neighbours = false;
    }
    return made;
}

static uint64_t next_line(const habit *habit, unsigned line_bits, uint64_t random)
{
    uint64_t number = habit->lines == 0 ? random : random % habit->lines;
    if (habit->neighbours) {
        uint64_t bit = number == 0 ? 0 : UINT64_C(1) << (habit->rotation + number) % line_bits;
        return (habit->first ^ bit) & gm_mask(line_bits);
    }
    return (number * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - line_bits);
}

static unsigned next_operation(const habit *habit, unsigned ticket)
{
    unsigned op = 0;
    while (ticket >= habit->share[op]) {
        ticket -= habit->share[op++];
    }
    return op;
}

static void put(gm_cosim_tape *tape, unsigned op, uint64_t line, uint64_t id, uint64_t requester)
{
    gm_cosim_tape_put(
        tape, &(gm_mshr_request){
                  .op = op, .line = line, .id = id, .requester = requester, .may_allocate = 1});
}

/* Lines, ids and requesters that differ in one bit meet, in an empty table. */
static void put_neighbours(gm_cosim_tape *tape, const gm_cosim_configuration *configuration,
                           uint64_t line, uint64_t requester)
{
    unsigned entries = (unsigned)configuration->parameter[ENTRIES][0];
    put(tape, GM_MSHR_REQUEST_OP, line, 0, requester);
    for (unsigned b = 0; b < configuration->parameter[LINE_W][0]; b++) {
        put(tape, GM_MSHR_PROBE_OP, line ^ UINT64_C(1) << b, 0, requester);
        put(tape, GM_MSHR_CLOSE_OP, line ^ UINT64_C(1) << b, 0, requester);
        put(tape, GM_MSHR_PROBE_OP, line, 0, requester);
    }
    for (unsigned b = 0; b < width_of(entries); b++) {
        put(tape, GM_MSHR_RESPONSE_OP, line, UINT64_C(1) << b, requester);
    }
    put(tape, GM_MSHR_RESPONSE_OP, line, 0, requester);
    for (unsigned b = 0; b < configuration->parameter[REQUESTER_W][0]; b++) {
        put(tape, GM_MSHR_REQUEST_OP, line, 0, requester);
        put(tape, GM_MSHR_REQUEST_OP, line, 0, requester ^ UINT64_C(1) << b);
        put(tape, GM_MSHR_RESPONSE_OP, line, 0, requester);
        put(tape, GM_MSHR_RESPONSE_OP, line, 0, requester);
    }
}

enum {
    SPREAD_BITS = 13, /* bits of lines of a full table that hardly ever differ in one bit only */
    COMPARED = 2048,  /* REQUESTs of a round that differ from an entry's line in one bit */
};

/* Returns the entries whose lines a round compares bit by bit. */
static uint64_t compared_entries(const gm_cosim_configuration *configuration)
{
    uint64_t entries = configuration->parameter[ENTRIES][0];
    uint64_t most = COMPARED / configuration->parameter[LINE_W][0];
    return configuration->parameter[LINE_W][0] < SPREAD_BITS ? 0 : entries < most ? entries : most;
}

/* Fills an empty table, and REQUESTs lines that differ from an entry's line in one bit, of other
 * entries in each round: none can merge, and none is free. Leaves the table empty. */
static void compare_entries(const gm_cosim_configuration *configuration, uint64_t round,
                            gm_cosim_tape *tape)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t entries = configuration->parameter[ENTRIES][0];
    unsigned bits = (unsigned)configuration->parameter[LINE_W][0];
    uint64_t compared = compared_entries(configuration);
    uint64_t first = round * entries + 1;
    for (uint64_t entry = 0; compared > 0 && entry < entries; entry++) {
        put(tape, GM_MSHR_REQUEST_OP, (first + entry) * golden >> (64 - bits), 0, 0);
    }
    for (uint64_t i = 0; i < compared; i++) {
        uint64_t own = walked_element(round * compared + i, entries);
        uint64_t line = (first + own) * golden >> (64 - bits);
        for (unsigned bit = 0; bit < bits; bit++) {
            put(tape, GM_MSHR_REQUEST_OP, line ^ UINT64_C(1) << bit, 0, 0);
        }
    }
    for (uint64_t entry = 0; compared > 0 && entry < entries; entry++) {
        put(tape, GM_MSHR_RESPONSE_OP, 0, entry, 0);
    }
}

/* Returns the rounds that compare all elements. */
static uint64_t walk(const gm_cosim_configuration *configuration)
{
    return walk_rounds(configuration->parameter[ENTRIES][0], compared_entries(configuration));
}

/* From an empty table: entries are compared bit by bit; the table fills up, then the last entry's
 * slots, each with one request more; then all are answered. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    uint64_t lines = gm_mask((unsigned)configuration->parameter[LINE_W][0]);
    uint64_t requesters = gm_mask((unsigned)configuration->parameter[REQUESTER_W][0]);
    uint64_t last = configuration->parameter[ENTRIES][0] - 1;
    uint64_t merges = configuration->parameter[MERGES][0];
    gm_cosim_random random = {round};
    uint64_t line = gm_cosim_random_next(&random);
    compare_entries(configuration, round, tape);
    put_neighbours(tape, configuration, line & lines, gm_cosim_random_next(&random) & requesters);
    for (uint64_t i = 0; i <= last; i++) { /* few lines: two entries of each, the first closed */
        put(tape, GM_MSHR_CLOSE_OP, (line + i) & lines, 0, 0);
        put(tape, GM_MSHR_REQUEST_OP, (line + i) & lines, 0, i & requesters);
    }
    for (uint64_t i = 1; i <= merges; i++) {
        uint64_t requester = gm_cosim_random_next(&random) & requesters;
        put(tape, GM_MSHR_REQUEST_OP, (line + last) & lines, 0, requester);
    }
    put(tape, GM_MSHR_CLOSE_OP, (line + last + 1) & lines, 0, 0); /* with few lines it is open */
    put(tape, GM_MSHR_REQUEST_OP, (line + last + 1) & lines, 0, 0);
    for (uint64_t i = 0; i <= merges; i++) {
        put(tape, GM_MSHR_RESPONSE_OP, 0, last, 0);
    }
    for (uint64_t i = 0; i < last; i++) {
        put(tape, GM_MSHR_RESPONSE_OP, 0, i, 0);
    }
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    (void)plan;
    gm_mshr_request *requests = (void *)request;
    unsigned line_bits = (unsigned)configuration->parameter[LINE_W][0];
    unsigned entries = (unsigned)configuration->parameter[ENTRIES][0];
    unsigned id_bits = width_of(entries);
    unsigned merges = (unsigned)configuration->parameter[MERGES][0];
    habit habit = next_habit(entries, merges, gm_cosim_random_next(random));
    uint64_t id = gm_cosim_random_next(random) % entries;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        unsigned op = next_operation(&habit, value & 15);
        id = habit.ids == 1 ? (id + 1) % entries : habit.ids == 2 ? id : value >> 4;
        requests[i] = (gm_mshr_request){
            .op = op == GM_MSHR_PROBE_OP ? op + (value >> 12 & 3) : op,
            .line = next_line(&habit, line_bits, gm_cosim_random_next(random)),
            .requester = gm_cosim_random_next(random) &
                         gm_mask((unsigned)configuration->parameter[REQUESTER_W][0]),
            .id = id & gm_mask(id_bits),
            .may_allocate = !habit.may_fail || (value >> 14 & 1) != 0,
        };
    }
}

enum {
    GOAL_LINE,
    GOAL_ID,
    GOAL_REQUESTER,
    GOAL_HIGHEST,
    GOAL_NO_ENTRY,
    GOAL_NO_SLOT,
    GOAL_LAST_SLOT,
    GOAL_LINE_OF, /* the first of 16 goals of 64 entries each */
    GOALS = GOAL_LINE_OF + 16,
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    unsigned entries = (unsigned)configuration->parameter[ENTRIES][0];
    unsigned line_bits = (unsigned)configuration->parameter[LINE_W][0];
    unsigned requester_bits = (unsigned)configuration->parameter[REQUESTER_W][0];
    bool merges = configuration->parameter[MERGES][0] > 1;
    bool fills = line_bits >= gm_log2_ceil(entries) || 2u << line_bits >= entries; /* two a line */
    const gm_cosim_goal all[GOAL_LINE_OF] = {
        [GOAL_LINE] = {"line", true, gm_mask(line_bits)},
        [GOAL_ID] = {"id of an entry, by RESPONSE to a free one", true, gm_mask(width_of(entries))},
        [GOAL_REQUESTER] = {"requester of the slot before", true,
                            merges ? gm_mask(requester_bits) : 0},
        [GOAL_HIGHEST] = {"the highest entry is in use", false, fills},
        [GOAL_NO_ENTRY] = {"all entries are in use, and one more is requested", false, fills},
        [GOAL_NO_SLOT] = {"the slots of the highest entry are in use, and one more merges", false,
                          fills},
        [GOAL_LAST_SLOT] = {"the last slot of the highest entry is answered", false, fills},
    };
    memcpy(goal, all, sizeof all);
    uint64_t compared = compared_entries(configuration);
    each_element_goals(&goal[GOAL_LINE_OF], 16,
                       "all entries are in use; one whose line a REQUEST differs from in its "
                       "highest bit",
                       entries, compared > 0);
    return GOALS;
}

/* Why goals have no bits where an instance has the limit or field. */
static const char *undemanded(const gm_cosim_configuration *configuration, unsigned i)
{
    return i == GOAL_LINE_OF && compared_entries(configuration) == 0 ? "lines of fewer than 13 bits"
                                                                     : NULL;
}

static bool is_in_use(const gm_mshr *table, uint64_t id)
{
    return id < table->entries && gm_mshr_is_valid(table, (unsigned)id);
}

static void meet_response(const gm_mshr *table, uint64_t id, uint64_t *met)
{
    unsigned last = table->entries - 1;
    for (uint64_t bit = 1; !is_in_use(table, id) && bit < 2 + last; bit <<= 1) {
        met[GOAL_ID] |= is_in_use(table, id ^ bit) ? bit : 0;
    }
    met[GOAL_LAST_SLOT] |=
        id == last && is_in_use(table, id) && table->entry[id].oldest == table->merges - 1;
}

static void meet_line(const gm_mshr *table, const gm_mshr_request *request, uint64_t *met)
{
    unsigned used = 0;
    bool is_open = false;
    for (unsigned id = 0; id < table->entries; id++) {
        if (!gm_mshr_is_valid(table, id)) {
            continue;
        }
        const gm_mshr_entry *entry = &table->entry[id];
        uint64_t difference = entry->line ^ request->line;
        used++;
        met[GOAL_LINE] |= gm_is_power_of_two(difference) ? difference : 0;
        if (difference == 0 && gm_mshr_is_open(table, id) && request->op == GM_MSHR_REQUEST_OP) {
            bool is_full = entry->newest == table->merges - 1;
            uint64_t other = *gm_mshr_requester(table, id, entry->newest);
            other ^= request->requester;
            is_open = true;
            met[GOAL_REQUESTER] |= !is_full && gm_is_power_of_two(other) ? other : 0;
            met[GOAL_NO_SLOT] |= is_full && id == table->entries - 1;
        }
    }
    for (unsigned id = 0; used == table->entries && id < used; id++) {
        if (request->op == GM_MSHR_REQUEST_OP &&
            (table->entry[id].line ^ request->line) == UINT64_C(1) << (table->line_bits - 1)) {
            meet_element(&met[GOAL_LINE_OF], id);
        }
    }
    met[GOAL_NO_ENTRY] |= used == table->entries && !is_open && request->op == GM_MSHR_REQUEST_OP &&
                          request->may_allocate != 0;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *fields, uint64_t *met)
{
    const gm_mshr *table = model;
    const gm_mshr_request *request = (const void *)fields;
    (void)configuration;
    met[GOAL_HIGHEST] |= gm_mshr_is_valid(table, table->entries - 1);
    if (request->op == GM_MSHR_RESPONSE_OP) {
        meet_response(table, request->id, met);
    } else if (request->op != GM_MSHR_FLUSH_OP) {
        meet_line(table, request, met);
    }
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    const gm_mshr_request *fields = (const void *)request;
    return fields->op == GM_MSHR_RESPONSE_OP ? fields->id : fields->line;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_mshr_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = ARENA_BYTES,
    .init = init,
    .access = access_all,
    .view = view,
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 100000,
    .walk = walk,
    .goals = goals,
    .undemanded = undemanded,
    .meet = meet,
    .subject = subject,
};
