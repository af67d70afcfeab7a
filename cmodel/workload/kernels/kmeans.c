/* K-means clustering, assignment on the GPU and new centres on the host [Rodinia kmeans,
 * kmeansPoint; khairy, Table 2: thrashing]. A thread is a point. With rows (the default, as CCWS's
 * version has it) a lane walks the features of its own point, which is the intra-thread locality of
 * [khairy, 3.2]. */
#include "base/random.h"
#include "workload/input_file.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS, FEATURES, CLUSTERS, ITERATIONS, COLUMNS, SEED, DATA };
static const gm_workload_option options[] = {
    [POINTS] = {"points", 1, 1 << 24, 8192, false, "random points"},
    [FEATURES] = {"features", 1, 256, 34, false, "features of a point"},
    [CLUSTERS] = {"clusters", 1, 64, 5, false, "clusters"},
    [ITERATIONS] = {"iterations", 1, 1000, 2, false, "rounds of assignment"},
    [COLUMNS] = {"columns", 0, 1, 0, false, "1: feature-major, coalesced; 0: point-major"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the points"},
    [DATA] = {"data", 0, 0, 0, true, "file: a line a point, an id and its features"},
    {0},
};

typedef struct kmeans {
    float *feature; /* [points][features], or transposed */
    float *centre;  /* [clusters][features] */
    int32_t *membership;
    uint32_t points, features, clusters;
    uint32_t point_step, feature_step; /* in feature[] */
} kmeans;

GM_THREAD(assign, kmeans)
{
    uint32_t point = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (point < a->points) {
        int32_t best = -1;
        float least = FLT_MAX;
        for (uint32_t c = 0; c < a->clusters; c++) {
            float distance = 0.0F;
            for (uint32_t f = 0; f < a->features; f++) {
                float x = LOAD(t, a->feature + (size_t)point * a->point_step +
                                      (size_t)f * a->feature_step);
                float y = LOAD(t, a->centre + (size_t)c * a->features + f);
                COMPUTE(t, FP32, 2);
                distance += (x - y) * (x - y);
                LOOP(t);
            }
            COMPUTE(t, FP32, 2);
            if (distance < least) {
                least = distance;
                best = (int32_t)c;
            }
            LOOP(t);
        }
        STORE(t, a->membership + point, best);
    }
}
GM_KERNEL(assign, kmeans)

static int take_arrays(gm_workload *workload, kmeans *s, gm_error *error)
{
    size_t values = (size_t)s->points * s->features;
    s->feature = gm_workload_input(workload, "feature", values, sizeof(float), error);
    s->centre = gm_workload_input(workload, "centre", (size_t)s->clusters * s->features,
                                  sizeof(float), error);
    s->membership = gm_workload_output(workload, "membership", s->points, sizeof(int32_t), error);
    bool columns = workload->value[COLUMNS] != 0;
    s->point_step = columns ? 1 : s->features;
    s->feature_step = columns ? s->points : 1;
    return s->feature != NULL && s->centre != NULL && s->membership != NULL ? 0 : error->code;
}

static float *feature_of(const kmeans *s, uint32_t point, uint32_t f)
{
    return s->feature + (size_t)point * s->point_step + (size_t)f * s->feature_step;
}

/* Counts the points and features of a text file: lines, and numbers in the first line behind the
 * id. */
static void measure(const gm_input_file *file, kmeans *s)
{
    uint32_t lines = 0;
    bool text = false;
    for (size_t i = 0; i < file->length; i++) {
        text = text || strchr(" \t\r\n", file->bytes[i]) == NULL;
        if (file->bytes[i] == '\n' || i + 1 == file->length) {
            lines += text;
            text = false;
        }
    }
    uint32_t words = 0;
    for (size_t i = 0; i < file->length && file->bytes[i] != '\n'; i++) {
        bool blank = strchr(" \t\r", file->bytes[i]) != NULL;
        words += !blank && (i == 0 || strchr(" \t\r", file->bytes[i - 1]) != NULL);
    }
    s->points = lines;
    s->features = words > 0 ? words - 1 : 0;
}

static int read_points(gm_workload *workload, kmeans *s, gm_input_file *file, gm_error *error)
{
    measure(file, s);
    if (s->points < s->clusters || s->features == 0) {
        return gm_fail(error, -EINVAL, "%s: %u points of %u features cannot make %u clusters",
                       file->path, s->points, s->features, s->clusters);
    }
    int code = take_arrays(workload, s, error);
    for (uint32_t p = 0; code == 0 && p < s->points; p++) {
        double value = 0.0;
        code = gm_input_file_real(file, "id of a point", &value, error);
        for (uint32_t f = 0; code == 0 && f < s->features; f++) {
            code = gm_input_file_real(file, "feature", &value, error);
            *feature_of(s, p, f) = (float)value;
        }
    }
    return code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    kmeans *s = state;
    s->points = (uint32_t)workload->value[POINTS];
    s->features = (uint32_t)workload->value[FEATURES];
    s->clusters = (uint32_t)workload->value[CLUSTERS];
    int code = 0;
    if (workload->path[DATA] != NULL) {
        gm_input_file file;
        code = gm_input_file_load(&file, workload->path[DATA], error);
        if (code == 0) {
            code = read_points(workload, s, &file, error);
            gm_input_file_free(&file);
        }
    } else if (s->points < s->clusters) {
        return gm_fail(error, -EINVAL, "workload kmeans: clusters=%u is more than points=%u",
                       s->clusters, s->points);
    } else {
        code = take_arrays(workload, s, error);
        uint64_t random = (uint64_t)workload->value[SEED];
        for (size_t i = 0; code == 0 && i < (size_t)s->points * s->features; i++) {
            s->feature[i] = gm_random_float(&random, 0.0F, 256.0F);
        }
    }
    for (uint32_t c = 0; code == 0 && c < s->clusters; c++) {
        for (uint32_t f = 0; f < s->features; f++) {
            s->centre[(size_t)c * s->features + f] = *feature_of(s, c, f);
        }
    }
    return code;
}

/* Moves each centre to the mean of its points; leaves one without points. */
static int move_centres(const kmeans *s, gm_error *error)
{
    uint32_t *members = calloc(s->clusters, sizeof *members);
    double *sum = calloc((size_t)s->clusters * s->features, sizeof *sum);
    if (members == NULL || sum == NULL) {
        free(members);
        free(sum);
        return gm_fail(error, -ENOMEM, "workload kmeans: out of memory");
    }
    for (uint32_t p = 0; p < s->points; p++) {
        size_t c = (size_t)s->membership[p];
        members[c]++;
        for (uint32_t f = 0; f < s->features; f++) {
            sum[c * s->features + f] += (double)*feature_of(s, p, f);
        }
    }
    for (size_t i = 0; i < (size_t)s->clusters * s->features; i++) {
        uint32_t count = members[i / s->features];
        if (count > 0) {
            s->centre[i] = (float)(sum[i] / count);
        }
    }
    free(members);
    free(sum);
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    const kmeans *s = state;
    if (step == (uint64_t)workload->value[ITERATIONS]) {
        return 0;
    }
    int code = step > 0 ? move_centres(s, error) : 0;
    launch->code = &assign_code;
    launch->arguments = s;
    launch->block.x = 256;
    launch->grid.x = gm_blocks(s->points, 256);
    return code < 0 ? code : 1;
}

extern const gm_workload_definition gm_workload_kmeans;
const gm_workload_definition gm_workload_kmeans = {
    .description = {"kmeans", "k-means clustering, a thread a point",
                    "Rodinia, CCWS [khairy, Table 2; singh, Table 3]", options},
    .state_bytes = sizeof(kmeans),
    .setup = setup,
    .launch = launch,
};
