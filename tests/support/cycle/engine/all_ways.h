/* A run of the cycle engine in every manner that must not change its results. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_ENGINE_ALL_WAYS_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_ENGINE_ALL_WAYS_H

#include "support/cycle/engine/cycle_run.h"

#include <stdio.h>

/* Runs the source as it is, with every cycle visited, with values, and from checkpoints at a third
 * and at two thirds; ends the calling test if results differ. Returns them. */
static inline gm_statistics run_all_ways(const gm_config *config, memory_source *source)
{
    char path[512];
    snprintf(path, sizeof path, "%s/checkpoint", test_folder());
    gm_results results = cycle_results(config, source, 1, false);
    gm_results visited = cycle_results(config, source, 2, true);
    cycle_same(config, &results, &visited);
    gm_results_free(&visited);
    cycle_outcome other;
    cycle_try(config, source, (gm_run_options){.check = true, .check_values = true}, &other);
    cycle_same(config, &results, &other.results);
    gm_results_free(&other.results);
    uint64_t third = results.total.time.cycles / 3;
    for (unsigned i = 1; i <= 2; i++) {
        cycle_try(config, source,
                  (gm_run_options){.checkpoint = path,
                                   .checkpoint_every = i * third,
                                   .max_cycles = i * third + 1},
                  &other);
        gm_results_free(&other.results);
        cycle_try(config, source, (gm_run_options){.resume = path, .check = true}, &other);
        cycle_same(config, &results, &other.results);
        gm_results_free(&other.results);
    }
    gm_statistics total = results.total;
    gm_results_free(&results);
    return total;
}

#endif
