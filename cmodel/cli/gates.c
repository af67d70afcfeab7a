/* goldmem gates: what a set-index function costs in two-input XOR gates, shared and unshared. */
#include "cli/gates.h"

#include "cli/gates_pareto.h"
#include "cli/output_files.h"
#include "goldmem/bits.h"
#include "goldmem/output.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_JSON = 256,
    KEY_CSV,
    KEY_RESTARTS,
    KEY_SEED,
    KEY_DEPTH,
    KEY_EMIT,
    KEY_MODULE,
    KEY_SWEEP,
    KEY_YOSYS,
    KEY_LIBERTY,
    KEY_STRIDES,
    KEY_PARETO,
    KEY_CACHE,
    KEY_ALSO,
    KEY_SVG,
    KEY_PRESET,
    KEY_SET,
};

static const struct argp_option options[] = {
    GM_CLI_GEOMETRY_OPTIONS,
    {"restarts", KEY_RESTARTS, "N", 0, "Random runs of each heuristic (default 100)", 1},
    {"seed", KEY_SEED, "N", 0, "Seed of the random runs (default 1)", 1},
    {"depth", KEY_DEPTH, "N", 0, "Emit and synthesise a network of at most this depth", 1},
    {"emit", KEY_EMIT, "FILE", 0, "Write the shared network as SystemVerilog (- for output)", 1},
    {"module", KEY_MODULE, "NAME", 0, "Name of the module written", 1},
    {"sweep", KEY_SWEEP, NULL, 0, "Rank all irreducible polynomials for the number of sets", 2},
    {"strides", KEY_STRIDES, "LAST", 0, "Sweep, Pareto: strides of 1 to LAST lines (default 4096)",
     2},
    {"pareto", KEY_PARETO, NULL, 0,
     "Gates of every index function of a cache against misses of workloads and strides", 2},
    {"cache", KEY_CACHE, "l1|l2", 0, "Pareto: the cache (default l1)", 2},
    {"also", KEY_ALSO, "FUNCTION", 0, "Pareto: a further function, may be given again", 2},
    {"svg", KEY_SVG, "FILE", 0, "Pareto: write a picture", 2},
    {"preset", KEY_PRESET, "NAME", 0, "Pareto: the machine (default gtx480)", 2},
    {"set", KEY_SET, "KEY=VALUE", 0, "Pareto: then set one key, may be given again", 2},
    {"yosys", KEY_YOSYS, NULL, 0, "Count what Yosys and ABC make of it, in generic gates", 3},
    {"liberty", KEY_LIBERTY, "FILE", 0, "Count the cells of a Liberty file, with area and delay",
     3},
    {"csv", KEY_CSV, NULL, 0, "Print comma-separated values", 4},
    {"json", KEY_JSON, NULL, 0, "Print JSON", 4},
    {0},
};

/* Returns true for a name that a module can have. */
static bool is_identifier(const char *text)
{
    bool good = isalpha((unsigned char)text[0]) || text[0] == '_';
    for (const char *at = text; *at != '\0'; at++) {
        good = good && (isalnum((unsigned char)*at) || *at == '_');
    }
    return good && !gm_gates_is_keyword(text);
}

/* Takes --csv or --json, not both. */
static error_t take_format(const struct argp_state *state, gm_gates_arguments *own,
                           gm_gates_format format)
{
    if (own->format != GM_GATES_TEXT && own->format != format) {
        return gm_cli_refuse(state, "--csv and --json: one of them");
    }
    own->format = format;
    return 0;
}

static error_t parse_number(int key, const char *argument, struct argp_state *state,
                            gm_gates_arguments *own)
{
    const struct {
        int key;
        const char *name;
        uint64_t low, high, *value;
    } numbers[] = {
        {KEY_RESTARTS, "restarts", 0, 1000000, &own->restarts},
        {KEY_SEED, "seed", 0, UINT64_MAX, &own->seed},
        {KEY_DEPTH, "depth", 0, GM_XOR_DEPTHS - 1, &own->max_depth},
        {KEY_STRIDES, "strides", 1, 1 << 20, &own->last_stride},
    };
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].key == key &&
            !gm_cli_number(argument, numbers[i].low, numbers[i].high, numbers[i].value)) {
            return gm_cli_refuse(state, "--%s %s: must be %" PRIu64 " to %" PRIu64, numbers[i].name,
                                 argument, numbers[i].low, numbers[i].high);
        }
    }
    return 0;
}

/* Checks what --pareto requires, and that nothing else has its options. */
static error_t check_pareto(struct argp_state *state, const gm_gates_arguments *own)
{
    if (!own->pareto) {
        bool given = own->l2 || own->also_count > 0 || own->svg != NULL || own->preset != NULL ||
                     own->set_count > 0;
        return given ? gm_cli_refuse(state, "--cache, --also, --svg, --preset and --set need "
                                            "--pareto")
                     : 0;
    }
    if (own->arguments == 0) {
        return gm_cli_refuse(state, "--pareto: no workload named, such as workload:syrk,n=32");
    }
    if (own->sized) {
        return gm_cli_refuse(state,
                             "--pareto: sets and lines are the machine's: --set l1.ways=...");
    }
    return own->sweep || own->emit != NULL || (own->yosys && own->liberty == NULL)
               ? gm_cli_refuse(state, "--pareto does not go with --sweep, --emit and --yosys")
               : 0;
}

/* Checks what --emit and --module require. */
static error_t check_emit(struct argp_state *state, const gm_gates_arguments *own)
{
    if (own->module != NULL && !is_identifier(own->module)) {
        return gm_cli_refuse(state, "--module %s: not an identifier", own->module);
    }
    if (own->module != NULL && own->emit == NULL) {
        return gm_cli_refuse(state, "--module needs --emit");
    }
    if (own->emit != NULL && strcmp(own->emit, "-") == 0 && own->format != GM_GATES_TEXT) {
        return gm_cli_refuse(state, "--emit - prints the module alone, without --csv and --json");
    }
    return 0;
}

static error_t check(struct argp_state *state, const gm_gates_arguments *own)
{
    error_t refused = check_emit(state, own);
    refused = refused != 0 ? refused : check_pareto(state, own);
    if (refused != 0 || own->pareto) {
        return refused;
    }
    if (own->arguments > 1) {
        return gm_cli_refuse(state, "one function at a time: '%s' is one too many",
                             own->argument[1]);
    }
    if (own->sweep == (own->text != NULL)) {
        return gm_cli_refuse(state, own->sweep ? "--sweep takes no function"
                                               : "no function named, such as ipoly:37");
    }
    if (own->sweep && (own->emit != NULL || own->yosys)) {
        return gm_cli_refuse(state, "--sweep does not go with --emit, --yosys and --liberty");
    }
    return 0;
}

/* Appends to a list of at most `most`. */
static error_t append(struct argp_state *state, const char **list, unsigned *count, unsigned most,
                      const char *argument)
{
    if (*count == most) {
        return gm_cli_refuse(state, "'%s' is one too many: %u at most", argument, most);
    }
    list[(*count)++] = argument;
    return 0;
}

static error_t parse_pareto(int key, char *argument, struct argp_state *state,
                            gm_gates_arguments *own)
{
    switch (key) {
    case KEY_PARETO:
        own->pareto = true;
        return 0;
    case KEY_CACHE:
        own->l2 = strcmp(argument, "l2") == 0;
        return own->l2 || strcmp(argument, "l1") == 0
                   ? 0
                   : gm_cli_refuse(state, "--cache %s: must be l1 or l2", argument);
    case KEY_ALSO:
        return append(state, own->also, &own->also_count, GM_GATES_INPUTS, argument);
    case KEY_SVG:
        own->svg = argument;
        return 0;
    case KEY_PRESET:
        own->preset = argument;
        return 0;
    case KEY_SET:
        return append(state, own->set, &own->set_count, GM_GATES_SETS, argument);
    default:
        own->sized = own->sized || key == GM_CLI_SETS || key == GM_CLI_LINE;
        return gm_cli_geometry_option(key, argument, state, &own->geometry);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    gm_gates_arguments *own = state->input;
    switch (key) {
    case KEY_JSON:
        return take_format(state, own, GM_GATES_JSON);
    case KEY_CSV:
        return take_format(state, own, GM_GATES_CSV);
    case KEY_RESTARTS:
    case KEY_SEED:
    case KEY_DEPTH:
    case KEY_STRIDES:
        return parse_number(key, argument, state, own);
    case KEY_EMIT:
        own->emit = argument;
        return 0;
    case KEY_MODULE:
        own->module = argument;
        return 0;
    case KEY_SWEEP:
        own->sweep = true;
        return 0;
    case KEY_LIBERTY:
        own->liberty = argument;
        own->yosys = true;
        return 0;
    case KEY_YOSYS:
        own->yosys = true;
        return 0;
    case ARGP_KEY_ARG:
        own->text = own->text == NULL ? argument : own->text;
        return append(state, own->argument, &own->arguments, GM_GATES_INPUTS, argument);
    case ARGP_KEY_END:
        return check(state, own);
    default:
        return parse_pareto(key, argument, state, own);
    }
}

static const char documentation[] =
    "Counts the two-input XOR gates of a set-index function as written and with shared terms, and "
    "finds networks of fewer gates or less depth.\v"
    "The search is greedy pair sharing (Paar) and a Boyar-Peralta heuristic with random restarts; "
    "each network is checked against the function.\n\n"
    "Examples:\n"
    "  goldmem gates --address-bits 27 ipoly:37\n"
    "  goldmem gates --sets 64 --sweep\n"
    "  goldmem gates --pareto --svg pareto.svg workload:syrk,n=32 workload:bfs\n"
    "  goldmem gates --emit set_index.sv ipoly:37";

/* Names the emitted module: "ipoly:37" becomes set_index_ipoly_37; leaves out a file's name. */
static void name_module(const gm_gates_arguments *own, char *name, size_t size)
{
    const char *text = strncmp(own->text, "matrix:", 7) == 0 ? "matrix" : own->text;
    int length = snprintf(name, size, own->module != NULL ? "%s" : "set_index_%s",
                          own->module != NULL ? own->module : text);
    for (int i = 0; i < length && name[i] != '\0'; i++) {
        name[i] = isalnum((unsigned char)name[i]) ? name[i] : '_';
    }
}

static int emit(const gm_gates_arguments *own, const gm_xor_network *network)
{
    char name[256];
    char comment[512];
    gm_output output;
    gm_error error;
    name_module(own, name, sizeof name);
    snprintf(comment, sizeof comment,
             "Set index %s [khairy, 4.3]: %u sets, line address A[%u:%u].\n"
             "%u two-input XOR gates, depth %u; written by goldmem gates (restarts %" PRIu64
             ", seed %" PRIu64 ").",
             own->text, 1u << network->outputs, (unsigned)own->geometry.address_bits - 1,
             gm_cli_line_shift(&own->geometry), network->gates, gm_xor_network_depth(network),
             own->restarts, own->seed);
    if (gm_output_open(&output, own->emit, &error) < 0) {
        return gm_cli_error(&error);
    }
    gm_xor_network_write_verilog(network, name, comment, output.file);
    return gm_output_commit(&output, &error) < 0 ? gm_cli_error(&error) : GM_EXIT_OK;
}

static gm_gates_row measure(const char *name, const gm_xor_network *network)
{
    return (gm_gates_row){.name = name,
                          .gates = network->gates,
                          .depth = gm_xor_network_depth(network),
                          .fanout = gm_xor_network_fanout(network)};
}

static int synthesise(gm_gates_report *r, const gm_xor_network *best)
{
    gm_error error;
    const char *liberty = r->arguments->liberty;
    if (gm_gates_synthesise(&r->rows[0].synthesis, r->matrix, NULL, liberty, &error) < 0 ||
        gm_gates_synthesise(&r->rows[2].synthesis, r->matrix, best, liberty, &error) < 0) {
        return gm_cli_error(&error);
    }
    return GM_EXIT_OK;
}

static int print_report(gm_gates_report *r, const gm_xor_network *best)
{
    int status = r->arguments->yosys ? synthesise(r, best) : GM_EXIT_OK;
    if (status == GM_EXIT_OK && r->arguments->emit != NULL) {
        status = emit(r->arguments, best);
        if (strcmp(r->arguments->emit, "-") == 0) {
            return status; /* prints the module alone, for a pipe */
        }
    }
    if (status != GM_EXIT_OK) {
        return status;
    }
    return gm_gates_print(r);
}

static int report_on(const gm_gates_arguments *own, gm_xor_frontier *frontier,
                     gm_xor_network *network)
{
    gm_error error;
    gm_xor_matrix matrix;
    int status = gm_cli_xor_matrix(&matrix, own->text, &own->geometry);
    if (status != 0) {
        return status;
    }
    gm_gates_report r = {.arguments = own,
                         .matrix = &matrix,
                         .frontier = frontier,
                         .least_gates = gm_xor_matrix_least_gates(&matrix),
                         .least_depth = gm_xor_matrix_least_depth(&matrix)};
    gm_xor_network_as_written(network, &matrix);
    r.rows[0] = measure("as written", network);
    gm_xor_network_greedy(network, &matrix, GM_XOR_DEPTHS - 1, NULL);
    r.rows[1] = measure("greedy pair sharing", network);
    if (gm_xor_search(frontier, &matrix, (unsigned)own->restarts, own->seed, &error) < 0) {
        return gm_cli_error(&error);
    }
    const gm_xor_network *best = gm_xor_frontier_best(frontier, own->max_depth);
    if (best == NULL) {
        return gm_cli_fail(GM_EXIT_USAGE, "--depth %" PRIu64 ": a row of %u terms needs %u",
                           own->max_depth, gm_xor_matrix_fanin(&matrix), r.least_depth);
    }
    r.rows[2] = measure("best found", best);
    return print_report(&r, best);
}

/* Checks that no output would overwrite a matrix, a library of cells or a trace. */
static int protect_inputs(const gm_gates_arguments *own, gm_error *error)
{
    const gm_cli_outputs outputs = {.output = {{"--emit", own->emit}, {"--svg", own->svg}},
                                    .count = 2};
    int code = gm_cli_protect_file(&outputs, own->liberty, error);
    for (unsigned i = 0; code == 0 && i < own->arguments; i++) {
        code = own->pareto ? gm_cli_protect_input(&outputs, own->argument[i], error)
                           : gm_cli_protect_index(&outputs, own->argument[i], error);
    }
    for (unsigned i = 0; code == 0 && i < own->also_count; i++) {
        code = gm_cli_protect_index(&outputs, own->also[i], error);
    }
    for (unsigned i = 0; code == 0 && i < own->set_count; i++) {
        const char *equal = strchr(own->set[i], '=');
        code = equal != NULL ? gm_cli_protect_index(&outputs, equal + 1, error) : 0;
    }
    return code;
}

int gm_cli_gates(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "FUNCTION|WORKLOAD...", documentation, 0,
                                     0,       0};
    gm_gates_arguments own = {.geometry = gm_cli_geometry_default(),
                              .restarts = 100,
                              .seed = 1,
                              .max_depth = GM_XOR_DEPTHS - 1,
                              .last_stride = 4096};
    int status = gm_cli_parse(&argp, argc, argv, &own);
    if (status != 0) {
        return status;
    }
    gm_error error;
    if (protect_inputs(&own, &error) < 0) {
        return gm_cli_error(&error);
    }
    if (own.pareto) {
        return gm_gates_pareto(&own);
    }
    if (own.sweep) {
        return gm_gates_sweep(&own);
    }
    gm_xor_frontier *frontier = malloc(sizeof *frontier);
    gm_xor_network *network = malloc(sizeof *network);
    status = frontier == NULL || network == NULL ? gm_cli_fail(GM_EXIT_FAILED, "out of memory")
                                                 : report_on(&own, frontier, network);
    free(network);
    free(frontier);
    return status;
}
