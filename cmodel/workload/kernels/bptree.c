/* Search in a B+ tree [Rodinia b+tree, kernels findK and findRangeK; khairy, Table 2 (B+tree):
 * cache friendly; li, Table 1 (BT): cache friendly]. A CTA is a search, a thread a key of a node:
 * each level compares 256 keys, one thread finds its interval and names the next node. The host
 * builds the tree, nodes numbered level by level from the root and half full, as insertion in order
 * leaves them; record i has key 2 i. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { RECORDS, QUERIES, RANGES, SPAN, SEED };
static const gm_workload_option options[] = {
    [RECORDS] = {"records", 1, 1 << 24, 1 << 18, false, "in the tree"},
    [QUERIES] = {"queries", 1, 1 << 20, 4096, false, "searches for a key, one in two in vain"},
    [RANGES] = {"ranges", 1, 1 << 20, 2048, false, "searches for two keys and what lies between"},
    [SPAN] = {"span", 1, 1 << 20, 1000, false, "records of a range, at most"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of records and searches"},
    {0},
};

enum { ORDER = 256, FILL = ORDER / 2, LEVELS = 5 };

typedef struct tree_node {
    int32_t location;
    int32_t index[ORDER + 1]; /* of children; in a leaf: of records */
    int32_t key[ORDER + 1];   /* child i has the keys from key[i] to key[i + 1] - 1 */
    int32_t is_leaf;
    int32_t keys;
} tree_node;

/* One search's descent: its node, and the next. */
typedef struct descent {
    int32_t *current, *next;
} descent;

typedef struct bptree {
    tree_node *node;
    int32_t *record;
    int32_t *key, *answer; /* of each query; the answer is -1 if the tree lacks the key */
    descent query;
    int32_t *start, *end;  /* keys of each range */
    int32_t *first, *span; /* its first record, their number */
    descent from, to;
    int32_t nodes, height;
    uint32_t queries, ranges;
} bptree;

typedef struct bptree_locals {
    int32_t level;
} bptree_locals;
typedef struct bptree_shared {
    int32_t unused;
} bptree_shared;

/* The thread whose interval of the current node contains the key stores the child. */
#define FIND_CHILD(t, a, way, keys)                                                                \
    do {                                                                                           \
        int32_t current = LOAD(t, (way).current + (t)->cta.x);                                     \
        COMPUTE(t, INTEGER, 2);                                                                    \
        int32_t low = LOAD(t, &(a)->node[current].key[(t)->thread.x]);                             \
        int32_t wanted = LOAD(t, (keys) + (t)->cta.x);                                             \
        COMPUTE(t, INTEGER, 1);                                                                    \
        if (low <= wanted) {                                                                       \
            int32_t high = LOAD(t, &(a)->node[current].key[(t)->thread.x + 1]);                    \
            COMPUTE(t, INTEGER, 1);                                                                \
            if (high > wanted) {                                                                   \
                int32_t child = LOAD(t, &(a)->node[current].index[(t)->thread.x]);                 \
                COMPUTE(t, INTEGER, 1);                                                            \
                if (child < (a)->nodes) {                                                          \
                    STORE(t, (way).next + (t)->cta.x, child);                                      \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)

#define GO_DOWN(t, way)                                                                            \
    do {                                                                                           \
        int32_t next = LOAD(t, (way).next + (t)->cta.x);                                           \
        STORE(t, (way).current + (t)->cta.x, next);                                                \
    } while (0)

GM_THREAD(find_k, bptree)
{
    bptree_locals *l = t->locals;
    uint32_t x = t->thread.x;
    BEGIN(t)
    COMPUTE(t, INTEGER, 2);
    for (l->level = 0; l->level < a->height; l->level++) {
        FIND_CHILD(t, a, a->query, a->key);
        BARRIER(t);
        if (x == 0) {
            GO_DOWN(t, a->query);
        }
        BARRIER(t);
        LOOP(t);
    }
    int32_t leaf = LOAD(t, a->query.current + t->cta.x);
    COMPUTE(t, INTEGER, 2);
    int32_t key = LOAD(t, &a->node[leaf].key[x]);
    int32_t wanted = LOAD(t, a->key + t->cta.x);
    COMPUTE(t, INTEGER, 1);
    if (key == wanted) {
        int32_t index = LOAD(t, &a->node[leaf].index[x]);
        COMPUTE(t, INTEGER, 1);
        int32_t value = LOAD(t, a->record + index);
        STORE(t, a->answer + t->cta.x, value);
    }
    END(t);
}
GM_BARRIER_KERNEL(find_k, bptree, bptree_locals, bptree_shared)

GM_THREAD(find_range_k, bptree)
{
    bptree_locals *l = t->locals;
    uint32_t x = t->thread.x;
    BEGIN(t)
    COMPUTE(t, INTEGER, 2);
    for (l->level = 0; l->level < a->height; l->level++) {
        FIND_CHILD(t, a, a->from, a->start);
        FIND_CHILD(t, a, a->to, a->end);
        BARRIER(t);
        if (x == 0) {
            GO_DOWN(t, a->from);
            GO_DOWN(t, a->to);
        }
        BARRIER(t);
        LOOP(t);
    }
    int32_t leaf = LOAD(t, a->from.current + t->cta.x);
    COMPUTE(t, INTEGER, 2);
    int32_t key = LOAD(t, &a->node[leaf].key[x]);
    int32_t start = LOAD(t, a->start + t->cta.x);
    COMPUTE(t, INTEGER, 1);
    if (key == start) {
        int32_t first = LOAD(t, &a->node[leaf].index[x]);
        STORE(t, a->first + t->cta.x, first);
    }
    BARRIER(t);
    int32_t last_leaf = LOAD(t, a->to.current + t->cta.x);
    COMPUTE(t, INTEGER, 2);
    int32_t last_key = LOAD(t, &a->node[last_leaf].key[x]);
    int32_t end = LOAD(t, a->end + t->cta.x);
    COMPUTE(t, INTEGER, 1);
    if (last_key == end) {
        int32_t last = LOAD(t, &a->node[last_leaf].index[x]);
        int32_t first = LOAD(t, a->first + t->cta.x);
        COMPUTE(t, INTEGER, 2);
        STORE(t, a->span + t->cta.x, last - first + 1);
    }
    END(t);
}
GM_BARRIER_KERNEL(find_range_k, bptree, bptree_locals, bptree_shared)

/* Counts the nodes of each level, the leaves' first. Returns the number of levels. */
static int count_levels(size_t records, size_t count[LEVELS])
{
    count[0] = gm_blocks(records, FILL);
    int levels = 1;
    while (count[levels - 1] > 1) {
        count[levels] = gm_blocks(count[levels - 1], FILL);
        levels++;
    }
    return levels;
}

static void build(bptree *s, size_t records, const size_t count[LEVELS], int levels)
{
    size_t first = 0; /* node of the level */
    size_t reach = 1; /* records below one child */
    for (int level = 1; level < levels; level++) {
        reach *= FILL;
    }
    for (int level = levels - 1; level >= 0; level--, reach /= FILL) {
        size_t below = level > 0 ? count[level - 1] : records;
        size_t children = level > 0 ? first + count[level] : 0;
        for (size_t i = 0; i < count[level]; i++) {
            tree_node *node = &s->node[first + i];
            size_t keys = below - i * FILL < FILL ? below - i * FILL : FILL;
            *node = (tree_node){
                .location = (int32_t)(first + i), .is_leaf = level == 0, .keys = (int32_t)keys};
            for (size_t k = 0; k <= ORDER; k++) {
                size_t child = i * FILL + k;
                node->index[k] = k < keys ? (int32_t)(children + child) : 0;
                node->key[k] = k < keys ? (int32_t)(2 * child * reach) : INT32_MAX;
            }
            node->key[0] = level > 0 ? INT32_MIN : node->key[0];
        }
        first += count[level];
    }
}

static void make_searches(bptree *s, size_t records, uint64_t span, uint64_t seed)
{
    for (size_t i = 0; i < records; i++) {
        s->record[i] = (int32_t)gm_random_below(&seed, INT32_MAX);
    }
    for (uint32_t i = 0; i < s->queries; i++) {
        s->key[i] = (int32_t)gm_random_below(&seed, 2 * records);
        s->answer[i] = -1;
    }
    for (uint32_t i = 0; i < s->ranges; i++) {
        size_t start = gm_random_below(&seed, records);
        size_t end = start + span > records ? records - 1 : start + span - 1;
        s->start[i] = (int32_t)(2 * start);
        s->end[i] = (int32_t)(2 * end);
    }
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    bptree *s = state;
    size_t records = (size_t)workload->value[RECORDS];
    size_t count[LEVELS] = {0};
    int levels = count_levels(records, count);
    s->queries = (uint32_t)workload->value[QUERIES];
    s->ranges = (uint32_t)workload->value[RANGES];
    s->height = levels - 1;
    for (int i = 0; i < levels; i++) {
        s->nodes += (int32_t)count[i];
    }
    s->record = gm_workload_input(workload, "record", records, sizeof(int32_t), error);
    s->node = gm_workload_input(workload, "node", (size_t)s->nodes, sizeof *s->node, error);
    struct {
        int32_t **array;
        const char *name;
        uint32_t count;
    } searches[] = {
        {&s->query.current, "current", s->queries},
        {&s->query.next, "next", s->queries},
        {&s->key, "key", s->queries},
        {&s->answer, "answer", s->queries},
        {&s->from.current, "current_from", s->ranges},
        {&s->from.next, "next_from", s->ranges},
        {&s->to.current, "current_to", s->ranges},
        {&s->to.next, "next_to", s->ranges},
        {&s->start, "start", s->ranges},
        {&s->end, "end", s->ranges},
        {&s->first, "first", s->ranges},
        {&s->span, "span", s->ranges},
    };
    bool all = s->record != NULL && s->node != NULL;
    for (size_t i = 0; all && i < sizeof searches / sizeof searches[0]; i++) {
        *searches[i].array = gm_workload_input(workload, searches[i].name, searches[i].count,
                                               sizeof(int32_t), error);
        all = *searches[i].array != NULL;
    }
    if (!all) {
        return error->code;
    }
    build(s, records, count, levels);
    make_searches(s, records, (uint64_t)workload->value[SPAN], (uint64_t)workload->value[SEED]);
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    bptree *s = state;
    launch->code = step == 0 ? &find_k_code : &find_range_k_code;
    launch->arguments = s;
    launch->block.x = ORDER;
    launch->grid.x = step == 0 ? s->queries : s->ranges;
    return step < 2;
}

extern const gm_workload_definition gm_workload_bptree;
const gm_workload_definition gm_workload_bptree = {
    .description = {"bptree", "search in a B+ tree, a CTA a search",
                    "Rodinia [khairy, Table 2: B+tree; li, Table 1: BT, cache friendly]", options},
    .state_bytes = sizeof(bptree),
    .setup = setup,
    .launch = launch,
};
