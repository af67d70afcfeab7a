/* Configurations with a bypass policy, and the profiles that some need. Tests that include it have
 * a temporary folder. */
#ifndef GOLDMEM_TESTS_SUPPORT_POLICY_BYPASS_VARIANT_H
#define GOLDMEM_TESTS_SUPPORT_POLICY_BYPASS_VARIANT_H

#include "goldmem/engine.h"
#include "support/config/mixture.h"
#include "support/support.h"

#include <stdio.h>

/* Changes what the policy cannot do with, and names a profile. */
static inline void set_bypass(gm_config *config, gm_l1_bypass bypass)
{
    config->l1.bypass = config->l1.kind == GM_L1_CONVENTIONAL ? bypass : GM_BYPASS_NONE;
    if (bypass == GM_BYPASS_CONTENTION) {
        config->sm.coalesce = GM_COALESCE_LINE;
    }
    if ((bypass == GM_BYPASS_PDP || bypass == GM_BYPASS_CONTENTION) &&
        config->l1.size == GM_UNBOUNDED) {
        config->l1.size = 16384;
        config->l1.ways = 4;
    }
    if (bypass == GM_BYPASS_PDP) {
        config->l1.replacement =
            config->l1.replacement == GM_REPLACE_FIFO ? GM_REPLACE_FIFO : GM_REPLACE_LRU;
    }
    if (bypass == GM_BYPASS_MRPB) {
        config->l1.lookup = GM_LOOKUP_FIRST;
    }
    if (bypass == GM_BYPASS_PROFILED) {
        (void)snprintf(config->l1.profile, sizeof config->l1.profile, "%s/profile", test_folder());
    }
}

/* timed_variant, with a bypass policy. */
static inline gm_config bypass_variant(unsigned number, gm_l1_bypass bypass)
{
    gm_config config = timed_variant(number);
    gm_error error;
    set_bypass(&config, bypass);
    config.sm.throttle = GM_THROTTLE_NONE; /* which the order engine refuses */
    test_ok(gm_config_check(&config, &error), error);
    return config;
}

/* The profile that the configuration needs, if it needs one: of the same source, without a policy.
 */
static inline void write_profile(gm_engine engine, const gm_config *config, memory_source *source)
{
    gm_error error;
    gm_results results;
    gm_config none = *config;
    const gm_run_options options = {.threads = 1, .write_profile = config->l1.profile};
    if (config->l1.enabled && config->l1.bypass == GM_BYPASS_PROFILED) {
        none.l1.bypass = GM_BYPASS_NONE;
        none.sm.throttle = GM_THROTTLE_NONE; /* which the order engine refuses */
        memory_source_rewind(source);
        test_ok(gm_engine_run(engine, &none, &source->source, &options, &results, &error), error);
        gm_results_free(&results);
    }
    memory_source_rewind(source);
}

#endif
