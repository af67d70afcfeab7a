/* Operand collectors of an SM: the instructions in them and in the registers before and behind
 * them. */
#include "cycle/sm/operand_collector.h"

#include <string.h>

enum { ALIGNMENT = 64 };

static uint32_t registers_of(const gm_config *config, gm_collector_class class)
{
    if (class == GM_COLLECT_CONTROL && config->sm.branch_units != 0) {
        return (uint32_t)config->sm.branch_units;
    }
    bool one = class == GM_COLLECT_SPECIAL || class == GM_COLLECT_MEMORY;
    return one ? 1 : (uint32_t)config->sm.schedulers;
}

static size_t entries_of(const gm_config *config)
{
    size_t entries = config->sm.collectors;
    for (unsigned class = 0; class < GM_COLLECT_CLASSES; class ++) {
        entries += registers_of(config, (gm_collector_class) class);
    }
    return entries + config->sm.branch_units;
}

/* Returns the rows of requests: a memory instruction in each collector and in the register. */
static size_t rows_of(const gm_config *config)
{
    return config->sm.collectors + registers_of(config, GM_COLLECT_MEMORY);
}

size_t gm_operand_collector_bytes(const gm_config *config)
{
    return config->sm.collectors == 0
               ? 0
               : entries_of(config) * sizeof(gm_collected) +
                     rows_of(config) * GM_COALESCED_REQUESTS * sizeof(gm_line_request) +
                     (size_t)2 * ALIGNMENT;
}

bool gm_operand_collector_init(gm_operand_collector *collector, const gm_config *config,
                               gm_arena *arena)
{
    *collector = (gm_operand_collector){.units = (uint32_t)config->sm.collectors};
    if (collector->units == 0) {
        return true;
    }
    collector->branch_units = (uint32_t)config->sm.branch_units;
    for (unsigned class = 0; class < GM_COLLECT_CLASSES; class ++) {
        collector->places[class] = registers_of(config, (gm_collector_class) class);
    }
    collector->rows = (uint32_t)rows_of(config);
    collector->entry = gm_arena_take(arena, entries_of(config), sizeof *collector->entry);
    collector->request = gm_arena_take(arena, (size_t)collector->rows * GM_COALESCED_REQUESTS,
                                       sizeof *collector->request);
    return collector->entry != NULL && collector->request != NULL;
}

gm_collector_class gm_collector_class_of(unsigned pipe)
{
    switch ((gm_unit)pipe) {
    case GM_UNIT_INTEGER:
    case GM_UNIT_FP32:
    case GM_UNITS:
        break;
    case GM_UNIT_FP64:
    case GM_UNIT_SPECIAL:
    case GM_UNIT_TENSOR:
        return GM_COLLECT_SPECIAL;
    case GM_UNIT_CONTROL:
        return GM_COLLECT_CONTROL;
    case GM_UNIT_MEMORY:
        return GM_COLLECT_MEMORY;
    }
    return GM_COLLECT_ARITHMETIC;
}

void gm_operand_collector_put(gm_operand_collector *collector, const gm_collected *instruction)
{
    gm_collected *entry = &collector->entry[collector->count++];
    *entry = *instruction;
    entry->at = GM_NEVER;
    collector->waiting[gm_collector_class_of(entry->pipe)]++;
}

void gm_operand_collector_put_access(gm_operand_collector *collector,
                                     const gm_memory_access *access, bool reads)
{
    const gm_collected instruction = {
        .requests = access->requests,
        .row = collector->next_row,
        .ticket = access->ticket,
        .passes = access->shared_passes,
        .slot = (uint16_t)access->warp,
        .pipe = GM_UNIT_MEMORY,
        .kind = access->kind,
        .reads = reads,
    };
    gm_operand_collector_put(collector, &instruction);
    if (access->requests != 0) {
        memcpy(&collector->request[(size_t)instruction.row * GM_COALESCED_REQUESTS],
               access->request, access->requests * sizeof *access->request);
    }
    collector->next_row = instruction.row + 1 == collector->rows ? 0 : instruction.row + 1;
}

gm_memory_access gm_operand_collector_access(const gm_operand_collector *collector,
                                             const gm_collected *instruction)
{
    return (gm_memory_access){
        .request = &collector->request[(size_t)instruction->row * GM_COALESCED_REQUESTS],
        .requests = instruction->requests,
        .ticket = instruction->ticket,
        .kind = instruction->kind,
        .shared_passes = instruction->passes,
        .warp = instruction->slot,
    };
}

void gm_operand_collector_put_behind(gm_operand_collector *collector, uint32_t i)
{
    gm_collected *instruction = &collector->entry[i];
    if (instruction->pipe == GM_UNIT_CONTROL && instruction->behind == 0 &&
        collector->behind < collector->branch_units) {
        instruction->behind = 1;
        collector->behind++;
        collector->used--;
    }
}

void gm_operand_collector_remove(gm_operand_collector *collector, uint32_t i)
{
    if (collector->entry[i].behind != 0) {
        collector->behind--;
    } else {
        collector->used--;
    }
    collector->count--;
    memmove(&collector->entry[i], &collector->entry[i + 1],
            (collector->count - i) * sizeof *collector->entry);
}

/* Gives a collector to the oldest instruction of the class that has none. */
static void allocate_oldest(gm_operand_collector *collector, gm_collector_class class, gm_cycle now)
{
    gm_collected *entry = collector->entry;
    while (entry->at != GM_NEVER || gm_collector_class_of(entry->pipe) != class) {
        entry++;
    }
    entry->at = now + (entry->reads != 0 ? 2 : 1);
    collector->waiting[class]--;
    collector->used++;
}

void gm_operand_collector_allocate(gm_operand_collector *collector, gm_cycle now)
{
    bool any = true;
    while (any) {
        any = false;
        for (unsigned class = 0; class < GM_COLLECT_CLASSES; class ++) {
            if (collector->used < collector->units && collector->waiting[class] != 0) {
                allocate_oldest(collector, (gm_collector_class) class, now);
                any = true;
            }
        }
    }
}

void gm_operand_collector_snapshot(gm_operand_collector *collector, gm_snapshot *snapshot)
{
    if (collector->units == 0) {
        return;
    }
    uint32_t entries = collector->units + collector->branch_units;
    for (unsigned class = 0; class < GM_COLLECT_CLASSES; class ++) {
        entries += collector->places[class];
    }
    GM_SNAPSHOT_VALUE(snapshot, collector->used);
    GM_SNAPSHOT_VALUE(snapshot, collector->count);
    GM_SNAPSHOT_VALUE(snapshot, collector->next_row);
    GM_SNAPSHOT_VALUE(snapshot, collector->behind);
    GM_SNAPSHOT_ARRAY(snapshot, collector->branch_free, GM_BRANCH_UNITS);
    GM_SNAPSHOT_ARRAY(snapshot, collector->waiting, GM_COLLECT_CLASSES);
    GM_SNAPSHOT_ARRAY(snapshot, collector->entry, entries);
    for (uint32_t i = 0; i < collector->count && i < entries; i++) {
        gm_collected *entry = &collector->entry[i];
        if (entry->row < collector->rows && entry->requests <= GM_COALESCED_REQUESTS) {
            GM_SNAPSHOT_ARRAY(snapshot,
                              &collector->request[(size_t)entry->row * GM_COALESCED_REQUESTS],
                              entry->requests);
        }
    }
}
