/* Intake: from instructions to timed records. */
#include "system/intake_parts.h"
#include "system/timed_record.h"

/* An instruction on its way to a record. */
typedef struct making {
    uint64_t head;
    uint64_t registers[GM_TIMED_REGISTER_WORDS];
    unsigned destinations, count; /* registers written; and read or written */
} making;

static uint64_t start_of(gm_op op, unsigned unit)
{
    return (uint64_t)op | (uint64_t)unit << GM_TIMED_UNIT_AT;
}

/* Puts head and registers at the beginning of room for a record; their bytes. */
static size_t put_start(unsigned char *at, const making *making)
{
    uint64_t head = making->head | (uint64_t)making->destinations << GM_TIMED_DESTINATIONS_AT |
                    (uint64_t)making->count << GM_TIMED_REGISTERS_AT;
    memcpy(at, &head, sizeof head);
    memcpy(at + GM_WARP_HEAD, making->registers, sizeof making->registers);
    return GM_WARP_HEAD + gm_timed_register_bytes(head);
}

enum { MOST_START = GM_WARP_HEAD + GM_TIMED_REGISTER_WORDS * 8 };

static int put_plain(gm_intake *intake, const making *making, gm_error *error)
{
    unsigned char *at = gm_intake_reserve(intake, MOST_START, error);
    if (at == NULL) {
        return error->code;
    }
    gm_warp_store_commit(intake->stream, put_start(at, making));
    return 0;
}

static int put_local(gm_intake *intake, making *making, const gm_instruction *instruction,
                     gm_error *error)
{
    gm_instruction kept = gm_intake_kept(instruction);
    unsigned char *at = gm_intake_reserve(intake, MOST_START + gm_intake_kept_bytes(&kept), error);
    if (at == NULL) {
        return error->code;
    }
    making->head |= (uint64_t)GM_TIMED_LOCAL << GM_TIMED_LINES_AT;
    size_t start = put_start(at, making);
    gm_warp_store_commit(intake->stream, start + gm_record_encode(at + start, &kept));
    return 0;
}

static int put_wide(gm_intake *intake, making *making, const gm_line_request *request,
                    uint32_t count, gm_error *error)
{
    size_t bytes = count * sizeof *request;
    unsigned char *at = gm_intake_reserve(intake, MOST_START + bytes, error);
    if (at == NULL) {
        return error->code;
    }
    making->head |= (uint64_t)GM_TIMED_WIDE << GM_TIMED_LINES_AT;
    size_t start = put_start(at, making);
    memcpy(at + start, request, bytes);
    gm_warp_store_commit(intake->stream, start + bytes);
    return 0;
}

static int put_lines(gm_intake *intake, making *making, const gm_line_request *request,
                     uint32_t count, gm_error *error)
{
    uint64_t head = making->head | (uint64_t)count << GM_TIMED_COUNT_AT;
    making->head = head;
    if (intake->wide) {
        return put_wide(intake, making, request, count, error);
    }
    size_t room = MOST_START + sizeof request->line + (size_t)count * GM_WARP_NEXT_LINE;
    unsigned char *at = gm_intake_reserve(intake, room, error);
    if (at == NULL) {
        return error->code;
    }
    making->head |= (uint64_t)GM_TIMED_LINES << GM_TIMED_LINES_AT |
                    (uint64_t)request->sectors << GM_TIMED_SECTORS_AT |
                    (uint64_t)request->whole << GM_TIMED_WHOLE_AT;
    size_t start = put_start(at, making);
    size_t bytes = gm_intake_put_narrow(at + start, request, count);
    if (bytes == 0) {
        making->head = head;
        return put_wide(intake, making, request, count, error);
    }
    gm_warp_store_commit(intake->stream, start + bytes);
    return 0;
}

/* The first record is the instruction's; others only go on with its lines. */
static int put_requests(gm_intake *intake, making *making, gm_error *error)
{
    const gm_line_request *request = intake->coalescer.request;
    uint32_t left = intake->coalescer.requests;
    uint64_t head = making->head;
    int code = 0;
    while (left > 0 && code == 0) {
        uint32_t count = left < GM_WARP_MOST_LINES ? left : GM_WARP_MOST_LINES;
        making->head = head | (count < left ? GM_TIMED_MORE : 0);
        code = put_lines(intake, making, request, count, error);
        making->count = making->destinations = 0;
        request += count;
        left -= count;
    }
    return code;
}

/* An instruction whose lanes have addresses, or that touches nothing all the same. */
static int take_access(gm_intake *intake, const gm_instruction *instruction, making *making,
                       gm_error *error)
{
    gm_request_kind kind;
    uint32_t passes = gm_intake_coalesce(intake, instruction, &kind);
    const gm_coalescer *coalescer = &intake->coalescer;
    if (coalescer->requests == 0 && passes == 0) {
        making->head = start_of(GM_OP_COMPUTE, GM_UNITS);
        making->destinations = 0;
        return put_plain(intake, making, error);
    }
    bool result = instruction->op == GM_OP_LOAD || instruction->op == GM_OP_ATOMIC;
    making->destinations = result ? making->destinations : 0;
    making->head = start_of((gm_op)instruction->op, GM_UNIT_MEMORY) |
                   (uint64_t)kind << GM_TIMED_KIND_AT | (uint64_t)passes << GM_TIMED_PASSES_AT;
    if (coalescer->local) {
        return put_local(intake, making, instruction, error);
    }
    return coalescer->requests != 0 ? put_requests(intake, making, error)
                                    : put_plain(intake, making, error);
}

/* Head of an instruction without addresses: what it does beyond its unit's latency, if anything. */
static uint64_t plain_head(const gm_instruction *instruction, unsigned unit)
{
    unsigned own = unit == GM_UNIT_MEMORY ? (unsigned)GM_UNITS : unit;
    int64_t groups = instruction->immediate;
    switch ((gm_op)instruction->op) {
    case GM_OP_BARRIER:
        return start_of(instruction->mask != 0 ? GM_OP_BARRIER : GM_OP_COMPUTE, own);
    case GM_OP_WAIT_GROUP:
        groups = groups < 0 ? 0 : groups > GM_TIMED_MOST_GROUPS ? GM_TIMED_MOST_GROUPS : groups;
        return start_of(GM_OP_WAIT_GROUP, own) | (uint64_t)groups << GM_TIMED_COUNT_AT;
    case GM_OP_COMPUTE:
    case GM_OP_BRANCH:
    case GM_OP_EXIT:
    case GM_OP_COMMIT_GROUP:
        return start_of((gm_op)instruction->op, own);
    case GM_OP_FENCE:
        return start_of(GM_OP_FENCE, GM_UNITS);
    case GM_OP_LOAD:
    case GM_OP_STORE:
    case GM_OP_ATOMIC:
    case GM_OP_REDUCTION:
    case GM_OP_ASYNC_COPY:
    case GM_OP_CACHE_CONTROL:
    case GM_OPS:
        break;
    }
    return start_of(GM_OP_COMPUTE, GM_UNITS);
}

int gm_intake_timed(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    if (intake->opcodes <= instruction->opcode) {
        gm_intake_learn(intake, instruction->opcode);
    }
    making making = {0};
    making.destinations =
        gm_timed_pack(making.registers, 0, instruction->destination, instruction->destinations);
    making.count = gm_timed_pack(making.registers, making.destinations, instruction->source,
                                 instruction->sources);
    if (gm_intake_reaches(instruction)) {
        return take_access(intake, instruction, &making, error);
    }
    making.head = plain_head(instruction, intake->unit[instruction->opcode]);
    if (gm_timed_unit(making.head) == GM_UNITS) {
        making.destinations = 0;
    }
    return put_plain(intake, &making, error);
}
