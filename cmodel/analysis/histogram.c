/* Buckets of the analyses' histograms: exact for small values, then one for each power of two. */
#include "goldmem/analysis.h"

#include "goldmem/bits.h"

unsigned gm_histogram_bucket(uint64_t value)
{
    return value < GM_HISTOGRAM_EXACT ? (unsigned)value
                                      : GM_HISTOGRAM_EXACT - 4 + gm_log2_ceil(value);
}

uint64_t gm_histogram_low(unsigned bucket)
{
    return bucket < GM_HISTOGRAM_EXACT ? bucket : gm_histogram_high(bucket - 1) + 1;
}

uint64_t gm_histogram_high(unsigned bucket)
{
    if (bucket < GM_HISTOGRAM_EXACT) {
        return bucket;
    }
    return bucket + 1 < GM_HISTOGRAM_BUCKETS ? gm_mask(bucket - GM_HISTOGRAM_EXACT + 4) + 1
                                             : UINT64_MAX;
}
