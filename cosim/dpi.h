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

/* A model: `block` as in cmodel/include/goldmem/ports/NAME.h, `options` "name=value name=value", ""
 * for the defaults. NULL: gm_dpi_error says why. */
gm_dpi *gm_dpi_open(const char *block, const char *options);
void gm_dpi_close(gm_dpi *model);

/* The state as after gm_dpi_open. 0, or a negative errno. */
int gm_dpi_reset(gm_dpi *model);

/* What the last function that failed in this thread found wrong; "" before any has. */
const char *gm_dpi_error(void);

/* One transaction of a model of `block`. Both are packed structs of 64-bit fields, the first field
 * highest. 0, or -EINVAL: a model of another block, or a request with bits above a field's width.
 */
int gm_dpi_access(gm_dpi *model, const char *block, const gm_dpi_word *request,
                  gm_dpi_word *response);

#endif
