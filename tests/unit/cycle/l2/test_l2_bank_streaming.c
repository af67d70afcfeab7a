/* Streaming bypass of an L2 bank with time [khairy, 4.1], worked by hand: what a closed gate does
 * to loads, stores, atomics and tags. docs/streaming.md has the rules; times as in test_l2_bank.c.
 */
#include "cache/streaming.h"
#include "support/cycle/l2/l2_by_hand.h"

static int setup(void **state)
{
    test_fixture *f = make_two_lines();
    f->w.config.l2.streaming = true;
    *state = f;
    return 0;
}

static void turn(test_fixture *f, bool closed)
{
    gm_streaming *streaming = f->w.bank.l2.streaming;
    streaming->statistics.closings += closed && !streaming->block.closed;
    streaming->statistics.openings += !closed && streaming->block.closed;
    streaming->statistics.first_closed = 1;
    streaming->block.closed = closed;
}

static void bring(test_fixture *f, gm_cycle at, gm_message_kind kind, uint64_t line,
                  uint32_t sectors)
{
    bring_packet(f, at, kind, line, sectors, kind == GM_MESSAGE_READ ? 0 : sectors);
}

static void expect_gate(const test_fixture *f, uint64_t accesses, uint64_t misses, uint64_t loads,
                        uint64_t stores, uint64_t tags)
{
    const gm_streaming_statistics *counts = &f->w.bank.l2.streaming->statistics;
    assert_int_equal(counts->accesses, accesses);
    assert_int_equal(counts->misses, misses);
    assert_int_equal(counts->loads_bypassed, loads);
    assert_int_equal(counts->stores_bypassed, stores);
    assert_int_equal(counts->tags_taken, tags);
}

static void finish(test_fixture *f, uint32_t answers)
{
    run_out(f, answers);
    assert_int_equal(f->w.bank.bypassing, 0);
}

/* Loads read their sectors, not lines, and leave none; stores write DRAM and are answered at once.
 * The tags know the lines: a load hits the tag that a store took. */
static void loads_and_stores(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 400, GM_MESSAGE_READ, 1, 0x8);
    bring(f, 800, GM_MESSAGE_WRITE, 2, 0x6);
    bring(f, 1200, GM_MESSAGE_WRITE_BACK, 2, 0x1);
    bring(f, 1600, GM_MESSAGE_READ, 2, 0x1);
    finish(f, 5);
    expect_sent(f, 0, 0, 10 + MISS);
    expect_sent(f, 1, 1, 400 + MISS);
    expect_sent(f, 2, 2, 800 + HIT);
    expect_sent(f, 3, 3, 1200 + HIT);
    expect_sent(f, 4, 4, 1600 + MISS);
    expect_dram(f, 0, false, 1, 0x1);
    expect_dram(f, 1, false, 1, 0x8);
    expect_dram(f, 2, true, 2, 0x6);
    expect_dram(f, 3, true, 2, 0x1);
    expect_dram(f, 4, false, 2, 0x1);
    assert_int_equal(f->w.dram_count, 5);
    expect_gate(f, 5, 2, 3, 2, 2);
    assert_int_equal(held(f, 1) | held(f, 2), 0);
    assert_int_equal(f->w.bank.l2.through, 3);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 0);
    assert_int_equal(f->w.bank.l2.statistics.sectors_filled[GM_LOAD], 3);
    assert_int_equal(f->w.bank.time.l2_mshr_entries, 3);
}

/* Lines from before the closing serve loads and stores; dirty ones keep their way. */
static void held_lines(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    run_to(f, 400);
    turn(f, true);
    bring(f, 400, GM_MESSAGE_READ, 1, 0xf);
    bring(f, 800, GM_MESSAGE_WRITE, 1, 0x1);
    bring(f, 1200, GM_MESSAGE_READ, 2, 0x1);
    bring(f, 1600, GM_MESSAGE_READ, 3, 0x1); /* in the way of 2 */
    bring(f, 2000, GM_MESSAGE_READ, 1, 0x1);
    finish(f, 6);
    expect_sent(f, 1, 1, 400 + HIT);
    expect_sent(f, 2, 2, 800 + HIT);
    expect_sent(f, 5, 5, 2000 + HIT);
    assert_int_equal(held(f, 1), 0xf);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 1);
    expect_gate(f, 6, 3, 2, 0, 2);
    assert_int_equal(f->w.bank.l2.statistics.evictions[GM_LOAD], 0);
}

/* Loads merge with the entry of a load that bypasses; what it does not read, they fetch. A store
 * waits for its data, and then goes on to DRAM. */
static void merging(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 11, GM_MESSAGE_READ, 1, 0x1); /* a pending hit */
    bring(f, 12, GM_MESSAGE_READ, 1, 0x3); /* reads sector 1, and waits for it */
    bring(f, 13, GM_MESSAGE_WRITE, 1, 0x1);
    bring(f, 14, GM_MESSAGE_READ, 1, 0x1); /* behind the store */
    finish(f, 5);
    expect_dram(f, 0, false, 1, 0x1);
    expect_dram(f, 1, false, 1, 0x2);
    expect_dram(f, 2, true, 1, 0x1);
    expect_dram(f, 3, false, 1, 0x1);
    for (uint32_t i = 0; i < 3; i++) {
        expect_sent(f, i, i, 12 + MISS + i);
    }
    assert_int_equal(f->w.sent[3].packet.id, 3);
    assert_int_equal(f->w.sent[4].packet.id, 4);
    assert_true(f->w.sent[3].at > f->w.sent[2].at);
    const gm_cache_statistics *counts = &f->w.bank.l2.statistics;
    assert_int_equal(counts->hits_pending[GM_LOAD], 1);
    assert_int_equal(counts->bypasses[GM_LOAD], 3);
    assert_int_equal(counts->bypasses[GM_STORE], 1);
    assert_true(counts->fails_mshr_merge[GM_STORE] > DRAM - 10);
    expect_gate(f, 5, 1, 3, 1, 1); /* the tag is of a whole line */
}

/* Atomics allocate: the line that one fetches is held, dirty, and served. A tag gets the data. */
static void atomics(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 400, GM_MESSAGE_ATOMIC, 1, 0x1);
    bring(f, 800, GM_MESSAGE_REDUCTION, 2, 0x2);
    bring(f, 1200, GM_MESSAGE_READ, 1, 0x2);
    bring(f, 1600, GM_MESSAGE_READ, 2, 0x2);
    bring(f, 2000, GM_MESSAGE_READ, 3, 0x2); /* both ways are dirty: no tag */
    bring(f, 2400, GM_MESSAGE_READ, 3, 0x2);
    finish(f, 7);
    expect_sent(f, 3, 3, 1200 + HIT);
    expect_sent(f, 4, 4, 1600 + HIT);
    assert_int_equal(held(f, 1), 0xf);
    assert_int_equal(held(f, 2), 0xf);
    assert_int_equal(f->w.bank.l2.dirty_sectors, 2);
    expect_gate(f, 5, 3, 3, 0, 1);
}

/* An atomic waits for the data of a load that bypasses, since it takes its place in their order. */
static void atomic_behind_a_load(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 11, GM_MESSAGE_ATOMIC, 1, 0x1);
    bring(f, 12, GM_MESSAGE_READ, 1, 0x1); /* merges with it */
    finish(f, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(f->w.sent[i].packet.id, i);
    }
    assert_int_equal(f->w.bank.l2.statistics.hits_pending[GM_LOAD], 1);
    assert_int_equal(held(f, 1), 0xf);
    expect_gate(f, 2, 1, 1, 0, 1);
}

/* Once open, a tag misses once. Loads merge with what bypasses, to the end. */
static void opening(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 60, GM_MESSAGE_READ, 1, 0x1); /* looked up in 180: a pending hit */
    run_to(f, 150);
    turn(f, false);
    bring(f, 400, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 800, GM_MESSAGE_READ, 1, 0x2);
    finish(f, 4);
    expect_sent(f, 1, 1, 10 + MISS + 1);
    expect_sent(f, 2, 2, 400 + MISS);
    expect_sent(f, 3, 3, 800 + HIT);
    expect_dram(f, 1, false, 1, 0xf);
    assert_int_equal(f->w.dram_count, 2);
    expect_gate(f, 4, 2, 1, 0, 1);
}

/* Sectored: the tags know the sectors, of loads and of stores. */
static void sectors_of_tags(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.sectored = true;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 400, GM_MESSAGE_READ, 1, 0x2);
    bring(f, 800, GM_MESSAGE_WRITE, 1, 0x4);
    bring(f, 1200, GM_MESSAGE_READ, 1, 0x7);
    finish(f, 4);
    expect_gate(f, 4, 3, 3, 1, 1);
}

/* MSHRs that merge by sector: a line may have sectors that bypass and sectors that are fetched in
 * flight at once. It waits for the latter only. */
static void merging_by_sector(void **state)
{
    test_fixture *f = *state;
    gm_config *config = &f->w.config;
    config->l2.sectored = config->l1.sectored = true;
    config->l1.local_write = GM_WRITE_EVICT;
    config->l2.merge_by = GM_MERGE_BY_SECTOR;
    config->sm.coalesce = GM_COALESCE_SECTOR;
    f->w.dram_latency = 300;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 100, GM_MESSAGE_ATOMIC, 1, 0x2);
    bring(f, 110, GM_MESSAGE_WRITE, 1, 0x1); /* waits for the first */
    bring(f, 120, GM_MESSAGE_READ, 1, 0x1);
    finish(f, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(f->w.sent[i].packet.id, i);
    }
    assert_int_equal(held(f, 1), 0x3);
    expect_gate(f, 3, 2, 1, 0, 1);
}

/* Data of a load that bypasses, which come behind a fetch of the line's other sectors: the line
 * does not wait for them. */
static void a_late_load(void **state)
{
    test_fixture *f = *state;
    gm_config *config = &f->w.config;
    config->l2.sectored = config->l1.sectored = true;
    config->l1.local_write = GM_WRITE_EVICT;
    config->l2.merge_by = GM_MERGE_BY_SECTOR;
    config->sm.coalesce = GM_COALESCE_SECTOR;
    f->w.dram_latency = 1000;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    run_to(f, 200);
    f->w.dram_latency = DRAM;
    bring(f, 200, GM_MESSAGE_ATOMIC, 1, 0x2);
    run_to(f, 600);
    uint32_t slot = gm_cache_find(&f->w.bank.l2.cache, 1).slot;
    assert_int_equal(f->w.sent_count, 1);
    assert_false(gm_cache_waits(&f->w.bank.l2.cache, slot));
    finish(f, 2);
}

/* Instructions are not counted, and stay, as in an open bank. */
static void instructions(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_INSTRUCTION, 1, 0x1);
    bring(f, 400, GM_MESSAGE_INSTRUCTION, 1, 0x2);
    finish(f, 2);
    expect_sent(f, 1, 1, 400 + HIT);
    expect_gate(f, 0, 0, 0, 0, 0);
    assert_int_equal(held(f, 1), 0xf);
}

/* Reservation fails of what bypasses: no MSHR entry, no room to DRAM, no room for the answer. */
static void reservation_fails(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.mshrs = 1;
    f->w.config.l2.dram_queue = 1;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 11, GM_MESSAGE_READ, 2, 0x1); /* waits for the entry */
    run_to(f, 600);
    world_close_channel(&f->w, true, 600);
    bring(f, 600, GM_MESSAGE_WRITE, 3, 0x1);
    bring(f, 601, GM_MESSAGE_WRITE, 4, 0x1); /* waits behind the first in the queue to DRAM */
    run_to(f, 1000);
    world_close_channel(&f->w, false, 1000);
    finish(f, 4);
    const gm_cache_statistics *counts = &f->w.bank.l2.statistics;
    assert_true(counts->fails_mshr_entry[GM_LOAD] >= DRAM);
    assert_true(counts->fails_miss_queue[GM_STORE] >= 270);
    expect_gate(f, 4, 4, 2, 2, 4);
}

/* The gate decides at the first look-up of a packet: one that waits for an MSHR entry does not turn
 * with it. */
static void decides_once(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.mshrs = 1;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 11, GM_MESSAGE_READ, 2, 0x1);
    run_to(f, 150);
    turn(f, false);
    bring(f, 200, GM_MESSAGE_READ, 3, 0x1);
    finish(f, 3);
    expect_dram(f, 1, false, 2, 0x1);
    expect_dram(f, 2, false, 3, 0xf);
    expect_gate(f, 3, 3, 2, 0, 2);
}

/* Host copies between kernels: those that install give a tag data, others drop it. */
static void host_copies(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    turn(f, true);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 400, GM_MESSAGE_READ, 2, 0x1);
    run_to(f, 1000);
    gm_l2_bank_copy(&f->w.bank, GM_MESSAGE_INSTALL, 1, 0xf, 1000);
    gm_l2_bank_copy(&f->w.bank, GM_MESSAGE_DISCARD, 2, 0xf, 1000);
    bring(f, 1000, GM_MESSAGE_READ, 1, 0x1);
    bring(f, 1400, GM_MESSAGE_READ, 2, 0x1);
    finish(f, 4);
    expect_sent(f, 2, 2, 1000 + HIT);
    expect_gate(f, 4, 3, 3, 0, 3);
    assert_int_equal(f->w.bank.l2.statistics.invalidations[GM_STORE], 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(loads_and_stores), TEST(held_lines),        TEST(merging),
        TEST(atomics),          TEST(opening),           TEST(atomic_behind_a_load),
        TEST(sectors_of_tags),  TEST(instructions),      TEST(merging_by_sector),
        TEST(a_late_load),      TEST(reservation_fails), TEST(decides_once),
        TEST(host_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
