/* A second implementation of mshr, for its test to compare with: entries in a list, each with a
 * list of its requesters, written as the rules read and without regard to speed. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_MSHR_LISTS_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_MSHR_LISTS_H

#include "support/blocks/mshr_run.h"

#include <stdlib.h>

/* The second implementation: entries in a list, oldest first, each with a list of its requesters.
 */
typedef struct waiter {
    uint64_t who;
    struct waiter *next;
} waiter;

typedef struct entry {
    uint64_t id, line, waiters;
    bool closed;
    waiter *first;
    struct entry *next;
} entry;

typedef struct naive {
    uint64_t entries, merges;
    entry *list;
} naive;

static void *allocate(size_t size)
{
    void *memory = calloc(1, size);
    assert_non_null(memory);
    return memory;
}

static entry *entry_with_id(const naive *n, uint64_t id)
{
    entry *e = n->list;
    while (e != NULL && e->id != id) {
        e = e->next;
    }
    return e;
}

static entry *open_entry(const naive *n, uint64_t line)
{
    entry *e = n->list;
    while (e != NULL && (e->line != line || e->closed)) {
        e = e->next;
    }
    return e;
}

static unsigned entries_of(const naive *n, uint64_t line)
{
    unsigned count = 0;
    for (entry *e = n->list; e != NULL; e = e->next) {
        count += e->line == line;
    }
    return count;
}

static void append_waiter(entry *e, uint64_t who)
{
    waiter **end = &e->first;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = allocate(sizeof **end);
    (*end)->who = who;
    e->waiters++;
}

static gm_mshr_response naive_request(naive *n, const gm_mshr_request *r)
{
    gm_mshr_response a = {0};
    bool commit = r->op == REQ;
    entry *e = open_entry(n, r->line);
    uint64_t id = 0;
    while (entry_with_id(n, id) != NULL) {
        id++;
    }
    a.outcome = GM_MSHR_FAIL;
    if (e != NULL && e->waiters == n->merges) {
        a.reason = GM_MSHR_FAIL_MERGE;
    } else if (e != NULL) {
        a = (gm_mshr_response){.outcome = GM_MSHR_MERGED, .id = e->id, .count = e->waiters + 1};
    } else if (id == n->entries || entries_of(n, r->line) >= 2) {
        a.reason = GM_MSHR_FAIL_ENTRY;
    } else if (r->may_allocate == 0) {
        a.reason = GM_MSHR_FAIL_MISS_QUEUE;
    } else {
        a = (gm_mshr_response){.outcome = GM_MSHR_NEW, .id = id, .count = 1};
        if (commit) {
            e = allocate(sizeof *e);
            *e = (entry){.id = id, .line = r->line, .next = n->list};
            n->list = e;
        }
    }
    if (commit && a.outcome != GM_MSHR_FAIL) {
        append_waiter(e, r->requester);
    }
    return a;
}

static gm_mshr_response naive_respond(naive *n, uint64_t id)
{
    entry *e = entry_with_id(n, id);
    if (e == NULL) {
        return (gm_mshr_response){.id = id, .error = 1};
    }
    waiter *w = e->first;
    gm_mshr_response a = {.id = id,
                          .requester = w->who,
                          .line = e->line,
                          .install = !e->closed,
                          .count = e->waiters - 1};
    e->closed = true;
    e->first = w->next;
    e->waiters--;
    free(w);
    if (e->first == NULL) {
        entry **at = &n->list;
        while (*at != e) {
            at = &(*at)->next;
        }
        *at = e->next;
        free(e);
    }
    return a;
}

static gm_mshr_response naive_access(naive *n, const gm_mshr_request *r)
{
    gm_mshr_response a = {0};
    entry *e = NULL;
    switch (r->op) {
    case RSP:
        return naive_respond(n, r->id);
    case CLS:
        e = open_entry(n, r->line);
        if (e != NULL) {
            e->closed = true;
            a = (gm_mshr_response){.id = e->id, .closed = 1};
        }
        return a;
    case FLS:
        for (e = n->list; e != NULL; e = e->next) {
            a.closed |= !e->closed;
            e->closed = true;
        }
        return a;
    default:
        return naive_request(n, r);
    }
}

static void drain_naive(naive *n)
{
    while (n->list != NULL) {
        naive_respond(n, n->list->id);
    }
}

#endif
