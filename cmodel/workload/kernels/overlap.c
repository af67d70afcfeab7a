/* Kernels on several CUDA streams: each adds a vector to its stream's sums, so that kernels of one
 * stream depend on each other and those of different streams share only what they read. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { N, KERNELS, STREAMS, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 24, 16384, false, "elements of a vector"},
    [KERNELS] = {"kernels", 1, 4096, 8, false, "launches"},
    [STREAMS] = {"streams", 1, 64, 4, false, "kernel k is on stream k mod streams"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the vector"},
    {0},
};

typedef struct overlap {
    const float *added;
    float *sums, *stream_sums; /* of all streams, of the launch's stream */
    uint32_t n;
} overlap;

GM_THREAD(overlap, overlap)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->n) {
        float x = LOAD(t, a->added + i);
        float y = LOAD(t, a->stream_sums + i);
        COMPUTE(t, FP32, 1);
        STORE(t, a->stream_sums + i, x + y);
    }
}
GM_KERNEL(overlap, overlap)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    overlap *v = state;
    size_t n = (size_t)workload->value[N];
    size_t streams = (size_t)workload->value[STREAMS];
    float *added = gm_workload_input(workload, "added", n, sizeof *added, error);
    float *sums = gm_workload_output(workload, "sums", n * streams, sizeof *sums, error);
    if (added == NULL || sums == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < n; i++) {
        added[i] = gm_random_float(&random, 0.0F, 1.0F);
    }
    *v = (overlap){.added = added, .sums = sums, .n = (uint32_t)n};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    overlap *v = state;
    launch->stream = step % (uint64_t)workload->value[STREAMS];
    v->stream_sums = v->sums + launch->stream * v->n;
    launch->code = &overlap_code;
    launch->arguments = v;
    launch->block.x = 256;
    launch->grid.x = gm_blocks(v->n, launch->block.x);
    return step < (uint64_t)workload->value[KERNELS];
}

extern const gm_workload_definition gm_workload_overlap;
const gm_workload_definition gm_workload_overlap = {
    .description = {"overlap", "sums of a vector, on several CUDA streams", "micro-workload",
                    options},
    .state_bytes = sizeof(overlap),
    .setup = setup,
    .launch = launch,
};
