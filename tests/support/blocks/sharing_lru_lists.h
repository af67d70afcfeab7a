/* A second implementation of sharing_lru: keeps each set as a list of lines and asks the paper's
 * questions one by one. */
#ifndef GOLDMEM_TESTS_SUPPORT_BLOCKS_SHARING_LRU_LISTS_H
#define GOLDMEM_TESTS_SUPPORT_BLOCKS_SHARING_LRU_LISTS_H

#include "goldmem/bits.h"
#include "goldmem/sharing_lru.h"

#include <stdbool.h>
#include <string.h>

typedef enum naive_kind { NAIVE_PRIVATE, NAIVE_SHARED } naive_kind;

typedef struct naive_line {
    unsigned way;
    naive_kind kind;
    bool dead;
    int owner; /* -1: none */
} naive_line;

/* A set: its lines from the least to the most recently used. */
typedef struct naive_set {
    unsigned count;
    naive_line line[32];
} naive_set;

typedef struct naive {
    const gm_sharing_lru_parameters *p;
    naive_set *set;
} naive;

static inline naive_kind kept_kind(const naive *n)
{
    return n->p->level == GM_SHARING_L1 ? NAIVE_PRIVATE : NAIVE_SHARED;
}

static inline int find_way(const naive_set *set, unsigned way)
{
    for (unsigned i = 0; i < set->count; i++) {
        if (set->line[i].way == way) {
            return (int)i;
        }
    }
    return -1;
}

/* Returns the place of the first line in LRU order that is eligible and of one of the kinds. */
static inline int first_of(const naive_set *set, uint64_t eligible, bool is_private, bool is_shared)
{
    for (unsigned i = 0; i < set->count; i++) {
        bool fits = set->line[i].kind == NAIVE_PRIVATE ? is_private : is_shared;
        if (fits && (eligible >> set->line[i].way & 1) != 0) {
            return (int)i;
        }
    }
    return -1;
}

static inline naive_line take_out(naive_set *set, int place)
{
    naive_line out = set->line[place];
    set->count--;
    memmove(set->line + place, set->line + place + 1,
            (set->count - (unsigned)place) * sizeof *set->line);
    return out;
}

static inline naive_line new_line(const naive *n, unsigned way, const gm_sharing_lru_request *r)
{
    naive_line line = {.way = way, .kind = NAIVE_PRIVATE, .owner = -1};
    if (n->p->level == GM_SHARING_L1) {
        line.kind = r->incoming != 0 ? NAIVE_SHARED : NAIVE_PRIVATE;
    } else if (r->known != 0) {
        line.owner = (int)r->sm;
    }
    return line;
}

/* Returns the place of the victim; -1: bypass. */
static inline int naive_victim(const naive *n, naive_set *set, const gm_sharing_lru_request *r)
{
    bool kept_private = kept_kind(n) == NAIVE_PRIVATE;
    int last = first_of(set, r->eligible, true, true);
    naive_line *p = &set->line[last];
    bool detects = n->p->dead != GM_SHARING_DEAD_OFF;
    if (detects && p->kind == kept_kind(n) && p->dead) {
        if (r->incoming == 0 || n->p->dead == GM_SHARING_DEAD_ANY) {
            return last;
        }
    }
    if (detects && p->kind == kept_kind(n)) {
        p->dead = true;
    }
    int other = first_of(set, r->eligible, !kept_private, kept_private);
    return other >= 0 ? other : (r->incoming == 0 ? last : -1);
}

static inline unsigned dead_lines(const naive_set *set)
{
    unsigned count = 0;
    for (unsigned i = 0; i < set->count; i++) {
        count += set->line[i].dead;
    }
    return count;
}

static inline gm_sharing_lru_response naive_replace(const naive *n, naive_set *set,
                                                    const gm_sharing_lru_request *r)
{
    unsigned before = dead_lines(set);
    if ((r->eligible & gm_mask(n->p->ways)) == 0) {
        return (gm_sharing_lru_response){.none = 1};
    }
    for (unsigned way = 0; way < n->p->ways; way++) {
        if ((r->eligible >> way & 1) != 0 && find_way(set, way) < 0) {
            set->line[set->count++] = new_line(n, way, r);
            return (gm_sharing_lru_response){.way = way};
        }
    }
    int place = naive_victim(n, set, r);
    if (place < 0) {
        return (gm_sharing_lru_response){.bypass = 1, .died = dead_lines(set) > before};
    }
    bool was_dead = before > dead_lines(set) - set->line[place].dead;
    naive_line victim = take_out(set, place);
    gm_sharing_lru_response a = {
        .way = victim.way,
        .evicted = 1,
        .shared = victim.kind == NAIVE_SHARED,
        .dead = was_dead,
        .died = dead_lines(set) > before,
    };
    set->line[set->count++] = new_line(n, victim.way, r);
    return a;
}

static inline gm_sharing_lru_response naive_touch(const naive *n, naive_set *set, int place,
                                                  const gm_sharing_lru_request *r)
{
    naive_line line = take_out(set, place);
    gm_sharing_lru_response a = {0};
    line.dead = false;
    if (n->p->level == GM_SHARING_L2 && r->known != 0) {
        if (line.owner == -1) {
            line.owner = (int)r->sm;
        } else if (line.owner != (int)r->sm) {
            a.became = line.kind == NAIVE_PRIVATE;
            line.kind = NAIVE_SHARED;
        }
    }
    a.shared = line.kind == NAIVE_SHARED;
    set->line[set->count++] = line;
    return a;
}

static inline void naive_forget(const naive *n, bool lines)
{
    for (unsigned i = 0; i >> n->p->index_bits == 0; i++) {
        naive_set *set = &n->set[i];
        for (unsigned k = 0; k < set->count; k++) {
            set->line[k] = (naive_line){.way = set->line[k].way, .owner = -1};
        }
        set->count = lines ? 0 : set->count;
    }
}

static inline gm_sharing_lru_response naive_access(const naive *n, const gm_sharing_lru_request *r)
{
    naive_set *set = &n->set[r->index];
    if (r->op == GM_SHARING_LRU_REPLACE) {
        return naive_replace(n, set, r);
    }
    if (r->op >= GM_SHARING_LRU_PEEK) {
        naive_set copy = *set;
        return naive_replace(n, &copy, r);
    }
    if (r->op == GM_SHARING_LRU_FLUSH || r->op == GM_SHARING_LRU_RESET) {
        naive_forget(n, r->op == GM_SHARING_LRU_FLUSH);
        return (gm_sharing_lru_response){0};
    }
    int place = find_way(set, (unsigned)r->way);
    if (place < 0) {
        return (gm_sharing_lru_response){.error = 1};
    }
    if (r->op == GM_SHARING_LRU_REMOVE) {
        take_out(set, place);
        return (gm_sharing_lru_response){0};
    }
    return naive_touch(n, set, place, r);
}

#endif
