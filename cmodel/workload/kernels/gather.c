/* Random gather micro-workload: each thread reads words at random places of a table, either at a
 * hash of its position (index=0) or where an array of indices says (index=1), and sums them. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { BYTES, N, EACH, INDEX, SEED };
static const gm_workload_option options[] = {
    [BYTES] = {"bytes", 4, INT64_C(1) << 32, 1 << 23, false, "bytes of the table"},
    [N] = {"n", 1, 1 << 26, 1 << 16, false, "threads"},
    [EACH] = {"each", 1, 4096, 16, false, "words that a thread reads"},
    [INDEX] = {"index", 0, 1, 0, false, "1: places from an array in memory; 0: hashed"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of places and table"},
    {0},
};

typedef struct gather {
    const uint32_t *table, *index;
    uint32_t *sum;
    uint32_t n, each, words;
    uint64_t seed;
} gather;

/* Returns a place below `words`, by position. */
static inline uint32_t place_of(const gather *g, uint64_t position)
{
    uint64_t hash = gm_hash64((position + g->seed) * UINT64_C(0x9e3779b97f4a7c15));
    return (uint32_t)((hash >> 32) * g->words >> 32);
}

GM_THREAD(hashed, gather)
{
    uint32_t i = GM_GLOBAL_X(t);
    if (i < a->n) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < a->each; k++) {
            COMPUTE(t, INTEGER, 1);
            sum += LOAD(t, a->table + place_of(a, (uint64_t)k * a->n + i));
            LOOP(t);
        }
        STORE(t, a->sum + i, sum);
    }
}
GM_KERNEL(hashed, gather)

GM_THREAD(indexed, gather)
{
    uint32_t i = GM_GLOBAL_X(t);
    if (i < a->n) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < a->each; k++) {
            uint32_t place = LOAD(t, a->index + (size_t)k * a->n + i);
            COMPUTE(t, INTEGER, 1);
            sum += LOAD(t, a->table + place);
            LOOP(t);
        }
        STORE(t, a->sum + i, sum);
    }
}
GM_KERNEL(indexed, gather)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    gather *g = state;
    bool indexed = workload->value[INDEX] != 0;
    size_t n = (size_t)workload->value[N];
    size_t each = (size_t)workload->value[EACH];
    size_t words = (size_t)workload->value[BYTES] / sizeof *g->table;
    uint32_t *table = gm_workload_input(workload, "table", words, sizeof *table, error);
    uint32_t *index =
        gm_workload_input(workload, "index", indexed ? n * each : 0, sizeof *index, error);
    uint32_t *sum = gm_workload_output(workload, "sum", n, sizeof *sum, error);
    if (table == NULL || index == NULL || sum == NULL) {
        return error->code;
    }
    *g = (gather){.table = table,
                  .index = index,
                  .sum = sum,
                  .n = (uint32_t)n,
                  .each = (uint32_t)each,
                  .words = (uint32_t)words,
                  .seed = (uint64_t)workload->value[SEED]};
    uint64_t random = g->seed;
    for (size_t i = 0; i < words; i++) {
        table[i] = (uint32_t)gm_random_next(&random);
    }
    for (size_t i = 0; indexed && i < n * each; i++) {
        index[i] = place_of(g, i);
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    const gather *g = state;
    launch->code = workload->value[INDEX] != 0 ? &indexed_code : &hashed_code;
    launch->arguments = g;
    launch->block.x = 256;
    launch->grid.x = gm_blocks(g->n, 256);
    return step == 0;
}

extern const gm_workload_definition gm_workload_gather;
const gm_workload_definition gm_workload_gather = {
    .description = {"gather", "random reads from a table", "micro-workload for benchmarks",
                    options},
    .state_bytes = sizeof(gather),
    .setup = setup,
    .launch = launch,
};
