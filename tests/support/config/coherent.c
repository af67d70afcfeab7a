#include "support/config/coherent.h"

/* Lifetimes below the last time; the predictor's need 13 bits. */
static void choose_time(gm_config *config, test_random *random)
{
    static const uint64_t bits[] = {3, 5, 8, 10, 13, 32};
    uint64_t few = bits[test_random_below(random, sizeof bits / sizeof *bits)];
    uint64_t last = (UINT64_C(1) << few) - 1;
    config->coherence.time_bits = few;
    config->coherence.lifetime = test_random_below(random, last < 1000 ? last : 1000);
    if (few >= 13 && test_random_below(random, 2) == 0) {
        config->coherence.lifetime = GM_PREDICTED;
    }
}

static void choose_protocol(gm_config *config, test_random *random)
{
    static const gm_coherence_protocol protocols[] = {
        GM_COHERENCE_TCW, GM_COHERENCE_TCW,  GM_COHERENCE_TCS, GM_COHERENCE_IDEAL,
        GM_COHERENCE_VI,  GM_COHERENCE_VINI, GM_COHERENCE_MESI};
    config->coherence.protocol = protocols[test_random_below(random, 7)];
    if (config->coherence.protocol >= GM_COHERENCE_VI) {
        config->l2.mshrs = config->l2.mshrs == 1 ? 2 : config->l2.mshrs;
        config->l2.halves = 1;
        config->coherence.directory_ways = 1 + test_random_below(random, 8);
        config->coherence.directory_size = 1 + test_random_below(random, 2);
        config->noc.networks =
            test_random_below(random, 2) == 0
                ? 0
                : 3 + test_random_below(random,
                                        config->coherence.protocol == GM_COHERENCE_MESI ? 3 : 2);
        if (config->noc.networks != 0) {
            config->noc.speedup = 1;
            config->noc.arbitration = GM_ARBITRATE_ISLIP;
        }
    }
    config->coherence.leases = 1 + test_random_below(random, 6);
    config->coherence.fence = (gm_fence_cover)test_random_below(random, 2);
    config->coherence.merge = (gm_merge_rule)test_random_below(random, 2);
    config->coherence.table = (gm_tc_table)(test_random_below(random, 8) == 0);
    config->coherence.visible =
        config->coherence.protocol == GM_COHERENCE_TCW && test_random_below(random, 2) == 0;
}

void make_coherent(gm_config *config, test_random *random)
{
    config->l2.atomic_buffer = false;
    uint64_t banks = config->memory.partitions * config->memory.banks;
    config->l1i.size = 0;
    config->l1.enabled = true;
    config->l1.kind = GM_L1_CONVENTIONAL;
    config->l1.dueling = false;
    config->l1.sectored = config->l2.sectored = false;
    config->l1.bypass = GM_BYPASS_NONE;
    config->l1.allocation = GM_ALLOCATE_ON_MISS;
    config->l1.global_write = (gm_write_policy)test_random_below(random, 2);
    config->l1.local_write = (gm_write_policy)test_random_below(random, 2);
    config->l1.global_allocate = config->l1.local_allocate = false;
    config->l2.fetch_on_write = GM_FETCH_ALWAYS;
    config->tracker.enabled = false;
    if (config->l1.size == GM_UNBOUNDED) {
        config->l1.size = 16 * config->l1.line;
        config->l1.ways = 4;
    }
    if (config->l2.size == GM_UNBOUNDED) {
        config->l2.size = 64 * config->l2.line * banks;
        config->l2.ways = 4;
    }
    config->l1.size = config->l1.size / config->l1.line * config->l2.line;
    config->l1.line = config->l2.line;
    choose_protocol(config, random);
    choose_time(config, random);
}
