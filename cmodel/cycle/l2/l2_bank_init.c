/* Timed L2 bank: its parameters, storage and connections. */
#include "cycle/l2/l2_bank.h"

#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_coherent.h"
#include "cycle/noc/network.h"
#include "cycle/tracker/tracker_bank.h"

#include <errno.h>

enum { ALIGNMENT = 64, ARRAYS = 7, LEAST_DRAM_QUEUE = 3 };

/* Places that must be free to take a packet: in GPGPU-Sim a packet may be split into four, of one
 * sector each. */
enum { FREE_PLACES = 4 };

/* Returns the places for packets in the delay: one for each L2 cycle that begins during l2.latency,
 * at most MOST to bound the memory. Only an L2 clock faster than all senders reaches MOST. */
static uint32_t delay_places(const gm_config *config)
{
    enum { MOST = 1 << 14 };
    gm_clock clock = gm_clock_make(config->clock.core, config->clock.l2);
    uint64_t places =
        (config->l2.latency * clock.own.divisor + clock.core.divisor - 1) / clock.core.divisor;
    return places < MOST ? (uint32_t)places : MOST;
}

int gm_l2_shared_init(gm_l2_shared *shared, const gm_config *config, gm_error *error)
{
    *shared = (gm_l2_shared){
        .config = config,
        .coherence = gm_coherence_ops_of(config),
        .clock = gm_clock_make(config->clock.core, config->clock.l2),
        .latency = config->l2.latency,
        .after_data = GM_RESPONSE_OF_L2,
        .atomic_interval = config->l2.atomic_interval,
        .atomic_sectors = config->l2.atomic_sectors,
        .port = (uint32_t)config->l2.port,
        .queue = (uint32_t)config->l2.queue,
        .queued = config->l2.queue > FREE_PLACES ? (uint32_t)config->l2.queue - FREE_PLACES : 0,
        .delay = delay_places(config),
        .line_sectors =
            config->l2.merge_by == GM_MERGE_BY_SECTOR ? (uint32_t)(config->l2.line / GM_SECTOR) : 0,
        .reply_queue = (uint32_t)config->l2.reply_queue,
        .dram_queue = (uint32_t)config->l2.dram_queue,
        .mshr = {.entries = (unsigned)config->l2.mshrs,
                 .merges = (unsigned)config->l2.merges,
                 .line_bits = 64,
                 .requester_bits = 32},
    };
    int code = gm_address_map_init(&shared->map, config, error);
    if (code < 0) {
        return code;
    }
    gm_cache_request request = gm_cache_request_of_l2(config);
    code = gm_cache_describe(&shared->cache, &shared->index, &request, error);
    shared->cache.waits = true;
    shared->cache.tags_only = config->l2.streaming;
    return code;
}

static gm_ring dram_ring(const gm_l2_shared *shared)
{
    return gm_ring_make(shared->dram_queue < LEAST_DRAM_QUEUE ? LEAST_DRAM_QUEUE
                                                              : shared->dram_queue);
}

static size_t elements(gm_ring ring)
{
    return (size_t)ring.mask + 1;
}

/* Returns the ring of the queue and, behind its packets, the delay. */
static gm_ring in_ring(const gm_l2_shared *shared)
{
    return gm_ring_make(shared->queue + shared->delay);
}

/* Returns the ring of the requests whose data have arrived. */
static gm_ring filled_ring(const gm_l2_shared *shared)
{
    return gm_ring_make(shared->mshr.entries * shared->mshr.merges);
}

static size_t filled_bytes(const gm_l2_shared *shared)
{
    return shared->config->l2.answer_beside
               ? elements(filled_ring(shared)) * sizeof(uint32_t) + ALIGNMENT
               : 0;
}

static uint32_t items_of(const gm_l2_shared *shared)
{
    return shared->queue + shared->delay + shared->reply_queue + gm_l2_far_places(shared->config) +
           shared->mshr.entries * shared->mshr.merges +
           (shared->cache.sharing.enabled ? shared->dram_queue : 0);
}

size_t gm_l2_bank_bytes(const gm_l2_shared *shared)
{
    size_t coherent = shared->coherence != NULL ? gm_l2_coherent_bytes(shared) : 0;
    return coherent + gm_l2_bank_sharing_bytes(shared) + gm_l2_far_bytes(shared->config) +
           gm_cache_bytes(&shared->cache) + gm_l2_partial_bytes(shared->config, &shared->cache) +
           gm_l2_streaming_bytes(shared->config, &shared->cache) +
           gm_atomic_unit_bytes(shared->config) + gm_mshr_bytes(&shared->mshr) +
           gm_dram_bytes(shared->config) +
           elements(in_ring(shared)) * (sizeof(uint32_t) + sizeof(gm_cycle)) +
           elements(gm_ring_make(shared->reply_queue)) * sizeof(uint32_t) +
           elements(dram_ring(shared)) * sizeof(gm_dram_request) +
           shared->mshr.entries * sizeof(gm_l2_fill) + filled_bytes(shared) +
           items_of(shared) * (sizeof(gm_l2_item) + sizeof(uint32_t)) + (size_t)ARRAYS * ALIGNMENT;
}

static int take_arrays(gm_l2_bank *bank, gm_arena *arena, gm_error *error)
{
    const gm_l2_shared *shared = bank->shared;
    bank->in = in_ring(shared);
    bank->out = gm_ring_make(shared->reply_queue);
    bank->dram = dram_ring(shared);
    bank->items = items_of(shared);
    bank->in_item = gm_arena_take(arena, elements(bank->in), sizeof *bank->in_item);
    bank->in_arrived = gm_arena_take(arena, elements(bank->in), sizeof *bank->in_arrived);
    bank->out_item = gm_arena_take(arena, elements(bank->out), sizeof *bank->out_item);
    bank->dram_request = gm_arena_take(arena, elements(bank->dram), sizeof *bank->dram_request);
    bank->fill = gm_arena_take(arena, shared->mshr.entries, sizeof *bank->fill);
    bank->item = gm_arena_take(arena, bank->items, sizeof *bank->item);
    bank->vacant = gm_arena_take(arena, bank->items, sizeof *bank->vacant);
    if (bank->in_item == NULL || bank->in_arrived == NULL || bank->out_item == NULL ||
        bank->dram_request == NULL || bank->fill == NULL || bank->item == NULL ||
        bank->vacant == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the queues of L2 bank %u", bank->number);
    }
    if (shared->config->l2.answer_beside) {
        bank->filled = filled_ring(shared);
        bank->filled_item = gm_arena_take(arena, elements(bank->filled), sizeof *bank->filled_item);
        if (bank->filled_item == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: the answers of L2 bank %u",
                           bank->number);
        }
    }
    if (shared->config->l2.halves == 2) {
        bank->far = gm_l2_far_make(shared->config, bank->number, arena);
        if (bank->far == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: the link to L2 bank %u", bank->number);
        }
    }
    for (uint32_t number = bank->items; number-- > 0;) { /* a stack: item 0 is used first */
        bank->vacant[bank->vacancies++] = number;
    }
    return 0;
}

int gm_l2_bank_init(gm_l2_bank *bank, const gm_l2_shared *shared, uint32_t number, gm_arena *arena,
                    gm_error *error)
{
    *bank = (gm_l2_bank){
        .shared = shared,
        .number = number,
        .in_core_clock = gm_clock_is_core(shared->clock) && !shared->config->l2.answer_beside &&
                         (shared->coherence == NULL || shared->coherence->sharers == NULL),
        .bypassable =
            shared->config->l2.streaming || shared->config->l2.bypass != GM_L2_BYPASS_NONE,
        .special = shared->config->l2.streaming || shared->config->l2.bypass != GM_L2_BYPASS_NONE ||
                   shared->config->l2.atomic_buffer || shared->config->sharing.enabled,
        .pushes_ahead = gm_clock_is_core(shared->clock) && shared->config->memory.banks == 1 &&
                        !shared->config->dram.entry_turns,
        .look_up_from = GM_NEVER,
        .retry_from = GM_NEVER,
        .usual_kind = shared->coherence == NULL && shared->line_sectors == 0 &&
                              !shared->config->l2.streaming &&
                              shared->config->l2.bypass == GM_L2_BYPASS_NONE &&
                              !shared->config->l2.atomic_buffer &&
                              !shared->config->sharing.enabled &&
                              shared->config->l2.fetch_on_write != GM_FETCH_LAZY
                          ? GM_MESSAGE_READ
                          : GM_MESSAGE_KINDS,
        .bank = number & (uint32_t)shared->map.in_banks,
        .partition = number >> shared->map.bank_bits,
    };
    gm_l2_policy_init(&bank->l2.policy, shared->config);
    int code = gm_cache_init(&bank->l2.cache, &shared->cache, arena, error);
    code = code < 0 ? code : gm_l2_make_partial(&bank->l2, shared->config, arena, error);
    code = code < 0 ? code : gm_l2_make_streaming(&bank->l2, shared->config, arena, error);
    code = code < 0 ? code : gm_l2_make_atomics(&bank->l2, shared->config, arena, error);
    code = code < 0 ? code : gm_mshr_init(&bank->mshr, &shared->mshr, arena, error);
    code = code < 0 ? code : gm_dram_init(&bank->past, shared->config, arena, error);
    code = code < 0 ? code : take_arrays(bank, arena, error);
    code = code < 0 ? code : gm_l2_bank_sharing_init(bank, arena, error);
    bank->owns =
        shared->coherence != NULL && shared->coherence->owns && !bank->special && bank->far == NULL;
    return code < 0 || shared->coherence == NULL ? code : gm_l2_coherent_init(bank, arena, error);
}

void gm_l2_bank_connect(gm_l2_bank *bank, gm_network *requests, gm_network *replies,
                        gm_gddr5 *channel, gm_cycle *wake)
{
    bank->requests = requests;
    bank->replies = replies;
    bank->channel = channel;
    bank->wake = wake;
    bank->arrival = gm_network_arrival_cell(requests, bank->number);
    bank->data = gm_gddr5_data_cell(channel, bank->bank);
}

void gm_l2_bank_connect_tracker(gm_l2_bank *bank, gm_tracker_outlet *tracker)
{
    bank->tracker = tracker;
    bank->arrival = &tracker->arrival;
}

void gm_l2_bank_free(gm_l2_bank *bank)
{
    gm_cache_free(&bank->l2.cache);
}
