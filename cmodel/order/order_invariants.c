/* Conservation laws of the order engine: each unit counts what it sends and receives, and the
 * counts agree. */
#include "cache/streaming.h"
#include "order/order_l1_decoupled.h"
#include "order/order_l1_sharing.h"
#include "order/order_machine.h"
#include "stats/invariants.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Checks that every CTA and instruction that the source delivered has run. */
static int check_core(const gm_order_machine *machine, const gm_statistics *sum, gm_error *error)
{
    const gm_delivered *delivered = &machine->delivered;
    uint64_t turns = 0;
    for (uint32_t i = 0; i < machine->sms; i++) {
        turns += machine->sm[i].turns;
    }
    GM_INVARIANT("SMs", "CTAs delivered = run", delivered->ctas, sum->core.ctas);
    GM_INVARIANT("SMs", "warps delivered = run", delivered->warps, sum->core.warps);
    GM_INVARIANT("SMs", "warp instructions delivered = issued", delivered->instructions,
                 sum->core.warp_instructions);
    GM_INVARIANT("SMs", "warp instructions issued = turns taken", sum->core.warp_instructions,
                 turns);
    GM_INVARIANT("SMs", "active lanes delivered = thread instructions", delivered->lanes,
                 sum->core.thread_instructions);
    return 0;
}

static int check_lines(const gm_order_l1 *l1, const char *where, gm_error *error)
{
    const gm_cache_statistics *counts = &l1->statistics;
    if (l1->decoupled != NULL) {
        return gm_order_l1_decoupled_check(l1, where, error);
    }
    int code = gm_bypass_check(&l1->bypass, where, error);
    return code < 0 ? code
                    : gm_cache_check(&l1->cache,
                                     gm_invariants_sum(counts->evictions) +
                                         gm_invariants_sum(counts->invalidations),
                                     where, error);
}

/* Checks the gate, if there is one. Strong loads are the only loads that bypass an open L1 then. */
static int check_gate(const gm_order_l1 *l1, const char *where, gm_error *error)
{
    const gm_cache_statistics *counts = &l1->statistics;
    if (l1->streaming == NULL) {
        return 0;
    }
    uint64_t bypassed = l1->streaming->statistics.loads_bypassed;
    uint64_t strong = counts->bypasses[GM_LOAD] - bypassed;
    return gm_streaming_check(l1->streaming, counts->accesses[GM_LOAD] - strong, bypassed, where,
                              error);
}

/* Checks an SM's tracker operations against its L1's counters. */
static int check_told(const gm_order_l1 *l1, const char *where, gm_error *error)
{
    const gm_tracker_statistics *tracker = &l1->tracker;
    const gm_cache_statistics *counts = &l1->statistics;
    GM_INVARIANT(where, "hits of its tracker = remote hits + remote misses", tracker->hits,
                 tracker->remote_hits + tracker->remote_misses);
    if (l1->trackers == NULL) {
        return 0;
    }
    GM_INVARIANT(where,
                 "look-ups of its tracker + coherent = load misses + bypasses of loads, atomics",
                 tracker->lookups + tracker->coherent,
                 counts->misses[GM_LOAD] + counts->bypasses[GM_LOAD] + counts->bypasses[GM_ATOMIC]);
    GM_INVARIANT(where, "load misses of lines not held = fills told its tracker",
                 counts->misses[GM_LOAD] - counts->sector_misses[GM_LOAD], tracker->fills);
    return 0;
}

static int check_l1s(const gm_order_machine *machine, gm_error *error)
{
    for (uint32_t i = 0; i < machine->sms; i++) {
        const gm_order_sm *sm = &machine->sm[i];
        const gm_cache_statistics *l1 = &sm->l1.statistics;
        const gm_message_counts *sent = &sm->port.sent;
        char where[32];
        snprintf(where, sizeof where, "L1 of SM %u", i);
        int code = gm_invariants_check_cache(l1, where, error);
        code = code < 0 ? code
                        : gm_invariants_check_stored(l1, sm->l1.policy->all_sectors, where, error);
        if (code < 0) {
            return code;
        }
        for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
            GM_INVARIANT(where, "line requests of the coalescer = accesses", sm->requests[kind],
                         l1->accesses[kind]);
        }
        GM_INVARIANT(where, "sectors written back = sectors of write-back messages",
                     gm_invariants_sum(l1->sectors_written_back),
                     sent->sectors[GM_MESSAGE_WRITE_BACK]);
        GM_INVARIANT(where, "sectors made dirty = written back + dirty", sm->l1.dirtied,
                     gm_invariants_sum(l1->sectors_written_back) + sm->l1.dirty_sectors);
        GM_INVARIANT(where,
                     "sectors filled + of bypassing loads = sectors asked for + supplied by L1s",
                     gm_invariants_sum(l1->sectors_filled) + sm->l1.bypassed_sectors,
                     sent->sectors[GM_MESSAGE_READ] + sm->l1.tracker.remote_sectors);
        code = check_told(&sm->l1, where, error);
        code = code < 0 ? code : check_lines(&sm->l1, where, error);
        code = code < 0 ? code : check_gate(&sm->l1, where, error);
        code = code < 0 ? code
                        : gm_order_l1_sharing_check(&sm->l1, machine->config->l1.global_allocate,
                                                    where, error);
        if (code < 0) {
            return code;
        }
    }
    return 0;
}

/* Checks the messages and their sectors: sent by the SMs and received by the L2 banks. */
static int check_messages(const gm_order_machine *machine, const gm_statistics *sum,
                          gm_error *error)
{
    gm_message_counts sent = machine->noc.copied;
    gm_message_counts received = {0};
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_message_counts_add(&sent, &machine->sm[i].port.sent);
    }
    for (uint32_t i = 0; i < machine->memory.banks; i++) {
        gm_message_counts_add(&received, &machine->memory.bank[i].received);
    }
    int code = gm_invariants_check_strong(&sent, &sum->atomic_buffer, error);
    return code < 0 ? code : gm_invariants_check_messages(&sent, &received, error);
}

/* Checks the bytes: sent by the SMs and received by the L2 banks, trackers and other L1s. */
static int check_traffic(const gm_order_machine *machine, const gm_statistics *sum, gm_error *error)
{
    gm_message_counts received = {0};
    for (uint32_t i = 0; i < machine->memory.banks; i++) {
        gm_message_counts_add(&received, &machine->memory.bank[i].received);
    }
    received.messages[GM_MESSAGE_EVICT] = 0; /* from the trackers in front of the banks */
    received.sectors[GM_MESSAGE_EVICT] = 0;
    gm_traffic_statistics traffic = gm_traffic_of(&received, machine->noc.header);
    gm_trackers_add_passed(&machine->trackers, machine->noc.header, &traffic);
    return gm_invariants_check_traffic(&sum->traffic, &traffic, error);
}

static uint64_t count_dirty(const gm_cache *cache)
{
    uint64_t dirty = 0;
    for (uint32_t slot = 0; slot < gm_cache_slots(cache); slot++) {
        dirty += gm_count_ones(cache->unbounded ? cache->table.state[slot].dirty
                                                : cache->way[slot].state.dirty);
    }
    return dirty;
}

static int check_l2(const gm_order_machine *machine, gm_error *error)
{
    for (uint32_t i = 0; i < machine->memory.banks; i++) {
        const gm_l2 *l2 = &machine->memory.bank[i];
        const gm_cache_statistics *counts = &l2->statistics;
        const uint64_t *received = l2->received.messages;
        char where[32];
        snprintf(where, sizeof where, "L2 bank %u", i);
        int code = gm_invariants_check_cache(counts, where, error);
        if (code < 0) {
            return code;
        }
        GM_INVARIANT(where, "reads received = load accesses", received[GM_MESSAGE_READ],
                     counts->accesses[GM_LOAD]);
        GM_INVARIANT(where, "writes and write-backs received = store accesses",
                     received[GM_MESSAGE_WRITE] + received[GM_MESSAGE_WRITE_BACK],
                     counts->accesses[GM_STORE]);
        GM_INVARIANT(where, "atomics and reductions received = atomic accesses",
                     received[GM_MESSAGE_ATOMIC] + received[GM_MESSAGE_REDUCTION],
                     counts->accesses[GM_ATOMIC]);
        GM_INVARIANT(
            where, "sectors made dirty = written back + overwritten by copies + dirty", l2->dirtied,
            gm_invariants_sum(counts->sectors_written_back) + l2->overwritten + l2->dirty_sectors);
        GM_INVARIANT(where, "dirty sectors counted = found", l2->dirty_sectors,
                     count_dirty(&l2->cache));
        code = gm_l2_check_streaming(l2, where, error);
        code = code < 0 ? code : gm_l2_check_coalesced(l2, where, error);
        code = code < 0 ? code : gm_l2_check_victims(l2, where, error);
        code = code < 0 ? code : gm_atomic_unit_check(l2->atomics, counts, where, error);
        code = code < 0 ? code : gm_l2_check_partial(l2, where, error);
        code = code < 0 ? code : gm_l2_check_sharing(l2, where, error);
        if (code < 0) {
            return code;
        }
        code = gm_cache_check(&l2->cache,
                              gm_invariants_sum(counts->evictions) +
                                  gm_invariants_sum(counts->invalidations) +
                                  gm_atomic_unit_gone(l2->atomics) + l2->victim.moved,
                              where, error);
        if (code < 0) {
            return code;
        }
    }
    return 0;
}

static int check_dram(const gm_order_machine *machine, gm_error *error)
{
    const gm_memory_side *memory = &machine->memory;
    uint32_t banks = memory->banks / memory->partitions;
    for (uint32_t i = 0; i < memory->partitions; i++) {
        const gm_dram_statistics *dram = &memory->channel[i].statistics;
        uint64_t filled = 0;
        uint64_t written = 0;
        for (uint32_t bank = i * banks; bank < (i + 1) * banks; bank++) {
            filled += gm_invariants_sum(memory->bank[bank].statistics.sectors_filled);
            written += gm_invariants_sum(memory->bank[bank].statistics.sectors_written_back) +
                       memory->bank[bank].through;
        }
        char where[32];
        snprintf(where, sizeof where, "DRAM channel %u", i);
        GM_INVARIANT(where, "sectors filled in the L2 = reads", filled, dram->reads);
        GM_INVARIANT(where, "sectors written back and through by the L2 = writes", written,
                     dram->writes);
        GM_INVARIANT(where, "bytes = 32 * (reads + writes)", dram->bytes,
                     GM_SECTOR * (dram->reads + dram->writes));
        GM_INVARIANT(where, "row hits <= requests", dram->row_hits <= dram->requests, 1);
        GM_INVARIANT(where, "requests <= reads + writes",
                     dram->requests <= dram->reads + dram->writes, 1);
    }
    return 0;
}

int gm_order_machine_check(const gm_order_machine *machine, gm_error *error)
{
    gm_statistics sum;
    gm_order_machine_sum(machine, &sum);
    int code = check_core(machine, &sum, error);
    code = code == 0 ? check_l1s(machine, error) : code;
    code = code == 0 && machine->config->l1.dueling ? gm_dueling_check(&machine->dueling, error)
                                                    : code;
    code = code == 0 ? gm_trackers_check(&machine->trackers, &sum.tracker, error) : code;
    code = code == 0 ? check_messages(machine, &sum, error) : code;
    code = code == 0 ? check_traffic(machine, &sum, error) : code;
    code = code == 0 ? check_l2(machine, error) : code;
    code = code == 0 ? check_dram(machine, error) : code;
    code = code == 0 ? gm_invariants_check_coalesced(&sum, machine->config, error) : code;
    code = code == 0 ? gm_invariants_check_victims(&sum, machine->config, error) : code;
    return code == 0 ? gm_invariants_check_totals(&machine->total, &sum, error) : code;
}
