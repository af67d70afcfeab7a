/* Machine of the cycle engine: one cycle of all units. machine_init.c makes them and connects them;
 * machine_statistics.c sums over their counters. */
#include "cycle/engine/machine.h"

#include "base/bitset.h"
#include "base/foresight.h"
#include "base/template.h"
#include "cache/streaming.h"
#include "cycle/l2/l2_bank.h"
#include "goldmem/bits.h"

#include <errno.h>

enum {
    GROUP = GM_CYCLE_WAKE_GROUP,
    MANY_MISSES = 3000, /* L1 MSHR entries in use: the host's caches do not hold what visits read */
    COUNT_MISSES = 256, /* cycles from one count of these to the next */
    HOST_LINE = 64,     /* bytes */
    BANK_LINES = 5,     /* of a gm_l2_bank, that each visit reads */
};

void gm_cycle_machine_settle_begins(gm_cycle_machine *machine)
{
    machine->begins =
        machine->timer.due < machine->time.end ? machine->timer.due : machine->time.end;
}

void gm_cycle_machine_set_timer(gm_cycle_machine *machine, uint64_t period,
                                void (*act)(gm_cycle_machine *machine, gm_cycle now))
{
    machine->timer = (gm_cycle_timer){.period = period, .due = period, .act = act};
    gm_cycle_machine_settle_begins(machine);
}

static uint32_t held_by(void *context, uint32_t sm, uint64_t line)
{
    gm_cycle_machine *machine = context;
    return gm_cycle_l1_held(&machine->load_store[sm].l1, line);
}

int gm_cycle_machine_end_values(gm_cycle_machine *machine, gm_error *error)
{
    if (machine->values == NULL) {
        return 0;
    }
    gm_values_end_kernel(machine->values, held_by, machine);
    return gm_values_check(machine->values, error);
}

gm_cycle gm_cycle_machine_next(const gm_cycle_machine *machine)
{
    gm_cycle soonest = machine->now + 1;
    gm_cycle next = GM_CYCLE_ASLEEP;
    /* From the end: SMs are visited most often. */
    for (const gm_cycle *wake = machine->sm_wake + machine->sms; wake-- > machine->wake;) {
        if (*wake <= soonest) {
            return soonest;
        }
        next = *wake < next ? *wake : next;
    }
    if (next == GM_CYCLE_ASLEEP) {
        return GM_NEVER;
    }
    next = machine->timer.due < next ? machine->timer.due : next;
    return machine->no_skip ? soonest : next;
}

/* Two wake-up times in one vector. */
typedef int64_t pair __attribute__((vector_size(2 * sizeof(gm_cycle)), may_alias));

/* Returns the bit set of those of `count` units, 64 at most, whose wake-up time is `now` or
 * earlier. */
static __attribute__((noinline)) uint64_t due_of(const gm_cycle *wake, uint32_t count, gm_cycle now)
{
    const pair limit = {(int64_t)now + 1, (int64_t)now + 1};
    pair due = {0, 0}; /* bits of the even and of the odd units; a true < is -1 */
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

/* Returns the bit set of those of `all` units from `first` on, 64 at most, that are visited in
 * cycle `now`: those due, or all. A visit makes no other unit of its kind due in the same cycle.
 * `skip`, here and below: a constant, without which vectoradd takes 0.7% more instructions. */
GM_TEMPLATE uint64_t visited(const gm_cycle *wake, uint32_t all, uint32_t first, gm_cycle now,
                             const bool skip)
{
    uint32_t count = all - first < GM_BITSET_WORD ? all - first : GM_BITSET_WORD;
    return skip ? due_of(&wake[first], count, now) : gm_mask(count);
}

/* Clears the wake-up time, if it is due, of a unit that is visited in cycle `now`. */
GM_TEMPLATE void take_wake(gm_cycle *wake, gm_cycle now, const bool skip)
{
    if (skip || *wake <= now) {
        *wake = GM_CYCLE_ASLEEP;
    }
}

/* Returns the lowest unit, counted from `first`, of those `due`; of none: `unit`. A branch would be
 * hard to predict. */
GM_TEMPLATE uint32_t next_due(uint64_t due, uint32_t unit, uint32_t first)
{
    return first + gm_lowest_one(due != 0 ? due : UINT64_C(1) << (unit - first));
}

/* Lets the host fetch the first `lines` lines of its cache of a unit that is visited next. The
 * units' state is larger than its first-level cache. */
GM_TEMPLATE void prefetch(const void *unit, const unsigned lines)
{
#pragma GCC unroll 8
    for (unsigned i = 0; i < lines; i++) {
        gm_prefetch((const char *)unit + (size_t)i * HOST_LINE);
    }
}

/* Does so with an SM, its load/store unit and L1. */
GM_TEMPLATE void prefetch_sm(const gm_cycle_machine *machine, uint32_t sm)
{
    const gm_load_store *unit = &machine->load_store[sm];
    prefetch(&machine->sm[sm], 2);
    prefetch(unit, 4);
    prefetch(&unit->l1, 3);
}

/* Lets the host fetch the oldest elements of the queues of a load/store unit that is visited next.
 */
GM_TEMPLATE void prefetch_queues(const gm_load_store *unit)
{
    gm_prefetch(&unit->access[gm_ring_first(&unit->queue)]);
    gm_prefetch(&unit->l1.packet[gm_ring_first(&unit->l1.queue)]);
}

GM_TEMPLATE void step_channels(gm_cycle_machine *machine, gm_cycle now, const bool skip)
{
    gm_cycle *wake = machine->channel_wake;
    for (uint32_t first = 0; first < machine->partitions; first += GM_BITSET_WORD) {
        uint64_t due = visited(wake, machine->partitions, first, now, skip);
        while (due != 0) {
            uint32_t i = first + gm_bitset_take_lowest(&due);
            take_wake(&wake[i], now, skip);
            gm_gddr5_step(&machine->channel[i], now);
        }
    }
}

GM_TEMPLATE void step_trackers(gm_cycle_machine *machine, gm_cycle now, const bool skip)
{
    gm_cycle *wake = machine->tracker_wake;
    for (uint32_t first = 0; first < machine->trackers; first += GM_BITSET_WORD) {
        uint64_t due = visited(wake, machine->trackers, first, now, skip);
        while (due != 0) {
            uint32_t i = first + gm_bitset_take_lowest(&due);
            take_wake(&wake[i], now, skip);
            gm_tracker_bank_step(&machine->tracker[i], now);
        }
    }
}

GM_TEMPLATE void step_banks(gm_cycle_machine *machine, gm_cycle now, const bool skip)
{
    gm_cycle *wake = machine->bank_wake;
    for (uint32_t first = 0; first < machine->banks; first += GM_BITSET_WORD) {
        uint64_t due = visited(wake, machine->banks, first, now, skip);
        while (due != 0) {
            uint32_t i = first + gm_bitset_take_lowest(&due);
            take_wake(&wake[i], now, skip);
            prefetch(&machine->bank[next_due(due & (due - 1), i, first)], BANK_LINES);
            gm_l2_bank_prefetch(&machine->bank[next_due(due, i, first)]);
            gm_l2_bank_step(&machine->bank[i], now);
        }
    }
}

GM_TEMPLATE void step_network(gm_network *network, gm_cycle *wake, gm_cycle now, const bool skip)
{
    if (!skip || *wake <= now) {
        take_wake(wake, now, skip);
        gm_network_step(network, now);
    }
}

/* Visits the SMs' ports of the network of peers, which call the SMs for data that have arrived. */
GM_TEMPLATE void step_ports(gm_cycle_machine *machine, gm_cycle now, const bool skip)
{
    gm_cycle *wake = machine->port_wake;
    for (uint32_t first = 0; first < machine->sms; first += GM_BITSET_WORD) {
        uint64_t due = visited(wake, machine->sms, first, now, skip);
        while (due != 0) {
            uint32_t i = first + gm_bitset_take_lowest(&due);
            gm_load_store *unit = &machine->load_store[i];
            take_wake(&wake[i], now, skip);
            gm_wake(&wake[i], gm_cycle_l1_step_port(&unit->l1, now));
            if (gm_cycle_l1_has_supply(&unit->l1, now)) {
                gm_load_store_call(unit);
                gm_wake(&machine->sm_wake[i], now);
            }
        }
    }
}

GM_TEMPLATE int step_sm(gm_cycle_machine *machine, uint32_t number, gm_cycle now, const bool skip,
                        bool *ended, gm_error *error)
{
    gm_cycle_sm *sm = &machine->sm[number];
    take_wake(&machine->sm_wake[number], now, skip);
    int code = gm_cycle_sm_step(sm, now, error);
    if (code == 0 && sm->ended != NULL) {
        gm_bitset_add(machine->ended, number);
        *ended = true;
    }
    return code;
}

GM_TEMPLATE int step_sms(gm_cycle_machine *machine, gm_cycle now, const bool skip, bool *ended,
                         gm_error *error)
{
    for (uint32_t first = 0; first < machine->sms; first += GM_BITSET_WORD) {
        uint64_t due = visited(machine->sm_wake, machine->sms, first, now, skip);
        while (due != 0) {
            uint32_t number = first + gm_bitset_take_lowest(&due);
            prefetch_sm(machine, next_due(due & (due - 1), number, first));
            prefetch_queues(&machine->load_store[next_due(due, number, first)]);
            int code = step_sm(machine, number, now, skip, ended, error);
            if (code != 0) {
                return code;
            }
        }
    }
    return 0;
}

/* Lets the units be foreseen while many misses are in flight: with few, foresight costs more time
 * than it saves. */
static void judge_foresight(gm_cycle_machine *machine, gm_cycle now)
{
    uint32_t misses = 0;
    for (uint32_t i = 0; i < machine->sms; i++) {
        misses += machine->load_store[i].l1.entries;
    }
    machine->foresees = misses >= MANY_MISSES;
    machine->judges = now + COUNT_MISSES;
}

/* Writes the numbers of the units that are due into machine->due. Returns how many there are. */
static uint32_t list_due(const gm_cycle_machine *machine, const gm_cycle *wake, uint32_t all,
                         gm_cycle now)
{
    uint32_t count = 0;
    for (uint32_t first = 0; first < all; first += GM_BITSET_WORD) {
        for (uint64_t due = visited(wake, all, first, now, true); due != 0;) {
            machine->due[count++] = first + gm_bitset_take_lowest(&due);
        }
    }
    return count;
}

/* step_banks and step_sms with foresight: each turn of the loop does a step for a few units and
 * visits one. */
static __attribute__((noinline)) void step_banks_foreseen(gm_cycle_machine *machine, gm_cycle now)
{
    enum { STEP = GM_FORESIGHT_VISITS, VISIT = 3 * STEP };
    const uint32_t *due = machine->due;
    uint32_t count = list_due(machine, machine->bank_wake, machine->banks, now);
    for (uint32_t i = 0; i < count + VISIT; i++) {
        if (i < count) {
            gm_l2_bank_foresee_heads(&machine->bank[due[i]], now);
        }
        if (i - STEP < count) {
            gm_l2_bank_foresee_places(&machine->bank[due[i - STEP]], now);
        }
        if (i - 2 * STEP < count) {
            gm_l2_bank_foresee_state(&machine->bank[due[i - 2 * STEP]], now);
        }
        if (i - VISIT < count) {
            take_wake(&machine->bank_wake[due[i - VISIT]], now, true);
            gm_l2_bank_step(&machine->bank[due[i - VISIT]], now);
        }
    }
}

static __attribute__((noinline)) int step_sms_foreseen(gm_cycle_machine *machine, gm_cycle now,
                                                       bool *ended, gm_error *error)
{
    enum { STEP = GM_FORESIGHT_VISITS, VISIT = 4 * STEP };
    const uint32_t *due = machine->due;
    gm_load_store *unit = machine->load_store;
    uint32_t count = list_due(machine, machine->sm_wake, machine->sms, now);
    for (uint32_t i = 0; i < count + VISIT; i++) {
        if (i < count) {
            gm_load_store_foresee_heads(&unit[due[i]], now);
        }
        if (i - STEP < count) {
            gm_load_store_foresee_places(&unit[due[i - STEP]], now);
        }
        if (i - 2 * STEP < count) {
            gm_load_store_foresee_state(&unit[due[i - 2 * STEP]]);
        }
        if (i - 3 * STEP < count) {
            gm_load_store_foresee_victims(&unit[due[i - 3 * STEP]]);
        }
        int code =
            i - VISIT < count ? step_sm(machine, due[i - VISIT], now, true, ended, error) : 0;
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* Computes a cycle of all units but the SMs. */
GM_TEMPLATE void step_beyond(gm_cycle_machine *machine, gm_cycle now, const bool skip)
{
    const bool tracked = machine->trackers != 0;
    step_channels(machine, now, skip);
    if (tracked) {
        step_trackers(machine, now, skip);
    }
    if (skip && machine->foresees) {
        step_banks_foreseen(machine, now);
    } else {
        step_banks(machine, now, skip);
    }
    step_network(&machine->replies, machine->replies_wake, now, skip);
    step_network(&machine->requests, machine->requests_wake, now, skip);
    if (tracked) {
        step_network(&machine->peers, machine->peers_wake, now, skip);
        step_ports(machine, now, skip);
    } else if (machine->apart) {
        step_network(&machine->acknowledgements, machine->acknowledgements_wake, now, skip);
    }
}

GM_TEMPLATE int step_units(gm_cycle_machine *machine, gm_cycle now, const bool skip, bool *ended,
                           gm_error *error)
{
    step_beyond(machine, now, skip);
    return skip && machine->foresees ? step_sms_foreseen(machine, now, ended, error)
                                     : step_sms(machine, now, skip, ended, error);
}

GM_TEMPLATE void step_all_ports(gm_cycle_machine *machine, gm_cycle now, const bool skip,
                                gm_cycle_port_step *step, void *context)
{
    gm_cycle *wake = machine->sm_wake;
    step_beyond(machine, now, skip);
    for (uint32_t first = 0; first < machine->sms; first += GM_BITSET_WORD) {
        uint64_t due = visited(wake, machine->sms, first, now, skip);
        while (due != 0) {
            uint32_t i = first + gm_bitset_take_lowest(&due);
            take_wake(&wake[i], now, skip);
            step(context, i, now);
        }
    }
}

void gm_cycle_machine_step_ports(gm_cycle_machine *machine, gm_cycle now, gm_cycle_port_step *step,
                                 void *context)
{
    machine->now = now;
    if (machine->no_skip) {
        step_all_ports(machine, now, false, step, context);
    } else {
        step_all_ports(machine, now, true, step, context);
    }
}

/* Begins the epoch of cycle `now`. Requires that it is later than machine->time's. Epochs that have
 * passed without a visit leave what one leaves, or two: only the parity of their number is seen. */
static void roll_over(gm_cycle_machine *machine, gm_cycle now)
{
    gm_coherence_time *time = &machine->time;
    uint64_t epochs = (now - time->begin - 1) / time->last;
    for (uint64_t left = 2 - epochs % 2; left != 0; left--) {
        for (uint32_t i = 0; i < machine->sms; i++) {
            gm_cycle_l1_roll_over(&machine->load_store[i].l1);
        }
        for (uint32_t i = 0; i < machine->banks; i++) {
            gm_l2_bank_roll_over(&machine->bank[i]);
        }
    }
    time->epoch += epochs;
    time->begin += epochs * time->last;
    time->end = time->begin + time->last + 1;
}

void gm_cycle_machine_begin_due(gm_cycle_machine *machine, gm_cycle now)
{
    gm_cycle_timer *timer = &machine->timer;
    if (now >= machine->time.end) {
        roll_over(machine, now);
    }
    while (now >= timer->due) {
        timer->act(machine, timer->due);
        timer->due += timer->period;
    }
    gm_cycle_machine_settle_begins(machine);
}

int gm_cycle_machine_step(gm_cycle_machine *machine, gm_cycle now, bool *ended, gm_error *error)
{
    machine->now = now;
    if (now >= machine->judges) {
        judge_foresight(machine, now);
    }
    if (!machine->no_skip) {
        return step_units(machine, now, true, ended, error);
    }
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_sm_wake_schedulers(&machine->sm[i]);
    }
    return step_units(machine, now, false, ended, error);
}

static bool has_leases(const gm_cycle_machine *machine)
{
    return machine->l1_shared.coherence != NULL && machine->l1_shared.coherence->leases;
}

bool gm_cycle_machine_writes_are_visible(gm_cycle_machine *machine)
{
    bool visible = true;
    for (uint32_t i = 0; has_leases(machine) && i < machine->sms; i++) {
        gm_coherence_wait wait = gm_load_store_fence(
            &machine->load_store[i], 0, (uint32_t)machine->config->sm.warps - 1, machine->now);
        if (wait.until > machine->now) {
            gm_wake(&machine->sm_wake[i], wait.until);
            visible = false;
        }
    }
    return visible;
}

gm_cycle gm_cycle_machine_visible_from(gm_cycle_machine *machine)
{
    gm_cycle until = machine->now;
    for (uint32_t i = 0; has_leases(machine) && i < machine->sms; i++) {
        gm_coherence_wait wait = gm_load_store_fence(
            &machine->load_store[i], 0, (uint32_t)machine->config->sm.warps - 1, machine->now);
        until = wait.until > until ? wait.until : until;
    }
    return until;
}

bool gm_cycle_machine_waits_for_time(const gm_cycle_machine *machine)
{
    bool waits = false;
    for (uint32_t i = 0; has_leases(machine) && i < machine->sms; i++) {
        waits |= gm_cycle_sm_waits_for_time(&machine->sm[i]);
    }
    for (uint32_t i = 0; has_leases(machine) && i < machine->banks; i++) {
        waits |= gm_l2_bank_waits_for_time(&machine->bank[i], machine->now);
    }
    return waits;
}

bool gm_cycle_machine_answered(const gm_cycle_machine *machine)
{
    bool idle = gm_network_idle(&machine->requests) && gm_network_idle(&machine->replies) &&
                gm_network_idle(&machine->peers) && gm_network_idle(&machine->acknowledgements);
    for (uint32_t i = 0; idle && i < machine->trackers; i++) {
        idle = gm_tracker_bank_idle(&machine->tracker[i]);
    }
    for (uint32_t i = 0; idle && i < machine->sms; i++) {
        idle = gm_load_store_idle(&machine->load_store[i]);
    }
    return idle;
}

bool gm_cycle_machine_idle(const gm_cycle_machine *machine)
{
    bool idle = gm_cycle_machine_answered(machine);
    for (uint32_t i = 0; idle && i < machine->banks; i++) {
        idle = gm_l2_bank_idle(&machine->bank[i]);
    }
    for (uint32_t i = 0; idle && i < machine->partitions; i++) {
        idle = gm_gddr5_idle(&machine->channel[i]);
    }
    return idle;
}

void gm_cycle_machine_flush_trackers(gm_cycle_machine *machine)
{
    for (uint32_t i = 0; i < machine->trackers; i++) {
        gm_tracker_bank_flush(&machine->tracker[i]);
    }
}

void gm_cycle_machine_copy(gm_cycle_machine *machine, gm_message_kind kind, uint64_t l2_line,
                           uint32_t sectors)
{
    gm_location at = gm_address_map_locate(&machine->l2_shared.map, l2_line);
    uint32_t number = (at.partition << machine->l2_shared.map.bank_bits) + at.bank;
    gm_l2_bank_copy(&machine->bank[number], kind, l2_line, sectors, machine->now);
}

int gm_cycle_machine_failed(const gm_cycle_machine *machine, gm_error *error)
{
    for (uint32_t i = 0; i < machine->sms; i++) {
        if (gm_cycle_l1_lacks_masks(&machine->load_store[i].l1)) {
            return gm_fail(error, -ENOMEM, "out of memory: byte masks of stores");
        }
        if (gm_cache_failed(&machine->load_store[i].l1.cache) != 0) {
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

void gm_cycle_machine_end_kernel(gm_cycle_machine *machine)
{
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_l2_bank_end_kernel(&machine->bank[i]);
    }
}

void gm_cycle_machine_stream_hot(gm_cycle_machine *machine, bool hot, gm_cycle now)
{
    for (uint32_t i = 0; machine->config->l1.streaming && i < machine->sms; i++) {
        gm_streaming *streaming = machine->load_store[i].l1.streaming;
        gm_streaming_catch_up(streaming, now - 1);
        streaming->hot = hot;
    }
}

bool gm_cycle_machine_resizes(const gm_cycle_machine *machine, const gm_unified_statistics *unified)
{
    return unified->l1_ways != 0 && unified->l1_ways != machine->load_store[0].l1.cache.ways;
}

void gm_cycle_machine_divide(gm_cycle_machine *machine, const gm_unified_statistics *unified)
{
    machine->unified = *unified;
    if (unified->l1_ways == 0) {
        return;
    }
    gm_cycle_l1_share(&machine->l1_shared, unified->on_fill != 0);
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_l1_resize(&machine->load_store[i].l1, (uint32_t)unified->l1_ways);
    }
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

/* Returns the oldest request in the networks, L2 banks and channels. */
static aged oldest_beyond(const gm_cycle_machine *machine)
{
    aged oldest = {.since = GM_NEVER};
    aged other;
    for (uint32_t i = 0; i < machine->partitions; i++) {
        other.since = gm_gddr5_oldest(&machine->channel[i], other.text, TEXT);
        keep_older(&oldest, &other);
    }
    for (uint32_t i = 0; i < machine->trackers; i++) {
        other.since = gm_tracker_bank_oldest(&machine->tracker[i], other.text, TEXT);
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
    if (machine->apart) {
        other.since = gm_network_oldest(&machine->acknowledgements, other.text, TEXT);
        keep_older(&oldest, &other);
    }
    if (machine->trackers != 0) {
        other.since = gm_network_oldest(&machine->peers, other.text, TEXT);
        keep_older(&oldest, &other);
    }
    return oldest;
}

/* Returns the oldest memory instruction of the SMs, or the oldest warp if there is none. */
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
    GM_SNAPSHOT_VALUE(snapshot, machine->time);
    if (machine->timer.due != GM_NEVER) {
        GM_SNAPSHOT_VALUE(snapshot, machine->timer.due);
    }
    gm_cycle_machine_settle_begins(machine);
    GM_SNAPSHOT_VALUE(snapshot, machine->dueling.end);
    GM_SNAPSHOT_VALUE(snapshot, machine->dueling.statistics);
    gm_sm_dueling_snapshot(&machine->dueling.block, snapshot);
    if (machine->config->sm.throttle == GM_THROTTLE_SAMPLING) {
        gm_sampling_snapshot(&machine->sampling, snapshot);
    }
    GM_SNAPSHOT_ARRAY(snapshot, machine->wake, machine->wakes);
    for (uint32_t i = 0; i < machine->partitions; i++) {
        gm_gddr5_snapshot(&machine->channel[i], snapshot);
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_l2_bank_snapshot(&machine->bank[i], snapshot);
    }
    gm_network_snapshot(&machine->replies, snapshot);
    gm_network_snapshot(&machine->requests, snapshot);
    if (machine->apart) {
        gm_network_snapshot(&machine->acknowledgements, snapshot);
    }
    if (machine->trackers != 0) {
        gm_network_snapshot(&machine->peers, snapshot);
        for (uint32_t i = 0; i < machine->trackers; i++) {
            gm_tracker_bank_snapshot(&machine->tracker[i], snapshot);
        }
    }
    if (machine->pc_flight != NULL) {
        gm_line_table_snapshot(&machine->pcs.counts, snapshot);
    }
    if (machine->latencies != NULL) {
        GM_SNAPSHOT_VALUE(snapshot, *machine->latencies);
    }
    for (uint32_t i = 0; i < machine->sms; i++) {
        if (machine->latencies != NULL) {
            gm_latency_snapshot(&machine->latency[i], snapshot);
        }
        if (machine->pc_flight != NULL) {
            gm_pc_flight_snapshot(&machine->pc_flight[i], snapshot);
        }
        gm_load_store_snapshot(&machine->load_store[i], snapshot);
        gm_cycle_sm_snapshot(&machine->sm[i], snapshot);
    }
}
