/* Intake: from instructions to warp records. */
#include "system/intake.h"

#include "goldmem/bits.h"
#include "system/cache.h"
#include "system/shared_memory.h"
#include "system/warp_record.h"
#include "trace/record.h"

#include <errno.h>

enum { MOST_RUN = 1 << 30 };

int gm_intake_init(gm_intake *intake, const gm_config *config, gm_source *source,
                   gm_warp_store *store, bool keeps_lanes, gm_error *error)
{
    intake->source = source;
    intake->store = store;
    intake->banks = (uint32_t)config->sm.shared_banks;
    intake->keeps_lanes = keeps_lanes || config->l1.line / GM_SECTOR > GM_WARP_LINE_SECTORS;
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
    cta->core = (gm_core_statistics){.ctas = 1};
    intake->run = 0;
    intake->cta = cta;
}

/* Room for a record at the end of the warp's stream. */
static unsigned char *reserve(gm_intake *intake, size_t bytes, gm_error *error)
{
    return gm_warp_store_reserve(intake->store, intake->stream, bytes, error);
}

static int put_head(gm_intake *intake, uint64_t head, gm_error *error)
{
    unsigned char *at = reserve(intake, sizeof head, error);
    if (at == NULL) {
        return error->code;
    }
    memcpy(at, &head, sizeof head);
    gm_warp_store_commit(intake->stream, sizeof head);
    return 0;
}

static int end_run(gm_intake *intake, gm_error *error)
{
    if (intake->run == 0) {
        return 0;
    }
    uint64_t head = gm_warp_head(GM_WARP_RUN, GM_REQUEST_LOAD, intake->run);
    intake->run = 0;
    return put_head(intake, head, error);
}

/* One more turn that reaches no cache. */
static int idle(gm_intake *intake, gm_error *error)
{
    return ++intake->run == MOST_RUN ? end_run(intake, error) : 0;
}

int gm_intake_begin_warp(gm_intake *intake, uint32_t warp, gm_error *error)
{
    gm_cta *cta = intake->cta;
    if (warp >= intake->warps || (cta->warps > 0 && warp <= cta->warp[cta->warps - 1])) {
        return gm_fail(error, -EINVAL, "%s: CTA %llu: warp %u: 0 to %u, ascending, are possible",
                       intake->source->name, (unsigned long long)cta->number, warp,
                       intake->warps - 1);
    }
    int code = end_run(intake, error);
    intake->stream = &cta->stream[cta->warps];
    *intake->stream = (gm_warp_stream){0};
    cta->warp[cta->warps++] = warp;
    cta->core.warps++;
    return code;
}

int gm_intake_end_cta(gm_intake *intake, gm_error *error)
{
    return end_run(intake, error);
}

/* Looks up the opcodes that have come since the last time, up to this one. */
static void learn_opcodes(gm_intake *intake, uint16_t last)
{
    const gm_opcode_table *table = &intake->source->opcodes;
    for (; intake->opcodes <= last && intake->opcodes < table->count; intake->opcodes++) {
        intake->strong[intake->opcodes] = table->opcodes[intake->opcodes].bypasses_l1;
        intake->rows[intake->opcodes] = table->opcodes[intake->opcodes].rows;
    }
}

/* What a cache sees of an operation. An asynchronous copy has addresses for its global side only.
 */
static const struct {
    bool reaches;
    uint8_t kind; /* gm_request_kind */
} access_of[GM_OPS + 1] = {
    [GM_OP_LOAD] = {true, GM_REQUEST_LOAD},           [GM_OP_ASYNC_COPY] = {true, GM_REQUEST_LOAD},
    [GM_OP_STORE] = {true, GM_REQUEST_STORE},         [GM_OP_ATOMIC] = {true, GM_REQUEST_ATOMIC},
    [GM_OP_REDUCTION] = {true, GM_REQUEST_REDUCTION},
};

static gm_request_kind request_kind(const gm_intake *intake, const gm_instruction *instruction)
{
    gm_request_kind kind = (gm_request_kind)access_of[instruction->op].kind;
    return kind == GM_REQUEST_LOAD && intake->strong[instruction->opcode] ? GM_REQUEST_STRONG_LOAD
                                                                          : kind;
}

static int put_local(gm_intake *intake, const gm_instruction *instruction, gm_request_kind kind,
                     gm_error *error)
{
    gm_instruction kept = *instruction; /* registers and the program counter matter to no access */
    kept.pc = 0;
    kept.immediate = 0;
    kept.destinations = 0;
    kept.sources = 0;
    size_t list = kept.form == GM_ADDRESS_LIST ? (size_t)8 * kept.addresses : 0;
    unsigned char *at = reserve(intake, GM_WARP_HEAD + GM_RECORD_SMALL + list, error);
    if (at == NULL) {
        return error->code;
    }
    uint64_t head = gm_warp_head(GM_WARP_LOCAL, kind, 0);
    memcpy(at, &head, sizeof head);
    gm_warp_store_commit(intake->stream, GM_WARP_HEAD + gm_record_encode(at + GM_WARP_HEAD, &kept));
    return 0;
}

static int put_wide(gm_intake *intake, const gm_line_request *request, uint32_t count,
                    uint64_t flags, gm_error *error)
{
    size_t bytes = count * sizeof *request;
    unsigned char *at = reserve(intake, GM_WARP_HEAD + bytes, error);
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
        reserve(intake, GM_WARP_FIRST_LINE + (size_t)count * GM_WARP_NEXT_LINE, error);
    if (at == NULL) {
        return error->code;
    }
    uint64_t first = request->line;
    uint64_t head = flags | (uint64_t)GM_WARP_LINES | (uint64_t)count << 16 |
                    (uint64_t)request->sectors << 32 | (uint64_t)request->whole << 40;
    memcpy(at, &head, sizeof head);
    memcpy(at + GM_WARP_HEAD, &first, sizeof first);
    unsigned char *next = at + GM_WARP_FIRST_LINE;
    uint64_t outside = 0;
    for (uint32_t i = 1; i < count; i++, next += GM_WARP_NEXT_LINE) {
        uint64_t distance = request[i].line - first;
        uint32_t low = (uint32_t)distance;
        memcpy(next, &low, sizeof low);
        next[4] = (unsigned char)request[i].sectors;
        next[5] = (unsigned char)request[i].whole;
        outside |= (distance + UINT64_C(0x80000000)) >> 32;
    }
    if (outside != 0) {
        return put_wide(intake, request, count, flags, error);
    }
    gm_warp_store_commit(intake->stream, (size_t)(next - at));
    return 0;
}

/* The most common case: all lanes in one line. */
static int put_line(gm_intake *intake, const gm_line_request *request, gm_request_kind kind,
                    gm_error *error)
{
    unsigned char *at = reserve(intake, GM_WARP_FIRST_LINE, error);
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
    if (left == 1 && !intake->keeps_lanes) {
        return put_line(intake, request, kind, error);
    }
    while (left > 0 && code == 0) {
        uint32_t count = left < GM_WARP_MOST_LINES ? left : GM_WARP_MOST_LINES;
        uint64_t flags = (uint64_t)kind << 4 | (count < left ? GM_WARP_MORE : 0);
        code = intake->keeps_lanes ? put_wide(intake, request, count, flags, error)
                                   : put_lines(intake, request, count, flags, error);
        request += count;
        left -= count;
    }
    return code;
}

static void count_shared(gm_intake *intake, const gm_instruction *instruction, bool atomic)
{
    const gm_coalescer *coalescer = &intake->coalescer;
    gm_core_statistics *core = &intake->cta->core;
    uint32_t count = coalescer->shared_accesses;
    unsigned rows = intake->rows[instruction->opcode];
    while (rows != 0 && count > 1 && coalescer->shared[count - 1].lane >= rows) {
        count--; /* LDSM: lanes ascend, and those past the rows give no address */
    }
    gm_shared_passes passes = gm_shared_memory_access(coalescer->shared, count, instruction->width,
                                                      intake->banks, atomic);
    core->shared_instructions++;
    core->shared_accesses += passes.accesses;
    core->shared_conflicts += passes.conflicts;
}

static int take_access(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    if (intake->opcodes <= instruction->opcode) {
        learn_opcodes(intake, instruction->opcode);
    }
    const gm_coalescer *coalescer = &intake->coalescer;
    gm_core_statistics *core = &intake->cta->core;
    gm_request_kind kind = request_kind(intake, instruction);
    bool atomic = kind >= GM_REQUEST_ATOMIC;
    gm_coalesce(&intake->coalescer, &intake->context, instruction);
    core->global_instructions += coalescer->global;
    core->local_instructions += coalescer->local;
    core->lane_accesses += coalescer->lane_accesses;
    core->atomic_instructions += atomic && coalescer->global;
    if (coalescer->shared_accesses != 0) {
        count_shared(intake, instruction, atomic);
    }
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

static int put_barrier(gm_intake *intake, gm_error *error)
{
    int code = end_run(intake, error);
    return code < 0 ? code
                    : put_head(intake, gm_warp_head(GM_WARP_BARRIER, GM_REQUEST_LOAD, 0), error);
}

int gm_intake_instruction(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    gm_core_statistics *core = &intake->cta->core;
    core->warp_instructions++;
    core->thread_instructions += gm_count_ones(instruction->mask);
    core->memory_instructions += instruction->width != 0;
    if (instruction->addresses != 0 && access_of[instruction->op].reaches) {
        return take_access(intake, instruction, error);
    }
    if (instruction->op != GM_OP_BARRIER) {
        core->fences += instruction->op == GM_OP_FENCE;
        return idle(intake, error);
    }
    core->barriers++;
    return instruction->mask != 0 ? put_barrier(intake, error) : idle(intake, error);
}
