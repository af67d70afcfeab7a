/* An observer of set_index that asks a function of its own each time. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_SET_INDEX_WATCH_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_SET_INDEX_WATCH_H

#include "goldmem/set_index.h"

#include <string.h>

typedef struct set_index_watcher {
    gm_set_index index;
    uint64_t calls, wrong;
} set_index_watcher;

static inline void watch_set_index(void *context, const uint64_t *request, const uint64_t *response)
{
    set_index_watcher *watcher = context;
    gm_set_index_request asked;
    gm_set_index_response answer;
    memcpy(&asked, request, sizeof asked);
    memcpy(&answer, response, sizeof answer);
    watcher->calls++;
    watcher->wrong += answer.index != gm_set_index_of(&watcher->index, asked.line);
}

#endif
