/* mriq, cutcp and gridding compute what a straightforward host version does. */
#include "support/workload/workload_run.h"

#include <stdio.h>

static void check_mriq(gm_source *source, size_t samples, size_t voxels, size_t step)
{
    static const char *const names[] = {"kx", "ky", "kz", "phi_real", "phi_imaginary"};
    const float *k[5];
    for (int i = 0; i < 5; i++) {
        k[i] = workload_array(source, names[i], samples, 4);
    }
    const float *x = workload_array(source, "x", voxels, 4);
    const float *y = workload_array(source, "y", voxels, 4);
    const float *z = workload_array(source, "z", voxels, 4);
    const float *real = workload_array(source, "q_real", voxels, 4);
    const float *imaginary = workload_array(source, "q_imaginary", voxels, 4);
    for (size_t v = 0; v < voxels; v += step) {
        double q[2] = {0.0};
        double scale = 0.0;
        for (size_t s = 0; s < samples; s++) {
            double m = (double)k[3][s] * (double)k[3][s] + (double)k[4][s] * (double)k[4][s];
            double angle = 2 * M_PI *
                           ((double)k[0][s] * (double)x[v] + (double)k[1][s] * (double)y[v] +
                            (double)k[2][s] * (double)z[v]);
            q[0] += m * cos(angle);
            q[1] += m * sin(angle);
            scale += m;
        }
        assert_true(fabs(q[0] - (double)real[v]) <= 1e-4 * scale);
        assert_true(fabs(q[1] - (double)imaginary[v]) <= 1e-4 * scale);
    }
}

static void mriq_computes_q(void **state)
{
    (void)state;
    gm_source *source = workload_run_whole("mriq,samples=50,voxels=300").source;
    check_mriq(source, 50, 300, 1);
    gm_source_close(source);
}

static void mriq_reads_parboil(void **state)
{
    (void)state;
    char specification[512];
    snprintf(specification, sizeof specification, "mriq,data=%s/parboil/mriq_32.bin.xz",
             test_shared_data("GOLDMEM_INPUTS"));
    gm_source *source = workload_run_open(specification).source;
    const float *kx = workload_array(source, "kx", 3072, 4);
    const float *x = workload_array(source, "x", 32768, 4);
    assert_true(fabsf(kx[1] - 0.024267F) < 1e-5F); /* 0x3cc6ccde, the second word of data */
    assert_true(isfinite(x[32767]));
    gm_source_close(source);
}

/* Every atom with every point, from the bins, which hold each atom once. */
static void check_cutcp(const char *specification)
{
    workload_run run = workload_run_whole(specification);
    gm_source *source = run.source;
    assert_int_equal(run.kernel.shared_bytes == 0, strstr(specification, "shared=0") != NULL);
    const gm_device_array *bins = gm_workload_array(source, "bin");
    const float *potential = workload_array(source, "potential", 27 * 512, 4);
    const float(*atom)[4] = bins->data;
    size_t count = bins->bytes / sizeof *atom;
    size_t atoms = 0;
    for (size_t i = 0; i < count; i++) {
        atoms += atom[i][3] != 0.0F;
    }
    assert_int_equal(atoms, 150);
    for (int p = 0; p < 24 * 24 * 24; p += 7) {
        const int at[3] = {p % 24, p / 24 % 24, p / 576};
        double x = at[0] * 0.5;
        double y = at[1] * 0.5;
        double z = at[2] * 0.5;
        double sum = 0.0;
        double scale = 1.0;
        for (size_t i = 0; i < count; i++) {
            double dx = (double)atom[i][0] - x;
            double dy = (double)atom[i][1] - y;
            double dz = (double)atom[i][2] - z;
            double r2 = dx * dx + dy * dy + dz * dz;
            double s = 1.0 - r2 / 25.0;
            double share = r2 < 25.0 ? (double)atom[i][3] * s * s / sqrt(r2 + 1e-6) : 0.0;
            sum += share;
            scale += fabs(share);
        }
        assert_true(fabs(sum - (double)potential[p]) < 1e-4 * scale);
    }
    gm_source_close(source);
}

static void cutcp_adds_up(void **state)
{
    (void)state;
    check_cutcp("cutcp,atoms=150,box=10,cutoff=5,seed=2");
    check_cutcp("cutcp,atoms=150,box=10,cutoff=5,seed=2,shared=0");
}

static void cutcp_reads_pqr(void **state)
{
    (void)state;
    char specification[512];
    snprintf(specification, sizeof specification, "cutcp,pqr=%s/parboil/watbox.small.pqr",
             test_shared_data("GOLDMEM_INPUTS"));
    gm_source *source = workload_run_open(specification).source;
    const gm_device_array *bins = gm_workload_array(source, "bin");
    const float(*atom)[4] = bins->data;
    double charge = 0.0;
    size_t atoms = 0;
    for (size_t i = 0; i < bins->bytes / sizeof *atom; i++) {
        charge += (double)atom[i][3];
        atoms += atom[i][3] != 0.0F;
    }
    assert_int_equal(atoms, 99);      /* 33 water molecules, */
    assert_true(fabs(charge) < 1e-4); /* which are neutral */
    gm_source_close(source);
}

/* Scatter form: each sample adds to the points around it, where the kernel gathers. */
static void check_gridding(const char *specification, int side)
{
    enum { SAMPLES = 900 };
    const int count = side * side * side;
    workload_run run = workload_run_whole(specification);
    gm_source *source = run.source;
    const float(*sample)[4] = workload_array(source, "sample", SAMPLES, 16);
    const float(*sorted)[4] = workload_array(source, "sorted", SAMPLES, 16);
    float *expected = calloc((size_t)count, sizeof *expected);
    assert_non_null(expected);
    double moment[2] = {0.0};
    for (int s = 0; s < SAMPLES; s++) {
        for (int p = 0; p < count; p++) {
            float dx = sample[s][0] - (float)(p % side);
            const int y = p / side % side;
            const int z = p / side / side;
            float dy = sample[s][1] - (float)y;
            float dz = sample[s][2] - (float)z;
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 4.0F) {
                expected[p] += sample[s][3] * (1.0F - r2 / 4.0F) * (1.0F - r2 / 4.0F);
            }
        }
        moment[0] += (double)sample[s][3] * (double)sample[s][0];
        moment[1] += (double)sorted[s][3] * (double)sorted[s][0];
    }
    const size_t points = (size_t)count;
    workload_all_close(workload_array(source, "grid", points, 4), expected, points, 1e-4);
    free(expected);
    assert_true(fabs(moment[0] - moment[1]) < 1e-6); /* sorted[] is a permutation */
    gm_source_close(source);
}

/* With shared=0 the scan goes up and down a tree of 8 x 8 x 8 = 2 x 16 x 16 bins: 3 sums up, 3
 * down; 12 x 12 x 12 = 1728 bins: the last nodes of two levels have fewer than 16 children. */
static void gridding_grids(void **state)
{
    (void)state;
    check_gridding("gridding,samples=900,side=12", 12);
    check_gridding("gridding,samples=900,side=12,shared=0", 12);
    check_gridding("gridding,samples=900,side=8,shared=0", 8);
    workload_run run = workload_run_whole("gridding,samples=900,side=8,shared=0");
    assert_int_equal(run.kernels, 3 + 2 * 3);
    const uint32_t *start = workload_data(&run, "start");
    const uint32_t *count = workload_data(&run, "count");
    uint32_t sum = 0;
    for (int i = 0; i < 512; i++) {
        assert_int_equal(start[i], sum);
        sum += count[i];
    }
    assert_int_equal(start[512], 900);
    gm_source_close(run.source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mriq_computes_q), cmocka_unit_test(mriq_reads_parboil),
        cmocka_unit_test(cutcp_adds_up),   cmocka_unit_test(cutcp_reads_pqr),
        cmocka_unit_test(gridding_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
