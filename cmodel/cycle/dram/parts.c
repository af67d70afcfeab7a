/* Pseudo-channels, bank groups, command buses and refresh of a partition's DRAM: parameters and
 * state. */
#include "cycle/dram/parts.h"

#include "goldmem/bits.h"

#include <errno.h>

enum { ARRAYS = 6, ALIGNMENT = 64 };

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t less(uint64_t from, uint64_t number)
{
    return from > number ? from - number : 0;
}

static uint64_t either(uint64_t value, uint64_t otherwise)
{
    return value != 0 ? value : otherwise;
}

/* True if the configuration has more than GDDR5 channels with one command bus. */
static bool needed(const gm_config *config)
{
    return gm_dram_pseudo_channels(config) > 1 || config->dram.dual_bus ||
           config->dram.bank_turns || config->dram.trtpl != 0 || config->dram.activate_cycles > 1 ||
           config->dram.refresh != GM_REFRESH_NONE || config->dram.trcdw > config->dram.trcd ||
           (config->dram.trrdl | config->dram.tcdlrl | config->dram.trtw | config->dram.tfaw |
            config->dram.tppd) != 0;
}

static size_t groups_of(const gm_config *config)
{
    return gm_dram_pseudo_channels(config) * config->dram.bank_groups;
}

size_t gm_dram_parts_bytes(const gm_config *config)
{
    if (!needed(config)) {
        return 0;
    }
    return sizeof(gm_dram_parts) + groups_of(config) * sizeof(gm_dram_group) +
           gm_dram_pseudo_channels(config) * sizeof(gm_dram_part) +
           gm_dram_banks(config) * (2 * sizeof(gm_cycle) + sizeof(uint16_t)) +
           (size_t)ARRAYS * ALIGNMENT;
}

/* Returns the distances of the configuration. The DRAM counts them from the last cycle of an
 * activate, the scheduler from the first. */
static gm_dram_distances distances_of(const gm_config *config, const gm_gddr5_timing *timing)
{
    uint64_t more = config->dram.activate_cycles - 1;
    uint64_t write_end = config->dram.twl + config->dram.burst_cycles;
    uint64_t trrdl = larger(config->dram.trrdl, config->dram.trrd);
    uint64_t tcdlrl = larger(config->dram.tcdlrl, config->dram.tcdlr);
    uint64_t turned = larger(less(timing->read_data, config->dram.twl), config->dram.tccd);
    return (gm_dram_distances){
        .row_to_row = config->dram.trrd,
        .row_to_row_group = trrdl,
        .row_to_row_bank = config->dram.trc,
        .four_rows = config->dram.tfaw,
        .row_to_read = config->dram.trcd + more,
        .row_to_write = either(config->dram.trcdw, config->dram.trcd) + more,
        .row_to_precharge = config->dram.tras + more,
        .precharge_to_row = less(config->dram.trp, more),
        .precharge_to_precharge = config->dram.tppd,
        .column_to_column = timing->same_kind,
        .column_to_column_group = timing->same_group,
        .read_to_write =
            config->dram.trtw != 0 ? larger(config->dram.trtw, turned) : timing->read_to_write,
        .write_to_read = timing->write_to_read,
        .write_to_read_group = larger(write_end + tcdlrl, timing->write_to_read),
        .read_to_precharge = timing->read_to_precharge,
        .write_to_precharge = timing->write_to_precharge,
        .read_to_precharge_group = config->dram.trtpl,
        .row_to_refresh = config->dram.trrd + more,
        .row_to_refresh_bank = config->dram.trc + more,
        .precharge_to_refresh = config->dram.trp,
        .refresh_to_refresh = config->dram.trrefd,
        .refresh_to_row = less(config->dram.trrefd, more),
        .refresh_to_row_bank = less(config->dram.trfcb, more),
        .refresh_all_to_row = less(config->dram.trfc, more),
    };
}

static bool take_arrays(gm_dram_parts *parts, const gm_config *config, gm_arena *arena)
{
    size_t banks = gm_dram_banks(config);
    parts->group = gm_arena_take(arena, groups_of(config), sizeof *parts->group);
    parts->part = gm_arena_take(arena, parts->count, sizeof *parts->part);
    parts->write_from = gm_arena_take(arena, banks, sizeof *parts->write_from);
    parts->refresh_row = gm_arena_take(arena, banks, sizeof *parts->refresh_row);
    parts->place = gm_arena_take(arena, banks, sizeof *parts->place);
    return parts->group != NULL && parts->part != NULL && parts->place != NULL &&
           parts->write_from != NULL && parts->refresh_row != NULL;
}

int gm_dram_parts_init(gm_gddr5 *channel, const gm_config *config, gm_arena *arena, gm_error *error)
{
    if (!needed(config)) {
        return 0;
    }
    gm_dram_parts *parts = gm_arena_take(arena, 1, sizeof *parts);
    if (parts == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: a DRAM channel");
    }
    bool one = config->dram.refresh == GM_REFRESH_BANK;
    *parts = (gm_dram_parts){
        .distance = distances_of(config, &channel->timing),
        .refresh = config->dram.refresh,
        .refresh_interval = config->dram.trefi / (one ? config->dram.banks : 1),
        .activate_cycles = config->dram.activate_cycles,
        .count = (uint32_t)gm_dram_pseudo_channels(config),
        .part_bits = gm_log2_floor(gm_dram_pseudo_channels(config)),
        .pseudo_bits = gm_log2_floor(config->dram.pseudo_channels),
        .row_bus = config->dram.dual_bus,
        .banks = (uint32_t)config->dram.banks,
    };
    if (!take_arrays(parts, config, arena)) {
        return gm_fail(error, -ENOMEM, "out of memory: a DRAM channel");
    }
    for (uint32_t i = 0; i < parts->count; i++) { /* the parts' refreshes are spread over time */
        parts->part[i].refresh_due =
            parts->refresh == GM_REFRESH_NONE
                ? GM_NEVER
                : parts->refresh_interval + i * parts->refresh_interval / parts->count;
    }
    parts->refresh_due = parts->part[0].refresh_due;     /* the first */
    for (uint32_t i = 0; i < channel->bank_count; i++) { /* groups of a part lie together */
        uint32_t group = i >> parts->part_bits & channel->group_mask;
        parts->place[i] = (uint16_t)((i & (parts->count - 1)) * channel->groups + group);
    }
    const gm_dram_distances *apart = &parts->distance;
    parts->column_bus = parts->pseudo_bits != 0 || parts->row_bus == 0 ||
                        apart->column_to_column == 0 || apart->read_to_write == 0 ||
                        apart->write_to_read == 0;
    channel->parts = parts;
    return 0;
}

void gm_dram_parts_snapshot(gm_gddr5 *channel, gm_snapshot *snapshot)
{
    gm_dram_parts *parts = channel->parts;
    GM_SNAPSHOT_ARRAY(snapshot, parts->group, (size_t)parts->count * channel->groups);
    GM_SNAPSHOT_ARRAY(snapshot, parts->part, parts->count);
    GM_SNAPSHOT_ARRAY(snapshot, parts->write_from, channel->bank_count);
    GM_SNAPSHOT_ARRAY(snapshot, parts->refresh_row, channel->bank_count);
    GM_SNAPSHOT_VALUE(snapshot, parts->reopened);
    GM_SNAPSHOT_VALUE(snapshot, parts->refresh_due);
}
