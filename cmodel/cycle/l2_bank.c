/* L2 bank: putting it together, its L2 cycles, and when it must be visited next. */
#include "cycle/l2_bank.h"

#include "cycle/gddr5.h"
#include "cycle/l2_bank_parts.h"
#include "cycle/network.h"

#include <errno.h>

enum { ALIGNMENT = 64, ARRAYS = 6, LEAST_DRAM_QUEUE = 3 };

int gm_l2_shared_init(gm_l2_shared *shared, const gm_config *config, gm_error *error)
{
    *shared = (gm_l2_shared){
        .config = config,
        .clock = gm_clock_make(config->clock.core, config->clock.l2),
        .latency = config->l2.latency,
        .atomic_interval = config->l2.atomic_interval,
        .queue = (uint32_t)config->l2.queue,
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

static uint32_t dram_capacity(const gm_l2_shared *shared)
{
    return shared->dram_queue < LEAST_DRAM_QUEUE ? LEAST_DRAM_QUEUE : shared->dram_queue;
}

static size_t most_waiting(const gm_l2_shared *shared)
{
    return (size_t)shared->mshr.entries * shared->mshr.merges;
}

size_t gm_l2_bank_bytes(const gm_l2_shared *shared)
{
    return gm_cache_bytes(&shared->cache) + gm_mshr_bytes(&shared->mshr) +
           gm_dram_bytes(shared->config) +
           ((size_t)shared->queue + shared->reply_queue) * sizeof(gm_l2_item) +
           dram_capacity(shared) * sizeof(gm_dram_request) +
           shared->mshr.entries * sizeof(gm_l2_fill) +
           most_waiting(shared) * (sizeof(gm_l2_item) + sizeof(uint32_t)) +
           (size_t)ARRAYS * ALIGNMENT;
}

static int take_arrays(gm_l2_bank *bank, gm_arena *arena, gm_error *error)
{
    const gm_l2_shared *shared = bank->shared;
    size_t waiting = most_waiting(shared);
    bank->in.capacity = shared->queue;
    bank->out.capacity = shared->reply_queue;
    bank->dram.capacity = dram_capacity(shared);
    bank->in_item = gm_arena_take(arena, shared->queue, sizeof *bank->in_item);
    bank->out_item = gm_arena_take(arena, shared->reply_queue, sizeof *bank->out_item);
    bank->dram_request = gm_arena_take(arena, bank->dram.capacity, sizeof *bank->dram_request);
    bank->fill = gm_arena_take(arena, shared->mshr.entries, sizeof *bank->fill);
    bank->waiting = gm_arena_take(arena, waiting, sizeof *bank->waiting);
    bank->vacant = gm_arena_take(arena, waiting, sizeof *bank->vacant);
    if (bank->in_item == NULL || bank->out_item == NULL || bank->dram_request == NULL ||
        bank->fill == NULL || bank->waiting == NULL || bank->vacant == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the queues of L2 bank %u", bank->number);
    }
    while (bank->vacancies < waiting) {
        bank->waiting[bank->vacancies].arrived = GM_NEVER;
        bank->vacant[bank->vacancies] = bank->vacancies;
        bank->vacancies++;
    }
    return 0;
}

int gm_l2_bank_init(gm_l2_bank *bank, const gm_l2_shared *shared, uint32_t number, gm_arena *arena,
                    gm_error *error)
{
    *bank = (gm_l2_bank){
        .shared = shared,
        .number = number,
        .bank = number & (uint32_t)shared->map.in_banks,
        .partition = number >> shared->map.bank_bits,
    };
    gm_l2_policy_init(&bank->l2.policy, shared->config);
    int code = gm_cache_init(&bank->l2.cache, &shared->cache, arena, error);
    code = code < 0 ? code : gm_mshr_init(&bank->mshr, &shared->mshr, arena, error);
    code = code < 0 ? code : gm_dram_init(&bank->past, shared->config, arena, error);
    return code < 0 ? code : take_arrays(bank, arena, error);
}

void gm_l2_bank_free(gm_l2_bank *bank)
{
    gm_cache_free(&bank->l2.cache);
}

/* Room in a queue lets a look-up that failed for it try again. */
static void room_has_come(gm_l2_bank *bank, gm_cycle cycle)
{
    if (bank->fail == GM_L2_FAIL_MISS_QUEUE) {
        gm_l2_bank_retry(bank, cycle);
    }
}

static bool can_send(const gm_l2_bank *bank)
{
    return bank->out.count != 0 &&
           gm_network_has_room(bank->replies, bank->number, &bank->out_item[bank->out.head].packet);
}

static void send_response(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (can_send(bank)) {
        gm_network_send(bank->replies, bank->number, &bank->out_item[bank->out.head].packet, now);
        gm_l2_ring_take(&bank->out);
        bank->answered++;
        room_has_come(bank, cycle);
    }
}

static bool can_push(const gm_l2_bank *bank, gm_cycle now)
{
    return bank->dram.count != 0 && gm_gddr5_has_room(bank->channel, now);
}

static void push_request(gm_l2_bank *bank, gm_cycle cycle, gm_cycle now)
{
    if (can_push(bank, now)) {
        gm_gddr5_push(bank->channel, &bank->dram_request[bank->dram.head], now);
        gm_l2_ring_take(&bank->dram);
        room_has_come(bank, cycle);
    }
}

static void take_packet(gm_l2_bank *bank, gm_cycle now)
{
    const gm_packet *packet = gm_network_peek(bank->requests, bank->number, now);
    if (packet != NULL && gm_l2_ring_has_room(&bank->in)) {
        gm_l2_item *item = &bank->in_item[gm_l2_ring_add(&bank->in)];
        item->packet = *packet;
        item->arrived = now;
        gm_network_pop(bank->requests, bank->number, now);
        bank->l2.received.messages[item->packet.kind]++;
        bank->l2.received.sectors[item->packet.kind] += gm_count_ones(item->packet.sectors);
    }
}

static gm_cycle later(gm_cycle a, gm_cycle b)
{
    return a > b ? a : b;
}

/* The L2 cycle, `next` at the earliest, in which the tags have something to do but for data that
 * come, or GM_NEVER. */
static gm_cycle next_use_of_tags(const gm_l2_bank *bank, gm_cycle next)
{
    if (bank->answering != 0) {
        if (!gm_l2_ring_has_room(&bank->out)) {
            return GM_NEVER;
        }
        bool atomic = gm_l2_kind_of(&bank->waiting[bank->next].packet) == GM_ATOMIC;
        return atomic ? later(next, bank->atomic_from) : next;
    }
    if (bank->in.count == 0 || bank->fail != GM_L2_NO_FAIL) {
        return GM_NEVER;
    }
    gm_cycle ready = bank->in_item[bank->in.head].arrived + bank->shared->latency;
    return later(later(next, bank->try_from), gm_clock_first(bank->shared->clock, ready));
}

/* When data or a packet that are known of come, or, if they are there, the cycle after `now`. */
static gm_cycle next_arrival(const gm_l2_bank *bank, gm_cycle now)
{
    gm_cycle next = GM_NEVER;
    if (bank->answering == 0) {
        next = gm_gddr5_data_from(bank->channel, bank->bank);
    }
    if (gm_l2_ring_has_room(&bank->in)) {
        gm_wake(&next, gm_network_arrival(bank->requests, bank->number));
    }
    return later(next, now + 1);
}

/* What the network, the channel and this bank's own state let it do from L2 cycle `next` on. Room
 * that others have not, and packets and data that nobody knows of yet, wake it by themselves.
 * Whether they have room, which takes the longest, is asked last. */
static gm_cycle next_visit(const gm_l2_bank *bank, gm_cycle next, gm_cycle now)
{
    gm_clock clock = bank->shared->clock;
    gm_cycle soonest = gm_clock_core(clock, next);
    gm_cycle visit = next_arrival(bank, now);
    gm_wake(&visit, gm_clock_core(clock, next_use_of_tags(bank, next)));
    return visit > soonest && (can_send(bank) || can_push(bank, now)) ? soonest : visit;
}

void gm_l2_bank_step(gm_l2_bank *bank, gm_cycle now)
{
    gm_clock clock = bank->shared->clock;
    gm_cycle next = gm_clock_first(clock, now + 1);
    for (gm_cycle cycle = gm_clock_first(clock, now); cycle < next; cycle++) {
        send_response(bank, cycle, now);
        push_request(bank, cycle, now);
        if (!gm_l2_bank_serve_data(bank, cycle, now)) {
            gm_l2_bank_look_up(bank, cycle, now);
        }
        take_packet(bank, now);
    }
    gm_wake(bank->wake, next_visit(bank, next, now));
}

void gm_l2_bank_settle(gm_l2_bank *bank, gm_cycle now)
{
    gm_l2_bank_count_fails(bank, gm_clock_first(bank->shared->clock, now));
    gm_l2_bank_count_entries(bank, now);
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
