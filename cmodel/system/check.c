/* Conservation laws of the order engine: what one side has sent, the other has received, each
 * counted where it happens. */
#include "system/machine.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef unsigned long long number;

static int broken(gm_error *error, const char *where, const char *law, uint64_t left,
                  uint64_t right)
{
    return gm_fail(error, -EPROTO, "conservation law broken: %s: %s: %llu and %llu", where, law,
                   (number)left, (number)right);
}

#define LAW(where, law, left, right)                                                               \
    do {                                                                                           \
        if ((left) != (right)) {                                                                   \
            return broken(error, where, law, left, right);                                         \
        }                                                                                          \
    } while (0)

static uint64_t sum_of(const uint64_t count[GM_ACCESS_KINDS])
{
    return count[GM_LOAD] + count[GM_STORE] + count[GM_ATOMIC];
}

static int check_cache_counters(const gm_cache_statistics *cache, const char *where,
                                gm_error *error)
{
    static const char *const kinds[GM_ACCESS_KINDS] = {"load", "store", "atomic"};
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        char name[64];
        snprintf(name, sizeof name, "%s %s", where, kinds[kind]);
        LAW(name, "accesses = hits + hits_pending + misses + bypasses", cache->accesses[kind],
            cache->hits[kind] + cache->hits_pending[kind] + cache->misses[kind] +
                cache->bypasses[kind]);
        LAW(name, "sector_misses <= misses", cache->sector_misses[kind] <= cache->misses[kind], 1);
        LAW(name, "write_backs <= sectors_written_back",
            cache->write_backs[kind] <= cache->sectors_written_back[kind], 1);
    }
    return 0;
}

/* What the source delivered has run. */
static int check_core(const gm_machine *machine, const gm_statistics *sum, gm_error *error)
{
    const gm_delivered *delivered = &machine->delivered;
    uint64_t turns = 0;
    for (uint32_t i = 0; i < machine->sms; i++) {
        turns += machine->sm[i].turns;
    }
    LAW("SMs", "CTAs delivered = run", delivered->ctas, sum->core.ctas);
    LAW("SMs", "warps delivered = run", delivered->warps, sum->core.warps);
    LAW("SMs", "warp instructions delivered = issued", delivered->instructions,
        sum->core.warp_instructions);
    LAW("SMs", "warp instructions issued = turns taken", sum->core.warp_instructions, turns);
    LAW("SMs", "active lanes delivered = thread instructions", delivered->lanes,
        sum->core.thread_instructions);
    return 0;
}

static int check_l1d(const gm_machine *machine, gm_error *error)
{
    for (uint32_t i = 0; i < machine->sms; i++) {
        const gm_sm *sm = &machine->sm[i];
        const gm_cache_statistics *l1d = &sm->l1d.statistics;
        const gm_message_counts *sent = &sm->port.sent;
        char where[32];
        snprintf(where, sizeof where, "L1 of SM %u", i);
        int code = check_cache_counters(l1d, where, error);
        if (code < 0) {
            return code;
        }
        for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
            LAW(where, "line requests of the coalescer = accesses", sm->requests[kind],
                l1d->accesses[kind]);
        }
        LAW(where, "sectors written back = sectors of write-back messages",
            sum_of(l1d->sectors_written_back), sent->sectors[GM_MESSAGE_WRITE_BACK]);
        LAW(where, "sectors made dirty = written back + dirty", sm->l1d.dirtied,
            sum_of(l1d->sectors_written_back) + sm->l1d.dirty_sectors);
        LAW(where, "sectors filled + of bypassing loads = sectors asked for",
            sum_of(l1d->sectors_filled) + sm->l1d.bypassed_sectors, sent->sectors[GM_MESSAGE_READ]);
        code = gm_cache_check(&sm->l1d.cache, sum_of(l1d->evictions) + sum_of(l1d->invalidations),
                              where, error);
        if (code < 0) {
            return code;
        }
    }
    return 0;
}

static void add_counts(gm_message_counts *into, const gm_message_counts *from)
{
    for (unsigned kind = 0; kind < GM_MESSAGE_KINDS; kind++) {
        into->messages[kind] += from->messages[kind];
        into->sectors[kind] += from->sectors[kind];
    }
}

/* Messages and their sectors, as the SMs sent them and as the L2 banks received them. */
static int check_messages(const gm_machine *machine, gm_error *error)
{
    gm_message_counts sent = machine->noc.copied;
    gm_message_counts received = {0};
    for (uint32_t i = 0; i < machine->sms; i++) {
        add_counts(&sent, &machine->sm[i].port.sent);
    }
    for (uint32_t i = 0; i < machine->memory.banks; i++) {
        add_counts(&received, &machine->memory.bank[i].received);
    }
    static const char *const kinds[GM_MESSAGE_KINDS] = {
        "READ", "WRITE", "WRITE_BACK", "ATOMIC", "REDUCTION", "INSTALL", "DISCARD"};
    for (unsigned kind = 0; kind < GM_MESSAGE_KINDS; kind++) {
        LAW(kinds[kind], "messages sent by SMs = received by L2 banks", sent.messages[kind],
            received.messages[kind]);
        LAW(kinds[kind], "sectors sent by SMs = received by L2 banks", sent.sectors[kind],
            received.sectors[kind]);
    }
    return 0;
}

/* Bytes of what the SMs sent, and of what the L2 banks received. */
static int check_traffic(const gm_machine *machine, const gm_statistics *sum, gm_error *error)
{
    gm_message_counts received = {0};
    for (uint32_t i = 0; i < machine->memory.banks; i++) {
        add_counts(&received, &machine->memory.bank[i].received);
    }
    gm_traffic_statistics traffic = gm_traffic_of(&received, machine->noc.header);
#define CLASS(name, meaning)                                                                       \
    LAW("traffic " #name, "bytes of messages sent = of messages received", sum->traffic.name,      \
        traffic.name);
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
    return 0;
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

static int check_l2(const gm_machine *machine, gm_error *error)
{
    for (uint32_t i = 0; i < machine->memory.banks; i++) {
        const gm_l2 *l2 = &machine->memory.bank[i];
        const gm_cache_statistics *counts = &l2->statistics;
        const uint64_t *received = l2->received.messages;
        char where[32];
        snprintf(where, sizeof where, "L2 bank %u", i);
        int code = check_cache_counters(counts, where, error);
        if (code < 0) {
            return code;
        }
        LAW(where, "reads received = load accesses", received[GM_MESSAGE_READ],
            counts->accesses[GM_LOAD]);
        LAW(where, "writes and write-backs received = store accesses",
            received[GM_MESSAGE_WRITE] + received[GM_MESSAGE_WRITE_BACK],
            counts->accesses[GM_STORE]);
        LAW(where, "atomics and reductions received = atomic accesses",
            received[GM_MESSAGE_ATOMIC] + received[GM_MESSAGE_REDUCTION],
            counts->accesses[GM_ATOMIC]);
        LAW(where, "sectors made dirty = written back + overwritten by copies + dirty", l2->dirtied,
            sum_of(counts->sectors_written_back) + l2->overwritten + l2->dirty_sectors);
        LAW(where, "dirty sectors counted = found", l2->dirty_sectors, count_dirty(&l2->cache));
        code = gm_cache_check(&l2->cache, sum_of(counts->evictions) + sum_of(counts->invalidations),
                              where, error);
        if (code < 0) {
            return code;
        }
    }
    return 0;
}

static int check_dram(const gm_machine *machine, gm_error *error)
{
    const gm_memory_side *memory = &machine->memory;
    uint32_t banks = memory->banks / memory->partitions;
    for (uint32_t i = 0; i < memory->partitions; i++) {
        const gm_dram_statistics *dram = &memory->channel[i].statistics;
        uint64_t filled = 0;
        uint64_t written = 0;
        for (uint32_t bank = i * banks; bank < (i + 1) * banks; bank++) {
            filled += sum_of(memory->bank[bank].statistics.sectors_filled);
            written += sum_of(memory->bank[bank].statistics.sectors_written_back);
        }
        char where[32];
        snprintf(where, sizeof where, "DRAM channel %u", i);
        LAW(where, "sectors filled in the L2 = reads", filled, dram->reads);
        LAW(where, "sectors written back by the L2 = writes", written, dram->writes);
        LAW(where, "bytes = 32 * (reads + writes)", dram->bytes,
            GM_SECTOR * (dram->reads + dram->writes));
        LAW(where, "row hits <= requests", dram->row_hits <= dram->requests, 1);
        LAW(where, "requests <= reads + writes", dram->requests <= dram->reads + dram->writes, 1);
    }
    return 0;
}

/* Kernel by kernel, and over SMs, banks and partitions: two ways to the same totals. */
static int check_totals(const gm_machine *machine, const gm_statistics *sum, gm_error *error)
{
#define COUNTER(name, unit, meaning)                                                               \
    LAW("core " #name, "sum of kernels = sum of SMs", machine->total.core.name, sum->core.name);
    GM_CORE_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    LAW("l1d " #name, "sum of kernels = sum of SMs", sum_of(machine->total.l1d.name),              \
        sum_of(sum->l1d.name));                                                                    \
    LAW("l2 " #name, "sum of kernels = sum of banks", sum_of(machine->total.l2.name),              \
        sum_of(sum->l2.name));
    GM_CACHE_COUNTERS(COUNTER)
#undef COUNTER
#define COUNTER(name, unit, meaning)                                                               \
    LAW("dram " #name, "sum of kernels = sum of channels", machine->total.dram.name,               \
        sum->dram.name);
    GM_DRAM_COUNTERS(COUNTER)
#undef COUNTER
#define CLASS(name, meaning)                                                                       \
    LAW("traffic " #name, "sum of kernels = sum of SMs", machine->total.traffic.name,              \
        sum->traffic.name);
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
    return 0;
}

int gm_machine_check(const gm_machine *machine, gm_error *error)
{
    gm_statistics sum;
    gm_machine_sum(machine, &sum);
    int code = check_core(machine, &sum, error);
    code = code == 0 ? check_l1d(machine, error) : code;
    code = code == 0 ? check_messages(machine, error) : code;
    code = code == 0 ? check_traffic(machine, &sum, error) : code;
    code = code == 0 ? check_l2(machine, error) : code;
    code = code == 0 ? check_dram(machine, error) : code;
    return code == 0 ? check_totals(machine, &sum, error) : code;
}
