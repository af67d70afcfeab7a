/* Streaming micro-workload: each thread reads (and with copy=1 writes) `each` elements of 4, 8 or
 * 16 bytes, grid-stride, fully coalesced, four in flight. For benchmarks of the path from source to
 * DRAM. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { N, WIDTH, COPY, EACH, THREADS, SEED };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 28, 1 << 22, false, "elements"},
    [WIDTH] = {"width", 4, 16, 4, false, "bytes of an element: 4, 8 or 16"},
    [COPY] = {"copy", 0, 1, 0, false, "1: write the elements elsewhere; 0: only read them"},
    [EACH] = {"each", 1, 4096, 16, false, "elements that a thread takes"},
    [THREADS] = {"threads", 1, 1024, 256, false, "threads of a CTA"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the input"},
    {0},
};

typedef struct word8 {
    uint32_t x, y;
} word8;
typedef struct word16 {
    uint32_t x, y, z, w;
} word16;

typedef struct stream {
    const void *from;
    void *to;
    uint32_t n, width;
    bool copy;
    uint32_t block, threads; /* of a CTA, of the grid */
} stream;

/* One kernel for each width, reading only or copying; four elements an iteration while four are
 * left, as compilers unroll it. */
#define STREAM_KERNEL(NAME, TYPE)                                                                  \
    GM_THREAD(read_##NAME, stream)                                                                 \
    {                                                                                              \
        const __typeof__(TYPE) *from = a->from;                                                    \
        size_t step = a->threads;                                                                  \
        size_t i = GM_GLOBAL_X(t);                                                                 \
        COMPUTE(t, INTEGER, 2);                                                                    \
        for (; i + 3 * step < a->n; i += 4 * step) {                                               \
            (void)LOAD(t, from + i);                                                               \
            (void)LOAD(t, from + i + step);                                                        \
            (void)LOAD(t, from + i + 2 * step);                                                    \
            (void)LOAD(t, from + i + 3 * step);                                                    \
            LOOP(t);                                                                               \
        }                                                                                          \
        for (; i < a->n; i += step) {                                                              \
            (void)LOAD(t, from + i);                                                               \
            LOOP(t);                                                                               \
        }                                                                                          \
    }                                                                                              \
    GM_KERNEL(read_##NAME, stream)                                                                 \
    GM_THREAD(copy_##NAME, stream)                                                                 \
    {                                                                                              \
        const __typeof__(TYPE) *from = a->from;                                                    \
        __typeof__(TYPE) *to = a->to;                                                              \
        size_t step = a->threads;                                                                  \
        size_t i = GM_GLOBAL_X(t);                                                                 \
        COMPUTE(t, INTEGER, 2);                                                                    \
        for (; i + 3 * step < a->n; i += 4 * step) {                                               \
            TYPE value0 = LOAD(t, from + i);                                                       \
            TYPE value1 = LOAD(t, from + i + step);                                                \
            TYPE value2 = LOAD(t, from + i + 2 * step);                                            \
            TYPE value3 = LOAD(t, from + i + 3 * step);                                            \
            STORE(t, to + i, value0);                                                              \
            STORE(t, to + i + step, value1);                                                       \
            STORE(t, to + i + 2 * step, value2);                                                   \
            STORE(t, to + i + 3 * step, value3);                                                   \
            LOOP(t);                                                                               \
        }                                                                                          \
        for (; i < a->n; i += step) {                                                              \
            TYPE value = LOAD(t, from + i);                                                        \
            STORE(t, to + i, value);                                                               \
            LOOP(t);                                                                               \
        }                                                                                          \
    }                                                                                              \
    GM_KERNEL(copy_##NAME, stream)
STREAM_KERNEL(4, uint32_t)
STREAM_KERNEL(8, word8)
STREAM_KERNEL(16, word16)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    stream *s = state;
    size_t n = (size_t)workload->value[N];
    size_t width = (size_t)workload->value[WIDTH];
    if (width != 4 && width != 8 && width != 16) {
        return gm_fail(error, -EINVAL, "workload stream: width=%zu is not 4, 8 or 16", width);
    }
    s->copy = workload->value[COPY] != 0;
    uint32_t *from = gm_workload_input(workload, "from", n, width, error);
    void *to = gm_workload_output(workload, "to", s->copy ? n : 0, width, error);
    if (from == NULL || to == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; s->copy && i < n * width / sizeof *from; i++) {
        from[i] = (uint32_t)gm_random_next(&random);
    }
    s->from = from;
    s->to = to;
    s->n = (uint32_t)n;
    s->width = (uint32_t)width;
    s->block = (uint32_t)workload->value[THREADS];
    s->threads = gm_blocks(gm_blocks(n, (uint32_t)workload->value[EACH]), s->block) * s->block;
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const stream *s = state;
    if (s->width == 4) {
        launch->code = s->copy ? &copy_4_code : &read_4_code;
    } else if (s->width == 8) {
        launch->code = s->copy ? &copy_8_code : &read_8_code;
    } else {
        launch->code = s->copy ? &copy_16_code : &read_16_code;
    }
    launch->arguments = s;
    launch->block.x = s->block;
    launch->grid.x = s->threads / s->block;
    return step == 0;
}

extern const gm_workload_definition gm_workload_stream;
const gm_workload_definition gm_workload_stream = {
    .description = {"stream", "coalesced reads, or a copy", "micro-workload for benchmarks",
                    options},
    .state_bytes = sizeof(stream),
    .setup = setup,
    .launch = launch,
};
