/* Parts of sectors in a lazy L1. */
#include "cycle/l1/l1_parts.h"

#include "goldmem/bits.h"

#include <string.h>

enum { ALIGNMENT = 64, ARRAYS = 2 };

static uint64_t places_of(uint64_t sectors)
{
    return UINT64_C(2) << gm_log2_floor(sectors); /* two thirds full on average, at most */
}

size_t gm_l1_parts_bytes(uint64_t sectors)
{
    return sizeof(gm_l1_parts) + places_of(sectors) * sizeof(gm_l1_part) +
           (size_t)ARRAYS * ALIGNMENT;
}

gm_l1_parts *gm_l1_parts_make(uint64_t sectors, unsigned sector_bits, gm_arena *arena)
{
    gm_l1_parts *parts = gm_arena_take(arena, 1, sizeof *parts);
    gm_l1_part *part = gm_arena_take(arena, places_of(sectors), sizeof *part);
    if (parts == NULL || part == NULL) {
        return NULL;
    }
    *parts = (gm_l1_parts){.part = part, .places = places_of(sectors), .sector_bits = sector_bits};
    return parts;
}

static gm_l1_part *place_of(const gm_l1_parts *parts, uint64_t sector)
{
    return &parts->part[sector & (parts->places - 1)];
}

uint32_t gm_l1_parts_join(const gm_l1_parts *parts, uint64_t line, uint32_t sectors,
                          uint32_t *bytes)
{
    uint32_t whole = 0;
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        unsigned in_line = gm_lowest_one(left);
        uint64_t sector = (line << parts->sector_bits) + in_line;
        const gm_l1_part *part = place_of(parts, sector);
        bytes[in_line] |= part->sector == sector + 1 ? part->bytes : 0;
        whole |= bytes[in_line] == UINT32_MAX ? UINT32_C(1) << in_line : 0;
    }
    return whole;
}

void gm_l1_parts_keep(gm_l1_parts *parts, uint64_t line, uint32_t sectors, const uint32_t *bytes)
{
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        unsigned in_line = gm_lowest_one(left);
        uint64_t sector = (line << parts->sector_bits) + in_line;
        gm_l1_part *part = place_of(parts, sector);
        if (bytes[in_line] != UINT32_MAX) {
            *part = (gm_l1_part){.sector = sector + 1, .bytes = bytes[in_line]};
        } else if (part->sector == sector + 1) {
            *part = (gm_l1_part){0};
        }
    }
}

void gm_l1_parts_clear(gm_l1_parts *parts)
{
    memset(parts->part, 0, parts->places * sizeof *parts->part);
}

void gm_l1_parts_snapshot(gm_l1_parts *parts, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_ARRAY(snapshot, parts->part, parts->places);
}
