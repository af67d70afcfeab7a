/* Line table: an open-addressing hash from a line address to a value of fixed size. A removed line
 * leaves no mark, so a probe ends at the first empty slot. */
#ifndef GOLDMEM_BASE_LINE_TABLE_H
#define GOLDMEM_BASE_LINE_TABLE_H

#include "base/snapshot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gm_line_table {
    uint64_t *keys; /* line + 1; 0: empty */
    unsigned char *values;
    size_t value_size; /* bytes, a multiple of 8 */
    uint64_t count;    /* lines held */
    unsigned bits;     /* log2 of the slots, once allocated */
} gm_line_table;

/* Initialises an empty table, which holds no memory until the first line. */
void gm_line_table_init(gm_line_table *table, size_t value_size);

/* Returns the value of a line, or NULL if out of memory. A new line's value is zeroed and sets
 * *fresh. Valid until the next call. */
void *gm_line_table_get(gm_line_table *table, uint64_t line, bool *fresh);

/* Removes a line. Requires that the table has it. Memory is not given back. */
void gm_line_table_remove(gm_line_table *table, uint64_t line);

/* Returns the values of the lines in no special order, NULL at the end. Requires *slot = 0 at the
 * first call. */
void *gm_line_table_next(const gm_line_table *table, uint64_t *slot);

/* As gm_line_table_next; sets *line to the value's line. */
void *gm_line_table_next_line(const gm_line_table *table, uint64_t *slot, uint64_t *line);

void gm_line_table_free(gm_line_table *table);

/* Saves or loads the lines and their values, which hold no pointers. Loading requires an empty
 * table. */
void gm_line_table_snapshot(gm_line_table *table, gm_snapshot *snapshot);

/* As gm_line_table_snapshot; `move` saves or loads the value of a line, `size` bytes that are zero
 * before it is loaded. */
void gm_line_table_snapshot_by(gm_line_table *table, gm_snapshot *snapshot,
                               void (*move)(void *value, size_t size, gm_snapshot *snapshot));

#endif
