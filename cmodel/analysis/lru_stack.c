/* LRU stack: stack distances [Mattson, Gecsei, Slutz, Traiger: Evaluation techniques for storage
 * hierarchies, IBM Systems Journal 9(2), 1970] from a Fenwick tree over access times in which only
 * the last access to each line is marked. When the times run out, the marks are packed together, so
 * memory follows the number of lines. */
#include "analysis/lru_stack.h"

#include <errno.h>
#include <stdlib.h>

void gm_lru_stack_init(gm_lru_stack *stack, size_t value_size)
{
    *stack = (gm_lru_stack){0};
    gm_line_table_init(&stack->lines, value_size);
}

static uint64_t low_bit(uint64_t value)
{
    return value & (~value + 1);
}

/* Adds 1 to, or takes 1 from (UINT32_MAX), the mark at `time`. */
static void mark(gm_lru_stack *stack, uint64_t time, uint32_t change)
{
    for (; time <= stack->times; time += low_bit(time)) {
        stack->tree[time] += change;
    }
}

/* Returns the number of marks at times 1 to `time`. */
static uint64_t marks_up_to(const gm_lru_stack *stack, uint64_t time)
{
    uint64_t sum = 0;
    for (; time > 0; time -= low_bit(time)) {
        sum += stack->tree[time];
    }
    return sum;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Renumbers the marks 1 to n, in order, and leaves as many times free. Requires a mark of every
 * line. */
static int pack(gm_lru_stack *stack)
{
    uint64_t slot = 0;
    for (gm_lru_stack_line *state; (state = gm_line_table_next(&stack->lines, &slot)) != NULL;) {
        state->time = marks_up_to(stack, state->time);
    }
    uint64_t marks = marks_up_to(stack, stack->now);
    uint64_t times = marks * 2 < 1024 ? 1024 : marks * 2;
    uint32_t *tree = realloc(stack->tree, (times + 1) * sizeof *tree);
    if (tree == NULL) {
        return -ENOMEM;
    }
    for (uint64_t i = 1; i <= times; i++) {
        tree[i] = (uint32_t)(smaller(i, marks) - smaller(i - low_bit(i), marks));
    }
    stack->tree = tree;
    stack->times = times;
    stack->now = marks;
    return 0;
}

void *gm_lru_stack_touch(gm_lru_stack *stack, uint64_t line, uint64_t *distance)
{
    if (stack->now == stack->times && pack(stack) != 0) {
        return NULL;
    }
    bool fresh = false;
    gm_lru_stack_line *place = gm_line_table_get(&stack->lines, line, &fresh);
    if (place == NULL) {
        return NULL;
    }
    *distance = GM_LRU_STACK_NEW;
    if (!fresh) {
        *distance = stack->lines.count - marks_up_to(stack, place->time);
        mark(stack, place->time, UINT32_MAX);
    }
    place->time = ++stack->now;
    mark(stack, place->time, 1);
    return place;
}

void gm_lru_stack_remove(gm_lru_stack *stack, uint64_t line)
{
    bool fresh = false;
    const gm_lru_stack_line *place = gm_line_table_get(&stack->lines, line, &fresh);
    mark(stack, place->time, UINT32_MAX);
    gm_line_table_remove(&stack->lines, line);
}

void gm_lru_stack_free(gm_lru_stack *stack)
{
    free(stack->tree);
    gm_line_table_free(&stack->lines);
    gm_lru_stack_init(stack, stack->lines.value_size);
}

/* The tree follows from the times of the lines. */
void gm_lru_stack_snapshot(gm_lru_stack *stack, gm_snapshot *snapshot)
{
    gm_line_table_snapshot(&stack->lines, snapshot);
    GM_SNAPSHOT_VALUE(snapshot, stack->times);
    GM_SNAPSHOT_VALUE(snapshot, stack->now);
    if (!snapshot->loading || snapshot->failed != 0 || stack->times == 0) {
        return;
    }
    stack->tree = calloc(stack->times + 1, sizeof *stack->tree);
    if (stack->tree == NULL) {
        snapshot->failed = -ENOMEM;
        return;
    }
    uint64_t slot = 0;
    for (const gm_lru_stack_line *state;
         (state = gm_line_table_next(&stack->lines, &slot)) != NULL;) {
        mark(stack, state->time, 1);
    }
}
