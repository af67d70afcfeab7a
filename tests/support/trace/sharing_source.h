/* Programs whose SMs read and write a few lines at the same time: what sharing trackers can get
 * wrong shows in them. */
#ifndef GOLDMEM_TESTS_SUPPORT_TRACE_SHARING_SOURCE_H
#define GOLDMEM_TESTS_SUPPORT_TRACE_SHARING_SOURCE_H

#include "support/support.h"
#include "support/trace/memory_source.h"

typedef struct sharing_mix {
    uint32_t kernels, ctas, warps, instructions; /* of a warp */
    uint32_t lines;                              /* of 128 bytes */
    uint32_t stores;                             /* one instruction in so many is a store */
    uint32_t atomics; /* one in so many an atomic or strong load; 0: none */
} sharing_mix;

/* An instruction touches a whole line, or one word of it. Freed by the caller. */
static inline memory_source *sharing_source(uint64_t seed, const sharing_mix *mix)
{
    static const unsigned rare[] = {MEMORY_ATOMIC, MEMORY_REDUCTION, MEMORY_STRONG_LOAD};
    test_random random = {seed};
    memory_source *source = memory_source_new();
    for (uint32_t k = 0; k < mix->kernels; k++) {
        memory_kernel(source, mix->ctas, 32 * mix->warps);
        for (uint32_t warp = 0; warp < mix->ctas * mix->warps; warp++) {
            if (warp % mix->warps == 0) {
                memory_cta(source, warp / mix->warps);
            }
            memory_warp(source, warp % mix->warps);
            for (uint32_t i = 0; i < mix->instructions; i++) {
                uint64_t line = 0x1000 + test_random_below(&random, mix->lines);
                unsigned kind = mix->atomics != 0 && test_random_below(&random, mix->atomics) == 0
                                    ? rare[test_random_below(&random, 3)]
                                : test_random_below(&random, mix->stores) == 0 ? MEMORY_STORE
                                                                               : MEMORY_LOAD;
                if (test_random_below(&random, 2) == 0) {
                    memory_stride(source, kind, UINT32_MAX, line * 128, 4, 4);
                } else {
                    memory_stride(source, kind, 1, line * 128 + 4 * test_random_below(&random, 32),
                                  0, 4);
                }
            }
        }
    }
    return source;
}

#endif
