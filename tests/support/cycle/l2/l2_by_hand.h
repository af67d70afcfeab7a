/* An L2 bank whose times are worked by hand, with equal clocks. A packet that can be taken in core
 * cycle t is looked up in t + LATENCY; a hit's response is sent a cycle later; a miss's read goes
 * to the channel a cycle after the look-up, its data come DRAM later, and the response is sent a
 * cycle after that. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_L2_L2_BY_HAND_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_L2_L2_BY_HAND_H

#include "support/cycle/l2/l2_world.h"

enum { LATENCY = 120, DRAM = 100, MISS = LATENCY + 1 + DRAM + 1, HIT = LATENCY + 1 };

typedef struct test_fixture {
    world w;
    gm_cycle now; /* the next cycle */
} test_fixture;

/* Returns a fixture of one partition at the default keys. Requires world_make after changes of its
 * configuration, and teardown. */
static inline test_fixture *make_fixture(void)
{
    test_fixture *f = test_calloc(1, sizeof *f);
    gm_config_defaults(&f->w.config);
    f->w.config.memory.partitions = 1;
    f->w.dram_latency = DRAM;
    return f;
}

/* Returns a fixture with one set of two lines. */
static inline test_fixture *make_two_lines(void)
{
    test_fixture *f = make_fixture();
    f->w.config.l2.ways = 2;
    f->w.config.l2.size = 2 * f->w.config.l2.line;
    return f;
}

static inline int teardown(void **state)
{
    world_free(&((test_fixture *)*state)->w);
    test_free(*state);
    return 0;
}

/* Brings a packet to the bank in cycle `at`, with the next id. */
static inline void bring_packet(test_fixture *f, gm_cycle at, gm_message_kind kind, uint64_t line,
                                uint32_t sectors, uint32_t whole)
{
    world_bring(&f->w, at,
                (gm_packet){.line = line,
                            .sectors = sectors,
                            .whole = whole,
                            .id = f->w.coming_count,
                            .kind = (uint8_t)kind});
}

/* Computes the cycles before `end`. */
static inline void run_to(test_fixture *f, gm_cycle end)
{
    for (; f->now < end; f->now++) {
        world_step(&f->w, f->now);
    }
}

/* Checks response number `i`: of which request, and when it was sent. */
static inline void expect_sent(const test_fixture *f, uint32_t i, uint32_t id, gm_cycle at)
{
    assert_true(i < f->w.sent_count);
    assert_int_equal(f->w.sent[i].packet.id, id);
    assert_int_equal(f->w.sent[i].at, at);
}

/* Checks request number `i` to DRAM. */
static inline void expect_dram(const test_fixture *f, uint32_t i, bool write, uint64_t line,
                               uint32_t sectors)
{
    assert_true(i < f->w.dram_count);
    assert_int_equal(f->w.dram[i].request.write, write);
    assert_int_equal(f->w.dram[i].request.address, line * 128);
    assert_int_equal(f->w.dram[i].request.sectors, sectors);
}

/* Returns the valid sectors of a line in the bank's tags. */
static inline uint32_t held(test_fixture *f, uint64_t line)
{
    uint32_t slot = gm_cache_find(&f->w.bank.l2.cache, line).slot;
    return slot == GM_NO_SLOT ? 0 : gm_cache_state(&f->w.bank.l2.cache, slot)->valid;
}

/* Runs 5000 cycles more; checks the bank, and that there were `answers` responses. */
static inline void run_out(test_fixture *f, uint32_t answers)
{
    gm_error error;
    run_to(f, f->now + 5000);
    test_ok(gm_l2_bank_check(&f->w.bank, &error), error);
    assert_int_equal(f->w.sent_count, answers);
}

#endif
