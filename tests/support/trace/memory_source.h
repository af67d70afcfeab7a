/* A source that lies in memory: a test writes its commands, CTAs, warps and instructions in order.
 * Failures end the calling test. */
#ifndef GOLDMEM_TESTS_SUPPORT_TRACE_MEMORY_SOURCE_H
#define GOLDMEM_TESTS_SUPPORT_TRACE_MEMORY_SOURCE_H

#include "goldmem/source.h"

#include <stddef.h>

typedef struct memory_item memory_item;

typedef struct memory_source {
    gm_source source; /* first */
    memory_item *item;
    size_t count, capacity, next;
    uint64_t *address; /* of all LIST instructions */
    size_t addresses, address_capacity;
    size_t fail_at; /* CTA, counted from 0 over all kernels, whose delivery fails with -EIO */
    size_t ctas;
} memory_source;

/* Opcodes by number. */
enum {
    MEMORY_COMPUTE,
    MEMORY_LOAD, /* global, 4 bytes a lane where not told otherwise */
    MEMORY_STORE,
    MEMORY_ATOMIC,
    MEMORY_REDUCTION,
    MEMORY_STRONG_LOAD,
    MEMORY_LOCAL_LOAD,
    MEMORY_LOCAL_STORE,
    MEMORY_SHARED_LOAD,
    MEMORY_GENERIC_LOAD,
    MEMORY_GENERIC_STORE,
    MEMORY_BARRIER,
    MEMORY_FENCE, /* of GPU scope */
    MEMORY_ASYNC_COPY,
    MEMORY_COMMIT_GROUP,
    MEMORY_WAIT_GROUP, /* for all groups */
    MEMORY_CTA_FENCE,
    MEMORY_OPCODES,
    MEMORY_MIXED = MEMORY_CTA_FENCE /* those below it are in mixtures */
};

memory_source *memory_source_new(void);
void memory_source_free(memory_source *source);
/* From the beginning again. */
void memory_source_rewind(memory_source *source);

/* Instructions in it, their active lanes, and the CTA barriers among them. */
uint64_t memory_instructions(const memory_source *source, uint64_t *lanes, uint64_t *barriers);

void memory_copy(memory_source *source, uint64_t address, uint64_t bytes);
/* A kernel of `ctas` CTAs of `threads` threads; the result may be changed at once. */
gm_kernel *memory_kernel(memory_source *source, uint32_t ctas, uint32_t threads);
/* The kernels so far get these streams, again from the first behind the last. */
void memory_streams(memory_source *source, const uint64_t *stream, size_t streams);
/* Removes the copies so far. */
void memory_drop_copies(memory_source *source);
void memory_cta(memory_source *source, uint32_t x);
void memory_warp(memory_source *source, uint32_t warp);
/* No operand, or lane addresses base + k * stride. */
void memory_plain(memory_source *source, unsigned opcode, uint32_t mask);
void memory_stride(memory_source *source, unsigned opcode, uint32_t mask, uint64_t base,
                   int64_t stride, unsigned width);
void memory_list(memory_source *source, unsigned opcode, uint32_t mask, const uint64_t *address,
                 unsigned width);
/* General registers that the last instruction writes and reads, 255: none. */
void memory_registers(memory_source *source, unsigned written, unsigned read);
/* PC of the last instruction, else 0. */
void memory_pc(memory_source *source, uint64_t pc);

#endif
