/* Requests in flight of the latency histograms: their state goes through a snapshot whole; levels
 * only rise until a request ends, and each begins at the L1. */
#include "cycle/util/request_latency.h"

#include "support/support.h"

#include <stdlib.h>

/* Each member of the state but the pointer differs from zero and from its neighbour. */
static void snapshots_have_all(void **state)
{
    (void)state;
    gm_cycle_latency *saved = calloc(1, sizeof *saved);
    gm_cycle_latency *loaded = calloc(1, sizeof *loaded);
    assert_non_null(saved);
    assert_non_null(loaded);
    for (unsigned i = 0; i < GM_LATENCY_TICKETS; i++) {
        saved->issued[i] = 1000 + i;
        saved->kind[i] = (uint8_t)(1 + i % 5);
        saved->level[i] = (uint8_t)(1 + i % 7);
    }
    for (unsigned i = 0; i < GM_MSHR_ENTRIES; i++) {
        saved->of_entry[i] = (uint8_t)(1 + i % 11);
    }
    for (unsigned i = 0; i < GM_LATENCY_BYPASSED; i++) {
        saved->of_bypassed[i] = (uint8_t)(1 + i % 13);
    }
    FILE *file = tmpfile();
    assert_non_null(file);
    gm_snapshot save = {.file = file};
    gm_latency_snapshot(saved, &save);
    rewind(file);
    gm_snapshot load = {.file = file, .loading = true};
    gm_latency_snapshot(loaded, &load);
    assert_int_equal(save.failed, 0);
    assert_int_equal(load.failed, 0);
    assert_memory_equal(loaded->issued, saved->issued, sizeof saved->issued);
    assert_memory_equal(loaded->kind, saved->kind, sizeof saved->kind);
    assert_memory_equal(loaded->level, saved->level, sizeof saved->level);
    assert_memory_equal(loaded->of_entry, saved->of_entry, sizeof saved->of_entry);
    assert_memory_equal(loaded->of_bypassed, saved->of_bypassed, sizeof saved->of_bypassed);
    fclose(file);
    free(saved);
    free(loaded);
}

/* A ticket's instruction counts at its farthest request's level, and the next of the ticket begins
 * anew. */
static void levels(void **state)
{
    (void)state;
    gm_latencies *all = calloc(1, sizeof *all);
    gm_cycle_latency *own = calloc(1, sizeof *own);
    assert_non_null(all);
    assert_non_null(own);
    own->all = all;
    own->issued[3] = 100;
    gm_latency_begin(own, 3, GM_LATENCY_loads);
    gm_latency_answer(own, 3, GM_SERVED_BY_dram, true, 40);
    gm_latency_answer(own, 3, GM_SERVED_BY_l2, true, 50);
    gm_latency_end(own, 3, 150);
    assert_int_equal(all->of[GM_LATENCY_loads][GM_SERVED_BY_dram].count, 1);
    assert_int_equal(all->of[GM_LATENCY_loads][GM_SERVED_BY_l2].count, 0);
    assert_int_equal(all->of[GM_LATENCY_requests][GM_SERVED_BY_l2].count, 1);
    gm_latency_begin(own, 3, GM_LATENCY_loads);
    gm_latency_answer(own, 3, GM_SERVED_BY_l1, true, 5);
    gm_latency_end(own, 3, 160);
    assert_int_equal(all->of[GM_LATENCY_loads][GM_SERVED_BY_l1].count, 1);
    gm_latency_begin(own, 3, GM_LATENCY_KINDS); /* not counted */
    gm_latency_answer(own, 3, GM_SERVED_BY_l2, false, 9);
    gm_latency_end(own, 3, 170);
    assert_int_equal(all->of[GM_LATENCY_loads][GM_SERVED_BY_l2].count, 0);
    assert_int_equal(all->of[GM_LATENCY_requests][GM_SERVED_BY_l2].count, 1);
    free(own);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshots_have_all),
        cmocka_unit_test(levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
