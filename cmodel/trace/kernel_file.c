/* Kernel file: header and body in the form that its content has. */
#include "trace/kernel_file.h"

#include "trace/compact.h"
#include "trace/grouped.h"
#include "trace/header.h"
#include "trace/raw.h"
#include "trace/tracez.h"

#include <errno.h>
#include <stdlib.h>

typedef enum form { FORM_GROUPED, FORM_RAW, FORM_BINARY, FORM_COMPACT } form;

struct gm_kernel_file {
    form form;
    gm_kernel kernel;
    gm_input input;
    gm_cta_order order;
    gm_line_parser parser;
    gm_raw *raw;
    gm_tracez *tracez;
    gm_compact_reader *compact;
};

/* Opens a text form: the first line of the body tells raw from grouped. */
static int open_text(gm_kernel_file *file, const char *path, gm_opcode_table *opcodes,
                     gm_byte_count *count, gm_error *error)
{
    int code = gm_input_open_file(&file->input, path, count, error);
    if (code < 0 || (code = gm_header_read(&file->input, &file->kernel, error)) < 0) {
        return code;
    }
    bool may_be_empty = code > 0;
    gm_text text;
    code = gm_input_peek(&file->input, &text, error);
    if (code < 0) {
        return code;
    }
    /* A kernel without recorded thread blocks is a header alone, which must be complete. */
    if (code == 0 && (!may_be_empty || file->input.cut)) {
        return gm_input_fail(&file->input, error, -EINVAL,
                             "the file ends before any #BEGIN_TB, inside its header");
    }
    if (code > 0 && *text.start >= '0' && *text.start <= '9') {
        file->form = FORM_RAW;
        return gm_raw_open(&file->raw, &file->input, &file->kernel, GM_RAW_MEMORY, error);
    }
    if (code > 0 && gm_text_starts(text, GM_COMPACT_LINE)) {
        file->form = FORM_COMPACT;
        gm_input_advance(&file->input);
        return gm_compact_reader_open(&file->compact, &file->input, &file->kernel, opcodes, error);
    }
    file->form = FORM_GROUPED;
    return 0;
}

int gm_kernel_file_open(gm_kernel_file **file, const char *path, gm_opcode_table *opcodes,
                        gm_byte_count *count, gm_error *error)
{
    gm_kernel_file *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", path);
    }
    int code = gm_tracez_open(&made->tracez, path, &made->kernel, count, error);
    if (code > 0) {
        made->form = FORM_BINARY;
    } else if (code == 0) {
        code = open_text(made, path, opcodes, count, error);
    }
    if (code < 0) {
        gm_kernel_file_close(made);
        return code;
    }
    gm_line_parser_start(&made->parser, &made->kernel, opcodes);
    *file = made;
    return 0;
}

const gm_kernel *gm_kernel_file_header(const gm_kernel_file *file)
{
    return &file->kernel;
}

bool gm_kernel_file_has_clusters(const gm_kernel_file *file)
{
    return file->kernel.has_clusters || file->parser.has_clusters;
}

int gm_kernel_file_next_cta(gm_kernel_file *file, const gm_cta_sink *sink, gm_error *error)
{
    switch (file->form) {
    case FORM_GROUPED:
        return gm_grouped_next_cta(&file->input, &file->kernel, &file->order, &file->parser, sink,
                                   error);
    case FORM_RAW:
        return gm_raw_next_cta(file->raw, &file->parser, sink, error);
    case FORM_BINARY:
        return gm_tracez_next_cta(file->tracez, &file->kernel, &file->order, &file->parser, sink,
                                  error);
    case FORM_COMPACT:
        return gm_compact_reader_next_cta(file->compact, sink, error);
    }
    return -EINVAL;
}

void gm_kernel_file_close(gm_kernel_file *file)
{
    if (file != NULL) {
        gm_raw_close(file->raw);
        gm_tracez_close(file->tracez);
        gm_compact_reader_close(file->compact);
        gm_input_close(&file->input);
        free(file);
    }
}
