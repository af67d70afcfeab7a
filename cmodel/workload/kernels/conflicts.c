/* Bank conflicts: the lanes of a warp load words `stride` apart, which fall into the same bank by
 * the greatest common divisor of stride and banks. From shared memory, each load gives the place of
 * the next one, so that a load's time is its latency [Jia et al., arXiv:1804.06826]. From global
 * memory, loads do not wait for one another, so that with many warps a load's time is the L1's
 * throughput [RRZE-HPC/gpu-benches, gpu-strides]. */
#include "workload/workload_internal.h"

enum { STRIDE, LOADS, WARPS, SPACE };
static const gm_workload_option options[] = {
    [STRIDE] = {"stride", 1, 32, 1, false, "words from one lane's word to the next lane's"},
    [LOADS] = {"loads", 1, 1 << 20, 1 << 10, false, "loads of a lane"},
    [WARPS] = {"warps", 1, 32, 1, false, "warps of the one CTA, over the same words"},
    [SPACE] = {"space", 0, 1, 1, false, "0: global memory, 1: shared memory"},
    {0},
};

enum { WORDS = 32 * 32, BETWEEN_YIELDS = 4096 };
enum { GLOBAL_WORDS = 2 * WORDS }; /* more than strides reach: 63 * 32 + 28 */

typedef struct conflicts {
    const uint32_t *own; /* [GLOBAL_WORDS]: each its own place */
    uint32_t *last;      /* [threads]: where each lane's chain ends; global: the sum of its loads */
    uint32_t loads, stride;
} conflicts;

typedef struct conflicts_locals {
    uint32_t place, done;
} conflicts_locals;

typedef struct words {
    uint32_t next[WORDS];
} words;

GM_THREAD(conflicts, conflicts)
{
    conflicts_locals *l = t->locals;
    words *s = t->shared;
    BEGIN(t)
    for (uint32_t i = t->thread.x; i < WORDS; i += t->block.x) {
        uint32_t own = LOAD(t, a->own + i);
        SHARED_STORE(t, &s->next[i], own);
        LOOP(t);
    }
    BARRIER(t);
    l->place = t->thread.x % 32 * a->stride;
    COMPUTE(t, INTEGER, 2);
    for (l->done = 0; l->done < a->loads; l->done++) {
        l->place = SHARED_LOAD(t, &s->next[l->place]);
        COMPUTE(t, INTEGER, 1);
        if (l->done % BETWEEN_YIELDS == BETWEEN_YIELDS - 1) {
            YIELD(t);
        }
        LOOP(t);
    }
    STORE(t, a->last + t->thread.x, l->place);
    END(t);
}
GM_BARRIER_KERNEL(conflicts, conflicts, conflicts_locals, words)

typedef struct strides_locals {
    uint32_t place, sum, done;
} strides_locals;

/* Eight loads of a lane lie 0 to 28 words from its place, so that most rows of lanes begin within a
 * line, and every second warp reads behind the one before it [gpu-strides]. */
enum { LANES_APART = 64 };

GM_THREAD(strides, conflicts)
{
    strides_locals *l = t->locals;
    const uint32_t *own;
    BEGIN(t)
    l->place = t->thread.x % LANES_APART * a->stride;
    l->sum = 0;
    COMPUTE(t, INTEGER, 2);
    for (l->done = 0; l->done + 8 <= a->loads; l->done += 8) { /* eight registers */
        own = a->own + l->place;
        l->sum += LOAD(t, own);
        l->sum += LOAD(t, own + 4);
        l->sum += LOAD(t, own + 8);
        l->sum += LOAD(t, own + 12);
        l->sum += LOAD(t, own + 20);
        l->sum += LOAD(t, own + 16);
        l->sum += LOAD(t, own + 24);
        l->sum += LOAD(t, own + 28);
        if (l->done % BETWEEN_YIELDS == BETWEEN_YIELDS - 8) {
            YIELD(t);
        }
        LOOP(t);
    }
    for (; l->done < a->loads; l->done++) {
        l->sum += LOAD(t, a->own + l->place);
        LOOP(t);
    }
    COMPUTE(t, INTEGER, 1);
    STORE(t, a->last + t->thread.x, l->sum);
    END(t);
}
GM_YIELD_KERNEL(strides, conflicts, strides_locals)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    conflicts *c = state;
    size_t threads = 32 * (size_t)workload->value[WARPS];
    uint32_t *own = gm_workload_input(workload, "own", GLOBAL_WORDS, sizeof *own, error);
    uint32_t *last = gm_workload_output(workload, "last", threads, sizeof *last, error);
    if (own == NULL || last == NULL) {
        return error->code;
    }
    for (uint32_t i = 0; i < GLOBAL_WORDS; i++) {
        own[i] = i;
    }
    *c = (conflicts){.own = own,
                     .last = last,
                     .loads = (uint32_t)workload->value[LOADS],
                     .stride = (uint32_t)workload->value[STRIDE]};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    launch->code = workload->value[SPACE] != 0 ? &conflicts_code : &strides_code;
    launch->arguments = state;
    launch->block.x = 32 * (uint32_t)workload->value[WARPS];
    launch->grid.x = 1;
    return step == 0;
}

extern const gm_workload_definition gm_workload_conflicts;
const gm_workload_definition gm_workload_conflicts = {
    .description = {"conflicts", "loads of shared memory or of the L1 with bank conflicts",
                    "micro-workload for latencies", options},
    .state_bytes = sizeof(conflicts),
    .setup = setup,
    .launch = launch,
};
