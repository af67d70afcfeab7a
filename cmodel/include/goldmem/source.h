/* Sources: a stream of commands (host copies, kernels) and of each kernel's CTAs. Trace lists,
 * single kernel files and built-in workloads are sources; the engines see their input only through
 * this interface. */
#ifndef GOLDMEM_SOURCE_H
#define GOLDMEM_SOURCE_H

#include "goldmem/error.h"
#include "goldmem/instruction.h"
#include "goldmem/value_observer.h"

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
    uint64_t local_base;  /* window of local memory, below or above it; 0 unknown */
    char nvbit_version[GM_VERSION_TEXT];
    char tracer_version[GM_VERSION_TEXT]; /* "5"; empty where absent */
    int version;                          /* leading integer of tracer_version; 0 where absent */
    bool has_line_numbers;                /* "-enable lineinfo = 1" */
    bool has_immediate;                   /* instruction lines end in an immediate */
    bool has_clusters;                    /* the header names clusters of more than one CTA */
} gm_kernel;

/* Return the CTAs of the grid; the threads of a CTA; its warps, of which the last may be partial.
 */
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
    const gm_kernel *kernel; /* KERNEL: valid until the next command is requested */
} gm_command;

/* Receives one CTA. Each function returns 0, or a negative errno value, which ends the delivery and
 * which gm_source_next_cta returns. */
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
    bool open;      /* further kernels may follow: `total` covers the kernels so far */
} gm_progress;

typedef struct gm_source gm_source;

/* Is told of a write that some load may still see. */
typedef void gm_live_held(void *context, uint64_t address, uint32_t value);
/* Calls `held` with every write that a load may still see. */
typedef void gm_live_each(void *context, gm_live_held *held, void *source);

/* Functions of a source with kernels that communicate: in them, what a warp does next depends on
 * values that it gets from other CTAs, thus on time. gm_source_next_cta then delivers each warp up
 * to its first access whose value it needs, a load or an atomic; the rest follows by go_on. Without
 * `begin` the source decides the values itself, in an order of its own, and delivers whole CTAs. */
typedef struct gm_live_operations {
    /* Before the first command: the caller has time. Returns what it tells of all stores and loads
     * of kernels that communicate; valid while the source is open. */
    const gm_value_observer *(*begin)(gm_source *source);
    /* Runs a warp on that has been delivered up to an access, whose values have been told. Delivers
     * by begin_warp and instruction what the warps of its CTA do next, for each up to its next such
     * access or its end. Returns 0 or a negative errno value. */
    int (*go_on)(gm_source *source, uint64_t cta, uint32_t warp, const gm_cta_sink *sink,
                 gm_error *error);
    /* Returns the bit set of the warps of a CTA that have not been delivered to their ends. */
    uint64_t (*open)(const gm_source *source, uint64_t cta);
    /* Called often: forgets, if there are many, what the writes wrote that `each` does not name. */
    void (*forget)(gm_source *source, gm_live_each *each, void *context);
    /* True if nothing has changed since the last call that could end the waiting of CTAs for each
     * other; then writes a kernel, CTA, warp and address that wait. */
    bool (*is_stuck)(gm_source *source, char *text, size_t size);
} gm_live_operations;

/* The functions that a kind of source implements. */
typedef struct gm_source_operations {
    int (*next_command)(gm_source *source, gm_command *command, gm_error *error);
    int (*next_cta)(gm_source *source, const gm_cta_sink *sink, gm_error *error);
    gm_progress (*progress)(const gm_source *source);
    int (*content)(const gm_source *source, uint64_t *hash, gm_error *error); /* NULL: hash 0 */
    void (*close)(gm_source *source);
} gm_source_operations;

/* The first member of each source's own struct. */
struct gm_source {
    const gm_source_operations *operations;
    const gm_live_operations *live; /* NULL: no kernel communicates */
    const char *name;               /* as the user wrote it */
    gm_opcode_table opcodes;        /* grows while instructions are delivered */
    bool has_clusters; /* of the kernels so far, one has clusters of more than one CTA */
};

/* Reads the next command. Returns 1; 0 if the input has ended; a negative errno value for bad
 * input. CTAs of the last kernel that were not requested are skipped, but checked. */
static inline int gm_source_next_command(gm_source *source, gm_command *command, gm_error *error)
{
    return source->operations->next_command(source, command, error);
}

/* Delivers the next CTA of the last kernel, in ascending linear id (x fastest). Returns 1; 0 if the
 * kernel has no more; a negative errno value for bad input or the sink's failure. Tracers omit a
 * CTA without records, so ids may have gaps. */
static inline int gm_source_next_cta(gm_source *source, const gm_cta_sink *sink, gm_error *error)
{
    return source->operations->next_cta(source, sink, error);
}

/* Returns the progress. Another thread may call it while CTAs are delivered. */
static inline gm_progress gm_source_progress(const gm_source *source)
{
    return source->operations->progress(source);
}

/* Sets *hash to the hash of the files that the source read whole before its first command (a
 * workload's input files); reads them again. Returns 0, or the negative errno value of a file that
 * cannot be read. */
static inline int gm_source_content(const gm_source *source, uint64_t *hash, gm_error *error)
{
    *hash = 0;
    return source->operations->content == NULL ? 0
                                               : source->operations->content(source, hash, error);
}

/* Closes a source and frees it; NULL is allowed. */
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
