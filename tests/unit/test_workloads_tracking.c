/* particlefilter, which follows an object through frames, against a straightforward host
 * version, and against where the object really is. */
#include "support/workload_run.h"

enum { ONES = 69 };

typedef struct filter {
    int particles, side, frames;
    const uint8_t *video;
    double *x, *y, *weight;
    int32_t *seed;
} filter;

static double draw(int32_t *seed)
{
    *seed = (int32_t)((uint32_t)*seed * UINT32_C(1103515245) + UINT32_C(12345)) % INT32_MAX;
    return (*seed == 0 ? 1.0 : fabs((double)*seed)) / 2147483647.0;
}

static double draw_normal(int32_t *seed)
{
    double first = draw(seed);
    double second = draw(seed);
    return sqrt(-2.0 * log(first)) * cos(2.0 * acos(-1.0) * second);
}

/* How much more the 69 pixels around a place look like the object, 228, than like 100. */
static double likeness(const filter *f, int row, int column, int frame)
{
    double sum = 0.0;
    for (int dx = -4; dx <= 4; dx++) {
        for (int dy = -4; dy <= 4; dy++) {
            if (dx * dx + dy * dy < 25) {
                double pixel = f->video[((row + dx) * f->side + column + dy) * f->frames + frame];
                sum += (pow(pixel - 100.0, 2.0) - pow(pixel - 228.0, 2.0)) / 50.0;
            }
        }
    }
    return sum / ONES;
}

/* One frame: move, weigh, normalise, draw anew (systematic resampling). */
static void filter_step(filter *f, int frame, double *x, double *y)
{
    double total = 0.0;
    for (int i = 0; i < f->particles; i++) {
        x[i] = f->x[i] + 1.0 + 5.0 * draw_normal(&f->seed[i]);
        y[i] = f->y[i] - 2.0 + 2.0 * draw_normal(&f->seed[i]);
        f->weight[i] = exp(likeness(f, (int)x[i], (int)y[i], frame));
        total += f->weight[i];
    }
    double u = draw(&f->seed[0]) / f->particles;
    double passed = 0.0;
    for (int i = 0; i < f->particles; i++) {
        f->weight[i] /= total;
    }
    for (int i = 0, k = 0; i < f->particles; i++) {
        while (k < f->particles - 1 && passed + f->weight[k] < u + (double)i / f->particles) {
            passed += f->weight[k++];
        }
        f->x[i] = x[k];
        f->y[i] = y[k];
    }
}

/* A copy of `count` elements, or room for them where `from` is NULL. */
static void *room(const void *from, size_t count, size_t size)
{
    void *copy = calloc(count, size);
    assert_non_null(copy);
    if (from != NULL) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

static void check_filter(const char *specification, int particles, int side, int frames)
{
    workload_run run = workload_run_open(specification);
    size_t count = (size_t)particles;
    filter f = {.particles = particles, .side = side, .frames = frames};
    f.video = workload_data(&run, "video");
    f.seed = room(workload_array(run.source, "seed", count, 4), count, 4);
    f.x = room(workload_array(run.source, "new_x", count, 8), count, 8);
    f.y = room(workload_array(run.source, "new_y", count, 8), count, 8);
    f.weight = room(NULL, count, sizeof *f.weight);
    double *x = room(NULL, count, sizeof *x);
    double *y = room(NULL, count, sizeof *y);
    workload_run_drain(&run);
    assert_int_equal(run.kernels, 5 * (frames - 1));
    for (int frame = 1; frame < frames; frame++) {
        filter_step(&f, frame, x, y);
    }
    const double *weight = workload_data(&run, "weight");
    const double *new_x = workload_data(&run, "new_x");
    const double *new_y = workload_data(&run, "new_y");
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (size_t i = 0; i < count; i++) {
        workload_close(weight[i], f.weight[i], 1e-9);
        workload_close(new_x[i], f.x[i], 1e-9);
        workload_close(new_y[i], f.y[i], 1e-9);
        mean_x += new_x[i] / particles;
        mean_y += new_y[i] / particles;
    }
    /* The object moves by (1, -2) a frame; positions are cut to whole pixels. */
    int real_x = side / 2 + frames - 1;
    int real_y = side / 2 - 2 * (frames - 1);
    assert_true(fabs(mean_x - real_x) < 2.0);
    assert_true(fabs(mean_y - real_y) < 2.0);
    free(f.seed);
    free(f.x);
    free(f.y);
    free(f.weight);
    free(x);
    free(y);
    gm_source_close(run.source);
}

static void particlefilter_follows(void **state)
{
    (void)state;
    check_filter("particlefilter,particles=700,frames=5,seed=3", 700, 128, 5); /* 2 CTAs */
    check_filter("particlefilter,particles=400,side=64,frames=3", 400, 64, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particlefilter_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
