/* Kernel writers: write one kernel into its file, as text or in the compact form. */
#ifndef GOLDMEM_TRACE_KERNEL_WRITER_H
#define GOLDMEM_TRACE_KERNEL_WRITER_H

#include "goldmem/source.h"
#include "trace/packer.h"

typedef struct gm_kernel_writer {
    gm_packer packer;
    gm_trace_form form;
    const gm_opcode_table *opcodes; /* the source's */
    uint32_t cta[3];                /* now being written */
    uint32_t warp;
    struct gm_compact *compact; /* COMPACT: private */
} gm_kernel_writer;

/* Called in this order, CTA by CTA and warp by warp. Require an open file. Return 0 or a negative
 * errno value. `count`: instructions of the warp that follow. */
typedef struct gm_kernel_writer_operations {
    int (*begin_kernel)(gm_kernel_writer *writer, const gm_kernel *kernel, gm_error *error);
    int (*begin_cta)(gm_kernel_writer *writer, gm_error *error);
    int (*begin_warp)(gm_kernel_writer *writer, uint64_t count, gm_error *error);
    int (*instruction)(gm_kernel_writer *writer, const gm_instruction *instruction,
                       gm_error *error);
    int (*end_cta)(gm_kernel_writer *writer, gm_error *error);
    /* Called also after a failure, then with `complete` false. */
    int (*end_kernel)(gm_kernel_writer *writer, bool complete, gm_error *error);
} gm_kernel_writer_operations;

extern const gm_kernel_writer_operations gm_text_writer;   /* text_writer.c */
extern const gm_kernel_writer_operations gm_binary_writer; /* binary_writer.c */

/* Writes the header lines up to and including "#traces format". Returns 0 or a negative errno
 * value. In text_writer.c. */
int gm_text_write_header(gm_kernel_writer *writer, const gm_kernel *kernel, gm_error *error);

#endif
