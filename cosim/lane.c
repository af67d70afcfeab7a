/* The stream of one instance: random requests with idle cycles, back-pressure and resets, or those
 * of a recorded list, and the model's responses. */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHORTEST = 8,      /* transactions of a segment, at least */
    LENGTHS = 12,      /* a segment has SHORTEST * 2^u, or up to twice as many, u below this */
    LONG_EPISODE = 8,  /* one episode in so many has a long wait in each instance */
    PAUSE_BATCH = 128, /* one batch in so many has a pause, of 8 to PAUSE + 7 cycles */
    PAUSE = 56,
};

int gm_stimulus_create(gm_stimulus *stimulus, unsigned fields, size_t count, gm_error *error)
{
    *stimulus = (gm_stimulus){.fields = fields, .count = count};
    stimulus->wait = calloc(count + 1, sizeof *stimulus->wait);
    stimulus->request = calloc(count + 1, fields * sizeof(uint64_t));
    if (stimulus->wait == NULL || stimulus->request == NULL) {
        gm_stimulus_free(stimulus);
        return gm_fail(error, -ENOMEM, "no memory for a stimulus of %zu requests", count);
    }
    return 0;
}

void gm_stimulus_free(gm_stimulus *stimulus)
{
    free(stimulus->wait);
    free(stimulus->request);
    *stimulus = (gm_stimulus){0};
}

/* Chooses the length of the next segment, log-uniformly: state that takes long to build up is
 * reached, and resets come early too. No reset comes among the requests for limits. */
static void choose_segment(gm_lane *lane)
{
    uint64_t random = gm_cosim_random_next(&lane->random);
    uint64_t least = (uint64_t)SHORTEST << (random & 0xff) % LENGTHS;
    uint64_t limits = lane->produced < lane->limits.length ? lane->limits.length : lane->produced;
    lane->segment_end = limits + least + ((random >> 8) & (least - 1));
    if (gm_shares_without_reset(lane->plan.episode, lane->share)) {
        lane->segment_end = UINT64_MAX;
    }
}

static bool drains_next(const gm_lane *lane)
{
    if (lane->list != NULL) {
        return lane->produced < lane->list->count && lane->list->wait[lane->produced].drain;
    }
    return lane->produced > lane->segment && (lane->produced - lane->segment) % GM_COSIM_DRAIN == 0;
}

int gm_lane_reset(gm_lane *lane, const gm_cosim_block *block, gm_error *error)
{
    uint64_t dropped = lane->produced - lane->received;
    lane->dropped += dropped;
    lane->target += lane->list == NULL ? dropped : 0;
    lane->received = lane->issued = lane->segment = lane->produced;
    lane->idle_left = lane->stall_left = lane->reset_in = 0;
    lane->offering = lane->held = false;
    lane->drain_due = drains_next(lane);
    lane->plan = (gm_cosim_plan){.episode = lane->plan.episode};
    choose_segment(lane);
    memset(lane->arena.memory, 0, lane->arena.used); /* what the last model had */
    lane->arena.used = 0;
    return block->init(&lane->configuration, &lane->arena, &lane->model, error);
}

/* Chooses the long wait, one in all instances of some episodes: at the same transaction and of the
 * same length in each, since the slowest instance ends an episode. */
static void choose_long_wait(gm_lane *lane, uint64_t seed, uint64_t episode, uint64_t share)
{
    gm_cosim_random mix = {seed ^ (episode + 1) * UINT64_C(0xd6e8feb86659fd93)};
    uint64_t random = gm_cosim_random_next(&mix);
    uint64_t size = gm_cosim_random_next(&mix);
    lane->long_wait = (random & 3) != 0 ? 256 + size % 768 : 1024 + size % 7168;
    lane->long_at = (random >> 8) % (share > 0 ? share : 1);
    if (episode % LONG_EPISODE != 0) {
        lane->long_wait = 0;
    }
}

int gm_lane_start(gm_lane *lane, const gm_cosim_block *block, uint64_t seed, uint64_t episode,
                  uint64_t share, const gm_stimulus *list, gm_error *error)
{
    gm_cosim_random mix = {seed ^ episode * UINT64_C(0x9fb21c651e98df25) ^
                           (uint64_t)lane->number << 40};
    lane->random.state = gm_cosim_random_next(&mix);
    lane->noise.state = gm_cosim_random_next(&mix);
    lane->produced = lane->received = lane->dropped = 0;
    lane->progress = lane->reset_left = 0;
    lane->plan.episode = episode;
    lane->list = list;
    lane->target = list != NULL ? list->count : share;
    lane->share = share;
    choose_long_wait(lane, seed, episode, share);
    int code = gm_limits_start(lane, block, error);
    return code < 0 ? code : gm_lane_reset(lane, block, error);
}

/* Adds a single wait to one transaction of `count`: before the request or at the response. */
static void add_wait(gm_wait *wait, uint64_t random, uint32_t cycles)
{
    uint32_t *which = (random & 1) != 0 ? &wait->idle : &wait->stall;
    *which += cycles;
}

/* Sets the idle cycles and the back-pressure of a batch, in one of several patterns. */
static void produce_timing(gm_lane *lane, unsigned at, unsigned count)
{
    gm_wait *wait = lane->wait + at;
    uint64_t habit = gm_cosim_random_next(&lane->random);
    memset(wait, 0, count * sizeof *wait);
    uint32_t longest_idle = (habit & 2) != 0 ? 1 + (uint32_t)(habit >> 8) % 7 : 0;
    uint32_t longest_stall = (habit & 4) != 0 ? 1 + (uint32_t)(habit >> 16) % 7 : 0;
    uint8_t often = (uint8_t)(habit >> 24); /* of 256: requests and responses that do not wait */
    for (unsigned i = 0; (habit & 1) != 0 && i < count; i++) { /* else full speed */
        uint64_t random = gm_cosim_random_next(&lane->random);
        if ((uint8_t)random >= often) {
            wait[i].idle = (uint32_t)(random >> 8 & 0xff) * (longest_idle + 1) >> 8;
        }
        if ((uint8_t)(random >> 16) >= often) {
            wait[i].stall = (uint32_t)(random >> 24 & 0xff) * (longest_stall + 1) >> 8;
        }
    }
    if ((habit >> 32 & 0xff) % PAUSE_BATCH == 0) {
        add_wait(&wait[(habit >> 40 & 0xff) % count], habit >> 48,
                 8 + (uint32_t)(habit >> 50) % PAUSE);
    }
    if (lane->long_wait > 0 && lane->long_at - lane->produced < count) {
        add_wait(&wait[lane->long_at - lane->produced], habit >> 49, (uint32_t)lane->long_wait);
    }
}

/* Puts a reset some cycles after the last request of a segment is offered: mostly while requests
 * are in flight. */
static void end_segment(gm_lane *lane, gm_wait *wait)
{
    uint64_t random = gm_cosim_random_next(&lane->random);
    wait->reset_at = (uint32_t)((random & 3) != 0 ? (random >> 8) % 12 : (random >> 8) % 32);
    wait->reset_for =
        (uint16_t)(1 + ((random & 28) != 0 ? (random >> 16) % 4 : (random >> 16) % 40));
}

/* Produces a batch of random transactions: to the end of the segment, the next drain or the end of
 * the ring at most. */
static unsigned produce_random(gm_lane *lane, const gm_cosim_block *block, unsigned at)
{
    uint64_t to_drain = GM_COSIM_DRAIN - (lane->produced - lane->segment) % GM_COSIM_DRAIN;
    uint64_t to_end = lane->segment_end - lane->produced;
    uint64_t count = GM_COSIM_RING - at;
    count = count < GM_COSIM_BATCH ? count : GM_COSIM_BATCH;
    count = count < to_drain ? count : to_drain;
    count = count < to_end ? count : to_end;
    produce_timing(lane, at, (unsigned)count);
    lane->wait[at].drain = lane->drain_due;
    lane->wait[at].idle = lane->drain_due ? 0 : lane->wait[at].idle;
    uint64_t *request = lane->request + (size_t)at * block->ports->requests;
    size_t made = gm_limits_take(lane, request, count);
    block->stimulus(&lane->configuration, &lane->random, &lane->plan,
                    request + made * block->ports->requests, count - made);
    if (count == to_end) {
        end_segment(lane, &lane->wait[at + count - 1]);
    }
    uint64_t left = lane->target - lane->produced;
    return (unsigned)(left < count ? left : count);
}

/* Produces the list's transactions up to a reset or to the next one that waits for a drain. */
static unsigned produce_list(gm_lane *lane, const gm_cosim_block *block, unsigned at)
{
    const gm_stimulus *list = lane->list;
    unsigned fields = block->ports->requests;
    unsigned count = 0;
    while (count < GM_COSIM_BATCH && lane->produced + count < list->count) {
        size_t from = (size_t)lane->produced + count;
        if (list->wait[from].drain && count > 0) {
            break;
        }
        lane->wait[at + count] = list->wait[from];
        memcpy(lane->request + (size_t)(at + count) * fields, list->request + from * fields,
               fields * sizeof(uint64_t));
        count++;
        if ((at + count) % GM_COSIM_RING == 0 || list->wait[from].reset_for > 0) {
            break;
        }
    }
    return count;
}

void gm_lane_produce(gm_lane *lane, const gm_cosim_block *block, bool alone)
{
    unsigned at = (unsigned)(lane->produced % GM_COSIM_RING);
    unsigned count =
        lane->list != NULL ? produce_list(lane, block, at) : produce_random(lane, block, at);
    const uint64_t *request = lane->request + (size_t)at * block->ports->requests;
    uint64_t *response = lane->response + (size_t)at * block->ports->responses;
    if (!alone && lane->check != NULL) {
        gm_self_check_access(lane, block, request, response, count);
    } else if (!alone) {
        block->access(lane->model, request, response, count);
    }
    if (lane->issued == lane->produced) {
        lane->idle_left = lane->wait[at].idle;
    }
    if (lane->received == lane->produced) {
        lane->stall_left = lane->wait[at].stall;
    }
    lane->produced += count;
    lane->drain_due = lane->produced < lane->target && drains_next(lane);
}

int gm_lane_record(gm_lane *lane, const gm_cosim_block *block, uint64_t seed, uint64_t episode,
                   uint64_t share, uint64_t count, gm_stimulus *stimulus, gm_error *error)
{
    unsigned fields = block->ports->requests;
    int code = gm_stimulus_create(stimulus, fields, count, error);
    if (code == 0) {
        stimulus->seed = seed;
        stimulus->episode = episode;
        code = gm_lane_start(lane, block, seed, episode, share, NULL, error);
        lane->target = count;
    }
    while (code == 0 && lane->produced < count) {
        size_t from = lane->produced;
        unsigned at = (unsigned)(from % GM_COSIM_RING);
        gm_lane_produce(lane, block, true);
        size_t made = lane->produced - from;
        memcpy(stimulus->wait + from, lane->wait + at, made * sizeof *lane->wait);
        memcpy(stimulus->request + from * fields, lane->request + (size_t)at * fields,
               made * fields * sizeof(uint64_t));
        if (stimulus->wait[lane->produced - 1].reset_for > 0) {
            lane->received = lane->produced; /* no answers are missing here */
            code = gm_lane_reset(lane, block, error);
        }
    }
    return code;
}
