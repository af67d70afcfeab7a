/* Intake: from instructions to warp records. */
#include "frontend/intake_parts.h"

#include "base/content_hash.h"
#include "cache/cache.h"
#include "goldmem/bits.h"

#include <errno.h>

enum { MOST_RUN = 1 << 30 };

int gm_intake_init(gm_intake *intake, const gm_config *config, gm_source *source,
                   gm_warp_store *store, gm_intake_form form, gm_error *error)
{
    intake->source = source;
    intake->store = store;
    intake->most_run = MOST_RUN;
    intake->banks = (uint32_t)config->sm.shared_banks;
    intake->timed = form == GM_INTAKE_TIMED;
    intake->wide = form == GM_INTAKE_LANES || config->l1.line / GM_SECTOR > GM_WARP_LINE_SECTORS;
    for (uint32_t i = 0; intake->timed && i < 1 << GM_INTAKE_KNOWN_BITS; i++) {
        intake->known[i].like.op = GM_OPS; /* like no instruction */
    }
    int code = gm_arena_create(&intake->arena, gm_coalescer_bytes(config->l1.line), error);
    return code < 0 ? code
                    : gm_coalescer_init(&intake->coalescer, config->l1.line, &intake->arena, error);
}

void gm_intake_free(gm_intake *intake)
{
    gm_arena_free(&intake->arena);
}

void gm_intake_kernel(gm_intake *intake, const gm_kernel *kernel)
{
    intake->warps = gm_kernel_warps(kernel);
    intake->context.shared_base = kernel->shared_base;
    intake->context.local_base = kernel->local_base;
    memcpy(intake->grid, kernel->grid, sizeof intake->grid);
}

void gm_intake_begin_cta(gm_intake *intake, gm_cta *cta, const uint32_t id[3])
{
    const uint32_t *grid = intake->grid;
    cta->number = ((uint64_t)id[2] * grid[1] + id[1]) * grid[0] + id[0];
    cta->warps = 0;
    cta->tally.rows = 0;
    cta->log.turns = 0;
    cta->content = cta->number;
    cta->core = (gm_core_statistics){.ctas = 1};
    intake->run = 0;
    intake->cta = cta;
}

static int put_head(gm_intake *intake, uint64_t head, gm_error *error)
{
    unsigned char *at = gm_intake_reserve(intake, sizeof head, error);
    if (at == NULL) {
        return error->code;
    }
    memcpy(at, &head, sizeof head);
    gm_warp_store_commit(intake->stream, sizeof head);
    return 0;
}

static __attribute__((noinline)) int put_run(gm_intake *intake, gm_error *error)
{
    uint64_t head = gm_warp_head(GM_WARP_RUN, GM_REQUEST_LOAD, intake->run);
    intake->run = 0;
    return put_head(intake, head, error);
}

static int end_run(gm_intake *intake, gm_error *error)
{
    return intake->run == 0 ? 0 : put_run(intake, error);
}

/* One more turn that reaches no cache. */
static int idle(gm_intake *intake, gm_error *error)
{
    return ++intake->run >= intake->most_run ? put_run(intake, error) : 0;
}

/* The CTA's last warp has all its records. */
static int end_warp(gm_intake *intake, gm_error *error)
{
    gm_cta *cta = intake->cta;
    int code = end_run(intake, error);
    if (code == 0 && cta->warps != 0) {
        cta->content = gm_content_word(cta->content, cta->warp[cta->warps - 1]);
        cta->content =
            gm_content_word(cta->content, gm_warp_store_content(intake->store, intake->stream));
    }
    return code;
}

int gm_intake_begin_warp(gm_intake *intake, uint32_t warp, gm_error *error)
{
    gm_cta *cta = intake->cta;
    if (warp >= intake->warps || (cta->warps > 0 && warp <= cta->warp[cta->warps - 1])) {
        return gm_fail(error, -EINVAL, "%s: CTA %llu: warp %u: 0 to %u, ascending, are possible",
                       intake->source->name, (unsigned long long)cta->number, warp,
                       intake->warps - 1);
    }
    int code = end_warp(intake, error);
    intake->stream = &cta->stream[cta->warps];
    *intake->stream = (gm_warp_stream){0};
    if (cta->first != NULL) {
        cta->first[cta->warps] = cta->log.turns;
    }
    cta->warp[cta->warps++] = warp;
    cta->core.warps++;
    return code;
}

int gm_intake_end_cta(gm_intake *intake, gm_error *error)
{
    gm_cta *cta = intake->cta;
    int code = end_warp(intake, error);
    cta->content = gm_content_bytes(cta->content, &cta->core, sizeof cta->core);
    return code;
}

static int put_local(gm_intake *intake, const gm_instruction *instruction, gm_request_kind kind,
                     gm_error *error)
{
    unsigned char *at =
        gm_intake_reserve(intake, GM_WARP_HEAD + gm_local_record_room(instruction), error);
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
    size_t bytes = count * sizeof *request;
    unsigned char *at = gm_intake_reserve(intake, GM_WARP_HEAD + bytes, error);
    if (at == NULL) {
        return error->code;
    }
    uint64_t head = flags | (uint64_t)GM_WARP_WIDE | (uint64_t)count << 16;
    memcpy(at, &head, sizeof head);
    memcpy(at + GM_WARP_HEAD, request, bytes);
    gm_warp_store_commit(intake->stream, GM_WARP_HEAD + bytes);
    return 0;
}

/* Narrow when all lines are near the first. */
static int put_lines(gm_intake *intake, const gm_line_request *request, uint32_t count,
                     uint64_t flags, gm_error *error)
{
    unsigned char *at =
        gm_intake_reserve(intake, GM_WARP_FIRST_LINE + (size_t)count * GM_WARP_NEXT_LINE, error);
    if (at == NULL) {
        return error->code;
    }
    uint64_t head = flags | (uint64_t)GM_WARP_LINES | (uint64_t)count << 16 |
                    (uint64_t)request->sectors << 32 | (uint64_t)request->whole << 40;
    memcpy(at, &head, sizeof head);
    size_t bytes = gm_intake_put_narrow(at + GM_WARP_HEAD, request, count);
    if (bytes == 0) {
        return put_wide(intake, request, count, flags, error);
    }
    gm_warp_store_commit(intake->stream, GM_WARP_HEAD + bytes);
    return 0;
}

/* The most common case: all lanes in one line. */
static int put_line(gm_intake *intake, const gm_line_request *request, gm_request_kind kind,
                    gm_error *error)
{
    unsigned char *at = gm_intake_reserve(intake, GM_WARP_FIRST_LINE, error);
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
    if (left == 1 && !intake->wide) {
        return put_line(intake, request, kind, error);
    }
    while (left > 0 && code == 0) {
        uint32_t count = left < GM_WARP_MOST_LINES ? left : GM_WARP_MOST_LINES;
        uint64_t flags = (uint64_t)kind << 4 | (count < left ? GM_WARP_MORE : 0);
        code = intake->wide ? put_wide(intake, request, count, flags, error)
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
    gm_intake_coalesce(intake, kind, instruction);
    if (coalescer->requests == 0) {
        return idle(intake, error);
    }
    int code = end_run(intake, error);
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
    if (!gm_intake_one_line(intake, kind, instruction, &request)) {
        return put_access(intake, instruction, kind, error);
    }
    int code = end_run(intake, error);
    return code < 0 ? code : put_line(intake, &request, kind, error);
}

static int take_other(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    int code = gm_intake_count_other(intake, instruction, error);
    if (code < 0) {
        return code;
    }
    if (instruction->op != GM_OP_BARRIER || instruction->mask == 0) {
        return idle(intake, error);
    }
    code = end_run(intake, error);
    return code < 0 ? code
                    : put_head(intake, gm_warp_head(GM_WARP_BARRIER, GM_REQUEST_LOAD, 0), error);
}

/* An instruction of the order engine's form that does more than take a turn. */
static __attribute__((noinline)) int take_more(gm_intake *intake, const gm_instruction *instruction,
                                               gm_error *error)
{
    gm_request_kind kind;
    switch (gm_intake_way_of(intake, instruction, &kind)) {
    case GM_INTAKE_PLAIN:
        return idle(intake, error);
    case GM_INTAKE_RUN:
        return take_run(intake, instruction, kind, error);
    case GM_INTAKE_ACCESS:
        return put_access(intake, instruction, kind, error);
    case GM_INTAKE_OTHER:
        break;
    }
    return take_other(intake, instruction, error);
}

int gm_intake_instruction(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    if (intake->timed) {
        return gm_intake_timed(intake, instruction, error);
    }
    gm_core_statistics *core = &intake->cta->core;
    core->warp_instructions++;
    core->thread_instructions += gm_count_ones(instruction->mask);
    gm_op op = (gm_op)instruction->op;
    bool plain = op == GM_OP_COMPUTE || op == GM_OP_BRANCH || op == GM_OP_EXIT;
    return plain && instruction->width == 0 ? idle(intake, error)
                                            : take_more(intake, instruction, error);
}

void gm_intake_keep_logs(gm_intake *intake)
{
    intake->most_run = 1;
}

int gm_intake_logged(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    gm_cta *cta = intake->cta;
    gm_core_statistics before = cta->core;
    uint64_t records = intake->stream->count;
    int code = gm_intake_instruction(intake, instruction, error);
    return code < 0 ? code
                    : gm_turn_log_add(&cta->log, &before, &cta->core,
                                      intake->stream->count - records, error);
}

void gm_cta_left(const gm_cta *cta, uint32_t place, gm_core_statistics *left)
{
    uint64_t end = place + 1 < cta->warps ? cta->first[place + 1] : cta->log.turns;
    gm_turn_log_sum(&cta->log, end - cta->stream[place].count, end, left);
}
