/* The machine of the cycle engine: making it. */
#include "cycle/engine/machine.h"

#include <errno.h>

enum { SLACK = 4096 }; /* bytes: alignment of what is taken below */

static size_t bytes_needed(const gm_cycle_machine *machine, const gm_network_parameters *requests,
                           const gm_network_parameters *replies)
{
    const gm_config *config = machine->config;
    size_t of_sm = sizeof(gm_load_store) + sizeof(gm_cycle_sm) +
                   gm_load_store_bytes(&machine->l1d_shared, config) + gm_cycle_sm_bytes(config);
    size_t of_bank =
        sizeof(gm_l2_bank) + sizeof(gm_cycle *) + gm_l2_bank_bytes(&machine->l2_shared);
    size_t of_channel = sizeof(gm_gddr5) + gm_gddr5_bytes(config);
    return SLACK + machine->wakes * sizeof(gm_cycle) + machine->sms / 8 + machine->sms * of_sm +
           machine->banks * of_bank + machine->partitions * of_channel +
           gm_network_bytes(requests) + gm_network_bytes(replies) +
           gm_cycle_sm_shared_bytes(config);
}

/* Wakes of `count` components. */
static uint32_t wakes_of(uint32_t count)
{
    return (count + GM_CYCLE_WAKE_GROUP - 1) / GM_CYCLE_WAKE_GROUP * GM_CYCLE_WAKE_GROUP;
}

/* The wakes, in the order of visits, and who lowers whose. */
static void make_wakes(gm_cycle_machine *machine)
{
    gm_arena *arena = &machine->arena;
    machine->wake = gm_arena_take(arena, machine->wakes, sizeof *machine->wake);
    machine->bank_wakes = gm_arena_take(arena, machine->banks, sizeof *machine->bank_wakes);
    machine->channel_wake = machine->wake;
    machine->bank_wake = machine->channel_wake + wakes_of(machine->partitions);
    machine->replies_wake = machine->bank_wake + wakes_of(machine->banks);
    machine->requests_wake = machine->replies_wake + 1;
    machine->sm_wake = machine->replies_wake + wakes_of(2);
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
    gm_network_connect(&machine->requests, machine->sm_wake, machine->bank_wake,
                       machine->requests_wake);
    gm_network_connect(&machine->replies, machine->bank_wake, machine->sm_wake,
                       machine->replies_wake);
    return code;
}

static int make_sms(gm_cycle_machine *machine, gm_error *error)
{
    gm_arena *arena = &machine->arena;
    machine->load_store = gm_arena_take(arena, machine->sms, sizeof *machine->load_store);
    machine->sm = gm_arena_take(arena, machine->sms, sizeof *machine->sm);
    machine->ended = gm_arena_take(arena, (machine->sms + 63) / 64, sizeof *machine->ended);
    int code = gm_cycle_sm_shared_init(&machine->shared, machine->config, arena, error);
    for (uint32_t i = 0; i < machine->sms && code == 0; i++) {
        gm_load_store *unit = &machine->load_store[i];
        gm_cycle_sm *sm = &machine->sm[i];
        code = gm_load_store_init(unit, &machine->l1d_shared, machine->config, i, arena, error);
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
        gm_decoupled_l1_join(machine->load_store[i].l1d.decoupled, &machine->dueling, i);
    }
    return duels ? gm_dueling_init(&machine->dueling, machine->config, error) : 0;
}

int gm_cycle_machine_init(gm_cycle_machine *machine, const gm_config *config, gm_error *error)
{
    *machine = (gm_cycle_machine){.config = config};
    int code = gm_config_check(config, error);
    if (code < 0) {
        return code;
    }
    if (config->tracker.enabled) {
        return gm_fail(error, -EINVAL, "tracker.enabled=yes: needs the order engine");
    }
    machine->sms = (uint32_t)config->gpu.sms;
    machine->partitions = (uint32_t)config->memory.partitions;
    machine->banks = (uint32_t)(config->memory.partitions * config->memory.banks);
    machine->wakes = wakes_of(machine->partitions) + wakes_of(machine->banks) + wakes_of(2) +
                     wakes_of(machine->sms);
    gm_network_parameters requests = gm_network_parameters_of(config, GM_NETWORK_REQUESTS);
    gm_network_parameters replies = gm_network_parameters_of(config, GM_NETWORK_REPLIES);
    code = gm_cycle_l1_shared_init(&machine->l1d_shared, config, &machine->requests,
                                   &machine->replies, error);
    code = code < 0 ? code : gm_l2_shared_init(&machine->l2_shared, config, error);
    code = code < 0 ? code
                    : gm_arena_create(&machine->arena, bytes_needed(machine, &requests, &replies),
                                      error);
    if (code < 0) {
        return code;
    }
    make_wakes(machine);
    code = make_networks(machine, &requests, &replies, error);
    code = code < 0 ? code : make_memory(machine, error);
    code = code < 0 ? code : make_sms(machine, error);
    return code < 0 ? code : make_dueling(machine, error);
}

void gm_cycle_machine_free(gm_cycle_machine *machine)
{
    for (uint32_t i = 0; machine->load_store != NULL && i < machine->sms; i++) {
        gm_load_store_free(&machine->load_store[i]);
    }
    for (uint32_t i = 0; machine->bank != NULL && i < machine->banks; i++) {
        gm_l2_bank_free(&machine->bank[i]);
    }
    gm_bypass_shared_free(&machine->l1d_shared.bypass);
    gm_arena_free(&machine->arena);
}

void gm_cycle_machine_observe(gm_cycle_machine *machine, const gm_run_options *options)
{
    const gm_observer *l1_mshr = options->l1_mshr;
    const gm_observer *tags = options->l1_tag_store;
    const gm_observer *l2_mshr = options->l2_mshr;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_cycle_l1 *l1d = &machine->load_store[i].l1d;
        if (l1d->decoupled == NULL) {
            gm_cache_observe(&l1d->cache, &machine->l1d_shared.index, options->l1_set_index);
        } else {
            l1d->decoupled->index_observer = options->l1_set_index;
            l1d->decoupled->tags.observer = tags != NULL ? &tags[i] : NULL;
        }
        l1d->mshr.observer = l1_mshr != NULL ? &l1_mshr[i] : NULL;
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_l2_bank *bank = &machine->bank[i];
        gm_cache_observe(&bank->l2.cache, &machine->l2_shared.index, options->l2_set_index);
        bank->mshr.observer = l2_mshr != NULL ? &l2_mshr[i] : NULL;
    }
}
