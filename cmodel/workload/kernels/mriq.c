/* The Q matrix of non-Cartesian MRI reconstruction [Parboil mri-q, kernels ComputePhiMag and
 * ComputeQ; anssari, Table 4.2: broadcast sharing, compute bound]. A thread is a voxel and reads
 * every sample of K-space, the same one in all lanes. */
#include "base/random.h"
#include "workload/input_file.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <math.h>

enum { SAMPLES, VOXELS, SEED, DATA };
static const gm_workload_option options[] = {
    [SAMPLES] = {"samples", 1, 1 << 14, 256, false, "samples of K-space"},
    [VOXELS] = {"voxels", 1, 1 << 22, 4096, false, "voxels"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the inputs"},
    [DATA] = {"data", 0, 0, 0, true, "Parboil's binary file, instead of random inputs"},
    {0},
};

typedef struct sample {
    float x, y, z, magnitude;
} sample;

typedef struct mriq {
    float *phi_real, *phi_imaginary, *magnitude;
    float *kx, *ky, *kz; /* as read; packed into sample[] by the host */
    sample *sample;
    float *x, *y, *z, *q_real, *q_imaginary;
    uint32_t samples, voxels;
} mriq;

GM_THREAD(magnitude, mriq)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->samples) {
        float real = LOAD(t, a->phi_real + i);
        float imaginary = LOAD(t, a->phi_imaginary + i);
        COMPUTE(t, FP32, 2);
        STORE(t, a->magnitude + i, real * real + imaginary * imaginary);
    }
}
GM_KERNEL(magnitude, mriq)

GM_THREAD(q_matrix, mriq)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->voxels) {
        float x = LOAD(t, a->x + i);
        float y = LOAD(t, a->y + i);
        float z = LOAD(t, a->z + i);
        float real = 0.0F;
        float imaginary = 0.0F;
        for (uint32_t k = 0; k < a->samples; k++) {
            sample s = LOAD(t, a->sample + k);
            COMPUTE(t, FP32, 5);
            COMPUTE(t, SPECIAL, 2);
            float angle = 6.2831853F * (s.x * x + s.y * y + s.z * z);
            real += s.magnitude * cosf(angle);
            imaginary += s.magnitude * sinf(angle);
            LOOP(t);
        }
        STORE(t, a->q_real + i, real);
        STORE(t, a->q_imaginary + i, imaginary);
    }
}
GM_KERNEL(q_matrix, mriq)

/* The inputs in the order of Parboil's file. */
enum { INPUTS = 8 };
typedef struct inputs {
    float **array[INPUTS];
    const char *name[INPUTS];
    uint32_t count[INPUTS];
} inputs;

static inputs inputs_of(mriq *s)
{
    uint32_t k = s->samples;
    uint32_t v = s->voxels;
    return (inputs){
        {&s->kx, &s->ky, &s->kz, &s->x, &s->y, &s->z, &s->phi_real, &s->phi_imaginary},
        {"kx", "ky", "kz", "x", "y", "z", "phi_real", "phi_imaginary"},
        {k, k, k, v, v, v, k, k},
    };
}

static int take_arrays(gm_workload *workload, mriq *s, gm_error *error)
{
    inputs in = inputs_of(s);
    bool all = true;
    for (int i = 0; i < INPUTS; i++) {
        *in.array[i] = gm_workload_input(workload, in.name[i], in.count[i], sizeof(float), error);
        all = all && *in.array[i] != NULL;
    }
    s->sample = gm_workload_input(workload, "sample", s->samples, sizeof(sample), error);
    s->magnitude = gm_workload_output(workload, "magnitude", s->samples, sizeof(float), error);
    s->q_real = gm_workload_output(workload, "q_real", s->voxels, sizeof(float), error);
    s->q_imaginary = gm_workload_output(workload, "q_imaginary", s->voxels, sizeof(float), error);
    all = all && s->sample != NULL && s->magnitude != NULL && s->q_real != NULL &&
          s->q_imaginary != NULL;
    return all ? 0 : error->code;
}

static int read_data(gm_workload *workload, mriq *s, gm_input_file *file, gm_error *error)
{
    uint32_t size[2];
    int code = gm_input_file_bytes(file, "sizes", size, sizeof size, error);
    if (code == 0 && (size[0] == 0 || size[0] > 1 << 14 || size[1] == 0 || size[1] > 1 << 22)) {
        code = gm_fail(error, -EINVAL, "%s: %u samples (1..16384) and %u voxels (1..4194304)",
                       file->path, size[0], size[1]);
    }
    if (code == 0) {
        s->samples = size[0];
        s->voxels = size[1];
        code = take_arrays(workload, s, error);
    }
    inputs in = inputs_of(s);
    for (int i = 0; code == 0 && i < INPUTS; i++) {
        code =
            gm_input_file_bytes(file, in.name[i], *in.array[i], in.count[i] * sizeof(float), error);
    }
    return code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    mriq *s = state;
    s->samples = (uint32_t)workload->value[SAMPLES];
    s->voxels = (uint32_t)workload->value[VOXELS];
    int code = 0;
    if (workload->path[DATA] != NULL) {
        gm_input_file file;
        code = gm_input_file_load(&file, workload->path[DATA], error);
        if (code == 0) {
            code = read_data(workload, s, &file, error);
            gm_input_file_free(&file);
        }
        return code;
    }
    code = take_arrays(workload, s, error);
    uint64_t random = (uint64_t)workload->value[SEED];
    inputs in = inputs_of(s);
    for (int i = 0; code == 0 && i < INPUTS; i++) {
        for (uint32_t j = 0; j < in.count[i]; j++) {
            (*in.array[i])[j] = gm_random_float(&random, -0.5F, 0.5F);
        }
    }
    return code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    mriq *s = state;
    launch->arguments = s;
    if (step == 0) {
        launch->code = &magnitude_code;
        launch->block.x = 512;
        launch->grid.x = gm_blocks(s->samples, 512);
        return 1;
    }
    for (uint32_t k = 0; k < s->samples; k++) {
        s->sample[k] = (sample){s->kx[k], s->ky[k], s->kz[k], s->magnitude[k]};
    }
    launch->code = &q_matrix_code;
    launch->block.x = 256;
    launch->grid.x = gm_blocks(s->voxels, 256);
    return step == 1;
}

extern const gm_workload_definition gm_workload_mriq;
const gm_workload_definition gm_workload_mriq = {
    .description = {"mriq", "Q matrix of MRI reconstruction", "Parboil [anssari, Table 4.2]",
                    options},
    .state_bytes = sizeof(mriq),
    .setup = setup,
    .launch = launch,
};
