/* A timed L2 bank that takes the L1s' victims and gives clean lines up to L1s [anssari, 3.3]
 * (l2.victim), worked by hand. docs/l2.md has the rules; times as in test_l2_bank.c. */
#include "support/cycle/l2/l2_by_hand.h"

static int setup(void **state)
{
    test_fixture *f = make_two_lines();
    f->w.config.l2.sectored = true;
    f->w.config.l2.bypass = GM_L2_BYPASS_COALESCED;
    f->w.config.l2.victim = true;
    f->w.config.tracker.enabled = true;
    f->w.config.l1.local_write = GM_WRITE_THROUGH;
    *state = f;
    return 0;
}

/* A packet; `fills`: of a READ, an L1 installs its data. */
static void bring(test_fixture *f, gm_cycle at, gm_message_kind kind, uint64_t line,
                  uint32_t sectors, bool fills)
{
    bool writes = kind == GM_MESSAGE_WRITE;
    bring_packet(f, at, kind, line, sectors, writes || fills ? sectors : 0);
}

/* The sectors that the bank has of a line, and those of them that are dirty. */
static void expect_line(test_fixture *f, uint64_t line, uint32_t valid, uint32_t dirty)
{
    uint32_t slot = gm_cache_find(&f->w.bank.l2.cache, line).slot;
    gm_sector_state state = {0};
    if (slot != GM_NO_SLOT) {
        state = *gm_cache_state(&f->w.bank.l2.cache, slot);
    }
    assert_int_equal(state.valid, valid);
    assert_int_equal(state.dirty, dirty);
}

static void expect_counts(const test_fixture *f, uint64_t inserted, uint64_t present,
                          uint64_t refused, uint64_t moved)
{
    const gm_l2_victim_statistics *counts = &f->w.bank.l2.victim;
    assert_int_equal(counts->lines, inserted + present + refused);
    assert_int_equal(counts->inserted, inserted);
    assert_int_equal(counts->present, present);
    assert_int_equal(counts->refused, refused);
    assert_int_equal(counts->moved, moved);
}

/* A victim takes a way at its look-up and has no response. A load that bypasses its L1 finds it and
 * leaves it; one that fills its L1 with all its sectors takes it. */
static void a_victim_serves_loads(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_EVICT, 1, 0x3, false);
    bring(f, 400, GM_MESSAGE_READ, 1, 0x1, false);
    bring(f, 800, GM_MESSAGE_READ, 1, 0x2, true); /* not all of the line: it stays */
    bring(f, 1200, GM_MESSAGE_READ, 1, 0x3, true);
    bring(f, 1600, GM_MESSAGE_READ, 1, 0x3, true); /* from DRAM now */
    run_to(f, 10 + LATENCY);
    expect_line(f, 1, 0, 0);
    run_to(f, 10 + LATENCY + 1);
    expect_line(f, 1, 0x3, 0);
    run_to(f, 1200 + LATENCY);
    expect_line(f, 1, 0x3, 0);
    run_to(f, 1200 + LATENCY + 1);
    expect_line(f, 1, 0, 0);
    expect_counts(f, 1, 0, 0, 1);
    assert_int_equal(f->w.dram_count, 0);
    run_out(f, 4);
    assert_int_equal(f->w.sent[2].at, 1200 + HIT);
    assert_int_equal(f->w.sent[3].at, 1600 + MISS);
    expect_line(f, 1, 0, 0);
}

/* What the bank has, or waits for, is kept: a dirty line, which does not move either; one in
 * flight; one in flight for a load that bypasses. */
static void present_lines_are_kept(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_WRITE, 1, 0x1, false);
    bring(f, 400, GM_MESSAGE_EVICT, 1, 0x3, false);
    bring(f, 800, GM_MESSAGE_READ, 1, 0x1, true);
    bring(f, 1200, GM_MESSAGE_READ, 2, 0x1, false);
    bring(f, 1210, GM_MESSAGE_EVICT, 2, 0xf, false);
    bring(f, 1600, GM_MESSAGE_READ, 3, 0x1, true);
    bring(f, 1610, GM_MESSAGE_EVICT, 3, 0x1, false);
    run_to(f, 1100);
    expect_line(f, 1, 0x1, 0x1);
    expect_counts(f, 0, 1, 0, 0);
    run_out(f, 4);
    expect_counts(f, 0, 3, 0, 0);
    expect_line(f, 2, 0x1, 0);
    expect_line(f, 3, 0, 0);
}

/* No way: both wait for data. A load merges with its line's data in flight, even if it needs only
 * what is there, and the line stays. */
static void ways_that_wait(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 1, 0x1, false);
    bring(f, 11, GM_MESSAGE_READ, 2, 0x1, false);
    bring(f, 12, GM_MESSAGE_EVICT, 3, 0x1, false);
    bring(f, 13, GM_MESSAGE_READ, 1, 0x1, true);
    bring(f, 400, GM_MESSAGE_READ, 1, 0x2, false);
    bring(f, 401, GM_MESSAGE_READ, 1, 0x1, true);
    run_out(f, 5);
    expect_counts(f, 0, 0, 1, 0);
    expect_line(f, 1, 0x3, 0);
    expect_line(f, 2, 0x1, 0);
}

/* A victim in the way of a dirty line writes this back, if the queue to DRAM has room; else it is
 * dropped, and the packet behind it does not wait. */
static void dirty_lines_in_the_way(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.dram_queue = 1;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_WRITE, 1, 0xf, false);
    bring(f, 400, GM_MESSAGE_WRITE, 2, 0xf, false);
    bring(f, 800, GM_MESSAGE_EVICT, 3, 0x1, false);
    bring(f, 1200, GM_MESSAGE_READ, 5, 0x1, true);
    bring(f, 1201, GM_MESSAGE_EVICT, 4, 0x1, false);
    bring(f, 1202, GM_MESSAGE_READ, 3, 0x1, true);
    bring(f, 1203, GM_MESSAGE_EVICT, 6, 0x1, false); /* in the way that 3 has left */
    bring(f, 1204, GM_MESSAGE_EVICT, 7, 0x1, false); /* in the way of 2 */
    run_to(f, 800);
    uint32_t before = f->w.dram_count;
    run_to(f, 1200);
    expect_counts(f, 1, 0, 0, 0);
    expect_line(f, 1, 0, 0);
    expect_line(f, 3, 0x1, 0);
    assert_int_equal(f->w.dram_count, before + 1);
    assert_true(f->w.dram[before].request.write);
    world_close_channel(&f->w, true, f->now); /* the read of 5 stays in the queue */
    run_to(f, 1600);
    expect_counts(f, 2, 0, 2, 1);
    expect_line(f, 2, 0xf, 0xf);
    expect_line(f, 6, 0x1, 0);
    assert_int_equal(f->w.sent_count, 3);
    world_close_channel(&f->w, false, f->now);
    run_out(f, 4);
}

/* Lines that know bytes: a victim has all of them, and is lost with them when it moves. */
static void bytes(void **state)
{
    test_fixture *f = *state;
    gm_error error;
    f->w.config.l2.line = 32;
    f->w.config.l2.size = 64;
    f->w.config.l2.dirty = GM_DIRTY_BYTE;
    f->w.config.l2.fetch_on_write = GM_FETCH_LAZY;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_EVICT, 1, 0x1, false);
    bring(f, 400, GM_MESSAGE_READ, 1, 0x1, true);
    run_to(f, 300);
    test_ok(gm_l2_check_partial(&f->w.bank.l2, "L2", &error), error);
    expect_line(f, 1, 0x1, 0);
    run_out(f, 1);
    expect_counts(f, 1, 0, 0, 1);
    assert_int_equal(f->w.dram_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_victim_serves_loads, setup, teardown),
        cmocka_unit_test_setup_teardown(present_lines_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(ways_that_wait, setup, teardown),
        cmocka_unit_test_setup_teardown(dirty_lines_in_the_way, setup, teardown),
        cmocka_unit_test_setup_teardown(bytes, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
