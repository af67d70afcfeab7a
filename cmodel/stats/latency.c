/* Latency histograms: counting, percentiles, invariants. */
#include "goldmem/latency.h"

#include "base/log_buckets.h"
#include "stats/invariants.h"

unsigned gm_latency_bucket(uint64_t cycles)
{
    unsigned bucket = gm_log_bucket(cycles, GM_LATENCY_STEP_BITS);
    return bucket < GM_LATENCY_BUCKETS ? bucket : GM_LATENCY_BUCKETS - 1;
}

void gm_latency_add(gm_latency_histogram *histogram, uint64_t cycles)
{
    histogram->count++;
    histogram->cycles += cycles;
    histogram->most = cycles > histogram->most ? cycles : histogram->most;
    histogram->bucket[gm_latency_bucket(cycles)]++;
}

void gm_latency_merge(gm_latency_histogram *into, const gm_latency_histogram *from)
{
    into->count += from->count;
    into->cycles += from->cycles;
    into->most = from->most > into->most ? from->most : into->most;
    for (unsigned i = 0; i < GM_LATENCY_BUCKETS; i++) {
        into->bucket[i] += from->bucket[i];
    }
}

uint64_t gm_latency_low(unsigned bucket)
{
    return gm_log_bucket_low(bucket, GM_LATENCY_STEP_BITS);
}

uint64_t gm_latency_high(unsigned bucket)
{
    return gm_log_bucket_low(bucket + 1, GM_LATENCY_STEP_BITS) - 1;
}

uint64_t gm_latency_percentile(const gm_latency_histogram *histogram, unsigned per_mille)
{
    /* the rank, rounded up, without the overflow of count * per_mille */
    uint64_t rank =
        histogram->count / 1000 * per_mille + (histogram->count % 1000 * per_mille + 999) / 1000;
    uint64_t below = 0;
    if (histogram->count == 0) {
        return 0;
    }
    for (unsigned i = 0; i + 1 < GM_LATENCY_BUCKETS; i++) {
        below += histogram->bucket[i];
        if (below >= rank) {
            uint64_t high = gm_latency_high(i);
            return high < histogram->most ? high : histogram->most;
        }
    }
    return histogram->most;
}

uint64_t gm_latency_at_least(const gm_latency_histogram *histogram, uint64_t cycles)
{
    uint64_t count = 0;
    for (unsigned i = gm_latency_bucket(cycles); i < GM_LATENCY_BUCKETS; i++) {
        count += histogram->bucket[i];
    }
    return count;
}

static uint64_t count_of(const gm_latencies *latencies, gm_latency_kind kind)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < GM_LATENCY_SOURCES; i++) {
        count += latencies->of[kind][i].count;
    }
    return count;
}

int gm_latency_check(const gm_latencies *latencies, const gm_statistics *total, gm_error *error)
{
    const gm_core_statistics *core = &total->core;
    uint64_t cycles = 0;
    for (unsigned kind = 0; kind < GM_LATENCY_KINDS; kind++) {
        for (unsigned i = 0; i < GM_LATENCY_SOURCES; i++) {
            const gm_latency_histogram *histogram = &latencies->of[kind][i];
            uint64_t all = 0;
            for (unsigned k = 0; k < GM_LATENCY_BUCKETS; k++) {
                all += histogram->bucket[k];
            }
            GM_INVARIANT("latencies", "those of the buckets = all", all, histogram->count);
            cycles += kind == GM_LATENCY_requests ? histogram->cycles : 0;
        }
    }
    GM_INVARIANT("latencies", "line requests of loads = time.loads",
                 count_of(latencies, GM_LATENCY_requests), total->time.loads);
    GM_INVARIANT("latencies", "their cycles = time.load_cycles", cycles, total->time.load_cycles);
    GM_INVARIANT("latencies", "atomics = atomic_instructions",
                 count_of(latencies, GM_LATENCY_atomics), core->atomic_instructions);
    GM_INVARIANT("latencies", "loads, stores and atomics = global and local instructions",
                 count_of(latencies, GM_LATENCY_loads) + count_of(latencies, GM_LATENCY_stores) +
                     count_of(latencies, GM_LATENCY_atomics),
                 core->global_instructions + core->local_instructions);
    return 0;
}
