/* Kernels as text, byte for byte as Accel-Sim's tracer and post-processor write them
 * (util/tracer_nvbit: tracer_tool.cu, post-traces-processing.cpp; versions 1.2 to 5). */
#include "goldmem/bits.h"
#include "trace/kernel_writer.h"
#include "trace/opcode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 2048 }; /* longest line: 32 addresses of 20 characters, and what precedes them */

static const char *const columns[] = {
    [GM_TRACE_1_2] = "threadblock_x threadblock_y threadblock_z warpid_tb PC mask dest_num "
                     "[reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] "
                     "[mem_addresses]",
    [GM_TRACE_3] = "threadblock_x threadblock_y threadblock_z warpid_tb PC mask dest_num "
                   "[reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] "
                   "[mem_addresses]",
    [GM_TRACE_4] = "[line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
                   "[adrrescompress?] [mem_addresses]",
    [GM_TRACE_4_IMMEDIATE] = "[line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
                             "mem_width [adrrescompress?] [mem_addresses] immediate",
    [GM_TRACE_5] = "[line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
                   "[adrrescompress?] [mem_addresses] immediate",
    [GM_TRACE_COMPACT] = "goldmem compact 1",
};

static const char *const versions[] = {
    [GM_TRACE_1_2] = "1.2",       [GM_TRACE_3] = "3", [GM_TRACE_4] = "4",
    [GM_TRACE_4_IMMEDIATE] = "4", [GM_TRACE_5] = "5",
};

int gm_text_write_header(gm_kernel_writer *writer, const gm_kernel *kernel, gm_error *error)
{
    bool compact = writer->form == GM_TRACE_COMPACT;
    const char *version = compact ? kernel->tracer_version : versions[writer->form];
    char text[GM_KERNEL_NAME + 1024];
    int length =
        snprintf(text, sizeof text,
                 "-kernel name = %s\n-kernel id = %" PRIu64 "\n-grid dim = (%u,%u,%u)\n"
                 "-block dim = (%u,%u,%u)\n-shmem = %u\n-nregs = %u\n-binary version = %u\n"
                 "-cuda stream id = %" PRIu64 "\n-shmem base_addr = 0x%016" PRIx64
                 "\n-local mem base_addr = 0x%016" PRIx64 "\n",
                 kernel->name, kernel->id, kernel->grid[0], kernel->grid[1], kernel->grid[2],
                 kernel->block[0], kernel->block[1], kernel->block[2], kernel->shared_bytes,
                 kernel->registers, kernel->binary_version, kernel->stream, kernel->shared_base,
                 kernel->local_base);
    if (kernel->nvbit_version[0] != '\0') {
        length += snprintf(text + length, sizeof text - (size_t)length, "-nvbit version = %s\n",
                           kernel->nvbit_version);
    }
    if (version[0] != '\0') {
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "-accelsim tracer version = %s\n", version);
    }
    if (writer->form >= GM_TRACE_4 && !compact) {
        length += snprintf(text + length, sizeof text - (size_t)length, "-enable lineinfo = 0\n");
    }
    length += snprintf(text + length, sizeof text - (size_t)length, "\n#traces format = %s%s\n",
                       columns[writer->form], compact && kernel->has_immediate ? " immediate" : "");
    return gm_packer_write(&writer->packer, text, (size_t)length, error);
}

static int write_format(gm_kernel_writer *writer, gm_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int write_format(gm_kernel_writer *writer, gm_error *error, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return gm_packer_write(&writer->packer, text, (size_t)length, error);
}

static int begin_kernel(gm_kernel_writer *writer, const gm_kernel *kernel, gm_error *error)
{
    int code = gm_text_write_header(writer, kernel, error);
    return code != 0 ? code : gm_packer_write(&writer->packer, "\n\n", 2, error);
}

static int begin_cta(gm_kernel_writer *writer, gm_error *error)
{
    return write_format(writer, error, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", writer->cta[0],
                        writer->cta[1], writer->cta[2]);
}

static int begin_warp(gm_kernel_writer *writer, uint64_t count, gm_error *error)
{
    return write_format(writer, error, "\nwarp = %u\ninsts = %" PRIu64 "\n", writer->warp, count);
}

static int end_cta(gm_kernel_writer *writer, gm_error *error)
{
    return gm_packer_write(&writer->packer, "\n#END_TB\n", 9, error);
}

static int end_kernel(gm_kernel_writer *writer __attribute__((unused)),
                      bool complete __attribute__((unused)),
                      gm_error *error __attribute__((unused)))
{
    return 0;
}

/* Writes a hexadecimal number of at least `digits` digits. */
static char *put_hex(char *at, uint64_t value, unsigned digits)
{
    unsigned needed = value == 0 ? 1 : gm_log2_floor(value) / 4 + 1;
    unsigned count = needed > digits ? needed : digits;
    for (unsigned k = count; k-- > 0; value >>= 4) {
        at[k] = "0123456789abcdef"[value & 15];
    }
    return at + count;
}

static char *put_address(char *at, uint64_t address, unsigned digits)
{
    *at++ = '0';
    *at++ = 'x';
    return put_hex(at, address, digits);
}

static char *put_unsigned(char *at, uint64_t value)
{
    char digits[20];
    unsigned count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (count > 0) {
        *at++ = digits[--count];
    }
    return at;
}

static char *put_signed(char *at, int64_t value)
{
    if (value < 0) {
        *at++ = '-';
        return put_unsigned(at, 0 - (uint64_t)value);
    }
    return put_unsigned(at, (uint64_t)value);
}

/* Writes the number of registers and their names. These versions can name only R0..R255. */
static char *put_registers(char *at, const uint16_t *registers, unsigned count)
{
    unsigned general = 0;
    for (unsigned k = 0; k < count; k++) {
        general += registers[k] < 256;
    }
    at = put_unsigned(at, general);
    *at++ = ' ';
    for (unsigned k = 0; k < count; k++) {
        if (registers[k] < 256) {
            *at++ = 'R';
            at = put_unsigned(at, registers[k]);
            *at++ = ' ';
        }
    }
    return at;
}

/* True for mode 1: the active lanes are one run of at least two, and their stride is constant and
 * fits an int. The rule is base_stride_compress of the tracer. */
static bool is_strided(const gm_instruction *instruction, int64_t *stride)
{
    uint64_t mask = instruction->mask;
    uint64_t run = mask >> gm_lowest_one(mask);
    if (instruction->addresses < 2 || (run & (run + 1)) != 0) {
        return false;
    }
    uint64_t before = gm_instruction_address(instruction, 0);
    uint64_t first = gm_instruction_address(instruction, 1) - before;
    for (unsigned k = 1; k < instruction->addresses; k++) {
        uint64_t address = gm_instruction_address(instruction, k);
        if (address - before != first) {
            return false;
        }
        before = address;
    }
    *stride = (int64_t)first;
    return *stride == (int32_t)*stride;
}

static char *put_addresses(char *at, const gm_instruction *instruction, gm_trace_form form)
{
    unsigned digits = form == GM_TRACE_1_2 ? 16 : 1;
    int64_t stride = 0;
    bool strided = instruction->addresses == 0 || is_strided(instruction, &stride);
    uint64_t before = instruction->addresses == 0 ? 0 : gm_instruction_address(instruction, 0);
    at = put_unsigned(at, strided ? 1 : form == GM_TRACE_1_2 ? 0 : 2);
    *at++ = ' ';
    at = put_address(at, before, digits);
    *at++ = ' ';
    if (strided) {
        at = put_signed(at, stride);
        *at++ = ' ';
        return at;
    }
    for (unsigned k = 1; k < instruction->addresses; k++) {
        uint64_t address = gm_instruction_address(instruction, k);
        if (form == GM_TRACE_1_2) {
            at = put_address(at, address, digits);
        } else {
            at = put_signed(at, (int64_t)(address - before));
        }
        *at++ = ' ';
        before = address;
    }
    return at;
}

/* Returns the width that the tracer would write. The tracer derives it from the opcode's text,
 * sometimes wrongly; the reader corrects it. */
static unsigned written_width(const gm_instruction *instruction, const char *text)
{
    unsigned written = gm_opcode_written_width(text);
    return instruction->width == gm_opcode_true_width(text) && written != 0 ? written
                                                                            : instruction->width;
}

static char *put_memory(char *at, const gm_instruction *instruction, const char *text,
                        gm_trace_form form)
{
    if (instruction->width == 0) {
        *at++ = '0';
        *at++ = ' ';
        return at;
    }
    at = put_unsigned(at, written_width(instruction, text));
    *at++ = ' ';
    return put_addresses(at, instruction, form);
}

static int put_instruction(gm_kernel_writer *writer, const gm_instruction *instruction,
                           gm_error *error)
{
    const gm_opcode *opcode = &writer->opcodes->opcodes[instruction->opcode];
    if (instruction->width != 0 && instruction->addresses != gm_count_ones(instruction->mask)) {
        return gm_fail(error, -EINVAL,
                       "%s: %s at pc 0x%" PRIx64
                       " has %u addresses for %u active lanes, which only "
                       "the compact form can hold",
                       writer->packer.name, opcode->text, instruction->pc, instruction->addresses,
                       gm_count_ones(instruction->mask));
    }
    unsigned char *room = NULL;
    int code = gm_packer_room(&writer->packer, LINE, &room, error);
    if (code != 0) {
        return code;
    }
    char *line = (char *)room;
    char *at = line;
    if (writer->form == GM_TRACE_1_2) {
        for (unsigned k = 0; k < 3; k++) {
            at = put_unsigned(at, writer->cta[k]);
            *at++ = ' ';
        }
        at = put_unsigned(at, writer->warp);
        *at++ = ' ';
    }
    at = put_hex(at, instruction->pc, 4);
    *at++ = ' ';
    at = put_hex(at, instruction->mask, 8);
    *at++ = ' ';
    at = put_registers(at, instruction->destination, instruction->destinations);
    size_t length = strlen(opcode->text);
    memcpy(at, opcode->text, length);
    at += length;
    *at++ = ' ';
    at = put_registers(at, instruction->source, instruction->sources);
    at = put_memory(at, instruction, opcode->text, writer->form);
    if (writer->form >= GM_TRACE_4_IMMEDIATE) {
        at = put_signed(at, instruction->immediate);
        *at++ = ' ';
    }
    *at++ = '\n';
    gm_packer_add(&writer->packer, (size_t)(at - line));
    return 0;
}

const gm_kernel_writer_operations gm_text_writer = {
    begin_kernel, begin_cta, begin_warp, put_instruction, end_cta, end_kernel,
};
