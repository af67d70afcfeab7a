/* Machine of the cycle engine: the counters of its units, and their sums. */
#include "cycle/engine/machine.h"

#include "cache/cache_contents.h"

#include "cache/cache_sharing.h"
#include "cache/l2_bytes.h"
#include "cache/streaming.h"

/* Adds what the tracker banks did for an SM, and its L1 for the trackers. The answers of READs that
 * a bank made are messages; the READs are none. */
static void add_tracked(const gm_cycle_machine *machine, uint32_t sm, gm_statistics *statistics)
{
    const gm_cycle_l1 *l1 = &machine->load_store[sm].l1;
    const gm_tracker_statistics *own = gm_cycle_l1_tracked_counts(l1);
    uint64_t header = machine->config->noc.header;
    gm_tracker_statistics *counts = &statistics->tracker;
    for (uint32_t i = 0; i < machine->trackers; i++) {
        const gm_tracker_bank *bank = &machine->tracker[i];
        gm_tracker_statistics_add(counts, &bank->counts[sm]);
        statistics->traffic.req += bank->reads[sm].messages * header;
        statistics->traffic.ld += bank->reads[sm].sectors * GM_SECTOR;
    }
    if (own != NULL) {
        gm_tracker_statistics_add(counts, own);
        statistics->traffic.trk += (counts->hits - counts->refused) * header; /* SUPPLY */
    }
}

void gm_cycle_machine_sm_statistics(gm_cycle_machine *machine, uint32_t sm,
                                    gm_statistics *statistics)
{
    const gm_load_store *unit = &machine->load_store[sm];
    *statistics =
        (gm_statistics){.traffic = gm_traffic_of(&unit->l1.sent, machine->config->noc.header)};
    add_tracked(machine, sm, statistics);
    gm_cycle_sm_statistics(&machine->sm[sm], machine->now + 1, statistics);
    gm_load_store_sum(unit, machine->now, &statistics->l1d, &statistics->time);
    statistics->l1_banks = unit->bank_counts;
    if (unit->l1.ccws != NULL) {
        statistics->ccws = unit->l1.ccws->statistics;
    }
    if (unit->l1.coherent != NULL) {
        gm_coherence_statistics_add(&statistics->coherence,
                                    &unit->l1.coherent->protocol.statistics);
    }
    if (unit->l1.cache.sharing != NULL) {
        statistics->sharing = unit->l1.cache.sharing->statistics;
    }
    if (unit->l1.streaming != NULL) {
        gm_streaming_catch_up(unit->l1.streaming, machine->now);
        statistics->l1_streaming = unit->l1.streaming->statistics;
    }
}

void gm_cycle_machine_bank_statistics(gm_cycle_machine *machine, uint32_t bank,
                                      gm_statistics *statistics)
{
    gm_l2_bank *from = &machine->bank[bank];
    gm_l2_bank_settle(from, machine->now + 1);
    *statistics = (gm_statistics){
        .l2 = from->l2.statistics,
        .time = from->time,
        .l2_dirty_sectors = from->l2.dirty_sectors,
        .l2_coalesced = from->l2.coalesced,
        .l2_bypassed = from->l2.bypassed,
        .l2_victim = from->l2.victim,
    };
    if (from->l2.bytes != NULL) {
        statistics->l2_bytes = from->l2.bytes->statistics;
    }
    if (from->coherent != NULL) {
        statistics->coherence = from->coherent->protocol.statistics;
    }
    if (from->l2.streaming != NULL) {
        gm_streaming_catch_up(from->l2.streaming, machine->now);
        statistics->l2_streaming = from->l2.streaming->statistics;
    }
    if (from->l2.cache.sharing != NULL) {
        statistics->sharing = from->l2.cache.sharing->statistics;
    }
    if (from->l2.atomics != NULL) {
        statistics->atomic_buffer = from->l2.atomics->statistics;
    }
}

void gm_cycle_machine_channel_statistics(gm_cycle_machine *machine, uint32_t channel,
                                         gm_statistics *statistics)
{
    gm_gddr5 *from = &machine->channel[channel];
    gm_gddr5_settle(from, machine->now + 1);
    *statistics = (gm_statistics){.dram = from->statistics, .time = from->time};
}

void gm_cycle_machine_visit_channels(gm_cycle_machine *machine)
{
    for (uint32_t i = 0; i < machine->partitions; i++) {
        gm_gddr5_step(&machine->channel[i], machine->now);
    }
}

void gm_cycle_machine_sum(gm_cycle_machine *machine, gm_statistics *sum)
{
    gm_statistics part;
    uint64_t dirty = 0;
    *sum = (gm_statistics){0};
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_machine_sm_statistics(machine, i, &part);
        gm_statistics_add(sum, &part);
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_cycle_machine_bank_statistics(machine, i, &part);
        dirty += part.l2_dirty_sectors;
        gm_statistics_add(sum, &part);
    }
    for (uint32_t i = 0; i < machine->partitions; i++) {
        gm_cycle_machine_channel_statistics(machine, i, &part);
        gm_statistics_add(sum, &part);
    }
    if (machine->config->l1.dueling) {
        gm_dueling_catch_up(&machine->dueling, machine->now + 1);
        sum->dueling = machine->dueling.statistics;
    }
    sum->sampling = machine->sampling.statistics;
    gm_network_add(&machine->requests, &sum->time);
    gm_network_add(&machine->acknowledgements, &sum->time);
    gm_network_add(&machine->replies, &sum->time);
    sum->l2_dirty_sectors = dirty;
    sum->unified = machine->unified;
    sum->coherence.rollovers = machine->time.epoch;
}

void gm_cycle_machine_read_sets(gm_cycle_machine *machine, gm_set_contents *contents)
{
    for (uint32_t i = 0; contents != NULL && i < machine->banks; i++) {
        gm_set_contents_read(contents, i, &machine->bank[i].l2.cache);
    }
}
