/* Private to `goldmem gates`: what its files share. */
#ifndef GOLDMEM_CLI_GATES_H
#define GOLDMEM_CLI_GATES_H

#include "cli/set_index_options.h"
#include "goldmem/xor_network.h"

enum { GM_GATES_INPUTS = 16, GM_GATES_SETS = 256 };

typedef enum gm_gates_format { GM_GATES_TEXT, GM_GATES_CSV, GM_GATES_JSON } gm_gates_format;

typedef struct gm_gates_arguments {
    gm_cli_geometry geometry;
    gm_gates_format format;
    const char *argument[GM_GATES_INPUTS]; /* the function; with `pareto` workloads */
    unsigned arguments;
    const char *text; /* argument[0] */
    uint64_t restarts, seed;
    uint64_t max_depth; /* of the network to emit and to synthesise */
    uint64_t last_stride;
    const char *emit, *module; /* file, or NULL; module name, or NULL for one made from the text */
    const char *liberty;       /* file, or NULL */
    bool sweep, yosys;
    /* --pareto: the machine, the cache (L1s, or with `l2` the banks of the L2) whose index it is,
     * further functions, the picture's file or NULL. `sized`: sets or line were given. */
    bool pareto, l2, sized;
    const char *preset, *set[GM_GATES_SETS], *also[GM_GATES_INPUTS], *svg;
    unsigned set_count, also_count;
} gm_gates_arguments;

/* Result of synthesis with Yosys and ABC. */
typedef struct gm_gates_synthesis {
    uint64_t cells, xor_cells;
    /* Of a Liberty file's cells, else 0: area, also in areas of its NAND2, and the longest path
     * with ABC's timing [ps], of inputs without slew and outputs and wires without load. */
    double area, nand2, delay;
} gm_gates_synthesis;

/* Counts of one network, and of its synthesis with Yosys where the arguments name it. */
typedef struct gm_gates_row {
    const char *name;
    unsigned gates, depth, fanout;
    gm_gates_synthesis synthesis;
} gm_gates_row;

typedef struct gm_gates_report {
    const gm_gates_arguments *arguments;
    const gm_xor_matrix *matrix;
    const gm_xor_frontier *frontier;
    gm_gates_row rows[3]; /* as written, greedy, best */
    unsigned least_gates, least_depth;
} gm_gates_report;

/* Prints the report in the form that the arguments choose. Returns an exit code. */
int gm_gates_print(const gm_gates_report *report);

/* Ranks all irreducible polynomials of a set count. Returns an exit code. */
int gm_gates_sweep(const gm_gates_arguments *own);

/* Runs Yosys and ABC on the network, or on the equations if network is NULL. `liberty` NULL:
 * generic gates. Returns 0 or a negative errno value. */
int gm_gates_synthesise(gm_gates_synthesis *synthesis, const gm_xor_matrix *matrix,
                        const gm_xor_network *network, const char *liberty, gm_error *error);

/* Sets *area to that of the smallest cell of a Liberty file that is named as a two-input NAND.
 * Returns 0 or a negative errno value. */
int gm_gates_nand2_area(double *area, const char *liberty, gm_error *error);

/* Returns true for a reserved word of SystemVerilog. Requires a name that is not empty and has no
 * blank. */
bool gm_gates_is_keyword(const char *name);

#endif
