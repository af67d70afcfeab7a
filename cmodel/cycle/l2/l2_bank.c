/* L2 bank: putting it together, its L2 cycles, and when it must be visited next. */
#include "cycle/l2/l2_bank.h"

#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank_step.h"
#include "cycle/noc/network.h"

#include <errno.h>

enum { ALIGNMENT = 64, ARRAYS = 6, LEAST_DRAM_QUEUE = 3 };

/* Places that must be free for a packet: in GPGPU-Sim it may be cut into four of a sector each. */
enum { FREE_PLACES = 4 };

/* What the delay holds at the most: a packet for each L2 cycle that begins in it. Where the L2's
 * clock is so fast that this would be more than anything sends, memory is the limit. */
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
        .clock = gm_clock_make(config->clock.core, config->clock.l2),
        .latency = config->l2.latency,
        .atomic_interval = config->l2.atomic_interval,
        .queue = (uint32_t)config->l2.queue,
        .queued = config->l2.queue > FREE_PLACES ? (uint32_t)config->l2.queue - FREE_PLACES : 0,
        .delay = delay_places(config),
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
    return code;
}

static gm_l2_ring ring_of(uint32_t capacity)
{
    return (gm_l2_ring){.capacity = capacity, .mask = (uint32_t)gm_mask(gm_log2_ceil(capacity))};
}

static gm_l2_ring dram_ring(const gm_l2_shared *shared)
{
    return ring_of(shared->dram_queue < LEAST_DRAM_QUEUE ? LEAST_DRAM_QUEUE : shared->dram_queue);
}

static size_t elements(gm_l2_ring ring)
{
    return (size_t)ring.mask + 1;
}

/* The queue and, behind its packets, the delay. */
static gm_l2_ring in_ring(const gm_l2_shared *shared)
{
    return ring_of(shared->queue + shared->delay);
}

static uint32_t items_of(const gm_l2_shared *shared)
{
    return shared->queue + shared->delay + shared->reply_queue +
           shared->mshr.entries * shared->mshr.merges;
}

size_t gm_l2_bank_bytes(const gm_l2_shared *shared)
{
    return gm_cache_bytes(&shared->cache) + gm_mshr_bytes(&shared->mshr) +
           gm_dram_bytes(shared->config) +
           (elements(in_ring(shared)) + elements(ring_of(shared->reply_queue))) * sizeof(uint32_t) +
           elements(dram_ring(shared)) * sizeof(gm_dram_request) +
           shared->mshr.entries * sizeof(gm_l2_fill) +
           items_of(shared) * (sizeof(gm_l2_item) + sizeof(uint32_t)) + (size_t)ARRAYS * ALIGNMENT;
}

static int take_arrays(gm_l2_bank *bank, gm_arena *arena, gm_error *error)
{
    const gm_l2_shared *shared = bank->shared;
    bank->in = in_ring(shared);
    bank->out = ring_of(shared->reply_queue);
    bank->dram = dram_ring(shared);
    bank->items = items_of(shared);
    bank->in_item = gm_arena_take(arena, elements(bank->in), sizeof *bank->in_item);
    bank->out_item = gm_arena_take(arena, elements(bank->out), sizeof *bank->out_item);
    bank->dram_request = gm_arena_take(arena, elements(bank->dram), sizeof *bank->dram_request);
    bank->fill = gm_arena_take(arena, shared->mshr.entries, sizeof *bank->fill);
    bank->item = gm_arena_take(arena, bank->items, sizeof *bank->item);
    bank->vacant = gm_arena_take(arena, bank->items, sizeof *bank->vacant);
    if (bank->in_item == NULL || bank->out_item == NULL || bank->dram_request == NULL ||
        bank->fill == NULL || bank->item == NULL || bank->vacant == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the queues of L2 bank %u", bank->number);
    }
    for (uint32_t number = bank->items; number-- > 0;) { /* the first ones are used first */
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
        .in_core_clock = gm_clock_is_core(shared->clock),
        .pushes_ahead = gm_clock_is_core(shared->clock) && shared->config->memory.banks == 1,
        .look_up_from = GM_NEVER,
        .bank = number & (uint32_t)shared->map.in_banks,
        .partition = number >> shared->map.bank_bits,
    };
    gm_l2_policy_init(&bank->l2.policy, shared->config);
    int code = gm_cache_init(&bank->l2.cache, &shared->cache, arena, error);
    code = code < 0 ? code : gm_mshr_init(&bank->mshr, &shared->mshr, arena, error);
    code = code < 0 ? code : gm_dram_init(&bank->past, shared->config, arena, error);
    return code < 0 ? code : take_arrays(bank, arena, error);
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

void gm_l2_bank_free(gm_l2_bank *bank)
{
    gm_cache_free(&bank->l2.cache);
}

/* Room in a queue lets a look-up that failed for it try again. */
static inline void room_has_come(gm_l2_bank *bank, gm_cycle cycle)
{
    if (bank->fail == GM_L2_FAIL_MISS_QUEUE) {
        gm_l2_bank_retry(bank, cycle);
    }
}

__attribute__((noinline)) void gm_l2_bank_send(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    uint32_t number = bank->out_item[gm_l2_ring_first(&bank->out)];
    const gm_packet *packet = &bank->item[number].packet;
    if (gm_network_offer(bank->replies, bank->number, packet, now)) {
        gm_l2_ring_take(&bank->out);
        bank->vacant[bank->vacancies++] = number;
        bank->answered++;
        room_has_come(bank, cycle);
    }
}

__attribute__((noinline)) void gm_l2_bank_push(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (gm_gddr5_has_room(bank->channel, now)) {
        gm_gddr5_push(bank->channel, &bank->dram_request[gm_l2_ring_first(&bank->dram)], now);
        gm_l2_ring_take(&bank->dram);
        room_has_come(bank, cycle);
    }
}

__attribute__((noinline)) void gm_l2_bank_take(gm_l2_bank *bank, gm_cycle now)
{
    uint32_t number = bank->vacant[--bank->vacancies];
    gm_l2_item *item = &bank->item[number];
    item->packet = *gm_network_peek(bank->requests, bank->number, now);
    item->arrived = now;
    bank->in_item[gm_l2_ring_add(&bank->in)] = number;
    if (bank->in.count == 1) {
        gm_l2_bank_await(bank);
    }
    bank->l2.received.messages[item->packet.kind]++;
    bank->l2.received.sectors[item->packet.kind] += gm_count_ones(item->packet.sectors);
    gm_network_pop(bank->requests, bank->number, now);
}

__attribute__((noinline)) bool gm_l2_bank_can_send(const gm_l2_bank *bank)
{
    return gm_network_has_room(bank->replies, bank->number, &gm_l2_oldest_response(bank)->packet);
}

void gm_l2_bank_step_by_clock(gm_l2_bank *bank, gm_cycle now)
{
    gm_l2_bank_step_in(bank, now, bank->shared->clock);
}

void gm_l2_bank_count_fails(gm_l2_bank *bank, gm_cycle cycle)
{
    if (bank->fail == GM_L2_NO_FAIL) {
        return;
    }
    gm_cache_statistics *statistics = &bank->l2.statistics;
    gm_access_kind kind = gm_l2_kind_of(&gm_l2_oldest_request(bank)->packet);
    uint64_t cycles = cycle - bank->failed_from;
    bank->failed_from = cycle;
    switch ((gm_l2_fail)bank->fail) {
    case GM_L2_FAIL_LINE:
        statistics->fails_line[kind] += cycles;
        break;
    case GM_L2_FAIL_MSHR_ENTRY:
        statistics->fails_mshr_entry[kind] += cycles;
        break;
    case GM_L2_FAIL_MSHR_MERGE:
        statistics->fails_mshr_merge[kind] += cycles;
        break;
    case GM_L2_FAIL_MISS_QUEUE:
        statistics->fails_miss_queue[kind] += cycles;
        break;
    case GM_L2_NO_FAIL:
    case GM_L2_WAIT:
        break;
    }
}

void gm_l2_bank_retry(gm_l2_bank *bank, gm_cycle cycle)
{
    if (bank->fail != GM_L2_NO_FAIL) {
        gm_l2_bank_count_fails(bank, cycle);
        bank->fail = GM_L2_NO_FAIL;
        bank->look_up_from = cycle;
    }
}

void gm_l2_bank_settle(gm_l2_bank *bank, gm_cycle now)
{
    gm_l2_bank_count_fails(bank, gm_clock_first(bank->shared->clock, now));
    bank->time.l2_mshr_cycles = bank->held + bank->entries * now;
}

void gm_l2_bank_copy(gm_l2_bank *bank, gm_message_kind kind, uint64_t line, uint32_t sectors)
{
    gm_location at = gm_address_map_locate(&bank->shared->map, line);
    const gm_message message = {.line = line, .sectors = sectors, .kind = kind};
    uint64_t before = bank->past.statistics.writes;
    gm_l2_access(&bank->l2, &bank->past, &bank->shared->map, at, &message);
    unsigned written = (unsigned)(bank->past.statistics.writes - before);
    if (written != 0) {
        gm_gddr5_count_write(bank->channel, gm_address_map_local(&bank->shared->map, at),
                             (uint32_t)gm_mask(written));
    }
}
