/* Kernel file: header and body, grouped (.traceg), raw (.trace), binary (.tracez) or compact
 * (.gmt), as its content shows. */
#ifndef GOLDMEM_TRACE_KERNEL_FILE_H
#define GOLDMEM_TRACE_KERNEL_FILE_H

#include "goldmem/source.h"
#include "trace/byte_stream.h"

typedef struct gm_kernel_file gm_kernel_file;

/* Opens the file and reads its header. Adds the bytes read to `count`. Returns 0 or a negative
 * errno value. */
int gm_kernel_file_open(gm_kernel_file **file, const char *path, gm_opcode_table *opcodes,
                        gm_byte_count *count, gm_error *error);

const gm_kernel *gm_kernel_file_header(const gm_kernel_file *file);

/* Delivers the next thread block. Returns 1, 0 at the end, or a negative errno value. */
int gm_kernel_file_next_cta(gm_kernel_file *file, const gm_cta_sink *sink, gm_error *error);

/* True if the header names clusters of more than one CTA, or a CTA so far lies in one. */
bool gm_kernel_file_has_clusters(const gm_kernel_file *file);

void gm_kernel_file_close(gm_kernel_file *file);

#endif
