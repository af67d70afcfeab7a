/* What the tests of every hardware block share: answers compared by their ports' names. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_BLOCK_ANSWERS_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_BLOCK_ANSWERS_H

#include "goldmem/ports.h"
#include "support/support.h"

/* Responses of the block, field by field, so that a difference is named. */
static inline void block_answers_equal(const gm_ports *ports, const void *is, const void *should)
{
    const uint64_t *a = is;
    const uint64_t *b = should;
    for (unsigned i = 0; i < ports->responses; i++) {
        if (a[i] != b[i]) {
            fail_msg("%s is %llu, should be %llu", ports->response[i].name,
                     (unsigned long long)a[i], (unsigned long long)b[i]);
        }
    }
}

#endif
