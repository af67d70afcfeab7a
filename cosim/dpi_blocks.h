/* The blocks of libgoldmem_dpi.so. The build generates the C file that lists them:
 *   GM_DPI_BLOCK(NAME) for each, then GM_DPI_BLOCKS(&gm_cosim_block_NAME, ...) */
#ifndef GOLDMEM_COSIM_DPI_BLOCKS_H
#define GOLDMEM_COSIM_DPI_BLOCKS_H

#include "cosim.h"
#include "dpi.h"

extern const gm_cosim_block *const gm_dpi_blocks[]; /* ends with NULL */

/* Defines one function for each block, so that its arguments have the block's types in
 * SystemVerilog. */
#define GM_DPI_BLOCK(name)                                                                         \
    extern const gm_cosim_block gm_cosim_block_##name;                                             \
    int gm_dpi_##name(gm_dpi *model, const gm_dpi_word *request, gm_dpi_word *response);           \
    int gm_dpi_next_##name(gm_dpi *model, gm_dpi_word *request);                                   \
    int gm_dpi_##name(gm_dpi *model, const gm_dpi_word *request, gm_dpi_word *response)            \
    {                                                                                              \
        return gm_dpi_access(model, #name, request, response);                                     \
    }                                                                                              \
    int gm_dpi_next_##name(gm_dpi *model, gm_dpi_word *request)                                    \
    {                                                                                              \
        return gm_dpi_next(model, #name, request);                                                 \
    }
#define GM_DPI_BLOCKS(...) const gm_cosim_block *const gm_dpi_blocks[] = {__VA_ARGS__, NULL};

#endif
