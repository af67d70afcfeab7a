/* GDDR5 channel: parameters, the request and answer ports of its L2 banks, counters. */
#include "cycle/dram/gddr5.h"

#include "cache/cache.h"
#include "cycle/dram/frfcfs.h"
#include "cycle/dram/parts.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <inttypes.h>

enum { LINE_SECTORS = 32, ALIGNMENT = 64, ARRAYS = 8 };

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the most requests in flight: one more than each data bus can serve in dram.latency (fewer
 * would limit the bandwidth), and no more than the L2 banks can push in that time, one per bank and
 * core cycle. */
static uint64_t most_in_flight(const gm_config *config)
{
    uint64_t a_burst = larger(larger(config->dram.burst_cycles, config->dram.tccd), 1);
    gm_clock clock = gm_clock_make(config->clock.core, config->clock.dram);
    uint64_t by_bus = (gm_clock_first(clock, config->dram.latency) / a_burst + 1) *
                      gm_dram_pseudo_channels(config);
    uint64_t by_banks = (config->dram.latency + 1) * config->memory.banks;
    return smaller(by_bus, by_banks);
}

/* Returns the requests that wait: those of the queue, and with dram.bank_turns one in each bank. */
static uint64_t most_waiting(const gm_config *config)
{
    return config->dram.queue + (config->dram.bank_turns ? gm_dram_banks(config) : 0);
}

size_t gm_gddr5_bytes(const gm_config *config)
{
    size_t capacity = most_waiting(config) + most_in_flight(config);
    size_t slots = capacity + config->dram.return_queue;
    return slots * (sizeof(gm_gddr5_slot) + sizeof(uint32_t)) +
           gm_ring_places((uint32_t)capacity) * (sizeof(gm_gddr5_arrival) + sizeof(gm_cycle)) +
           gm_dram_banks(config) * (sizeof(gm_gddr5_bank) + sizeof(gm_gddr5_plan)) +
           (config->dram.bank_groups + 1) * sizeof(gm_cycle) + gm_dram_parts_bytes(config) +
           config->memory.banks * sizeof(gm_gddr5_returns) + ARRAYS * ALIGNMENT;
}

static int check_parameters(const gm_config *config, gm_error *error)
{
    if (gm_dram_banks(config) == 0 || gm_dram_banks(config) > GM_GDDR5_BANKS) {
        return gm_fail(error, -EINVAL, "dram.banks: %" PRIu64 ": 1 to %d are possible",
                       gm_dram_banks(config), GM_GDDR5_BANKS);
    }
    if (!gm_is_power_of_two(config->dram.bank_groups)) {
        return gm_fail(error, -EINVAL, "dram.bank_groups: %" PRIu64 ": a power of two is needed",
                       config->dram.bank_groups);
    }
    if (!gm_is_power_of_two(config->dram.burst) || config->dram.burst < GM_SECTOR ||
        config->dram.burst > config->dram.row) {
        return gm_fail(error, -EINVAL,
                       "dram.burst: %" PRIu64 ": a power of two, 32 to dram.row (%" PRIu64
                       "), is needed",
                       config->dram.burst, config->dram.row);
    }
    if (config->dram.row % config->l2.line != 0) {
        return gm_fail(error, -EINVAL,
                       "dram.row: %" PRIu64 ": a multiple of l2.line (%" PRIu64 ") is needed",
                       config->dram.row, config->l2.line);
    }
    if (config->dram.queue == 0 || config->dram.return_queue == 0) {
        return gm_fail(error, -EINVAL, "%s: 0: at least 1 is needed",
                       config->dram.queue == 0 ? "dram.queue" : "dram.return_queue");
    }
    return gm_dram_map_check(config, error);
}

/* Returns the distances of the configuration. Read to write as in GPGPU-Sim: two cycles after the
 * read's data, in which the bus changes direction. */
static gm_gddr5_timing timing_of(const gm_config *config)
{
    enum { TURN_ROUND = 2 };
    uint64_t burst = config->dram.burst_cycles;
    uint64_t tccd = config->dram.tccd;
    uint64_t read_end = config->dram.tcl + burst;
    uint64_t write_end = config->dram.twl + burst;
    uint64_t turned = read_end + TURN_ROUND;
    uint64_t write_after = turned > config->dram.twl ? turned - config->dram.twl : 0;
    return (gm_gddr5_timing){
        .same_kind = larger(tccd, burst),
        .same_group = larger(config->dram.tccdl, tccd),
        .read_to_write = larger(write_after, tccd),
        .write_to_read = larger(write_end + config->dram.tcdlr, tccd),
        .read_data = read_end,
        .row_to_column = config->dram.trcd,
        .write_before = config->dram.trcdw != 0 && config->dram.trcdw < config->dram.trcd
                            ? config->dram.trcd - config->dram.trcdw
                            : 0,
        .row_to_row = config->dram.trc,
        .row_to_row_any = config->dram.trrd,
        .row_to_precharge = config->dram.tras,
        .read_to_precharge = config->dram.trtp,
        .write_to_precharge = write_end + config->dram.twr,
        .precharge_to_row = config->dram.trp,
        .burst = burst,
    };
}

static bool take_arrays(gm_gddr5 *channel, gm_arena *arena)
{
    uint32_t places = gm_ring_places(channel->capacity);
    channel->slot = gm_arena_take(arena, channel->slots, sizeof *channel->slot);
    channel->slot_next = gm_arena_take(arena, channel->slots, sizeof *channel->slot_next);
    channel->arrival = gm_arena_take(arena, places, sizeof *channel->arrival);
    channel->leaving = gm_arena_take(arena, places, sizeof *channel->leaving);
    channel->bank = gm_arena_take(arena, channel->bank_count, sizeof *channel->bank);
    channel->plan = gm_arena_take(arena, channel->bank_count, sizeof *channel->plan);
    channel->group = gm_arena_take(arena, (size_t)channel->groups + 1, sizeof *channel->group);
    channel->ready = gm_arena_take(arena, channel->l2_banks, sizeof *channel->ready);
    return channel->ready != NULL && channel->group != NULL && channel->plan != NULL &&
           channel->bank != NULL && channel->leaving != NULL && channel->arrival != NULL &&
           channel->slot_next != NULL && channel->slot != NULL;
}

int gm_gddr5_init(gm_gddr5 *channel, const gm_config *config, gm_arena *arena, gm_error *error)
{
    int code = check_parameters(config, error);
    if (code < 0) {
        return code;
    }
    *channel = (gm_gddr5){
        .clock = gm_clock_make(config->clock.core, config->clock.dram),
        .timing = timing_of(config),
        .map = gm_dram_map_make(config),
        .bank_count = (uint32_t)gm_dram_banks(config),
        .buses = (uint32_t)gm_dram_pseudo_channels(config),
        .groups = (uint32_t)config->dram.bank_groups,
        .commits = config->dram.commit_row,
        .turns = config->dram.entry_turns,
        .bank_turns = config->dram.bank_turns,
        .group_mask = (uint32_t)config->dram.bank_groups - 1,
        .burst_shift = gm_log2_floor(config->dram.burst / GM_SECTOR),
        .burst_mask = (uint32_t)smaller(config->dram.burst / GM_SECTOR, LINE_SECTORS) - 1,
        .latency = (uint32_t)larger(config->dram.latency, 1),
        .capacity = (uint32_t)(most_waiting(config) + most_in_flight(config)),
        .queue = (uint32_t)config->dram.queue,
        .returns = (uint32_t)config->dram.return_queue,
        .slots =
            (uint32_t)(most_waiting(config) + most_in_flight(config) + config->dram.return_queue),
        .l2_banks = (uint32_t)config->memory.banks,
    };
    channel->state.in_flight = channel->state.leaving = gm_ring_make(channel->capacity);
    if (!take_arrays(channel, arena)) {
        return gm_fail(error, -ENOMEM, "out of memory: a DRAM channel");
    }
    for (uint32_t i = 0; i < channel->slots; i++) { /* all unused, in one list */
        channel->slot_next[i] = i + 1 < channel->slots ? i + 1 : GM_GDDR5_NONE;
    }
    const gm_gddr5_list empty = {GM_GDDR5_NONE, GM_GDDR5_NONE};
    for (uint32_t i = 0; i < channel->bank_count; i++) {
        channel->bank[i] = (gm_gddr5_bank){.hits = empty, .rest = empty, .plan = GM_GDDR5_NONE};
    }
    for (uint32_t i = 0; i < channel->l2_banks; i++) {
        channel->ready[i] = (gm_gddr5_returns){empty, GM_NEVER};
    }
    return gm_dram_parts_init(channel, config, arena, error);
}

static void count(gm_dram_statistics *statistics, uint32_t sectors, bool write)
{
    uint32_t number = gm_count_ones(sectors);
    statistics->requests++;
    statistics->bytes += (uint64_t)number * GM_SECTOR;
    *(write ? &statistics->writes : &statistics->reads) += number;
}

/* A request has been taken in a DRAM cycle of core cycle `now`: in the next cycle that of the next
 * L2 bank is. */
static void end_turn(gm_gddr5 *channel, uint32_t bank, gm_cycle now)
{
    channel->state.takes_from =
        larger(channel->state.takes_from, gm_clock_first(channel->clock, now)) + 1;
    channel->state.turn = bank + 1 == channel->l2_banks ? 0 : bank + 1;
}

void gm_gddr5_push(gm_gddr5 *channel, const gm_dram_request *request, gm_cycle now)
{
    uint32_t index = channel->state.unused;
    gm_gddr5_slot *slot = &channel->slot[index];
    channel->state.unused = channel->slot_next[index];
    slot->request = *request;
    slot->since = now;
    channel->arrival[gm_ring_push(&channel->state.in_flight)] = (gm_gddr5_arrival){
        .at = gm_clock_first(channel->clock, now + channel->latency), .slot = index};
    count(&channel->statistics, request->sectors, request->write);
    if (channel->turns) {
        end_turn(channel, request->bank, now);
    }
    gm_wake(channel->wake, now + channel->latency);
}

void gm_gddr5_count_write(gm_gddr5 *channel, uint64_t address, uint32_t sectors)
{
    (void)address; /* opens no row */
    count(&channel->statistics, sectors, true);
    channel->state.copied++;
}

const gm_cycle *gm_gddr5_data_cell(const gm_gddr5 *channel, uint32_t bank)
{
    return &channel->ready[bank].from;
}

const gm_dram_request *gm_gddr5_peek(const gm_gddr5 *channel, uint32_t bank, gm_cycle now)
{
    const gm_gddr5_returns *ready = &channel->ready[bank];
    return ready->from <= now ? &channel->slot[ready->list.head].request : NULL;
}

void gm_gddr5_pop(gm_gddr5 *channel, uint32_t bank, gm_cycle now)
{
    gm_gddr5_returns *ready = &channel->ready[bank];
    uint32_t index = ready->list.head;
    ready->list.head = channel->slot_next[index];
    ready->from = GM_NEVER;
    if (ready->list.head != GM_GDDR5_NONE) {
        ready->from = channel->slot[ready->list.head].ready;
    }
    channel->slot_next[index] = channel->state.unused;
    channel->state.unused = index;
    if (channel->state.reserved == channel->returns) {
        channel->state.answer_from = 0;
        channel->state.from[GM_GDDR5_NEXT_FIRST_READ] = channel->state.from[GM_GDDR5_NEXT_READ];
        gm_wake(channel->wake, now + 1); /* a read may wait for the room */
    }
    channel->state.reserved--;
}

void gm_gddr5_step(gm_gddr5 *channel, gm_cycle now)
{
    gm_clock clock = channel->clock;
    gm_cycle end = gm_clock_first(clock, now + 1);
    gm_cycle from = gm_clock_first(clock, now);
    gm_cycle horizon = gm_clock_first(clock, now + channel->latency);
    gm_cycle next = channel->parts == NULL ? gm_gddr5_schedule(channel, from, end, horizon)
                                           : gm_dram_parts_schedule(channel, from, end, horizon);
    gm_wake(channel->wake, gm_clock_core(clock, next));
    channel->time.dram_busy = channel->time.dram_bursts * channel->timing.burst;
    gm_gddr5_leave(channel, end); /* also those of this cycle: the channel may be idle after it */
    const gm_ring *leaving = &channel->state.leaving;
    if (!gm_ring_is_empty(leaving) && channel->state.queued == 0 &&
        gm_ring_is_empty(&channel->state.in_flight)) {
        gm_cycle last = channel->leaving[gm_ring_place(leaving, gm_ring_count(leaving) - 1)];
        gm_wake(channel->wake, gm_clock_core(clock, last)); /* the channel is empty then */
    }
}

void gm_gddr5_settle(gm_gddr5 *channel, gm_cycle now)
{
    gm_cycle end = gm_clock_first(channel->clock, now);
    channel->time.dram_cycles = end * channel->buses;
    if (channel->parts != NULL) {
        gm_dram_parts_refresh(channel, end);
    }
}

bool gm_gddr5_idle(const gm_gddr5 *channel)
{
    return gm_ring_is_empty(&channel->state.in_flight) && channel->state.queued == 0 &&
           gm_ring_is_empty(&channel->state.leaving) && channel->state.reserved == 0;
}

static int equal(uint64_t left, uint64_t right, const char *text, gm_error *error)
{
    if (left == right) {
        return 0;
    }
    return gm_fail(error, -EPROTO, "DRAM channel: %s: %" PRIu64 " and %" PRIu64, text, left, right);
}

typedef struct conservation_law {
    uint64_t left, right;
    const char *text;
} conservation_law;

static int check_conservation(const conservation_law *laws, size_t count, gm_error *error)
{
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        code = equal(laws[i].left, laws[i].right, laws[i].text, error);
    }
    return code;
}

int gm_gddr5_check_running(const gm_gddr5 *channel, gm_error *error)
{
    const gm_dram_statistics *dram = &channel->statistics;
    const gm_time_statistics *time = &channel->time;
    uint64_t open = 0;
    for (uint32_t i = 0; i < channel->bank_count; i++) {
        open += channel->bank[i].open != 0;
    }
    const conservation_law laws[] = {
        {time->dram_activates, time->dram_precharges + open,
         "dram_activates = dram_precharges + open rows"},
        {time->dram_busy, time->dram_bursts * channel->timing.burst,
         "dram_busy = dram_bursts * dram.burst_cycles"},
        {dram->bytes, (dram->reads + dram->writes) * GM_SECTOR, "bytes = (reads + writes) * 32"},
    };
    return check_conservation(laws, sizeof laws / sizeof *laws, error);
}

int gm_gddr5_check(const gm_gddr5 *channel, gm_error *error)
{
    const gm_dram_statistics *dram = &channel->statistics;
    const conservation_law laws[] = {
        {gm_ring_count(&channel->state.in_flight), 0, "requests in flight = 0"},
        {channel->state.queued + gm_ring_count(&channel->state.leaving), 0,
         "requests in the queue = 0"},
        {channel->state.reserved, 0, "reads that their L2 bank has not taken = 0"},
        {dram->row_hits + channel->time.dram_activates + channel->state.copied,
         dram->requests + (channel->parts != NULL ? channel->parts->reopened : 0),
         "row_hits + dram_activates + host copies' = requests + rows opened again after a refresh"},
    };
    int code = check_conservation(laws, sizeof laws / sizeof *laws, error);
    return code < 0 ? code : gm_gddr5_check_running(channel, error);
}

static void describe(const gm_dram_request *request, const char *where, char *text, size_t size)
{
    (void)snprintf(text, size, "DRAM %s of address 0x%" PRIx64 " for L2 bank %u: %s",
                   request->write ? "write" : "read", request->address, request->bank, where);
}

static void older(const gm_gddr5_slot *slot, const char *where, gm_cycle *oldest, char *text,
                  size_t size)
{
    if (slot->since < *oldest) {
        *oldest = slot->since;
        describe(&slot->request, where, text, size);
    }
}

/* Lowers *oldest to the oldest request of a list, and describes that request in `text`. */
static void oldest_of(const gm_gddr5 *channel, const gm_gddr5_list *list, const char *where,
                      gm_cycle *oldest, char *text, size_t size)
{
    for (uint32_t at = list->head; at != GM_GDDR5_NONE; at = channel->slot_next[at]) {
        older(&channel->slot[at], where, oldest, text, size);
    }
}

gm_cycle gm_gddr5_oldest(const gm_gddr5 *channel, char *text, size_t size)
{
    gm_cycle oldest = GM_NEVER;
    for (uint32_t i = 0; i < channel->l2_banks; i++) {
        oldest_of(channel, &channel->ready[i].list, "its data wait for the bank", &oldest, text,
                  size);
    }
    const char *queue = "in the channel's queue";
    for (uint32_t i = 0; i < channel->bank_count; i++) {
        oldest_of(channel, &channel->bank[i].hits, queue, &oldest, text, size);
        oldest_of(channel, &channel->bank[i].rest, queue, &oldest, text, size);
    }
    const gm_ring *in_flight = &channel->state.in_flight;
    if (!gm_ring_is_empty(in_flight)) {
        older(&channel->slot[channel->arrival[gm_ring_first(in_flight)].slot],
              "on its way to the channel's queue", &oldest, text, size);
    }
    return oldest;
}

void gm_gddr5_snapshot(gm_gddr5 *channel, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_ARRAY(snapshot, channel->arrival, gm_ring_places(channel->capacity));
    GM_SNAPSHOT_ARRAY(snapshot, channel->slot, channel->slots);
    GM_SNAPSHOT_ARRAY(snapshot, channel->slot_next, channel->slots);
    GM_SNAPSHOT_ARRAY(snapshot, channel->bank, channel->bank_count);
    GM_SNAPSHOT_ARRAY(snapshot, channel->plan, channel->bank_count);
    GM_SNAPSHOT_ARRAY(snapshot, channel->group, channel->groups);
    GM_SNAPSHOT_ARRAY(snapshot, channel->leaving, gm_ring_places(channel->capacity));
    GM_SNAPSHOT_ARRAY(snapshot, channel->ready, channel->l2_banks);
    GM_SNAPSHOT_VALUE(snapshot, channel->state);
    GM_SNAPSHOT_VALUE(snapshot, channel->statistics);
    GM_SNAPSHOT_VALUE(snapshot, channel->time);
    if (channel->parts != NULL) {
        gm_dram_parts_snapshot(channel, snapshot);
    }
}
