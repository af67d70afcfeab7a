/* A particle filter that follows an object in a video [Rodinia particlefilter, the version in
 * double precision: kernels likelihood, sum, normalize_weights (in two here) and find_index; li,
 * Table 1 (PTF): cache unfriendly]. Particles compare 69 pixels each, whose indices they keep in
 * global memory; one thread sums the weights up; all walk that sum from its beginning for their new
 * particle. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <math.h>
#include <stdlib.h>

enum { PARTICLES, SIDE, FRAMES, SEED };
static const gm_workload_option options[] = {
    [PARTICLES] = {"particles", 1, 1 << 14, 1000, false, "guesses of the object's place"},
    [SIDE] = {"side", 32, 1 << 12, 128, false, "rows and columns of a frame"},
    [FRAMES] = {"frames", 2, 100, 6, false, "of the video"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the video's noise and of the guesses"},
    {0},
};

enum { BLOCK = 512, RADIUS = 5, ONES = 69 /* pixels nearer than RADIUS */ };
enum { BACKGROUND = 100, OBJECT = 228 };

typedef struct particlefilter {
    uint8_t *video;        /* [x][y][frame] */
    int32_t *object;       /* y and x of each of the ONES pixels */
    int32_t *index;        /* in the video, of each particle's pixels */
    double *x, *y;         /* of each particle */
    double *new_x, *new_y; /* of those drawn for the next frame */
    double *likelihood, *weight, *cumulative, *u;
    double *partial; /* sum of each CTA's weights; [0]: of all */
    int32_t *seed;   /* of each particle's random numbers */
    uint32_t particles, side, frames, ctas;
    uint32_t frame;
} particlefilter;

typedef struct filter_locals {
    uint32_t half;
} filter_locals;
typedef struct likelihood_shared {
    double sum[BLOCK];
} likelihood_shared;
typedef struct normalize_shared {
    double first_u, sum;
} normalize_shared;

/* Returns a random number above 0, up to 1: Rodinia's generator, which wraps at 32 bits, over 2^31
 * - 1. */
static inline double uniform(int32_t *seed)
{
    int32_t product = (int32_t)(UINT32_C(1103515245) * (uint32_t)*seed + 12345);
    *seed = product % INT32_MAX;
    return fmax(fabs((double)*seed), 1.0) / INT32_MAX;
}

/* Returns a normally distributed number [Box and Muller]. */
static inline double normal(int32_t *seed)
{
    double u = uniform(seed);
    double v = uniform(seed);
    return sqrt(-2.0 * log(u)) * cos(2.0 * 3.14159265358979323846 * v);
}

GM_PARTS(likelihood)

/* Moves a particle as the object moves, plus noise. */
GM_PART(move, particlefilter)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->particles) {
        double x = LOAD(t, a->new_x + i);
        STORE(t, a->x + i, x);
        double y = LOAD(t, a->new_y + i);
        STORE(t, a->y + i, y);
        COMPUTE(t, FP64, 1);
        STORE(t, a->weight + i, 1.0 / a->particles);
        int32_t seed = LOAD(t, a->seed + i);
        COMPUTE(t, INTEGER, 12);
        COMPUTE(t, FP64, 40);
        COMPUTE(t, SPECIAL, 3);
        x += 1.0 + 5.0 * normal(&seed);
        STORE(t, a->x + i, x);
        COMPUTE(t, INTEGER, 12);
        COMPUTE(t, FP64, 40);
        COMPUTE(t, SPECIAL, 3);
        y += -2.0 + 2.0 * normal(&seed);
        STORE(t, a->seed + i, seed);
        STORE(t, a->y + i, y);
    }
}

GM_POINT(moved)

/* Computes a particle's weight: how much more the pixels around it resemble the object than the
 * background. */
GM_PART(weigh, particlefilter)
{
    uint32_t i = GM_GLOBAL_X(t);
    double x = LOAD(t, a->x + i);
    double y = LOAD(t, a->y + i);
    COMPUTE(t, FP64, 4);
    for (uint32_t k = 0; k < ONES; k++) {
        int32_t down = LOAD(t, a->object + 2 * k + 1);
        int32_t across = LOAD(t, a->object + 2 * k);
        COMPUTE(t, INTEGER, 8);
        int64_t pixel = (int64_t)((int32_t)x + down) * a->side + (int32_t)y + across;
        int64_t place = llabs(pixel * a->frames + a->frame);
        bool inside = place < (int64_t)a->side * a->side * a->frames;
        STORE(t, a->index + (size_t)i * ONES + k, inside ? (int32_t)place : 0);
        LOOP(t);
    }
    double sum = 0.0;
    for (uint32_t k = 0; k < ONES; k++) {
        int32_t place = LOAD(t, a->index + (size_t)i * ONES + k);
        COMPUTE(t, INTEGER, 1);
        double pixel = LOAD(t, a->video + place);
        COMPUTE(t, FP64, 6);
        sum += ((pixel - BACKGROUND) * (pixel - BACKGROUND) - (pixel - OBJECT) * (pixel - OBJECT)) /
               50.0;
        LOOP(t);
    }
    COMPUTE(t, FP64, 8);
    STORE(t, a->likelihood + i, sum / ONES);
    double weight = LOAD(t, a->weight + i);
    COMPUTE(t, FP64, 12);
    COMPUTE(t, SPECIAL, 1);
    STORE(t, a->weight + i, weight * exp(sum / ONES));
}

GM_WHOLE(likelihood, particlefilter)
{
    filter_locals *l = t->locals;
    likelihood_shared *s = t->shared;
    uint32_t tx = t->thread.x;
    uint32_t i = GM_GLOBAL_X(t);
    BEGIN(t)
    move(t, a);
    BARRIER_AT(t, moved);
    if (i < a->particles) {
        weigh(t, a);
    }
    SHARED_STORE(t, &s->sum[tx], 0.0);
    BARRIER(t);
    if (i < a->particles) {
        double weight = LOAD(t, a->weight + i);
        SHARED_STORE(t, &s->sum[tx], weight);
    }
    for (l->half = BLOCK / 2; l->half > 0; l->half /= 2) {
        BARRIER(t);
        if (tx < l->half) {
            double own = SHARED_LOAD(t, &s->sum[tx]);
            double other = SHARED_LOAD(t, &s->sum[tx + l->half]);
            COMPUTE(t, FP64, 1);
            SHARED_STORE(t, &s->sum[tx], own + other);
        }
        LOOP(t);
    }
    BARRIER(t);
    if (tx == 0) {
        double sum = SHARED_LOAD(t, &s->sum[0]);
        STORE(t, a->partial + t->cta.x, sum);
    }
    END(t);
}
GM_BARRIER_KERNEL(likelihood, particlefilter, filter_locals, likelihood_shared)

GM_THREAD(sum, particlefilter)
{
    COMPUTE(t, INTEGER, 2);
    if (GM_GLOBAL_X(t) == 0) {
        double sum = 0.0;
        for (uint32_t k = 0; k < a->ctas; k++) {
            double partial = LOAD(t, a->partial + k);
            COMPUTE(t, FP64, 1);
            sum += partial;
            LOOP(t);
        }
        STORE(t, a->partial, sum);
    }
}
GM_KERNEL(sum, particlefilter)

GM_THREAD(normalize_weights, particlefilter)
{
    normalize_shared *s = t->shared;
    uint32_t i = GM_GLOBAL_X(t);
    BEGIN(t)
    COMPUTE(t, INTEGER, 2);
    if (t->thread.x == 0) {
        double all = LOAD(t, a->partial);
        SHARED_STORE(t, &s->sum, all);
    }
    BARRIER(t);
    if (i < a->particles) {
        double weight = LOAD(t, a->weight + i);
        double all = SHARED_LOAD(t, &s->sum);
        COMPUTE(t, FP64, 8);
        STORE(t, a->weight + i, weight / all);
    }
    END(t);
}
GM_BARRIER_KERNEL(normalize_weights, particlefilter, filter_locals, normalize_shared)

/* Second half of Rodinia's normalize_weights, in its own launch, since the first thread reads
 * weights that other CTAs may not have normalised yet. That thread's u serves all CTAs, since the
 * first CTA is executed first. */
GM_THREAD(cumulate, particlefilter)
{
    normalize_shared *s = t->shared;
    uint32_t i = GM_GLOBAL_X(t);
    BEGIN(t)
    COMPUTE(t, INTEGER, 2);
    if (i == 0) {
        double running = 0.0;
        for (uint32_t k = 0; k < a->particles; k++) {
            double weight = LOAD(t, a->weight + k);
            COMPUTE(t, FP64, 1);
            running += weight;
            STORE(t, a->cumulative + k, running);
            LOOP(t);
        }
        int32_t seed = LOAD(t, a->seed);
        COMPUTE(t, INTEGER, 6);
        COMPUTE(t, FP64, 8);
        double first = uniform(&seed) / a->particles;
        STORE(t, a->seed, seed);
        STORE(t, a->u, first);
    }
    BARRIER(t);
    if (t->thread.x == 0) {
        double first = LOAD(t, a->u);
        SHARED_STORE(t, &s->first_u, first);
    }
    BARRIER(t);
    if (i < a->particles) {
        double first = SHARED_LOAD(t, &s->first_u);
        COMPUTE(t, FP64, 8);
        STORE(t, a->u + i, first + (double)i / a->particles);
    }
    END(t);
}
GM_BARRIER_KERNEL(cumulate, particlefilter, filter_locals, normalize_shared)

/* Draws for each place the particle at which the cumulative weight exceeds the place's u; heavy
 * ones are drawn often. */
GM_THREAD(find_index, particlefilter)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->particles) {
        double u = LOAD(t, a->u + i);
        uint32_t found = a->particles - 1;
        for (uint32_t k = 0; k < a->particles; k++) {
            double weight = LOAD(t, a->cumulative + k);
            COMPUTE(t, FP64, 1);
            if (weight >= u) {
                found = k;
                break;
            }
            LOOP(t);
        }
        COMPUTE(t, INTEGER, 2);
        double x = LOAD(t, a->x + found);
        STORE(t, a->new_x + i, x);
        double y = LOAD(t, a->y + found);
        STORE(t, a->new_y + i, y);
    }
}
GM_KERNEL(find_index, particlefilter)

/* Makes a video of a disk that moves by (1, -2) a frame, with noise. Stores the disk's pixels. */
static void make_video(particlefilter *s, uint64_t random)
{
    int32_t side = (int32_t)s->side;
    int32_t frames = (int32_t)s->frames;
    for (int32_t place = 0; place < side * side * frames; place++) {
        int32_t frame = place % frames;
        int32_t dx = place / frames / side - (side / 2 + frame);
        int32_t dy = place / frames % side - (side / 2 - 2 * frame);
        int32_t level = dx * dx + dy * dy < RADIUS * RADIUS ? OBJECT : BACKGROUND;
        s->video[place] = (uint8_t)(level - 8 + (int32_t)gm_random_below(&random, 17));
    }
    unsigned ones = 0;
    for (int32_t dx = 1 - RADIUS; dx < RADIUS; dx++) {
        for (int32_t dy = 1 - RADIUS; dy < RADIUS; dy++) {
            if (dx * dx + dy * dy < RADIUS * RADIUS) {
                s->object[2 * ones] = dy;
                s->object[2 * ones + 1] = dx;
                ones++;
            }
        }
    }
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    particlefilter *s = state;
    s->particles = (uint32_t)workload->value[PARTICLES];
    s->side = (uint32_t)workload->value[SIDE];
    s->frames = (uint32_t)workload->value[FRAMES];
    s->ctas = gm_blocks(s->particles, BLOCK);
    size_t pixels = (size_t)s->side * s->side * s->frames;
    s->video = gm_workload_input(workload, "video", pixels, 1, error);
    s->object = gm_workload_input(workload, "object", (size_t)2 * ONES, sizeof(int32_t), error);
    s->index =
        gm_workload_output(workload, "index", (size_t)s->particles * ONES, sizeof(int32_t), error);
    s->seed = gm_workload_input(workload, "seed", s->particles, sizeof(int32_t), error);
    s->partial = gm_workload_output(workload, "partial", s->ctas, sizeof(double), error);
    double **arrays[] = {&s->new_x,      &s->new_y,  &s->x,          &s->y,
                         &s->likelihood, &s->weight, &s->cumulative, &s->u};
    static const char *const names[] = {"new_x",      "new_y",  "x",          "y",
                                        "likelihood", "weight", "cumulative", "u"};
    bool all = s->video != NULL && s->object != NULL && s->index != NULL && s->seed != NULL &&
               s->partial != NULL;
    for (int i = 0; all && i < 8; i++) {
        *arrays[i] = i < 2 ? gm_workload_input(workload, names[i], s->particles, 8, error)
                           : gm_workload_output(workload, names[i], s->particles, 8, error);
        all = *arrays[i] != NULL;
    }
    if (!all) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    make_video(s, random);
    uint32_t middle = s->side / 2; /* where the object is in the first frame */
    for (uint32_t i = 0; i < s->particles; i++) {
        s->new_x[i] = middle;
        s->new_y[i] = middle;
        s->seed[i] = (int32_t)(gm_hash64(random + i + 1) % INT32_MAX);
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    particlefilter *s = state;
    static const gm_code *const codes[] = {&likelihood_code, &sum_code, &normalize_weights_code,
                                           &cumulate_code, &find_index_code};
    s->frame = 1 + (uint32_t)(step / 5);
    launch->code = codes[step % 5];
    launch->arguments = s;
    launch->block.x = BLOCK;
    launch->grid.x = s->ctas;
    return s->frame < s->frames;
}

extern const gm_workload_definition gm_workload_particlefilter;
const gm_workload_definition gm_workload_particlefilter = {
    .description = {"particlefilter", "guesses that follow an object in a video",
                    "Rodinia [li, Table 1: PTF, cache unfriendly]", options},
    .state_bytes = sizeof(particlefilter),
    .setup = setup,
    .launch = launch,
};
