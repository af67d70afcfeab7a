/* Lines of the kernels in flight: a line table for each, from its first access to its end. */
#ifndef GOLDMEM_ANALYSIS_KERNEL_LINES_H
#define GOLDMEM_ANALYSIS_KERNEL_LINES_H

#include "base/line_table.h"

typedef struct gm_kernel_table {
    uint64_t kernel; /* number in the run */
    gm_line_table lines;
} gm_kernel_table;

typedef struct gm_kernel_lines {
    gm_kernel_table *table; /* [count] in the order of their first accesses */
    uint32_t count, room;
    size_t value_size; /* bytes of a line's value, a multiple of 8 */
} gm_kernel_lines;

static inline void gm_kernel_lines_init(gm_kernel_lines *kernels, size_t value_size)
{
    *kernels = (gm_kernel_lines){.value_size = value_size};
}

/* Returns the table of a kernel, made if it has none, valid until the next call; NULL: out of
 * memory. */
gm_line_table *gm_kernel_lines_of(gm_kernel_lines *kernels, uint64_t kernel);

/* Returns the value of a line of a kernel, as gm_line_table_get. */
void *gm_kernel_lines_get(gm_kernel_lines *kernels, uint64_t kernel, uint64_t line, bool *fresh);

/* Calls `visit` for the value of each line of a kernel, then drops its table. Nothing, if the
 * kernel has none. */
void gm_kernel_lines_end(gm_kernel_lines *kernels, uint64_t kernel,
                         void (*visit)(void *context, void *value), void *context);

/* Calls `release` for the value of each line of all kernels, then drops all tables. */
void gm_kernel_lines_free(gm_kernel_lines *kernels, void (*release)(void *context, void *value),
                          void *context);

/* Saves or loads the kernels and their lines; `move` saves or loads a line's value, which is zeroed
 * when loading. Loading requires that there is no table. */
void gm_kernel_lines_snapshot(gm_kernel_lines *kernels, gm_snapshot *snapshot,
                              void (*move)(void *value, size_t size, gm_snapshot *snapshot));

#endif
