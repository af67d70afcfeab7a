/* particlefilter and heartwall, which follow objects through frames, against straightforward host
 * versions, and against where the objects really are. */
#include "support/workload/workload_run.h"

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

typedef struct wall {
    int n, reach, search; /* of a frame; of a template; of a move: each to one side */
    const float *frame;   /* column by column */
} wall;

static double wall_pixel(const wall *w, int row, int column)
{
    return (double)w->frame[column * w->n + row];
}

/* Correlation coefficient, by its definition, of the template and what surrounds a place. */
static double wall_likeness(const wall *w, const double *template, int row, int column)
{
    int side = 2 * w->reach + 1;
    double mean[2] = {0.0};
    for (int i = 0; i < side * side; i++) {
        mean[0] += template[i] / (side * side);
        mean[1] +=
            wall_pixel(w, row - w->reach + i % side, column - w->reach + i / side) / (side * side);
    }
    double product = 0.0;
    double squares[2] = {0.0};
    for (int i = 0; i < side * side; i++) {
        double mine = template[i] - mean[0];
        double other =
            wall_pixel(w, row - w->reach + i % side, column - w->reach + i / side) - mean[1];
        product += mine * other;
        squares[0] += mine * mine;
        squares[1] += other * other;
    }
    return product / sqrt(squares[0] * squares[1]);
}

/* Moves a point to the likest place of a frame, kept in the frame, and its template a little.
 * `normal`: the device's correlations, in its order; NULL: not compared. */
static void wall_follow(const wall *w, double *template, int32_t *row, int32_t *column,
                        const float *normal)
{
    int side = 2 * w->reach + 1;
    double best = -2.0;
    int best_row = 0;
    int best_column = 0;
    for (int c = *column - w->search; c <= *column + w->search; c++) {
        for (int r = *row - w->search; r <= *row + w->search; r++) {
            double value = wall_likeness(w, template, r, c);
            if (normal != NULL) {
                workload_close((double)*normal++, value, 1e-3);
            }
            if (value > best) {
                best = value;
                best_row = r;
                best_column = c;
            }
        }
    }
    for (int i = 0; i < side * side; i++) {
        template[i] = 0.87 * template[i] + 0.13 * wall_pixel(w, best_row - w->reach + i % side,
                                                             best_column - w->reach + i / side);
    }
    int edge = w->reach + w->search;
    int last = w->n - 1 - edge;
    *row = best_row < edge ? edge : best_row > last ? last : best_row;
    *column = best_column < edge ? edge : best_column > last ? last : best_column;
}

typedef struct wall_case {
    const char *specification;
    int n, frames, points, reach, search;
} wall_case;

static void check_wall(const wall_case *c)
{
    workload_run run = workload_run_open(c->specification);
    int side = 2 * c->reach + 1;
    wall w = {c->n, c->reach, c->search, NULL};
    size_t points = (size_t)c->points;
    const float *film = workload_data(&run, "film");
    int32_t *row = room(workload_array(run.source, "row", points, 4), points, 4);
    int32_t *column = room(workload_array(run.source, "column", points, 4), points, 4);
    workload_run_drain(&run);
    assert_int_equal(run.kernels, c->frames);
    assert_int_equal(run.ctas, c->frames * c->points);
    const float *result = workload_data(&run, "template");
    const float *normal = workload_data(&run, "normal");
    int moves = 2 * c->search + 1;
    const int32_t *found_row = workload_data(&run, "row");
    const int32_t *found_column = workload_data(&run, "column");
    double *template = room(NULL, (size_t)side * (size_t)side, sizeof *template);
    for (int p = 0; p < c->points; p++) {
        int32_t first_row = row[p];
        int32_t first_column = column[p];
        for (int f = 0; f < c->frames; f++) {
            w.frame = film + (size_t)f * (size_t)c->n * (size_t)c->n;
            for (int i = 0; f == 0 && i < side * side; i++) {
                template[i] =
                    wall_pixel(&w, row[p] - c->reach + i % side, column[p] - c->reach + i / side);
            }
            if (f > 0) {
                wall_follow(&w, template, &row[p], &column[p],
                            f == c->frames - 1 ? normal + p * moves * moves : NULL);
            }
        }
        assert_int_equal(found_row[p], row[p]);
        assert_int_equal(found_column[p], column[p]);
        for (int i = 0; i < side * side; i++) {
            workload_close((double)result[p * side * side + i], template[i], 1e-5);
        }
        if (c->reach >= 4 && c->search > 2) { /* large enough to be sure; the real motion */
            assert_int_equal(row[p], first_row + 2 * (c->frames - 1));
            assert_int_equal(column[p], first_column - (c->frames - 1));
        }
    }
    free(template);
    free(row);
    free(column);
    gm_source_close(run.source);
}

static void heartwall_follows(void **state)
{
    (void)state;
    static const wall_case cases[] = {
        {"heartwall,n=64,frames=4,points=5,template=4,search=3,seed=7", 64, 4, 5, 4, 3},
        {"heartwall,n=100,frames=2,points=3,template=6,search=10", 100, 2, 3, 6, 10},
        {"heartwall,n=16,frames=9,points=2,template=1,search=1", 16, 9, 2, 1, 1}, /* to the edge */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_wall(&cases[i]);
    }
}

static void heartwall_needs_room(void **state)
{
    (void)state;
    gm_source *source = NULL;
    gm_error error;
    assert_int_equal(gm_workload_open(&source, "heartwall,n=73", &error), -EINVAL);
    assert_string_equal(error.text, "workload heartwall: n=73 is less than 74, two windows of 2 * "
                                    "(template + search) + 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particlefilter_follows),
        cmocka_unit_test(heartwall_follows),
        cmocka_unit_test(heartwall_needs_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
