/* Runs of the order engine on sources that lie in memory, all laws checked. */
#ifndef GOLDMEM_TESTS_SUPPORT_ORDER_ORDER_RUN_H
#define GOLDMEM_TESTS_SUPPORT_ORDER_ORDER_RUN_H

#include "goldmem/engine.h"
#include "support/support.h"
#include "support/trace/memory_source.h"

static inline gm_config order_preset(const char *name)
{
    gm_config config;
    gm_error error;
    test_ok(gm_config_preset(&config, name, &error), error);
    return config;
}

/* Gives each instance of a sharing tracker `each` sets, a power of two. */
static inline void give_tracker_sets(gm_config *config, uint64_t each)
{
    config->tracker.sets = each * config->tracker.trackers;
    while (gm_config_tracker_sets(config) < each) {
        config->tracker.sets *= 2;
    }
}

/* True if the L2 may be a victim buffer of the L1s. */
static inline bool may_take_victims(const gm_config *config)
{
    return config->tracker.enabled && config->l2.bypass == GM_L2_BYPASS_COALESCED &&
           (config->tracker.trackers == 1 || config->tracker.ask) &&
           config->l1.global_write != GM_WRITE_BACK && config->l1.local_write != GM_WRITE_BACK;
}

/* The source from its beginning; `analyses` are checked too. */
static inline gm_statistics order_run(const gm_config *config, memory_source *source,
                                      unsigned threads, unsigned analyses)
{
    const gm_run_options options = {.threads = threads, .check = true, .analyses = analyses};
    gm_results results;
    gm_error error;
    memory_source_rewind(source);
    test_ok(gm_order_run(config, &source->source, &options, &results, &error), error);
    if (results.analysis != NULL) {
        test_ok(gm_analysis_check(results.analysis, config, &results.total, &error), error);
    }
    gm_statistics total = results.total;
    gm_results_free(&results);
    return total;
}

#endif
