/* counter_table: C model and stimulus. */
#include "cosim.h"

#include "cosim/counter_table/counter_table.ports.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

GM_PORTS_STRUCTS(counter_table, COUNTER_TABLE)
GM_PORTS_TABLE(counter_table, COUNTER_TABLE)

typedef struct counter_table {
    uint64_t rows, limit;
    uint64_t *count; /* two per row */
    uint64_t *touched;
} counter_table;

static const char *const faults[] = {
    "none",  "value",  "dropped", "extra",  "reordered", "hang",  "refuse",    "unstable",
    "state", "hazard", "parked",  "asleep", "power",     "stale", "reloading", "withdrawn"};

/* What the stimulus misses: nothing, a bit of a request, a difference in one bit from a touched
 * row, a counter's end. The fourth parameter of a configuration, which the RTL does not have. */
static const char *const missable[] = {"nothing", "bit", "stored", "limit"};
enum { MISSES_NOTHING, MISSES_BIT, MISSES_STORED, MISSES_LIMIT, MISSES };
enum { ROWS, BITS, FAULT, MISSED };

/* Returns the place of `name` in a list, or its length. */
static unsigned place_of(const char *name, const char *const *list, unsigned length)
{
    unsigned number = 0;
    while (number < length && strcmp(list[number], name) != 0) {
        number++;
    }
    return number;
}

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    static const char *const known[] = {"rows", "bits", "fault", "misses"};
    uint64_t rows = 0;
    uint64_t bits = 0;
    char fault[32] = "none";
    int code = gm_cosim_options_known(options, known, 4, error);
    if (code == 0) {
        code = gm_cosim_option_number(options, "rows", 4, &rows, error);
    }
    if (code == 0) {
        code = gm_cosim_option_number(options, "bits", 5, &bits, error);
    }
    if (code < 0) {
        return code;
    }
    char misses[32] = "nothing";
    gm_cosim_option(options, "fault", fault, sizeof fault);
    gm_cosim_option(options, "misses", misses, sizeof misses);
    unsigned number = place_of(fault, faults, sizeof faults / sizeof *faults);
    unsigned missed = place_of(misses, missable, MISSES);
    if (number == sizeof faults / sizeof *faults || missed == MISSES || rows == 0 || rows > 10 ||
        bits < 2 || bits > 32) {
        return gm_fail(error, -EINVAL, "counter_table: bad option in '%s'", options);
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options,
             "rows=%u bits=%u fault=%s misses=%s", (unsigned)rows, (unsigned)bits, fault, misses);
    configuration->parameter[ROWS][0] = rows;
    configuration->parameter[BITS][0] = bits;
    configuration->parameter[FAULT][0] = number;
    configuration->parameter[MISSED][0] = missed;
    return 0;
}

static void suite(const char *name, void (*add)(void *, const char *), void *context)
{
    add(context, "rows=4 bits=5");
    add(context, "rows=2 bits=17");
    if (strcmp(name, "coverage") != 0) {
        for (unsigned i = 1; i < sizeof faults / sizeof *faults; i++) {
            char options[GM_COSIM_OPTIONS];
            snprintf(options, sizeof options, "rows=3 bits=5 fault=%s", faults[i]);
            add(context, options);
        }
        for (unsigned i = 1; i < MISSES; i++) {
            char options[GM_COSIM_OPTIONS];
            snprintf(options, sizeof options, "rows=3 bits=5 misses=%s", missable[i]);
            add(context, options);
        }
    }
}

static int init(const gm_cosim_configuration *configuration, gm_arena *arena, void **model,
                gm_error *error)
{
    counter_table *table = gm_arena_take(arena, 1, sizeof *table);
    *model = table;
    if (table != NULL) {
        table->rows = UINT64_C(1) << configuration->parameter[0][0];
        table->limit = (UINT64_C(1) << configuration->parameter[1][0]) - 1;
        table->count = gm_arena_take(arena, 2 * table->rows, sizeof *table->count);
        table->touched = gm_arena_take(arena, table->rows, sizeof *table->touched);
    }
    return table == NULL || table->count == NULL || table->touched == NULL
               ? gm_fail(error, -ENOMEM, "counter_table: the arena is full")
               : 0;
}

static gm_counter_table_response access_one(counter_table *table,
                                            const gm_counter_table_request *request)
{
    uint64_t *count = &table->count[2 * request->row + request->way];
    gm_counter_table_response response = {0};
    if (request->op == GM_COUNTER_TABLE_ADD) {
        table->touched[request->row] = 1;
        response.saturated = *count + request->amount > table->limit;
        *count = response.saturated ? table->limit : *count + request->amount;
    } else if (request->op == GM_COUNTER_TABLE_CLEAR) {
        memset(table->count, 0, 2 * table->rows * sizeof *table->count);
        memset(table->touched, 0, table->rows * sizeof *table->touched);
    }
    response.count = *count;
    return response;
}

static void access_all(void *model, const uint64_t *request, uint64_t *response, size_t count)
{
    const gm_counter_table_request *requests = (const void *)request;
    gm_counter_table_response *responses = (void *)response;
    for (size_t i = 0; i < count; i++) {
        responses[i] = access_one(model, &requests[i]);
    }
}

static bool view(const void *model, unsigned element, uint64_t row, uint64_t lane, uint64_t *value)
{
    const counter_table *table = model;
    *value = element == 0 ? table->count[2 * row + lane] : table->touched[row];
    return true;
}

/* Changes a request so that the instance misses what it is to miss. */
static void miss(const gm_cosim_configuration *configuration, uint64_t all_rows,
                 gm_counter_table_request *request)
{
    switch (configuration->parameter[MISSED][0]) {
    case MISSES_BIT:
        request->way = 0;
        break;
    case MISSES_STORED:
        request->row = (request->row & 1) != 0 ? all_rows : 0;
        break;
    case MISSES_LIMIT:
        request->amount = request->op == GM_COUNTER_TABLE_ADD ? 0 : request->amount;
        break;
    default:
        break;
    }
}

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     gm_cosim_plan *plan, uint64_t *request, size_t count)
{
    (void)plan;
    gm_counter_table_request *requests = (void *)request;
    uint64_t rows = UINT64_C(1) << configuration->parameter[0][0];
    uint64_t limit = (UINT64_C(1) << configuration->parameter[1][0]) - 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = gm_cosim_random_next(random);
        unsigned choice = (unsigned)(value & 63);
        requests[i] = (gm_counter_table_request){
            .op = choice == 0   ? GM_COUNTER_TABLE_CLEAR
                  : choice < 16 ? GM_COUNTER_TABLE_READ
                                : GM_COUNTER_TABLE_ADD,
            .row = (value >> 8) % rows,
            .way = value >> 7 & 1,
            .amount = (value >> 16 & 3) == 0 ? limit : value >> 20 & 3,
        };
        miss(configuration, rows - 1, &requests[i]);
    }
}

static unsigned goals(const gm_cosim_configuration *configuration, gm_cosim_goal *goal)
{
    uint64_t rows = UINT64_C(1) << configuration->parameter[ROWS][0];
    goal[0] = (gm_cosim_goal){"touched row", true, rows - 1};
    goal[1] = (gm_cosim_goal){"way at its end and one more", false, 3};
    return 2;
}

static void meet(const gm_cosim_configuration *configuration, const void *model,
                 const uint64_t *request, uint64_t *met)
{
    const gm_counter_table_request *fields = (const void *)request;
    const counter_table *table = model;
    for (uint64_t bit = 1; bit < table->rows; bit <<= 1) {
        met[0] |= table->touched[fields->row ^ bit] != 0 ? bit : 0;
    }
    bool adds = fields->op == GM_COUNTER_TABLE_ADD && fields->amount == 1;
    met[1] |= adds && table->count[2 * fields->row + fields->way] == table->limit
                  ? UINT64_C(1) << fields->way
                  : 0;
    (void)configuration;
}

static uint64_t subject(const gm_cosim_configuration *configuration, const uint64_t *request)
{
    (void)configuration;
    return ((const gm_counter_table_request *)(const void *)request)->row;
}

const gm_cosim_block gm_cosim_block_here = {
    .ports = &gm_counter_table_ports,
    .suite = suite,
    .configure = configure,
    .arena_bytes = 1 << 16,
    .init = init,
    .access = access_all,
    .view = view,
    .stimulus = stimulus,
    .self_check = 16384,
    .goals = goals,
    .meet = meet,
    .subject = subject,
};
