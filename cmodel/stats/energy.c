/* Energy of events [anssari, Table 4.3, 4.3]: multiplies counters by constants and adds the
 * products in femtojoules. */
#include "goldmem/energy.h"

#include "cache/cache.h"

enum {
    SECTORS_OF_TABLE = 4, /* 32-byte sectors of the table's L1 line, 128 bytes */
    L1S_OF_TABLE = 16,    /* whose area and leakage the table adds up [anssari, Table 4.1] */
};

typedef unsigned __int128 wide;

static uint64_t all(const uint64_t counter[GM_ACCESS_KINDS])
{
    return counter[GM_LOAD] + counter[GM_STORE] + counter[GM_ATOMIC] + counter[GM_INSTRUCTION];
}

/* Returns the constants of an L1; with trackers, of an L1 with a second port for reads. */
static const gm_energy_structure *l1_row(const gm_config *config, const gm_energy_table *table)
{
    return config->tracker.enabled ? &table->l1_two_ports : &table->l1;
}

/* Returns the constants of 1, 2 or 4 trackers; 8 are charged as 4. */
static const gm_energy_structure *tracker_row(const gm_config *config, const gm_energy_table *table)
{
    unsigned row = 0;
    while (row + 1 < GM_ENERGY_TRACKERS && config->tracker.trackers > UINT64_C(1) << row) {
        row++;
    }
    return &table->trackers[row];
}

/* Returns the constants of the table's smallest L2 of at least the configured size, else of its
 * largest. */
static const gm_energy_structure *l2_row(const gm_config *config, const gm_energy_table *table)
{
    unsigned row = 0;
    while (row + 1 < GM_ENERGY_L2S && table->l2[row].capacity * 1024 / 1000 < config->l2.size) {
        row++;
    }
    return &table->l2[row];
}

/* Loads that looked a line up read the line, stores that hit write the line, others the sectors
 * that the L1 keeps of them; fills that are installed write their sectors, write-backs, supplies to
 * other L1s and evicts with data (l2.victim) read theirs. */
static wide l1_energy(const gm_statistics *statistics, const gm_config *config,
                      const gm_energy_structure *row)
{
    const gm_cache_statistics *l1 = &statistics->l1d;
    uint64_t sectors = config->l1.line / GM_SECTOR;
    uint64_t loads = l1->hits[GM_LOAD] + l1->hits_pending[GM_LOAD] + l1->misses[GM_LOAD];
    wide reads = (wide)loads * sectors + all(l1->sectors_written_back) +
                 statistics->tracker.supplied_sectors + statistics->tracker.evict_sectors;
    wide writes = (wide)l1->hits[GM_STORE] * sectors + all(l1->sectors_filled) +
                  all(l1->sectors_stored) - statistics->sharing.l1_sectors_bypassed;
    return (reads * row->read + writes * row->write) / SECTORS_OF_TABLE;
}

/* Every transaction reads its set; a transaction that changes the entry writes the set too. */
static wide tracker_energy(const gm_tracker_statistics *tracker, const gm_config *config,
                           const gm_energy_structure *row)
{
    wide reads = (wide)tracker->lookups + tracker->fills + tracker->evicts + tracker->writes +
                 tracker->coherent;
    if (config->tracker.ask) {
        reads += (wide)tracker->asks + tracker->told + tracker->victim_asks;
    }
    return reads * row->read + (wide)tracker->changes * row->write;
}

/* Data sent to SMs are reads, data received from SMs are writes, data of atomics are half each;
 * data that bypass the L2 are neither. Fills write and write-backs read their sectors; inserted
 * victims write theirs. With atomic buffers, atomics and strong loads read the sectors that they
 * take from the L2, and write those that go back, and the L2 reads no others for them. */
static wide l2_energy(const gm_statistics *statistics, const gm_config *config,
                      const gm_energy_structure *row)
{
    const gm_cache_statistics *l2 = &statistics->l2;
    const gm_traffic_statistics *traffic = &statistics->traffic;
    const gm_l2_bypassed_statistics *past = &statistics->l2_bypassed;
    wide reads = (wide)((traffic->ld + traffic->ins) / GM_SECTOR) - past->answered_sectors +
                 all(l2->sectors_written_back);
    wide writes = (wide)(traffic->st / GM_SECTOR) - past->written_sectors +
                  all(l2->sectors_filled) - past->read_sectors +
                  statistics->l2_victim.inserted_sectors;
    if (config->l2.atomic_buffer) {
        reads += statistics->atomic_buffer.sectors_taken;
        reads -= statistics->atomic_buffer.load_sectors;
        writes += statistics->atomic_buffer.sectors_put;
        return reads * row->read + writes * row->write;
    }
    uint64_t atomics = traffic->ato / GM_SECTOR;
    return reads * row->read + writes * row->write + (wide)atomics * (row->read + row->write) / 2;
}

static wide interconnect_energy(const gm_traffic_statistics *traffic, const gm_config *config,
                                uint64_t wire)
{
    wide bytes = 0;
#define CLASS(name, meaning) bytes += traffic->name;
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
    return bytes * wire * config->noc.length;
}

/* 1 uW over 1 us is 1000 fJ, and a core cycle takes 1 / MHz us. */
static wide leakage_energy(uint64_t cycles, const gm_config *config, const gm_energy_table *table)
{
    wide l1 = config->l1.enabled ? (wide)l1_row(config, table)->leakage * config->gpu.sms : 0;
    wide tracker = config->tracker.enabled ? tracker_row(config, table)->leakage : 0;
    wide power =
        l1 + ((wide)l2_row(config, table)->leakage + tracker) * L1S_OF_TABLE; /* times 16 */
    return power * cycles * 1000 / (config->clock.core * L1S_OF_TABLE);
}

static uint64_t picojoules(wide femtojoules)
{
    return (uint64_t)(femtojoules / 1000);
}

/* Sectors, and rows opened: without time (order engine), those of requests that were no row hits. A
 * write with a mask (l2.dirty=byte) moves its bytes. */
static wide dram_energy(const gm_statistics *statistics, const gm_energy_table *table)
{
    const gm_dram_statistics *dram = &statistics->dram;
    uint64_t rows = statistics->time.cycles != 0 ? statistics->time.dram_activates
                                                 : dram->requests - dram->row_hits;
    const gm_l2_bytes_statistics *bytes = &statistics->l2_bytes;
    wide whole = (wide)dram->reads + dram->writes - bytes->writes;
    return whole * table->dram + (wide)bytes->written_bytes * table->dram / GM_SECTOR +
           (wide)rows * table->activate;
}

gm_energy gm_energy_of(const gm_statistics *statistics, const gm_config *config,
                       const gm_energy_table *table)
{
    return (gm_energy){
        .l1d = picojoules(l1_energy(statistics, config, l1_row(config, table))),
        .tracker =
            picojoules(tracker_energy(&statistics->tracker, config, tracker_row(config, table))),
        .l2 = picojoules(l2_energy(statistics, config, l2_row(config, table))),
        .interconnect = picojoules(interconnect_energy(&statistics->traffic, config, table->wire)),
        .dram = picojoules(dram_energy(statistics, table)),
        .leakage = picojoules(leakage_energy(statistics->time.cycles, config, table)),
    };
}

/* Returns the configured SMs' share of a constant of all L1s. */
static uint64_t of_l1s(uint64_t constant, const gm_config *config)
{
    return config->l1.enabled ? constant * config->gpu.sms / L1S_OF_TABLE : 0;
}

gm_chip gm_chip_of(const gm_config *config, const gm_energy_table *table)
{
    const gm_energy_structure *l1 = l1_row(config, table);
    const gm_energy_structure *l2 = l2_row(config, table);
    const gm_energy_structure *tracker = tracker_row(config, table);
    bool tracked = config->tracker.enabled;
    return (gm_chip){
        .area_um2 = {.l1d = of_l1s(l1->area * 1000, config),
                     .tracker = tracked ? tracker->area * 1000 : 0,
                     .l2 = l2->area * 1000},
        .leakage_uw = {.l1d = of_l1s(l1->leakage, config),
                       .tracker = tracked ? tracker->leakage : 0,
                       .l2 = l2->leakage},
    };
}
