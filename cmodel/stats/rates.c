/* Rates [li, figures 5a and 10; 3.2], computed from the counters. */
#include "goldmem/rates.h"

static uint64_t all(const uint64_t counter[GM_ACCESS_KINDS])
{
    return counter[GM_LOAD] + counter[GM_STORE] + counter[GM_ATOMIC] + counter[GM_INSTRUCTION];
}

static uint64_t millionths(uint64_t part, uint64_t whole)
{
    if (whole == 0) {
        return 0;
    }
    unsigned __int128 twice = (unsigned __int128)part * 2000000 + whole;
    return (uint64_t)(twice / ((unsigned __int128)whole * 2));
}

gm_rates gm_rates_of(const gm_statistics *statistics, const gm_config *config)
{
    const gm_cache_statistics *l1 = &statistics->l1d;
    const gm_cache_statistics *l2 = &statistics->l2;
    uint64_t instructions = statistics->core.thread_instructions;
    uint64_t cycles = statistics->time.cycles * config->gpu.sms;
    return (gm_rates){
        .l1d_hits = millionths(all(l1->hits) + all(l1->hits_pending), all(l1->accesses)),
        .l2_accesses = millionths(all(l2->accesses), instructions),
        .l2_misses = millionths(all(l2->misses), instructions),
        .stalls_line = millionths(all(l1->fails_line), cycles),
        .stalls_mshr_entry = millionths(all(l1->fails_mshr_entry), cycles),
        .stalls_mshr_merge = millionths(all(l1->fails_mshr_merge), cycles),
        .stalls_miss_queue = millionths(all(l1->fails_miss_queue), cycles),
        .stalls_bypass_queue = millionths(all(l1->fails_bypass_queue), cycles),
    };
}

uint64_t gm_stall_cycles(const gm_statistics *statistics)
{
    const gm_cache_statistics *l1 = &statistics->l1d;
    return all(l1->fails_line) + all(l1->fails_mshr_entry) + all(l1->fails_mshr_merge) +
           all(l1->fails_miss_queue) + all(l1->fails_bypass_queue);
}
