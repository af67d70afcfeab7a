/* atomic_buffer in lockstep: instances and stimulus. Most requests are to the line of the last
 * atomic or LOAD, to one that differs from it in one bit, or to one of a few. A batch has one share
 * of operations, and one density of the sectors. */
#include "cosim.h"

#include "goldmem/atomic_buffer.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The RTL parameters, in the port list's order. */
enum { LINE_W, SECTORS, PARAMETERS };

static int parse(const char *options, gm_atomic_buffer_parameters *parameters, gm_error *error)
{
    static const char *const names[] = {"line_bits", "sectors"};
    uint64_t value[PARAMETERS] = {0};
    int code = gm_cosim_options_parameters(options, &gm_atomic_buffer_ports, names, value, error);
    *parameters = (gm_atomic_buffer_parameters){.line_bits = (unsigned)value[LINE_W],
                                                .sectors = (unsigned)value[SECTORS]};
    return code;
}

GM_COSIM_MODEL_IN_STRUCT(atomic_buffer)

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    gm_atomic_buffer_parameters p;
    int code = parse_valid(options, &p, error);
    if (code < 0) {
        return code;
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options, "line_bits=%u sectors=%u",
             p.line_bits, p.sectors);
    configuration->parameter[LINE_W][0] = p.line_bits;
    configuration->parameter[SECTORS][0] = p.sectors;
    return 0;
}

/* The ends of both ranges; 128-byte lines have four sectors. */
static const gm_cosim_instance instances[] = {
    {"", false, true},
    {"line_bits=3 sectors=2", true, true},
    {"line_bits=2 sectors=3", true, true},
    {"line_bits=42 sectors=4", false, true},
    {"line_bits=1 sectors=1", false, true},
    {"line_bits=64 sectors=32", false, true},
    {"line_bits=64 sectors=1", false, false},
    {"line_bits=1 sectors=32", false, false},
    {"line_bits=33 sectors=8", false, false},
};

GM_COSIM_ACCESS_ALL(atomic_buffer)

/* The port list's state, in its order. Without a line only `held` is compared. */
static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    const gm_atomic_buffer *buffer = model;
    (void)row;
    (void)lane;
    *value = element == 0   ? buffer->held
             : element == 1 ? buffer->line
             : element == 2 ? buffer->valid
                            : buffer->dirty;
    return element == 0 || buffer->held;
}

/* Words of a plan: the line of the last ATOMIC or LOAD. */
enum { PLAN_LINE };

/* What the requests of a batch share. */
typedef struct batch {
    unsigned atomic, load, access; /* of 64; the rest are FLUSH */
    unsigned same, near;           /* of 16: the last line held, one bit from it; the rest: a few */
    unsigned dense; /* sectors: 0: about a quarter of them, 1: half, 2: three quarters,
                       3: one operated on, all valid */
} batch;

static batch next_batch(uint64_t choice)
{
    static const unsigned shares[][3] = {{31, 32, 1}, {36, 12, 14}, {8, 24, 31}, {16, 4, 28}};
    static const unsigned places[][2] = {{15, 1}, {8, 4}, {4, 10}, {2, 2}};
    return (batch){
        .atomic = shares[choice & 3][0],
        .load = shares[choice & 3][1],
        .access = shares[choice & 3][2],
        .same = places[choice >> 2 & 3][0],
        .near = places[choice >> 2 & 3][1],
        .dense = choice >> 4 & 3,
    };
}

/* Returns a mask of the batch's density. */
static uint64_t pick_sectors(const batch *b, uint64_t random, bool operated)
{
    uint64_t low = random & UINT32_MAX;
    uint64_t high = random >> 32;
    switch (b->dense) {
    case 0:
        return low & high;
    case 1:
        return low;
    case 2:
        return low | high;
    default:
        return operated ? UINT64_C(1) << (random & 31) : UINT32_MAX;
    }
}

/* True for the operations that leave their line in the buffer. */
static bool operates(const gm_atomic_buffer_request *request)
{
    return request->op == GM_ATOMIC_BUFFER_ATOMIC || request->op == GM_ATOMIC_BUFFER_LOAD;
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    gm_atomic_buffer_request *requests = (void *)request;
    unsigned bits = (unsigned)configuration->parameter[LINE_W][0];
    unsigned sectors = (unsigned)configuration->parameter[SECTORS][0];
    batch b = next_batch(gm_cosim_random_next(random));
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        unsigned ticket = value & 63;
        unsigned place = value >> 6 & 15;
        uint64_t line = plan->word[PLAN_LINE];
        if (place >= b.same + b.near) {
            uint64_t number = (value >> 10 & 3) != 0 ? value >> 12 & 3 : value >> 12;
            line = number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
        } else if (place >= b.same) {
            line ^= UINT64_C(1) << (value >> 10 & 255) % bits;
        }
        uint64_t operated = pick_sectors(&b, gm_cosim_random_next(random), true);
        requests[i] = (gm_atomic_buffer_request){
            .op = ticket < b.atomic                       ? GM_ATOMIC_BUFFER_ATOMIC
                  : ticket < b.atomic + b.load            ? GM_ATOMIC_BUFFER_LOAD
                  : ticket < b.atomic + b.load + b.access ? GM_ATOMIC_BUFFER_ACCESS
                                                          : GM_ATOMIC_BUFFER_FLUSH,
            .line = line,
            .sectors = operated & gm_mask(sectors),
            .valid = pick_sectors(&b, gm_cosim_random_next(random), false) & gm_mask(sectors),
            .dirty = gm_cosim_random_next(random) & gm_mask(sectors),
        };
        if (operates(&requests[i])) {
            plan->word[PLAN_LINE] = line;
        }
    }
}

static void put(gm_cosim_tape *tape, uint64_t op, uint64_t line, uint64_t sectors, uint64_t valid,
                uint64_t dirty)
{
    const gm_atomic_buffer_request request = {
        .op = op, .line = line, .sectors = sectors, .valid = valid, .dirty = dirty};
    gm_cosim_tape_put(tape, &request);
}

/* Compares a held line with lines that differ in one bit; then, with each sector in turn, all
 * operations in which one sector of the held line is not as the others. */
static void limits(const gm_cosim_configuration *configuration, uint64_t round, gm_cosim_tape *tape)
{
    unsigned bits = (unsigned)configuration->parameter[LINE_W][0];
    uint64_t all = gm_mask((unsigned)configuration->parameter[SECTORS][0]);
    uint64_t line = (round + 1) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
    enum { ATOMIC = GM_ATOMIC_BUFFER_ATOMIC, LOAD = GM_ATOMIC_BUFFER_LOAD };
    enum { ACCESS = GM_ATOMIC_BUFFER_ACCESS, FLUSH = GM_ATOMIC_BUFFER_FLUSH };
    for (unsigned bit = 0; bit < bits; bit++) {
        uint64_t other = line ^ UINT64_C(1) << bit;
        put(tape, ATOMIC, line, all, 0, 0);
        put(tape, ACCESS, other, 0, 0, 0);
        put(tape, ATOMIC, line, all, 0, 0);
        put(tape, ATOMIC, other, all, 0, 0);
        put(tape, LOAD, line, all, 0, 0);
        put(tape, LOAD, other, all, 0, 0);
        put(tape, ACCESS, line, 0, 0, 0);
        put(tape, ACCESS, other, 0, 0, 0);
    }
    for (uint64_t sector = 1; (sector & all) != 0; sector <<= 1) {
        for (unsigned way = 0; way < 2; way++) {
            uint64_t one = way == 0 ? sector : all & ~sector;
            put(tape, ATOMIC, line, one, 0, 0);
            put(tape, ATOMIC, line, all & ~one, all, 0); /* others are missing */
            put(tape, LOAD, line, all, one, 0);          /* likewise; they come clean */
            put(tape, ATOMIC, line, one, 0, 0);          /* and become dirty */
            put(tape, LOAD, line, all, 0, 0);            /* no others do */
            put(tape, FLUSH, 0, 0, 0, 0);
            put(tape, ATOMIC, line, 0, all, one); /* clean and dirty ones are taken */
            put(tape, ATOMIC, line, all & ~one, 0, 0);
            put(tape, ATOMIC, ~line & gm_mask(bits), 0, one, all); /* dirty, but not valid */
            put(tape, ATOMIC, ~line & gm_mask(bits), one, 0, 0);
            put(tape, LOAD, line, one, all & ~one, all); /* of a load's sectors, too */
            put(tape, FLUSH, line, all, all, all);
        }
    }
}

enum {
    STORED_LINE,
    OTHER_LINE,
    LOADED_LINE,
    MISSING,
    LOAD_MISSING,
    DIRTIED,
    KEPT_CLEAN,
    KEPT_DIRTY,
    MADE_CLEAN,
    TAKEN_CLEAN,
    TAKEN_DIRTY,
    IGNORED,
    PUT_LINE,
    PUT_OTHER,
    EMPTY,
    GOALS
};

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    uint64_t lines = gm_mask((unsigned)configuration->parameter[LINE_W][0]);
    uint64_t sectors = gm_mask((unsigned)configuration->parameter[SECTORS][0]);
    goal[STORED_LINE] = (gm_cosim_goal){"line of an atomic", true, lines};
    goal[OTHER_LINE] = (gm_cosim_goal){"line of another access", true, lines};
    goal[LOADED_LINE] = (gm_cosim_goal){"line of a load", true, lines};
    goal[MISSING] =
        (gm_cosim_goal){"only sector of an atomic that the held line lacks", false, sectors};
    goal[LOAD_MISSING] =
        (gm_cosim_goal){"only sector of a load that the held line lacks", false, sectors};
    goal[DIRTIED] = (gm_cosim_goal){"clean sector that a hit makes dirty", false, sectors};
    goal[KEPT_CLEAN] = (gm_cosim_goal){"clean sector that a load hits", false, sectors};
    goal[KEPT_DIRTY] = (gm_cosim_goal){"dirty sector that a load hits", false, sectors};
    goal[MADE_CLEAN] =
        (gm_cosim_goal){"sector of a load that the L2 bank does not have", false, sectors};
    goal[TAKEN_CLEAN] = (gm_cosim_goal){"clean sector that is put back", false, sectors};
    goal[TAKEN_DIRTY] = (gm_cosim_goal){"dirty sector that is put back", false, sectors};
    goal[IGNORED] = (gm_cosim_goal){"sector taken that is dirty and not valid", false, sectors};
    goal[PUT_LINE] = (gm_cosim_goal){"bit of a line that is put back", false, lines};
    goal[PUT_OTHER] = (gm_cosim_goal){"bit 0 of a line that is put back", false, lines};
    goal[EMPTY] = (gm_cosim_goal){"operation without a held line", false, 15};
    return GOALS;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_atomic_buffer_request *it = (const void *)request;
    const gm_atomic_buffer *buffer = model;
    (void)configuration;
    bool atomic = it->op == GM_ATOMIC_BUFFER_ATOMIC;
    bool load = it->op == GM_ATOMIC_BUFFER_LOAD;
    bool hits = operates(it) && gm_atomic_buffer_has(buffer, it->line, (uint32_t)it->sectors);
    if (operates(it) && !hits) {
        met[IGNORED] = it->dirty & ~it->valid & ~(atomic ? it->sectors : 0);
        met[MADE_CLEAN] = load ? it->sectors & ~it->valid : 0;
    }
    if (!buffer->held) {
        met[EMPTY] = UINT64_C(1) << it->op;
        return;
    }
    uint64_t differs = it->line ^ buffer->line;
    if (gm_count_ones(differs) == 1) {
        met[STORED_LINE] = atomic ? differs : 0;
        met[OTHER_LINE] = it->op == GM_ATOMIC_BUFFER_ACCESS ? differs : 0;
        met[LOADED_LINE] = load ? differs : 0;
    }
    uint64_t missing = it->sectors & ~buffer->valid;
    missing = differs == 0 && gm_count_ones(missing) == 1 ? missing : 0;
    met[MISSING] = atomic ? missing : 0;
    met[LOAD_MISSING] = load ? missing : 0;
    met[DIRTIED] = hits && atomic ? it->sectors & ~buffer->dirty : 0;
    met[KEPT_CLEAN] = hits && load ? it->sectors & ~buffer->dirty : 0;
    met[KEPT_DIRTY] = hits && load ? it->sectors & buffer->dirty : 0;
    if (it->op == GM_ATOMIC_BUFFER_FLUSH || (operates(it) ? !hits : differs == 0)) {
        met[TAKEN_CLEAN] = buffer->valid & ~buffer->dirty;
        met[TAKEN_DIRTY] = buffer->dirty;
        met[PUT_LINE] = buffer->line;
        met[PUT_OTHER] = ~buffer->line & gm_mask(buffer->parameters.line_bits);
    }
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_atomic_buffer_ports,
    .instances = instances,
    .instance_count = sizeof instances / sizeof *instances,
    .configure = configure,
    .arena_bytes = 1024,
    .init = init,
    .access = access_all,
    .view = view,
    .mutation = {"line_bits=3 sectors=2", "line_bits=2 sectors=3"},
    .stimulus = stimulus,
    .limits = limits,
    .self_check = 262144,
    .goals = goals,
    .meet = meet,
};
