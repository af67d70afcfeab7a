/* Trace writer: writes any source as a folder that Accel-Sim and goldmem read: a kernelslist.g and
 * one file for each kernel, as Accel-Sim's own tracer and post-processor lay them out. */
#ifndef GOLDMEM_TRACE_WRITER_H
#define GOLDMEM_TRACE_WRITER_H

#include "goldmem/source.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gm_trace_form {
    GM_TRACE_1_2,         /* lines start with their CTA and warp; irregular addresses in full */
    GM_TRACE_3,           /* no immediates */
    GM_TRACE_4,           /* early version 4: no immediates */
    GM_TRACE_4_IMMEDIATE, /* late version 4 */
    GM_TRACE_5,
    GM_TRACE_COMPACT, /* goldmem's own: binary, everything kept (docs/traces.md) */
} gm_trace_form;

typedef enum gm_trace_packing {
    GM_PACKING_NONE,
    GM_PACKING_XZ,
    GM_PACKING_GZIP,
    GM_PACKING_ZSTD
} gm_trace_packing;

typedef struct gm_trace_write_options {
    gm_trace_form form;
    gm_trace_packing packing; /* of each kernel file; the list is never packed */
    void *context;
    /* Called after each CTA, and now and then within one. A non-zero return ends the writing, which
     * returns the value. NULL: no calls. */
    int (*progress)(void *context, gm_progress progress, gm_error *error);
} gm_trace_write_options;

/* Writes the rest of the source to a new folder, which has a temporary name until it is complete;
 * after a failure no folder remains. As tracers do, omits CTAs without instructions; a kernel
 * without CTAs is a header. Text forms omit registers other than R0..R255, and immediates before
 * late version 4. Returns 0; -EEXIST where the folder exists; -EINVAL where an instruction cannot
 * be written in this form; the source's failure; -ENOSPC, -EFBIG, -EIO. */
int gm_trace_write(gm_source *source, const char *folder, const gm_trace_write_options *options,
                   gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
