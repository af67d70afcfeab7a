/* L2 bank with time under random requests: its counts are those of cache/l2.c when each
 * request is answered before the next comes; and whatever the queues and the pressure from behind,
 * each request is answered once, those of an SM for a line in order (without l2.answer_beside),
 * with the same bytes whether the bank is visited in every cycle or only when it is due. */
#include "cache/l2_bytes.h"
#include "cache/l2_parts.h"
#include "cache/streaming.h"
#include "goldmem/bits.h"
#include "order/memory_side.h"
#include "support/cycle/l2/l2_world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 600, SMS = 3, MOST_LINES = 62, TOO_LATE = 2000000 };

static uint64_t one_of(test_random *random, const uint64_t *values, unsigned count)
{
    return values[test_random_below(random, count)];
}

#define ONE_OF(random, ...)                                                                        \
    one_of(random, (const uint64_t[]){__VA_ARGS__},                                                \
           sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* A small cache of any shape. */
static void random_cache(gm_config *config, test_random *random)
{
    gm_config_defaults(config);
    config->memory.partitions = ONE_OF(random, 1, 2, 3);
    config->memory.banks = ONE_OF(random, 1, 2);
    uint64_t banks = config->memory.partitions * config->memory.banks;
    config->l2.ways = ONE_OF(random, 1, 2, 4, 16, 20);
    config->l2.size = banks * ONE_OF(random, 1, 2, 4) * config->l2.ways * config->l2.line;
    if (test_random_below(random, 6) == 0) {
        config->l2.ways = GM_FULL;
    } else if (test_random_below(random, 6) == 0) {
        config->l2.size = GM_UNBOUNDED;
    }
    config->l2.sectored = ONE_OF(random, 0, 1);
    config->l2.replacement = (gm_replacement)ONE_OF(random, GM_REPLACE_LRU, GM_REPLACE_FIFO,
                                                    GM_REPLACE_SRRIP, GM_REPLACE_SHIP);
    if (config->l2.ways == GM_FULL && config->l2.size > banks * 32 * config->l2.line) {
        config->l2.replacement = GM_REPLACE_LRU; /* the others take 32 ways at most */
    }
    config->l2.fetch_on_write = (gm_fetch_policy)ONE_OF(random, GM_FETCH_ALWAYS, GM_FETCH_PARTIAL,
                                                        GM_FETCH_THROUGH, GM_FETCH_LAZY);
    if (config->l2.fetch_on_write == GM_FETCH_LAZY) {
        config->l2.sectored = true;
        config->l2.fetch_on_write =
            config->l2.size == GM_UNBOUNDED ? GM_FETCH_PARTIAL : GM_FETCH_LAZY;
    }
    if (config->l2.size != GM_UNBOUNDED && ONE_OF(random, 0, 0, 0, 1) != 0) {
        config->l2.dirty = GM_DIRTY_BYTE;
        config->l2.fetch_on_write = GM_FETCH_LAZY;
        config->l2.size = config->l2.size / config->l2.line * 32;
        config->l2.line = 32;
        config->l1.local_write = GM_WRITE_THROUGH;
    }
    if (config->l2.fetch_on_write == GM_FETCH_LAZY && config->l2.dirty == GM_DIRTY_SECTOR &&
        ONE_OF(random, 0, 1) != 0) {
        config->l2.dirty = GM_DIRTY_PARTS;
        config->sm.coalesce = GM_COALESCE_SECTOR;
        config->l1.local_write = GM_WRITE_THROUGH;
    }
    config->clock.l2 = ONE_OF(random, 350, 700, 1000, 1400);
    config->l2.port = ONE_OF(random, 0, 0, 1, 32, 50, 1024);
    config->l2.streaming = config->l2.size != GM_UNBOUNDED && config->l2.dirty == GM_DIRTY_SECTOR &&
                           ONE_OF(random, 0, 1) != 0;
    if (config->l2.size != GM_UNBOUNDED && !config->l2.streaming) {
        config->l2.bypass = (gm_l2_bypass)ONE_OF(random, GM_L2_BYPASS_NONE, GM_L2_BYPASS_COALESCED);
    }
    config->l2.answer_beside = !config->l2.streaming && config->l2.bypass == GM_L2_BYPASS_NONE &&
                               ONE_OF(random, 0, 1) != 0;
}

/* An atomic buffer in half of the banks that can have one. */
static void random_buffer(gm_config *config, test_random *random)
{
    config->l2.atomic_buffer =
        !config->l2.streaming && !config->l2.answer_beside && config->l2.size != GM_UNBOUNDED &&
        config->l2.dirty != GM_DIRTY_PARTS && test_random_below(random, 2) == 0;
}

/* Closes a gate for the rest of a run. */
static void close_gate(gm_streaming *streaming)
{
    streaming->block.closed = true;
    streaming->statistics.closings = streaming->statistics.first_closed = 1;
}

/* A request for one of `lines` lines of the bank. */
static gm_packet random_packet(const world *w, test_random *random, uint64_t lines)
{
    static const uint8_t kinds[] = {GM_MESSAGE_READ,       GM_MESSAGE_READ,   GM_MESSAGE_WRITE,
                                    GM_MESSAGE_WRITE_BACK, GM_MESSAGE_ATOMIC, GM_MESSAGE_REDUCTION,
                                    GM_MESSAGE_INSTRUCTION};
    gm_location at = {w->bank.partition, w->bank.bank, test_random_below(random, lines)};
    const bool bytes = w->config.l2.dirty == GM_DIRTY_BYTE;
    gm_packet packet = {
        .line = gm_address_map_line(&w->shared.map, at),
        .sectors = bytes ? 1 : (uint32_t)test_random_below(random, 15) + 1,
        .kind = kinds[test_random_below(random, sizeof kinds)],
        .sm = (uint16_t)test_random_below(random, SMS),
    };
    const bool parts_known = w->config.l2.dirty == GM_DIRTY_PARTS;
    if (parts_known && (packet.kind == GM_MESSAGE_WRITE_BACK || ONE_OF(random, 0, 1))) {
        packet.kind = GM_MESSAGE_WRITE; /* its L1s do not write back */
    }
    if (bytes && packet.kind >= GM_MESSAGE_WRITE && packet.kind <= GM_MESSAGE_REDUCTION) {
        uint32_t mask = (uint32_t)test_random_next(random) | (uint32_t)ONE_OF(random, 0, 15, 240);
        packet.bytes = mask == 0 || ONE_OF(random, 0, 1, 2) == 0 ? UINT32_MAX : mask;
    } else if (packet.kind == GM_MESSAGE_WRITE && parts_known) {
        packet.sectors &= ~packet.sectors + 1;
        packet.bytes = ONE_OF(random, 0, 1, 2) ? UINT32_C(0xffff) << ONE_OF(random, 0, 16)
                                               : (uint32_t)test_random_next(random) | 1;
    } else if (packet.kind == GM_MESSAGE_WRITE) {
        packet.whole = packet.sectors & (uint32_t)test_random_next(random);
    } else if (packet.kind == GM_MESSAGE_WRITE_BACK) {
        packet.whole = packet.sectors;
    } else if (packet.kind == GM_MESSAGE_READ) {
        packet.fills = ONE_OF(random, 0, 1) ? packet.sectors : 0;
        if (packet.fills == 0 && w->config.l2.atomic_buffer && ONE_OF(random, 0, 1, 1) != 0) {
            packet.flags = GM_PACKET_STRONG;
        }
    }
    return packet;
}

static uint32_t some_bank(const gm_config *config, test_random *random)
{
    return (uint32_t)test_random_below(random, config->memory.partitions * config->memory.banks);
}

static unsigned gates;             /* compared */
static uint64_t bypassing;         /* coalesced loads that bypassed */
static uint64_t masked, completed; /* writes with a mask, fetches of partial lines */
static uint64_t parts;             /* sectors that stores of parts have made whole */
static uint64_t buffered, loaded;  /* operations that hit in an atomic buffer; strong loads of these
                                    */

/* Ends a kernel, and compares the atomic buffers of both engines, if the banks have them. */
static void end_kernel(world *w, gm_memory_side *memory)
{
    gm_l2_bank_end_kernel(&w->bank);
    gm_memory_side_end_kernel(memory);
    const gm_atomic_unit *unit = w->bank.l2.atomics;
    const gm_atomic_unit *order = memory->bank[w->bank.number].atomics;
    if (unit != NULL) {
        assert_memory_equal(&unit->statistics, &order->statistics, sizeof unit->statistics);
        buffered += unit->statistics.hits;
        loaded += unit->statistics.load_hits;
    }
}

/* Returns the sectors of a bank's lines that are whole by stores which have written parts. */
static uint64_t count_written(const gm_l2 *l2)
{
    uint64_t count = 0;
    for (uint32_t slot = 0; slot < gm_cache_slots(&l2->cache); slot++) {
        for (uint32_t sector = 0; sector < l2->parts->sectors; sector++) {
            count += (l2->cache.way[slot].state.dirty & ~l2->partial[slot]) >> sector & 1 &&
                     l2->parts->written[slot * l2->parts->sectors + sector] == UINT32_MAX;
        }
    }
    return count;
}

/* Sends equal messages, one at a time, to a timed bank and to one of the order engine: their
 * counters agree. */
static void compare_counts(test_random *random)
{
    world *w = test_calloc(1, sizeof *w);
    gm_memory_side *memory = test_calloc(1, sizeof *memory);
    gm_batch *batch = test_calloc(1, sizeof *batch);
    gm_error error;
    random_cache(&w->config, random);
    random_buffer(&w->config, random);
    w->config.gpu.sampling_period = 1000000;
    w->dram_latency = 50;
    uint32_t number = some_bank(&w->config, random);
    world_make(w, number);
    test_ok(gm_memory_side_init(memory, &w->config, &error), error);
    uint64_t lines = 2 + test_random_below(random, MOST_LINES - 2);
    gm_cycle now = 0;
    batch->count = 1;
    gm_streaming *gate = w->bank.l2.streaming;
    for (unsigned i = 0; i < REQUESTS; i++) {
        if (gate != NULL && i == REQUESTS / 3) {
            close_gate(gate);
            close_gate(memory->bank[number].streaming);
        }
        gm_packet packet = random_packet(w, random, lines);
        if (test_random_below(random, 10) == 0) {
            packet.kind = ONE_OF(random, 0, 1) ? GM_MESSAGE_INSTALL : GM_MESSAGE_DISCARD;
            packet.flags = 0;
            gm_l2_bank_copy(&w->bank, packet.kind, packet.line, packet.sectors, 0);
        } else {
            world_bring(w, now + 1, packet);
            for (unsigned wanted = w->sent_count + 1; w->sent_count < wanted; now++) {
                world_step(w, now);
                assert_true(now < TOO_LATE);
            }
        }
        batch->message[0] = (gm_message){.line = packet.line,
                                         .sectors = packet.sectors,
                                         .whole = packet.whole,
                                         .strong = (packet.flags & GM_PACKET_STRONG) != 0,
                                         .kind = packet.kind};
        gm_memory_side_run(memory, batch);
        if (test_random_below(random, 100) == 0) {
            end_kernel(w, memory);
        }
        if (memory->bank[number].parts != NULL && i % 20 == 0) {
            parts += count_written(&memory->bank[number]);
        }
    }
    for (gm_cycle end = now + 10; now < end; now++) {
        world_step(w, now);
    }
    end_kernel(w, memory);
    test_ok(gm_l2_bank_check(&w->bank, &error), error);
    const gm_l2 *order = &memory->bank[number];
    if (gate != NULL) {
        gates++;
        assert_memory_equal(&gate->statistics, &order->streaming->statistics,
                            sizeof gate->statistics);
    }
    assert_memory_equal(&w->bank.l2.statistics, &order->statistics, sizeof order->statistics);
    assert_memory_equal(&w->bank.l2.coalesced, &order->coalesced, sizeof order->coalesced);
    bypassing += order->coalesced.bypassed;
    if (order->bytes != NULL) {
        assert_memory_equal(&w->bank.l2.bytes->statistics, &order->bytes->statistics,
                            sizeof order->bytes->statistics);
        assert_memory_equal(w->bank.l2.bytes->mask, order->bytes->mask,
                            gm_cache_slots(&order->cache) * sizeof *order->bytes->mask);
        masked += order->bytes->statistics.masked;
        completed += order->bytes->statistics.completed;
    }
    if (order->partial != NULL) {
        assert_memory_equal(w->bank.l2.partial, order->partial,
                            gm_cache_slots(&order->cache) * sizeof *order->partial);
    }
    assert_memory_equal(&w->bank.l2.received, &order->received, sizeof order->received);
    assert_int_equal(w->bank.l2.dirtied, order->dirtied);
    assert_int_equal(w->bank.l2.dirty_sectors, order->dirty_sectors);
    assert_int_equal(w->bank.l2.overwritten, order->overwritten);
    assert_int_equal(w->bank.l2.through, order->through);
    uint64_t sectors[2] = {0, w->copied};
    for (uint32_t i = 0; i < w->dram_count; i++) {
        sectors[w->dram[i].request.write] += gm_count_ones(w->dram[i].request.sectors);
    }
    const gm_dram_statistics *dram = &memory->channel[w->bank.partition].statistics;
    assert_int_equal(sectors[0], dram->reads);
    assert_int_equal(sectors[1], dram->writes);
    gm_memory_side_free(memory);
    world_free(w);
    test_free(batch);
    test_free(memory);
    test_free(w);
}

static bool all_was_there(void)
{
    return gates > 10 && bypassing > 200 && masked > 400 && completed > 40 && buffered > 200 &&
           loaded > 50 && parts > 200;
}

static void counts_of_the_order_engine(void **state)
{
    (void)state;
    test_random random = test_random_start(11);
    for (unsigned i = 0; i < 60 || !all_was_there(); i++) {
        compare_counts(&random);
        assert_true(i < 600);
    }
}

/* How a run is made; the results must not depend on it. */
typedef struct manner {
    bool every_cycle; /* visited although nothing is due */
    bool retry;       /* the oldest packet is looked up in every L2 cycle */
    bool in_turn;     /* nothing is pushed ahead */
    gm_cycle save;    /* every so many core cycles, goes on in a bank loaded from a snapshot */
} manner;

static void random_queues(gm_config *config, test_random *random)
{
    config->l2.queue = ONE_OF(random, 1, 2, 64);
    config->l2.reply_queue = ONE_OF(random, 1, 2, 64);
    config->l2.dram_queue = ONE_OF(random, 1, 2, 3, 64);
    config->l2.mshrs = ONE_OF(random, 1, 2, 5, 32);
    config->l2.merges = ONE_OF(random, 1, 2, 8);
    config->l2.latency = ONE_OF(random, 0, 1, 120);
    config->l2.atomic_interval = ONE_OF(random, 1, 7);
    config->gpu.sms = SMS; /* 0 and 1 are near to the first half */
    config->l2.halves =
        config->memory.partitions == 2 && !config->l2.answer_beside ? ONE_OF(random, 1, 2) : 1;
    config->l2.far_latency = ONE_OF(random, 0, 1, 50);
    config->l2.copies =
        config->l2.halves == 2 && config->l2.size != GM_UNBOUNDED && ONE_OF(random, 0, 1) == 1;
}

/* A bank whose gate, if it has one, closes and opens often. */
static void make_bank(world *w, uint32_t number)
{
    world_make(w, number);
    if (w->bank.l2.streaming != NULL) {
        w->bank.l2.streaming->block.parameters.threshold =
            50 + (unsigned)(w->config.gpu.sampling_period % 40);
        w->bank.l2.streaming->block.parameters.least = 4;
    }
}

/* A new bank takes the place of the old. */
static void save_and_load(world *w)
{
    static gm_l2_bank old;
    FILE *file = tmpfile();
    assert_non_null(file);
    gm_snapshot out = {.file = file};
    gm_l2_bank_snapshot(&w->bank, &out);
    rewind(file);
    old = w->bank;
    gm_arena arena = w->arena;
    gm_cycle wake = w->wake;
    make_bank(w, old.number);
    w->wake = wake;
    gm_snapshot in = {.file = file, .loading = true};
    gm_l2_bank_snapshot(&w->bank, &in);
    assert_int_equal(in.failed, 0);
    assert_int_equal(in.sum, out.sum);
    assert_int_equal(in.bytes, out.bytes);
    fclose(file);
    gm_l2_bank_free(&old);
    gm_arena_free(&arena);
}

/* In blocks of 8 core cycles the others take nothing now and then. */
static bool closed(uint64_t seed, uint64_t which, gm_cycle now, unsigned of_four)
{
    uint64_t z = (seed + which * 977 + now / 8) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (z >> 40) % 4 < of_four;
}

/* Core cycles in which the delay and the queue held more than the queue could. */
static uint64_t more_than_queue;

/* When the delay has no place left, the queue behind it is the reason not to take another packet in
 * the next cycle. */
static void expect_room_in_delay(const gm_l2_bank *bank, gm_cycle now)
{
    const gm_ring *in = &bank->in;
    more_than_queue += gm_ring_count(in) > bank->shared->queue;
    if (!gm_ring_has_room(in)) {
        uint32_t number = bank->in_item[gm_ring_place(in, bank->shared->queued)];
        assert_true(bank->item[number].arrived + bank->shared->latency <= now + 1);
    }
}

/* Until every request is answered; the cycle of the end. */
static gm_cycle run(world *w, const manner *how, uint64_t seed, unsigned pressure)
{
    w->bank.pushes_ahead = w->bank.pushes_ahead && !how->in_turn;
    for (gm_cycle now = 0; now < TOO_LATE; now++) {
        world_close_channel(w, closed(seed, 1, now, pressure), now);
        world_close_replies(w, closed(seed, 2, now, pressure), now);
        if (how->every_cycle) {
            gm_wake(&w->wake, now);
        }
        if (how->retry) {
            gm_wake(&w->wake, now);
            gm_l2_bank_settle(&w->bank, now);
            gm_l2_bank_retry(&w->bank, gm_clock_first(w->shared.clock, now));
        }
        world_step(w, now);
        expect_room_in_delay(&w->bank, now);
        if (how->save != 0 && now % how->save == 0) {
            save_and_load(w);
        }
        if (w->sent_count == REQUESTS && gm_ring_is_empty(&w->bank.dram)) {
            return now + 1;
        }
    }
    char text[128] = "";
    gm_l2_bank_oldest(&w->bank, text, sizeof text);
    fail_msg("%u of %d requests answered: %s", w->sent_count, REQUESTS, text);
    return 0;
}

/* Each once; those of an SM for a line in their order, but for hits that overtake the answers to
 * requests that waited for the line (l2.answer_beside). */
static void expect_each_in_order(const world *w)
{
    static bool seen[REQUESTS];
    static uint32_t next[SMS][MOST_LINES]; /* least id of the next response */
    memset(seen, 0, sizeof seen);
    memset(next, 0, sizeof next);
    for (uint32_t i = 0; i < w->sent_count; i++) {
        const gm_packet *packet = &w->sent[i].packet;
        assert_true(packet->id < REQUESTS && !seen[packet->id]);
        seen[packet->id] = true;
        assert_int_equal(packet->line, w->coming[packet->id].packet.line);
        uint32_t *least =
            &next[packet->sm][gm_address_map_locate(&w->shared.map, packet->line).line];
        assert_true(w->config.l2.answer_beside || *least <= packet->id);
        *least = packet->id + 1;
    }
}

/* What is counted as written back, or through, has gone to the channel. */
static void expect_written(const world *w)
{
    uint64_t sectors = 0;
    for (uint32_t i = 0; i < w->dram_count; i++) {
        sectors += w->dram[i].request.write ? gm_count_ones(w->dram[i].request.sectors) : 0;
    }
    const uint64_t *back = w->bank.l2.statistics.sectors_written_back;
    assert_int_equal(sectors, back[0] + back[1] + back[2] + back[3] + w->bank.l2.through);
}

static void expect_same(const world *a, const world *b)
{
    assert_int_equal(a->sent_count, b->sent_count);
    for (uint32_t i = 0; i < a->sent_count; i++) {
        assert_int_equal(a->sent[i].packet.id, b->sent[i].packet.id);
        assert_int_equal(a->sent[i].at, b->sent[i].at);
    }
    assert_int_equal(a->dram_count, b->dram_count);
    for (uint32_t i = 0; i < a->dram_count; i++) {
        assert_int_equal(a->dram[i].request.address, b->dram[i].request.address);
        assert_int_equal(a->dram[i].request.sectors, b->dram[i].request.sectors);
        assert_int_equal(a->dram[i].at, b->dram[i].at);
    }
}

static void expect_same_state(world *a, world *b, gm_cycle end)
{
    gm_l2_bank_settle(&a->bank, end);
    gm_l2_bank_settle(&b->bank, end);
    gm_snapshot left = {.file = tmpfile()};
    gm_snapshot right = {.file = tmpfile()};
    gm_l2_bank_snapshot(&a->bank, &left);
    gm_l2_bank_snapshot(&b->bank, &right);
    assert_int_equal(left.bytes, right.bytes);
    assert_int_equal(left.sum, right.sum);
    fclose(left.file);
    fclose(right.file);
}

static uint64_t closings, openings, bypassed; /* of gates */
static uint64_t hits, loads, in_place;        /* of atomic buffers; loads: hits of strong ones */

static void play(test_random *random)
{
    gm_error error;
    world *first = test_calloc(1, sizeof *first);
    random_cache(&first->config, random);
    random_buffer(&first->config, random);
    random_queues(&first->config, random);
    first->config.gpu.sampling_period = 64 + test_random_below(random, 3000);
    first->dram_latency = 1 + test_random_below(random, 200);
    first->dram_variation = (uint32_t)ONE_OF(random, 0, 300);
    make_bank(first, some_bank(&first->config, random));
    uint64_t lines = 2 + test_random_below(random, MOST_LINES - 2);
    gm_cycle at = 0;
    unsigned gap = (unsigned)ONE_OF(random, 2, 10, 300);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        gm_packet packet = random_packet(first, random, lines);
        packet.id = i;
        at += test_random_below(random, gap);
        world_bring(first, at, packet);
    }
    uint64_t seed = test_random_next(random);
    unsigned pressure = (unsigned)test_random_below(random, 4);
    gm_cycle end = run(first, &(manner){0}, seed, pressure);
    expect_each_in_order(first);
    expect_written(first);
    if (first->bank.l2.streaming != NULL) {
        closings += first->bank.l2.streaming->statistics.closings;
        bypassed += first->bank.l2.streaming->statistics.loads_bypassed;
        openings += first->bank.l2.streaming->statistics.openings;
    }
    const manner others[] = {
        {.every_cycle = true}, {.retry = true}, {.save = 1 + end / 64}, {.in_turn = true}};
    for (unsigned i = 0; i < 4 - (pressure != 0); i++) { /* a channel that closes is no channel */
        world *other = test_calloc(1, sizeof *other);
        other->config = first->config;
        other->dram_latency = first->dram_latency;
        other->dram_variation = first->dram_variation;
        make_bank(other, first->bank.number);
        for (uint32_t j = 0; j < REQUESTS; j++) {
            world_bring(other, first->coming[j].at, first->coming[j].packet);
        }
        assert_int_equal(run(other, &others[i], seed, pressure), end);
        expect_same(first, other);
        if (!others[i].in_turn) {
            expect_same_state(first, other, end);
        }
        expect_written(other);
        gm_l2_bank_end_kernel(&other->bank);
        test_ok(gm_l2_bank_check(&other->bank, &error), error);
        world_free(other);
        test_free(other);
    }
    if (first->bank.l2.atomics != NULL) {
        hits += first->bank.l2.atomics->statistics.hits;
        loads += first->bank.l2.atomics->statistics.load_hits;
        in_place += first->bank.l2.atomics->statistics.in_place;
    }
    world_free(first);
    test_free(first);
}

static bool all_was_played(void)
{
    return more_than_queue > 10000 && hits > 50 && loads > 20 && in_place > 10 && closings > 40 &&
           openings > 20 && bypassed > 500;
}

static void any_pressure_and_any_visits(void **state)
{
    (void)state;
    test_random random = test_random_start(12);
    for (unsigned i = 0; i < 80 || !all_was_played(); i++) {
        play(&random);
        assert_true(i < 800);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_the_order_engine),
        cmocka_unit_test(any_pressure_and_any_visits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
