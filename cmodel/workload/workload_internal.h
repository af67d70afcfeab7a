/* Workload files: the definition that each provides, and the functions that it may call. Tests
 * reach the arrays here too. */
#ifndef GOLDMEM_WORKLOAD_WORKLOAD_INTERNAL_H
#define GOLDMEM_WORKLOAD_WORKLOAD_INTERNAL_H

#include "goldmem/workload.h"
#include "workload/simt/device.h"
#include "workload/simt/simt_internal.h"
#include "workload/simt/simt_live.h"

#include <stdatomic.h>

enum { GM_WORKLOAD_OPTIONS = 8 };

typedef struct gm_workload gm_workload;

/* One workload: kernels/NAME.c defines `gm_workload_NAME`, table.h lists it. */
typedef struct gm_workload_definition {
    gm_workload_description description;
    size_t state_bytes; /* of the struct that setup and launch share, zeroed at first */
    /* Allocates and fills the arrays. Returns 0 or a negative errno value. */
    int (*setup)(gm_workload *workload, void *state, gm_error *error);
    /* The host's program: fills in the launch of step 0, 1, 2, ... Returns 1, 0 at the end, or a
     * negative errno value. Called after the previous step was executed. */
    int (*launch)(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error);
    /* Frees what setup took from the heap beside the arrays; may be NULL. */
    void (*finish)(void *state);
    bool communicates; /* has kernels with SYNC accesses */
} gm_workload_definition;

struct gm_workload {
    gm_source source;
    const gm_workload_definition *definition;
    int64_t value[GM_WORKLOAD_OPTIONS]; /* in the order of the options' table */
    char *path[GM_WORKLOAD_OPTIONS];    /* NULL: not given */
    gm_device device;
    gm_simt *simt;
    gm_simt_live live; /* of kernels with SYNC accesses */
    gm_value_observer observer;
    void *state;
    uint64_t step;                /* launches made */
    unsigned copies;              /* arrays visited for copies */
    gm_launch launch;             /* in progress */
    gm_kernel *kernel;            /* its header */
    gm_dim cta;                   /* next */
    uint64_t remaining;           /* CTAs of the launch not delivered yet */
    _Atomic uint64_t done, total; /* CTAs delivered, and of all launches so far */
    char *name;
};

/* Return an array that the host fills and copies to the device, or one that the device fills; NULL
 * on failure with the error set: setup then returns error->code. */
static inline void *gm_workload_input(gm_workload *workload, const char *name, size_t count,
                                      size_t size, gm_error *error)
{
    return gm_device_take(&workload->device, name, count, size, true, error);
}
static inline void *gm_workload_output(gm_workload *workload, const char *name, size_t count,
                                       size_t size, gm_error *error)
{
    return gm_device_take(&workload->device, name, count, size, false, error);
}

/* Returns the number of blocks of `block` threads that cover `count`. */
static inline uint32_t gm_blocks(uint64_t count, uint32_t block)
{
    return (uint32_t)((count + block - 1) / block);
}

/* For tests: return an array by name (NULL: none), an option's value; turn on the check that points
 * ascend. */
gm_workload *gm_workload_of(gm_source *source);
const gm_device_array *gm_workload_array(gm_source *source, const char *name);
int64_t gm_workload_value(gm_source *source, const char *option);

/* Reads ",option=value,..." into workload->value and path. Returns 0, -EINVAL or -ENOMEM. */
int gm_workload_options(gm_workload *workload, const char *text, gm_error *error);

#endif
