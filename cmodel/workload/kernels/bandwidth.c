/* Bandwidth of a level: each CTA reads its window of a footprint several times, 4 or 16 bytes a
 * lane, coalesced, four loads in flight, and sums what it reads. With windows of their own
 * (shared=0) and a footprint that fits the L1s, data come from the L1s; with one window for all,
 * which each CTA enters at a place of its own (shared=1) or all at its beginning (shared=2), from
 * the L2 or DRAM.
 */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>

enum { BYTES, CTAS, THREADS, PASSES, SHARED, WIDTH, SEED };
static const gm_workload_option options[] = {
    [BYTES] = {"bytes", 64, INT64_C(1) << 31, 1 << 22, false, "footprint of the whole grid"},
    [CTAS] = {"ctas", 1, 1 << 16, 64, false, "CTAs"},
    [THREADS] = {"threads", 32, 1024, 512, false, "threads of a CTA"},
    [PASSES] = {"passes", 1, 4096, 4, false, "times that a CTA reads its window"},
    [SHARED] = {"shared", 0, 2, 0, false,
                "0: a window is a CTA's part of the footprint; 1: it is the whole footprint, and a "
                "CTA begins at its part; 2: all begin at the first part"},
    [WIDTH] = {"width", 4, 16, 16, false, "bytes of a lane: 4 or 16"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the data"},
    {0},
};

typedef struct word16 {
    uint32_t x, y, z, w;
} word16;

typedef struct bandwidth {
    const void *data;
    uint32_t *sum;         /* [threads of the grid] */
    uint32_t part, window; /* elements: between the places of CTAs, of a CTA's window */
    uint32_t passes;
    bool wraps; /* places are in one window */
} bandwidth;

static inline uint32_t sum_of_4(uint32_t value)
{
    return value;
}

static inline uint32_t sum_of_16(word16 value)
{
    return value.x + value.y + value.z + value.w;
}

/* Returns the place of element `i` of the window of a CTA. */
static inline size_t place_of(const bandwidth *b, uint32_t cta, uint32_t i)
{
    size_t place = (size_t)cta * b->part + i;
    return b->wraps && place >= b->window ? place - b->window : place;
}

#define BANDWIDTH_KERNEL(BYTES_OF, TYPE)                                                           \
    GM_THREAD(read_##BYTES_OF, bandwidth)                                                          \
    {                                                                                              \
        const __typeof__(TYPE) *data = a->data;                                                    \
        uint32_t step = t->block.x;                                                                \
        uint32_t cta = t->cta.x;                                                                   \
        uint32_t sum = 0;                                                                          \
        COMPUTE(t, INTEGER, 2);                                                                    \
        for (uint32_t pass = 0; pass < a->passes; pass++) {                                        \
            uint32_t i = t->thread.x;                                                              \
            for (; i + 3 * step < a->window; i += 4 * step) {                                      \
                TYPE v0 = LOAD(t, data + place_of(a, cta, i));                                     \
                TYPE v1 = LOAD(t, data + place_of(a, cta, i + step));                              \
                TYPE v2 = LOAD(t, data + place_of(a, cta, i + 2 * step));                          \
                TYPE v3 = LOAD(t, data + place_of(a, cta, i + 3 * step));                          \
                COMPUTE(t, INTEGER, 1);                                                            \
                sum += sum_of_##BYTES_OF(v0) + sum_of_##BYTES_OF(v1);                              \
                sum += sum_of_##BYTES_OF(v2) + sum_of_##BYTES_OF(v3);                              \
                LOOP(t);                                                                           \
            }                                                                                      \
            for (; i < a->window; i += step) {                                                     \
                TYPE value = LOAD(t, data + place_of(a, cta, i));                                  \
                COMPUTE(t, INTEGER, 1);                                                            \
                sum += sum_of_##BYTES_OF(value);                                                   \
                LOOP(t);                                                                           \
            }                                                                                      \
            LOOP(t);                                                                               \
        }                                                                                          \
        STORE(t, a->sum + GM_GLOBAL_X(t), sum);                                                    \
    }                                                                                              \
    GM_KERNEL(read_##BYTES_OF, bandwidth)
BANDWIDTH_KERNEL(4, uint32_t)
BANDWIDTH_KERNEL(16, word16)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    bandwidth *b = state;
    size_t ctas = (size_t)workload->value[CTAS];
    size_t threads = (size_t)workload->value[THREADS];
    size_t width = (size_t)workload->value[WIDTH];
    size_t part = (size_t)workload->value[BYTES] / sizeof(word16) / ctas;
    if (width != 4 && width != sizeof(word16)) {
        return gm_fail(error, -EINVAL, "workload bandwidth: width=%zu is not 4 or 16", width);
    }
    if (part == 0) {
        return gm_fail(error, -EINVAL,
                       "workload bandwidth: bytes=%lld are less than 16 for each of ctas=%zu",
                       (long long)workload->value[BYTES], ctas);
    }
    word16 *data = gm_workload_input(workload, "data", part * ctas, sizeof *data, error);
    uint32_t *sum = gm_workload_output(workload, "sum", ctas * threads, sizeof *sum, error);
    if (data == NULL || sum == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < part * ctas; i++) {
        data[i].x = (uint32_t)gm_random_next(&random);
    }
    int64_t shared = workload->value[SHARED];
    size_t of_part = part * (sizeof(word16) / width);
    *b = (bandwidth){.data = data,
                     .sum = sum,
                     .part = shared == 2 ? 0 : (uint32_t)of_part,
                     .window = (uint32_t)(shared != 0 ? of_part * ctas : of_part),
                     .passes = (uint32_t)workload->value[PASSES],
                     .wraps = shared != 0};
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    launch->code = workload->value[WIDTH] == 4 ? &read_4_code : &read_16_code;
    launch->arguments = state;
    launch->block.x = (uint32_t)workload->value[THREADS];
    launch->grid.x = (uint32_t)workload->value[CTAS];
    return step == 0;
}

extern const gm_workload_definition gm_workload_bandwidth;
const gm_workload_definition gm_workload_bandwidth = {
    .description = {"bandwidth", "wide coalesced reads of a footprint, again and again",
                    "micro-workload for bandwidths", options},
    .state_bytes = sizeof(bandwidth),
    .setup = setup,
    .launch = launch,
};
