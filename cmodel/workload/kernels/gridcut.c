/* Minimum cut of a grid of pixels, by pushes and relabels [singh, Table 3 (CC): "the
 * maxflow/mincut algorithm for image segmentation ... utilizing a coherent memory space to combine
 * the push, pull and relabel operations into a single kernel"; Vineet, Narayanan, CudaCuts: fast
 * graph cuts on the GPU, CVPRW 2008; without barriers: Hong, A lock-free multi-threaded algorithm
 * for the maximum flow problem, IPDPS 2008].
 *
 * A thread has a pixel. While this has more flow than it sends on, it pushes to the sink, or to the
 * lowest neighbour that it still can send to, if that is lower than itself; else it rises above
 * that one. A pixel that has risen to the limit gives its flow up. When all flow has come to the
 * sink or is given up, the host looks from which pixels the sink can still be reached, gives those
 * their flow back, sets all heights to the distances from the sink, and launches again. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <stdlib.h>

enum { WIDTH, HEIGHT, LIMIT, SEED };
static const gm_workload_option options[] = {
    [WIDTH] = {"width", 1, 1 << 12, 32, false, "pixels of a row"},
    [HEIGHT] = {"height", 1, 1 << 12, 32, false, "rows"},
    [LIMIT] = {"limit", 1, 1 << 20, 64, false,
               "height at which a pixel gives its flow up, in the first launch"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the image"},
    {0},
};

enum { WIDE = 32, HIGH = 8, SIDES = 4, MOST_LIMIT = 1 << 28 };
enum { MOST_LINK = 20, CONTRAST = 60, NOISE = 40 };

typedef struct gridcut {
    int32_t *excess, *height; /* [pixels] */
    int32_t *link[SIDES];     /* [pixels] what can still be sent west, east, north, south */
    int32_t *sink, *given;    /* [pixels] what can be sent to the sink; flow given up */
    int32_t *settled;         /* flow that has come to the sink, or is given up */
    int32_t *first_link[SIDES], *first_sink, *source; /* the host's: capacities */
    uint32_t *queue;                                  /* the host's */
    uint32_t width, rows;
    int32_t limit; /* above all distances; doubles with each launch */
    int32_t total; /* flow to settle in this launch */
} gridcut;

typedef struct gridcut_locals {
    uint32_t pixel, side, best_side;
    int32_t excess, height, best, can, best_can, sent, got;
} gridcut_locals;

/* Returns the neighbour at a side. Requires that there is one. */
static inline uint32_t neighbour(const gridcut *a, uint32_t pixel, uint32_t side)
{
    return side == 0   ? pixel - 1
           : side == 1 ? pixel + 1
           : side == 2 ? pixel - a->width
                       : pixel + a->width;
}

static inline int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

GM_THREAD(cut, gridcut)
{
    gridcut_locals *l = t->locals;
    uint32_t x = GM_GLOBAL_X(t);
    uint32_t y = GM_GLOBAL_Y(t);
    BEGIN(t)
    if (x < a->width && y < a->rows) {
        l->pixel = y * a->width + x;
        l->height = LOAD(t, a->height + l->pixel);
        for (;;) {
            SYNC_LOAD(t, l->excess, a->excess + l->pixel);
            COMPUTE(t, INTEGER, 1);
            if (l->excess > 0) {
                int32_t sink = LOAD(t, a->sink + l->pixel);
                COMPUTE(t, INTEGER, 2);
                if (sink > 0) { /* to the sink */
                    l->sent = lesser(sink, l->excess);
                    STORE(t, a->sink + l->pixel, sink - l->sent);
                    SYNC_ADD(t, l->got, a->excess + l->pixel, -l->sent);
                    SYNC_ADD(t, l->got, a->settled, l->sent);
                } else {
                    l->best = a->limit;
                    for (l->side = 0; l->side < SIDES; l->side++) {
                        SYNC_LOAD(t, l->can, a->link[l->side] + l->pixel);
                        if (l->can > 0) {
                            SYNC_LOAD(t, l->got, a->height + neighbour(a, l->pixel, l->side));
                            if (l->got < l->best) {
                                l->best = l->got;
                                l->best_side = l->side;
                                l->best_can = l->can;
                            }
                        }
                        COMPUTE(t, INTEGER, 4);
                        LOOP(t);
                    }
                    if (l->best < l->height && l->height < a->limit) { /* push */
                        l->sent = lesser(l->best_can, l->excess);
                        SYNC_ADD(t, l->got, a->link[l->best_side] + l->pixel, -l->sent);
                        l->side = neighbour(a, l->pixel, l->best_side);
                        SYNC_ADD(t, l->got, a->link[l->best_side ^ 1] + l->side, l->sent);
                        SYNC_ADD(t, l->got, a->excess + l->pixel, -l->sent);
                        SYNC_ADD(t, l->got, a->excess + l->side, l->sent);
                    } else if (l->height < a->limit) { /* relabel */
                        l->height = lesser(l->best + 1, a->limit);
                        SYNC_STORE(t, a->height + l->pixel, l->height);
                    } else { /* give up */
                        int32_t given = LOAD(t, a->given + l->pixel);
                        COMPUTE(t, INTEGER, 1);
                        STORE(t, a->given + l->pixel, given + l->excess);
                        SYNC_ADD(t, l->got, a->excess + l->pixel, -l->excess);
                        SYNC_ADD(t, l->got, a->settled, l->excess);
                    }
                }
            }
            SYNC_LOAD(t, l->got, a->settled);
            if (l->got == a->total) {
                break;
            }
            COMPUTE(t, INTEGER, 1);
            BARRIER(t); /* warps that have nothing to do let the others issue */
            LOOP(t);
        }
    }
    END(t);
}
typedef struct no_shared {
    uint32_t unused;
} no_shared;
GM_SYNC_BARRIER_KERNEL(cut, gridcut, gridcut_locals, no_shared)

/* Sets the heights to the distances from the sink; the limit: it cannot be reached. */
static void find_distances(const gridcut *a)
{
    uint32_t pixels = a->width * a->rows;
    uint32_t first = 0;
    uint32_t end = 0;
    for (uint32_t i = 0; i < pixels; i++) {
        a->height[i] = a->sink[i] > 0 ? 1 : INT32_MAX;
        if (a->sink[i] > 0) {
            a->queue[end++] = i;
        }
    }
    while (first < end) {
        uint32_t pixel = a->queue[first++];
        for (uint32_t side = 0; side < SIDES; side++) {
            /* by what the neighbour there can send here */
            bool is = side == 0   ? pixel % a->width != 0
                      : side == 1 ? pixel % a->width + 1 != a->width
                      : side == 2 ? pixel >= a->width
                                  : pixel + a->width < pixels;
            uint32_t other = is ? neighbour(a, pixel, side) : pixel;
            if (is && a->link[side ^ 1][other] > 0 && a->height[other] == INT32_MAX) {
                a->height[other] = a->height[pixel] + 1;
                a->queue[end++] = other;
            }
        }
    }
}

/* Gives the flow back to the pixels from which the sink can be reached. Returns how much. */
static int32_t give_back(const gridcut *a)
{
    int32_t total = 0;
    find_distances(a);
    for (uint32_t i = 0; i < a->width * a->rows; i++) {
        if (a->height[i] != INT32_MAX) {
            a->excess[i] += a->given[i];
            a->given[i] = 0;
            total += a->excess[i];
        }
    }
    return total;
}

/* Checks each pixel's links and flow. */
static int check_pixel(const gridcut *a, uint32_t i, gm_error *error)
{
    int64_t in = (int64_t)a->source[i] - (a->first_sink[i] - a->sink[i]) - a->given[i];
    for (uint32_t side = 0; side < SIDES; side++) {
        int32_t link = a->link[side][i];
        in -= (int64_t)a->first_link[side][i] - link;
        if (link < 0 || a->sink[i] < 0 || a->sink[i] > a->first_sink[i]) {
            return gm_fail(error, -EPROTO,
                           "gridcut: pixel %u: side %u: %d can be sent, %d to the sink", i, side,
                           link, a->sink[i]);
        }
        if (a->first_link[side][i] != 0) {
            uint32_t other = neighbour(a, i, side);
            int32_t back = a->first_link[side ^ 1][other];
            if (link + a->link[side ^ 1][other] != a->first_link[side][i] + back) {
                return gm_fail(error, -EPROTO, "gridcut: pixel %u: side %u: flow is lost", i, side);
            }
        }
    }
    return in == 0 && a->excess[i] == 0
               ? 0
               : gm_fail(error, -EPROTO, "gridcut: pixel %u: %lld of flow is lost, %d is left", i,
                         (long long)in, a->excess[i]);
}

/* Checks that the flow that has come to the sink is the cut between the pixels from which it can be
 * reached and the others: then it is the most, and the cut the least. Requires find_distances. */
static int check(const gridcut *a, gm_error *error)
{
    int64_t flow = 0;
    int64_t least = 0;
    for (uint32_t i = 0; i < a->width * a->rows; i++) {
        int code = check_pixel(a, i, error);
        if (code < 0) {
            return code;
        }
        bool reaches = a->height[i] != INT32_MAX;
        flow += a->first_sink[i] - a->sink[i];
        least += reaches ? a->source[i] : a->first_sink[i];
        for (uint32_t side = 0; side < SIDES; side++) {
            if (!reaches && a->first_link[side][i] != 0 &&
                a->height[neighbour(a, i, side)] != INT32_MAX) {
                least += a->first_link[side][i];
            }
        }
    }
    return flow == least ? 0
                         : gm_fail(error, -EPROTO, "gridcut: a flow of %lld, a cut of %lld",
                                   (long long)flow, (long long)least);
}

/* Draws an image: a disc before a background, with noise. */
static void draw(const gridcut *a, uint64_t *random)
{
    for (uint32_t i = 0; i < a->width * a->rows; i++) {
        int64_t x = 2 * (int64_t)(i % a->width) - a->width;
        int64_t y = 2 * (int64_t)(i / a->width) - a->rows;
        bool inside = x * x + y * y < (int64_t)a->width * a->rows / 2;
        int32_t bright = (inside ? CONTRAST : -CONTRAST) / 2 - NOISE +
                         (int32_t)gm_random_below(random, 2 * NOISE + 1);
        a->source[i] = bright > 0 ? bright : 0;
        a->sink[i] = a->first_sink[i] = bright < 0 ? -bright : 0;
        a->excess[i] = a->source[i];
        bool is[SIDES] = {i % a->width != 0, i % a->width + 1 != a->width, i >= a->width,
                          i + a->width < a->width * a->rows};
        for (uint32_t side = 0; side < SIDES; side++) {
            int32_t link = 1 + (int32_t)gm_random_below(random, MOST_LINK);
            a->link[side][i] = a->first_link[side][i] = is[side] ? link : 0;
        }
    }
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    static const char *const links[] = {"west", "east", "north", "south"};
    gridcut *a = state;
    a->width = (uint32_t)workload->value[WIDTH];
    a->rows = (uint32_t)workload->value[HEIGHT];
    a->limit = (int32_t)workload->value[LIMIT];
    size_t pixels = (size_t)a->width * a->rows;
    a->excess = gm_workload_input(workload, "excess", pixels, sizeof(int32_t), error);
    a->height = gm_workload_input(workload, "height", pixels, sizeof(int32_t), error);
    a->sink = gm_workload_input(workload, "sink", pixels, sizeof(int32_t), error);
    a->given = gm_workload_input(workload, "given", pixels, sizeof(int32_t), error);
    a->settled = gm_workload_input(workload, "settled", 1, sizeof(int32_t), error);
    a->first_sink = malloc(pixels * sizeof(int32_t));
    a->source = malloc(pixels * sizeof(int32_t));
    a->queue = malloc(pixels * sizeof(uint32_t));
    bool has_links = true;
    for (unsigned side = 0; side < SIDES; side++) {
        a->link[side] = gm_workload_input(workload, links[side], pixels, sizeof(int32_t), error);
        a->first_link[side] = malloc(pixels * sizeof(int32_t));
        has_links = has_links && a->link[side] != NULL;
    }
    if (a->excess == NULL || a->height == NULL || a->sink == NULL || a->given == NULL ||
        a->settled == NULL || !has_links) {
        return error->code;
    }
    for (unsigned side = 0; side < SIDES; side++) {
        has_links = has_links && a->first_link[side] != NULL;
    }
    if (a->first_sink == NULL || a->source == NULL || a->queue == NULL || !has_links) {
        return gm_fail(error, -ENOMEM, "out of memory: gridcut");
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    draw(a, &random);
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload;
    gridcut *a = state;
    int32_t unreached = 0;
    a->total = give_back(a);
    if (step != 0 && a->total == 0) {
        return check(a, error);
    }
    a->limit *= step != 0 && a->limit < MOST_LIMIT ? 2 : 1;
    for (uint32_t i = 0; i < a->width * a->rows; i++) {
        bool reaches = a->height[i] != INT32_MAX;
        a->limit = reaches && a->height[i] >= a->limit ? a->height[i] + 1 : a->limit;
        unreached += reaches ? 0 : a->excess[i];
    }
    for (uint32_t i = 0; i < a->width * a->rows; i++) {
        a->height[i] = lesser(a->height[i], a->limit);
    }
    a->total += unreached;
    *a->settled = 0;
    launch->code = &cut_code;
    launch->arguments = state;
    launch->block = (gm_dim){WIDE, HIGH, 1};
    launch->grid = (gm_dim){gm_blocks(a->width, WIDE), gm_blocks(a->rows, HIGH), 1};
    return 1;
}

static void finish(void *state)
{
    gridcut *a = state;
    for (unsigned side = 0; side < SIDES; side++) {
        free(a->first_link[side]);
    }
    free(a->first_sink);
    free(a->source);
    free(a->queue);
}

extern const gm_workload_definition gm_workload_gridcut;
const gm_workload_definition gm_workload_gridcut = {
    .description = {"gridcut", "minimum cut of an image, pushes and relabels without barriers",
                    "after [singh] (CC)", options},
    .state_bytes = sizeof(gridcut),
    .setup = setup,
    .launch = launch,
    .finish = finish,
    .communicates = true,
};
