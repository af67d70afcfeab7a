/* The golden models for SystemVerilog testbenches (DPI-C). The simulator's side is
 * cosim/goldmem_dpi_pkg.sv, which scripts/dpi-package.sh writes from the port lists; docs/dpi.md.
 */
#ifndef GOLDMEM_COSIM_DPI_H
#define GOLDMEM_COSIM_DPI_H

#include <stdint.h>

/* A packed vector of SystemVerilog's type bit, in words of 32 from the lowest: svBitVecVal of IEEE
 * 1800-2017, annex H.10.1.2. */
typedef uint32_t gm_dpi_word;

typedef struct gm_dpi gm_dpi;

/* Opens a model of `block` (NAME of cmodel/include/goldmem/ports/NAME.h) with `options` "name=value
 * name=value", or "" or NULL for the defaults. Returns NULL on failure; gm_dpi_error tells why. */
gm_dpi *gm_dpi_open(const char *block, const char *options);
void gm_dpi_close(gm_dpi *model);

/* Returns the model to its state after gm_dpi_open. Returns 0, or a negative errno. */
int gm_dpi_reset(gm_dpi *model);

/* Returns the message of the last function that failed in this thread; "" if none has failed. */
const char *gm_dpi_error(void);

/* Begins the random requests of gm_dpi_next anew. One seed gives one sequence. */
void gm_dpi_seed(gm_dpi *model, uint64_t seed);

/* Makes the next random request, as lockstep cosimulation does; independent of gm_dpi_access.
 * Returns 0, or -EINVAL for a model of another block. */
int gm_dpi_next(gm_dpi *model, const char *block, gm_dpi_word *request);

/* Does one transaction of a model of `block`. Request and response are packed structs of 64-bit
 * fields, the first field highest. Returns 0, or -EINVAL for a model of another block or a request
 * with bits above a field's width. */
int gm_dpi_access(gm_dpi *model, const char *block, const gm_dpi_word *request,
                  gm_dpi_word *response);

#endif
