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

static const char *const faults[] = {"none", "value",  "dropped",  "extra", "reordered",
                                     "hang", "refuse", "unstable", "state", "hazard"};

static int configure(const char *options, gm_cosim_configuration *configuration, gm_error *error)
{
    static const char *const known[] = {"rows", "bits", "fault"};
    uint64_t rows = 0;
    uint64_t bits = 0;
    char fault[32] = "none";
    int code = gm_cosim_options_known(options, known, 3, error);
    if (code == 0) {
        code = gm_cosim_option_number(options, "rows", 4, &rows, error);
    }
    if (code == 0) {
        code = gm_cosim_option_number(options, "bits", 5, &bits, error);
    }
    if (code < 0) {
        return code;
    }
    gm_cosim_option(options, "fault", fault, sizeof fault);
    unsigned number = 0;
    while (number < sizeof faults / sizeof *faults && strcmp(faults[number], fault) != 0) {
        number++;
    }
    if (number == sizeof faults / sizeof *faults || rows == 0 || rows > 10 || bits < 2 ||
        bits > 32) {
        return gm_fail(error, -EINVAL, "counter_table: bad option in '%s'", options);
    }
    memset(configuration, 0, sizeof *configuration);
    snprintf(configuration->options, sizeof configuration->options, "rows=%u bits=%u fault=%s",
             (unsigned)rows, (unsigned)bits, fault);
    configuration->parameter[0][0] = rows;
    configuration->parameter[1][0] = bits;
    configuration->parameter[2][0] = number;
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

static void stimulus(const gm_cosim_configuration *configuration, gm_cosim_random *random,
                     uint64_t *request, size_t count)
{
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
    }
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
    .subject = subject,
};
