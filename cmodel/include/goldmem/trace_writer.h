/* Trace writer: any source as a folder that Accel-Sim and goldmem read: a kernelslist.g and one
 * file for each kernel, as Accel-Sim's own tracer and post-processor lay them out. */
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
    /* After each CTA, and now and then within one. Non-zero return ends the writing with it. NULL:
     * none. */
    int (*progress)(void *context, gm_progress progress, gm_error *error);
} gm_trace_write_options;

/* Writes what is left of the source to a new folder. All of it is written beside the folder first
 * and renamed when complete; on failure nothing is left. CTAs without any instruction are left out,
 * as tracers do; a kernel with none is a header. Registers other than R0..R255, and immediates
 * before late version 4, are not in text. Returns 0; -EEXIST where the folder exists;
 * -EINVAL where an instruction cannot be written in this form; what the source returned; -ENOSPC,
 * -EFBIG, -EIO. */
int gm_trace_write(gm_source *source, const char *folder, const gm_trace_write_options *options,
                   gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
