/* Gridding of non-Cartesian MRI samples [Parboil mri-gridding; anssari, Table 4.2: broadcast and
 * dynamic sharing]: count the samples of each bin with atomics, scan the counts in shared memory
 * (or, as programs that rely on the cache do [anssari, 2.2], up and down a tree in global memory),
 * sort the samples by bin, then each grid point gathers the samples near it under a window. */
#include "base/random.h"
#include "workload/workload_internal.h"

enum { SCAN = 512, FAN = 16 /* children of a node of the tree of sums */, LEVELS = 8 };

enum { SAMPLES, SIDE, SHARED, SEED };
static const gm_workload_option options[] = {
    [SAMPLES] = {"samples", 1, 1 << 22, 1 << 15, false, "samples"},
    [SIDE] = {"side", 8, 256, 32, false, "grid points in each dimension; one bin a point"},
    [SHARED] = {"shared", 0, 1, 1, false, "0: without shared memory"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the samples"},
    {0},
};

typedef struct sample {
    float x, y, z, value; /* position in 0 <= x < side, ... */
} sample;

typedef struct gridding {
    const sample *sample;
    sample *sorted;
    uint32_t *count; /* of each bin */
    uint32_t *start; /* of each bin in sorted[], and the end */
    uint32_t *filled;
    float *grid;
    uint32_t samples, side;
    /* shared=0: level 0 is count[], a node of the next is the sum of FAN; then the sum before it.
     */
    uint32_t *tree[LEVELS];
    uint32_t nodes[LEVELS], levels;
    uint32_t level; /* of the launch */
} gridding;

static inline uint32_t bin_of(const gridding *a, sample s)
{
    return ((uint32_t)s.z * a->side + (uint32_t)s.y) * a->side + (uint32_t)s.x;
}

GM_THREAD(bin, gridding)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->samples) {
        sample s = LOAD(t, a->sample + i);
        COMPUTE(t, INTEGER, 5);
        RED_ADD(t, a->count + bin_of(a, s), 1);
    }
}
GM_KERNEL(bin, gridding)

typedef struct scan_shared {
    uint32_t sum[2][SCAN];
} scan_shared;
typedef struct scan_locals {
    uint32_t chunk, distance, carry, in;
} scan_locals;

/* Scans the counts, chunk after chunk, in one CTA. */
GM_THREAD(scan, gridding)
{
    scan_shared *s = t->shared;
    scan_locals *l = t->locals;
    uint32_t x = t->thread.x;
    uint32_t bins = a->side * a->side * a->side;
    BEGIN(t)
    for (l->chunk = 0; l->chunk < bins; l->chunk += SCAN) {
        uint32_t i = l->chunk + x;
        uint32_t count = 0;
        if (i < bins) {
            count = LOAD(t, a->count + i);
        }
        SHARED_STORE(t, &s->sum[0][x], count);
        l->in = 0;
        for (l->distance = 1; l->distance < SCAN; l->distance *= 2) {
            BARRIER(t);
            uint32_t own = SHARED_LOAD(t, &s->sum[l->in][x]);
            if (x >= l->distance) {
                own += SHARED_LOAD(t, &s->sum[l->in][x - l->distance]);
            }
            COMPUTE(t, INTEGER, 1);
            SHARED_STORE(t, &s->sum[1 - l->in][x], own);
            l->in = 1 - l->in;
            LOOP(t);
        }
        BARRIER(t);
        uint32_t sum = SHARED_LOAD(t, &s->sum[l->in][x]);
        COMPUTE(t, INTEGER, 1);
        if (l->chunk + x < bins) {
            STORE(t, a->start + l->chunk + x + 1, l->carry + sum);
        }
        l->carry += SHARED_LOAD(t, &s->sum[l->in][SCAN - 1]);
        BARRIER(t);
        LOOP(t);
    }
    END(t);
}
GM_BARRIER_KERNEL(scan, gridding, scan_locals, scan_shared)

/* Sums FAN nodes into one of the next level. */
GM_THREAD(sum_up, gridding)
{
    uint32_t i = GM_GLOBAL_X(t);
    uint32_t from = i * FAN;
    uint32_t end = from + FAN < a->nodes[a->level] ? from + FAN : a->nodes[a->level];
    COMPUTE(t, INTEGER, 4);
    if (i < a->nodes[a->level + 1]) {
        uint32_t sum = 0;
        for (uint32_t k = from; k < end; k++) {
            uint32_t node = LOAD(t, a->tree[a->level] + k);
            COMPUTE(t, INTEGER, 1);
            sum += node;
            LOOP(t);
        }
        STORE(t, a->tree[a->level + 1] + i, sum);
    }
}
GM_KERNEL(sum_up, gridding)

/* Puts the sum of what lies before it in place of each of FAN nodes; those of level 0 go to
 * start[]. The root, a single node, has nothing before it. */
GM_THREAD(hand_down, gridding)
{
    uint32_t i = GM_GLOBAL_X(t);
    uint32_t from = i * FAN;
    uint32_t end = from + FAN < a->nodes[a->level] ? from + FAN : a->nodes[a->level];
    COMPUTE(t, INTEGER, 4);
    if (i < a->nodes[a->level + 1]) {
        uint32_t sum = 0;
        if (a->level + 2 < a->levels) {
            sum = LOAD(t, a->tree[a->level + 1] + i);
        }
        uint32_t *to = a->level == 0 ? a->start + 1 : a->tree[a->level];
        for (uint32_t k = from; k < end; k++) {
            uint32_t node = LOAD(t, a->tree[a->level] + k);
            COMPUTE(t, INTEGER, 1);
            STORE(t, to + k, a->level == 0 ? sum + node : sum);
            sum += node;
            LOOP(t);
        }
    }
}
GM_KERNEL(hand_down, gridding)

GM_THREAD(sort, gridding)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->samples) {
        sample s = LOAD(t, a->sample + i);
        uint32_t bin = bin_of(a, s);
        COMPUTE(t, INTEGER, 5);
        uint32_t place = ATOMIC_ADD(t, a->filled + bin, 1);
        uint32_t start = LOAD(t, a->start + bin);
        COMPUTE(t, INTEGER, 1);
        STORE(t, a->sorted + start + place, s);
    }
}
GM_KERNEL(sort, gridding)

/* Returns the weight of a sample at squared distance r2, which falls from 1 to 0 at a distance of
 * 2. */
static inline float window(float r2)
{
    float s = 1.0F - 0.25F * r2;
    return s > 0.0F ? s * s : 0.0F;
}

/* Return the first and the last bin that can hold a sample within 2 of i, in one dimension. */
static inline uint32_t first_near(uint32_t i)
{
    return i < 2 ? 0 : i - 2;
}
static inline uint32_t last_near(uint32_t i, uint32_t side)
{
    return i + 1 < side ? i + 1 : side - 1;
}

GM_THREAD(gather, gridding)
{
    uint32_t x = t->thread.x;
    uint32_t y = t->cta.x * t->block.y + t->thread.y;
    uint32_t z = t->cta.y;
    COMPUTE(t, INTEGER, 6);
    if (y < a->side) {
        float sum = 0.0F;
        for (uint32_t bz = first_near(z); bz <= last_near(z, a->side); bz++) {
            for (uint32_t by = first_near(y); by <= last_near(y, a->side); by++) {
                const uint32_t *row = a->start + ((size_t)bz * a->side + by) * a->side;
                uint32_t from = LOAD(t, row + first_near(x));
                uint32_t to = LOAD(t, row + last_near(x, a->side) + 1);
                for (uint32_t i = from; i < to; i++) {
                    sample s = LOAD(t, a->sorted + i);
                    COMPUTE(t, FP32, 9);
                    float dx = s.x - (float)x;
                    float dy = s.y - (float)y;
                    float dz = s.z - (float)z;
                    sum += s.value * window(dx * dx + dy * dy + dz * dz);
                    LOOP(t);
                }
                LOOP(t);
            }
            LOOP(t);
        }
        STORE(t, a->grid + ((size_t)z * a->side + y) * a->side + x, sum);
    }
}
GM_KERNEL(gather, gridding)

/* Takes the tree of sums, up to its root. */
static int take_tree(gm_workload *workload, gridding *s, gm_error *error)
{
    static const char *const names[LEVELS] = {NULL,   "sum1", "sum2", "sum3",
                                              "sum4", "sum5", "sum6", "sum7"};
    s->tree[0] = s->count;
    s->nodes[0] = s->side * s->side * s->side;
    s->levels = 1;
    while (s->nodes[s->levels - 1] > 1) {
        uint32_t level = s->levels++;
        s->nodes[level] = gm_blocks(s->nodes[level - 1], FAN);
        s->tree[level] = gm_workload_output(workload, names[level], s->nodes[level], 4, error);
        if (s->tree[level] == NULL) {
            return error->code;
        }
    }
    return 0;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    gridding *s = state;
    s->samples = (uint32_t)workload->value[SAMPLES];
    s->side = (uint32_t)workload->value[SIDE];
    size_t bins = (size_t)s->side * s->side * s->side;
    sample *samples = gm_workload_input(workload, "sample", s->samples, sizeof *samples, error);
    s->sorted = gm_workload_output(workload, "sorted", s->samples, sizeof *s->sorted, error);
    s->count = gm_workload_output(workload, "count", bins, sizeof(uint32_t), error);
    s->start = gm_workload_output(workload, "start", bins + 1, sizeof(uint32_t), error);
    s->filled = gm_workload_output(workload, "filled", bins, sizeof(uint32_t), error);
    s->grid = gm_workload_output(workload, "grid", bins, sizeof(float), error);
    if (samples == NULL || s->sorted == NULL || s->count == NULL || s->start == NULL ||
        s->filled == NULL || s->grid == NULL) {
        return error->code;
    }
    if (workload->value[SHARED] == 0 && take_tree(workload, s, error) < 0) {
        return error->code;
    }
    /* Denser in the middle, as samples along spokes are. */
    uint64_t random = (uint64_t)workload->value[SEED];
    float side = (float)s->side;
    for (uint32_t i = 0; i < s->samples; i++) {
        float at[3];
        for (int d = 0; d < 3; d++) {
            at[d] = side * 0.5F *
                    (gm_random_float(&random, 0.0F, 1.0F) + gm_random_float(&random, 0.0F, 1.0F));
            at[d] = at[d] < side ? at[d] : 0.0F;
        }
        samples[i] = (sample){at[0], at[1], at[2], gm_random_float(&random, -1.0F, 1.0F)};
    }
    s->sample = samples;
    return 0;
}

/* The launches of the scan. Returns 0 behind the last. */
static int launch_scan(const gm_workload *workload, gridding *s, uint64_t step, gm_launch *launch)
{
    if (workload->value[SHARED] == 1) {
        launch->code = &scan_code;
        launch->block.x = SCAN;
        launch->grid.x = 1;
        return step == 0;
    }
    uint32_t last = s->levels - 1;
    if (step >= (uint64_t)last * 2) {
        return 0;
    }
    bool up = step < last;
    s->level = (uint32_t)(up ? step : last * 2 - 1 - step);
    launch->code = up ? &sum_up_code : &hand_down_code;
    launch->block.x = 256;
    launch->grid.x = gm_blocks(s->nodes[s->level + 1], 256);
    return 1;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    gridding *s = state;
    uint64_t scans = workload->value[SHARED] == 1 ? 1 : (uint64_t)(s->levels - 1) * 2;
    launch->arguments = s;
    if (step > 0 && launch_scan(workload, s, step - 1, launch) == 1) {
        return 1;
    }
    launch->code = step == 0 ? &bin_code : &sort_code;
    launch->block.x = 256;
    launch->grid.x = gm_blocks(s->samples, 256);
    if (step == scans + 2) {
        uint32_t rows = s->side < 256 ? 256 / s->side : 1;
        launch->code = &gather_code;
        launch->block = (gm_dim){s->side, rows, 1};
        launch->grid = (gm_dim){gm_blocks(s->side, rows), s->side, 1};
    }
    return step < scans + 3;
}

extern const gm_workload_definition gm_workload_gridding;
const gm_workload_definition gm_workload_gridding = {
    .description = {"gridding", "gridding of MRI samples", "Parboil [anssari, Table 4.2]", options},
    .state_bytes = sizeof(gridding),
    .setup = setup,
    .launch = launch,
};
