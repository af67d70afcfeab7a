/* Pointer chase: one lane follows a ring of words, each of which holds the next one's place, so
 * that the time of a load is the latency of the level that holds the ring [Saavedra and Smith, IEEE
 * Transactions on Computers 44(10), 1995; Jia et al., arXiv:1804.06826]. The ring lies in global
 * memory, or in the CTA's shared memory. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { BYTES, STRIDE, LOADS, SPACE, ORDER, SEED };
static const gm_workload_option options[] = {
    [BYTES] = {"bytes", 4, INT64_C(1) << 31, 1 << 14, false, "footprint of the ring"},
    [STRIDE] = {"stride", 4, 1 << 20, 128, false,
                "bytes from one word of the ring to its neighbour"},
    [LOADS] = {"loads", 1, 1 << 22, 1 << 12, false,
               "loads, each of the place that the last one gave"},
    [SPACE] = {"space", 0, 1, 0, false, "0: global memory, 1: shared memory"},
    [ORDER] = {"order", 0, 1, 0, false, "0: ascending, 1: random"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random order"},
    {0},
};

enum { SHARED_WORDS = 12288, BETWEEN_YIELDS = 4096 };

typedef struct chase {
    const uint32_t *ring; /* [words]: at each word of the ring the index of the next one */
    uint32_t *last;       /* where the chase ends */
    uint32_t loads, words, step;
} chase;

typedef struct chase_locals {
    uint32_t place, done;
} chase_locals;

typedef struct scratchpad {
    uint32_t ring[SHARED_WORDS];
} scratchpad;

GM_THREAD(global, chase)
{
    chase_locals *l = t->locals;
    BEGIN(t)
    COMPUTE(t, INTEGER, 1);
    for (l->done = 0; l->done < a->loads; l->done++) {
        l->place = LOAD(t, a->ring + l->place);
        COMPUTE(t, INTEGER, 1);
        if (l->done % BETWEEN_YIELDS == BETWEEN_YIELDS - 1) {
            YIELD(t);
        }
        LOOP(t);
    }
    STORE(t, a->last, l->place);
    END(t);
}
GM_YIELD_KERNEL(global, chase, chase_locals)

/* Copies the ring into shared memory first. */
GM_THREAD(shared, chase)
{
    chase_locals *l = t->locals;
    scratchpad *s = t->shared;
    BEGIN(t)
    for (uint32_t i = 0; i < a->words; i += a->step) {
        uint32_t next = LOAD(t, a->ring + i);
        SHARED_STORE(t, &s->ring[i], next);
        LOOP(t);
    }
    BARRIER(t);
    COMPUTE(t, INTEGER, 1);
    for (l->done = 0; l->done < a->loads; l->done++) {
        l->place = SHARED_LOAD(t, &s->ring[l->place]);
        COMPUTE(t, INTEGER, 1);
        if (l->done % BETWEEN_YIELDS == BETWEEN_YIELDS - 1) {
            YIELD(t);
        }
        LOOP(t);
    }
    STORE(t, a->last, l->place);
    END(t);
}
GM_BARRIER_KERNEL(shared, chase, chase_locals, scratchpad)

/* Links every `step`-th of `words` words: in ascending order, or in one cycle by Sattolo's shuffle
 * [Sattolo, Information Processing Letters 22(6), 1986]. */
static void link_ring(uint32_t *ring, uint32_t words, uint32_t step, bool shuffled, uint64_t random)
{
    uint32_t count = (words + step - 1) / step;
    for (uint32_t i = 0; i < count; i++) {
        ring[i * step] = shuffled ? i * step : (i + 1) % count * step;
    }
    for (uint32_t i = count - 1; shuffled && i > 0; i--) {
        uint32_t other = (uint32_t)gm_random_below(&random, i);
        uint32_t next = ring[i * step];
        ring[i * step] = ring[other * step];
        ring[other * step] = next;
    }
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    chase *c = state;
    uint32_t words = (uint32_t)(workload->value[BYTES] / 4);
    bool in_shared = workload->value[SPACE] != 0;
    if (workload->value[STRIDE] % 4 != 0) {
        return gm_fail(error, -EINVAL, "workload chase: stride=%lld is no multiple of 4",
                       (long long)workload->value[STRIDE]);
    }
    if (in_shared && words > SHARED_WORDS) {
        return gm_fail(error, -EINVAL, "workload chase: bytes=%lld is above %d, with space=1",
                       (long long)workload->value[BYTES], 4 * SHARED_WORDS);
    }
    uint32_t *ring = gm_workload_input(workload, "ring", words, sizeof *ring, error);
    uint32_t *last = gm_workload_output(workload, "last", 1, sizeof *last, error);
    if (ring == NULL || last == NULL) {
        return error->code;
    }
    *c = (chase){.ring = ring,
                 .last = last,
                 .loads = (uint32_t)workload->value[LOADS],
                 .words = words,
                 .step = (uint32_t)(workload->value[STRIDE] / 4)};
    link_ring(ring, words, c->step, workload->value[ORDER] != 0, (uint64_t)workload->value[SEED]);
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    launch->code = workload->value[SPACE] != 0 ? &shared_code : &global_code;
    launch->arguments = state;
    launch->block.x = 1;
    launch->grid.x = 1;
    return step == 0;
}

extern const gm_workload_definition gm_workload_chase;
const gm_workload_definition gm_workload_chase = {
    .description = {"chase", "one lane's dependent loads", "micro-workload for latencies", options},
    .state_bytes = sizeof(chase),
    .setup = setup,
    .launch = launch,
};
