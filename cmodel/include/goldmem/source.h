/* Sources: a stream of commands (host copies, kernels) and of each kernel's CTAs. Trace lists,
 * single kernel files and built-in workloads are sources; the engines know nothing else of their
 * input. */
#ifndef GOLDMEM_SOURCE_H
#define GOLDMEM_SOURCE_H

#include "goldmem/error.h"
#include "goldmem/instruction.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_KERNEL_NAME = 4096, GM_VERSION_TEXT = 16 };

/* A kernel launch: the header of its trace file. */
typedef struct gm_kernel {
    char name[GM_KERNEL_NAME]; /* longer mangled names are cut */
    uint64_t id;
    uint32_t grid[3];        /* CTAs in x, y, z; each >= 1 */
    uint32_t block[3];       /* threads of a CTA in x, y, z; each >= 1; at most 2048 in all */
    uint32_t shared_bytes;   /* static and dynamic, per CTA */
    uint32_t registers;      /* per thread */
    uint32_t binary_version; /* SM number: 70 for SM70; 0 unknown */
    uint64_t stream;
    uint64_t shared_base; /* window of shared memory in generic addresses; 0 unknown */
    uint64_t local_base;  /* window of local memory likewise; its order to the other is not fixed */
    char nvbit_version[GM_VERSION_TEXT];
    char tracer_version[GM_VERSION_TEXT]; /* "5"; empty where absent */
    int version;                          /* leading integer of tracer_version; 0 where absent */
    bool has_line_numbers;                /* "-enable lineinfo = 1" */
    bool has_immediate;                   /* instruction lines end in an immediate */
} gm_kernel;

static inline uint64_t gm_kernel_ctas(const gm_kernel *kernel)
{
    return (uint64_t)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
}

static inline uint32_t gm_kernel_threads(const gm_kernel *kernel)
{
    return kernel->block[0] * kernel->block[1] * kernel->block[2];
}

static inline uint32_t gm_kernel_warps(const gm_kernel *kernel)
{
    return (gm_kernel_threads(kernel) + GM_WARP_SIZE - 1) / GM_WARP_SIZE;
}

typedef enum gm_command_kind {
    GM_COMMAND_COPY, /* host to device */
    GM_COMMAND_KERNEL,
} gm_command_kind;

typedef struct gm_command {
    gm_command_kind kind;
    uint64_t address;        /* COPY: device address */
    uint64_t bytes;          /* COPY */
    const gm_kernel *kernel; /* KERNEL: valid until the next command is asked for */
} gm_command;

/* Receives one CTA. Each function returns 0, or a negative errno value that ends the delivery and
 * is returned by gm_source_next_cta. */
typedef struct gm_cta_sink {
    void *context;
    int (*begin_cta)(void *context, const uint32_t cta[3], gm_error *error);
    int (*begin_warp)(void *context, uint32_t warp,
                      gm_error *error); /* ascending, each at most once */
    int (*instruction)(void *context, const gm_instruction *instruction, gm_error *error);
    int (*end_cta)(void *context, gm_error *error);
} gm_cta_sink;

typedef struct gm_progress {
    uint64_t done;  /* of `total`: bytes of input read, or CTAs made */
    uint64_t total; /* 0: unknown */
    bool open;      /* further kernels may follow: total is that of the kernels so far */
} gm_progress;

typedef struct gm_source gm_source;

/* What a kind of source implements. */
typedef struct gm_source_operations {
    int (*next_command)(gm_source *source, gm_command *command, gm_error *error);
    int (*next_cta)(gm_source *source, const gm_cta_sink *sink, gm_error *error);
    gm_progress (*progress)(const gm_source *source);
    int (*content)(const gm_source *source, uint64_t *hash, gm_error *error); /* NULL: hash 0 */
    void (*close)(gm_source *source);
} gm_source_operations;

/* First member of each kind's own struct. */
struct gm_source {
    const gm_source_operations *operations;
    const char *name;        /* as the user wrote it */
    gm_opcode_table opcodes; /* grows while instructions are delivered */
};

/* Next command. 1: one was found; 0: the input has ended; negative errno value: bad input. CTAs of
 * a kernel that were not asked for are skipped, and still checked. */
static inline int gm_source_next_command(gm_source *source, gm_command *command, gm_error *error)
{
    return source->operations->next_command(source, command, error);
}

/* Delivers the next CTA of the last kernel, in ascending linear id (x fastest). 1: delivered;
 * 0: the kernel has no more; negative errno value: bad input, or the sink's own failure. A CTA that
 * left no record is omitted by tracers, so ids may have gaps. */
static inline int gm_source_next_cta(gm_source *source, const gm_cta_sink *sink, gm_error *error)
{
    return source->operations->next_cta(source, sink, error);
}

/* May be called from another thread while CTAs are delivered. */
static inline gm_progress gm_source_progress(const gm_source *source)
{
    return source->operations->progress(source);
}

/* Hash of the files that the source had read whole before its first command (a workload's input
 * files), read anew for it. 0, or what reading a file has returned. */
static inline int gm_source_content(const gm_source *source, uint64_t *hash, gm_error *error)
{
    *hash = 0;
    return source->operations->content == NULL ? 0
                                               : source->operations->content(source, hash, error);
}

static inline void gm_source_close(gm_source *source)
{
    if (source != NULL) {
        source->operations->close(source);
    }
}

#ifdef __cplusplus
}
#endif

#endif
