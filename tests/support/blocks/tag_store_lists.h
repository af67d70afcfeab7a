/* A second implementation of tag_store, for its tests to compare with: each set is a list of
 * entries with plain counters, data lines are known by number only, and the oldest by a time stamp.
 * Written as the rules of docs/blocks/tag_store.md read, without regard to speed. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_TAG_STORE_LISTS_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_TAG_STORE_LISTS_H

#include "goldmem/tag_store.h"
#include "support/support.h"

#include <stdlib.h>

typedef struct naive_entry {
    unsigned way;
    uint64_t line;
    int rc;
    int position; /* -1: none */
    bool waits, dead;
    uint64_t used; /* when its data line was last used */
    int rrpv;      /* of its data line: SRRIP, SHiP */
    uint64_t signature;
    bool touched;
    struct naive_entry *next;
} naive_entry;

typedef struct naive_store {
    const gm_tag_store_parameters *p;
    naive_entry *set[1024];
    uint64_t now;
    int shct[1 << 14]; /* SHiP's counters, by signature */
} naive_store;

static void naive_start(naive_store *n, const gm_tag_store_parameters *p)
{
    *n = (naive_store){.p = p};
    for (unsigned i = 0; i >> p->signature_bits == 0; i++) {
        n->shct[i] = (1 << p->counter_bits) - 1;
    }
}

static naive_entry *naive_find(naive_entry *list, uint64_t line)
{
    while (list != NULL && list->line != line) {
        list = list->next;
    }
    return list;
}

static naive_entry *naive_at_way(naive_entry *list, unsigned way)
{
    while (list != NULL && list->way != way) {
        list = list->next;
    }
    return list;
}

static naive_entry *naive_at_position(naive_entry *list, int position)
{
    while (list != NULL && list->position != position) {
        list = list->next;
    }
    return list;
}

static void naive_forget(naive_entry **list, naive_entry *entry)
{
    while (*list != entry) {
        list = &(*list)->next;
    }
    *list = entry->next;
    free(entry);
}

static bool naive_enough(const naive_store *n, bool conventional, int rc)
{
    int threshold = conventional ? 0 : (int)n->p->threshold;
    return n->p->compare_above ? rc > threshold : rc >= threshold;
}

/* All but one entry (that may be NULL) lose `by`. */
static void naive_age(naive_entry *list, const naive_entry *but, int by, gm_tag_store_response *a)
{
    for (naive_entry *e = list; e != NULL; e = e->next) {
        if (e != but && !e->dead && e->rc > 0) {
            e->rc = e->rc > by ? e->rc - by : 0;
            a->aged = 1;
            a->emptied |= e->rc == 0;
        }
    }
}

static void naive_report(const naive_entry *e, gm_tag_store_response *a)
{
    a->evicted = 1;
    a->evicted_line = e->line;
    a->evicted_position = (uint64_t)e->position;
}

/* Who gives its entry up: NULL when a way is free, which *way then is. */
static naive_entry *naive_loser(const naive_store *n, naive_entry *list, unsigned *way,
                                gm_tag_store_response *a)
{
    for (*way = 0; *way < n->p->tag_ways; ++*way) {
        if (naive_at_way(list, *way) == NULL) {
            return NULL;
        }
    }
    naive_entry *least = NULL;
    unsigned equal = 0;
    for (unsigned w = 0; w < n->p->tag_ways; w++) {
        naive_entry *e = naive_at_way(list, w);
        if (n->p->lfu_any ? e->waits : e->position >= 0) {
            continue;
        }
        if (least == NULL || e->rc < least->rc) {
            least = e;
            equal = 1;
        } else if (e->rc == least->rc) {
            equal++;
        }
    }
    if (least == NULL) {
        fail_msg("no candidate");
        return NULL;
    }
    *way = least->way;
    a->replaced = 1;
    a->tie = equal > 1;
    return least;
}

/* SRRIP: the owner of the lowest data line that is farthest, once all have counted up often enough
 * for there to be one; NULL: all wait. They stay counted up when it is `taken`. */
static naive_entry *naive_farthest(const naive_store *n, naive_entry *list, bool taken)
{
    int far = (1 << n->p->rrpv_bits) - 1;
    for (int up = 0; up <= far; up++) {
        for (int i = 0; i < (int)n->p->data_ways; i++) {
            naive_entry *e = naive_at_position(list, i);
            if (e == NULL || e->waits || e->rrpv + up < far) {
                continue;
            }
            for (naive_entry *other = list; taken && other != NULL; other = other->next) {
                other->rrpv = other->rrpv + up < far ? other->rrpv + up : far;
            }
            return e;
        }
    }
    return NULL;
}

static naive_entry *naive_oldest(naive_entry *list)
{
    naive_entry *oldest = NULL;
    for (naive_entry *e = list; e != NULL; e = e->next) {
        if (e->position >= 0 && !e->waits && (oldest == NULL || e->used < oldest->used)) {
            oldest = e;
        }
    }
    return oldest;
}

/* What the replacement makes of a hit, and of a line that comes in for another (NULL: for none);
 * whether it is distant. */
static void naive_touch(naive_store *n, naive_entry *e)
{
    int most = (1 << n->p->counter_bits) - 1;
    e->used = ++n->now;
    e->rrpv = 0;
    e->touched = true;
    n->shct[e->signature] += n->shct[e->signature] < most;
}

static bool naive_install(naive_store *n, naive_entry *e, naive_entry *owner, uint64_t signature)
{
    if (owner != NULL && !owner->touched) {
        n->shct[owner->signature] -= n->shct[owner->signature] > 0;
    }
    bool distant = n->p->replacement == GM_REPLACEMENT_SHIP && n->shct[signature] == 0;
    e->used = ++n->now;
    e->rrpv = (1 << n->p->rrpv_bits) - (distant ? 1 : 2);
    e->touched = false;
    e->signature = signature;
    return distant;
}

/* The data line for a request, and who has it now (NULL: nobody); -1: all wait. `gone` is an entry
 * whose data line counts as free. */
static int naive_line(const naive_store *n, naive_entry *list, const naive_entry *gone,
                      naive_entry **owner)
{
    *owner = NULL;
    for (int i = 0; i < (int)n->p->data_ways; i++) {
        naive_entry *e = naive_at_position(list, i);
        if (e == NULL || e == gone) {
            return i;
        }
    }
    *owner = n->p->replacement == GM_REPLACEMENT_LRU ? naive_oldest(list)
                                                     : naive_farthest(n, list, false);
    return *owner == NULL ? -1 : (*owner)->position;
}

static gm_tag_store_response naive_failed(uint64_t index, uint64_t reason)
{
    return (gm_tag_store_response){
        .index = index, .outcome = GM_TAG_STORE_RESERVATION_FAIL, .reason = reason};
}

/* An access to a line without a data line; `e` is its entry, or NULL. */
static gm_tag_store_response naive_count(naive_store *n, uint64_t index, naive_entry *e,
                                         const gm_tag_store_request *r)
{
    gm_tag_store_response a = {.index = index};
    naive_entry **list = &n->set[index];
    int most = (1 << n->p->rc_bits) - 1;
    int rc = (int)n->p->allocation_rc;
    unsigned way = 0;
    naive_entry *loser = NULL;
    if (e != NULL) {
        a.saturated = e->rc == most;
        rc = e->rc == most ? most : e->rc + 1;
    } else {
        loser = naive_loser(n, *list, &way, &a);
    }
    bool due = naive_enough(n, r->conventional != 0, rc);
    naive_entry *owner = NULL;
    int position = due ? naive_line(n, *list, loser, &owner) : -1;
    if (due && position < 0) {
        return naive_failed(index, GM_TAG_STORE_FAIL_LINE);
    }
    if (due ? r->may_miss == 0 : r->may_bypass == 0) {
        return naive_failed(index, due ? GM_TAG_STORE_FAIL_MISS : GM_TAG_STORE_FAIL_BYPASS);
    }
    if (e == NULL) {
        if (loser != NULL) {
            if (loser->position >= 0) {
                naive_report(loser, &a);
            }
            naive_forget(list, loser);
        }
        e = calloc(1, sizeof *e);
        assert_non_null(e);
        *e = (naive_entry){.way = way, .line = r->line, .position = -1, .next = *list};
        *list = e;
    }
    e->rc = rc;
    a.rc = (uint64_t)rc;
    a.outcome = GM_TAG_STORE_BYPASS;
    if (due) {
        if (owner != NULL) {
            naive_farthest(n, *list, true);
            naive_report(owner, &a);
            owner->position = -1;
            owner->rc = 0;
        }
        e->position = position;
        e->waits = true;
        a.distant = naive_install(n, e, owner, r->signature);
        a.outcome = GM_TAG_STORE_MISS;
        a.position = (uint64_t)position;
    }
    int by = due + (int)a.evicted;
    if (by > 0) {
        naive_age(*list, e, by == 2 && n->p->age_twice ? 2 : 1, &a);
    }
    return a;
}

static gm_tag_store_response naive_probe(naive_store *n, uint64_t index,
                                         const gm_tag_store_request *r)
{
    naive_entry *e = naive_find(n->set[index], r->line);
    if (e == NULL || e->position < 0) {
        return naive_count(n, index, e, r);
    }
    if (e->waits && r->may_miss == 0) {
        return naive_failed(index, GM_TAG_STORE_FAIL_MISS);
    }
    if (!e->dead) {
        naive_touch(n, e);
    }
    return (gm_tag_store_response){
        .index = index,
        .outcome = e->waits ? GM_TAG_STORE_HIT_PENDING : GM_TAG_STORE_HIT,
        .position = (uint64_t)e->position,
        .dead = e->dead,
        .rc = e->dead ? 0 : (uint64_t)e->rc,
    };
}

static gm_tag_store_response naive_fill(naive_store *n, uint64_t index,
                                        const gm_tag_store_request *r)
{
    naive_entry *e = naive_find(n->set[index], r->line);
    gm_tag_store_response a = {.index = index};
    if (e == NULL || !e->waits || (uint64_t)e->position != r->position) {
        a.error = 1;
        return a;
    }
    a.position = r->position;
    a.dropped = e->dead;
    e->waits = false;
    if (e->dead) {
        naive_forget(&n->set[index], e);
    }
    return a;
}

static gm_tag_store_response naive_remove(naive_store *n, uint64_t index,
                                          const gm_tag_store_request *r)
{
    naive_entry *e = naive_find(n->set[index], r->line);
    gm_tag_store_response a = {.index = index};
    if (e == NULL || e->dead) {
        return a;
    }
    if (e->waits) {
        e->dead = true;
        a.dead = 1;
        return a;
    }
    if (e->position >= 0) {
        naive_report(e, &a);
    }
    if (r->op == GM_TAG_STORE_INVALIDATE) {
        naive_forget(&n->set[index], e);
    } else if (e->position >= 0) {
        e->position = -1;
        e->rc = 0;
        naive_age(n->set[index], e, 1, &a);
    }
    return a;
}

static void naive_flush(naive_store *n, bool all)
{
    for (unsigned index = 0; index < 1024; index++) {
        for (naive_entry *e = n->set[index], *next; e != NULL; e = next) {
            next = e->next;
            e->dead = true;
            if (all || !e->waits) {
                naive_forget(&n->set[index], e);
            }
        }
    }
}

static gm_tag_store_response naive_access(naive_store *n, const gm_tag_store_request *r)
{
    uint64_t index = gm_set_index_of(n->p->index, r->line);
    switch (r->op) {
    case GM_TAG_STORE_PROBE:
        return naive_probe(n, index, r);
    case GM_TAG_STORE_FILL:
        return naive_fill(n, index, r);
    case GM_TAG_STORE_WRITE:
    case GM_TAG_STORE_INVALIDATE:
        return naive_remove(n, index, r);
    default:
        naive_flush(n, false);
        return (gm_tag_store_response){0};
    }
}

#endif
