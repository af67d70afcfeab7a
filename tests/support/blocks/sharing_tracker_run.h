/* What the tests of sharing_tracker share: a tracker in an arena, and how answers are compared. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_SHARING_TRACKER_RUN_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_SHARING_TRACKER_RUN_H

#include "goldmem/sharing_tracker.h"
#include "support/support.h"

static gm_arena arena;
static gm_set_index function;

static inline void make_function_of(const char *text, unsigned sets, unsigned line_bits)
{
    gm_error error;
    test_ok(gm_set_index_parse(&function, text, sets, line_bits, &error), error);
}

static void make_function(const char *text, unsigned sets)
{
    make_function_of(text, sets, 42);
}

static void make(gm_sharing_tracker *tracker, const gm_sharing_tracker_parameters *p)
{
    gm_error error;
    test_ok(gm_arena_create(&arena, gm_sharing_tracker_bytes(p), &error), error);
    test_ok(gm_sharing_tracker_init(tracker, p, &arena, &error), error);
}

static void expect_sound(const gm_sharing_tracker *tracker)
{
    gm_error error;
    test_ok(gm_sharing_tracker_check(tracker, &error), error);
}

/* Field by field, so that a difference is named. */
static inline void expect_equal(gm_sharing_tracker_response is, gm_sharing_tracker_response should,
                                unsigned step)
{
    const uint64_t *a = (const void *)&is;
    const uint64_t *b = (const void *)&should;
    for (unsigned i = 0; i < gm_sharing_tracker_ports.responses; i++) {
        if (a[i] != b[i]) {
            fail_msg("step %u: %s is %llu, should be %llu", step,
                     gm_sharing_tracker_ports.response[i].name, (unsigned long long)a[i],
                     (unsigned long long)b[i]);
        }
    }
}

#endif
