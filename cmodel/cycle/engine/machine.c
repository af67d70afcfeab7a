/* Machine of the cycle engine: its units and their connections, one cycle of all units, and sums
 * over their counters. */
#include "cycle/engine/machine.h"

#include "base/bitset.h"
#include "base/template.h"
#include "cache/cache_snapshot.h"
#include "cache/l2_bytes.h"
#include "cache/streaming.h"
#include "cycle/l2/l2_bank.h"
#include "goldmem/bits.h"
#include "policy/contention.h"

#include <errno.h>
#include <string.h>

enum {
    NETWORKS = 3,
    GROUP = GM_CYCLE_WAKE_GROUP,
    SLACK = 4096, /* bytes of arena for alignment */
};

/* Returns the bytes of the tracker banks, the wires to them and the network of peers. */
static size_t bytes_of_trackers(const gm_cycle_machine *machine)
{
    if (machine->trackers == 0) {
        return 0;
    }
    gm_network_parameters peers = gm_network_parameters_of(machine->config, GM_NETWORK_PEERS);
    uint32_t credits = gm_ring_places(gm_tracker_wire_credits(&machine->tracker_shared));
    size_t each = sizeof(gm_tracker_bank) + gm_tracker_bank_bytes(&machine->tracker_shared) +
                  sizeof(gm_credit_wire) + credits * sizeof(gm_credit);
    return SLACK + machine->trackers * (each + SLACK) + gm_network_bytes(&peers);
}

static size_t bytes_needed(const gm_cycle_machine *machine, const gm_network_parameters *requests,
                           const gm_network_parameters *replies)
{
    const gm_config *config = machine->config;
    size_t of_sm = sizeof(gm_load_store) + sizeof(gm_cycle_sm) +
                   gm_load_store_bytes(&machine->l1_shared, config) + gm_cycle_sm_bytes(config);
    size_t of_bank =
        sizeof(gm_l2_bank) + sizeof(gm_cycle *) + gm_l2_bank_bytes(&machine->l2_shared);
    size_t of_channel = sizeof(gm_gddr5) + gm_gddr5_bytes(config);
    return SLACK + machine->wakes * sizeof(gm_cycle) + machine->sms / 8 + machine->sms * of_sm +
           machine->banks * of_bank + machine->partitions * of_channel +
           gm_network_bytes(requests) + gm_network_bytes(replies) + bytes_of_trackers(machine) +
           gm_cycle_sm_shared_bytes(config);
}

/* Returns the places of the wake-up times of `count` units: whole groups. */
static uint32_t wakes_of(uint32_t count)
{
    return (count + GM_CYCLE_WAKE_GROUP - 1) / GM_CYCLE_WAKE_GROUP * GM_CYCLE_WAKE_GROUP;
}

/* Returns the ports of the network of peers. */
static uint32_t ports_of(const gm_cycle_machine *machine)
{
    return machine->trackers != 0 ? machine->sms : 0;
}

/* Makes the wake-up times, in the order of visits. */
static void make_wakes(gm_cycle_machine *machine)
{
    gm_arena *arena = &machine->arena;
    machine->wake = gm_arena_take(arena, machine->wakes, sizeof *machine->wake);
    machine->bank_wakes = gm_arena_take(arena, machine->banks, sizeof *machine->bank_wakes);
    machine->channel_wake = machine->wake;
    machine->tracker_wake = machine->channel_wake + wakes_of(machine->partitions);
    machine->bank_wake = machine->tracker_wake + wakes_of(machine->trackers);
    machine->replies_wake = machine->bank_wake + wakes_of(machine->banks);
    machine->requests_wake = machine->replies_wake + 1;
    machine->peers_wake = machine->replies_wake + 2;
    machine->port_wake = machine->replies_wake + wakes_of(NETWORKS);
    machine->sm_wake = machine->port_wake + wakes_of(ports_of(machine));
    for (uint32_t i = 0; i < machine->wakes; i++) {
        machine->wake[i] = GM_CYCLE_ASLEEP;
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        machine->bank_wakes[i] = &machine->bank_wake[i];
    }
}

static int make_memory(gm_cycle_machine *machine, gm_error *error)
{
    gm_arena *arena = &machine->arena;
    uint32_t banks = machine->banks / machine->partitions;
    int code = 0;
    machine->channel = gm_arena_take(arena, machine->partitions, sizeof *machine->channel);
    machine->bank = gm_arena_take(arena, machine->banks, sizeof *machine->bank);
    for (uint32_t i = 0; i < machine->partitions && code == 0; i++) {
        gm_gddr5 *channel = &machine->channel[i];
        code = gm_gddr5_init(channel, machine->config, arena, error);
        channel->wake = &machine->channel_wake[i];
        channel->bank_wake = &machine->bank_wakes[(size_t)i * banks];
    }
    for (uint32_t i = 0; i < machine->banks && code == 0; i++) {
        gm_l2_bank *bank = &machine->bank[i];
        code = gm_l2_bank_init(bank, &machine->l2_shared, i, arena, error);
        gm_l2_bank_connect(bank, &machine->requests, &machine->replies,
                           &machine->channel[i / banks], &machine->bank_wake[i]);
    }
    return code;
}

static int make_networks(gm_cycle_machine *machine, const gm_network_parameters *requests,
                         const gm_network_parameters *replies, gm_error *error)
{
    int code = gm_network_init(&machine->requests, requests, &machine->arena, error);
    code = code < 0 ? code : gm_network_init(&machine->replies, replies, &machine->arena, error);
    gm_network_connect(&machine->requests, machine->sm_wake,
                       machine->trackers != 0 ? machine->tracker_wake : machine->bank_wake,
                       machine->requests_wake);
    gm_network_connect(&machine->replies, machine->bank_wake, machine->sm_wake,
                       machine->replies_wake);
    return code;
}

/* Makes a tracker bank in front of an L2 bank, and the wire to it. */
static int make_tracker(gm_cycle_machine *machine, uint32_t number, gm_error *error)
{
    gm_tracker_bank *tracker = &machine->tracker[number];
    gm_credit_wire *wire = &machine->credits[number];
    uint32_t most = gm_tracker_wire_credits(&machine->tracker_shared);
    wire->latency = gm_tracker_wire_latency(machine->config);
    wire->ring = gm_ring_make(most);
    wire->credit = gm_arena_take(&machine->arena, gm_ring_places(most), sizeof *wire->credit);
    if (wire->credit == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: tracker bank %u", number);
    }
    int code =
        gm_tracker_bank_init(tracker, &machine->tracker_shared, number, &machine->arena, error);
    gm_tracker_bank_connect(tracker, &machine->requests, &machine->replies,
                            &machine->bank[number].out, wire, &machine->bank_wake[number],
                            &machine->tracker_wake[number]);
    gm_l2_bank_connect_tracker(&machine->bank[number], &tracker->outlet);
    return code;
}

static int make_trackers(gm_cycle_machine *machine, gm_error *error)
{
    gm_arena *arena = &machine->arena;
    if (machine->trackers == 0) {
        return 0;
    }
    gm_network_parameters peers = gm_network_parameters_of(machine->config, GM_NETWORK_PEERS);
    int code = gm_network_init(&machine->peers, &peers, arena, error);
    gm_network_connect(&machine->peers, machine->port_wake, machine->port_wake,
                       machine->peers_wake);
    machine->tracker = gm_arena_take(arena, machine->trackers, sizeof *machine->tracker);
    machine->credits = gm_arena_take(arena, machine->trackers, sizeof *machine->credits);
    if (machine->tracker == NULL || machine->credits == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: tracker banks");
    }
    for (uint32_t i = 0; i < machine->trackers && code == 0; i++) {
        code = make_tracker(machine, i, error);
    }
    machine->l1_shared.peers = &machine->peers;
    machine->l1_shared.credits = machine->credits;
    machine->l1_shared.port_wake = machine->port_wake;
    return code;
}

static int make_sms(gm_cycle_machine *machine, gm_error *error)
{
    gm_arena *arena = &machine->arena;
    machine->load_store = gm_arena_take(arena, machine->sms, sizeof *machine->load_store);
    machine->sm = gm_arena_take(arena, machine->sms, sizeof *machine->sm);
    machine->ended = gm_arena_take(arena, gm_bitset_words(machine->sms), sizeof *machine->ended);
    int code = gm_cycle_sm_shared_init(&machine->shared, machine->config, arena, error);
    for (uint32_t i = 0; i < machine->sms && code == 0; i++) {
        gm_load_store *unit = &machine->load_store[i];
        gm_cycle_sm *sm = &machine->sm[i];
        code = gm_load_store_init(unit, &machine->l1_shared, machine->config, i, arena, error);
        code = code < 0
                   ? code
                   : gm_cycle_sm_init(sm, machine->config, i, unit, &machine->shared, arena, error);
        unit->wake = &machine->sm_wake[i];
        sm->wake = &machine->sm_wake[i];
    }
    return code;
}

static int make_dueling(gm_cycle_machine *machine, gm_error *error)
{
    bool duels = machine->config->l1.dueling;
    for (uint32_t i = 0; duels && i < machine->sms; i++) {
        gm_decoupled_l1_join(machine->load_store[i].l1.decoupled, &machine->dueling, i);
    }
    return duels ? gm_dueling_init(&machine->dueling, machine->config, error) : 0;
}

/* Drops the copies that all SMs but `sm` have of a line. */
static void drop_copies(void *context, uint32_t sm, uint64_t line)
{
    gm_cycle_machine *machine = context;
    for (uint32_t i = 0; i < machine->sms; i++) {
        if (i != sm) {
            gm_cycle_l1_drop_copy(&machine->load_store[i].l1, line);
        }
    }
}

static void connect_copies(gm_cycle_machine *machine)
{
    for (uint32_t i = 0; machine->l2_shared.coherence != NULL && i < machine->banks; i++) {
        machine->bank[i].coherent->drop_copies = drop_copies;
        machine->bank[i].coherent->context = machine;
    }
}

/* Sets machine->begins. */
static void settle_begins(gm_cycle_machine *machine)
{
    machine->begins =
        machine->timer.due < machine->time.end ? machine->timer.due : machine->time.end;
}

void gm_cycle_machine_set_timer(gm_cycle_machine *machine, uint64_t period,
                                void (*act)(gm_cycle_machine *machine, gm_cycle now))
{
    machine->timer = (gm_cycle_timer){.period = period, .due = period, .act = act};
    settle_begins(machine);
}

int gm_cycle_machine_init(gm_cycle_machine *machine, const gm_config *config, gm_error *error)
{
    *machine = (gm_cycle_machine){.config = config, .timer.due = GM_NEVER};
    int code = gm_config_check(config, error);
    if (code < 0) {
        return code;
    }
    if (config->l2.atomic_buffer) {
        return gm_fail(error, -EINVAL, "l2.atomic_buffer=yes: needs the order engine");
    }
    code = gm_tracker_shared_init(&machine->tracker_shared, config, error);
    if (code < 0) {
        return code;
    }
    machine->sms = (uint32_t)config->gpu.sms;
    machine->partitions = (uint32_t)config->memory.partitions;
    machine->banks = (uint32_t)(config->memory.partitions * config->memory.banks);
    machine->trackers = config->tracker.enabled ? machine->banks : 0;
    machine->wakes = wakes_of(machine->partitions) + wakes_of(machine->trackers) +
                     wakes_of(machine->banks) + wakes_of(NETWORKS) + wakes_of(ports_of(machine)) +
                     wakes_of(machine->sms);
    gm_network_parameters requests = gm_network_parameters_of(config, GM_NETWORK_REQUESTS);
    gm_network_parameters replies = gm_network_parameters_of(config, GM_NETWORK_REPLIES);
    code = gm_cycle_l1_shared_init(&machine->l1_shared, config, &machine->requests,
                                   &machine->replies, error);
    code = code < 0 ? code : gm_l2_shared_init(&machine->l2_shared, config, error);
    gm_coherence_time_init(&machine->time, config);
    machine->l1_shared.time = &machine->time;
    machine->l2_shared.time = &machine->time;
    settle_begins(machine);
    code = code < 0 ? code
                    : gm_arena_create(&machine->arena, bytes_needed(machine, &requests, &replies),
                                      error);
    if (code < 0) {
        return code;
    }
    make_wakes(machine);
    code = make_networks(machine, &requests, &replies, error);
    code = code < 0 ? code : make_memory(machine, error);
    code = code < 0 ? code : make_trackers(machine, error);
    code = code < 0 ? code : make_sms(machine, error);
    if (code == 0) {
        connect_copies(machine);
    }
    return code < 0 ? code : make_dueling(machine, error);
}

int gm_cycle_machine_keep_values(gm_cycle_machine *machine, const gm_value_observer *observer,
                                 gm_error *error)
{
    int code = gm_values_create(&machine->values, machine->config, "cycle", &machine->now, observer,
                                error);
    if (code < 0) {
        return code;
    }
    machine->shared.values = machine->values;
    machine->shared.coalescer.keeps |= GM_KEEPS_WORDS;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_l1_keep_values(&machine->load_store[i].l1, machine->values);
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_l2_bank_keep_values(&machine->bank[i], machine->values);
    }
    for (uint32_t i = 0; i < machine->trackers; i++) {
        machine->tracker[i].values = machine->values;
    }
    gm_values_time_trackers(machine->values);
    return 0;
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

void gm_cycle_machine_free(gm_cycle_machine *machine)
{
    gm_values_free(machine->values);
    for (uint32_t i = 0; machine->load_store != NULL && i < machine->sms; i++) {
        gm_load_store_free(&machine->load_store[i]);
    }
    for (uint32_t i = 0; machine->bank != NULL && i < machine->banks; i++) {
        gm_l2_bank_free(&machine->bank[i]);
    }
    gm_bypass_shared_free(&machine->l1_shared.bypass);
    gm_arena_free(&machine->arena);
}

void gm_cycle_machine_observe(gm_cycle_machine *machine, const gm_run_options *options)
{
    const gm_observer *l1_mshr = options->l1_mshr;
    const gm_observer *tags = options->l1_tag_store;
    const gm_observer *l2_mshr = options->l2_mshr;
    machine->dueling.block.observer = options->sm_dueling;
    machine->sampling.block.observer = options->cores_sampling;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_l1 *l1 = &machine->load_store[i].l1;
        if (l1->decoupled == NULL) {
            gm_cache_observe(&l1->cache, &machine->l1_shared.index, options->l1_set_index);
            l1->cache.rrpvs.observer =
                options->l1_replacement != NULL ? &options->l1_replacement[i] : NULL;
        } else {
            l1->decoupled->index_observer = options->l1_set_index;
            l1->decoupled->tags.observer = tags != NULL ? &tags[i] : NULL;
        }
        gm_contention_observe(&l1->bypass, options->contention_bypass != NULL
                                               ? &options->contention_bypass[i]
                                               : NULL);
        if (l1->streaming != NULL) {
            l1->streaming->block.observer =
                options->l1_stream_gate != NULL ? &options->l1_stream_gate[i] : NULL;
        }
        l1->mshr.observer = l1_mshr != NULL ? &l1_mshr[i] : NULL;
        if (options->warp_limiter != NULL && machine->sm[i].throttle != NULL) {
            gm_cycle_throttle_observe(&machine->sm[i],
                                      &options->warp_limiter[i * machine->sm[i].schedulers]);
        }
        if (l1->ccws != NULL) {
            l1->ccws->tags.observer =
                options->victim_tags != NULL ? &options->victim_tags[i] : NULL;
            l1->ccws->scores.observer =
                options->locality_score != NULL ? &options->locality_score[i] : NULL;
        }
        if (l1->coherent != NULL) {
            gm_coherence_l1 *protocol = &l1->coherent->protocol;
            protocol->ops->l1_observe(protocol, options, i);
        }
    }
    for (uint32_t i = 0; i < machine->trackers; i++) {
        gm_tracker_bank_observe(&machine->tracker[i], options);
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_l2_bank *bank = &machine->bank[i];
        gm_cache_observe(&bank->l2.cache, &machine->l2_shared.index, options->l2_set_index);
        bank->l2.cache.rrpvs.observer =
            options->l2_replacement != NULL ? &options->l2_replacement[i] : NULL;
        if (bank->l2.streaming != NULL) {
            bank->l2.streaming->block.observer =
                options->l2_stream_gate != NULL ? &options->l2_stream_gate[i] : NULL;
        }
        bank->mshr.observer = l2_mshr != NULL ? &l2_mshr[i] : NULL;
        if (bank->coherent != NULL) {
            gm_coherence_l2 *protocol = &bank->coherent->protocol;
            protocol->ops->l2_observe(protocol, options, i);
        }
    }
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

GM_TEMPLATE int step_sms(gm_cycle_machine *machine, gm_cycle now, const bool skip, bool *ended,
                         gm_error *error)
{
    gm_cycle *wake = machine->sm_wake;
    for (uint32_t first = 0; first < machine->sms; first += GM_BITSET_WORD) {
        uint64_t due = visited(wake, machine->sms, first, now, skip);
        while (due != 0) {
            uint32_t i = first + gm_bitset_take_lowest(&due);
            gm_cycle_sm *sm = &machine->sm[i];
            take_wake(&wake[i], now, skip);
            int code = gm_cycle_sm_step(sm, now, error);
            if (code != 0) {
                return code;
            }
            if (sm->ended != NULL) {
                gm_bitset_add(machine->ended, i);
                *ended = true;
            }
        }
    }
    return 0;
}

GM_TEMPLATE int step_units(gm_cycle_machine *machine, gm_cycle now, const bool skip, bool *ended,
                           gm_error *error)
{
    step_channels(machine, now, skip);
    step_trackers(machine, now, skip);
    step_banks(machine, now, skip);
    step_network(&machine->replies, machine->replies_wake, now, skip);
    step_network(&machine->requests, machine->requests_wake, now, skip);
    if (machine->trackers != 0) {
        step_network(&machine->peers, machine->peers_wake, now, skip);
        step_ports(machine, now, skip);
    }
    return step_sms(machine, now, skip, ended, error);
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
    settle_begins(machine);
}

int gm_cycle_machine_step(gm_cycle_machine *machine, gm_cycle now, bool *ended, gm_error *error)
{
    machine->now = now;
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
    bool idle = gm_network_idle(&machine->requests) && gm_network_idle(&machine->replies) &&
                gm_network_idle(&machine->peers);
    for (uint32_t i = 0; idle && i < machine->trackers; i++) {
        idle = gm_tracker_bank_idle(&machine->tracker[i]);
    }
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
}

void gm_cycle_machine_stream_hot(gm_cycle_machine *machine, bool hot, gm_cycle now)
{
    for (uint32_t i = 0; machine->config->l1.streaming && i < machine->sms; i++) {
        gm_streaming *streaming = machine->load_store[i].l1.streaming;
        gm_streaming_catch_up(streaming, now - 1);
        streaming->hot = hot;
    }
}

void gm_cycle_machine_channel_statistics(gm_cycle_machine *machine, uint32_t channel,
                                         gm_statistics *statistics)
{
    gm_gddr5 *from = &machine->channel[channel];
    gm_gddr5_settle(from, machine->now + 1);
    *statistics = (gm_statistics){.dram = from->statistics, .time = from->time};
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
    gm_network_add(&machine->replies, &sum->time);
    sum->l2_dirty_sectors = dirty;
    sum->unified = machine->unified;
    sum->coherence.rollovers = machine->time.epoch;
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
    settle_begins(machine);
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
    if (machine->trackers != 0) {
        gm_network_snapshot(&machine->peers, snapshot);
        for (uint32_t i = 0; i < machine->trackers; i++) {
            gm_tracker_bank_snapshot(&machine->tracker[i], snapshot);
        }
    }
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_load_store_snapshot(&machine->load_store[i], snapshot);
        gm_cycle_sm_snapshot(&machine->sm[i], snapshot);
    }
}
