/* Banks of the register file with queues of reads. */
#include "cycle/sm/register_banks.h"

#include "frontend/timed_record.h"
#include "goldmem/bits.h"

enum { ALIGNMENT = 64, ARRAYS = 3 };

static uint32_t partitions_of(const gm_config *config)
{
    return config->sm.subcores ? (uint32_t)config->sm.schedulers : 1;
}

/* Returns the places of a queue: all registers that the collectors of a partition can read. */
static uint32_t places_of(const gm_config *config)
{
    return gm_ring_places((uint32_t)config->sm.collectors / partitions_of(config) * GM_SOURCES);
}

static uint64_t longest(const gm_config *config)
{
    const uint64_t latency[] = {config->unit.integer.latency, config->unit.fp32.latency,
                                config->unit.fp64.latency,    config->unit.special.latency,
                                config->unit.tensor.latency,  config->unit.control.latency,
                                config->unit.texture.latency, config->unit.uniform.latency};
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof latency / sizeof *latency; i++) {
        most = latency[i] > most ? latency[i] : most;
    }
    return most;
}

/* Returns the cycles of which writes are kept: this one and those up to the longest latency. */
static uint32_t cycles_of(const gm_config *config)
{
    return gm_ring_places((uint32_t)longest(config) + 1);
}

static size_t queue_bytes(const gm_config *config)
{
    return config->sm.register_banks * partitions_of(config) * (size_t)places_of(config);
}

size_t gm_register_banks_bytes(const gm_config *config)
{
    return !gm_config_register_queues(config)
               ? 0
               : queue_bytes(config) + config->sm.collectors +
                     cycles_of(config) * sizeof(gm_register_writes) + (size_t)ARRAYS * ALIGNMENT;
}

bool gm_register_banks_init(gm_register_banks *banks, const gm_config *config, gm_arena *arena)
{
    *banks = (gm_register_banks){0};
    if (!gm_config_register_queues(config)) {
        return true;
    }
    banks->banks = (uint32_t)config->sm.register_banks;
    banks->all = banks->banks * partitions_of(config);
    banks->mask = places_of(config) - 1;
    banks->collectors = (uint32_t)config->sm.collectors;
    banks->writes_mask = cycles_of(config) - 1;
    banks->reader = gm_arena_take(arena, queue_bytes(config), sizeof *banks->reader);
    banks->left = gm_arena_take(arena, banks->collectors, sizeof *banks->left);
    banks->write = gm_arena_take(arena, cycles_of(config), sizeof *banks->write);
    return banks->reader != NULL && banks->left != NULL && banks->write != NULL;
}

/* Returns the bank of the SM in which a warp's register lies. */
static uint32_t bank_of(const gm_register_banks *banks, uint32_t partition, uint32_t slot,
                        uint32_t number)
{
    return partition * banks->banks + (number + slot) % banks->banks;
}

gm_register_reads gm_register_banks_reads(const gm_register_banks *banks, uint32_t partition,
                                          uint32_t slot, const uint64_t *registers,
                                          unsigned destinations, unsigned count)
{
    gm_register_reads reads = {0};
    uint32_t number[GM_SOURCES];
    for (unsigned i = destinations; i < count; i++) {
        uint64_t word = registers[i / GM_TIMED_WORD_REGISTERS];
        uint32_t next =
            gm_timed_lowest(word >> i % GM_TIMED_WORD_REGISTERS * GM_TIMED_REGISTER_BITS);
        bool counts = next < GM_SCORE_UNIFORM;
        for (uint32_t earlier = 0; earlier < reads.count; earlier++) {
            counts = counts && number[earlier] != next;
        }
        if (counts) {
            number[reads.count] = next;
            reads.banks |= (uint64_t)bank_of(banks, partition, slot, next)
                           << reads.count * GM_REGISTER_BANK_BITS;
            reads.count++;
        }
    }
    return reads;
}

void gm_register_banks_take(gm_register_banks *banks, uint32_t collector,
                            const gm_register_reads *reads)
{
    uint64_t left = reads->banks;
    for (uint32_t i = 0; i < reads->count; i++, left >>= GM_REGISTER_BANK_BITS) {
        uint32_t bank = (uint32_t)(left & gm_mask(GM_REGISTER_BANK_BITS));
        uint32_t place = gm_ring_span_push(&banks->queue[bank], banks->mask);
        banks->reader[bank * (banks->mask + 1) + place] = (uint8_t)collector;
        banks->queued |= UINT64_C(1) << bank;
    }
    banks->left[collector] = (uint8_t)reads->count;
    banks->ready |= (uint64_t)(reads->count == 0) << collector;
}

void gm_register_banks_serve(gm_register_banks *banks, uint64_t busy)
{
    for (uint64_t left = banks->queued & ~busy; left != 0; left &= left - 1) {
        uint32_t bank = gm_lowest_one(left);
        gm_ring_span *queue = &banks->queue[bank];
        uint32_t collector = banks->reader[bank * (banks->mask + 1) + queue->first];
        gm_ring_span_pop(queue, banks->mask);
        banks->queued &= ~((uint64_t)(queue->count == 0) << bank);
        banks->left[collector]--;
        banks->ready |= (uint64_t)(banks->left[collector] == 0) << collector;
    }
}

uint64_t gm_register_banks_of(const gm_register_banks *banks, uint32_t partition, uint32_t slot,
                              uint64_t registers, unsigned count)
{
    uint64_t set = 0;
    for (; count != 0; count--, registers >>= GM_TIMED_REGISTER_BITS) {
        uint32_t number = gm_timed_lowest(registers);
        if (number < GM_SCORE_UNIFORM) {
            set |= UINT64_C(1) << bank_of(banks, partition, slot, number);
        }
    }
    return set;
}

void gm_register_banks_write(gm_register_banks *banks, uint32_t partition, uint32_t slot,
                             uint64_t registers, unsigned count, gm_cycle at)
{
    gm_register_writes *write = &banks->write[at & banks->writes_mask];
    write->banks = write->at == at ? write->banks : 0;
    write->at = at;
    write->banks |= gm_register_banks_of(banks, partition, slot, registers, count);
}

void gm_register_banks_snapshot(gm_register_banks *banks, gm_snapshot *snapshot)
{
    if (banks->banks == 0) {
        return;
    }
    GM_SNAPSHOT_VALUE(snapshot, banks->queued);
    GM_SNAPSHOT_VALUE(snapshot, banks->ready);
    GM_SNAPSHOT_ARRAY(snapshot, banks->queue, GM_REGISTER_BANKS);
    GM_SNAPSHOT_ARRAY(snapshot, banks->left, banks->collectors);
    GM_SNAPSHOT_ARRAY(snapshot, banks->write, (size_t)banks->writes_mask + 1);
    GM_SNAPSHOT_ARRAY(snapshot, banks->reader, (size_t)banks->all * (banks->mask + 1));
}
