/* Operand collectors of an SM: the instructions in them and in the registers before and behind
 * them. */
#include "cycle/sm/operand_collector.h"

#include "frontend/timed_record.h"
#include "goldmem/bits.h"

#include <string.h>

enum { ALIGNMENT = 64 };

static uint32_t partitions_of(const gm_config *config)
{
    return config->sm.subcores ? (uint32_t)config->sm.schedulers : 1;
}

/* Returns the units of a pool of so many; 0: each scheduler has one, or a share. */
static uint32_t pool_of(const gm_config *config, uint64_t units)
{
    bool pool = !config->sm.subcores && units != GM_EACH && units > config->sm.schedulers;
    return pool ? (uint32_t)units : 0;
}

/* Returns the registers of a class whose units may be a pool. */
static uint32_t registers_of_pool(const gm_config *config, uint64_t units, uint64_t otherwise)
{
    uint32_t pool = pool_of(config, units);
    return pool != 0 ? pool : (uint32_t)otherwise;
}

/* Returns the registers of a class in front of a partition's collectors. */
static uint32_t registers_of(const gm_config *config, gm_collector_class class)
{
    if (config->sm.subcores) {
        return 1;
    }
    switch (class) {
    case GM_COLLECT_FP32:
        return (uint32_t)config->sm.schedulers;
    case GM_COLLECT_TEXTURE:
        return registers_of_pool(config, config->unit.texture.units, config->sm.schedulers);
    case GM_COLLECT_UNIFORM:
        return registers_of_pool(config, config->unit.uniform.units, config->sm.schedulers);
    case GM_COLLECT_TENSOR:
        return registers_of_pool(config, config->unit.tensor.units, 0);
    case GM_COLLECT_CONTROL:
        return (uint32_t)(config->sm.branch_units != 0 ? config->sm.branch_units
                                                       : config->sm.schedulers);
    case GM_COLLECT_SPECIAL:
    case GM_COLLECT_MEMORY:
        return 1;
    case GM_COLLECT_FP64:
    case GM_COLLECT_INTEGER:
    case GM_COLLECT_CLASSES:
        break;
    }
    return 0;
}

/* Returns the registers of a class behind a partition's collectors. */
static uint32_t registers_behind(const gm_config *config, gm_collector_class class)
{
    if (config->sm.subcores || gm_config_register_queues(config)) {
        return registers_of(config, class);
    }
    return class == GM_COLLECT_CONTROL ? (uint32_t)config->sm.branch_units : 0;
}

/* Returns the pipe whose unit takes instructions of this one. */
static uint8_t unit_of(const gm_config *config, gm_unit pipe)
{
    return (uint8_t)(pipe == GM_UNIT_FP64 && config->sm.special_fp64 ? GM_UNIT_SPECIAL : pipe);
}

/* Returns the class of a unit. */
static gm_collector_class class_of(const gm_config *config, gm_unit unit)
{
    bool subcores = config->sm.subcores;
    switch (unit) {
    case GM_UNIT_INTEGER:
        return subcores ? GM_COLLECT_INTEGER : GM_COLLECT_FP32;
    case GM_UNIT_FP32:
    case GM_UNITS:
        break;
    case GM_UNIT_FP64:
        return subcores ? GM_COLLECT_FP64 : GM_COLLECT_SPECIAL;
    case GM_UNIT_SPECIAL:
        return GM_COLLECT_SPECIAL;
    case GM_UNIT_TENSOR:
        return subcores || pool_of(config, config->unit.tensor.units) != 0 ? GM_COLLECT_TENSOR
                                                                           : GM_COLLECT_SPECIAL;
    case GM_UNIT_CONTROL:
        return GM_COLLECT_CONTROL;
    case GM_UNIT_MEMORY:
        return GM_COLLECT_MEMORY;
    case GM_UNIT_TEXTURE:
        return GM_COLLECT_TEXTURE;
    case GM_UNIT_UNIFORM:
        return GM_COLLECT_UNIFORM;
    }
    return GM_COLLECT_FP32;
}

static size_t entries_of(const gm_config *config)
{
    size_t entries = config->sm.collectors;
    for (unsigned class = 0; class < GM_COLLECT_CLASSES; class ++) {
        gm_collector_class one = (gm_collector_class) class;
        entries += partitions_of(config) *
                   (size_t)(registers_of(config, one) + registers_behind(config, one));
    }
    return entries;
}

/* Returns the rows of requests: a memory instruction in each collector and register. */
static size_t rows_of(const gm_config *config)
{
    return config->sm.collectors +
           (size_t)partitions_of(config) * (registers_of(config, GM_COLLECT_MEMORY) +
                                            registers_behind(config, GM_COLLECT_MEMORY));
}

size_t gm_operand_collector_bytes(const gm_config *config)
{
    return config->sm.collectors == 0
               ? 0
               : entries_of(config) * sizeof(gm_collected) +
                     rows_of(config) * GM_COALESCED_REQUESTS * sizeof(gm_line_request) +
                     (size_t)2 * ALIGNMENT + gm_register_banks_bytes(config);
}

static void set_pools(gm_operand_collector *collector, const gm_config *config)
{
    const uint64_t units[GM_UNITS] = {
        [GM_UNIT_INTEGER] = config->unit.integer.units,
        [GM_UNIT_FP32] = config->unit.fp32.units,
        [GM_UNIT_FP64] = config->unit.fp64.units,
        [GM_UNIT_SPECIAL] = config->unit.special.units,
        [GM_UNIT_TENSOR] = config->unit.tensor.units,
        [GM_UNIT_TEXTURE] = config->unit.texture.units,
        [GM_UNIT_UNIFORM] = config->unit.uniform.units,
    };
    for (unsigned unit = 0; unit < GM_UNITS; unit++) {
        collector->pool[unit] = (uint8_t)pool_of(config, units[unit]);
    }
    collector->pool[GM_UNIT_CONTROL] = (uint8_t)(config->sm.subcores ? 0 : config->sm.branch_units);
}

bool gm_operand_collector_init(gm_operand_collector *collector, const gm_config *config,
                               gm_arena *arena)
{
    *collector = (gm_operand_collector){
        .partitions = partitions_of(config),
        .subcores = config->sm.subcores,
        .any_unit = !config->sm.subcores && gm_config_register_queues(config),
        .numbered = config->sm.subcores || gm_config_register_queues(config),
        .units = (uint32_t)config->sm.collectors / partitions_of(config),
        .banks = (uint32_t)config->sm.register_banks,
        .reads = (uint32_t)config->sm.register_reads,
    };
    if (collector->units == 0) {
        return true;
    }
    set_pools(collector, config);
    for (unsigned unit = 0; unit < GM_UNITS; unit++) {
        collector->class[unit] = (uint8_t)class_of(config, (gm_unit)unit);
        collector->unit[unit] = unit_of(config, (gm_unit)unit);
    }
    for (unsigned class = 0; class < GM_COLLECT_CLASSES; class ++) {
        collector->places[class] = registers_of(config, (gm_collector_class) class);
        collector->places_behind[class] = registers_behind(config, (gm_collector_class) class);
    }
    collector->rows = (uint32_t)rows_of(config);
    collector->free_rows = gm_mask(collector->rows);
    collector->entry = gm_arena_take(arena, entries_of(config), sizeof *collector->entry);
    collector->request = gm_arena_take(arena, (size_t)collector->rows * GM_COALESCED_REQUESTS,
                                       sizeof *collector->request);
    return collector->entry != NULL && collector->request != NULL &&
           gm_register_banks_init(&collector->register_banks, config, arena);
}

/* Returns the operands in the bank that has most of them. */
static uint32_t rounds_of(const gm_operand_collector *collector, const uint64_t *registers,
                          unsigned destinations, unsigned count)
{
    enum { MOST_BANKS = 64 };
    uint8_t operands[MOST_BANKS] = {0};
    uint32_t most = count > destinations;
    for (unsigned i = destinations; i < count && collector->banks != 0; i++) {
        uint64_t word = registers[i / GM_TIMED_WORD_REGISTERS];
        unsigned number =
            gm_timed_lowest(word >> i % GM_TIMED_WORD_REGISTERS * GM_TIMED_REGISTER_BITS);
        uint8_t *bank = &operands[number % collector->banks];
        ++*bank;
        most = *bank > most ? *bank : most;
    }
    return most;
}

gm_register_reads gm_operand_collector_reads(const gm_operand_collector *collector,
                                             uint32_t scheduler, uint32_t slot,
                                             const uint64_t *registers, unsigned destinations,
                                             unsigned count)
{
    if (collector->register_banks.banks != 0) {
        return gm_register_banks_reads(&collector->register_banks,
                                       gm_operand_collector_partition(collector, scheduler), slot,
                                       registers, destinations, count);
    }
    return (gm_register_reads){.count = rounds_of(collector, registers, destinations, count)};
}

void gm_operand_collector_put(gm_operand_collector *collector, const gm_collected *instruction)
{
    gm_collected *entry = &collector->entry[collector->count++];
    *entry = *instruction;
    entry->at = GM_NEVER;
    unsigned class = collector->class[entry->pipe];
    collector->partition[entry->partition].waiting[class]++;
    collector->waiting[class]++;
    collector->classes_waiting |= UINT32_C(1) << class;
}

void gm_operand_collector_put_access(gm_operand_collector *collector,
                                     const gm_memory_access *access, uint32_t scheduler,
                                     const gm_register_reads *reads)
{
    const gm_collected instruction = {
        .requests = access->requests,
        .row = (uint16_t)gm_lowest_one(collector->free_rows),
        .ticket = access->ticket,
        .passes = access->passes,
        .slot = (uint16_t)access->warp,
        .pipe = GM_UNIT_MEMORY,
        .kind = access->kind,
        .banks = reads->banks,
        .rounds = (uint8_t)reads->count,
        .partition = (uint8_t)gm_operand_collector_partition(collector, scheduler),
    };
    gm_operand_collector_put(collector, &instruction);
    collector->free_rows &= collector->free_rows - 1;
    if (access->requests != 0) {
        memcpy(&collector->request[(size_t)instruction.row * GM_COALESCED_REQUESTS],
               access->request, access->requests * sizeof *access->request);
    }
}

gm_memory_access gm_operand_collector_access(const gm_operand_collector *collector,
                                             const gm_collected *instruction)
{
    return (gm_memory_access){
        .request = &collector->request[(size_t)instruction->row * GM_COALESCED_REQUESTS],
        .requests = instruction->requests,
        .ticket = instruction->ticket,
        .kind = instruction->kind,
        .passes = instruction->passes,
        .warp = instruction->slot,
    };
}

/* The instruction leaves its collector. */
static void leave(gm_operand_collector *collector, const gm_collected *instruction)
{
    gm_collector_partition *partition = &collector->partition[instruction->partition];
    partition->taken &= ~(UINT64_C(1) << instruction->number);
    partition->used--;
    if (collector->register_banks.banks != 0) {
        gm_register_banks_leave(&collector->register_banks,
                                gm_operand_collector_number(collector, instruction));
    }
}

void gm_operand_collector_put_behind(gm_operand_collector *collector, uint32_t i)
{
    gm_collected *instruction = &collector->entry[i];
    if (gm_operand_collector_can_put_behind(collector, instruction)) {
        gm_collector_partition *partition = &collector->partition[instruction->partition];
        instruction->behind = 1;
        partition->behind[collector->class[instruction->pipe]]++;
        leave(collector, instruction);
    }
}

void gm_operand_collector_dispatch(gm_operand_collector *collector, gm_cycle now)
{
    for (uint32_t number = 0; number < collector->units; number++) {
        for (uint32_t i = 0; i < collector->count; i++) {
            const gm_collected *entry = &collector->entry[i];
            if (entry->number == number && entry->behind == 0 &&
                gm_operand_collector_is_ready(collector, entry, now)) {
                gm_operand_collector_put_behind(collector, i);
            }
        }
    }
}

void gm_operand_collector_remove(gm_operand_collector *collector, uint32_t i)
{
    gm_collected *instruction = &collector->entry[i];
    gm_collector_partition *partition = &collector->partition[instruction->partition];
    if (instruction->pipe == GM_UNIT_MEMORY) {
        collector->free_rows |= UINT64_C(1) << instruction->row;
    }
    if (instruction->behind != 0) {
        partition->behind[collector->class[instruction->pipe]]--;
    } else {
        leave(collector, instruction);
    }
    collector->count--;
    memmove(instruction, instruction + 1, (collector->count - i) * sizeof *collector->entry);
}

/* Returns the oldest instruction of the class that has no collector. Requires that there is one. */
static gm_collected *oldest_waiting(const gm_operand_collector *collector, unsigned class)
{
    gm_collected *entry = collector->entry;
    while (entry->at != GM_NEVER || collector->class[entry->pipe] != class) {
        entry++;
    }
    return entry;
}

/* Gives a collector to the oldest instruction of the class that has none, if its partition has a
 * free one. Returns true if so. Requires that an instruction of the class waits. */
static bool allocate_oldest(gm_operand_collector *collector, unsigned class, gm_cycle now)
{
    gm_collected *entry = oldest_waiting(collector, class);
    gm_collector_partition *partition = &collector->partition[entry->partition];
    if (partition->used == collector->units) {
        return false;
    }
    if (collector->numbered) {
        entry->number = (uint16_t)gm_lowest_one(~partition->taken);
        partition->taken |= UINT64_C(1) << entry->number;
    }
    if (collector->register_banks.banks != 0) {
        const gm_register_reads reads = {.banks = entry->banks, .count = entry->rounds};
        entry->at = now;
        gm_register_banks_take(&collector->register_banks,
                               gm_operand_collector_number(collector, entry), &reads);
    } else {
        entry->at = now + (entry->rounds + 1U) / collector->reads;
    }
    partition->waiting[class]--;
    partition->used++;
    collector->waiting[class]--;
    collector->classes_waiting &= ~((uint32_t)(collector->waiting[class] == 0) << class);
    return true;
}

bool gm_operand_collector_can_allocate(const gm_operand_collector *collector)
{
    for (uint32_t left = collector->classes_waiting; left != 0; left &= left - 1) {
        const gm_collected *entry = oldest_waiting(collector, gm_lowest_one(left));
        if (collector->partition[entry->partition].used < collector->units) {
            return true;
        }
    }
    return false;
}

/* By rounds of one of each class. A class whose oldest gets none is out: no collector becomes free.
 */
void gm_operand_collector_allocate(gm_operand_collector *collector, gm_cycle now)
{
    for (uint32_t open = collector->classes_waiting; open != 0;) {
        for (uint32_t round = open; round != 0; round &= round - 1) {
            unsigned class = gm_lowest_one(round);
            bool goes_on = allocate_oldest(collector, class, now) && collector->waiting[class] != 0;
            open &= ~((uint32_t)!goes_on << class);
        }
    }
}

/* Returns the instruction in the collector with this number in the SM. Requires one. */
static uint32_t find(const gm_operand_collector *collector, uint32_t number)
{
    uint32_t i = 0;
    while (collector->entry[i].at == GM_NEVER || collector->entry[i].behind != 0 ||
           gm_operand_collector_number(collector, &collector->entry[i]) != number) {
        i++;
    }
    return i;
}

/* As gm_operand_collector_dispatch, with queues of reads, which tell what has its operands. */
static void dispatch_ready(gm_operand_collector *collector)
{
    for (uint64_t left = collector->register_banks.ready; left != 0; left &= left - 1) {
        gm_operand_collector_put_behind(collector, find(collector, gm_lowest_one(left)));
    }
}

/* Moves an instruction that has its operands behind the collectors: that of the first collector
 * after `last` of which a register is free. Returns the collector; GM_NO_COLLECTOR: none. */
static uint32_t dispatch_after(gm_operand_collector *collector, uint32_t last)
{
    for (uint32_t i = 1; i <= collector->units; i++) {
        uint32_t number = (last + i) % collector->units;
        if (gm_register_banks_is_ready(&collector->register_banks, number)) {
            uint32_t at = find(collector, number);
            if (gm_operand_collector_can_put_behind(collector, &collector->entry[at])) {
                gm_operand_collector_put_behind(collector, at);
                return number;
            }
        }
    }
    return GM_NO_COLLECTOR;
}

/* Without sub-cores: each of as many dispatch units as collectors moves an instruction, from the
 * collector behind that of its last one on. */
static void dispatch_in_turn(gm_operand_collector *collector)
{
    for (uint32_t unit = 0; unit < collector->units; unit++) {
        uint32_t number = dispatch_after(collector, collector->last[unit]);
        if (number == GM_NO_COLLECTOR) {
            return;
        }
        collector->last[unit] = (uint8_t)number;
    }
}

/* Does a cycle in which the banks read for all instructions in turn. */
static void step_queues(gm_operand_collector *collector, gm_cycle now)
{
    gm_register_banks *banks = &collector->register_banks;
    uint64_t busy = gm_register_banks_written(banks, now);
    for (uint32_t step = 0; step < collector->reads; step++, busy = 0) {
        if (banks->ready != 0) {
            collector->subcores ? dispatch_ready(collector) : dispatch_in_turn(collector);
        }
        gm_register_banks_serve(banks, busy);
        gm_operand_collector_allocate(collector, now);
    }
}

void gm_operand_collector_step(gm_operand_collector *collector, gm_cycle now)
{
    if (collector->register_banks.banks != 0) {
        step_queues(collector, now);
        return;
    }
    if (collector->subcores) {
        gm_operand_collector_dispatch(collector, now);
    }
    gm_operand_collector_allocate(collector, now);
}

void gm_operand_collector_snapshot(gm_operand_collector *collector, gm_snapshot *snapshot)
{
    if (collector->units == 0) {
        return;
    }
    uint32_t of_partition = collector->units;
    for (unsigned class = 0; class < GM_COLLECT_CLASSES; class ++) {
        of_partition += collector->places[class] + collector->places_behind[class];
    }
    uint32_t entries = of_partition * collector->partitions;
    GM_SNAPSHOT_VALUE(snapshot, collector->count);
    GM_SNAPSHOT_VALUE(snapshot, collector->free_rows);
    GM_SNAPSHOT_VALUE(snapshot, collector->free);
    GM_SNAPSHOT_ARRAY(snapshot, collector->partition, GM_PARTITIONS);
    GM_SNAPSHOT_ARRAY(snapshot, collector->waiting, GM_COLLECT_CLASSES);
    collector->classes_waiting = 0;
    for (unsigned class = 0; class < GM_COLLECT_CLASSES; class ++) {
        collector->classes_waiting |= (uint32_t)(collector->waiting[class] != 0) << class;
    }
    GM_SNAPSHOT_ARRAY(snapshot, collector->entry, entries);
    GM_SNAPSHOT_ARRAY(snapshot, collector->last, GM_COLLECTORS);
    gm_register_banks_snapshot(&collector->register_banks, snapshot);
    for (uint32_t i = 0; i < collector->count && i < entries; i++) {
        gm_collected *entry = &collector->entry[i];
        if (entry->row < collector->rows && entry->requests <= GM_COALESCED_REQUESTS) {
            GM_SNAPSHOT_ARRAY(snapshot,
                              &collector->request[(size_t)entry->row * GM_COALESCED_REQUESTS],
                              entry->requests);
        }
    }
}
