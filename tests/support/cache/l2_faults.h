/* Faults planted in an L2 that knows bytes: for tests that compile its source with them, in place
 * of the library's. */
#ifndef GOLDMEM_TESTS_SUPPORT_CACHE_L2_FAULTS_H
#define GOLDMEM_TESTS_SUPPORT_CACHE_L2_FAULTS_H

#include "cache/l2_bytes.h"

typedef enum l2_fault {
    L2_RIGHT,
    L2_OVERWRITES,     /* a fetch fills all bytes, dirty ones too */
    L2_WRITES_INVALID, /* a line written back writes all its bytes, valid or not */
    L2_LOSES,          /* a line written back writes none */
    L2_SERVES_INVALID, /* a load or atomic hits a line of which it needs bytes that are not valid */
    L2_WIDENS,         /* a store makes all bytes of its line valid */
    L2_BLIND,          /* a coalesced load bypasses a line that the L2 has */
} l2_fault;

static l2_fault planted;

static inline uint32_t faulty_fill(gm_l2_bytes *own, uint32_t slot)
{
    uint32_t filled = gm_l2_bytes_fill(own, slot);
    return planted == L2_OVERWRITES ? UINT32_MAX : filled;
}

static inline uint32_t faulty_missing(const gm_l2_bytes *own, uint32_t slot)
{
    return planted == L2_OVERWRITES ? UINT32_MAX : gm_l2_bytes_missing(own, slot);
}

static inline uint32_t faulty_evict(gm_l2_bytes *own, uint32_t slot)
{
    uint32_t dirty = gm_l2_bytes_evict(own, slot);
    return planted == L2_WRITES_INVALID ? UINT32_MAX : planted == L2_LOSES ? 0 : dirty;
}

static inline uint32_t faulty_lacks(const gm_l2_bytes *own, gm_message_kind kind, uint32_t bytes,
                                    uint32_t slot)
{
    return planted == L2_SERVES_INVALID ? 0 : gm_l2_bytes_lacks(own, kind, bytes, slot);
}

static inline uint32_t faulty_written(gm_message_kind kind, uint32_t bytes)
{
    uint32_t written = gm_l2_bytes_written(kind, bytes);
    return planted == L2_WIDENS && written != 0 ? UINT32_MAX : written;
}

#define gm_l2_bytes_fill    faulty_fill
#define gm_l2_bytes_missing faulty_missing
#define gm_l2_bytes_evict   faulty_evict
#define gm_l2_bytes_lacks   faulty_lacks
#define gm_l2_bytes_written faulty_written

/* What values say of each fault. */
static const struct {
    l2_fault fault;
    const char *text;
} l2_faults[] = {
    {L2_OVERWRITES, "the L2's read for SM"},
    {L2_WRITES_INVALID, "the L2's write to DRAM"},
    {L2_LOSES, "the "}, /* read of the L2 or of DRAM */
    {L2_SERVES_INVALID, "the L2's line does not have the byte"},
    {L2_WIDENS, "the L2's line does not have the byte"},
};

#endif
