/* Kernels in goldmem's compact form: see compact.h. */
#include "trace/compact.h"
#include "trace/kernel_writer.h"
#include "trace/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LEVEL = 3, ITEM = 1 + GM_OPCODE_TEXT + 64 /* largest item without records */ };

typedef struct gm_compact {
    ZSTD_CCtx *zstd;
    unsigned char *block, *frame;
    size_t used;        /* bytes of block */
    size_t run;         /* offset in the block of the open run's record count; 0: none */
    uint32_t run_count; /* records in the open run */
    uint16_t *numbers;  /* the source's opcode number to the file's, + 1 */
    uint32_t opcodes;   /* in the file so far */
    uint64_t ctas, instructions;
} gm_compact;

static void free_compact(gm_compact *compact)
{
    if (compact != NULL) {
        ZSTD_freeCCtx(compact->zstd);
        free(compact->block);
        free(compact->frame);
        free(compact->numbers);
        free(compact);
    }
}

static int begin_kernel(gm_kernel_writer *writer, const gm_kernel *kernel, gm_error *error)
{
    gm_compact *compact = calloc(1, sizeof *compact);
    writer->compact = compact;
    if (compact != NULL) {
        compact->zstd = ZSTD_createCCtx();
        compact->block = malloc(GM_COMPACT_BLOCK);
        compact->frame = malloc(ZSTD_compressBound(GM_COMPACT_BLOCK));
        compact->numbers = calloc(GM_OPCODES + 1, sizeof *compact->numbers);
    }
    if (compact == NULL || compact->zstd == NULL || compact->block == NULL ||
        compact->frame == NULL || compact->numbers == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", writer->packer.name);
    }
    ZSTD_CCtx_setParameter(compact->zstd, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(compact->zstd, ZSTD_c_checksumFlag, 1);
    size_t before = writer->packer.used;
    int code = gm_text_write_header(writer, kernel, error);
    if (code == 0) {
        code =
            gm_packer_write(&writer->packer, GM_COMPACT_LINE "\n", sizeof GM_COMPACT_LINE, error);
    }
    uint32_t length = (uint32_t)(writer->packer.used - before + sizeof length);
    return code != 0 ? code : gm_packer_write(&writer->packer, &length, sizeof length, error);
}

static void end_run(gm_compact *compact)
{
    if (compact->run != 0) {
        memcpy(compact->block + compact->run, &compact->run_count, sizeof compact->run_count);
        compact->run = 0;
        compact->run_count = 0;
    }
}

static int write_block(gm_kernel_writer *writer, gm_error *error)
{
    gm_compact *compact = writer->compact;
    end_run(compact);
    size_t length =
        ZSTD_compress2(compact->zstd, compact->frame, ZSTD_compressBound(GM_COMPACT_BLOCK),
                       compact->block, compact->used);
    if (ZSTD_isError(length)) {
        return gm_fail(error, -EIO, "%s: cannot compress: %s", writer->packer.name,
                       ZSTD_getErrorName(length));
    }
    uint32_t stored = (uint32_t)length;
    compact->used = 0;
    int code = gm_packer_write(&writer->packer, &stored, sizeof stored, error);
    return code != 0 ? code : gm_packer_write(&writer->packer, compact->frame, length, error);
}

/* Makes room in the block. */
static int reserve(gm_kernel_writer *writer, size_t length, gm_error *error)
{
    return writer->compact->used + length > GM_COMPACT_BLOCK ? write_block(writer, error) : 0;
}

static int put_item(gm_kernel_writer *writer, gm_compact_item item, const void *bytes,
                    size_t length, gm_error *error)
{
    gm_compact *compact = writer->compact;
    end_run(compact);
    int code = reserve(writer, ITEM, error);
    if (code == 0) {
        compact->block[compact->used++] = (unsigned char)item;
        memcpy(compact->block + compact->used, bytes, length);
        compact->used += length;
    }
    return code;
}

static int begin_cta(gm_kernel_writer *writer, gm_error *error)
{
    writer->compact->ctas++;
    return put_item(writer, GM_COMPACT_CTA, writer->cta, sizeof writer->cta, error);
}

static int begin_warp(gm_kernel_writer *writer, uint64_t count __attribute__((unused)),
                      gm_error *error)
{
    return put_item(writer, GM_COMPACT_WARP, &writer->warp, sizeof writer->warp, error);
}

/* Returns the file's number of an opcode; writes the OPCODE item at its first use. */
static int number_opcode(gm_kernel_writer *writer, uint16_t opcode, gm_error *error)
{
    gm_compact *compact = writer->compact;
    if (compact->numbers[opcode] == 0) {
        const char *text = writer->opcodes->opcodes[opcode].text;
        unsigned char item[1 + GM_OPCODE_TEXT];
        item[0] = (unsigned char)strlen(text);
        memcpy(item + 1, text, item[0]);
        int code = put_item(writer, GM_COMPACT_OPCODE, item, 1 + (size_t)item[0], error);
        if (code != 0) {
            return code;
        }
        compact->numbers[opcode] = (uint16_t)++compact->opcodes;
    }
    return compact->numbers[opcode] - 1;
}

static int put_instruction(gm_kernel_writer *writer, const gm_instruction *instruction,
                           gm_error *error)
{
    gm_compact *compact = writer->compact;
    int number = number_opcode(writer, instruction->opcode, error);
    if (number < 0) {
        return number;
    }
    int code = reserve(writer, ITEM + GM_RECORD_LARGEST, error);
    if (code != 0) {
        return code;
    }
    if (compact->run == 0) {
        compact->block[compact->used++] = GM_COMPACT_RUN;
        compact->run = compact->used;
        compact->used += sizeof compact->run_count;
    }
    gm_instruction renumbered = *instruction;
    renumbered.opcode = (uint16_t)number;
    compact->used += gm_record_encode(compact->block + compact->used, &renumbered);
    compact->run_count++;
    compact->instructions++;
    return 0;
}

static int end_cta(gm_kernel_writer *writer, gm_error *error)
{
    return put_item(writer, GM_COMPACT_END_CTA, "", 0, error);
}

static int end_kernel(gm_kernel_writer *writer, bool complete, gm_error *error)
{
    gm_compact *compact = writer->compact;
    int code = 0;
    if (complete) {
        uint64_t totals[2] = {compact->ctas, compact->instructions};
        code = put_item(writer, GM_COMPACT_END, totals, sizeof totals, error);
        code = code != 0 ? code : write_block(writer, error);
    }
    free_compact(compact);
    writer->compact = NULL;
    return code;
}

const gm_kernel_writer_operations gm_binary_writer = {
    begin_kernel, begin_cta, begin_warp, put_instruction, end_cta, end_kernel,
};
