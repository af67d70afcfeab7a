/* Counts what a run tells its observer of values. */
#ifndef GOLDMEM_TESTS_SUPPORT_ORDER_VALUE_COUNTS_H
#define GOLDMEM_TESTS_SUPPORT_ORDER_VALUE_COUNTS_H

#include "goldmem/value_observer.h"
#include "support/support.h"

typedef struct value_counts {
    uint64_t wrote, performed, loaded, loaded_written;
} value_counts;

static inline void value_counts_wrote(void *context, const gm_value_warp *warp, uint64_t address,
                                      uint32_t value)
{
    value_counts *counts = context;
    (void)warp;
    counts->wrote++;
    assert_true(value != 0 && address % 4 == 0);
}

static inline void value_counts_performed(void *context, uint64_t address, uint32_t old,
                                          uint32_t value)
{
    value_counts *counts = context;
    (void)address;
    counts->performed++;
    assert_int_not_equal(old, value);
}

static inline void value_counts_loaded(void *context, const gm_value_warp *warp, uint64_t address,
                                       uint32_t value)
{
    value_counts *counts = context;
    (void)warp;
    (void)address;
    counts->loaded++;
    counts->loaded_written += value != 0;
}

static inline gm_value_observer value_counts_observer(value_counts *counts)
{
    return (gm_value_observer){counts, value_counts_wrote, value_counts_performed,
                               value_counts_loaded, NULL};
}

static inline void value_counts_are_many(const value_counts *counts)
{
    assert_true(counts->wrote > 10000);
    assert_true(counts->performed > 10000);
    assert_true(counts->loaded > 10000);
    assert_true(counts->loaded_written > 1000);
}

#endif
