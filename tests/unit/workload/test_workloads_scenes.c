/* coulomb and raytrace, a thread a pixel of a picture, against host versions in double precision.
 */
#include "support/workload/workload_run.h"

/* `loads`: atoms are loaded. */
static void check_coulomb(const char *specification, int x, int y, int atoms, bool loads)
{
    workload_run run = workload_run_whole(specification);
    const float(*atom)[4] = workload_array(run.source, "atoms", (size_t)atoms, sizeof *atom);
    size_t points = (size_t)x * (size_t)y;
    const float *energy = workload_array(run.source, "energy", points, sizeof *energy);
    for (int i = 0; i < x * y; i++) {
        double sum = 0.0;
        double scale = 0.0;
        for (int k = 0; k < atoms; k++) {
            double dx = 0.1 * (i % x) - (double)atom[k][0];
            double dy = 0.1 * (i / x) - (double)atom[k][1]; /* NOLINT(bugprone-integer-division) */
            double distance = sqrt(dx * dx + dy * dy + (double)atom[k][2]);
            sum += (double)atom[k][3] / distance;
            scale += fabs((double)atom[k][3]) / distance;
        }
        assert_true(fabs((double)energy[i] - sum) <= 3e-6 * scale);
    }
    uint64_t launches = (uint64_t)((atoms + 3999) / 4000);
    uint64_t threads = 0; /* with a point */
    for (int i = 0; i < x; i++) {
        threads += i % 32 < 16 ? (uint64_t)y : 0;
    }
    assert_int_equal(run.kernels, launches);
    assert_int_equal(run.ctas, launches * (uint64_t)((x + 31) / 32 * ((y + 7) / 8)));
    assert_int_equal(run.lanes, 2 * launches * points + (loads ? threads * (uint64_t)atoms : 0));
    gm_source_close(run.source);
}

static void coulomb_sums_up_charges(void **state)
{
    (void)state;
    check_coulomb("coulomb,x=70,y=13,atoms=30", 70, 13, 30, false);
    check_coulomb("coulomb,x=49,y=9,atoms=11,constant=0,seed=2", 49, 9, 11, true);
    check_coulomb("coulomb,x=17,y=1,atoms=4001", 17, 1, 4001, false); /* two launches */
}

typedef struct vec {
    double v[3];
} vec;

typedef struct scene {
    const float (*sphere)[4], (*paint)[4];
    int spheres, width, height;
    uint64_t hits, misses; /* of all rays but those of shadows */
} scene;

static vec along(vec from, vec direction, double distance)
{
    for (int i = 0; i < 3; i++) {
        from.v[i] += distance * direction.v[i];
    }
    return from;
}

static double product(vec a, vec b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

/* Where a line of unit direction enters a sphere: the smaller root; negative: nowhere ahead. */
static double enters(const scene *s, int number, vec from, vec direction)
{
    double a = 1.0;
    double b = 0.0;
    double c = -(double)s->sphere[number][3] * (double)s->sphere[number][3];
    for (int i = 0; i < 3; i++) {
        double d = from.v[i] - (double)s->sphere[number][i];
        b += 2.0 * d * direction.v[i];
        c += d * d;
    }
    double discriminant = b * b - 4.0 * a * c;
    return discriminant > 0.0 ? (-b - sqrt(discriminant)) / (2.0 * a) : -1.0;
}

/* The light that comes along a ray: by recursion. */
static vec look(scene *s, vec from, vec direction, int depth)
{
    vec light = {{0.48, 0.72, -0.50119856}};
    int hit = -2;
    double distance = 40.0;
    for (int i = 0; i < s->spheres; i++) {
        double d = enters(s, i, from, direction);
        if (d > 1e-3 && d < distance) {
            distance = d;
            hit = i;
        }
    }
    if (direction.v[1] < 0.0) {
        double d = (-0.5 - from.v[1]) / direction.v[1];
        if (d > 1e-3 && d < distance) {
            distance = d;
            hit = -1;
        }
    }
    if (hit == -2) {
        s->misses++;
        return (vec){{0.35, 0.5, 0.8}};
    }
    s->hits++;
    vec place = along(from, direction, distance);
    vec normal = {{0.0, 1.0, 0.0}};
    double reflects = 0.3;
    double paint[3];
    for (int i = 0; i < 3; i++) {
        if (hit >= 0) {
            paint[i] = (double)s->paint[hit][i];
            normal.v[i] = (place.v[i] - (double)s->sphere[hit][i]) / (double)s->sphere[hit][3];
            reflects = (double)s->paint[hit][3];
        } else {
            bool odd = fmod(fabs(floor(place.v[0]) + floor(place.v[2])), 2.0) > 0.5;
            paint[i] = odd ? 0.9 : 0.2;
        }
    }
    double bright = fmax(product(normal, light), 0.0);
    for (int i = 0; i < s->spheres; i++) {
        vec outside = along(place, light, -100.0); /* the whole line, then what lies ahead */
        double d = enters(s, i, outside, light);
        vec middle = {{(double)s->sphere[i][0], (double)s->sphere[i][1], (double)s->sphere[i][2]}};
        bool ahead = product(middle, light) - product(place, light) > 1e-3;
        bright = d > -1.0 + 1e-9 && ahead ? 0.0 : bright;
    }
    vec mirrored = {{0.0, 0.0, 0.0}};
    if (depth > 1) {
        vec turned = along(direction, normal, -2.0 * product(direction, normal));
        mirrored = look(s, place, turned, depth - 1);
    }
    vec color;
    for (int i = 0; i < 3; i++) {
        color.v[i] = paint[i] * (0.15 + 0.85 * bright) * (1.0 - reflects);
        color.v[i] += reflects * mirrored.v[i];
    }
    return color;
}

/* Pixels at edges may differ: one in 400. */
static void check_raytrace(const char *specification, scene s, int depth)
{
    workload_run run = workload_run_whole(specification);
    s.sphere = workload_array(run.source, "spheres", (size_t)s.spheres, sizeof *s.sphere);
    s.paint = workload_array(run.source, "paint", (size_t)s.spheres, sizeof *s.paint);
    size_t pixels = (size_t)s.width * (size_t)s.height;
    const uint8_t(*image)[4] = workload_array(run.source, "image", pixels, sizeof *image);
    int different = 0;
    for (int i = 0; i < s.width * s.height; i++) {
        int row = i / s.width;
        double x = (i % s.width - 0.5 * s.width) * 1.2 / s.height;
        double y = (0.5 * s.height - row) * 1.2 / s.height;
        double length = sqrt(x * x + y * y + 1.0);
        vec color = look(&s, (vec){{0.137, 1.03, -6.07}},
                         (vec){{x / length, y / length, 1.0 / length}}, depth);
        bool same = image[i][3] == 255;
        for (int k = 0; k < 3; k++) {
            double expected = fmin(color.v[k], 1.0) * 255.0;
            same = same && fabs((double)image[i][k] + 0.5 - expected) < 0.6;
        }
        different += !same;
    }
    assert_in_range(different, 0, s.width * s.height / 400);
    assert_true(s.hits > pixels / 3 && s.misses > pixels / 3);
    /* In local memory: an empty stack, each place or sky pushed, each popped. */
    uint64_t local = pixels * (uint64_t)depth + 2 * (s.hits + s.misses);
    assert_in_range(run.local, local * 99 / 100, local * 101 / 100);
    assert_int_equal(run.ctas, (s.width + 15) / 16 * ((s.height + 7) / 8));
    gm_source_close(run.source);
}

static void raytrace_draws_a_scene(void **state)
{
    (void)state;
    check_raytrace("raytrace,width=150,height=101",
                   (scene){.spheres = 4, .width = 150, .height = 101}, 5);
    check_raytrace("raytrace,width=67,height=90,spheres=13,depth=3,constant=0,seed=4",
                   (scene){.spheres = 13, .width = 67, .height = 90}, 3);
    check_raytrace("raytrace,width=40,height=30,depth=1,seed=9",
                   (scene){.spheres = 4, .width = 40, .height = 30}, 1);
}

/* The scene is loaded or not; that changes nothing that is seen. */
static void constant_memory_is_not_accessed(void **state)
{
    (void)state;
    workload_run with = workload_run_whole("raytrace,width=50,height=40,spheres=6");
    workload_run without = workload_run_whole("raytrace,width=50,height=40,spheres=6,constant=0");
    assert_memory_equal(workload_data(&with, "image"), workload_data(&without, "image"),
                        (size_t)50 * 40 * 4);
    assert_int_equal(with.lanes - with.local, 50 * 40);
    assert_true(without.lanes - without.local > 50 * 40 * 8);
    assert_int_equal(with.local, without.local);
    gm_source_close(with.source);
    gm_source_close(without.source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb_sums_up_charges),
        cmocka_unit_test(raytrace_draws_a_scene),
        cmocka_unit_test(constant_memory_is_not_accessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
