/* LRU stack: the lines of a stream of accesses by the time of their last one. */
#ifndef GOLDMEM_ANALYSIS_LRU_STACK_H
#define GOLDMEM_ANALYSIS_LRU_STACK_H

#include "base/line_table.h"

/* The first member of every value of `lines`. */
typedef struct gm_lru_stack_line {
    uint64_t time; /* of the line's mark in the tree, from 1 */
} gm_lru_stack_line;

typedef struct gm_lru_stack {
    gm_line_table lines;
    uint32_t *tree; /* [times + 1], Fenwick */
    uint64_t times;
    uint64_t now; /* last time used */
} gm_lru_stack;

#define GM_LRU_STACK_NEW UINT64_MAX /* distance of a line that the stack does not have */

/* Initialises an empty stack. `value_size`: bytes of a line's value, a multiple of 8, of which the
 * first are a gm_lru_stack_line. */
void gm_lru_stack_init(gm_lru_stack *stack, size_t value_size);

/* Puts a line on top. Returns its value, valid until the next call; NULL if out of memory. Sets
 * *distance to the number of lines that were above it, or GM_LRU_STACK_NEW: then the rest of its
 * value is 0. */
void *gm_lru_stack_touch(gm_lru_stack *stack, uint64_t line, uint64_t *distance);

/* Takes a line out. Requires that the stack has it. */
void gm_lru_stack_remove(gm_lru_stack *stack, uint64_t line);

/* Saves or loads the stack; loading requires an empty one. Values hold no pointers. */
void gm_lru_stack_snapshot(gm_lru_stack *stack, gm_snapshot *snapshot);

/* Empties the stack and gives its memory back. */
void gm_lru_stack_free(gm_lru_stack *stack);

#endif
