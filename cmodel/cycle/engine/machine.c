/* The machine of the cycle engine: putting it together, one step of it, and adding up. */
#include "cycle/engine/machine.h"

#include "cache/cache_snapshot.h"
#include "cycle/l2/l2_bank_step.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { GROUP = GM_CYCLE_WAKE_GROUP };

gm_cycle gm_cycle_machine_next(const gm_cycle_machine *machine)
{
    gm_cycle soonest = machine->now + 1;
    gm_cycle next = GM_CYCLE_ASLEEP;
    /* The SMs, which are the last, are visited the most often. */
    for (const gm_cycle *wake = machine->sm_wake + machine->sms; wake-- > machine->wake;) {
        if (*wake <= soonest) {
            return soonest;
        }
        next = *wake < next ? *wake : next;
    }
    if (next == GM_CYCLE_ASLEEP) {
        return GM_NEVER;
    }
    return machine->no_skip ? soonest : next;
}

/* Two wakes. */
typedef int64_t pair __attribute__((vector_size(2 * sizeof(gm_cycle)), may_alias));

/* Those of `count` components, 64 at most, whose wake is `now` or before, one bit each. */
static __attribute__((noinline)) uint64_t due_of(const gm_cycle *wake, uint32_t count, gm_cycle now)
{
    const pair limit = {(int64_t)now + 1, (int64_t)now + 1};
    pair due = {0, 0}; /* those with even numbers, and with odd ones; where true, < is -1 */
    const pair *first = (const pair *)wake;
    for (const pair *p = first + (count + GROUP - 1) / GROUP * (GROUP / 2); p != first;) {
        p -= GROUP / 2;
        due = (due << 2) - (p[3] < limit);
        due = (due << 2) - (p[2] < limit);
        due = (due << 2) - (p[1] < limit);
        due = (due << 2) - (p[0] < limit);
    }
    return (uint64_t)due[0] | (uint64_t)due[1] << 1;
}

/* Those of `all` components from `first` on, 64 at most, that are visited in cycle `now`. Of one
 * kind none makes another due in the cycle being done. `skip` is a constant, here and below: false
 * with machine->no_skip. */
INLINE uint64_t visited(const gm_cycle *wake, uint32_t all, uint32_t first, gm_cycle now,
                        const bool skip)
{
    uint32_t count = all - first < 64 ? all - first : 64;
    return skip ? due_of(&wake[first], count, now) : gm_mask(count);
}

/* A component is visited in cycle `now`: its wake is for later. */
INLINE void reset(gm_cycle *wake, gm_cycle now, const bool skip)
{
    *wake = skip || *wake <= now ? GM_CYCLE_ASLEEP : *wake;
}

INLINE void step_channels(gm_cycle_machine *machine, gm_cycle now, const bool skip)
{
    gm_cycle *wake = machine->channel_wake;
    for (uint32_t first = 0; first < machine->partitions; first += 64) {
        uint64_t due = visited(wake, machine->partitions, first, now, skip);
        for (; due != 0; due &= due - 1) {
            uint32_t i = first + gm_lowest_one(due);
            reset(&wake[i], now, skip);
            gm_gddr5_step(&machine->channel[i], now);
        }
    }
}

INLINE void step_banks(gm_cycle_machine *machine, gm_cycle now, const bool skip)
{
    gm_cycle *wake = machine->bank_wake;
    for (uint32_t first = 0; first < machine->banks; first += 64) {
        uint64_t due = visited(wake, machine->banks, first, now, skip);
        for (; due != 0; due &= due - 1) {
            uint32_t i = first + gm_lowest_one(due);
            reset(&wake[i], now, skip);
            gm_l2_bank_step(&machine->bank[i], now);
        }
    }
}

INLINE void step_network(gm_network *network, gm_cycle *wake, gm_cycle now, const bool skip)
{
    if (!skip || *wake <= now) {
        reset(wake, now, skip);
        gm_network_step(network, now);
    }
}

INLINE int step_sms(gm_cycle_machine *machine, gm_cycle now, const bool skip, bool *ended,
                    gm_error *error)
{
    gm_cycle *wake = machine->sm_wake;
    for (uint32_t first = 0; first < machine->sms; first += 64) {
        uint64_t due = visited(wake, machine->sms, first, now, skip);
        for (; due != 0; due &= due - 1) {
            uint32_t i = first + gm_lowest_one(due);
            gm_cycle_sm *sm = &machine->sm[i];
            reset(&wake[i], now, skip);
            if (!skip) {
                gm_cycle_sm_wake_schedulers(sm);
            }
            int code = gm_cycle_sm_step(sm, now, error);
            if (code != 0) {
                return code;
            }
            if (sm->ended != NULL) {
                machine->ended[i / 64] |= UINT64_C(1) << i % 64;
                *ended = true;
            }
        }
    }
    return 0;
}

INLINE int step(gm_cycle_machine *machine, gm_cycle now, const bool skip, bool *ended,
                gm_error *error)
{
    machine->now = now;
    step_channels(machine, now, skip);
    step_banks(machine, now, skip);
    step_network(&machine->replies, machine->replies_wake, now, skip);
    step_network(&machine->requests, machine->requests_wake, now, skip);
    return step_sms(machine, now, skip, ended, error);
}

static __attribute__((noinline)) int step_all(gm_cycle_machine *machine, gm_cycle now, bool *ended,
                                              gm_error *error)
{
    return step(machine, now, false, ended, error);
}

int gm_cycle_machine_step(gm_cycle_machine *machine, gm_cycle now, bool *ended, gm_error *error)
{
    return machine->no_skip ? step_all(machine, now, ended, error)
                            : step(machine, now, true, ended, error);
}

uint64_t gm_cycle_machine_resident(const gm_cycle_machine *machine)
{
    uint64_t resident = 0;
    for (uint32_t i = 0; i < machine->sms; i++) {
        resident += machine->sm[i].resident;
    }
    return resident;
}

bool gm_cycle_machine_idle(const gm_cycle_machine *machine)
{
    bool idle = gm_network_idle(&machine->requests) && gm_network_idle(&machine->replies);
    for (uint32_t i = 0; idle && i < machine->sms; i++) {
        idle = gm_load_store_idle(&machine->load_store[i]);
    }
    for (uint32_t i = 0; idle && i < machine->banks; i++) {
        idle = gm_l2_bank_idle(&machine->bank[i]);
    }
    for (uint32_t i = 0; idle && i < machine->partitions; i++) {
        idle = gm_gddr5_idle(&machine->channel[i]);
    }
    return idle;
}

void gm_cycle_machine_copy(gm_cycle_machine *machine, gm_message_kind kind, uint64_t l2_line,
                           uint32_t sectors)
{
    gm_location at = gm_address_map_locate(&machine->l2_shared.map, l2_line);
    uint32_t number = (at.partition << machine->l2_shared.map.bank_bits) + at.bank;
    gm_l2_bank_copy(&machine->bank[number], kind, l2_line, sectors);
}

int gm_cycle_machine_failed(const gm_cycle_machine *machine, gm_error *error)
{
    for (uint32_t i = 0; i < machine->sms; i++) {
        if (gm_cache_failed(&machine->load_store[i].l1d.cache) != 0) {
            return gm_fail(error, -ENOMEM, "out of memory: the lines of an unbounded L1");
        }
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        if (gm_cache_failed(&machine->bank[i].l2.cache) != 0) {
            return gm_fail(error, -ENOMEM, "out of memory: the lines of an unbounded L2");
        }
    }
    return 0;
}

void gm_cycle_machine_sm_statistics(gm_cycle_machine *machine, uint32_t sm,
                                    gm_statistics *statistics)
{
    const gm_load_store *unit = &machine->load_store[sm];
    *statistics =
        (gm_statistics){.traffic = gm_traffic_of(&unit->l1d.sent, machine->config->noc.header)};
    gm_cycle_sm_statistics(&machine->sm[sm], machine->now + 1, statistics);
    gm_load_store_sum(unit, machine->now, &statistics->l1d, &statistics->time);
}

void gm_cycle_machine_bank_statistics(gm_cycle_machine *machine, uint32_t bank,
                                      gm_statistics *statistics)
{
    gm_l2_bank *from = &machine->bank[bank];
    gm_l2_bank_settle(from, machine->now + 1);
    *statistics = (gm_statistics){
        .l2 = from->l2.statistics, .time = from->time, .l2_dirty_sectors = from->l2.dirty_sectors};
}

void gm_cycle_machine_channel_statistics(gm_cycle_machine *machine, uint32_t channel,
                                         gm_statistics *statistics)
{
    gm_gddr5 *from = &machine->channel[channel];
    gm_gddr5_settle(from, machine->now + 1);
    *statistics = (gm_statistics){.dram = from->statistics, .time = from->time};
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
    gm_network_add(&machine->requests, &sum->time);
    gm_network_add(&machine->replies, &sum->time);
    sum->l2_dirty_sectors = dirty;
}

enum { TEXT = 160 };

typedef struct aged {
    gm_cycle since; /* GM_NEVER: nothing */
    char text[TEXT];
} aged;

static void keep_older(aged *oldest, const aged *other)
{
    if (other->since < oldest->since) {
        *oldest = *other;
    }
}

/* Of the networks, the L2 banks and the channels. */
static aged oldest_beyond(const gm_cycle_machine *machine)
{
    aged oldest = {.since = GM_NEVER};
    aged other;
    for (uint32_t i = 0; i < machine->partitions; i++) {
        other.since = gm_gddr5_oldest(&machine->channel[i], other.text, TEXT);
        keep_older(&oldest, &other);
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        other.since = gm_l2_bank_oldest(&machine->bank[i], other.text, TEXT);
        keep_older(&oldest, &other);
    }
    other.since = gm_network_oldest(&machine->requests, other.text, TEXT);
    keep_older(&oldest, &other);
    other.since = gm_network_oldest(&machine->replies, other.text, TEXT);
    keep_older(&oldest, &other);
    return oldest;
}

/* What an SM's memory instructions wait for; where there is none, its warps. */
static aged oldest_of_sms(const gm_cycle_machine *machine)
{
    aged oldest = {.since = GM_NEVER};
    aged other;
    for (uint32_t i = 0; i < machine->sms; i++) {
        other.since = gm_load_store_oldest(&machine->load_store[i], other.text, TEXT);
        keep_older(&oldest, &other);
    }
    for (uint32_t i = 0; oldest.since == GM_NEVER && i < machine->sms; i++) {
        other.since = gm_cycle_sm_oldest(&machine->sm[i], other.text, TEXT);
        keep_older(&oldest, &other);
    }
    return oldest;
}

gm_cycle gm_cycle_machine_oldest(const gm_cycle_machine *machine, char *text, size_t size)
{
    aged beyond = oldest_beyond(machine);
    aged sm = oldest_of_sms(machine);
    if (sm.since == GM_NEVER || beyond.since == GM_NEVER) {
        snprintf(text, size, "%s", sm.since == GM_NEVER ? beyond.text : sm.text);
    } else {
        snprintf(text, size, "%s; beyond the SMs: %s", sm.text, beyond.text);
    }
    return sm.since < beyond.since ? sm.since : beyond.since;
}

void gm_cycle_machine_snapshot(gm_cycle_machine *machine, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, machine->now);
    GM_SNAPSHOT_VALUE(snapshot, machine->dueling.end);
    GM_SNAPSHOT_VALUE(snapshot, machine->dueling.statistics);
    gm_sm_dueling_snapshot(&machine->dueling.block, snapshot);
    GM_SNAPSHOT_ARRAY(snapshot, machine->wake, machine->wakes);
    for (uint32_t i = 0; i < machine->partitions; i++) {
        gm_gddr5_snapshot(&machine->channel[i], snapshot);
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_l2_bank_snapshot(&machine->bank[i], snapshot);
    }
    gm_network_snapshot(&machine->replies, snapshot);
    gm_network_snapshot(&machine->requests, snapshot);
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_load_store_snapshot(&machine->load_store[i], snapshot);
        gm_cycle_sm_snapshot(&machine->sm[i], snapshot);
    }
}
