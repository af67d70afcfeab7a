/* Sharing trackers of a machine: instances, and the places of lines in them. */
#include "cache/tracker_map.h"

#include "goldmem/bits.h"

int gm_tracker_map_init(gm_tracker_map *map, const gm_config *config, gm_error *error)
{
    *map = (gm_tracker_map){
        .part_bits = gm_log2_floor(config->l1.line / config->l2.line),
        .line_bits = gm_log2_floor(config->l1.line),
        .partitions = (uint32_t)gm_config_tracker_partitions(config),
        .cus = (uint32_t)gm_config_tracker_sms(config),
    };
    return gm_address_map_init(&map->map, config, error);
}

/* Returns a partition's line with another bank's bits in its local address. */
static gm_location location_in(const gm_tracker_map *map, gm_tracker_place place, uint32_t bank)
{
    const gm_address_map *m = &map->map;
    uint64_t local = place.line << map->part_bits;
    return (gm_location){place.partition, bank,
                         local >> m->bank_shift >> m->bank_bits << m->bank_shift |
                             (local & m->in_piece)};
}

/* A hashed bank does not follow from the local address: each is tried. */
uint64_t gm_tracker_map_line(const gm_tracker_map *map, gm_tracker_place place)
{
    uint64_t line = place.line;
    for (uint32_t bank = 0; map->partitions != 1 && bank <= map->map.in_banks; bank++) {
        line = gm_address_map_line(&map->map, location_in(map, place, bank)) >> map->part_bits;
        gm_tracker_place found = gm_tracker_map_locate(map, line);
        if (found.partition == place.partition && found.line == place.line) {
            break;
        }
    }
    return line;
}

gm_sharing_tracker_parameters gm_tracker_parameters(const gm_config *config,
                                                    const gm_set_index *index)
{
    return (gm_sharing_tracker_parameters){
        .index = index,
        .ways = (unsigned)config->tracker.ways,
        .cus = (unsigned)gm_config_tracker_sms(config),
        .pointers = (unsigned)config->tracker.pointers,
    };
}

int gm_tracker_index(gm_set_index *index, const gm_config *config, gm_error *error)
{
    return gm_set_index_parse(index, config->tracker.index, gm_config_tracker_sets(config),
                              64 - gm_log2_floor(config->l1.line), error);
}
