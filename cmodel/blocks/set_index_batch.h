/* Private to the set_index block: the ways to map an array, for its tests and benchmark. */
#ifndef GOLDMEM_BLOCKS_SET_INDEX_BATCH_H
#define GOLDMEM_BLOCKS_SET_INDEX_BATCH_H

#include "goldmem/set_index.h"

/* The two ways to map an array; gm_set_index_batch picks one. The second needs a linear function
 * and a processor for which gm_set_index_has_avx512 holds. */
void gm_set_index_batch_portable(const gm_set_index *function, const uint64_t *line,
                                 uint32_t *index, uint64_t count);
bool gm_set_index_has_avx512(void);
void gm_set_index_batch_avx512(const gm_set_index *function, const uint64_t *line, uint32_t *index,
                               uint64_t count);

#endif
