/* Lowering for the order engine: turns instructions into warp records. */
#include "frontend/lowering.h"
#include "goldmem/bits.h"

static int put_head(gm_intake *intake, uint64_t head, gm_error *error)
{
    unsigned char *at = gm_lower_reserve(intake, sizeof head, error);
    if (at == NULL) {
        return error->code;
    }
    memcpy(at, &head, sizeof head);
    gm_warp_store_commit(intake->stream, sizeof head);
    return 0;
}

/* Ends the run of turns with a record. */
static __attribute__((noinline)) int put_run(gm_intake *intake, gm_error *error)
{
    uint64_t head = gm_warp_head(GM_WARP_RUN, GM_REQUEST_LOAD, intake->run);
    intake->run = 0;
    return put_head(intake, head, error);
}

int gm_lower_end_run(gm_intake *intake, gm_error *error)
{
    return intake->run == 0 ? 0 : put_run(intake, error);
}

/* Adds a turn that reaches no cache to the run of such turns. */
static int add_turn(gm_intake *intake, gm_error *error)
{
    return ++intake->run >= intake->most_run ? put_run(intake, error) : 0;
}

static int put_local(gm_intake *intake, const gm_instruction *instruction, gm_request_kind kind,
                     gm_error *error)
{
    unsigned char *at =
        gm_lower_reserve(intake, GM_WARP_HEAD + gm_local_record_room(instruction), error);
    if (at == NULL) {
        return error->code;
    }
    uint64_t head = gm_warp_head(GM_WARP_LOCAL, kind, 0);
    memcpy(at, &head, sizeof head);
    size_t bytes = gm_local_record_put(at + GM_WARP_HEAD, instruction);
    gm_warp_store_commit(intake->stream, GM_WARP_HEAD + bytes);
    return 0;
}

static int put_wide(gm_intake *intake, const gm_line_request *request, uint32_t count,
                    uint64_t flags, gm_error *error)
{
    gm_request_kind kind = gm_warp_kind_of(flags);
    size_t bytes = gm_lower_wide_bytes(intake, kind, count);
    unsigned char *at = gm_lower_reserve(intake, GM_WARP_HEAD + bytes, error);
    if (at == NULL) {
        return error->code;
    }
    uint64_t head = flags | (uint64_t)GM_WARP_WIDE | (uint64_t)count << 16;
    memcpy(at, &head, sizeof head);
    gm_lower_put_wide(intake, at + GM_WARP_HEAD, kind, request, count);
    gm_warp_store_commit(intake->stream, GM_WARP_HEAD + bytes);
    return 0;
}

/* Puts a record of narrow line requests if all lines are near the first, else of wide ones. */
static int put_lines(gm_intake *intake, const gm_line_request *request, uint32_t count,
                     uint64_t flags, gm_error *error)
{
    unsigned char *at =
        gm_lower_reserve(intake, GM_WARP_FIRST_LINE + (size_t)count * GM_WARP_NEXT_LINE, error);
    if (at == NULL) {
        return error->code;
    }
    uint64_t head = flags | (uint64_t)GM_WARP_LINES | (uint64_t)count << 16 |
                    (uint64_t)request->sectors << 32 | (uint64_t)request->whole << 40;
    memcpy(at, &head, sizeof head);
    size_t bytes = gm_lower_put_narrow(at + GM_WARP_HEAD, request, count);
    if (bytes == 0) {
        return put_wide(intake, request, count, flags, error);
    }
    gm_warp_store_commit(intake->stream, GM_WARP_HEAD + bytes);
    return 0;
}

/* Puts a record with one line, the most common access. */
static int put_line(gm_intake *intake, const gm_line_request *request, gm_request_kind kind,
                    gm_error *error)
{
    unsigned char *at = gm_lower_reserve(intake, GM_WARP_FIRST_LINE, error);
    if (at == NULL) {
        return error->code;
    }
    uint64_t head = gm_warp_head(GM_WARP_LINES, kind, 1) | (uint64_t)request->sectors << 32 |
                    (uint64_t)request->whole << 40;
    memcpy(at, &head, sizeof head);
    memcpy(at + GM_WARP_HEAD, &request->line, sizeof request->line);
    gm_warp_store_commit(intake->stream, GM_WARP_FIRST_LINE);
    return 0;
}

static int put_requests(gm_intake *intake, gm_request_kind kind, gm_error *error)
{
    const gm_line_request *request = intake->coalescer.request;
    uint32_t left = intake->coalescer.requests;
    int code = 0;
    bool wide = intake->wide || gm_lower_has_masks(intake, kind);
    if (left == 1 && !wide) {
        return put_line(intake, request, kind, error);
    }
    const uint32_t most = gm_lower_most(intake, kind, wide);
    while (left > 0 && code == 0) {
        uint32_t count = left < most ? left : most;
        uint64_t flags = (uint64_t)kind << 4 | (count < left ? GM_WARP_MORE : 0);
        code = wide ? put_wide(intake, request, count, flags, error)
                    : put_lines(intake, request, count, flags, error);
        request += count;
        left -= count;
    }
    return code;
}

static int put_access(gm_intake *intake, const gm_instruction *instruction, gm_request_kind kind,
                      gm_error *error)
{
    const gm_coalescer *coalescer = &intake->coalescer;
    gm_lower_coalesce(intake, kind, instruction);
    if (coalescer->requests == 0) {
        return add_turn(intake, error);
    }
    int code = gm_lower_end_run(intake, error);
    if (code < 0) {
        return code;
    }
    return coalescer->local ? put_local(intake, instruction, kind, error)
                            : put_requests(intake, kind, error);
}

static int take_run(gm_intake *intake, const gm_instruction *instruction, gm_request_kind kind,
                    gm_error *error)
{
    gm_line_request request;
    if (!gm_lower_one_line(intake, kind, instruction, &request)) {
        return put_access(intake, instruction, kind, error);
    }
    int code = gm_lower_end_run(intake, error);
    return code < 0 ? code : put_line(intake, &request, kind, error);
}

static int take_other(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    int code = gm_lower_count_other(intake, instruction, error);
    if (code < 0) {
        return code;
    }
    if (instruction->op != GM_OP_BARRIER || instruction->mask == 0) {
        return add_turn(intake, error);
    }
    code = gm_lower_end_run(intake, error);
    return code < 0 ? code
                    : put_head(intake, gm_warp_head(GM_WARP_BARRIER, GM_REQUEST_LOAD, 0), error);
}

/* Lowers an instruction that may do more than take a turn. */
static __attribute__((noinline)) int take_more(gm_intake *intake, const gm_instruction *instruction,
                                               gm_error *error)
{
    gm_request_kind kind;
    switch (gm_lower_part_of(intake, instruction, &kind)) {
    case GM_INTAKE_TURN:
        return add_turn(intake, error);
    case GM_INTAKE_RUN:
        return take_run(intake, instruction, kind, error);
    case GM_INTAKE_ACCESS:
        return put_access(intake, instruction, kind, error);
    case GM_INTAKE_OTHER:
    case GM_INTAKE_CODED: /* the cycle engine's */
        break;
    }
    return take_other(intake, instruction, error);
}

int gm_lower_order(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    gm_core_statistics *core = &intake->cta->core;
    core->warp_instructions++;
    core->thread_instructions += gm_count_ones(instruction->mask);
    gm_op op = (gm_op)instruction->op;
    bool turn_only = op == GM_OP_COMPUTE || op == GM_OP_BRANCH || op == GM_OP_EXIT;
    return turn_only && instruction->width == 0 ? add_turn(intake, error)
                                                : take_more(intake, instruction, error);
}
