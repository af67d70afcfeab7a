/* Kernels in goldmem's compact form: see compact.h. Trusts nothing in the file: checks each length
 * before its use, each block's checksum, and the totals that end the file. */
#include "trace/compact.h"
#include "trace/deliver.h"
#include "trace/opcode.h"
#include "trace/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <zstd.h>

/* An opcode of the file. */
typedef struct file_opcode {
    uint16_t number; /* in the table */
    uint8_t op, space;
    bool refused; /* refused where the instruction has addresses */
} file_opcode;

struct gm_compact_reader {
    gm_input *input;
    const gm_kernel *kernel;
    gm_opcode_table *opcodes;
    ZSTD_DCtx *zstd;
    unsigned char *frame, *block;
    const unsigned char *at, *end; /* in block */
    uint64_t next_offset;          /* in the file, after what was read; input->line is the offset of
                                      the block in memory, for messages */
    file_opcode *file_opcode;      /* [GM_OPCODES] by their numbers in the file */
    uint32_t opcode_count;
    uint64_t ctas, instructions; /* so far */
    gm_cta_order order;
    bool ended;
    uint64_t addresses[GM_ADDRESSES];
};

/* Reads up to `length` bytes: fewer only at the end of the file. */
static ptrdiff_t read_bytes(gm_compact_reader *reader, unsigned char *to, size_t length,
                            gm_error *error)
{
    gm_input *input = reader->input;
    size_t held = (size_t)(input->filled - input->cursor);
    size_t done = held < length ? held : length;
    memcpy(to, input->cursor, done);
    input->cursor += done;
    while (done < length) {
        ptrdiff_t got = input->stream->read(input->stream, (char *)to + done, length - done, error);
        if (got < 0) {
            return got;
        }
        if (got == 0) {
            break;
        }
        done += (size_t)got;
    }
    reader->next_offset += done;
    return (ptrdiff_t)done;
}

static int read_exactly(gm_compact_reader *reader, void *to, size_t length, gm_error *error)
{
    ptrdiff_t got = read_bytes(reader, to, length, error);
    if (got < 0) {
        return (int)got;
    }
    return (size_t)got == length
               ? 0
               : gm_input_fail(reader->input, error, -EINVAL, "the file ends in the middle");
}

int gm_compact_reader_open(gm_compact_reader **reader, gm_input *input, const gm_kernel *kernel,
                           gm_opcode_table *opcodes, gm_error *error)
{
    gm_compact_reader *made = calloc(1, sizeof *made);
    *reader = made;
    if (made != NULL) {
        made->zstd = ZSTD_createDCtx();
        made->frame = malloc(ZSTD_compressBound(GM_COMPACT_BLOCK));
        made->block = calloc(1, GM_COMPACT_BLOCK + GM_RECORD_SLACK);
        made->file_opcode = calloc(GM_OPCODES, sizeof *made->file_opcode);
    }
    if (made == NULL || made->zstd == NULL || made->frame == NULL || made->block == NULL ||
        made->file_opcode == NULL) {
        gm_compact_reader_close(made);
        *reader = NULL;
        return gm_fail(error, -ENOMEM, "%s: out of memory", input->name);
    }
    made->input = input;
    made->kernel = kernel;
    made->opcodes = opcodes;
    made->at = made->end = made->block;
    uint32_t header = 0;
    int code = read_exactly(made, &header, sizeof header, error);
    if (code != 0) {
        gm_compact_reader_close(made);
        *reader = NULL;
        return code;
    }
    made->next_offset = header;
    return 0;
}

void gm_compact_reader_close(gm_compact_reader *reader)
{
    if (reader != NULL) {
        ZSTD_freeDCtx(reader->zstd);
        free(reader->frame);
        free(reader->block);
        free(reader->file_opcode);
        free(reader);
    }
}

static int read_block(gm_compact_reader *reader, gm_error *error)
{
    uint32_t length = 0;
    reader->input->line = reader->next_offset;
    int code = read_exactly(reader, &length, sizeof length, error);
    if (code != 0) {
        return code;
    }
    if (length > ZSTD_compressBound(GM_COMPACT_BLOCK)) {
        return gm_input_fail(reader->input, error, -EINVAL, "a block of %u bytes is too long",
                             length);
    }
    code = read_exactly(reader, reader->frame, length, error);
    if (code != 0) {
        return code;
    }
    size_t got =
        ZSTD_decompressDCtx(reader->zstd, reader->block, GM_COMPACT_BLOCK, reader->frame, length);
    if (ZSTD_isError(got)) {
        return gm_input_fail(reader->input, error, -EINVAL, "a block is damaged: %s",
                             ZSTD_getErrorName(got));
    }
    reader->at = reader->block;
    reader->end = reader->block + got;
    return 0;
}

/* Copies the next bytes of the block. */
static int take(gm_compact_reader *reader, void *to, size_t length, gm_error *error)
{
    if ((size_t)(reader->end - reader->at) < length) {
        return gm_input_fail(reader->input, error, -EINVAL,
                             "an item goes past the end of its block");
    }
    memcpy(to, reader->at, length);
    reader->at += length;
    return 0;
}

static int take_opcode(gm_compact_reader *reader, gm_error *error)
{
    uint8_t length = 0;
    char text[GM_OPCODE_TEXT] = {0};
    int code = take(reader, &length, sizeof length, error);
    if (code != 0) {
        return code;
    }
    if (length == 0 || length >= GM_OPCODE_TEXT || reader->opcode_count == GM_OPCODES) {
        return gm_input_fail(reader->input, error, -EINVAL, "opcode %u: a text of %u bytes (1..%d)",
                             reader->opcode_count, length, GM_OPCODE_TEXT - 1);
    }
    code = take(reader, text, length, error);
    if (code != 0) {
        return code;
    }
    for (unsigned k = 0; k < length; k++) {
        if (text[k] <= ' ' || text[k] > '~') {
            return gm_input_fail(reader->input, error, -EINVAL, "opcode %u: not a printable text",
                                 reader->opcode_count);
        }
    }
    gm_error reason;
    int number = gm_opcode_number(reader->opcodes, text, length, &reason);
    if (number < 0) {
        return gm_input_fail(reader->input, error, -EINVAL, "%s", reason.text);
    }
    const gm_opcode *opcode = &reader->opcodes->opcodes[number];
    bool blind =
        gm_opcode_is_blind(gm_opcode_entry_of(reader->opcodes, number), reader->kernel->version);
    reader->file_opcode[reader->opcode_count++] = (file_opcode){
        .number = (uint16_t)number,
        .op = (uint8_t)(blind ? GM_OP_UNMODELLED : opcode->op),
        .space = (uint8_t)(blind ? GM_SPACE_NONE : opcode->space),
        .refused = !opcode->addresses && !reader->opcodes->ignore_unknown,
    };
    return 0;
}

static int begin_cta(gm_compact_reader *reader, const gm_cta_sink *sink, gm_error *error)
{
    uint32_t cta[3] = {0};
    int code = take(reader, cta, sizeof cta, error);
    if (code == 0) {
        const uint64_t wide[3] = {cta[0], cta[1], cta[2]};
        code = gm_cta_order_begin(&reader->order, reader->kernel, wide, reader->input, error);
    }
    reader->ctas++;
    return code != 0 ? code : sink->begin_cta(sink->context, cta, error);
}

static int begin_warp(gm_compact_reader *reader, const gm_cta_sink *sink, gm_error *error)
{
    uint32_t warp = 0;
    int code = take(reader, &warp, sizeof warp, error);
    if (code == 0) {
        code = gm_cta_order_warp(&reader->order, reader->kernel, warp, reader->input, error);
    }
    return code != 0 ? code : sink->begin_warp(sink->context, warp, error);
}

static int refuse_unknown(const gm_compact_reader *reader, uint16_t number, gm_error *error)
{
    char reason[160];
    gm_opcode_unknown_text(&reader->opcodes->opcodes[number], reason, sizeof reason);
    return gm_input_fail(reader->input, error, -EINVAL, "%s", reason);
}

static int take_run(gm_compact_reader *reader, const gm_cta_sink *sink, gm_error *error)
{
    uint32_t count = 0;
    int code = take(reader, &count, sizeof count, error);
    if (code == 0 && reader->order.next_warp == 0) {
        code = gm_input_fail(reader->input, error, -EINVAL, "instructions before the first warp");
    }
    for (uint32_t k = 0; code == 0 && k < count; k++) {
        size_t length =
            gm_record_length(reader->at, (size_t)(reader->end - reader->at), reader->opcode_count);
        if (length == 0) {
            return gm_input_fail(reader->input, error, -EINVAL,
                                 "instruction %u of %u of a run is malformed", k + 1, count);
        }
        gm_instruction instruction;
        gm_record_decode(reader->at, &instruction, reader->addresses);
        const file_opcode *opcode = &reader->file_opcode[instruction.opcode];
        instruction.opcode = opcode->number;
        instruction.line = 0;
        if (opcode->refused && instruction.width != 0) {
            return refuse_unknown(reader, opcode->number, error);
        }
        instruction.op = opcode->op;
        instruction.space = opcode->space;
        code = sink->instruction(sink->context, &instruction, error);
        reader->at += length;
        reader->instructions++;
    }
    return code;
}

/* Reads the totals. Requires that nothing follows them. */
static int take_end(gm_compact_reader *reader, gm_error *error)
{
    uint64_t totals[2] = {0};
    unsigned char more = 0;
    int code = take(reader, totals, sizeof totals, error);
    if (code != 0) {
        return code;
    }
    if (totals[0] != reader->ctas || totals[1] != reader->instructions) {
        return gm_input_fail(reader->input, error, -EINVAL,
                             "the file holds %" PRIu64 " thread blocks and %" PRIu64
                             " instructions, not %" PRIu64 " and %" PRIu64 " as it says",
                             reader->ctas, reader->instructions, totals[0], totals[1]);
    }
    ptrdiff_t got = read_bytes(reader, &more, 1, error);
    if (got < 0) {
        return (int)got;
    }
    if (got > 0 || reader->at < reader->end) {
        return gm_input_fail(reader->input, error, -EINVAL, "bytes after the end");
    }
    reader->ended = true;
    return 0;
}

/* Reads the next item's kind, from the next block where this one has ended. */
static int take_item(gm_compact_reader *reader, uint8_t *item, gm_error *error)
{
    while (reader->at == reader->end) {
        int code = read_block(reader, error);
        if (code != 0) {
            return code;
        }
    }
    return take(reader, item, 1, error);
}

/* Reads the CTA's items up to END_CTA. */
static int read_cta(gm_compact_reader *reader, const gm_cta_sink *sink, gm_error *error)
{
    int code = begin_cta(reader, sink, error);
    while (code == 0) {
        uint8_t item = 0;
        code = take_item(reader, &item, error);
        if (code != 0) {
            return code;
        }
        if (item == GM_COMPACT_RUN) {
            code = take_run(reader, sink, error);
        } else if (item == GM_COMPACT_WARP) {
            code = begin_warp(reader, sink, error);
        } else if (item == GM_COMPACT_OPCODE) {
            code = take_opcode(reader, error);
        } else if (item == GM_COMPACT_END_CTA) {
            return sink->end_cta(sink->context, error);
        } else {
            return gm_input_fail(reader->input, error, -EINVAL, "item %u inside a thread block",
                                 item);
        }
    }
    return code;
}

int gm_compact_reader_next_cta(gm_compact_reader *reader, const gm_cta_sink *sink, gm_error *error)
{
    if (reader->ended) {
        return 0;
    }
    uint8_t item = 0;
    int code = take_item(reader, &item, error);
    if (code != 0) {
        return code;
    }
    if (item == GM_COMPACT_END) {
        return take_end(reader, error);
    }
    if (item != GM_COMPACT_CTA) {
        return gm_input_fail(reader->input, error, -EINVAL, "item %u outside a thread block", item);
    }
    code = read_cta(reader, sink, error);
    return code != 0 ? code : 1;
}
