/* goldmem gates --pareto: gates of every index function of a cache against misses and strides. */
#include "cli/gates_pareto.h"

#include "cli/input_argument.h"
#include "cli/interrupt.h"
#include "goldmem/assert.h"
#include "goldmem/bits.h"
#include "goldmem/engine.h"
#include "goldmem/gf2.h"
#include "goldmem/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The functions beside the polynomials; those that the cache cannot have are left out. */
static const char *const others[] = {"sequential", "xor", "fold", "fermi", "prime", "skew"};
enum { OTHERS = sizeof others / sizeof others[0] };

static int out_of_memory(void)
{
    return gm_cli_fail(GM_EXIT_FAILED, "out of memory");
}

static int read_config(gm_config *config, const gm_gates_arguments *own, gm_error *error)
{
    int code = gm_config_preset(config, own->preset != NULL ? own->preset : "gtx480", error);
    for (unsigned i = 0; code == 0 && i < own->set_count; i++) {
        code = gm_config_assign(config, own->set[i], error);
    }
    return code < 0 ? code : gm_config_check(config, error);
}

/* Sets the geometry: sets of one cache, and a "line" of so many bytes that the address bits above
 * it are those of a line's number in the cache. An L2 bank numbers the lines of its partition that
 * it holds. */
static int find_geometry(gm_pareto *pareto, const gm_config *config)
{
    const gm_gates_arguments *own = pareto->arguments;
    uint64_t units = config->memory.partitions * config->memory.banks;
    pareto->cache = own->l2 ? "l2" : "l1";
    pareto->machine = config->preset.name;
    pareto->line = own->l2 ? config->l2.line : config->l1.line;
    pareto->geometry = (gm_cli_geometry){
        .sets = own->l2 ? gm_config_l2_sets(config) : gm_config_l1_sets(config),
        .line = own->l2 ? config->l2.line << gm_log2_floor(units) : config->l1.line,
        .address_bits = own->geometry.address_bits,
    };
    if (!own->l2 && !config->l1.enabled) {
        return gm_cli_fail(GM_EXIT_USAGE, "--pareto: the l1 is off (l1.enabled=no)");
    }
    return pareto->geometry.sets > 1
               ? GM_EXIT_OK
               : gm_cli_fail(GM_EXIT_USAGE, "--pareto: the %s has one set, which takes no index",
                             pareto->cache);
}

/* Returns true if the cache can have the function; sets *reason if not. */
static bool fits(const gm_pareto *pareto, const char *name, gm_set_index *function,
                 gm_error *reason)
{
    const gm_cli_geometry *geometry = &pareto->geometry;
    unsigned shift = gm_cli_line_shift(geometry);
    return gm_set_index_parse(function, name, geometry->sets,
                              (unsigned)geometry->address_bits - shift, reason) == 0 &&
           gm_cli_check_line(function, pareto->line, reason) == 0;
}

static gm_pareto_function *add(gm_pareto *pareto, const char *name, const gm_set_index *made)
{
    gm_pareto_function *function = &pareto->function[pareto->functions++];
    snprintf(function->name, sizeof function->name, "%s", name);
    function->polynomial = made->polynomial;
    function->linear = gm_set_index_is_linear(made);
    return function;
}

/* Lists the functions: the polynomials, the others that fit, and what --also names. */
static int list_functions(gm_pareto *pareto)
{
    const gm_gates_arguments *own = pareto->arguments;
    uint32_t sets = (uint32_t)pareto->geometry.sets;
    gm_set_index made = {0};
    gm_error error;
    if (pareto->geometry.address_bits <= gm_cli_line_shift(&pareto->geometry)) {
        return gm_cli_fail(GM_EXIT_USAGE, "%" PRIu64 " address bits are none for this cache",
                           pareto->geometry.address_bits);
    }
    pareto->function = calloc(sets / 2 + 1 + OTHERS + own->also_count, sizeof *pareto->function);
    if (pareto->function == NULL) {
        return out_of_memory();
    }
    for (uint32_t p = sets + 1; p < 2 * sets; p += 2) {
        char name[32];
        snprintf(name, sizeof name, "ipoly:%" PRIu32, p);
        if (gm_gf2_factor(p) == 0 && !fits(pareto, name, &made, &error)) {
            return gm_cli_error(&error);
        }
        if (gm_gf2_factor(p) == 0) {
            add(pareto, name, &made);
            pareto->polynomials++;
        }
    }
    for (unsigned i = 0; i < OTHERS; i++) {
        if (fits(pareto, others[i], &made, &error)) {
            add(pareto, others[i], &made);
        }
    }
    for (unsigned i = 0; i < own->also_count; i++) {
        if (strlen(own->also[i]) >= GM_PARETO_NAME) {
            return gm_cli_fail(GM_EXIT_USAGE, "--also: longer than %d characters",
                               GM_PARETO_NAME - 1);
        }
        if (!fits(pareto, own->also[i], &made, &error)) {
            return gm_cli_error(&error);
        }
        add(pareto, own->also[i], &made);
    }
    return GM_EXIT_OK;
}

static int check_interrupt(void *context, const gm_run_progress *progress, gm_error *error)
{
    (void)context;
    (void)progress;
    return gm_interrupt_check(error);
}

static uint64_t sum(const uint64_t counter[GM_ACCESS_KINDS])
{
    uint64_t all = 0;
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        all += counter[kind];
    }
    return all;
}

/* Runs one workload through the machine with each function in one pass. */
static int run_workload(gm_pareto *pareto, unsigned number, const gm_config *config,
                        const gm_config *variants, gm_error *error)
{
    gm_source *source = NULL;
    gm_results results = {0};
    const gm_run_options options = {
        .threads = 1,
        .variants = variants,
        .variant_count = pareto->functions,
        .progress = check_interrupt,
    };
    int code = gm_cli_open_source(&source, pareto->arguments->argument[number], error);
    if (code < 0) {
        return code;
    }
    code = gm_order_run(config, source, &options, &results, error);
    for (size_t i = 0; code == 0 && i < pareto->functions; i++) {
        const gm_statistics *total = &results.variants[i];
        const gm_cache_statistics *cache = pareto->arguments->l2 ? &total->l2 : &total->l1d;
        pareto->function[i].misses[number] = (gm_pareto_misses){.accesses = sum(cache->accesses),
                                                                .misses = sum(cache->misses),
                                                                .l1_misses = sum(total->l1d.misses),
                                                                .l2_misses = sum(total->l2.misses)};
    }
    if (code == 0) {
        gm_results_free(&results);
    }
    gm_source_close(source);
    return code;
}

static void average_rates(gm_pareto *pareto)
{
    unsigned inputs = pareto->arguments->arguments;
    for (size_t i = 0; i < pareto->functions; i++) {
        gm_pareto_function *function = &pareto->function[i];
        for (unsigned k = 0; k < inputs; k++) {
            const gm_pareto_misses *misses = &function->misses[k];
            function->miss_rate +=
                misses->accesses == 0 ? 0 : (double)misses->misses / (double)misses->accesses;
        }
        function->miss_rate /= inputs;
    }
}

static int run_workloads(gm_pareto *pareto, const gm_config *config)
{
    gm_error error;
    int code = 0;
    gm_assert(pareto->functions != 0, "no function is studied");
    gm_config *variants = calloc(pareto->functions, sizeof *variants);
    if (variants == NULL) {
        return out_of_memory();
    }
    for (size_t i = 0; i < pareto->functions; i++) {
        char *index = pareto->arguments->l2 ? variants[i].l2.index : variants[i].l1.index;
        variants[i] = *config;
        snprintf(index, GM_CONFIG_TEXT, "%s", pareto->function[i].name);
    }
    for (unsigned i = 0; code == 0 && i < pareto->arguments->arguments; i++) {
        code = run_workload(pareto, i, config, variants, &error);
    }
    free(variants);
    average_rates(pareto);
    return code < 0 ? gm_cli_error(&error) : GM_EXIT_OK;
}

static int add_point(gm_pareto *pareto, gm_pareto_point point)
{
    size_t bytes = (pareto->points + 1) * sizeof *pareto->point;
    gm_pareto_point *grown = realloc(pareto->point, bytes);
    if (grown == NULL) {
        return out_of_memory();
    }
    pareto->point = grown;
    pareto->point[pareto->points++] = point;
    return GM_EXIT_OK;
}

/* Adds the networks of a function within --depth. */
static int add_networks(gm_pareto *pareto, const gm_pareto_function *function,
                        const gm_xor_matrix *matrix, gm_xor_frontier *frontier)
{
    const gm_gates_arguments *own = pareto->arguments;
    gm_error error;
    if (gm_xor_search(frontier, matrix, (unsigned)own->restarts, own->seed, &error) < 0) {
        return gm_cli_error(&error);
    }
    if (gm_xor_frontier_best(frontier, own->max_depth) == NULL) {
        return gm_cli_fail(GM_EXIT_USAGE, "--depth %" PRIu64 ": %s needs %u", own->max_depth,
                           function->name, gm_xor_matrix_least_depth(matrix));
    }
    int status = GM_EXIT_OK;
    for (unsigned d = 0; status == GM_EXIT_OK && d < GM_XOR_DEPTHS && d <= own->max_depth; d++) {
        const gm_xor_network *network = &frontier->best[d];
        if (!frontier->found[d]) {
            continue;
        }
        gm_pareto_point point = {.function = function,
                                 .gates = network->gates,
                                 .depth = d,
                                 .fanout = gm_xor_network_fanout(network)};
        if (own->liberty != NULL &&
            gm_gates_synthesise(&point.synthesis, matrix, network, own->liberty, &error) < 0) {
            return gm_cli_error(&error);
        }
        status = add_point(pareto, point);
    }
    return status;
}

/* Measures strides and networks of each function. */
static int measure(gm_pareto *pareto, gm_xor_frontier *frontier, uint32_t *count)
{
    int status = GM_EXIT_OK;
    gm_error error;
    for (size_t i = 0; status == GM_EXIT_OK && i < pareto->functions; i++) {
        gm_pareto_function *function = &pareto->function[i];
        gm_set_index made;
        if (!fits(pareto, function->name, &made, &error)) {
            return gm_cli_error(&error);
        }
        if (gm_interrupt_check(&error) < 0) {
            return gm_cli_error(&error);
        }
        function->strides = gm_set_index_strides(&made, pareto->arguments->last_stride, count);
        if (function->linear) {
            gm_xor_matrix matrix = {.inputs = made.address_bits, .outputs = made.bits};
            memcpy(matrix.row, made.row, sizeof matrix.row);
            status = add_networks(pareto, function, &matrix, frontier);
        } else {
            status = add_point(pareto, (gm_pareto_point){.function = function});
        }
    }
    return status;
}

/* Returns true if `a` is at least as good as `b` in everything, and better in something. */
static bool dominates(const gm_pareto_point *a, const gm_pareto_point *b)
{
    bool worse = a->gates > b->gates || a->depth > b->depth || a->fanout > b->fanout ||
                 a->function->miss_rate > b->function->miss_rate ||
                 a->function->strides.free < b->function->strides.free;
    bool better = a->gates < b->gates || a->depth < b->depth || a->fanout < b->fanout ||
                  a->function->miss_rate < b->function->miss_rate ||
                  a->function->strides.free > b->function->strides.free;
    return !worse && better;
}

/* Orders by gates, depth, function; functions without a network come last. */
static int compare(const void *left, const void *right)
{
    const gm_pareto_point *a = left;
    const gm_pareto_point *b = right;
    if (a->function->linear != b->function->linear) {
        return a->function->linear ? -1 : 1;
    }
    if (a->gates != b->gates) {
        return a->gates < b->gates ? -1 : 1;
    }
    if (a->depth != b->depth) {
        return a->depth < b->depth ? -1 : 1;
    }
    return a->function < b->function ? -1 : a->function > b->function;
}

static void mark(gm_pareto *pareto)
{
    gm_assert(pareto->points != 0, "no function has a point");
    qsort(pareto->point, pareto->points, sizeof *pareto->point, compare);
    for (size_t i = 0; i < pareto->points; i++) {
        gm_pareto_point *point = &pareto->point[i];
        point->optimal = point->function->linear;
        for (size_t k = 0; point->optimal && k < pareto->points; k++) {
            point->optimal =
                !pareto->point[k].function->linear || !dominates(&pareto->point[k], point);
        }
    }
}

static int draw(const gm_pareto *pareto)
{
    gm_output output;
    gm_error error;
    if (pareto->arguments->svg == NULL) {
        return GM_EXIT_OK;
    }
    if (gm_output_open(&output, pareto->arguments->svg, &error) < 0) {
        return gm_cli_error(&error);
    }
    gm_pareto_draw(pareto, output.file);
    return gm_output_commit(&output, &error) < 0 ? gm_cli_error(&error) : GM_EXIT_OK;
}

static int study(gm_pareto *pareto, const gm_config *config)
{
    gm_error error;
    gm_xor_frontier *frontier = malloc(sizeof *frontier);
    uint32_t *count = calloc(pareto->geometry.sets, sizeof *count);
    int status = frontier == NULL || count == NULL ? out_of_memory() : GM_EXIT_OK;
    if (status == GM_EXIT_OK && pareto->arguments->svg != NULL &&
        gm_output_check(pareto->arguments->svg, &error) < 0) {
        status = gm_cli_error(&error);
    }
    status = status == GM_EXIT_OK ? list_functions(pareto) : status;
    status = status == GM_EXIT_OK ? measure(pareto, frontier, count) : status;
    status = status == GM_EXIT_OK ? run_workloads(pareto, config) : status;
    if (status == GM_EXIT_OK) {
        mark(pareto);
        status = draw(pareto);
    }
    free(count);
    free(frontier);
    return status == GM_EXIT_OK ? gm_pareto_print(pareto) : status;
}

int gm_gates_pareto(const gm_gates_arguments *own)
{
    gm_pareto pareto = {.arguments = own};
    gm_error error;
    gm_config *config = malloc(sizeof *config);
    if (config == NULL) {
        return out_of_memory();
    }
    gm_interrupt_watch();
    int status = read_config(config, own, &error) < 0 ? gm_cli_error(&error) : GM_EXIT_OK;
    status = status == GM_EXIT_OK ? find_geometry(&pareto, config) : status;
    status = status == GM_EXIT_OK ? study(&pareto, config) : status;
    free(pareto.function);
    free(pareto.point);
    free(config);
    return status;
}
