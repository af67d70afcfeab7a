/* A second implementation of sharing_tracker, for its tests to compare with: each set is a list of
 * entries, each entry a list of sharers and one of marks, the oldest entry is known by a time
 * stamp. Written as the rules of docs/blocks/sharing_tracker.md read, without regard to speed. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_SHARING_TRACKER_LISTS_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_SHARING_TRACKER_LISTS_H

#include "goldmem/sharing_tracker.h"
#include "support/support.h"

#include <stdlib.h>

/* CUs, in the order in which they came. */
typedef struct naive_cus {
    unsigned cu[GM_SHARING_TRACKER_CUS];
    unsigned count;
} naive_cus;

typedef struct naive_entry {
    uint64_t line;
    uint64_t used; /* when it was taken, or last hit */
    int last;      /* last supplier; -1: none */
    naive_cus sharers, marks;
    struct naive_entry *next;
} naive_entry;

typedef struct naive_tracker {
    const gm_sharing_tracker_parameters *p;
    naive_entry *set[4096];
    uint64_t now;
} naive_tracker;

static bool naive_has(const naive_cus *cus, unsigned cu)
{
    for (unsigned i = 0; i < cus->count; i++) {
        if (cus->cu[i] == cu) {
            return true;
        }
    }
    return false;
}

static bool naive_remove(naive_cus *cus, unsigned cu)
{
    for (unsigned i = 0; i < cus->count; i++) {
        if (cus->cu[i] == cu) {
            for (unsigned j = i + 1; j < cus->count; j++) {
                cus->cu[j - 1] = cus->cu[j];
            }
            cus->count--;
            return true;
        }
    }
    return false;
}

static void naive_add(naive_cus *cus, unsigned cu)
{
    if (!naive_has(cus, cu)) {
        cus->cu[cus->count++] = cu;
    }
}

static void naive_free(naive_tracker *n, uint32_t index, const naive_entry *entry)
{
    naive_entry **at = &n->set[index];
    while (*at != entry) {
        at = &(*at)->next;
    }
    naive_entry *gone = *at;
    *at = gone->next;
    free(gone);
}

static void naive_flush(naive_tracker *n)
{
    for (uint32_t index = 0; index < 4096; index++) {
        while (n->set[index] != NULL) {
            naive_free(n, index, n->set[index]);
        }
    }
}

static naive_entry *naive_take(naive_tracker *n, uint32_t index, uint64_t line,
                               gm_sharing_tracker_response *a)
{
    unsigned count = 0;
    const naive_entry *old = n->set[index];
    for (const naive_entry *e = n->set[index]; e != NULL; e = e->next) {
        old = e->used < old->used ? e : old;
        count++;
    }
    if (count == n->p->ways) {
        a->dropped = 1;
        a->dropped_line = old->line;
        naive_free(n, index, old);
    }
    naive_entry *entry = calloc(1, sizeof *entry);
    assert_non_null(entry);
    *entry = (naive_entry){.line = line, .used = n->now, .last = -1, .next = n->set[index]};
    n->set[index] = entry;
    return entry;
}

static void naive_look_up(naive_tracker *n, naive_entry *entry, uint32_t index,
                          const gm_sharing_tracker_request *r, gm_sharing_tracker_response *a)
{
    /* Each CU once, from the one behind the last supplier on. */
    for (unsigned i = 1; entry != NULL && i <= n->p->cus; i++) {
        unsigned cu = (unsigned)(entry->last + (int)i) % n->p->cus;
        if (cu != r->cu && naive_has(&entry->sharers, cu)) {
            a->hit = 1;
            a->supplier = cu;
            entry->last = (int)cu;
            entry->used = n->now;
            break;
        }
    }
    if (r->will_fill != 0) {
        entry = entry != NULL ? entry : naive_take(n, index, r->line, a);
        naive_add(&entry->marks, (unsigned)r->cu);
    }
}

static void naive_fill(const naive_tracker *n, naive_entry *entry, unsigned cu,
                       gm_sharing_tracker_response *a)
{
    if (!naive_remove(&entry->marks, cu)) {
        return;
    }
    a->filled = 1;
    if (!naive_has(&entry->sharers, cu) && n->p->pointers != 0 &&
        entry->sharers.count == n->p->pointers) {
        a->displaced = 1;
        a->displaced_cu = entry->sharers.cu[0];
        naive_remove(&entry->sharers, entry->sharers.cu[0]);
    }
    naive_add(&entry->sharers, cu);
}

static void naive_evict(naive_tracker *n, uint32_t index, naive_entry *entry, unsigned cu,
                        gm_sharing_tracker_response *a)
{
    a->removed = naive_remove(&entry->sharers, cu);
    a->last_sharer = a->removed != 0 && entry->sharers.count == 0;
    if (entry->sharers.count == 0 && entry->marks.count == 0) {
        a->freed = 1;
        naive_free(n, index, entry);
    }
}

static gm_sharing_tracker_response naive_access(naive_tracker *n,
                                                const gm_sharing_tracker_request *r)
{
    gm_sharing_tracker_response a = {0};
    n->now++;
    if (r->op == 5 || r->op == 7) {
        naive_flush(n);
        return a;
    }
    uint32_t index = gm_set_index_of(n->p->index, r->line);
    a.index = index;
    naive_entry *entry = n->set[index];
    while (entry != NULL && entry->line != r->line) {
        entry = entry->next;
    }
    a.found = entry != NULL;
    if (r->op == GM_SHARING_TRACKER_LOOKUP) {
        naive_look_up(n, entry, index, r, &a);
    } else if (r->op == GM_SHARING_TRACKER_ASK) {
        const gm_sharing_tracker_request stranger = {.cu = n->p->cus}; /* no CU of this tracker */
        naive_look_up(n, entry, index, &stranger, &a);
    } else if (entry != NULL && r->op == GM_SHARING_TRACKER_FILL) {
        naive_fill(n, entry, (unsigned)r->cu, &a);
    } else if (entry != NULL && r->op == GM_SHARING_TRACKER_EVICT) {
        naive_evict(n, index, entry, (unsigned)r->cu, &a);
    } else if (entry != NULL) {
        a.freed = 1;
        naive_free(n, index, entry);
    }
    return a;
}

#endif
