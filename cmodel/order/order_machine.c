/* The machine of the order engine: construction, and sums of statistics. */
#include "order/order_machine.h"

#include "cache/cache_contents.h"
#include "cache/cache_sharing.h"
#include "cache/l2_bytes.h"
#include "cache/streaming.h"
#include "frontend/shared_memory.h"
#include "goldmem/bits.h"
#include "order/order_l1_decoupled.h"
#include "policy/contention.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int check_limits(const gm_config *config, gm_error *error)
{
    if (!gm_is_power_of_two(config->sm.shared_banks) || config->sm.shared_banks > GM_SHARED_BANKS) {
        return gm_fail(error, -EINVAL, "sm.shared_banks=%llu: must be a power of two, 1 to %d",
                       (unsigned long long)config->sm.shared_banks, GM_SHARED_BANKS);
    }
    int code = gm_config_check(config, error);
    if (code == 0 && config->sm.throttle != GM_THROTTLE_NONE) {
        return gm_fail(error, -EINVAL, "sm.throttle: needs the cycle engine");
    }
    return code == 0 && config->coherence.protocol != GM_COHERENCE_NONE
               ? gm_fail(error, -EINVAL, "coherence.protocol: needs the cycle engine")
               : code;
}

/* Parameters of the tags and states of one L1, of either kind. */
typedef struct l1_storage {
    bool decoupled;
    gm_cache_parameters cache;
    gm_tag_store_parameters tags;
} l1_storage;

static size_t l1_bytes(const l1_storage *storage)
{
    size_t gate = storage->cache.tags_only ? gm_streaming_bytes(&storage->cache) : 0;
    return storage->decoupled ? gm_decoupled_l1_bytes(&storage->tags)
                              : gm_cache_bytes(&storage->cache) + gate;
}

static int make_l1(gm_order_l1 *l1, const l1_storage *storage, gm_arena *arena, gm_error *error)
{
    if (!storage->decoupled) {
        return gm_cache_init(&l1->cache, &storage->cache, arena, error);
    }
    l1->decoupled = gm_arena_take(arena, 1, sizeof *l1->decoupled);
    return l1->decoupled == NULL
               ? gm_fail(error, -ENOMEM, "out of memory: an L1")
               : gm_decoupled_l1_init(l1->decoupled, &storage->tags, arena, error);
}

/* Makes the gate of an L1 that has been made, with l1.streaming. Returns 0 or -ENOMEM. */
static int make_gate(gm_order_l1 *l1, const gm_config *config, gm_arena *arena, gm_error *error)
{
    if (!config->l1.streaming) {
        return 0;
    }
    const gm_stream_gate_parameters gate = gm_streaming_l1_parameters(config);
    l1->streaming = gm_streaming_make(config, &gate, &l1->cache, arena);
    return l1->streaming != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory: an L1");
}

static int make_sms(gm_order_machine *machine, const gm_config *config, gm_error *error)
{
    l1_storage l1 = {.decoupled = config->l1.kind == GM_L1_DECOUPLED};
    gm_cache_request request = gm_cache_request_of_l1(config);
    int code = gm_cache_describe(&l1.cache, &machine->l1_index, &request, error);
    if (code < 0) {
        return code;
    }
    code = gm_bypass_shared_init(&machine->bypass, config, l1.cache.sets, l1.cache.ways, error);
    if (code < 0) {
        return code;
    }
    l1.cache.tags_only = config->l1.streaming;
    l1.tags = gm_decoupled_l1_parameters(config, &machine->l1_index);
    size_t bytes = gm_cta_scheduler_bytes(config) + gm_coalescer_bytes(config->l1.line) + 256 +
                   machine->sms * (sizeof(gm_order_sm) + gm_order_sm_bytes(config) + l1_bytes(&l1) +
                                   gm_bypass_bytes(&machine->bypass));
    code = gm_arena_create(&machine->arena, bytes, error);
    if (code < 0) {
        return code;
    }
    gm_arena *arena = &machine->arena;
    machine->sm = gm_arena_take(arena, machine->sms, sizeof *machine->sm);
    code = gm_cta_scheduler_init(&machine->scheduler, config, arena, error);
    code = code < 0 ? code
                    : gm_coalescer_init(&machine->shared.coalescer, config->l1.line,
                                        config->sm.coalesce == GM_COALESCE_SECTOR, arena, error);
    machine->shared.coalescer.atomic_passes = config->sm.atomic_passes;
    machine->shared.coalescer.descending = config->sm.descending;
    machine->shared.coalescer.narrow =
        config->sm.coalesce_narrow && config->sm.coalesce == GM_COALESCE_LINE;
    machine->shared.coalescer.bypassed_sectors = gm_config_bypassed_sectors(config);
    machine->shared.coalescer.keeps |= gm_config_sends_bytes(config) ? GM_KEEPS_BYTES : 0;
    gm_l1_policy_init(&machine->l1_policy, config);
    for (uint32_t i = 0; code == 0 && i < machine->sms; i++) {
        gm_order_sm *sm = &machine->sm[i];
        code = gm_order_sm_init(sm, config, i, arena, error);
        code = code < 0 ? code : make_l1(&sm->l1, &l1, arena, error);
        code = code < 0 ? code : make_gate(&sm->l1, config, arena, error);
        code = code < 0 ? code : gm_bypass_init(&sm->l1.bypass, &machine->bypass, i, arena, error);
        sm->port = (gm_order_noc_port){.noc = &machine->noc, .sm = i};
        sm->l1.policy = &machine->l1_policy;
        sm->l1.port = &sm->port;
        gm_order_l1_settle(&sm->l1);
    }
    return code;
}

static int make_dueling(gm_order_machine *machine, const gm_config *config, gm_error *error)
{
    for (uint32_t i = 0; config->l1.dueling && i < machine->sms; i++) {
        gm_decoupled_l1_join(machine->sm[i].l1.decoupled, &machine->dueling, i);
    }
    return config->l1.dueling ? gm_dueling_init(&machine->dueling, config, error) : 0;
}

static int make_trackers(gm_order_machine *machine, const gm_config *config, gm_error *error)
{
    if (!config->tracker.enabled) {
        return 0;
    }
    for (uint32_t i = 0; i < machine->sms; i++) {
        machine->sm[i].l1.trackers = &machine->trackers;
    }
    return gm_trackers_init(&machine->trackers, config, machine->sm, error);
}

static int make_noc(gm_order_machine *machine, const gm_config *config, bool threaded,
                    gm_error *error)
{
    gm_batch *batch = NULL;
    if (threaded) {
        int code = gm_batch_queue_start(&machine->queue, &machine->memory, &batch, error);
        if (code < 0) {
            return code;
        }
    } else {
        batch = machine->own_batch = malloc(sizeof *batch);
        if (batch == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: a batch of messages");
        }
    }
    gm_order_noc_init(&machine->noc, config, batch, &machine->memory, machine->queue);
    return 0;
}

int gm_order_machine_init(gm_order_machine *machine, const gm_config *config, bool threaded,
                          gm_error *error)
{
    *machine = (gm_order_machine){.config = config};
    int code = check_limits(config, error);
    if (code < 0) {
        return code;
    }
    machine->sms = (uint32_t)config->gpu.sms;
    code = make_sms(machine, config, error);
    code = code < 0 ? code : make_dueling(machine, config, error);
    code = code < 0 ? code : make_trackers(machine, config, error);
    code = code < 0 ? code : gm_memory_side_init(&machine->memory, config, error);
    code = code < 0 ? code : make_noc(machine, config, threaded && !config->sharing.enabled, error);
    if (code == 0 && config->sharing.enabled) {
        gm_order_noc_post_singly(&machine->noc);
    }
    machine->shared.memory = &machine->memory;
    machine->shared.noc = &machine->noc;
    machine->shared.context.warp_slots = (uint32_t)(config->gpu.sms * config->sm.warps);
    if (code < 0) {
        gm_order_machine_free(machine);
    }
    return code;
}

int gm_order_machine_keep_values(gm_order_machine *machine, const uint64_t *now,
                                 const gm_value_observer *observer, gm_error *error)
{
    int code = gm_values_create(&machine->values, machine->config, "turn", now, observer, error);
    if (code < 0) {
        return code;
    }
    gm_order_noc_post_singly(&machine->noc);
    gm_memory_side_keep_values(&machine->memory, machine->values);
    machine->shared.values = machine->values;
    machine->shared.coalescer.keeps |= GM_KEEPS_WORDS;
    for (uint32_t i = 0; i < machine->sms; i++) {
        machine->sm[i].l1.values = machine->values;
        gm_order_l1_settle(&machine->sm[i].l1);
    }
    return 0;
}

static uint32_t held_by(void *context, uint32_t sm, uint64_t line)
{
    const gm_order_machine *machine = context;
    return gm_order_l1_held(&machine->sm[sm].l1, line);
}

int gm_order_machine_end_values(gm_order_machine *machine, gm_error *error)
{
    if (machine->values == NULL) {
        return 0;
    }
    gm_values_end_kernel(machine->values, held_by, machine);
    return gm_values_check(machine->values, error);
}

void gm_order_machine_free(gm_order_machine *machine)
{
    gm_values_free(machine->values);
    machine->values = NULL;
    if (machine->queue != NULL) {
        gm_batch_queue_stop(machine->queue);
        machine->queue = NULL;
    }
    free(machine->own_batch);
    machine->own_batch = NULL;
    for (uint32_t i = 0; machine->sm != NULL && i < machine->sms; i++) {
        gm_cache_free(&machine->sm[i].l1.cache);
    }
    machine->sm = NULL;
    gm_trackers_free(&machine->trackers);
    gm_memory_side_free(&machine->memory);
    gm_bypass_shared_free(&machine->bypass);
    gm_arena_free(&machine->arena);
}

void gm_order_machine_write_profile(gm_order_machine *machine, gm_profile_writer *into)
{
    machine->bypass.into = into;
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_order_l1_settle(&machine->sm[i].l1);
    }
}

void gm_order_machine_observe(gm_order_machine *machine, const gm_run_options *options)
{
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_order_l1 *l1 = &machine->sm[i].l1;
        if (l1->decoupled == NULL) {
            gm_cache_observe(&l1->cache, &machine->l1_index, options->l1_set_index);
            l1->cache.rrpvs.observer = gm_observer_of(options->l1_replacement, i);
            gm_cache_sharing_observe(&l1->cache, options->l1_sharing_lru, i);
        } else {
            l1->decoupled->index_observer = options->l1_set_index;
            l1->decoupled->tags.observer = gm_observer_of(options->l1_tag_store, i);
        }
        gm_contention_observe(&l1->bypass, gm_observer_of(options->contention_bypass, i));
        if (l1->streaming != NULL) {
            l1->streaming->block.observer = gm_observer_of(options->l1_stream_gate, i);
        }
    }
    machine->dueling.block.observer = options->sm_dueling;
    gm_trackers_observe(&machine->trackers, options);
    for (uint32_t i = 0; i < machine->memory.banks; i++) {
        gm_cache *cache = &machine->memory.bank[i].cache;
        gm_cache_observe(cache, &machine->memory.index, options->l2_set_index);
        cache->rrpvs.observer = gm_observer_of(options->l2_replacement, i);
        gm_cache_sharing_observe(cache, options->l2_sharing_lru, i);
        gm_streaming *streaming = machine->memory.bank[i].streaming;
        if (streaming != NULL) {
            streaming->block.observer = gm_observer_of(options->l2_stream_gate, i);
        }
        gm_atomic_unit *atomics = machine->memory.bank[i].atomics;
        if (atomics != NULL) {
            atomics->block.observer = gm_observer_of(options->atomic_buffer, i);
        }
    }
}

void gm_order_machine_sm_statistics(const gm_order_sm *sm, gm_statistics *statistics)
{
    uint64_t header = sm->port.noc->header;
    *statistics = (gm_statistics){.core = sm->core,
                                  .l1d = sm->l1.statistics,
                                  .traffic = gm_traffic_of(&sm->port.sent, header),
                                  .tracker = sm->l1.tracker};
    gm_trackers_add_traffic(&statistics->tracker, header, &statistics->traffic);
    if (sm->l1.cache.sharing != NULL) {
        statistics->sharing = sm->l1.cache.sharing->statistics;
    }
    if (sm->l1.streaming != NULL) {
        statistics->l1_streaming = sm->l1.streaming->statistics;
    }
}

void gm_order_machine_bank_statistics(const gm_l2 *bank, gm_statistics *statistics)
{
    *statistics = (gm_statistics){.l2 = bank->statistics,
                                  .l2_dirty_sectors = bank->dirty_sectors,
                                  .l2_coalesced = bank->coalesced,
                                  .l2_bypassed = bank->bypassed,
                                  .l2_victim = bank->victim};
    if (bank->bytes != NULL) {
        statistics->l2_bytes = bank->bytes->statistics;
    }
    if (bank->streaming != NULL) {
        statistics->l2_streaming = bank->streaming->statistics;
    }
    if (bank->cache.sharing != NULL) {
        statistics->sharing = bank->cache.sharing->statistics;
    }
    if (bank->atomics != NULL) {
        statistics->atomic_buffer = bank->atomics->statistics;
    }
}

void gm_order_machine_sum(const gm_order_machine *machine, gm_statistics *sum)
{
    gm_statistics part;
    *sum = (gm_statistics){0};
    for (uint32_t i = 0; i < machine->sms; i++) {
        gm_order_machine_sm_statistics(&machine->sm[i], &part);
        gm_statistics_add(sum, &part);
    }
    for (uint32_t i = 0; i < machine->memory.banks; i++) {
        gm_order_machine_bank_statistics(&machine->memory.bank[i], &part);
        gm_statistics_add(sum, &part);
    }
    for (uint32_t i = 0; i < machine->memory.partitions; i++) {
        part = (gm_statistics){.dram = machine->memory.channel[i].statistics};
        gm_statistics_add(sum, &part);
    }
    sum->dueling = machine->dueling.statistics;
    sum->unified = machine->unified;
    sum->l2_dirty_sectors = 0;
    for (uint32_t i = 0; i < machine->memory.banks; i++) {
        sum->l2_dirty_sectors += machine->memory.bank[i].dirty_sectors;
    }
}

int gm_order_machine_failed(const gm_order_machine *machine, gm_error *error)
{
    for (uint32_t i = 0; i < machine->sms; i++) {
        if (gm_cache_failed(&machine->sm[i].l1.cache) != 0) {
            return gm_fail(error, -ENOMEM, "out of memory: the lines of an unbounded L1");
        }
    }
    return gm_memory_side_failed(&machine->memory, error);
}

void gm_order_machine_read_sets(gm_order_machine *machine, gm_set_contents *contents)
{
    for (uint32_t i = 0; contents != NULL && i < machine->memory.banks; i++) {
        gm_set_contents_read(contents, i, &machine->memory.bank[i].cache);
    }
}
