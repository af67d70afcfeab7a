/* An L2 bank of 2 sets of 16 lines of 4 sectors whose times are worked by hand. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_L2_L2_TWO_SETS_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_L2_L2_TWO_SETS_H

#include "support/cycle/l2/l2_by_hand.h"

static int setup(void **state)
{
    test_fixture *f = make_fixture();
    f->w.config.l2.size = 4096;
    *state = f;
    return 0;
}

/* Everything has been answered, and only `fails` of one kind happened. */
static void finish(test_fixture *f, uint32_t answers, uint64_t line, uint64_t entry, uint64_t merge,
                   uint64_t queue)
{
    run_out(f, answers);
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
