/* Atomic additions to global memory by all threads of a grid: to one word, to a word for each lane,
 * or to a word for each thread, as far apart as `stride` says. */
#include "workload/workload_internal.h"

enum { CTAS, EACH, WORDS, STRIDE, RETURNS };
static const gm_workload_option options[] = {
    [CTAS] = {"ctas", 1, 1 << 16, 64, false, "CTAs of 256 threads"},
    [EACH] = {"each", 1, 4096, 16, false, "additions of a thread"},
    [WORDS] = {"words", 1, 1 << 24, 1, false,
               "words that are added to: thread i adds to word i modulo this"},
    [STRIDE] = {"stride", 1, 1024, 1, false, "words from one such word to the next"},
    [RETURNS] = {"returns", 0, 1, 0, false, "1: the old value is used (ATOM); 0: not (RED)"},
    {0},
};

enum { BLOCK = 256 };

typedef struct atomics {
    uint32_t *counter; /* [words * stride] */
    uint32_t *most;    /* [threads]: the greatest old value that each has met; RETURNS only */
    uint32_t each, words, stride;
} atomics;

GM_THREAD(reduce, atomics)
{
    uint32_t *counter = a->counter + (size_t)(GM_GLOBAL_X(t) % a->words) * a->stride;
    COMPUTE(t, INTEGER, 2);
    for (uint32_t k = 0; k < a->each; k++) {
        RED_ADD(t, counter, 1U);
        LOOP(t);
    }
}
GM_KERNEL(reduce, atomics)

GM_THREAD(fetch, atomics)
{
    uint32_t *counter = a->counter + (size_t)(GM_GLOBAL_X(t) % a->words) * a->stride;
    uint32_t most = 0;
    COMPUTE(t, INTEGER, 2);
    for (uint32_t k = 0; k < a->each; k++) {
        uint32_t old = ATOMIC_ADD(t, counter, 1U);
        COMPUTE(t, INTEGER, 1);
        most = old > most ? old : most;
        LOOP(t);
    }
    STORE(t, a->most + GM_GLOBAL_X(t), most);
}
GM_KERNEL(fetch, atomics)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    atomics *s = state;
    size_t words = (size_t)workload->value[WORDS];
    size_t stride = (size_t)workload->value[STRIDE];
    size_t threads = (size_t)workload->value[CTAS] * BLOCK;
    bool returns = workload->value[RETURNS] != 0;
    uint32_t *counter =
        gm_workload_input(workload, "counter", words * stride, sizeof *counter, error);
    uint32_t *most =
        gm_workload_output(workload, "most", returns ? threads : 0, sizeof *most, error);
    if (counter == NULL || most == NULL) {
        return error->code;
    }
    *s = (atomics){.counter = counter,
                   .most = most,
                   .each = (uint32_t)workload->value[EACH],
                   .words = (uint32_t)words,
                   .stride = (uint32_t)stride};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    launch->code = workload->value[RETURNS] != 0 ? &fetch_code : &reduce_code;
    launch->arguments = state;
    launch->block.x = BLOCK;
    launch->grid.x = (uint32_t)workload->value[CTAS];
    return step == 0;
}

extern const gm_workload_definition gm_workload_atomics;
const gm_workload_definition gm_workload_atomics = {
    .description = {"atomics", "atomic additions to one, a few or many words",
                    "micro-workload for throughput", options},
    .state_bytes = sizeof(atomics),
    .setup = setup,
    .launch = launch,
};
