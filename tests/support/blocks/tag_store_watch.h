/* Watches the tag stores of a run: each transaction is repeated in a store of the test's own. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_TAG_STORE_WATCH_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_TAG_STORE_WATCH_H

#include "goldmem/observer.h"
#include "goldmem/tag_store.h"

#include <string.h>

typedef struct tag_store_watcher {
    gm_tag_store store;
    uint64_t calls, wrong;
    uint64_t outcome[5]; /* of PROBEs */
    uint64_t errors;     /* of FILLs */
    uint64_t both;       /* PROBEs with both permissions: the outcome says which it needs */
    uint64_t dead;       /* lines that died while they waited */
} tag_store_watcher;

static inline void watch_tag_store(void *context, const uint64_t *request, const uint64_t *response)
{
    tag_store_watcher *watcher = context;
    gm_tag_store_request asked;
    memcpy(&asked, request, sizeof asked);
    gm_tag_store_response own = gm_tag_store_access(&watcher->store, asked);
    watcher->calls++;
    watcher->wrong += memcmp(&own, response, sizeof own) != 0;
    watcher->outcome[own.outcome] += asked.op == GM_TAG_STORE_PROBE;
    watcher->errors += own.error;
    watcher->both += asked.op == GM_TAG_STORE_PROBE && asked.may_miss != 0 && asked.may_bypass != 0;
    watcher->dead += own.dead != 0 && asked.op != GM_TAG_STORE_PROBE;
}

#endif
