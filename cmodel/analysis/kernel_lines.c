/* Lines of the kernels in flight. */
#include "analysis/kernel_lines.h"

#include <errno.h>
#include <stdlib.h>

gm_line_table *gm_kernel_lines_of(gm_kernel_lines *kernels, uint64_t kernel)
{
    for (uint32_t i = kernels->count; i-- > 0;) {
        if (kernels->table[i].kernel == kernel) {
            return &kernels->table[i].lines;
        }
    }
    if (kernels->count == kernels->room) {
        uint32_t room = kernels->room == 0 ? 4 : 2 * kernels->room;
        gm_kernel_table *table = realloc(kernels->table, room * sizeof *table);
        if (table == NULL) {
            return NULL;
        }
        kernels->table = table;
        kernels->room = room;
    }
    gm_kernel_table *made = &kernels->table[kernels->count++];
    made->kernel = kernel;
    gm_line_table_init(&made->lines, kernels->value_size);
    return &made->lines;
}

void *gm_kernel_lines_get(gm_kernel_lines *kernels, uint64_t kernel, uint64_t line, bool *fresh)
{
    gm_line_table *lines = gm_kernel_lines_of(kernels, kernel);
    return lines != NULL ? gm_line_table_get(lines, line, fresh) : NULL;
}

static void drop(gm_line_table *lines, void (*visit)(void *context, void *value), void *context)
{
    uint64_t slot = 0;
    for (void *value; (value = gm_line_table_next(lines, &slot)) != NULL;) {
        visit(context, value);
    }
    gm_line_table_free(lines);
}

void gm_kernel_lines_end(gm_kernel_lines *kernels, uint64_t kernel,
                         void (*visit)(void *context, void *value), void *context)
{
    uint32_t at = 0;
    while (at < kernels->count && kernels->table[at].kernel != kernel) {
        at++;
    }
    if (at == kernels->count) {
        return;
    }
    drop(&kernels->table[at].lines, visit, context);
    kernels->count--;
    for (; at < kernels->count; at++) {
        kernels->table[at] = kernels->table[at + 1];
    }
}

void gm_kernel_lines_free(gm_kernel_lines *kernels, void (*release)(void *context, void *value),
                          void *context)
{
    for (uint32_t i = 0; i < kernels->count; i++) {
        drop(&kernels->table[i].lines, release, context);
    }
    free(kernels->table);
    gm_kernel_lines_init(kernels, kernels->value_size);
}

void gm_kernel_lines_snapshot(gm_kernel_lines *kernels, gm_snapshot *snapshot,
                              void (*move)(void *value, size_t size, gm_snapshot *snapshot))
{
    uint32_t count = kernels->count;
    GM_SNAPSHOT_VALUE(snapshot, count);
    for (uint32_t i = 0; i < count && snapshot->failed == 0; i++) {
        uint64_t kernel = snapshot->loading ? 0 : kernels->table[i].kernel;
        GM_SNAPSHOT_VALUE(snapshot, kernel);
        gm_line_table *lines = snapshot->failed == 0 ? gm_kernel_lines_of(kernels, kernel) : NULL;
        if (lines == NULL) {
            snapshot->failed = snapshot->failed != 0 ? snapshot->failed : -ENOMEM;
            return;
        }
        gm_line_table_snapshot_by(lines, snapshot, move);
    }
}
