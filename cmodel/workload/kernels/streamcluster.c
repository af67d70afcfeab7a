/* Clustering of a stream's points: what opening a centre would gain [Rodinia, streamcluster;
 * khairy, Table 2 (SCLUSTER): conflict]. A launch tries one point x as a centre: each thread
 * computes the distance of its point to x, coordinate by coordinate, and what moving to x, or
 * staying if its centre closed, would cost. The host decides, and tries the next.
 *
 * Coordinates lie dimension by dimension, so that a warp's loads are coalesced, those of x are one
 * word for all lanes, and a thread's loads are 4 bytes times the number of points apart. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS, DIMENSIONS, CALLS, CENTRES, SEED };
static const gm_workload_option options[] = {
    [POINTS] = {"points", 2, 1 << 20, 1 << 16, false, "points"},
    [DIMENSIONS] = {"dimensions", 1, 4096, 256, false, "coordinates of a point"},
    [CALLS] = {"calls", 1, 1000, 2, false, "points tried as centres, a launch each"},
    [CENTRES] = {"centres", 1, 32, 10, false, "centres to begin with, at least"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the points"},
    {0},
};

enum { BLOCK = 512, MOST_CENTRES = 63 };

/* 32 bytes, as in the CUDA program, where a pointer to the coordinates stands. */
typedef struct point {
    float weight;
    uint32_t unused[3];
    int64_t centre; /* that it belongs to: a point's number */
    float cost;     /* weight times squared distance to the centre */
    uint32_t unused_too;
} point;

/* Arguments of the kernel. */
typedef struct gain {
    const float *coordinate; /* [dimensions][points] */
    const point *point;
    const int32_t *centre_index; /* of a point that is a centre: its place in a row of `saved` */
    float *saved;   /* [points][centres + 1]: by closing a centre; last: by opening x */
    uint8_t *moves; /* 1: the point is nearer to x than to its centre */
    uint32_t points, dimensions, centres, x;
} gain;

typedef struct streamcluster {
    gain gain;
    point *point;
    int32_t *centre_index;
    bool *is_centre;
    float *distance; /* squared, of each point to one point */
    float opening;   /* cost of a centre */
    uint64_t random;
} streamcluster;

GM_THREAD(compute_cost, gain)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->points) {
        float distance = 0.0F;
        for (uint32_t d = 0; d < a->dimensions; d++) {
            const float *row = a->coordinate + (size_t)d * a->points;
            COMPUTE(t, INTEGER, 2);
            float own = LOAD(t, row + i);
            float other = LOAD(t, row + a->x);
            COMPUTE(t, FP32, 2);
            distance += (own - other) * (own - other);
            LOOP(t);
        }
        float weight = LOAD(t, &a->point[i].weight);
        float cost = LOAD(t, &a->point[i].cost);
        COMPUTE(t, FP32, 3);
        float *saved = a->saved + (size_t)i * (a->centres + 1);
        float change = distance * weight - cost;
        if (change < 0.0F) {
            STORE(t, a->moves + i, (uint8_t)1);
            float before = LOAD(t, saved + a->centres);
            COMPUTE(t, FP32, 1);
            STORE(t, saved + a->centres, before + change);
        } else {
            int64_t centre = LOAD(t, &a->point[i].centre);
            COMPUTE(t, INTEGER, 1);
            int32_t index = LOAD(t, a->centre_index + centre);
            COMPUTE(t, INTEGER, 1);
            float before = LOAD(t, saved + index);
            COMPUTE(t, FP32, 1);
            STORE(t, saved + index, before - change);
        }
    }
}
GM_KERNEL(compute_cost, gain)

/* Fills in s->distance: of each point to point x. */
static void measure(streamcluster *s, uint32_t x)
{
    const gain *g = &s->gain;
    float *distance = s->distance;
    memset(distance, 0, g->points * sizeof *distance);
    for (uint32_t d = 0; d < g->dimensions; d++) {
        const float *row = g->coordinate + (size_t)d * g->points;
        const float at = row[x];
        for (uint32_t i = 0; i < g->points; i++) {
            distance[i] += (row[i] - at) * (row[i] - at);
        }
    }
}

/* Opens centre x: the points that are nearer to it, or all, move. */
static void open_centre(streamcluster *s, uint32_t x, bool all)
{
    measure(s, x);
    s->is_centre[x] = true;
    s->gain.centres++;
    for (uint32_t i = 0; i < s->gain.points; i++) {
        float cost = s->distance[i] * s->point[i].weight;
        if (all || cost < s->point[i].cost) {
            s->point[i].cost = cost;
            s->point[i].centre = x;
        }
    }
}

/* A first solution: each point opens a centre with the probability of its cost over a centre's. */
static void solve_first(streamcluster *s)
{
    memset(s->is_centre, 0, s->gain.points * sizeof *s->is_centre);
    s->gain.centres = 0;
    open_centre(s, 0, true);
    for (uint32_t i = 1; i < s->gain.points && s->gain.centres < MOST_CENTRES; i++) {
        float draw = gm_random_float(&s->random, 0.0F, 1.0F);
        if (draw * s->opening < s->point[i].cost) {
            open_centre(s, i, false);
        }
    }
}

/* Halves a centre's cost, from the cost of all points with one centre, until the first solution has
 * `least` centres, or as many as there can be. */
static void begin(streamcluster *s, uint32_t least)
{
    s->opening = 0.0F;
    open_centre(s, 0, true);
    for (uint32_t i = 0; i < s->gain.points; i++) {
        s->opening += s->point[i].cost;
    }
    uint32_t most = s->gain.points < least ? s->gain.points : least;
    do {
        s->opening /= 2.0F;
        solve_first(s);
    } while (s->gain.centres < most && s->opening > 0.0F);
}

/* Returns the sum of column `index` of saved. */
static float total_saved(const streamcluster *s, uint32_t index)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->gain.points; i++) {
        sum += (double)s->gain.saved[i * (s->gain.centres + 1) + index];
    }
    return (float)sum;
}

/* Opens x, and closes the centres whose points x then serves more cheaply, if that lowers the cost
 * of the points and the centres. */
static void decide(streamcluster *s)
{
    const gain *g = &s->gain;
    bool closes[MOST_CENTRES] = {false};
    uint32_t closed = 0;
    float change = s->opening + total_saved(s, g->centres);
    for (uint32_t c = 0; c < g->centres; c++) {
        float saving = s->opening + total_saved(s, c);
        closes[c] = saving > 0.0F;
        change -= closes[c] ? saving : 0.0F;
        closed += closes[c];
    }
    if (change >= 0.0F || g->centres + 1 - closed > MOST_CENTRES) {
        return;
    }
    measure(s, g->x);
    for (uint32_t i = 0; i < g->points; i++) {
        if (g->moves[i] || closes[s->centre_index[s->point[i].centre]]) {
            s->point[i].cost = s->distance[i] * s->point[i].weight;
            s->point[i].centre = g->x;
        }
    }
    for (uint32_t i = 0; i < g->points; i++) {
        s->is_centre[i] = s->is_centre[i] && !closes[s->centre_index[i]];
    }
    s->is_centre[g->x] = true;
    s->gain.centres = g->centres + 1 - closed;
}

/* Takes the next point, at random, that is no centre (if there is one), numbers the centres, clears
 * what the kernel adds to. */
static void prepare(streamcluster *s)
{
    gain *g = &s->gain;
    g->x = (uint32_t)gm_random_below(&s->random, g->points);
    for (uint32_t i = 0; i < g->points && s->is_centre[g->x]; i++) {
        g->x = (g->x + 1) % g->points;
    }
    int32_t index = 0;
    for (uint32_t i = 0; i < g->points; i++) {
        s->centre_index[i] = s->is_centre[i] ? index++ : 0;
    }
    memset(g->moves, 0, g->points);
    memset(g->saved, 0, (size_t)g->points * (g->centres + 1) * sizeof *g->saved);
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    streamcluster *s = state;
    size_t points = (size_t)workload->value[POINTS];
    size_t dimensions = (size_t)workload->value[DIMENSIONS];
    float *coordinate =
        gm_workload_input(workload, "coordinates", points * dimensions, sizeof(float), error);
    s->point = gm_workload_input(workload, "points", points, sizeof *s->point, error);
    s->centre_index =
        gm_workload_input(workload, "centre_index", points, sizeof *s->centre_index, error);
    float *saved =
        gm_workload_output(workload, "saved", points * (MOST_CENTRES + 1), sizeof(float), error);
    uint8_t *moves = gm_workload_output(workload, "moves", points, sizeof *moves, error);
    if (coordinate == NULL || s->point == NULL || s->centre_index == NULL || saved == NULL ||
        moves == NULL) {
        return error->code;
    }
    s->is_centre = calloc(points, sizeof *s->is_centre);
    s->distance = calloc(points, sizeof *s->distance);
    if (s->is_centre == NULL || s->distance == NULL) {
        return gm_fail(error, -ENOMEM, "streamcluster: out of memory");
    }
    s->random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < points * dimensions; i++) {
        coordinate[i] = gm_random_float(&s->random, 0.0F, 1.0F);
    }
    for (size_t i = 0; i < points; i++) {
        s->point[i] = (point){.weight = 1.0F};
    }
    s->gain = (gain){.coordinate = coordinate,
                     .point = s->point,
                     .centre_index = s->centre_index,
                     .saved = saved,
                     .moves = moves,
                     .points = (uint32_t)points,
                     .dimensions = (uint32_t)dimensions};
    begin(s, (uint32_t)workload->value[CENTRES]);
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    streamcluster *s = state;
    if (step > 0) {
        decide(s);
    }
    if (step == (uint64_t)workload->value[CALLS]) {
        return 0;
    }
    prepare(s);
    launch->code = &compute_cost_code;
    launch->arguments = &s->gain;
    launch->block.x = BLOCK;
    launch->grid.x = gm_blocks(s->gain.points, BLOCK);
    return 1;
}

static void finish(void *state)
{
    streamcluster *s = state;
    free(s->is_centre);
    free(s->distance);
}

extern const gm_workload_definition gm_workload_streamcluster;
const gm_workload_definition gm_workload_streamcluster = {
    .description = {"streamcluster", "gain of opening centres among a stream's points",
                    "Rodinia [khairy, Table 2: SCLUSTER]", options},
    .state_bytes = sizeof(streamcluster),
    .setup = setup,
    .launch = launch,
    .finish = finish,
};
