/* Loads that fill an L1 and bypass an L2 bank with time [anssari, 4.3], worked by hand. docs/l2.md
 * has the rules; times as in test_l2_bank.c. */
#include "support/cycle/l2/l2_by_hand.h"

static int setup(void **state)
{
    test_fixture *f = make_two_lines();
    f->w.config.l2.bypass = GM_L2_BYPASS_COALESCED;
    *state = f;
    return 0;
}

/* A READ whose data an L1 installs. */
static void bring_fill(test_fixture *f, gm_cycle at, uint64_t line, uint32_t sectors)
{
    world_bring(&f->w, at,
                (gm_packet){.line = line,
                            .sectors = sectors,
                            .fills = sectors,
                            .id = f->w.coming_count,
                            .kind = GM_MESSAGE_READ});
}

static void bring(test_fixture *f, gm_cycle at, gm_message_kind kind, uint64_t line,
                  uint32_t sectors)
{
    bring_packet(f, at, kind, line, sectors, kind == GM_MESSAGE_READ ? 0 : sectors);
}

static void expect_counts(const test_fixture *f, uint64_t present, uint64_t bypassed,
                          uint64_t joined)
{
    const gm_l2_coalesced_statistics *counts = &f->w.bank.l2.coalesced;
    assert_int_equal(counts->reads, present + bypassed + joined);
    assert_int_equal(counts->present, present);
    assert_int_equal(counts->bypassed, bypassed);
    assert_int_equal(counts->joined, joined);
}

static void finish(test_fixture *f, uint32_t answers)
{
    run_out(f, answers);
    assert_int_equal(f->w.bank.bypassing, 0);
}

/* A read that fills an L1 takes no way, another read does and serves both kinds from then on. */
static void takes_no_way(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring_fill(f, 10, 1, 0x3);
    bring_fill(f, 400, 1, 0x3);
    bring(f, 800, GM_MESSAGE_READ, 1, 0x1);
    bring_fill(f, 1200, 1, 0xf);
    bring(f, 1600, GM_MESSAGE_WRITE, 2, 0xf);
    bring_fill(f, 2000, 2, 0xf);
    finish(f, 6);
    expect_sent(f, 0, 0, 10 + MISS);
    expect_sent(f, 1, 1, 400 + MISS);
    expect_sent(f, 3, 3, 1200 + HIT);
    expect_sent(f, 5, 5, 2000 + HIT);
    expect_dram(f, 0, false, 1, 0x3);
    expect_dram(f, 1, false, 1, 0x3);
    expect_dram(f, 2, false, 1, 0xf);
    expect_dram(f, 3, false, 2, 0xf);
    assert_int_equal(f->w.dram_count, 4);
    expect_counts(f, 2, 2, 0);
    assert_int_equal(f->w.bank.l2.statistics.bypasses[GM_LOAD], 2);
    assert_int_equal(f->w.bank.l2.statistics.misses[GM_LOAD], 1);
    assert_int_equal(held(f, 1), 0xf);
}

/* Loads of both kinds, and fetches of instructions, join one in flight that bypasses; nothing is
 * installed, and what is not in flight is read. */
static void loads_join(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring_fill(f, 10, 1, 0x1);
    bring_fill(f, 11, 1, 0x1);
    bring(f, 12, GM_MESSAGE_READ, 1, 0x1);
    bring_fill(f, 13, 1, 0x3);
    bring(f, 400, GM_MESSAGE_INSTRUCTION, 1, 0x1);
    bring_fill(f, 401, 1, 0x1); /* joins nothing: the line has a way */
    finish(f, 6);
    for (uint32_t i = 0; i < 4; i++) {
        expect_sent(f, i, i, 13 + MISS + i);
    }
    expect_dram(f, 0, false, 1, 0x1);
    expect_dram(f, 1, false, 1, 0x2);
    expect_dram(f, 2, false, 1, 0xf);
    assert_int_equal(f->w.dram_count, 3);
    expect_counts(f, 1, 2, 1);
    assert_int_equal(f->w.bank.l2.statistics.hits_pending[GM_LOAD], 3);
    assert_int_equal(f->w.bank.l2.statistics.evictions[GM_LOAD], 0);
}

/* Writes and atomics wait until the loads that bypass have their data, which are older. */
static void writes_wait(void **state)
{
    test_fixture *f = *state;
    static const gm_message_kind kinds[] = {GM_MESSAGE_WRITE, GM_MESSAGE_WRITE_BACK,
                                            GM_MESSAGE_ATOMIC, GM_MESSAGE_REDUCTION};
    world_make(&f->w, 0);
    for (uint32_t i = 0; i < 4; i++) {
        gm_cycle from = 10 + i * 1000;
        bring_fill(f, from, 10 + i, 0x1);
        bring(f, from + 1, kinds[i], 10 + i, 0x1);
        bring_fill(f, from + 2, 10 + i, 0x1); /* behind the write: its data */
    }
    finish(f, 12);
    for (uint32_t i = 0; i < 12; i++) {
        assert_int_equal(f->w.sent[i].packet.id, i);
    }
    const gm_cache_statistics *counts = &f->w.bank.l2.statistics;
    assert_true(counts->fails_line[GM_STORE] >= 2 * (DRAM - 2));
    assert_true(counts->fails_line[GM_ATOMIC] >= 2 * (DRAM - 2));
    assert_true(f->w.sent[1].at > 10 + MISS + DRAM);
    expect_counts(f, 4, 4, 0);
    for (uint32_t i = 0; i < 4; i++) { /* a read that bypasses, then the write's fetch */
        unsigned reads = 0;
        for (uint32_t j = 0; j < f->w.dram_count; j++) {
            reads += !f->w.dram[j].request.write && f->w.dram[j].request.address == (10 + i) * 128U;
        }
        assert_int_equal(reads, 2);
    }
}

/* A read that fills an L1 merges with a fetch for a line with a way; it does not bypass. */
static void merges_with_a_way(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.sectored = true;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1);
    bring_fill(f, 11, 1, 0x3);
    finish(f, 2);
    expect_dram(f, 0, false, 1, 0x1);
    expect_dram(f, 1, false, 1, 0x2);
    assert_int_equal(held(f, 1), 0x3);
    expect_counts(f, 1, 0, 0);
    assert_int_equal(f->w.bank.l2.statistics.misses[GM_LOAD], 2);
}

/* Resources that one lacks hold it up: an MSHR entry, a place in one, room to DRAM. */
static void reservation_fails(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.mshrs = 1;
    f->w.config.l2.merges = 2;
    f->w.config.l2.dram_queue = 1;
    world_make(&f->w, 0);
    bring_fill(f, 10, 1, 0x1);
    bring_fill(f, 11, 1, 0x1);
    bring_fill(f, 12, 1, 0x1); /* no place */
    bring_fill(f, 13, 2, 0x1); /* no entry */
    run_to(f, 1000);
    world_close_channel(&f->w, true, 1000);
    bring(f, 1000, GM_MESSAGE_WRITE, 3, 0xf);
    bring_fill(f, 1001, 4, 0x1); /* the entry is the store's */
    run_to(f, 1400);
    world_close_channel(&f->w, false, 1400);
    finish(f, 6);
    const gm_cache_statistics *counts = &f->w.bank.l2.statistics;
    assert_true(counts->fails_mshr_merge[GM_LOAD] >= DRAM - 2);
    assert_true(counts->fails_mshr_entry[GM_LOAD] >= DRAM);
    expect_counts(f, 0, 4, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(takes_no_way), TEST(loads_join), TEST(writes_wait),
                                       TEST(merges_with_a_way), TEST(reservation_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
