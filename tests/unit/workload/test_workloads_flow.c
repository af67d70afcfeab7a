/* cfd against a serial solver of the Euler equations in double precision, its meshes against what a
 * closed mesh must keep, its gathers against the mesh. */
#include "support/workload/workload_run.h"

#include <stdio.h>

enum { BODY = -1, FAR = -2, FACES = 4, QUANTITIES = 5 };

/* The device's mesh: arrays by quantity, as long as `stride`. */
typedef struct mesh {
    size_t elements, stride;
    const float *volume, *normal;
    const int32_t *neighbour;
} mesh;

static mesh mesh_of(const workload_run *run, size_t elements)
{
    size_t stride = (elements + 191) / 192 * 192;
    return (mesh){
        .elements = elements,
        .stride = stride,
        .volume = workload_array(run->source, "volume", stride, 4),
        .neighbour = workload_array(run->source, "neighbour", FACES * stride, 4),
        .normal = workload_array(run->source, "normal", (size_t)3 * FACES * stride, 4),
    };
}

static double normal_of(const mesh *m, size_t i, size_t face, size_t axis)
{
    return (double)m->normal[(face * 3 + axis) * m->stride + i];
}

/* Density, velocity and pressure. */
typedef struct state {
    double density, velocity[3], pressure;
} state;

static const double GAMMA = 1.4;

static state state_of(const double u[QUANTITIES])
{
    state s = {.density = u[0], .velocity = {u[1] / u[0], u[2] / u[0], u[3] / u[0]}};
    double kinetic = (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2.0 * u[0]);
    s.pressure = (GAMMA - 1.0) * (u[4] - kinetic);
    return s;
}

/* The fastest wave: speed and that of sound. */
static double fastest(const state *s)
{
    return sqrt(s->velocity[0] * s->velocity[0] + s->velocity[1] * s->velocity[1] +
                s->velocity[2] * s->velocity[2]) +
           sqrt(GAMMA * s->pressure / s->density);
}

/* Adds half of what a state carries through a face, by the velocity across it. */
static void carry(double flux[QUANTITIES], const state *s, const double normal[3])
{
    double across = 0.0;
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        across += s->velocity[k] * normal[k];
        square += s->velocity[k] * s->velocity[k];
    }
    double enthalpy = GAMMA / (GAMMA - 1.0) * s->pressure + 0.5 * s->density * square;
    flux[0] += 0.5 * s->density * across;
    flux[4] += 0.5 * enthalpy * across;
    for (int k = 0; k < 3; k++) {
        flux[1 + k] += 0.5 * (s->density * s->velocity[k] * across + s->pressure * normal[k]);
    }
}

static const double far_field[QUANTITIES] = {1.4, 1.4 * 1.2, 0.0, 0.0, 0.7 * 1.44 + 2.5};

static void flux_of(const mesh *m, double (*u)[QUANTITIES], size_t i, double flux[QUANTITIES])
{
    state own = state_of(u[i]);
    state far = state_of(far_field);
    for (int q = 0; q < QUANTITIES; q++) {
        flux[q] = 0.0;
    }
    for (size_t face = 0; face < FACES; face++) {
        double normal[3];
        for (size_t k = 0; k < 3; k++) {
            normal[k] = normal_of(m, i, face, k);
        }
        int32_t other = m->neighbour[face * m->stride + i];
        if (other == BODY) {
            for (int k = 0; k < 3; k++) {
                flux[1 + k] += own.pressure * normal[k];
            }
            continue;
        }
        state behind = other == FAR ? far : state_of(u[other]);
        carry(flux, &own, normal);
        carry(flux, &behind, normal);
        if (other != FAR) {
            double area =
                sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
            double viscosity = 0.1 * area * (fastest(&own) + fastest(&behind));
            for (int q = 0; q < QUANTITIES; q++) {
                flux[q] += viscosity * (u[other][q] - u[i][q]);
            }
        }
    }
}

/* u is what the device must have after the iterations. */
static void solve(const mesh *m, double (*u)[QUANTITIES], unsigned iterations)
{
    double(*old)[QUANTITIES] = calloc(m->elements, sizeof *old);
    double(*flux)[QUANTITIES] = calloc(m->elements, sizeof *flux);
    double *step = calloc(m->elements, sizeof *step);
    assert_true(old != NULL && flux != NULL && step != NULL);
    for (size_t i = 0; i < m->elements; i++) {
        memcpy(u[i], far_field, sizeof far_field);
    }
    for (unsigned n = 0; n < iterations; n++) {
        memcpy(old, u, m->elements * sizeof *old);
        for (size_t i = 0; i < m->elements; i++) {
            state s = state_of(u[i]);
            step[i] = 0.5 / (sqrt((double)m->volume[i]) * fastest(&s));
        }
        for (int left = 3; left > 0; left--) {
            for (size_t i = 0; i < m->elements; i++) {
                flux_of(m, u, i, flux[i]);
            }
            for (size_t k = 0; k < m->elements * QUANTITIES; k++) {
                size_t i = k / QUANTITIES;
                u[i][k % QUANTITIES] =
                    old[i][k % QUANTITIES] + step[i] / left * flux[i][k % QUANTITIES];
            }
        }
    }
    free(old);
    free(flux);
    free(step);
}

/* Every face is between two elements that know each other, or at the edge; faces close up. */
static void check_mesh(const mesh *m, unsigned side, unsigned body)
{
    unsigned bodies = 0;
    unsigned fars = 0;
    for (size_t i = 0; i < m->elements; i++) {
        double sum[3] = {0.0};
        for (size_t face = 0; face < FACES; face++) {
            int32_t other = m->neighbour[face * m->stride + i];
            bodies += other == BODY;
            fars += other == FAR;
            unsigned back = 0;
            for (size_t k = 0; other >= 0 && k < FACES; k++) {
                bool meets = m->neighbour[k * m->stride + (size_t)other] == (int32_t)i;
                for (size_t axis = 0; axis < 3; axis++) {
                    meets = meets &&
                            normal_of(m, (size_t)other, k, axis) == -normal_of(m, i, face, axis);
                }
                back += meets;
            }
            assert_true(other < 0 || back == 1);
            for (size_t axis = 0; axis < 3; axis++) {
                sum[axis] += normal_of(m, i, face, axis);
            }
        }
        assert_true(sum[0] == 0.0 && sum[1] == 0.0 && sum[2] == 0.0);
        workload_close((double)m->volume[i], 1.0 / 6.0, 1e-7);
    }
    assert_int_equal(bodies, 12 * body * body); /* two triangles a square, six sides */
    assert_int_equal(fars, 12 * side * side);
}

/* Lines of 32 elements in which the neighbours of each warp lie, of one quantity. */
static uint64_t gathered_lines(const mesh *m)
{
    uint64_t lines = 0;
    for (size_t first = 0; first < m->stride; first += 32) {
        for (size_t face = 0; face < FACES; face++) {
            int32_t seen[32];
            unsigned count = 0;
            for (size_t i = first; i < first + 32; i++) {
                int32_t line = m->neighbour[face * m->stride + i] / 32;
                bool is_new = m->neighbour[face * m->stride + i] >= 0;
                for (unsigned k = 0; k < count; k++) {
                    is_new = is_new && seen[k] != line;
                }
                if (is_new) {
                    seen[count++] = line;
                }
            }
            lines += count;
        }
    }
    return lines;
}

/* Warps and faces with a neighbour: each loads five quantities. */
static uint64_t gathers(const mesh *m)
{
    uint64_t count = 0;
    for (size_t first = 0; first < m->stride; first += 32) {
        for (size_t face = 0; face < FACES; face++) {
            bool any = false;
            for (size_t i = first; i < first + 32; i++) {
                any = any || m->neighbour[face * m->stride + i] >= 0;
            }
            count += any;
        }
    }
    return count;
}

static void check_flow(const char *specification, unsigned side, unsigned body, unsigned iterations)
{
    workload_run run = workload_run_open(specification);
    run.counts_lines = true;
    workload_run_drain(&run);
    mesh m = mesh_of(&run, (size_t)6 * (side * side * side - body * body * body));
    check_mesh(&m, side, body);
    double(*expected)[QUANTITIES] = calloc(m.elements, sizeof *expected);
    assert_non_null(expected);
    solve(&m, expected, iterations);
    const float *variable =
        workload_array(run.source, "variable", QUANTITIES * m.stride, sizeof *variable);
    double changed = 0.0;
    for (size_t i = 0; i < m.elements; i++) {
        for (size_t q = 0; q < QUANTITIES; q++) {
            workload_close((double)variable[q * m.stride + i], expected[i][q], 1e-5);
            changed = fmax(changed, fabs(expected[i][q] - far_field[q]));
        }
    }
    /* The flow stays as it was unless a body is in its way. */
    assert_true(body > 0 ? changed > 0.1 : changed < 1e-12);
    assert_int_equal(run.kernels, 3 + 8 * iterations);
    /* A warp's own values are one line each: 3 times 5 at first; in each iteration 10 for the copy,
     * 7 for the steps, three times 26 for the fluxes and 16 for the stage. */
    uint64_t warps = m.stride / 32;
    uint64_t own = warps * (15 + iterations * (10 + 7 + 3 * (26 + 16)));
    assert_int_equal(run.global, own + (uint64_t)iterations * 3 * 5 * gathers(&m));
    assert_int_equal(run.lines, own + (uint64_t)iterations * 3 * 5 * gathered_lines(&m));
    free(expected);
    gm_source_close(run.source);
}

static void cfd_solves(void **unused)
{
    (void)unused;
    check_flow("cfd,side=3,body=0,iterations=2", 3, 0, 2);
    check_flow("cfd,side=6,body=2,iterations=3", 6, 2, 3);
    check_flow("cfd,side=5,body=1,shuffle=1,seed=3", 5, 1, 1);
}

/* Five quantities, for each two instructions, a store and a branch; two before, the end after. */
static void cfd_fills_without_loads(void **unused)
{
    (void)unused;
    workload_run run = workload_run_open("cfd,side=4,body=0");
    run.limit = 3 * 12 * 23; /* 384 elements: 12 warps; three launches */
    workload_run_drain(&run);
    assert_int_equal(run.kernels, 4);
    assert_int_equal(run.memory, 3 * 12 * 5);
    assert_int_equal(run.thread_instructions, 3 * 384 * 23);
    gm_source_close(run.source);
}

/* The box written as Rodinia writes its meshes: normals outwards, elements from 1. */
static void write_mesh(const mesh *m, FILE *file)
{
    fprintf(file, "%zu\n", m->elements);
    for (size_t i = 0; i < m->elements; i++) {
        fprintf(file, "%.9g", (double)m->volume[i]);
        for (size_t face = 0; face < FACES; face++) {
            int32_t other = m->neighbour[face * m->stride + i];
            fprintf(file, " %d", other >= 0 ? other + 1 : other == BODY ? 0 : -1);
            for (size_t k = 0; k < 3; k++) {
                fprintf(file, " %g", -normal_of(m, i, face, k));
            }
        }
        fprintf(file, "\n");
    }
}

static void cfd_reads_rodinias_file(void **unused)
{
    (void)unused;
    test_folder_make();
    workload_run box = workload_run_whole("cfd,side=3,body=1");
    mesh m = mesh_of(&box, 156);
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    write_mesh(&m, file);
    fclose(file);
    char specification[1024];
    snprintf(specification, sizeof specification, "cfd,mesh=%s",
             test_file_write("mesh", text, length));
    workload_run run = workload_run_whole(specification);
    assert_memory_equal(workload_data(&run, "variable"), workload_data(&box, "variable"),
                        QUANTITIES * m.stride * sizeof(float));
    assert_int_equal(run.hash, box.hash);
    gm_source_close(run.source);
    gm_source_close(box.source);
    free(text);
    test_folder_remove();
}

static void bad_meshes_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"0\n", ":1: number of elements: 0 is not in 1..134217728"},
        {"1\n-2", ":2: volume: -2 is not above 0"},
        {"1\n1\n2 0 0 0\n", ":3: neighbour: 2 is not in -1..1"},
        {"1\n1\n0 0 0\n", ":4: normal is missing: the file ends"},
    };
    test_folder_make();
    gm_source *source = NULL;
    gm_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = test_file_write("bad", cases[i].text, strlen(cases[i].text));
        char specification[1024];
        char expected[1024];
        snprintf(specification, sizeof specification, "cfd,mesh=%s", path);
        snprintf(expected, sizeof expected, "%s%s", path, cases[i].reason);
        assert_int_equal(gm_workload_open(&source, specification, &error), -EINVAL);
        assert_string_equal(error.text, expected);
    }
    assert_int_equal(gm_workload_open(&source, "cfd,side=4", &error), -EINVAL);
    assert_string_equal(error.text, "workload cfd: body=4 fills the box of side=4");
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cfd_solves),
        cmocka_unit_test(cfd_fills_without_loads),
        cmocka_unit_test(cfd_reads_rodinias_file),
        cmocka_unit_test(bad_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
