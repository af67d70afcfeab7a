/* Reads a trace to its end and checks that whatever is delivered keeps the promises of gm_source.
 */
#ifndef GOLDMEM_TESTS_FUZZ_READ_TRACE_H
#define GOLDMEM_TESTS_FUZZ_READ_TRACE_H

#include "goldmem/bits.h"
#include "goldmem/trace.h"

#include <stdlib.h>
#include <string.h>

typedef struct fuzz_state {
    gm_source *source;
    const gm_kernel *kernel;
    uint64_t next_cta;
    uint32_t next_warp;
    bool in_cta;
    uint64_t sum; /* keeps the compiler from dropping the reads */
} fuzz_state;

static inline void fuzz_require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static inline int fuzz_begin_cta(void *context, const uint32_t cta[3], gm_error *error)
{
    (void)error;
    fuzz_state *state = context;
    const uint32_t *grid = state->kernel->grid;
    fuzz_require(!state->in_cta && cta[0] < grid[0] && cta[1] < grid[1] && cta[2] < grid[2]);
    uint64_t linear = ((uint64_t)cta[2] * grid[1] + cta[1]) * grid[0] + cta[0];
    fuzz_require(linear >= state->next_cta);
    state->next_cta = linear + 1;
    state->next_warp = 0;
    state->in_cta = true;
    return 0;
}

static inline int fuzz_begin_warp(void *context, uint32_t warp, gm_error *error)
{
    (void)error;
    fuzz_state *state = context;
    fuzz_require(state->in_cta && warp >= state->next_warp &&
                 warp < gm_kernel_warps(state->kernel));
    state->next_warp = warp + 1;
    return 0;
}

static inline int fuzz_instruction(void *context, const gm_instruction *instruction,
                                   gm_error *error)
{
    (void)error;
    fuzz_state *state = context;
    const gm_opcode_table *table = &state->source->opcodes;
    fuzz_require(state->next_warp > 0 && instruction->opcode < table->count);
    const gm_opcode *opcode = &table->opcodes[instruction->opcode];
    size_t length = strlen(opcode->text);
    fuzz_require(length > 0 && length < GM_OPCODE_TEXT);
    fuzz_require(instruction->op == opcode->op && instruction->space == opcode->space);
    fuzz_require(instruction->destinations <= GM_DESTINATIONS &&
                 instruction->sources <= GM_SOURCES);
    bool some = instruction->form != GM_ADDRESS_NONE;
    fuzz_require(some == (instruction->addresses > 0) && instruction->addresses <= GM_ADDRESSES);
    fuzz_require(!some || (instruction->mask != 0 && instruction->width > 0));
    fuzz_require(!some || state->kernel->version >= 6 ||
                 instruction->addresses == gm_count_ones(instruction->mask));
    for (unsigned i = 0; i < instruction->addresses; i++) {
        state->sum += gm_instruction_address(instruction, i);
    }
    return 0;
}

static inline int fuzz_end_cta(void *context, gm_error *error)
{
    (void)error;
    fuzz_state *state = context;
    fuzz_require(state->in_cta);
    state->in_cta = false;
    return 0;
}

/* Checks that a failure has one line of text, and that good input has no sign of a failure. */
static inline void fuzz_read_trace(const char *path)
{
    fuzz_state state = {.source = NULL};
    gm_cta_sink sink = {&state, fuzz_begin_cta, fuzz_begin_warp, fuzz_instruction, fuzz_end_cta};
    gm_error error = {.code = 0};
    gm_command command;
    int code = gm_trace_open(&state.source, path, &error);
    while (code >= 0 && (code = gm_source_next_command(state.source, &command, &error)) > 0) {
        state.kernel = command.kernel;
        state.next_cta = 0;
        while (command.kind == GM_COMMAND_KERNEL &&
               (code = gm_source_next_cta(state.source, &sink, &error)) > 0) {
        }
    }
    fuzz_require(code <= 0 && error.code == code);
    fuzz_require(code == 0 || (error.text[0] != '\0' && strchr(error.text, '\n') == NULL));
    gm_source_close(state.source);
}

#endif
