/* Built-in workloads: the papers' kernels as C code per thread, executed in SIMT order with real
 * data, delivered as a source. */
#ifndef GOLDMEM_WORKLOAD_H
#define GOLDMEM_WORKLOAD_H

#include "goldmem/source.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One option of a workload. Values are integers, or a file's path where `is_path`. */
typedef struct gm_workload_option {
    const char *name; /* "n" */
    int64_t low, high, initial;
    bool is_path;
    const char *description; /* with its unit */
} gm_workload_option;

typedef struct gm_workload_description {
    const char *name;                  /* "syrk" */
    const char *summary;               /* one line */
    const char *origin;                /* benchmark suite, and the papers that use it */
    const gm_workload_option *options; /* ends with a NULL name */
} gm_workload_description;

/* Returns all workloads, *count of them, sorted by name. */
const gm_workload_description *const *gm_workloads(unsigned *count);

/* Opens "NAME[,option=value]..." (without the "workload:" prefix). -EINVAL names the option, its
 * value and its range. */
int gm_workload_open(gm_source **source, const char *specification, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
