/* sgemm, stencil3d, laplace3d, recursivegaussian, convseparable, srad, srad2 and lbm
 * compute what a straightforward host version does. */
#include "base/random.h"
#include "support/workload/workload_run.h"

#include <stdio.h>

static void check_sgemm(const char *specification)
{
    enum { M = 128, N = 32, K = 24 };
    gm_source *before = workload_run_open(specification).source;
    gm_source *after = workload_run_whole(specification).source;
    const float *a = workload_array(before, "a", M * K, sizeof *a);
    const float *b = workload_array(before, "b", N * K, sizeof *b);
    const float *c = workload_array(before, "c", M * N, sizeof *c);
    float *expected = malloc(M * N * sizeof *expected);
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0.0;
            for (int k = 0; k < K; k++) {
                sum += (double)a[i + k * M] * (double)b[j + k * N];
            }
            expected[i + j * M] = (float)(1.5 * sum + 0.5 * (double)c[i + j * M]);
        }
    }
    workload_all_close(workload_array(after, "c", M * N, 4), expected, M * N, 1e-5);
    free(expected);
    gm_source_close(before);
    gm_source_close(after);
}

static void sgemm_multiplies(void **state)
{
    (void)state;
    check_sgemm("sgemm,m=128,n=32,k=24");
    check_sgemm("sgemm,m=128,n=32,k=24,shared=0");
}

static void stencil3d_sweeps(void **state)
{
    (void)state;
    enum { X = 37, Y = 11, Z = 6, POINTS = X * Y * Z };
    gm_source *before = workload_run_open("stencil3d,x=37,y=11,z=6,iterations=3").source;
    gm_source *after = workload_run_whole("stencil3d,x=37,y=11,z=6,iterations=3").source;
    float from[POINTS];
    float to[POINTS];
    memcpy(from, workload_array(before, "a", POINTS, 4), sizeof from);
    memcpy(to, from, sizeof to);
    for (int sweep = 0; sweep < 3; sweep++) {
        for (int i = 0; i < POINTS; i++) {
            int x = i % X;
            int y = i / X % Y;
            int z = i / X / Y;
            if (x > 0 && x < X - 1 && y > 0 && y < Y - 1 && z > 0 && z < Z - 1) {
                to[i] = (from[i - 1] + from[i + 1] + from[i - X] + from[i + X] + from[i - X * Y] +
                         from[i + X * Y]) /
                            36.0F -
                        from[i] / 6.0F;
            }
        }
        memcpy(from, to, sizeof from);
    }
    workload_all_close(workload_array(after, "b", POINTS, 4), to, POINTS, 1e-5);
    gm_source_close(before);
    gm_source_close(after);
}

/* Sweeps of a box that fits in no tile, in x and y; its faces stay. */
static void laplace3d_sweeps(void **state)
{
    (void)state;
    static const struct {
        const char *specification;
        int x, y, z, sweeps;
    } cases[] = {
        {"laplace3d,x=37,y=11,z=6,iterations=3", 37, 11, 6, 3},
        {"laplace3d,x=64,y=4,z=9,iterations=2", 64, 4, 9, 2},
        {"laplace3d,x=3,y=3,z=3,iterations=1", 3, 3, 3, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const int nx = cases[c].x;
        const int ny = cases[c].y;
        const int nz = cases[c].z;
        const size_t points = (size_t)nx * (size_t)ny * (size_t)nz;
        gm_source *before = workload_run_open(cases[c].specification).source;
        gm_source *after = workload_run_whole(cases[c].specification).source;
        float *from = malloc(points * sizeof *from);
        float *to = malloc(points * sizeof *to);
        assert_non_null(from);
        assert_non_null(to);
        memcpy(from, workload_array(before, "a", points, 4), points * sizeof *from);
        memcpy(to, from, points * sizeof *to);
        for (int sweep = 0; sweep < cases[c].sweeps; sweep++) {
            for (int i = 0; i < (int)points; i++) {
                int x = i % nx;
                int y = i / nx % ny;
                int z = i / nx / ny;
                if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
                    to[i] = (from[i - 1] + from[i + 1] + from[i - nx] + from[i + nx] +
                             from[i - nx * ny] + from[i + nx * ny]) /
                            6.0F;
                }
            }
            memcpy(from, to, points * sizeof *from);
        }
        const char *result = cases[c].sweeps % 2 == 0 ? "a" : "b";
        workload_all_close(workload_array(after, result, points, 4), to, points, 1e-6);
        free(from);
        free(to);
        gm_source_close(before);
        gm_source_close(after);
    }
}

/* Sum over m of k (alpha |m| + 1) exp(-alpha |m|) x[place + m], with constant pixels beyond the
 * ends: the filter that the recursion amounts to [Deriche, 1990]. */
static double blurred(const double *line, int length, int stride, int place, double alpha)
{
    double sum = 0.0;
    double weights = 0.0;
    for (int m = -60 - place; m <= length - place + 60; m++) {
        int at = place + m < 0 ? 0 : place + m >= length ? length - 1 : place + m;
        double weight = (alpha * abs(m) + 1.0) * exp(-alpha * abs(m));
        sum += weight * line[at * stride];
        weights += weight;
    }
    return sum / weights;
}

/* Each channel by direct convolution, down and then across. The kernel rounds to 8 bits four times,
 * by half a level each: twice for each direction. */
static void recursivegaussian_blurs(void **state)
{
    (void)state;
    enum { WIDTH = 70, HEIGHT = 45, PIXELS = WIDTH * HEIGHT, SIGMA = 3 };
    gm_source *source =
        workload_run_whole("recursivegaussian,width=70,height=45,sigma=3,seed=4").source;
    const uint32_t *image = workload_array(source, "image", PIXELS, 4);
    const uint32_t *result = workload_array(source, "result", PIXELS, 4);
    static double from[PIXELS];
    static double down[PIXELS];
    double spread = 0.0;
    for (int channel = 0; channel < 4; channel++) {
        for (int i = 0; i < PIXELS; i++) {
            from[i] = (image[i] >> 8 * channel) & 255;
            spread += fabs(from[i] - 127.5) / PIXELS / 4;
        }
        for (int i = 0; i < PIXELS; i++) {
            down[i] = blurred(from + i % WIDTH, HEIGHT, WIDTH, i / WIDTH, 1.695 / SIGMA);
        }
        for (int i = 0; i < PIXELS; i++) {
            double expected = blurred(down + i / WIDTH * WIDTH, WIDTH, 1, i % WIDTH, 1.695 / SIGMA);
            double actual = (result[i] >> 8 * channel) & 255;
            assert_true(fabs(actual - expected) <= 2.0);
        }
    }
    assert_true(spread > 50.0); /* the image is no grey */
    gm_source_close(source);
}

/* One iteration on image[row][column], with neighbours clamped at the border [Yu and Acton, as
 * Rodinia's srad_v1 and srad_v2 have it]. */
static void diffuse(double *image, int rows, int columns)
{
    int pixels = rows * columns;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < pixels; i++) {
        sum += image[i];
        squares += image[i] * image[i];
    }
    double mean = sum / pixels;
    double q0 = (squares / pixels - mean * mean) / (mean * mean);
    double *c = calloc((size_t)pixels, sizeof *c);
    double *next = calloc((size_t)pixels, sizeof *next);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < pixels; i++) {
            int row = i / columns;
            int column = i % columns;
            int north = row > 0 ? i - columns : i;
            int south = row < rows - 1 ? i + columns : i;
            int west = column > 0 ? i - 1 : i;
            int east = column < columns - 1 ? i + 1 : i;
            double centre = image[i];
            double d[4] = {image[north] - centre, image[south] - centre, image[west] - centre,
                           image[east] - centre};
            if (pass == 0) {
                double g =
                    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3]) / (centre * centre);
                double l = (d[0] + d[1] + d[2] + d[3]) / centre;
                double q = (g / 2 - l * l / 16) / ((1 + l / 4) * (1 + l / 4));
                c[i] = fmin(1.0, fmax(0.0, 1 / (1 + (q - q0) / (q0 * (1 + q0)))));
            } else {
                next[i] =
                    centre + 0.125 * (c[i] * d[0] + c[south] * d[1] + c[i] * d[2] + c[east] * d[3]);
            }
        }
    }
    memcpy(image, next, (size_t)pixels * sizeof *next);
    free(c);
    free(next);
}

/* Pixels of a workload's image by rows, `by_column` where it keeps them column by column. */
static void expect_diffused(const char *workload, int rows, int columns, bool by_column)
{
    enum { MOST = 48 * 80, ITERATIONS = 3 };
    char text[64];
    snprintf(text, sizeof text, "%s,rows=%d,columns=%d,iterations=%d", workload, rows, columns,
             ITERATIONS);
    gm_source *before = workload_run_open(text).source;
    gm_source *after = workload_run_whole(text).source;
    int pixels = rows * columns;
    assert_in_range(pixels, 1, MOST);
    const float *start = workload_array(before, "image", (size_t)pixels, 4);
    double image[MOST];
    float expected[MOST];
    for (int i = 0; i < pixels; i++) {
        image[i] = (double)start[by_column ? i % columns * rows + i / columns : i];
        assert_true(image[i] >= 1.0 && image[i] <= (double)expf(1.0F)); /* exp of 0 to 1 */
    }
    for (int i = 0; i < ITERATIONS; i++) {
        diffuse(image, rows, columns);
    }
    for (int i = 0; i < pixels; i++) {
        expected[by_column ? i % columns * rows + i / columns : i] = (float)image[i];
    }
    workload_all_close(workload_array(after, "image", (size_t)pixels, 4), expected, (size_t)pixels,
                       1e-4);
    gm_source_close(before);
    gm_source_close(after);
}

static void srad_diffuses(void **state)
{
    (void)state;
    expect_diffused("srad", 45, 67, true);
}

/* In tiles. */
static void srad2_diffuses(void **state)
{
    (void)state;
    expect_diffused("srad2", 48, 80, false);
}

enum { LX = 8, LY = 5, LZ = 4, CELLS = LX * LY * LZ };

/* f[cell][direction] as doubles, whatever the layout. */
static void take_lattice(gm_source *source, const char *name, bool soa, double f[CELLS][20])
{
    const float *grid = workload_array(source, name, CELLS * 20, 4);
    for (int i = 0; i < CELLS * 20; i++) {
        f[soa ? i % CELLS : i / 20][soa ? i / CELLS : i % 20] = (double)grid[i];
    }
}

/* Pull form: each cell fetches what its neighbours send, where the kernel pushes. */
static void flow(double from[CELLS][20], double to[CELLS][20])
{
    static const int v[19][3] = {{0, 0, 0},  {0, 1, 0},   {0, -1, 0},  {1, 0, 0},   {-1, 0, 0},
                                 {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                 {-1, 1, 0}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1},  {0, -1, 1},
                                 {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1}};
    for (int i = 0; i < CELLS; i++) {
        to[i][19] = from[i][19];
        for (int e = 0; e < 19; e++) {
            int x = (i % LX - v[e][0] + LX) % LX;
            int y = (i / LX % LY - v[e][1] + LY) % LY;
            int z = (i / LX / LY - v[e][2] + LZ) % LZ;
            const double *f = from[x + LX * (y + LY * z)];
            double rho = 0.0;
            double u[3] = {0.0};
            for (int k = 0; k < 19; k++) {
                rho += f[k];
                for (int d = 0; d < 3; d++) {
                    u[d] += f[k] * v[k][d];
                }
            }
            double uu = (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / (rho * rho);
            double vu = (v[e][0] * u[0] + v[e][1] * u[1] + v[e][2] * u[2]) / rho;
            double w = e == 0 ? 1.0 / 3 : e < 7 ? 1.0 / 18 : 1.0 / 36;
            double equilibrium = w * rho * (1 + 3 * vu + 4.5 * vu * vu - 1.5 * uu);
            int opposite = e == 0 ? 0 : ((e - 1) ^ 1) + 1;
            to[i][e] = f[19] != 0.0 ? f[opposite] : f[e] - 1.85 * (f[e] - equilibrium);
        }
    }
}

static void lbm_flows(void **state)
{
    (void)state;
    static const char *const layouts[] = {"lbm,x=8,y=5,z=4,iterations=2,soa=0",
                                          "lbm,x=8,y=5,z=4,iterations=2,soa=1"};
    for (int soa = 0; soa < 2; soa++) {
        gm_source *before = workload_run_open(layouts[soa]).source;
        gm_source *after = workload_run_whole(layouts[soa]).source;
        double start[CELLS][20];
        double once[CELLS][20];
        double expected[CELLS][20];
        double actual[CELLS][20];
        take_lattice(before, "from", soa, start);
        flow(start, once);
        flow(once, expected);
        take_lattice(after, "from", soa, actual); /* two steps: back in the first array */
        double mass[2] = {0.0};
        int obstacles = 0;
        for (int i = 0; i < CELLS; i++) {
            for (int e = 0; e < 19; e++) {
                assert_true(fabs(actual[i][e] - expected[i][e]) < 1e-5);
                mass[0] += start[i][e];
                mass[1] += actual[i][e];
            }
            obstacles += start[i][19] != 0.0;
        }
        assert_true(fabs(mass[0] - mass[1]) < 1e-3); /* nothing is lost */
        assert_true(obstacles > 0);
        gm_source_close(before);
        gm_source_close(after);
    }
}

/* out(x) = sum over j of tap[j] in(x + RADIUS - j), with 0 beyond the edges: along rows, then along
 * columns. The taps are the first random numbers of the seed. */
static void convseparable_filters(void **state)
{
    (void)state;
    enum { WIDTH = 256, HEIGHT = 128, RADIUS = 8, TAPS = 2 * RADIUS + 1, PIXELS = WIDTH * HEIGHT };
    gm_source *source = workload_run_whole("convseparable,width=256,height=128,seed=3").source;
    const float *image = workload_array(source, "image", PIXELS, 4);
    const float *result = workload_array(source, "result", PIXELS, 4);
    uint64_t random = 3;
    double tap[TAPS];
    for (int i = 0; i < TAPS; i++) {
        tap[i] = (double)gm_random_float(&random, 0.0F, 1.0F);
    }
    static double along[PIXELS];
    for (int i = 0; i < PIXELS; i++) {
        for (int j = 0; j < TAPS; j++) {
            int x = i % WIDTH + RADIUS - j;
            along[i] += x >= 0 && x < WIDTH ? tap[j] * (double)image[i - i % WIDTH + x] : 0.0;
        }
    }
    for (int i = 0; i < PIXELS; i++) {
        double sum = 0.0;
        for (int j = 0; j < TAPS; j++) {
            int y = i / WIDTH + RADIUS - j;
            sum += y >= 0 && y < HEIGHT ? tap[j] * along[y * WIDTH + i % WIDTH] : 0.0;
        }
        workload_close((double)result[i], sum, 1e-5);
    }
    gm_source_close(source);
}

static void all_inputs_are_read(void **state)
{
    (void)state;
    const char *inputs = test_shared_data("GOLDMEM_INPUTS");
    char specification[512];
    snprintf(specification, sizeof specification,
             "srad,iterations=1,image=%s/rodinia/srad_image.pgm.xz", inputs);
    gm_source *source = workload_run_whole(specification).source;
    /* First pixel: 127 of 255. */
    source->operations->close(source);
    source = workload_run_open(specification).source;
    const float *image = workload_array(source, "image", 458 * 502, 4);
    assert_true(fabsf(image[0] - expf(127.0F / 255.0F)) < 1e-6);
    gm_source_close(source);
    snprintf(specification, sizeof specification,
             "recursivegaussian,image=%s/rodinia/srad_image.pgm.xz", inputs);
    source = workload_run_open(specification).source;
    const uint32_t *pixels = workload_array(source, "image", 458 * 502, 4);
    assert_int_equal(pixels[0], 0x7f7f7f7f);
    gm_source_close(source);
    snprintf(specification, sizeof specification,
             "lbm,x=100,y=100,z=130,iterations=1,obstacles=%s/parboil/100_100_130_ldc.of.xz",
             inputs);
    gm_source_close(workload_run_open(specification).source);
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    gm_source *source = NULL;
    gm_error error;
    assert_true(gm_workload_open(&source, "sgemm,m=100", &error) < 0);
    assert_non_null(strstr(error.text, "m=100"));
    assert_true(gm_workload_open(&source, "sgemm,n=24", &error) < 0);
    assert_string_equal(error.text, "workload sgemm: n=24 is not a multiple of 16");
    assert_true(gm_workload_open(&source, "srad2,columns=40", &error) < 0);
    assert_string_equal(error.text, "workload srad2: columns=40 is not a multiple of 16");
    assert_true(gm_workload_open(&source, "convseparable,height=96", &error) < 0);
    assert_string_equal(error.text, "workload convseparable: height=96 is not a multiple of 64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sgemm_multiplies),
        cmocka_unit_test(stencil3d_sweeps),
        cmocka_unit_test(laplace3d_sweeps),
        cmocka_unit_test(recursivegaussian_blurs),
        cmocka_unit_test(convseparable_filters),
        cmocka_unit_test(srad_diffuses),
        cmocka_unit_test(srad2_diffuses),
        cmocka_unit_test(lbm_flows),
        cmocka_unit_test(all_inputs_are_read),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
