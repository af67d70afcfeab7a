/* DRAM channel of the order engine; the address mapping of a channel for both engines. */
#include "cache/dram.h"

#include "cache/cache.h"

#include <errno.h>
#include <inttypes.h>

enum { ALIGNMENT = 64 };

size_t gm_dram_bytes(const gm_config *config)
{
    return gm_dram_banks(config) * sizeof(uint64_t) + ALIGNMENT;
}

/* Returns the bytes of the pieces that go to banks in turn. */
static uint64_t piece_of(const gm_config *config)
{
    return config->dram.low_bytes != 0 ? config->dram.low_bytes : config->memory.interleave;
}

gm_dram_map gm_dram_map_make(const gm_config *config)
{
    return (gm_dram_map){
        .row_mask = config->dram.row / GM_SECTOR - 1,
        .bank_mask = gm_dram_banks(config) - 1,
        .rows_mask = config->dram.rows - 1, /* 0, no limit: all ones */
        .row_bits = gm_log2_floor(config->dram.row / GM_SECTOR),
        .bank_bits = gm_log2_floor(gm_dram_banks(config)),
        .piece_bits = gm_log2_floor(piece_of(config) / GM_SECTOR),
        .low_bits = gm_log2_floor(config->dram.low_banks * gm_dram_pseudo_channels(config)),
    };
}

int gm_dram_map_check(const gm_config *config, gm_error *error)
{
    if (config->dram.rows != 0 && !gm_is_power_of_two(config->dram.rows)) {
        return gm_fail(error, -EINVAL, "dram.rows: %" PRIu64 ": 0 or a power of two is needed",
                       config->dram.rows);
    }
    if (config->dram.low_bytes != 0 &&
        (!gm_is_power_of_two(config->dram.low_bytes) || config->dram.low_bytes < config->l2.line)) {
        return gm_fail(error, -EINVAL,
                       "dram.low_bytes: %" PRIu64 ": a power of two, at least l2.line (%" PRIu64
                       "), is needed",
                       config->dram.low_bytes, config->l2.line);
    }
    bool banks = gm_is_power_of_two(config->dram.banks);
    if (banks && gm_is_power_of_two(config->dram.row)) {
        return 0;
    }
    return gm_fail(error, -EINVAL, "%s: %" PRIu64 ": a power of two is needed",
                   banks ? "dram.row" : "dram.banks",
                   banks ? config->dram.row : config->dram.banks);
}

int gm_dram_init(gm_dram *dram, const gm_config *config, gm_arena *arena, gm_error *error)
{
    if (config->dram.banks == 0 || config->dram.banks > UINT16_MAX) {
        return gm_fail(error, -EINVAL, "dram.banks: %llu: 1 to 65535 are possible",
                       (unsigned long long)config->dram.banks);
    }
    if (config->dram.row == 0 || config->dram.row % config->l2.line != 0 ||
        config->dram.row > UINT32_MAX) {
        return gm_fail(error, -EINVAL, "dram.row: %llu: a multiple of l2.line (%llu) is needed",
                       (unsigned long long)config->dram.row, (unsigned long long)config->l2.line);
    }
    int code = gm_dram_map_check(config, error);
    if (code < 0) {
        return code;
    }
    *dram = (gm_dram){.map = gm_dram_map_make(config),
                      .open_row = gm_arena_take(arena, gm_dram_banks(config), sizeof(uint64_t))};
    return dram->open_row != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory: a DRAM channel");
}

void gm_dram_access(gm_dram *dram, uint64_t address, unsigned sectors, bool write)
{
    gm_dram_place place = gm_dram_locate(&dram->map, address >> GM_SECTOR_SHIFT);
    gm_dram_statistics *statistics = &dram->statistics;
    statistics->requests++;
    statistics->row_hits += dram->open_row[place.bank] == place.row + 1;
    statistics->bytes += (uint64_t)sectors * GM_SECTOR;
    *(write ? &statistics->writes : &statistics->reads) += sectors;
    dram->open_row[place.bank] = place.row + 1;
}
