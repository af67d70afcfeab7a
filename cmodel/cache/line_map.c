/* Line map: open addressing with linear probing at a load of at most one half. */
#include "cache/line_map.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 1024, MOST_LINES = 1 << 30 };

static uint32_t first_bucket(const gm_line_map *table, uint64_t line)
{
    /* Fibonacci hashing: the high bits of the product are the best mixed. */
    return (uint32_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >>
                      (63 - gm_log2_floor(table->capacity)));
}

static uint32_t *bucket_of(const gm_line_map *table, uint64_t line)
{
    uint32_t mask = 2 * table->capacity - 1;
    uint32_t position = first_bucket(table, line);
    while (table->bucket[position] != GM_NO_SLOT && table->line[table->bucket[position]] != line) {
        position = (position + 1) & mask;
    }
    return &table->bucket[position];
}

static int resize(gm_line_map *table, uint32_t capacity)
{
    if (capacity > MOST_LINES) {
        return -ENOMEM;
    }
    uint64_t *line = realloc(table->line, capacity * sizeof *line);
    table->line = line != NULL ? line : table->line;
    gm_sector_state *state = realloc(table->state, capacity * sizeof *state);
    table->state = state != NULL ? state : table->state;
    uint32_t *bucket = malloc(2 * (size_t)capacity * sizeof *bucket);
    if (line == NULL || state == NULL || bucket == NULL) {
        free(bucket);
        return -ENOMEM;
    }
    free(table->bucket);
    table->bucket = bucket;
    table->capacity = capacity;
    memset(bucket, 0xff, 2 * (size_t)capacity * sizeof *bucket);
    for (uint32_t slot = 0; slot < table->count; slot++) {
        *bucket_of(table, line[slot]) = slot;
    }
    return 0;
}

int gm_line_map_init(gm_line_map *table, gm_error *error)
{
    *table = (gm_line_map){0};
    if (resize(table, FIRST_CAPACITY) != 0) {
        gm_line_map_free(table);
        return gm_fail(error, -ENOMEM, "out of memory: an unbounded cache");
    }
    return 0;
}

void gm_line_map_free(gm_line_map *table)
{
    free(table->line);
    free(table->state);
    free(table->bucket);
    *table = (gm_line_map){0};
}

uint32_t gm_line_map_find(const gm_line_map *table, uint64_t line)
{
    return *bucket_of(table, line);
}

uint32_t gm_line_map_add(gm_line_map *table, uint64_t line)
{
    uint32_t *bucket = bucket_of(table, line);
    if (*bucket != GM_NO_SLOT) {
        return *bucket;
    }
    if (table->count == table->capacity) {
        if (resize(table, 2 * table->capacity) != 0) {
            table->failed = -ENOMEM;
            return 0;
        }
        bucket = bucket_of(table, line);
    }
    *bucket = table->count;
    table->line[table->count] = line;
    table->state[table->count] = (gm_sector_state){0};
    return table->count++;
}

void gm_line_map_clear(gm_line_map *table)
{
    memset(table->bucket, 0xff, 2 * (size_t)table->capacity * sizeof *table->bucket);
    table->count = 0;
}
