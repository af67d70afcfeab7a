/* An L2 bank between networks and a DRAM channel made for tests: the functions of
 * cycle/noc/network.h and cycle/dram/gddr5.h that a bank calls, with the meanings given there. For
 * test programs that have neither in them. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_L2_L2_WORLD_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_L2_L2_WORLD_H

#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank.h"
#include "cycle/noc/network.h"
#include "support/support.h"

enum { WORLD_MOST = 4096 };

typedef struct world_packet {
    gm_packet packet;
    gm_cycle at; /* arrives, or was sent */
} world_packet;

typedef struct world_request {
    gm_dram_request request;
    gm_cycle at;    /* pushed */
    gm_cycle ready; /* its data; GM_NEVER: taken, or a write */
} world_request;

typedef struct world {
    gm_config config;
    gm_l2_shared shared;
    gm_arena arena;
    gm_l2_bank bank;
    gm_network requests, replies; /* nothing but their addresses is used */
    gm_gddr5 channel;             /* nothing but its address and its room is used */
    gm_cycle wake;
    gm_cycle arrival, data; /* of the next packet and of the next data */
    world_packet coming[WORLD_MOST], sent[WORLD_MOST];
    world_request dram[WORLD_MOST];
    uint32_t coming_count, taken, sent_count, dram_count;
    uint32_t reads_left;     /* reads whose data have not been taken */
    uint32_t first_left;     /* none before this one */
    gm_cycle dram_latency;   /* from the push of a read to its data */
    uint32_t dram_variation; /* and up to this more, by the request's number */
    bool channel_closed, replies_closed;
    uint32_t copied; /* sectors of gm_gddr5_count_write */
} world;

/* The world that the functions below act on. */
static world *the_world;

bool gm_network_has_room(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    assert_ptr_equal(network, &the_world->replies);
    assert_int_equal(input, the_world->bank.number);
    assert_int_equal(packet->response, 1);
    return !the_world->replies_closed;
}

/* The world's network wakes the bank, but does not remember that it refused. */
bool gm_network_refuses(const gm_network *network, uint32_t input)
{
    assert_ptr_equal(network, &the_world->replies);
    assert_int_equal(input, the_world->bank.number);
    return false;
}

bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    bool room = gm_network_has_room(network, input, packet);
    if (room) {
        assert_true(the_world->sent_count < WORLD_MOST);
        the_world->sent[the_world->sent_count++] = (world_packet){*packet, now};
    }
    return room;
}

const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now)
{
    world *w = the_world;
    assert_ptr_equal(network, &w->requests);
    assert_int_equal(output, w->bank.number);
    if (w->taken == w->coming_count) {
        return NULL;
    }
    const world_packet *next = &w->coming[w->taken];
    return next->at <= now ? &next->packet : NULL;
}

const gm_cycle *gm_network_arrival_cell(const gm_network *network, uint32_t output)
{
    assert_ptr_equal(network, &the_world->requests);
    assert_int_equal(output, the_world->bank.number);
    return &the_world->arrival;
}

static inline void world_next_packet(world *w)
{
    w->arrival = w->taken == w->coming_count ? GM_NEVER : w->coming[w->taken].at;
}

void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now)
{
    assert_non_null(gm_network_peek(network, output, now));
    the_world->taken++;
    world_next_packet(the_world);
}

static world_request *first_ready(world *w)
{
    world_request *first = NULL;
    while (w->first_left < w->dram_count && w->dram[w->first_left].ready == GM_NEVER) {
        w->first_left++;
    }
    for (uint32_t i = w->first_left; w->reads_left != 0 && i < w->dram_count; i++) {
        world_request *read = &w->dram[i];
        if (read->ready != GM_NEVER && (first == NULL || read->ready < first->ready)) {
            first = read;
        }
    }
    return first;
}

static inline void world_next_data(world *w)
{
    const world_request *read = first_ready(w);
    w->data = read == NULL ? GM_NEVER : read->ready;
}

void gm_gddr5_push(gm_gddr5 *channel, const gm_dram_request *request, gm_cycle now)
{
    world *w = the_world;
    assert_ptr_equal(channel, &w->channel);
    assert_true(gm_gddr5_has_room(channel, now));
    assert_true(w->dram_count < WORLD_MOST);
    assert_int_not_equal(request->sectors, 0);
    assert_int_equal(request->bank, w->bank.bank);
    gm_cycle more =
        w->dram_variation == 0 ? 0 : w->dram_count * UINT64_C(2654435761) % w->dram_variation;
    gm_cycle ready = request->write ? GM_NEVER : now + w->dram_latency + more;
    w->dram[w->dram_count++] = (world_request){*request, now, ready};
    w->reads_left += !request->write;
    world_next_data(w);
    gm_wake(&w->wake, ready);
}

const gm_dram_request *gm_gddr5_peek(const gm_gddr5 *channel, uint32_t bank, gm_cycle now)
{
    assert_ptr_equal(channel, &the_world->channel);
    assert_int_equal(bank, the_world->bank.bank);
    const world_request *read = first_ready(the_world);
    return read == NULL || read->ready > now ? NULL : &read->request;
}

const gm_cycle *gm_gddr5_data_cell(const gm_gddr5 *channel, uint32_t bank)
{
    assert_ptr_equal(channel, &the_world->channel);
    assert_int_equal(bank, the_world->bank.bank);
    return &the_world->data;
}

void gm_gddr5_pop(gm_gddr5 *channel, uint32_t bank, gm_cycle now)
{
    assert_non_null(gm_gddr5_peek(channel, bank, now));
    first_ready(the_world)->ready = GM_NEVER;
    the_world->reads_left--;
    world_next_data(the_world);
}

void gm_gddr5_count_write(gm_gddr5 *channel, uint64_t address, uint32_t sectors)
{
    (void)channel;
    (void)address;
    the_world->copied += (uint32_t)__builtin_popcount(sectors);
}

/* A world with the bank `number` of its config. */
static inline void world_make(world *w, uint32_t number)
{
    gm_error error;
    test_ok(gm_config_check(&w->config, &error), error);
    test_ok(gm_l2_shared_init(&w->shared, &w->config, &error), error);
    test_ok(gm_arena_create(&w->arena, gm_l2_bank_bytes(&w->shared), &error), error);
    test_ok(gm_l2_bank_init(&w->bank, &w->shared, number, &w->arena, &error), error);
    the_world = w;
    gm_l2_bank_connect(&w->bank, &w->requests, &w->replies, &w->channel, &w->wake);
    world_next_packet(w);
    world_next_data(w);
    w->channel.capacity = 1;
    w->wake = GM_NEVER;
}

static inline void world_free(world *w)
{
    gm_l2_bank_free(&w->bank);
    gm_arena_free(&w->arena);
}

/* A packet that the bank may take from core cycle `at` on, later than those before it. */
static inline void world_bring(world *w, gm_cycle at, gm_packet packet)
{
    assert_true(w->coming_count < WORLD_MOST);
    packet.bank = (uint16_t)w->bank.number;
    packet.in_bank = gm_address_map_locate(&w->shared.map, packet.line).line;
    w->coming[w->coming_count++] = (world_packet){packet, at};
    world_next_packet(w);
    gm_wake(&w->wake, at);
}

/* Core cycle `now`: visits the bank when it is due. */
static inline void world_step(world *w, gm_cycle now)
{
    if (w->wake <= now) {
        w->wake = GM_NEVER;
        gm_l2_bank_step(&w->bank, now);
        assert_true(w->wake > now);
    }
}

static inline void world_close_channel(world *w, bool closed, gm_cycle now)
{
    w->channel.state.queued = closed;
    if (w->channel_closed && !closed) {
        gm_wake(&w->wake, now);
    }
    w->channel_closed = closed;
}

static inline void world_close_replies(world *w, bool closed, gm_cycle now)
{
    if (w->replies_closed && !closed) {
        gm_wake(&w->wake, now);
    }
    w->replies_closed = closed;
}

#endif
