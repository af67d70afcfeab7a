/* An L2 bank whose times are worked by hand: 2 sets of 16 lines, equal clocks. A packet that can be
 * taken in core cycle t is looked up in t + LATENCY; a hit's response is sent a cycle later; a
 * miss's read goes to the channel a cycle after the look-up, its data come DRAM later, and the
 * response is sent a cycle after that. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_L2_L2_BY_HAND_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_L2_L2_BY_HAND_H

#include "support/cycle/l2/l2_world.h"

enum { LATENCY = 120, DRAM = 100, MISS = LATENCY + 1 + DRAM + 1, HIT = LATENCY + 1 };

typedef struct test_fixture {
    world w;
    gm_cycle now;
} test_fixture;

static int setup(void **state)
{
    test_fixture *f = test_calloc(1, sizeof *f);
    gm_config_defaults(&f->w.config);
    f->w.config.memory.partitions = 1;
    f->w.config.l2.size = 4096; /* 2 sets of 16 lines of 4 sectors */
    f->w.dram_latency = DRAM;
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    world_free(&((test_fixture *)*state)->w);
    test_free(*state);
    return 0;
}

static void run_to(test_fixture *f, gm_cycle end)
{
    for (; f->now < end; f->now++) {
        world_step(&f->w, f->now);
    }
}

/* The response number `i`: of which request, and when it was sent. */
static void expect_sent(const test_fixture *f, uint32_t i, uint32_t id, gm_cycle at)
{
    assert_true(i < f->w.sent_count);
    assert_int_equal(f->w.sent[i].packet.id, id);
    assert_int_equal(f->w.sent[i].at, at);
}

/* Everything has been answered, and only `fails` of one kind happened. */
static void finish(test_fixture *f, uint32_t answers, uint64_t line, uint64_t entry, uint64_t merge,
                   uint64_t queue)
{
    gm_error error;
    run_to(f, f->now + 5000);
    test_ok(gm_l2_bank_check(&f->w.bank, &error), error);
    assert_int_equal(f->w.sent_count, answers);
    const gm_cache_statistics *s = &f->w.bank.l2.statistics;
    uint64_t found[4] = {0};
    for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
        found[0] += s->fails_line[kind];
        found[1] += s->fails_mshr_entry[kind];
        found[2] += s->fails_mshr_merge[kind];
        found[3] += s->fails_miss_queue[kind];
    }
    assert_int_equal(found[0], line);
    assert_int_equal(found[1], entry);
    assert_int_equal(found[2], merge);
    assert_int_equal(found[3], queue);
}

#endif
