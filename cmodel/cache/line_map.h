/* Line map: a growing hash table from line address to slot. Models a cache of unbounded size, which
 * no hardware has. */
#ifndef GOLDMEM_CACHE_LINE_MAP_H
#define GOLDMEM_CACHE_LINE_MAP_H

#include "goldmem/error.h"

#include <stdint.h>

#define GM_NO_SLOT UINT32_MAX

typedef struct gm_sector_state {
    uint32_t valid; /* mask of sectors */
    uint32_t dirty; /* mask of sectors, part of valid */
} gm_sector_state;

typedef struct gm_line_map {
    uint64_t *line;         /* [capacity] in order of first use */
    gm_sector_state *state; /* [capacity] */
    uint32_t *bucket;       /* [2 * capacity] slot, or GM_NO_SLOT */
    uint32_t count;
    uint32_t capacity; /* a power of two */
    int failed;        /* -ENOMEM once the map could not grow: results are void */
} gm_line_map;

/* Makes an empty map. Returns 0 or -ENOMEM. */
int gm_line_map_init(gm_line_map *table, gm_error *error);
void gm_line_map_free(gm_line_map *table);

/* Returns the slot of a line, or GM_NO_SLOT. */
uint32_t gm_line_map_find(const gm_line_map *table, uint64_t line);

/* Returns the slot of a line; adds the line without valid sectors if it is absent. The slot may be
 * written even after the map has `failed`. */
uint32_t gm_line_map_add(gm_line_map *table, uint64_t line);

/* Removes every line. */
void gm_line_map_clear(gm_line_map *table);

#endif
