/* Private to the set_index block: the implementations of gm_set_index_batch, for tests and
 * benchmark. */
#ifndef GOLDMEM_BLOCKS_SET_INDEX_BATCH_H
#define GOLDMEM_BLOCKS_SET_INDEX_BATCH_H

#include "goldmem/set_index.h"

/* The two implementations; gm_set_index_batch selects one. The AVX-512 one requires a linear
 * function and gm_set_index_has_avx512. */
void gm_set_index_batch_portable(const gm_set_index *function, const uint64_t *line,
                                 uint32_t *index, uint64_t count);
bool gm_set_index_has_avx512(void);
void gm_set_index_batch_avx512(const gm_set_index *function, const uint64_t *line, uint32_t *index,
                               uint64_t count);

#endif
