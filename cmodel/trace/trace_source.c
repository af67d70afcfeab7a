/* Accel-Sim traces as a gm_source. */
#include "goldmem/trace.h"

#include "trace/kernel_file.h"
#include "trace/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct trace_source {
    gm_source base;
    char *name;
    gm_list *list;
    gm_kernel_file *kernel; /* the last command, if it was a kernel */
    int failure;            /* negative errno value of the bad input that ended the source */
    uint64_t total;         /* bytes of all kernel files */
    gm_byte_count done;     /* bytes read of `total` */
} trace_source;

static int pass_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)context;
    (void)cta;
    (void)error;
    return 0;
}

static int pass_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)context;
    (void)warp;
    (void)error;
    return 0;
}

static int pass_instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)context;
    (void)instruction;
    (void)error;
    return 0;
}

static int pass_end(void *context, gm_error *error)
{
    (void)context;
    (void)error;
    return 0;
}

static int next_cta(gm_source *base, const gm_cta_sink *sink, gm_error *error)
{
    trace_source *source = (trace_source *)base;
    if (source->failure < 0) {
        return gm_fail(error, source->failure, "%s: reading has failed before", source->name);
    }
    if (source->kernel == NULL) {
        return 0;
    }
    int code = gm_kernel_file_next_cta(source->kernel, sink, error);
    source->failure = code < 0 ? code : 0;
    base->has_clusters |= gm_kernel_file_has_clusters(source->kernel);
    return code;
}

/* Reads and checks the CTAs of a kernel that were not taken. */
static int skip_rest(trace_source *source, gm_error *error)
{
    static const gm_cta_sink nowhere = {NULL, pass_cta, pass_warp, pass_instruction, pass_end};
    int code;
    do {
        code = next_cta(&source->base, &nowhere, error);
    } while (code > 0);
    gm_kernel_file_close(source->kernel);
    source->kernel = NULL;
    return code;
}

static int next_command(gm_source *base, gm_command *command, gm_error *error)
{
    trace_source *source = (trace_source *)base;
    gm_list_entry entry = {.kind = GM_COMMAND_COPY};
    int code = skip_rest(source, error);
    if (code == 0) {
        code = gm_list_next(source->list, &entry, error);
    }
    if (code <= 0) {
        source->failure = code;
        return code;
    }
    *command = (gm_command){.kind = entry.kind, .address = entry.address, .bytes = entry.bytes};
    if (entry.kind == GM_COMMAND_KERNEL) {
        code =
            gm_kernel_file_open(&source->kernel, entry.path, &base->opcodes, &source->done, error);
        if (code < 0) {
            source->failure = code;
            return code;
        }
        command->kernel = gm_kernel_file_header(source->kernel);
    }
    return 1;
}

static gm_progress progress(const gm_source *base)
{
    const trace_source *source = (const trace_source *)base;
    uint64_t done = atomic_load_explicit(&source->done, memory_order_relaxed);
    return (gm_progress){.done = done, .total = source->total};
}

static void close_source(gm_source *base)
{
    trace_source *source = (trace_source *)base;
    gm_kernel_file_close(source->kernel);
    gm_list_close(source->list);
    gm_opcode_table_free(&base->opcodes);
    free(source->name);
    free(source);
}

int gm_trace_open(gm_source **source, const char *path, gm_error *error)
{
    static const gm_source_operations operations = {next_command, next_cta, progress, NULL,
                                                    close_source};
    trace_source *made = calloc(1, sizeof *made);
    if (made == NULL || (made->name = strdup(path)) == NULL) {
        free(made);
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    made->base.operations = &operations;
    made->base.name = made->name;
    int code = gm_list_open(&made->list, path, &made->total, error);
    if (code < 0) {
        close_source(&made->base);
        return code;
    }
    *source = &made->base;
    return 0;
}
