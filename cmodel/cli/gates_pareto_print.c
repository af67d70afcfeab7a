/* goldmem gates --pareto: the table, as text, CSV and JSON. */
#include "cli/gates_pareto.h"

#include "report/json_value.h"

#include <inttypes.h>

enum { NAND2_OF_XOR2 = 4 }; /* the smallest network of NAND2 that is an XOR2 */

/* What a workload is called in the text: A, B, ... */
static char letter(unsigned number)
{
    return (char)('A' + (int)number);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

static void print_head(const gm_pareto *pareto)
{
    const gm_gates_arguments *own = pareto->arguments;
    const gm_cli_geometry *geometry = &pareto->geometry;
    printf("%s.index of %s: %" PRIu64
           " sets, line addresses of %u bits; %u irreducible polynomials "
           "and %zu other functions\n",
           pareto->cache, pareto->machine, geometry->sets,
           (unsigned)geometry->address_bits - gm_cli_line_shift(geometry), pareto->polynomials,
           pareto->functions - pareto->polynomials);
    printf("%" PRIu64 " restarts, seed %" PRIu64 "; strides of 1 to %" PRIu64
           " lines; %s misses of the order engine\n",
           own->restarts, own->seed, own->last_stride, own->l2 ? "L2" : "L1");
    for (unsigned i = 0; i < own->arguments; i++) {
        printf("  %c  %s: %" PRIu64 " accesses of %s\n", letter(i), own->argument[i],
               pareto->function[0].misses[i].accesses, own->l2 ? "the L2" : "the L1s");
    }
    printf("\n%-20s %5s %5s %7s %8s", "* Pareto-optimal", "gates", "depth", "fan-out", "NAND2");
    if (own->liberty != NULL) {
        printf(" %9s %8s", "area", "delay/ps");
    }
    printf(" %9s %8s", "free", "misses");
    for (unsigned i = 0; i < own->arguments; i++) {
        printf(" %11c", letter(i));
    }
    putchar('\n');
}

static void print_costs(const gm_gates_arguments *own, const gm_pareto_point *point)
{
    if (!point->function->linear) {
        printf(" %5s %5s %7s %8s", "-", "-", "-", "-");
        if (own->liberty != NULL) {
            printf(" %9s %8s", "-", "-");
        }
        return;
    }
    printf(" %5u %5u %7u", point->gates, point->depth, point->fanout);
    if (own->liberty != NULL) {
        printf(" %8.1f %9.4g %8.0f", point->synthesis.nand2, point->synthesis.area,
               point->synthesis.delay);
    } else {
        printf(" %8u", NAND2_OF_XOR2 * point->gates);
    }
}

static void print_text(const gm_pareto *pareto)
{
    const gm_gates_arguments *own = pareto->arguments;
    print_head(pareto);
    for (size_t i = 0; i < pareto->points; i++) {
        const gm_pareto_point *point = &pareto->point[i];
        const gm_pareto_function *function = point->function;
        printf("%c %-18s", point->optimal ? '*' : ' ', function->name);
        print_costs(own, point);
        printf(" %8.2f%% %7.2f%%", percent(function->strides.free, function->strides.strides),
               100 * function->miss_rate);
        for (unsigned k = 0; k < own->arguments; k++) {
            printf(" %11" PRIu64, function->misses[k].misses);
        }
        putchar('\n');
    }
    printf("\nNAND2: %s. free: strides whose references meet every set once.\n",
           own->liberty != NULL ? "area in areas of the library's smallest NAND2"
                                : "equivalents, four for an XOR2");
    puts(
        "misses: mean of the workloads' miss rates. prime and skew add or divide: no XOR network.");
}

/* Prints a text as a CSV field. */
static void print_field(const char *before, const char *text)
{
    printf("\"%s", before);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            putchar('"');
        }
        putchar(*text);
    }
    putchar('"');
}

static void print_csv(const gm_pareto *pareto)
{
    const gm_gates_arguments *own = pareto->arguments;
    fputs("function,gates,depth,fanout,nand2,area,delay_ps,free_strides,strides,mean_sets,"
          "miss_rate,pareto",
          stdout);
    for (unsigned i = 0; i < own->arguments; i++) {
        putchar(',');
        print_field("l1d.misses ", own->argument[i]);
        putchar(',');
        print_field("l2.misses ", own->argument[i]);
    }
    putchar('\n');
    for (size_t i = 0; i < pareto->points; i++) {
        const gm_pareto_point *point = &pareto->point[i];
        const gm_pareto_function *function = point->function;
        print_field("", function->name);
        if (!function->linear) {
            fputs(",,,,,,", stdout);
        } else if (own->liberty != NULL) {
            printf(",%u,%u,%u,%.4f,%.4f,%.2f", point->gates, point->depth, point->fanout,
                   point->synthesis.nand2, point->synthesis.area, point->synthesis.delay);
        } else {
            printf(",%u,%u,%u,%u,,", point->gates, point->depth, point->fanout,
                   NAND2_OF_XOR2 * point->gates);
        }
        printf(",%" PRIu64 ",%" PRIu64 ",%.4f,%.9f,%d", function->strides.free,
               function->strides.strides,
               (double)function->strides.sets / (double)function->strides.strides,
               function->miss_rate, point->optimal);
        for (unsigned k = 0; k < own->arguments; k++) {
            printf(",%" PRIu64 ",%" PRIu64, function->misses[k].l1_misses,
                   function->misses[k].l2_misses);
        }
        putchar('\n');
    }
}

static json_t *point_as_json(const gm_gates_arguments *own, const gm_pareto_point *point)
{
    const gm_pareto_function *function = point->function;
    json_t *value = json_pack("{so}", "function", gm_json_text(function->name));
    if (function->linear) {
        json_object_set_new(value, "gates", json_integer(point->gates));
        json_object_set_new(value, "depth", json_integer(point->depth));
        json_object_set_new(value, "fanout", json_integer(point->fanout));
        json_object_set_new(value, "nand2_equivalents",
                            own->liberty != NULL
                                ? json_real(point->synthesis.nand2)
                                : json_integer((json_int_t)NAND2_OF_XOR2 * point->gates));
    }
    if (function->linear && own->liberty != NULL) {
        json_object_set_new(value, "area", json_real(point->synthesis.area));
        json_object_set_new(value, "delay_ps", json_real(point->synthesis.delay));
    }
    json_t *misses = json_array();
    for (unsigned k = 0; k < own->arguments; k++) {
        const gm_pareto_misses *of = &function->misses[k];
        json_array_append_new(
            misses, json_pack("{so so so}", "accesses", gm_json_count(of->accesses), "l1d",
                              gm_json_count(of->l1_misses), "l2", gm_json_count(of->l2_misses)));
    }
    json_object_set_new(value, "free_strides", gm_json_count(function->strides.free));
    json_object_set_new(
        value, "mean_sets",
        json_real((double)function->strides.sets / (double)function->strides.strides));
    json_object_set_new(value, "miss_rate", json_real(function->miss_rate));
    json_object_set_new(value, "misses", misses);
    json_object_set_new(value, "pareto", json_boolean(point->optimal));
    return value;
}

static int print_json(const gm_pareto *pareto)
{
    const gm_gates_arguments *own = pareto->arguments;
    const gm_cli_geometry *geometry = &pareto->geometry;
    json_t *workloads = json_array();
    json_t *points = json_array();
    for (unsigned i = 0; i < own->arguments; i++) {
        json_array_append_new(workloads, gm_json_text(own->argument[i]));
    }
    for (size_t i = 0; i < pareto->points; i++) {
        json_array_append_new(points, point_as_json(own, &pareto->point[i]));
    }
    return gm_cli_print_json(json_pack(
        "{si ss so so so so so so so}", "schema", 1, "cache", pareto->cache, "preset",
        gm_json_text(pareto->machine), "sets", gm_json_count(geometry->sets), "line_address_bits",
        gm_json_count(geometry->address_bits - gm_cli_line_shift(geometry)), "restarts",
        gm_json_count(own->restarts), "strides", gm_json_count(own->last_stride), "workloads",
        workloads, "points", points));
}

int gm_pareto_print(const gm_pareto *pareto)
{
    switch (pareto->arguments->format) {
    case GM_GATES_TEXT:
        print_text(pareto);
        break;
    case GM_GATES_CSV:
        print_csv(pareto);
        break;
    case GM_GATES_JSON:
        return print_json(pareto);
    }
    return GM_EXIT_OK;
}
