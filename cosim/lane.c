/* The stream of one instance: random requests with idle cycles and back-pressure, or those of a
 * recorded list, and the model's responses. */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int gm_stimulus_create(gm_stimulus *stimulus, unsigned fields, size_t count, gm_error *error)
{
    *stimulus = (gm_stimulus){.fields = fields, .count = count};
    stimulus->idle = calloc(count + 1, 1);
    stimulus->stall = calloc(count + 1, 1);
    stimulus->request = calloc(count + 1, fields * sizeof(uint64_t));
    if (stimulus->idle == NULL || stimulus->stall == NULL || stimulus->request == NULL) {
        gm_stimulus_free(stimulus);
        return gm_fail(error, -ENOMEM, "no memory for a stimulus of %zu requests", count);
    }
    return 0;
}

void gm_stimulus_free(gm_stimulus *stimulus)
{
    free(stimulus->idle);
    free(stimulus->stall);
    free(stimulus->request);
    *stimulus = (gm_stimulus){0};
}

int gm_lane_start(gm_lane *lane, const gm_cosim_block *block, uint64_t seed, uint64_t episode,
                  uint64_t target, const gm_stimulus *list, gm_error *error)
{
    gm_cosim_random mix = {seed ^ episode * UINT64_C(0x9fb21c651e98df25) ^
                           (uint64_t)lane->number << 40};
    lane->random.state = gm_cosim_random_next(&mix);
    lane->plan = (gm_cosim_plan){.episode = episode};
    lane->issued = lane->received = lane->produced = 0;
    lane->progress = 0;
    lane->idle_left = lane->stall_left = 0;
    lane->offering = lane->drain_due = false;
    lane->target = list != NULL ? list->count : target;
    lane->list = list;
    memset(lane->arena.memory, 0, lane->arena.size);
    lane->arena.used = 0;
    int code = block->init(&lane->configuration, &lane->arena, &lane->model, error);
    return code < 0 ? code : gm_limits_start(lane, block, error);
}

/* Sets the idle cycles and the back-pressure of a batch, in one of several patterns. */
static void produce_timing(gm_lane *lane, unsigned at, unsigned count)
{
    uint64_t habit = gm_cosim_random_next(&lane->random);
    memset(lane->idle + at, 0, count);
    memset(lane->stall + at, 0, count);
    if ((habit & 1) == 0) {
        return; /* full speed */
    }
    uint8_t longest_idle = (habit & 2) != 0 ? (uint8_t)(1 + (habit >> 8) % 7) : 0;
    uint8_t longest_stall = (habit & 4) != 0 ? (uint8_t)(1 + (habit >> 16) % 7) : 0;
    uint8_t often = (uint8_t)(habit >> 24); /* of 256: requests and responses that do not wait */
    for (unsigned i = 0; i < count; i++) {
        uint64_t random = gm_cosim_random_next(&lane->random);
        if ((uint8_t)random >= often) {
            lane->idle[at + i] = (uint8_t)((random >> 8 & 0xff) * (longest_idle + 1u) >> 8);
        }
        if ((uint8_t)(random >> 16) >= often) {
            lane->stall[at + i] = (uint8_t)((random >> 24 & 0xff) * (longest_stall + 1u) >> 8);
        }
    }
}

/* Produces a batch of random transactions. Instances drain at multiples of GM_COSIM_DRAIN. */
static unsigned produce_random(gm_lane *lane, const gm_cosim_block *block, unsigned at)
{
    produce_timing(lane, at, GM_COSIM_BATCH);
    uint64_t *request = lane->request + (size_t)at * block->ports->requests;
    size_t made = gm_limits_take(lane, request, GM_COSIM_BATCH);
    block->stimulus(&lane->configuration, &lane->random, &lane->plan,
                    request + made * block->ports->requests, GM_COSIM_BATCH - made);
    uint64_t left = lane->target - lane->produced;
    return left < GM_COSIM_BATCH ? (unsigned)left : GM_COSIM_BATCH;
}

/* Produces the list's transactions up to the next one that waits for a drain. */
static unsigned produce_list(gm_lane *lane, const gm_cosim_block *block, unsigned at)
{
    const gm_stimulus *list = lane->list;
    unsigned fields = block->ports->requests;
    unsigned count = 0;
    while (count < GM_COSIM_BATCH && lane->produced + count < list->count) {
        size_t from = (size_t)lane->produced + count;
        bool drain = list->idle[from] == GM_COSIM_IDLE_DRAIN;
        if (drain && count > 0) {
            break;
        }
        lane->idle[at + count] = drain ? 0 : list->idle[from];
        lane->stall[at + count] = list->stall[from];
        memcpy(lane->request + (size_t)(at + count) * fields, list->request + from * fields,
               fields * sizeof(uint64_t));
        count++;
        if ((at + count) % GM_COSIM_RING == 0) {
            break;
        }
    }
    return count;
}

static bool drains_next(const gm_lane *lane)
{
    if (lane->list != NULL) {
        return lane->produced < lane->list->count &&
               lane->list->idle[lane->produced] == GM_COSIM_IDLE_DRAIN;
    }
    return lane->produced % GM_COSIM_DRAIN == 0;
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
        lane->idle_left = lane->idle[at];
    }
    if (lane->received == lane->produced) {
        lane->stall_left = lane->stall[at];
    }
    lane->produced += count;
    lane->drain_due = lane->produced < lane->target && drains_next(lane);
}

int gm_lane_record(gm_lane *lane, const gm_cosim_block *block, uint64_t seed, uint64_t episode,
                   uint64_t count, gm_stimulus *stimulus, gm_error *error)
{
    unsigned fields = block->ports->requests;
    int code = gm_stimulus_create(stimulus, fields, count, error);
    if (code == 0) {
        code = gm_lane_start(lane, block, seed, episode, count, NULL, error);
    }
    while (code == 0 && lane->produced < count) {
        size_t from = lane->produced;
        unsigned at = (unsigned)(from % GM_COSIM_RING);
        bool drain = from > 0 && lane->drain_due;
        gm_lane_produce(lane, block, true);
        size_t made = lane->produced - from;
        memcpy(stimulus->idle + from, lane->idle + at, made);
        memcpy(stimulus->stall + from, lane->stall + at, made);
        memcpy(stimulus->request + from * fields, lane->request + (size_t)at * fields,
               made * fields * sizeof(uint64_t));
        if (drain) {
            stimulus->idle[from] = GM_COSIM_IDLE_DRAIN;
        }
    }
    return code;
}
