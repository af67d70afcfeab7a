/* Litmus machine: few lines, few MSHRs, clocks that are far apart, short leases. */
#include "litmus/litmus_machine.h"

#include "base/content_hash.h"
#include "goldmem/bits.h"

enum { MOST_SMS = 4, LEAST_LIFE = 8 };

/* Returns one of 0 to bound - 1. */
static uint64_t draw(uint64_t *random, uint64_t bound)
{
    *random = gm_content_word(*random, bound);
    return (*random >> 32) % bound;
}

static uint64_t one_of(uint64_t *random, const uint64_t *values, uint64_t count)
{
    return values[draw(random, count)];
}

#define ONE_OF(random, ...)                                                                        \
    one_of(random, (const uint64_t[]){__VA_ARGS__},                                                \
           sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* So few lines that the test's own evict each other. */
static void choose_caches(gm_config *config, uint64_t *random)
{
    uint64_t banks = config->memory.partitions = ONE_OF(random, 1, 2);
    config->memory.banks = 1;
    config->l1.ways = ONE_OF(random, 1, 2, 4, 4);
    config->l1.size = config->l1.line * config->l1.ways * ONE_OF(random, 1, 4, 4);
    config->l1.mshrs = ONE_OF(random, 2, 8, 32);
    config->l2.ways = ONE_OF(random, 1, 1, 2, 4);
    config->l2.size = config->l2.line * config->l2.ways * banks * ONE_OF(random, 1, 1, 4);
    config->l2.mshrs = ONE_OF(random, 4, 16, 64);
}

/* With a slow core many messages are in flight, and many writes are performed, in a cycle of
 * time; with a fast one most requests of a trial are in flight at once. */
static void choose_clocks(gm_config *config, uint64_t *random)
{
    config->clock.core = ONE_OF(random, 50, 200, 700, 1400);
    config->clock.noc = ONE_OF(random, 350, 700, 1400);
    config->clock.l2 = ONE_OF(random, 350, 700, 1400);
    config->noc.latency = ONE_OF(random, 1, 6, 100);
    config->l2.latency = ONE_OF(random, 1, 20, 200);
    config->dram.latency = ONE_OF(random, 1, 100);
    config->noc.buffer = ONE_OF(random, 8, 32);
    config->noc.channels = ONE_OF(random, 1, 4);
}

/* From leases that end before their data arrive to those that outlast a trial. */
static void choose_times(gm_config *config, uint64_t *random)
{
    uint64_t most = UINT64_C(1) << (3 + draw(random, 10));
    uint64_t life = LEAST_LIFE + draw(random, most);
    uint64_t bits = gm_log2_floor(life) + 1U;
    config->coherence.lifetime = life;
    config->coherence.time_bits = draw(random, 2) == 0 ? 32 : bits + 1 + draw(random, 3);
    config->coherence.leases = ONE_OF(random, 1, 4, 32);
}

/* So few entries that the test's lines evict each other's. */
static void choose_directory(gm_config *config, uint64_t *random)
{
    config->coherence.directory_ways = ONE_OF(random, 1, 1, 2, 8);
    config->coherence.directory_size = ONE_OF(random, 1, 2);
}

void gm_litmus_machine(gm_config *config, uint64_t seed)
{
    uint64_t random = gm_content_word(seed, 1);
    config->gpu.sms = config->gpu.sms < MOST_SMS ? config->gpu.sms : MOST_SMS;
    choose_caches(config, &random);
    choose_clocks(config, &random);
    choose_times(config, &random);
    choose_directory(config, &random);
}
