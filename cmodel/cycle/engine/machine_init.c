/* Machine of the cycle engine: makes its units, connects them, and attaches observers. */
#include "cycle/engine/machine.h"

#include "cache/cache_sharing.h"
#include "cache/streaming.h"
#include "cycle/l2/l2_bank.h"
#include "policy/contention.h"

#include <errno.h>
#include <stdlib.h>

enum {
    NETWORKS = 4,
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

/* Returns the places of machine->due; 0 for a machine whose state the host's caches hold. */
static uint32_t most_due(const gm_cycle_machine *machine)
{
    enum { SMALL = 64 }; /* SMs and L2 banks */
    uint32_t most = machine->sms > machine->banks ? machine->sms : machine->banks;
    return machine->sms + machine->banks > SMALL ? most : 0;
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
           gm_network_bytes(requests) * (machine->apart ? 2 : 1) + gm_network_bytes(replies) +
           bytes_of_trackers(machine) + gm_cycle_sm_shared_bytes(config) + SLACK +
           most_due(machine) * sizeof *machine->due;
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
    machine->acknowledgements_wake = machine->replies_wake + 3;
    machine->port_wake = machine->replies_wake + wakes_of(NETWORKS);
    machine->sm_wake = machine->port_wake + wakes_of(ports_of(machine));
    machine->judges = most_due(machine) == 0 ? GM_NEVER : 0;
    if (most_due(machine) != 0) {
        machine->due = gm_arena_take(arena, most_due(machine), sizeof *machine->due);
    }
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
    machine->l1_shared.acknowledgements = &machine->requests;
    if (machine->apart) { /* as wide as the requests' */
        gm_network *network = &machine->acknowledgements;
        code = code < 0 ? code : gm_network_init(network, requests, &machine->arena, error);
        gm_network_connect(network, machine->sm_wake, machine->bank_wake,
                           machine->acknowledgements_wake);
        machine->l1_shared.acknowledgements = network;
    }
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
        if (machine->directory) {
            gm_l2_directory_connect(&machine->bank[i], machine->apart ? &machine->acknowledgements
                                                                      : &machine->requests);
        }
    }
}

int gm_cycle_machine_init(gm_cycle_machine *machine, const gm_config *config, gm_error *error)
{
    *machine = (gm_cycle_machine){.config = config, .timer.due = GM_NEVER};
    int code = gm_config_check(config, error);
    if (code < 0) {
        return code;
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
    machine->directory =
        machine->l2_shared.coherence != NULL && machine->l2_shared.coherence->sharers != NULL;
    machine->apart = machine->directory && config->noc.networks == 0;
    gm_coherence_time_init(&machine->time, config);
    machine->l1_shared.time = &machine->time;
    machine->l2_shared.time = &machine->time;
    gm_cycle_machine_settle_begins(machine);
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

int gm_cycle_machine_keep_latencies(gm_cycle_machine *machine, gm_error *error)
{
    machine->latencies = calloc(1, sizeof *machine->latencies);
    machine->latency = calloc(machine->sms, sizeof *machine->latency);
    if (machine->latencies == NULL || machine->latency == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: latency histograms");
    }
    machine->l1_shared.notes_issue = true;
    machine->l2_shared.after_data = GM_RESPONSE_OF_DRAM;
    for (uint32_t i = 0; i < machine->sms; i++) {
        machine->latency[i].all = machine->latencies;
        gm_cycle_l1_keep_latency(&machine->load_store[i].l1, &machine->latency[i]);
    }
    return 0;
}

int gm_cycle_machine_keep_pcs(gm_cycle_machine *machine, gm_error *error)
{
    gm_line_table_init(&machine->pcs.counts, sizeof(gm_pc_counts));
    machine->pcs.recent = calloc(GM_PC_RECENT, sizeof *machine->pcs.recent);
    machine->pc_flight = calloc(machine->sms, sizeof *machine->pc_flight);
    if (machine->pc_flight == NULL || machine->pcs.recent == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: counts by instruction");
    }
    machine->shared.code = GM_TIMED_CODE;
    for (uint32_t i = 0; i < machine->sms; i++) {
        machine->pc_flight[i].table = &machine->pcs;
        gm_cycle_l1_keep_pcs(&machine->load_store[i].l1, &machine->pc_flight[i]);
        gm_cycle_sm_keep_code(&machine->sm[i]);
    }
    return 0;
}

void gm_cycle_machine_free(gm_cycle_machine *machine)
{
    gm_values_free(machine->values);
    free(machine->latencies);
    free(machine->latency);
    if (machine->pc_flight != NULL) {
        gm_line_table_free(&machine->pcs.counts);
        free(machine->pc_flight);
    }
    free(machine->pcs.recent);
    for (uint32_t i = 0; machine->load_store != NULL && i < machine->sms; i++) {
        gm_load_store_free(&machine->load_store[i]);
    }
    for (uint32_t i = 0; machine->bank != NULL && i < machine->banks; i++) {
        gm_l2_bank_free(&machine->bank[i]);
    }
    gm_bypass_shared_free(&machine->l1_shared.bypass);
    gm_arena_free(&machine->arena);
}

/* Sets the observers of the L1 of SM `number`, and of what decides on its requests. */
static void observe_l1(gm_cycle_machine *machine, const gm_run_options *options, uint32_t number)
{
    gm_cycle_l1 *l1 = &machine->load_store[number].l1;
    if (l1->decoupled == NULL) {
        gm_cache_observe(&l1->cache, &machine->l1_shared.index, options->l1_set_index);
        l1->cache.rrpvs.observer = gm_observer_of(options->l1_replacement, number);
        gm_cache_sharing_observe(&l1->cache, options->l1_sharing_lru, number);
    } else {
        l1->decoupled->index_observer = options->l1_set_index;
        l1->decoupled->tags.observer = gm_observer_of(options->l1_tag_store, number);
    }
    gm_contention_observe(&l1->bypass, gm_observer_of(options->contention_bypass, number));
    if (l1->streaming != NULL) {
        l1->streaming->block.observer = gm_observer_of(options->l1_stream_gate, number);
    }
    l1->mshr.observer = gm_observer_of(options->l1_mshr, number);
    if (l1->ccws != NULL) {
        l1->ccws->tags.observer = gm_observer_of(options->victim_tags, number);
        l1->ccws->scores.observer = gm_observer_of(options->locality_score, number);
    }
    if (l1->coherent != NULL) {
        gm_coherence_l1 *protocol = &l1->coherent->protocol;
        protocol->ops->l1_observe(protocol, options, number);
    }
}

/* Sets the observers of L2 bank `number` of all partitions. */
static void observe_bank(gm_cycle_machine *machine, const gm_run_options *options, uint32_t number)
{
    gm_l2_bank *bank = &machine->bank[number];
    gm_cache_observe(&bank->l2.cache, &machine->l2_shared.index, options->l2_set_index);
    bank->l2.cache.rrpvs.observer = gm_observer_of(options->l2_replacement, number);
    gm_cache_sharing_observe(&bank->l2.cache, options->l2_sharing_lru, number);
    if (bank->l2.streaming != NULL) {
        bank->l2.streaming->block.observer = gm_observer_of(options->l2_stream_gate, number);
    }
    if (bank->l2.atomics != NULL) {
        bank->l2.atomics->block.observer = gm_observer_of(options->atomic_buffer, number);
    }
    bank->mshr.observer = gm_observer_of(options->l2_mshr, number);
    if (bank->coherent != NULL) {
        gm_coherence_l2 *protocol = &bank->coherent->protocol;
        protocol->ops->l2_observe(protocol, options, number);
    }
}

void gm_cycle_machine_observe(gm_cycle_machine *machine, const gm_run_options *options)
{
    machine->dueling.block.observer = options->sm_dueling;
    machine->sampling.block.observer = options->cores_sampling;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_sm *sm = &machine->sm[i];
        observe_l1(machine, options, i);
        if (options->warp_limiter != NULL && sm->throttle != NULL) {
            gm_cycle_throttle_observe(sm, &options->warp_limiter[i * sm->schedulers]);
        }
    }
    for (uint32_t i = 0; i < machine->trackers; i++) {
        gm_tracker_bank_observe(&machine->tracker[i], options);
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        observe_bank(machine, options, i);
    }
}
