/* Reads a trace through gm_source and writes down what it delivers, one line per event, so that two
 * readings can be compared and expected ones written in a test. */
#ifndef GOLDMEM_TESTS_SUPPORT_TRACE_TRACE_RECORD_H
#define GOLDMEM_TESTS_SUPPORT_TRACE_TRACE_RECORD_H

#include "goldmem/trace.h"

#include <stddef.h>
#include <stdint.h>

typedef struct trace_record {
    char *text; /* heap, NUL-ended */
    size_t length, capacity;
    uint64_t kernels, ctas, warps, instructions, memory;
} trace_record;

/* Appends "PC MASK OPCODE dest,.. src,.. width [addresses] immediate", for example
 * "0010 ffffffff LDG.E R1 R2,R255 4 [1000+4*32] 0" (k addresses from a base with a stride) or
 * "... 8 [1000 1008 1020] -1"; "-" stands for no register, "[]" for no address. */
void trace_record_instruction(trace_record *record, const gm_opcode_table *opcodes,
                              const gm_instruction *instruction);

/* Reads all of `path`. Returns 0 or the reader's failure. With `skip`, no CTA is asked for. */
int trace_record_read(trace_record *record, const char *path, int skip, gm_error *error);

void trace_record_free(trace_record *record);

/* Writes .xz, .gz and .zst files, by the extension of `to`, with the system's tools. */
void trace_pack(const char *from, const char *to);

#endif
