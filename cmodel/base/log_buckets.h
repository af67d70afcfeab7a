/* Buckets of histograms: one for each value below 2 * steps, then `steps` for each power of two, so
 * that a bucket is no wider than 1 / steps of its values. Steps are 2^bits. */
#ifndef GOLDMEM_BASE_LOG_BUCKETS_H
#define GOLDMEM_BASE_LOG_BUCKETS_H

#include "goldmem/bits.h"

/* Returns the bucket of a value. */
static inline unsigned gm_log_bucket(uint64_t value, unsigned bits)
{
    if (value >> (bits + 1) == 0) {
        return (unsigned)value;
    }
    unsigned octave = gm_log2_floor(value) - bits;
    return (octave << bits) + (unsigned)(value >> octave);
}

/* Returns the smallest value of a bucket. */
static inline uint64_t gm_log_bucket_low(unsigned bucket, unsigned bits)
{
    unsigned octave = bucket >> bits;
    return octave <= 1
               ? bucket
               : ((UINT64_C(1) << bits) + (bucket & (unsigned)gm_mask(bits))) << (octave - 1);
}

#endif
