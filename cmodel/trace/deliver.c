/* Delivery: hands the instructions of lines to a sink. */
#include "trace/deliver.h"

#include "trace/opcode.h"
#include "trace/token.h"

#include <errno.h>
#include <stdbool.h>

int gm_cta_order_begin(gm_cta_order *order, const gm_kernel *kernel, const uint64_t cta[3],
                       const gm_input *input, gm_error *error)
{
    for (int i = 0; i < 3; i++) {
        if (cta[i] >= kernel->grid[i]) {
            return gm_input_fail(
                input, error, -EINVAL, "thread block %llu,%llu,%llu is outside the grid (%u,%u,%u)",
                (unsigned long long)cta[0], (unsigned long long)cta[1], (unsigned long long)cta[2],
                kernel->grid[0], kernel->grid[1], kernel->grid[2]);
        }
    }
    uint64_t linear = (cta[2] * kernel->grid[1] + cta[1]) * kernel->grid[0] + cta[0];
    if (linear < order->next_cta) {
        return gm_input_fail(
            input, error, -EINVAL, "thread block %llu,%llu,%llu is repeated or out of order",
            (unsigned long long)cta[0], (unsigned long long)cta[1], (unsigned long long)cta[2]);
    }
    order->next_cta = linear + 1;
    order->next_warp = 0;
    return 0;
}

int gm_cta_order_warp(gm_cta_order *order, const gm_kernel *kernel, uint64_t warp,
                      const gm_input *input, gm_error *error)
{
    if (warp >= gm_kernel_warps(kernel)) {
        return gm_input_fail(
            input, error, -EINVAL, "warp %llu is outside the thread block: %u threads are %u warps",
            (unsigned long long)warp, gm_kernel_threads(kernel), gm_kernel_warps(kernel));
    }
    if (warp < order->next_warp) {
        return gm_input_fail(input, error, -EINVAL, "warp %llu is repeated or out of order",
                             (unsigned long long)warp);
    }
    order->next_warp = (uint32_t)warp + 1;
    return 0;
}

/* Handles a line that the parser refused. Returns 0 for a blank line, which is skipped, else the
 * error. */
static int refused_line(gm_input *input, const gm_line_parser *parser, uint64_t count,
                        uint64_t left, gm_error *error)
{
    const char *p = input->cursor;
    while (gm_is_blank(*p)) {
        p++;
    }
    if (*p == '\n') {
        gm_input_advance(input);
        return 0;
    }
    if (*p == '#' || *p == 'w' || *p == 't' || *p == 'i') {
        return gm_input_fail(input, error, -EINVAL, "insts = %llu, but only %llu lines follow",
                             (unsigned long long)count, (unsigned long long)(count - left));
    }
    return gm_input_fail(input, error, parser->code, "%s", parser->reason);
}

/* True for the first of the two lines of an LDGSTS, the one with the destination in shared memory.
 * With line numbers, the post-processor of versions 3 to 5 fails to drop that line. Its addresses
 * are offsets in a window of at most 16 MiB, where no global memory lies. */
static bool is_shared_half(const gm_instruction *instruction, bool *was_idle, uint64_t *idle_pc)
{
    enum { SHARED_WINDOW = 16 * 1024 * 1024 };
    if (instruction->form == GM_ADDRESS_NONE) { /* mask 0: the second line adds nothing */
        bool repeated = *was_idle && *idle_pc == instruction->pc;
        *was_idle = !repeated;
        *idle_pc = instruction->pc;
        return repeated;
    }
    return gm_instruction_address(instruction, 0) < SHARED_WINDOW;
}

int gm_deliver_lines(gm_input *input, gm_line_parser *parser, uint64_t count,
                     const gm_cta_sink *sink, gm_error *error)
{
    const gm_instruction *instruction = NULL;
    bool pairs = parser->line_numbers && parser->version >= 3;
    bool was_idle = false;
    uint64_t idle_pc = 0;
    for (uint64_t left = count; left > 0;) {
        if (input->cursor == input->complete) {
            int code = gm_input_fill(input, error);
            if (code <= 0) {
                return code < 0
                           ? code
                           : gm_input_fail(input, error, -EINVAL,
                                           "the file ends after %llu of %llu instruction lines",
                                           (unsigned long long)(count - left),
                                           (unsigned long long)count);
            }
        }
        const char *next = gm_line_next(parser, input->cursor, &instruction);
        if (next == NULL) {
            int code = refused_line(input, parser, count, left, error);
            if (code < 0) {
                return code;
            }
            continue;
        }
        if (next - input->cursor > GM_INPUT_LINE) {
            return gm_input_fail(input, error, -EINVAL, "a line of more than %d bytes",
                                 GM_INPUT_LINE);
        }
        left--;
        if (pairs) {
            bool is_copy =
                gm_opcode_entry_of(parser->opcodes, instruction->opcode)->is_copy_to_shared;
            if (is_copy && is_shared_half(instruction, &was_idle, &idle_pc)) {
                input->cursor = next;
                input->line++;
                continue;
            }
            was_idle = was_idle && is_copy;
        }
        int code = sink->instruction(sink->context, instruction, error);
        if (code < 0) {
            return code;
        }
        input->cursor = next;
        input->line++;
    }
    return 0;
}
