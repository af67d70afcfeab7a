/* goldmem gates --sweep: all irreducible polynomials of a degree, by gates, depth and strides. */
#include "cli/gates.h"

#include "goldmem/bits.h"
#include "goldmem/gf2.h"
#include "goldmem/set_index_strides.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct candidate {
    uint32_t polynomial;
    unsigned written, fanin; /* gates as written */
    unsigned gates, depth;   /* fewest gates found, at the least depth found for them */
    unsigned shallow_gates, shallow_depth; /* fewest gates at the least depth, and that depth */
    unsigned least_gates;
    gm_stride_summary strides;
} candidate;

/* Orders by fewest gates, then least depth, then most sets used. */
static int compare(const void *left, const void *right)
{
    const candidate *a = left;
    const candidate *b = right;
    if (a->gates != b->gates) {
        return a->gates < b->gates ? -1 : 1;
    }
    if (a->depth != b->depth) {
        return a->depth < b->depth ? -1 : 1;
    }
    if (a->strides.sets != b->strides.sets) {
        return a->strides.sets > b->strides.sets ? -1 : 1;
    }
    return a->polynomial < b->polynomial ? -1 : a->polynomial > b->polynomial;
}

static int measure(const gm_gates_arguments *own, candidate *c, gm_xor_frontier *frontier,
                   uint32_t *count)
{
    char text[32];
    gm_xor_matrix matrix;
    gm_set_index function;
    gm_error error;
    snprintf(text, sizeof text, "ipoly:%" PRIu32, c->polynomial);
    int status = gm_cli_set_index(&function, text, &own->geometry);
    status = status == 0 ? gm_cli_xor_matrix(&matrix, text, &own->geometry) : status;
    if (status != 0) {
        return status;
    }
    for (unsigned i = 0; i < matrix.outputs; i++) {
        c->written += gm_count_ones(matrix.row[i]) - 1;
    }
    c->fanin = gm_xor_matrix_fanin(&matrix);
    c->least_gates = gm_xor_matrix_least_gates(&matrix);
    c->shallow_depth = gm_xor_matrix_least_depth(&matrix);
    if (gm_xor_search(frontier, &matrix, (unsigned)own->restarts, own->seed, &error) < 0) {
        return gm_cli_error(&error);
    }
    const gm_xor_network *best = gm_xor_frontier_best(frontier, own->max_depth);
    if (best == NULL) {
        return gm_cli_fail(GM_EXIT_USAGE, "--depth %" PRIu64 ": %s needs %u", own->max_depth, text,
                           c->shallow_depth);
    }
    c->gates = best->gates;
    c->depth = gm_xor_network_depth(best);
    c->shallow_gates = gm_xor_frontier_best(frontier, c->shallow_depth)->gates;
    c->strides = gm_set_index_strides(&function, own->last_stride, count);
    return GM_EXIT_OK;
}

static double mean(uint64_t sum, uint64_t count)
{
    return count == 0 ? 0 : (double)sum / (double)count;
}

static void print_text(const gm_gates_arguments *own, const candidate *c, unsigned count)
{
    printf("%u irreducible polynomials for %" PRIu64 " sets, %" PRIu64 " address bits; %" PRIu64
           " restarts, seed %" PRIu64 "; strides of 1 to %" PRIu64 " lines\n\n",
           count, own->geometry.sets, own->geometry.address_bits, own->restarts, own->seed,
           own->last_stride);
    printf("%10s %7s %6s | %5s %5s %5s | %12s | %9s %9s %6s\n", "", "as", "", "fewest", "", "",
           "at least", "mean sets", "multiples", "fewest");
    printf("%10s %7s %6s | %5s %6s %5s | %5s %6s | %9s %9s %6s\n", "polynomial", "written",
           "fan-in", "gates", "depth", "bound", "gates", "depth", "used", "of sets", "sets");
    for (unsigned i = 0; i < count; i++, c++) {
        printf("%10" PRIu32 " %7u %6u | %5u %6u %5u | %5u %6u | %9.2f %9.2f %6u\n", c->polynomial,
               c->written, c->fanin, c->gates, c->depth, c->least_gates, c->shallow_gates,
               c->shallow_depth, mean(c->strides.sets, c->strides.strides),
               mean(c->strides.aligned_sets, c->strides.aligned_strides), c->strides.fewest);
    }
}

static void print_csv(const candidate *c, unsigned count)
{
    puts("polynomial,written,fanin,gates,depth,least_gates,shallow_gates,shallow_depth,mean_sets,"
         "mean_sets_of_multiples,fewest_sets,worst_stride");
    for (unsigned i = 0; i < count; i++, c++) {
        printf("%" PRIu32 ",%u,%u,%u,%u,%u,%u,%u,%.4f,%.4f,%u,%" PRIu64 "\n", c->polynomial,
               c->written, c->fanin, c->gates, c->depth, c->least_gates, c->shallow_gates,
               c->shallow_depth, mean(c->strides.sets, c->strides.strides),
               mean(c->strides.aligned_sets, c->strides.aligned_strides), c->strides.fewest,
               c->strides.worst);
    }
}

static int print_json(const gm_gates_arguments *own, const candidate *c, unsigned count)
{
    json_t *polynomials = json_array();
    for (unsigned i = 0; i < count; i++, c++) {
        json_array_append_new(
            polynomials,
            json_pack("{sI sI sI sI sI sI sI sI sf sf sI sI}", "polynomial",
                      (json_int_t)c->polynomial, "written", (json_int_t)c->written, "fanin",
                      (json_int_t)c->fanin, "gates", (json_int_t)c->gates, "depth",
                      (json_int_t)c->depth, "least_gates", (json_int_t)c->least_gates,
                      "shallow_gates", (json_int_t)c->shallow_gates, "shallow_depth",
                      (json_int_t)c->shallow_depth, "mean_sets",
                      mean(c->strides.sets, c->strides.strides), "mean_sets_of_multiples",
                      mean(c->strides.aligned_sets, c->strides.aligned_strides), "fewest_sets",
                      (json_int_t)c->strides.fewest, "worst_stride", (json_int_t)c->strides.worst));
    }
    return gm_cli_print_json(json_pack(
        "{si sI sI sI sI so}", "schema", 1, "sets", (json_int_t)own->geometry.sets, "address_bits",
        (json_int_t)own->geometry.address_bits, "restarts", (json_int_t)own->restarts, "strides",
        (json_int_t)own->last_stride, "polynomials", polynomials));
}

static int sweep(const gm_gates_arguments *own, candidate *found, gm_xor_frontier *frontier,
                 uint32_t *count)
{
    unsigned candidates = 0;
    uint32_t sets = (uint32_t)own->geometry.sets;
    for (uint32_t p = sets + 1; p < 2 * sets; p += 2) {
        if (gm_gf2_factor(p) != 0) {
            continue;
        }
        found[candidates] = (candidate){.polynomial = p};
        int status = measure(own, &found[candidates], frontier, count);
        if (status != 0) {
            return status;
        }
        candidates++;
    }
    qsort(found, candidates, sizeof *found, compare);
    switch (own->format) {
    case GM_GATES_TEXT:
        print_text(own, found, candidates);
        break;
    case GM_GATES_CSV:
        print_csv(found, candidates);
        break;
    case GM_GATES_JSON:
        return print_json(own, found, candidates);
    }
    return GM_EXIT_OK;
}

int gm_gates_sweep(const gm_gates_arguments *own)
{
    if (own->geometry.sets < 2) {
        return gm_cli_fail(GM_EXIT_USAGE, "--sweep needs at least 2 sets");
    }
    candidate *found = calloc(own->geometry.sets, sizeof *found);
    gm_xor_frontier *frontier = malloc(sizeof *frontier);
    uint32_t *count = calloc(own->geometry.sets, sizeof *count);
    int status = found == NULL || frontier == NULL || count == NULL
                     ? gm_cli_fail(GM_EXIT_FAILED, "out of memory")
                     : sweep(own, found, frontier, count);
    free(count);
    free(frontier);
    free(found);
    return status;
}
