/* Machines with sharing trackers in time: what they need, and keys of their own at random. */
#include "support/config/tracked.h"

#include <string.h>

void make_tracked(gm_config *config, test_random *random)
{
    gm_write_policy *write[] = {&config->l1.global_write, &config->l1.local_write};
    config->tracker.enabled = true;
    config->l1.enabled = true;
    config->l1.streaming = false;
    config->l1.merge_by = GM_MERGE_BY_LINE;
    config->l1.global_allocate = config->l1.local_allocate = false;
    for (unsigned i = 0; i < 2; i++) {
        *write[i] = *write[i] == GM_WRITE_BACK ? GM_WRITE_THROUGH : *write[i];
    }
    config->l2.halves = 1;
    config->memory.banks = 1;
    if (config->memory.interleave < config->l1.line) {
        config->memory.interleave = config->l1.line;
    }
    config->noc.topology = GM_TOPOLOGY_CROSSBAR;
    config->coherence.protocol = GM_COHERENCE_NONE;
    config->tracker.latency = 1 + test_random_below(random, 8);
    config->tracker.supplies = 1 + test_random_below(random, 5);
}

void fit_victims(gm_config *config)
{
    config->l2.victim &= config->l2.size != GM_UNBOUNDED && !config->l2.streaming;
    if (config->l2.victim) {
        config->l2.bypass = GM_L2_BYPASS_COALESCED;
        config->tracker.trackers = config->tracker.ask ? config->tracker.trackers : 1;
    }
}

void fit_trackers(gm_config *config, test_random *random)
{
    const uint64_t each = UINT64_C(2) << test_random_below(random, 5);
    config->tracker.sets = each * config->tracker.trackers;
    while (gm_config_tracker_sets(config) < each) {
        config->tracker.sets *= 2;
    }
    config->tracker.pointers %= gm_config_tracker_sms(config) + 1;
    memcpy(config->tracker.index, "sequential", sizeof "sequential");
}
