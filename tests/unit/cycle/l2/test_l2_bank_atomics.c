/* Atomics and strong loads in an L2 bank with time and an atomic buffer [anssari, 3.4, 3.5], worked
 * by hand. docs/l2.md has the rules; times as in test_l2_bank.c. */
#include "support/cycle/l2/l2_by_hand.h"

enum { INTERVAL = 8 };

static int setup(void **state)
{
    test_fixture *f = make_two_lines();
    f->w.config.l2.atomic_buffer = true;
    f->w.config.l2.atomic_interval = INTERVAL;
    *state = f;
    return 0;
}

static void bring(test_fixture *f, gm_cycle at, gm_message_kind kind, uint64_t line)
{
    uint32_t whole = kind == GM_MESSAGE_READ ? 0 : 1;
    bring_packet(f, at, kind, line, 1, whole);
}

static void bring_strong(test_fixture *f, gm_cycle at, uint64_t line)
{
    world_bring(&f->w, at,
                (gm_packet){.line = line,
                            .sectors = 1,
                            .id = f->w.coming_count,
                            .kind = GM_MESSAGE_READ,
                            .flags = GM_PACKET_STRONG});
}

/* Checks when the response to request `id` was sent: the responses are in the requests' order. */
static void expect_answer(const test_fixture *f, uint32_t id, gm_cycle at)
{
    expect_sent(f, id, id, at);
}

static void expect_counts(const test_fixture *f, uint64_t hits, uint64_t taken, uint64_t in_place,
                          uint64_t put_for_atomics, uint64_t put_for_accesses)
{
    const gm_atomic_buffer_statistics *counts = &f->w.bank.l2.atomics->statistics;
    assert_int_equal(counts->hits, hits);
    assert_int_equal(counts->taken, taken);
    assert_int_equal(counts->in_place, in_place);
    assert_int_equal(counts->put_for_atomics, put_for_atomics);
    assert_int_equal(counts->put_for_accesses, put_for_accesses);
}

static void finish(test_fixture *f, uint32_t answers)
{
    gm_error error;
    run_to(f, f->now + 2000);
    gm_l2_bank_end_kernel(&f->w.bank);
    test_ok(gm_l2_bank_check(&f->w.bank, &error), error);
    assert_int_equal(f->w.sent_count, answers);
}

/* The first two wait for the line; the interval is between them. Those that hit in the buffer are
 * performed one in each cycle, from the one behind the exchange on. */
static void one_in_each_cycle(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_ATOMIC, 1);
    bring(f, 11, GM_MESSAGE_REDUCTION, 1);
    bring(f, 12 + DRAM, GM_MESSAGE_ATOMIC, 1); /* looked up in the cycle behind the exchange */
    for (gm_cycle at = 400; at < 410; at++) {
        bring(f, at, at % 2 == 0 ? GM_MESSAGE_ATOMIC : GM_MESSAGE_REDUCTION, 1);
    }
    run_to(f, 1000);
    expect_counts(f, 11, 1, 1, 0, 0);
    finish(f, 13);
    expect_answer(f, 0, 10 + MISS);
    expect_answer(f, 1, 10 + MISS + INTERVAL);
    expect_answer(f, 2, 10 + MISS + INTERVAL + 1);
    for (uint32_t i = 0; i < 10; i++) {
        expect_answer(f, 3 + i, 400 + i + HIT);
    }
}

/* Atomics on two lines in turn: each exchanges the lines, and waits for the interval. */
static void exchanges_wait_for_the_interval(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_ATOMIC, 1);
    bring(f, 400, GM_MESSAGE_ATOMIC, 2);
    bring(f, 800, GM_MESSAGE_ATOMIC, 1);
    bring(f, 801, GM_MESSAGE_ATOMIC, 1); /* hits */
    bring(f, 802, GM_MESSAGE_ATOMIC, 2);
    bring(f, 803, GM_MESSAGE_ATOMIC, 1);
    finish(f, 6);
    expect_counts(f, 1, 5, 0, 4, 0);
    expect_answer(f, 0, 10 + MISS);
    expect_answer(f, 1, 400 + MISS);
    expect_answer(f, 2, 800 + HIT);
    expect_answer(f, 3, 801 + HIT);
    expect_answer(f, 4, 800 + INTERVAL + HIT);
    expect_answer(f, 5, 800 + 2 * INTERVAL + HIT);
    assert_int_equal(f->w.dram_count, 2); /* the two lines fit */
}

/* Loads and stores of the line in the buffer take a cycle more; those of another line do not. */
static void other_accesses_put_the_line_back(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 2);
    bring(f, 11, GM_MESSAGE_ATOMIC, 1);
    bring(f, 400, GM_MESSAGE_READ, 2);
    bring(f, 401, GM_MESSAGE_READ, 1);   /* looked up in 521 and 522 */
    bring(f, 402, GM_MESSAGE_WRITE, 1);  /* in 523: the line is in its way */
    bring(f, 410, GM_MESSAGE_ATOMIC, 1); /* a hit of the L2: takes the line again */
    bring(f, 420, GM_MESSAGE_WRITE, 1);
    finish(f, 7);
    expect_counts(f, 0, 2, 0, 0, 2);
    expect_answer(f, 2, 400 + HIT);
    expect_answer(f, 3, 401 + HIT + 1);
    expect_answer(f, 4, 402 + HIT + 1);
    expect_answer(f, 5, 410 + HIT);
    expect_answer(f, 6, 420 + HIT + 1);
    assert_int_equal(f->w.bank.l2.statistics.misses[GM_LOAD], 1);
    assert_int_equal(f->w.bank.l2.statistics.hits[GM_STORE], 2);
}

/* The line in the buffer waits while both ways of its set wait for data. An atomic that DRAM
 * answers does not: its line remains in its way. */
static void waits_for_a_way(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_ATOMIC, 1);
    bring(f, 400, GM_MESSAGE_READ, 2);
    bring(f, 401, GM_MESSAGE_READ, 3);
    bring(f, 402, GM_MESSAGE_READ, 1); /* fails from 522 on, until line 2's data arrive */
    finish(f, 4);
    expect_answer(f, 1, 400 + MISS);
    expect_answer(f, 2, 401 + MISS);
    expect_counts(f, 0, 1, 0, 0, 1);
    assert_true(f->w.bank.l2.statistics.fails_line[GM_LOAD] >= DRAM - 2);
}

/* Two atomics miss, on lines of one set that no third way has: the first takes its line into the
 * buffer, the second's exchange finds the way that its own line has left. */
static void one_way_is_enough(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.ways = 1;
    f->w.config.l2.size = f->w.config.l2.line;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_ATOMIC, 1);
    bring(f, 11, GM_MESSAGE_ATOMIC, 2);
    bring(f, 600, GM_MESSAGE_ATOMIC, 1);
    bring(f, 1000, GM_MESSAGE_READ, 1);
    finish(f, 4);
    expect_counts(f, 0, 3, 0, 2, 1);
    assert_int_equal(f->w.bank.l2.statistics.misses[GM_ATOMIC], 2);
    expect_answer(f, 2, 600 + HIT);
}

/* The line that leaves its way makes room for the other: the exchange evicts nothing, and needs no
 * room in the queue to DRAM, which a read of another set fills. */
static void an_exchange_in_a_set_evicts_nothing(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.ways = 1;
    f->w.config.l2.dram_queue = 1;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_ATOMIC, 1);
    bring(f, 400, GM_MESSAGE_ATOMIC, 3); /* then line 1 is in the way, dirty */
    run_to(f, 1000);
    world_close_channel(&f->w, true, 1000);
    bring(f, 1000, GM_MESSAGE_READ, 2);
    bring(f, 1001, GM_MESSAGE_ATOMIC, 1);
    run_to(f, 1500);
    assert_int_equal(f->w.sent_count, 3);
    assert_int_equal(f->w.sent[2].at, 1001 + HIT);
    expect_counts(f, 0, 3, 0, 2, 0);
    world_close_channel(&f->w, false, 1500);
    finish(f, 4);
}

/* Strong loads hit in the buffer one in each cycle, among atomics, and exchange lines. They do not
 * wait for the interval, which is the atomics'. */
static void strong_loads_are_performed_there(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring_strong(f, 10, 1); /* takes line 1 */
    bring(f, 400, GM_MESSAGE_ATOMIC, 1);
    bring_strong(f, 401, 1);
    bring_strong(f, 402, 1);
    bring(f, 403, GM_MESSAGE_REDUCTION, 1);
    bring_strong(f, 600, 2);              /* from DRAM: line 1 goes back */
    bring(f, 1000, GM_MESSAGE_ATOMIC, 1); /* exchanges: atomics wait from now on */
    bring_strong(f, 1001, 2);             /* exchanges at once */
    bring(f, 1002, GM_MESSAGE_ATOMIC, 1);
    run_to(f, 1500);
    expect_counts(f, 4, 5, 0, 4, 0);
    bring(f, 1500, GM_MESSAGE_READ, 1); /* not strong: line 1 goes back first */
    bring_strong(f, 1502, 1);           /* in its way; it leaves */
    finish(f, 11);
    expect_counts(f, 4, 6, 0, 4, 1);
    for (uint32_t i = 1; i < 5; i++) {
        expect_answer(f, i, 399 + i + HIT);
    }
    expect_answer(f, 0, 10 + MISS);
    expect_answer(f, 5, 600 + MISS);
    expect_answer(f, 6, 1000 + HIT);
    expect_answer(f, 7, 1001 + HIT);
    expect_answer(f, 8, 1000 + INTERVAL + HIT);
    expect_answer(f, 9, 1500 + HIT + 1);
    expect_answer(f, 10, 1502 + HIT);
    assert_int_equal(f->w.bank.l2.atomics->statistics.loads, 6);
    assert_int_equal(f->w.bank.l2.atomics->statistics.load_hits, 2);
    assert_int_equal(f->w.dram_count, 2); /* the two lines fit */
}

/* A line that strong loads alone have read goes back clean, and is evicted without a write. */
static void a_line_that_was_read_goes_back_clean(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.ways = 1;
    f->w.config.l2.size = f->w.config.l2.line;
    world_make(&f->w, 0);
    bring_strong(f, 10, 1);
    bring_strong(f, 400, 2); /* line 1 takes the way that line 2 leaves */
    bring_strong(f, 800, 3); /* evicts line 1 */
    finish(f, 3);
    expect_counts(f, 0, 3, 0, 2, 0);
    assert_int_equal(f->w.dram_count, 3); /* reads */
    for (uint32_t i = 0; i < 3; i++) {
        expect_dram(f, i, false, i + 1, 15);
    }
}

/* Of those that wait for a line the last exchanges lines; a strong load before it is done in its
 * way. */
static void the_last_that_waits_exchanges(void **state)
{
    test_fixture *f = *state;
    world_make(&f->w, 0);
    bring(f, 10, GM_MESSAGE_READ, 1);
    bring_strong(f, 11, 1);
    run_to(f, 400);
    expect_counts(f, 0, 1, 0, 0, 0);
    bring_strong(f, 400, 2);
    bring(f, 401, GM_MESSAGE_READ, 2);
    finish(f, 4);
    expect_counts(f, 0, 1, 1, 0, 0);
    expect_answer(f, 0, 10 + MISS);
    expect_answer(f, 1, 10 + MISS + 1);
    expect_answer(f, 2, 400 + MISS);
    expect_answer(f, 3, 400 + MISS + 1);
    assert_int_equal(f->w.bank.l2.atomics->statistics.loads, 2);
    assert_int_equal(f->w.bank.l2.atomics->statistics.load_sectors, 2);
}

/* l2.bypass=coalesced: a strong load, as an atomic, waits for the data of a load that takes no way,
 * since its line goes into the buffer; other loads merge. It is looked up again in the cycle behind
 * the answer. */
static void waits_for_a_load_that_bypasses(void **state)
{
    test_fixture *f = *state;
    f->w.config.l2.bypass = GM_L2_BYPASS_COALESCED;
    world_make(&f->w, 0);
    bring_packet(f, 10, GM_MESSAGE_READ, 1, 1, 1);
    bring(f, 11, GM_MESSAGE_READ, 1);
    bring_strong(f, 12, 1);
    finish(f, 3);
    expect_counts(f, 0, 1, 0, 0, 0);
    expect_answer(f, 0, 10 + MISS);
    expect_answer(f, 1, 10 + MISS + 1);
    expect_answer(f, 2, 10 + MISS + 3 + DRAM);
    assert_int_equal(f->w.dram_count, 2);
    assert_int_equal(f->w.bank.l2.statistics.misses[GM_LOAD], 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_in_each_cycle),
        TEST(exchanges_wait_for_the_interval),
        TEST(other_accesses_put_the_line_back),
        TEST(waits_for_a_way),
        TEST(one_way_is_enough),
        TEST(an_exchange_in_a_set_evicts_nothing),
        TEST(strong_loads_are_performed_there),
        TEST(a_line_that_was_read_goes_back_clean),
        TEST(the_last_that_waits_exchanges),
        TEST(waits_for_a_load_that_bypasses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
