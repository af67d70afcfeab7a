/* Trace writer: takes the CTAs of a source in order, holds back one warp at a time (its number of
 * instructions precedes them in the file) and writes it through a kernel writer. */
#include "goldmem/trace_writer.h"

#include "trace/held_warp.h"
#include "trace/kernel_writer.h"
#include "trace/new_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HELD = 4 << 20, /* bytes of a warp in memory; a longer one goes to a temporary file */
    PROGRESS_PERIOD = 1 << 16, /* instructions, some milliseconds; a CTA may have billions */
};

typedef struct writing {
    const gm_trace_write_options *options;
    const gm_source *source;
    gm_new_folder folder;
    gm_packer list;
    gm_kernel_writer kernel;
    const gm_kernel_writer_operations *operations;
    gm_warp_store *store;
    gm_warp_stream warp;
    bool has_warp;   /* `warp` belongs to kernel.warp */
    bool has_cta;    /* the CTA's beginning is written */
    uint32_t *empty; /* warps without instructions, before the first with some */
    uint32_t empties;
    uint64_t instructions; /* taken, and written */
    uint64_t addresses[GM_ADDRESSES];
} writing;

static int tell_progress(const writing *writing, gm_error *error)
{
    const gm_trace_write_options *options = writing->options;
    return options->progress == NULL
               ? 0
               : options->progress(options->context, gm_source_progress(writing->source), error);
}

static int count_instruction(writing *writing, gm_error *error)
{
    return ++writing->instructions % PROGRESS_PERIOD == 0 ? tell_progress(writing, error) : 0;
}

static int begin_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)error;
    writing *writing = context;
    memcpy(writing->kernel.cta, cta, sizeof writing->kernel.cta);
    writing->has_cta = false;
    writing->has_warp = false;
    writing->empties = 0;
    return 0;
}

static int begin_file_cta(writing *writing, gm_error *error)
{
    uint32_t warp = writing->kernel.warp;
    int code = writing->operations->begin_cta(&writing->kernel, error);
    for (uint32_t k = 0; code == 0 && k < writing->empties; k++) {
        writing->kernel.warp = writing->empty[k];
        code = writing->operations->begin_warp(&writing->kernel, 0, error);
    }
    writing->kernel.warp = warp;
    writing->has_cta = true;
    return code;
}

/* Writes the warp that was held back. */
static int finish_warp(writing *writing, gm_error *error)
{
    if (!writing->has_warp) {
        return 0;
    }
    writing->has_warp = false;
    if (!writing->has_cta && writing->warp.count == 0) {
        writing->empty[writing->empties++] = writing->kernel.warp;
        return 0;
    }
    int code = writing->has_cta ? 0 : begin_file_cta(writing, error);
    if (code == 0) {
        code = writing->operations->begin_warp(&writing->kernel, writing->warp.count, error);
    }
    while (code == 0) {
        gm_instruction instruction;
        int taken = gm_held_warp_take(writing->store, &writing->warp, &instruction,
                                      writing->addresses, error);
        if (taken <= 0) {
            return taken;
        }
        code = writing->operations->instruction(&writing->kernel, &instruction, error);
        code = code != 0 ? code : count_instruction(writing, error);
    }
    return code;
}

static int begin_warp(void *context, uint32_t warp, gm_error *error)
{
    writing *writing = context;
    int code = finish_warp(writing, error);
    writing->kernel.warp = warp;
    writing->has_warp = true;
    return code;
}

static int hold(void *context, const gm_instruction *instruction, gm_error *error)
{
    writing *writing = context;
    int code = gm_held_warp_append(writing->store, &writing->warp, instruction, error);
    return code != 0 ? code : count_instruction(writing, error);
}

static int end_cta(void *context, gm_error *error)
{
    writing *writing = context;
    int code = finish_warp(writing, error);
    return code == 0 && writing->has_cta ? writing->operations->end_cta(&writing->kernel, error)
                                         : code;
}

static const char *extension(const gm_trace_write_options *options)
{
    static const char *const packed[] = {
        [GM_PACKING_NONE] = ".traceg",
        [GM_PACKING_XZ] = ".traceg.xz",
        [GM_PACKING_GZIP] = ".traceg.gz",
        [GM_PACKING_ZSTD] = ".traceg.zst",
    };
    return options->form == GM_TRACE_COMPACT ? ".gmt" : packed[options->packing];
}

/* Creates the kernel's file and names it in the list. Ids may repeat, since each context numbers
 * its own kernels. */
static int open_kernel(writing *writing, const gm_kernel *kernel, gm_error *error)
{
    const gm_trace_write_options *options = writing->options;
    gm_trace_packing packing =
        options->form == GM_TRACE_COMPACT ? GM_PACKING_NONE : options->packing;
    int code = -EEXIST;
    char name[64];
    for (unsigned repeat = 0; code == -EEXIST; repeat++) {
        char suffix[16] = "";
        if (repeat > 0) {
            snprintf(suffix, sizeof suffix, "-%u", repeat + 1);
        }
        snprintf(name, sizeof name, "kernel-%" PRIu64 "%s%s", kernel->id, suffix,
                 extension(options));
        gm_packer_discard(&writing->kernel.packer);
        char shown[512];
        snprintf(shown, sizeof shown, "%s/%s", writing->folder.path, name);
        code = gm_packer_open(&writing->kernel.packer, writing->folder.descriptor, name, shown,
                              packing, error);
    }
    if (code != 0) {
        return code;
    }
    code = gm_packer_write(&writing->list, name, strlen(name), error);
    return code != 0 ? code : gm_packer_write(&writing->list, "\n", 1, error);
}

static int write_ctas(writing *writing, gm_source *source, gm_error *error)
{
    const gm_cta_sink sink = {writing, begin_cta, begin_warp, hold, end_cta};
    for (;;) {
        int code = gm_source_next_cta(source, &sink, error);
        if (code <= 0) {
            return code;
        }
        code = tell_progress(writing, error);
        if (code != 0) {
            return code;
        }
    }
}

static int write_kernel(writing *writing, gm_source *source, const gm_kernel *kernel,
                        gm_error *error)
{
    int code = open_kernel(writing, kernel, error);
    if (code != 0) {
        return code;
    }
    uint32_t *larger = realloc(writing->empty, gm_kernel_warps(kernel) * sizeof *larger);
    if (larger == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", writing->folder.path);
    }
    writing->empty = larger;
    code = writing->operations->begin_kernel(&writing->kernel, kernel, error);
    if (code == 0) {
        code = write_ctas(writing, source, error);
    }
    int ended = writing->operations->end_kernel(&writing->kernel, code == 0, error);
    code = code != 0 ? code : ended;
    return code != 0 ? code : gm_packer_finish(&writing->kernel.packer, error);
}

static int write_copy(writing *writing, const gm_command *command, gm_error *error)
{
    char line[64];
    int length = snprintf(line, sizeof line, "MemcpyHtoD,0x%016" PRIx64 ",%" PRIu64 "\n",
                          command->address, command->bytes);
    return gm_packer_write(&writing->list, line, (size_t)length, error);
}

static int write_commands(writing *writing, gm_source *source, gm_error *error)
{
    for (;;) {
        gm_command command;
        int code = gm_source_next_command(source, &command, error);
        if (code <= 0) {
            return code;
        }
        switch (command.kind) {
        case GM_COMMAND_COPY:
            code = write_copy(writing, &command, error);
            break;
        case GM_COMMAND_KERNEL:
            code = write_kernel(writing, source, command.kernel, error);
            break;
        }
        if (code != 0) {
            return code;
        }
    }
}

static int write_folder(writing *writing, gm_source *source, gm_error *error)
{
    int code = gm_packer_open(&writing->list, writing->folder.descriptor, "kernelslist.g",
                              writing->folder.path, GM_PACKING_NONE, error);
    if (code == 0) {
        code = gm_warp_store_create(&writing->store, HELD, error);
    }
    if (code == 0) {
        code = write_commands(writing, source, error);
    }
    return code != 0 ? code : gm_packer_finish(&writing->list, error);
}

int gm_trace_write(gm_source *source, const char *folder, const gm_trace_write_options *options,
                   gm_error *error)
{
    writing writing = {
        .options = options,
        .source = source,
        .kernel = {.form = options->form, .opcodes = &source->opcodes},
        .operations = options->form == GM_TRACE_COMPACT ? &gm_binary_writer : &gm_text_writer,
    };
    int code = gm_new_folder_open(&writing.folder, folder, error);
    if (code != 0) {
        return code;
    }
    code = write_folder(&writing, source, error);
    gm_packer_discard(&writing.list);
    gm_packer_discard(&writing.kernel.packer);
    if (writing.store != NULL) {
        gm_warp_store_drop(writing.store, &writing.warp);
        gm_warp_store_free(writing.store);
    }
    free(writing.empty);
    if (code == 0) {
        return gm_new_folder_commit(&writing.folder, error);
    }
    gm_new_folder_discard(&writing.folder);
    return code;
}
