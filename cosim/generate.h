/* Parts of the generator of a block's tops and benches (generate.c). */
#ifndef GOLDMEM_COSIM_GENERATE_H
#define GOLDMEM_COSIM_GENERATE_H

#include "cosim.h"

#include <stdio.h>

/* Prints a parameter's value as a literal of Verilog; `width` is that of the port list, `bits` its
 * value. */
void gm_generate_value(FILE *file, const uint64_t *value, const char *width, uint64_t bits);

/* generate_dpi.c: print the block's part of cosim/goldmem_dpi_pkg.sv; and the module NAME_dpi_tb,
 * the block NAME_single of a generated top beside its C model. */
void gm_generate_dpi(FILE *file, const gm_ports *ports);
void gm_generate_dpi_testbench(FILE *file, const gm_ports *ports);

/* fourstate.c: writes a bench of one instance of `module` for simulators with four values, and
 * `count` requests with the C model's answers, in episodes, each from reset. Without `parameters`
 * the module has none. */
typedef struct gm_generate_fourstate {
    const gm_cosim_configuration *configuration;
    const char *module;
    bool parameters;
    uint64_t count, seed;
    const char *bench, *vectors; /* files */
} gm_generate_fourstate;

int gm_generate_fourstate_write(const gm_generate_fourstate *from, gm_error *error);

#endif
