/* Signatures of SHiP-Mem: a hash of the memory region of a line [Wu et al.: Signature-based hit
 * predictor for high performance caching, MICRO 2011]. The signatures of program counters and
 * of instruction sequences in that paper need a PC, which no cache here receives. */
#ifndef GOLDMEM_CACHE_SHIP_SIGNATURE_H
#define GOLDMEM_CACHE_SHIP_SIGNATURE_H

#include "goldmem/bits.h"

#include <stdint.h>

enum {
    GM_SHIP_REGION_SHIFT = 14,   /* log2 of the bytes of a region: 16 KB */
    GM_SHIP_SIGNATURE_BITS = 14, /* of the conventional caches [Wu et al.] */
    GM_SHIP_COUNTER_BITS = 3,    /* [Wu et al.] */
    GM_RRPV_BITS = 2,            /* of SRRIP, and of SHiP over it [Jaleel et al.] */
};

/* Returns the signature, below 2^bits, of the region of a byte address: the XOR of the pieces of
 * `bits` bits of the region's number. Requires `bits` from 1 to 14. The 2^bits regions of an
 * aligned group have different signatures. */
static inline uint32_t gm_ship_signature(uint64_t address, unsigned bits)
{
    uint64_t signature = 0;
    for (uint64_t region = address >> GM_SHIP_REGION_SHIFT; region != 0; region >>= bits) {
        signature ^= region & gm_mask(bits);
    }
    return (uint32_t)signature;
}

#endif
