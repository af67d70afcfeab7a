/* barneshut against the sum over all pairs, and against a recursion over lists of bodies that has
 * neither tree nor stack. */
#include "support/workload/workload_run.h"

enum { WARP = 32 };
static const double STEP = 0.025;
static const double SOFTENING = 0.0025;

typedef struct bodies {
    int count;
    double *place[3], *velocity[3], *force[3];
    double mass;
} bodies;

static const char *const place_names[] = {"x", "y", "z"};
static const char *const velocity_names[] = {"velocity_x", "velocity_y", "velocity_z"};
static const char *const force_names[] = {"acceleration_x", "acceleration_y", "acceleration_z"};

static double *doubles(const float *from, int count)
{
    double *copy = calloc((size_t)count, sizeof *copy);
    assert_non_null(copy);
    for (int i = 0; from != NULL && i < count; i++) {
        copy[i] = (double)from[i];
    }
    return copy;
}

static bodies bodies_of(const workload_run *run, int count)
{
    bodies b = {.count = count, .mass = 1.0 / count};
    for (int d = 0; d < 3; d++) {
        b.place[d] = doubles(workload_data(run, place_names[d]), count);
        b.velocity[d] = doubles(workload_data(run, velocity_names[d]), count);
        b.force[d] = doubles(NULL, count);
    }
    return b;
}

static void bodies_free(bodies *b)
{
    for (int d = 0; d < 3; d++) {
        free(b->place[d]);
        free(b->velocity[d]);
        free(b->force[d]);
    }
}

/* The pull of a mass at a place. */
static void pull(bodies *b, int body, const double place[3], double mass)
{
    double away[3];
    double square = SOFTENING;
    for (int d = 0; d < 3; d++) {
        away[d] = place[d] - b->place[d][body];
        square += away[d] * away[d];
    }
    for (int d = 0; d < 3; d++) {
        b->force[d][body] += mass * away[d] / (square * sqrt(square));
    }
}

static void pull_all_pairs(bodies *b)
{
    for (int i = 0; i < b->count; i++) {
        b->force[0][i] = b->force[1][i] = b->force[2][i] = 0.0;
        for (int k = 0; k < b->count; k++) {
            const double place[3] = {b->place[0][k], b->place[1][k], b->place[2][k]};
            pull(b, i, place, b->mass);
        }
    }
}

static void check_axis(const workload_run *run, const char *name, const double *expected, int count,
                       double tolerance)
{
    const float *actual = workload_data(run, name);
    for (int i = 0; i < count; i++) {
        workload_close((double)actual[i], expected[i], tolerance);
    }
}

/* With all cells opened, the forces are those of all pairs. Each step of the leapfrog is half a
 * kick, a drift, half a kick with the forces behind it, for which those before it stand until the
 * next step. */
static void all_opened_is_all_pairs(void **state)
{
    (void)state;
    enum { BODIES = 300, STEPS = 3 };
    workload_run run = workload_run_open("barneshut,bodies=300,steps=3,theta=0,seed=5");
    bodies b = bodies_of(&run, BODIES);
    workload_run_drain(&run);
    assert_int_equal(run.kernels, 3 * STEPS);
    for (int step = 0; step < STEPS; step++) {
        pull_all_pairs(&b);
        for (int i = 0; i < 3 * BODIES; i++) {
            int d = i / BODIES;
            double half = b.force[d][i % BODIES] * STEP / 2.0;
            b.velocity[d][i % BODIES] += step > 0 ? half : 0.0; /* the step before's */
            b.velocity[d][i % BODIES] += half;
            b.place[d][i % BODIES] += b.velocity[d][i % BODIES] * STEP;
        }
    }
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < BODIES; i++) {
            b.velocity[d][i] += b.force[d][i] * STEP / 2.0;
        }
        check_axis(&run, force_names[d], b.force[d], BODIES, 1e-4);
        check_axis(&run, place_names[d], b.place[d], BODIES, 1e-5);
        check_axis(&run, velocity_names[d], b.velocity[d], BODIES, 1e-4);
    }
    bodies_free(&b);
    gm_source_close(run.source);
}

/* A cube of the recursion, and what is asked of it. */
typedef struct cube {
    double middle[3], half;
    int depth;
    const int *list; /* of the bodies in it */
    int count;
} cube;
typedef struct walk {
    bodies *b;
    const int32_t *group; /* bodies that walk together */
    int lanes;
    double far; /* squared distance from which on a child of the root is far */
    int points, opened;
} walk;

static bool far_from_all(const walk *w, const double place[3], double square)
{
    for (int k = 0; k < w->lanes; k++) {
        double distance = SOFTENING;
        for (int d = 0; d < 3; d++) {
            double away = place[d] - w->b->place[d][w->group[k]];
            distance += away * away;
        }
        if (distance < square + SOFTENING) {
            return false;
        }
    }
    return true;
}

static void walk_cube(walk *w, const cube *c)
{
    int *list = malloc((size_t)c->count * sizeof *list);
    assert_non_null(list);
    for (int octant = 0; octant < 8; octant++) {
        cube child = {.half = c->half / 2.0, .depth = c->depth + 1, .list = list};
        double centre[3] = {0.0};
        for (int d = 0; d < 3; d++) {
            child.middle[d] = c->middle[d] + ((octant >> d & 1) != 0 ? 0.5 : -0.5) * c->half;
        }
        for (int i = 0; i < c->count; i++) {
            int of = 0;
            for (int d = 0; d < 3; d++) {
                of |= (w->b->place[d][c->list[i]] > c->middle[d]) << d;
            }
            for (int d = 0; of == octant && d < 3; d++) {
                centre[d] += w->b->place[d][c->list[i]];
            }
            if (of == octant) {
                list[child.count++] = c->list[i];
            }
        }
        for (int d = 0; d < 3; d++) {
            centre[d] /= child.count > 0 ? child.count : 1;
        }
        if (child.count > 1 && !far_from_all(w, centre, w->far * pow(0.25, c->depth))) {
            w->opened++;
            walk_cube(w, &child);
        } else if (child.count > 0) {
            w->points += child.count > 1;
            for (int k = 0; k < w->lanes; k++) {
                pull(w->b, w->group[k], centre, w->b->mass * child.count);
            }
        }
    }
    free(list);
}

/* Half of the largest side of the box around all, and its middle. */
static cube box_of(const bodies *b)
{
    cube box = {.count = b->count};
    for (int d = 0; d < 3; d++) {
        double low = b->place[d][0];
        double high = low;
        for (int i = 1; i < b->count; i++) {
            low = fmin(low, b->place[d][i]);
            high = fmax(high, b->place[d][i]);
        }
        box.middle[d] = (low + high) / 2.0;
        box.half = fmax(box.half, (high - low) / 2.0);
    }
    return box;
}

static void warps_walk_together(void **state)
{
    (void)state;
    enum { BODIES = 900 };
    workload_run run = workload_run_open("barneshut,bodies=900,steps=1,theta=50,seed=2");
    bodies b = bodies_of(&run, BODIES);
    bodies exact = bodies_of(&run, BODIES);
    workload_run_drain(&run);
    const int32_t *sorted = workload_array(run.source, "sorted", BODIES, 4);
    int all[BODIES] = {0};
    for (int i = 0; i < BODIES; i++) {
        all[sorted[i]]++;
    }
    for (int i = 0; i < BODIES; i++) {
        assert_int_equal(all[i], 1);
        all[i] = i;
    }
    cube root = box_of(&b);
    root.list = all;
    walk w = {.b = &b, .far = pow(root.half / 0.5, 2.0)};
    for (int first = 0; first < BODIES; first += WARP) {
        w.group = sorted + first;
        w.lanes = BODIES - first < WARP ? BODIES - first : WARP;
        walk_cube(&w, &root);
    }
    assert_true(w.points > 100 && w.opened > 100);
    pull_all_pairs(&exact);
    double error = 0.0;
    double size = 0.0;
    for (int d = 0; d < 3; d++) {
        check_axis(&run, force_names[d], b.force[d], BODIES, 1e-4);
        for (int i = 0; i < BODIES; i++) {
            error += pow(b.force[d][i] - exact.force[d][i], 2.0);
            size += pow(exact.force[d][i], 2.0);
        }
    }
    assert_true(sqrt(error / size) > 1e-5 && sqrt(error / size) < 1e-2);
    bodies_free(&b);
    bodies_free(&exact);
    gm_source_close(run.source);
}

/* One body feels nothing; two in a row of CTAs' bounds; a lane short of a warp. */
static void few_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *specification;
        int count;
    } cases[] = {{"barneshut,bodies=1,steps=1", 1},
                 {"barneshut,bodies=2,steps=1,theta=0", 2},
                 {"barneshut,bodies=31,steps=1,theta=0", 31},
                 {"barneshut,bodies=1025,steps=1,theta=0", 1025}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        workload_run run = workload_run_open(cases[c].specification);
        bodies b = bodies_of(&run, cases[c].count);
        workload_run_drain(&run);
        pull_all_pairs(&b);
        for (int d = 0; d < 3; d++) {
            check_axis(&run, force_names[d], b.force[d], b.count, 1e-4);
        }
        bodies_free(&b);
        gm_source_close(run.source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_opened_is_all_pairs),
        cmocka_unit_test(warps_walk_together),
        cmocka_unit_test(few_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
