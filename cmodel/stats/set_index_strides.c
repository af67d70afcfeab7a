/* Strided references: how many sets each stride meets, and how evenly. */
#include "goldmem/set_index_strides.h"

#include "goldmem/bits.h"

#include <string.h>

gm_stride_use gm_set_index_stride(const gm_set_index *function, uint64_t stride,
                                  uint64_t references, uint32_t *count)
{
    enum { CHUNK = 256 };
    uint64_t line[CHUNK];
    uint32_t index[CHUNK];
    uint64_t next = 0;
    gm_stride_use use = {0, 0};
    memset(count, 0, sizeof *count << function->bits);
    while (references > 0) {
        uint64_t part = references < CHUNK ? references : CHUNK;
        for (uint64_t i = 0; i < part; i++, next += stride) {
            line[i] = next & gm_mask(function->address_bits);
        }
        gm_set_index_batch(function, line, index, part);
        for (uint64_t i = 0; i < part; i++) {
            uint32_t lines = ++count[index[i]];
            use.sets += lines == 1;
            use.most = lines > use.most ? lines : use.most;
        }
        references -= part;
    }
    return use;
}

gm_stride_summary gm_set_index_strides(const gm_set_index *function, uint64_t last, uint32_t *count)
{
    uint64_t sets = UINT64_C(1) << function->bits;
    gm_stride_summary summary = {.strides = last, .fewest = UINT32_MAX};
    for (uint64_t stride = 1; stride <= last; stride++) {
        gm_stride_use use = gm_set_index_stride(function, stride, sets, count);
        summary.free += use.sets == sets;
        summary.sets += use.sets;
        summary.aligned_strides += stride % sets == 0;
        summary.aligned_sets += stride % sets == 0 ? use.sets : 0;
        summary.most = use.most > summary.most ? use.most : summary.most;
        if (use.sets < summary.fewest) {
            summary.fewest = use.sets;
            summary.worst = stride;
        }
    }
    return summary;
}
