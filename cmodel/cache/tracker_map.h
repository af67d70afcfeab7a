/* Sharing trackers of a machine [anssari, 3.1, 4.2]: each serves consecutive SMs, and is divided by
 * memory partition into instances of the block sharing_tracker, as the L2 is divided into banks.
 * An instance knows a line by its address inside the partition. Where an L1 line lies in several
 * partitions a tracker is one instance, which knows lines by their whole addresses. */
#ifndef GOLDMEM_CACHE_TRACKER_MAP_H
#define GOLDMEM_CACHE_TRACKER_MAP_H

#include "cache/address_map.h"
#include "goldmem/sharing_tracker.h"

typedef struct gm_tracker_map {
    gm_address_map map;
    unsigned part_bits;  /* log2 of the L2 lines of an L1 line */
    unsigned line_bits;  /* log2 of the bytes of an L1 line */
    uint32_t partitions; /* instances of a tracker */
    uint32_t cus;        /* SMs of a tracker */
} gm_tracker_map;

/* A line's instance in each tracker, and its address there. */
typedef struct gm_tracker_place {
    uint32_t partition; /* below gm_tracker_map.partitions */
    uint64_t line;
} gm_tracker_place;

/* Makes the map. Requires a configuration that has been checked. Returns 0 or -EINVAL. */
int gm_tracker_map_init(gm_tracker_map *map, const gm_config *config, gm_error *error);

/* Returns the place of an L1 line: byte address >> log2 of the L1 line size. */
static inline gm_tracker_place gm_tracker_map_locate(const gm_tracker_map *map, uint64_t line)
{
    if (map->partitions == 1) {
        return (gm_tracker_place){0, line};
    }
    gm_location at = gm_address_map_locate(&map->map, line << map->part_bits);
    return (gm_tracker_place){at.partition, gm_address_map_local(&map->map, at) >> map->line_bits};
}

/* Returns the L1 line of a place: the inverse of gm_tracker_map_locate. For checks. */
uint64_t gm_tracker_map_line(const gm_tracker_map *map, gm_tracker_place place);

/* Returns the number of the instance of an SM's tracker in a partition. */
static inline uint32_t gm_tracker_map_instance(const gm_tracker_map *map, uint32_t sm,
                                               uint32_t partition)
{
    return sm / map->cus * map->partitions + partition;
}

/* Returns the parameters of each instance; the caller keeps `index`. */
gm_sharing_tracker_parameters gm_tracker_parameters(const gm_config *config,
                                                    const gm_set_index *index);

/* Makes the set-index function of each instance. Returns 0 or -EINVAL. */
int gm_tracker_index(gm_set_index *index, const gm_config *config, gm_error *error);

#endif
