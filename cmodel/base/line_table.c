/* Line table: open addressing with linear probing. */
#include "base/line_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BITS = 8 };

void gm_line_table_init(gm_line_table *table, size_t value_size)
{
    *table = (gm_line_table){.value_size = value_size};
}

/* Returns the slot at which the search for the line begins. */
static uint64_t home_of(const gm_line_table *table, uint64_t line)
{
    return (line * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - table->bits);
}

/* Returns the slot of the line, or the empty slot for it. */
static uint64_t slot_of(const gm_line_table *table, uint64_t line)
{
    uint64_t mask = (UINT64_C(1) << table->bits) - 1;
    uint64_t slot = home_of(table, line);
    while (table->keys[slot] != 0 && table->keys[slot] != line + 1) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static bool grow(gm_line_table *table)
{
    size_t old_slots = table->keys != NULL ? (size_t)1 << table->bits : 0;
    unsigned bits = table->keys != NULL ? table->bits + 1 : FIRST_BITS;
    size_t slots = (size_t)1 << bits;
    uint64_t *old_keys = table->keys;
    unsigned char *old_values = table->values;
    uint64_t *keys = calloc(slots, sizeof *keys);
    unsigned char *values = calloc(slots, table->value_size);
    if (keys == NULL || values == NULL) {
        free(keys);
        free(values);
        return false;
    }
    table->keys = keys;
    table->values = values;
    table->bits = bits;
    for (size_t i = 0; i < old_slots; i++) {
        if (old_keys[i] != 0) {
            uint64_t slot = slot_of(table, old_keys[i] - 1);
            keys[slot] = old_keys[i];
            memcpy(values + slot * table->value_size, old_values + i * table->value_size,
                   table->value_size);
        }
    }
    free(old_keys);
    free(old_values);
    return true;
}

void *gm_line_table_get(gm_line_table *table, uint64_t line, bool *fresh)
{
    *fresh = false;
    if (table->keys != NULL) {
        uint64_t slot = slot_of(table, line);
        if (table->keys[slot] != 0) {
            return table->values + slot * table->value_size;
        }
    }
    /* At most 5/8 full. */
    if (table->keys == NULL || (table->count + 1) * 8 > (UINT64_C(5) << table->bits)) {
        if (!grow(table)) {
            return NULL;
        }
    }
    uint64_t slot = slot_of(table, line);
    table->keys[slot] = line + 1;
    table->count++;
    *fresh = true;
    return table->values + slot * table->value_size;
}

/* Moves each line behind the gap that a probe would no longer find into it. */
void gm_line_table_remove(gm_line_table *table, uint64_t line)
{
    uint64_t mask = (UINT64_C(1) << table->bits) - 1;
    uint64_t gap = slot_of(table, line);
    for (uint64_t at = (gap + 1) & mask; table->keys[at] != 0; at = (at + 1) & mask) {
        uint64_t home = home_of(table, table->keys[at] - 1);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            table->keys[gap] = table->keys[at];
            memcpy(table->values + gap * table->value_size, table->values + at * table->value_size,
                   table->value_size);
            gap = at;
        }
    }
    table->keys[gap] = 0;
    memset(table->values + gap * table->value_size, 0, table->value_size);
    table->count--;
}

void *gm_line_table_next(const gm_line_table *table, uint64_t *slot)
{
    uint64_t line;
    return gm_line_table_next_line(table, slot, &line);
}

void *gm_line_table_next_line(const gm_line_table *table, uint64_t *slot, uint64_t *line)
{
    uint64_t slots = table->keys != NULL ? UINT64_C(1) << table->bits : 0;
    while (*slot < slots) {
        uint64_t at = (*slot)++;
        if (table->keys[at] != 0) {
            *line = table->keys[at] - 1;
            return table->values + at * table->value_size;
        }
    }
    return NULL;
}

void gm_line_table_free(gm_line_table *table)
{
    free(table->keys);
    free(table->values);
    gm_line_table_init(table, table->value_size);
}

void gm_line_table_snapshot_by(gm_line_table *table, gm_snapshot *snapshot,
                               void (*move)(void *value, size_t size, gm_snapshot *snapshot))
{
    uint64_t lines = table->count;
    uint64_t slot = 0;
    GM_SNAPSHOT_VALUE(snapshot, lines);
    for (uint64_t i = 0; i < lines && snapshot->failed == 0; i++) {
        uint64_t line = 0;
        bool fresh;
        void *value = snapshot->loading ? NULL : gm_line_table_next_line(table, &slot, &line);
        GM_SNAPSHOT_VALUE(snapshot, line);
        if (snapshot->loading && snapshot->failed == 0) {
            value = gm_line_table_get(table, line, &fresh);
            snapshot->failed = value == NULL ? -ENOMEM : 0;
        }
        if (value != NULL) {
            move(value, table->value_size, snapshot);
        }
    }
}

static void move_value(void *value, size_t size, gm_snapshot *snapshot)
{
    gm_snapshot_bytes(snapshot, "a line's value", value, size);
}

void gm_line_table_snapshot(gm_line_table *table, gm_snapshot *snapshot)
{
    gm_line_table_snapshot_by(table, snapshot, move_value);
}
