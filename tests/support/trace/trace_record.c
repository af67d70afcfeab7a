#include "support/trace/trace_record.h"

#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(trace_record *record, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void append(trace_record *record, const char *format, ...)
{
    if (record->capacity - record->length < 256) {
        record->capacity = record->capacity * 2 + 4096;
        record->text = realloc(record->text, record->capacity);
        assert_non_null(record->text);
    }
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(record->text + record->length, record->capacity - record->length, format,
                           arguments);
    va_end(arguments);
    assert_in_range(length, 0, record->capacity - record->length - 1);
    record->length += (size_t)length;
}

static void append_registers(trace_record *record, const uint16_t *registers, unsigned count)
{
    static const char *const files[] = {"R", "UR", "P", "UP"};
    append(record, count == 0 ? " -" : " ");
    for (unsigned i = 0; i < count; i++) {
        append(record, "%s%s%u", i > 0 ? "," : "", files[registers[i] >> 8], registers[i] & 0xffu);
    }
}

void trace_record_instruction(trace_record *record, const gm_opcode_table *opcodes,
                              const gm_instruction *instruction)
{
    append(record, "%04llx %08x %s", (unsigned long long)instruction->pc, instruction->mask,
           opcodes->opcodes[instruction->opcode].text);
    append_registers(record, instruction->destination, instruction->destinations);
    append_registers(record, instruction->source, instruction->sources);
    append(record, " %u [", instruction->width);
    switch ((gm_address_form)instruction->form) {
    case GM_ADDRESS_NONE:
        assert_int_equal(instruction->addresses, 0);
        break;
    case GM_ADDRESS_STRIDE:
        append(record, "%llx%+lld*%u", (unsigned long long)instruction->base,
               (long long)instruction->stride, instruction->addresses);
        break;
    case GM_ADDRESS_LIST:
        for (unsigned i = 0; i < instruction->addresses; i++) {
            append(record, "%s%llx", i > 0 ? " " : "", (unsigned long long)instruction->address[i]);
        }
        break;
    }
    append(record, "] %lld\n", (long long)instruction->immediate);
}

typedef struct reading {
    trace_record *record;
    gm_source *source;
} reading;

static int begin_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)error;
    trace_record *record = ((reading *)context)->record;
    append(record, "cta %u,%u,%u\n", cta[0], cta[1], cta[2]);
    record->ctas++;
    return 0;
}

static int begin_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)error;
    trace_record *record = ((reading *)context)->record;
    append(record, "warp %u\n", warp);
    record->warps++;
    return 0;
}

static int take_instruction(void *context, const gm_instruction *instruction, gm_error *error)
{
    (void)error;
    reading *at = context;
    const gm_opcode *opcode = &at->source->opcodes.opcodes[instruction->opcode];
    assert_int_equal(instruction->op, opcode->op);
    assert_int_equal(instruction->space, opcode->space);
    at->record->instructions++;
    at->record->memory += instruction->width > 0;
    trace_record_instruction(at->record, &at->source->opcodes, instruction);
    return 0;
}

static int end_cta(void *context, gm_error *error)
{
    (void)error;
    append(((reading *)context)->record, "end\n");
    return 0;
}

int trace_record_read(trace_record *record, const char *path, int skip, gm_error *error)
{
    *record = (trace_record){.text = NULL};
    append(record, "%s", "");
    reading at = {record, NULL};
    gm_cta_sink sink = {&at, begin_cta, begin_warp, take_instruction, end_cta};
    gm_command command;
    int code = gm_trace_open(&at.source, path, error);
    while (code >= 0 && (code = gm_source_next_command(at.source, &command, error)) > 0) {
        if (command.kind == GM_COMMAND_COPY) {
            append(record, "copy %llx %llu\n", (unsigned long long)command.address,
                   (unsigned long long)command.bytes);
            continue;
        }
        const gm_kernel *kernel = command.kernel;
        append(record, "kernel %llu %.80s (%u,%u,%u) (%u,%u,%u)\n", (unsigned long long)kernel->id,
               kernel->name, kernel->grid[0], kernel->grid[1], kernel->grid[2], kernel->block[0],
               kernel->block[1], kernel->block[2]);
        record->kernels++;
        while (!skip && (code = gm_source_next_cta(at.source, &sink, error)) > 0) {
        }
    }
    gm_source_close(at.source);
    return code;
}

void trace_record_free(trace_record *record)
{
    free(record->text);
    *record = (trace_record){.text = NULL};
}

void trace_pack(const char *from, const char *to)
{
    const char *dot = strrchr(to, '.');
    const char *tool = strcmp(dot, ".xz") == 0   ? "xz"
                       : strcmp(dot, ".gz") == 0 ? "gzip"
                                                 : "zstd -q";
    test_command packed = test_run("%s -c '%s' >'%s'", tool, from, to);
    assert_int_equal(packed.status, 0);
    test_command_free(&packed);
}
