/* Private to `goldmem gates --pareto`: index functions by the cost of their networks and by what
 * they do to a cache's misses and to strides. gates_pareto.c measures, gates_pareto_print.c prints
 * the table, gates_pareto_svg.c draws. */
#ifndef GOLDMEM_CLI_GATES_PARETO_H
#define GOLDMEM_CLI_GATES_PARETO_H

#include "cli/gates.h"
#include "goldmem/config.h"
#include "goldmem/set_index_strides.h"
#include "goldmem/statistics.h"

enum { GM_PARETO_NAME = GM_CONFIG_TEXT };

/* What one workload's accesses find under a function. */
typedef struct gm_pareto_misses {
    uint64_t accesses, misses;     /* of the cache whose index it is, every kind */
    uint64_t l1_misses, l2_misses; /* of all L1s, and of the L2 */
} gm_pareto_misses;

typedef struct gm_pareto_function {
    char name[GM_PARETO_NAME];
    uint32_t polynomial; /* of ipoly; else 0 */
    bool linear;         /* else no network of XOR gates */
    gm_stride_summary strides;
    gm_pareto_misses misses[GM_GATES_INPUTS];
    double miss_rate; /* mean of the workloads' */
} gm_pareto_function;

/* A function with one network of its count-depth frontier. */
typedef struct gm_pareto_point {
    const gm_pareto_function *function;
    unsigned gates, depth, fanout; /* of a linear function; else 0 */
    gm_gates_synthesis synthesis;  /* with a Liberty file */
    bool optimal; /* linear, and no other point is at least as good in gates, depth, fan-out, miss
                     rate and strides that meet all sets, and better in one of them */
} gm_pareto_point;

typedef struct gm_pareto {
    const gm_gates_arguments *arguments;
    const char *cache;        /* "l1" or "l2" */
    const char *machine;      /* preset or file */
    gm_cli_geometry geometry; /* of the cache: sets, and the bits that index its lines */
    uint64_t line;            /* bytes of a line of the cache */
    unsigned polynomials;     /* irreducible ones of the index width */
    size_t functions, points;
    gm_pareto_function *function; /* [functions] */
    gm_pareto_point *point;       /* [points], by gates, depth, function */
} gm_pareto;

/* Measures, prints, draws. Returns an exit code. */
int gm_gates_pareto(const gm_gates_arguments *own);

/* Prints the table in the form that the arguments choose. Returns an exit code. */
int gm_pareto_print(const gm_pareto *pareto);

/* Writes the picture. */
void gm_pareto_draw(const gm_pareto *pareto, FILE *file);

#endif
