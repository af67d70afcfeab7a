/* Lowering for the cycle engine: turns instructions into timed records. */
#include "frontend/code_map.h"
#include "frontend/data_banks.h"
#include "frontend/lowering.h"
#include "frontend/timed_record.h"

static uint64_t start_of(gm_op op, unsigned unit)
{
    return (uint64_t)op | (uint64_t)unit << GM_TIMED_UNIT_AT;
}

/* Returns the head of a memory instruction none of whose lanes is active: it has no unit, or in
 * Accel-Sim the load/store unit, which it passes without a request, a load from shared memory with
 * one pass. */
static uint64_t idle_head(const gm_intake *intake, const gm_instruction *instruction)
{
    if (!intake->units.accel_sim) {
        return start_of(GM_OP_COMPUTE, GM_UNITS);
    }
    bool reads = instruction->op == GM_OP_LOAD || instruction->op == GM_OP_ATOMIC;
    uint64_t passes = instruction->space == GM_SPACE_SHARED && reads;
    return start_of(GM_OP_COMPUTE, GM_UNIT_MEMORY) | passes << GM_TIMED_PASSES_AT;
}

/* Returns the head of an instruction that reaches no memory. Requires that its opcode is learned.
 */
static uint64_t head_without_lines(const gm_intake *intake, const gm_instruction *instruction)
{
    unsigned unit = intake->unit[instruction->opcode];
    unsigned own = unit == GM_UNIT_MEMORY ? (unsigned)GM_UNITS : unit;
    int64_t groups = instruction->immediate;
    switch ((gm_op)instruction->op) {
    case GM_OP_BARRIER:
        return start_of(instruction->mask != 0 ? GM_OP_BARRIER : GM_OP_COMPUTE, own);
    case GM_OP_WAIT_GROUP:
        groups = groups < 0 ? 0 : groups > GM_TIMED_MOST_GROUPS ? GM_TIMED_MOST_GROUPS : groups;
        return start_of(GM_OP_WAIT_GROUP, own) | (uint64_t)groups << GM_TIMED_COUNT_AT;
    case GM_OP_COMPUTE:
        return start_of(GM_OP_COMPUTE, own) | (uint64_t)intake->halves[instruction->opcode]
                                                  << GM_TIMED_KIND_AT;
    case GM_OP_BRANCH:
    case GM_OP_EXIT:
    case GM_OP_COMMIT_GROUP:
        return start_of((gm_op)instruction->op, own);
    case GM_OP_UNMODELLED:
    case GM_OP_CACHE_CONTROL:
        return start_of(GM_OP_COMPUTE, own);
    case GM_OP_FENCE:
        return start_of(GM_OP_FENCE, intake->fence_unit) |
               (uint64_t)intake->scope[instruction->opcode] << GM_TIMED_COUNT_AT;
    case GM_OP_LOAD:
        return own == GM_UNITS ? idle_head(intake, instruction) : start_of(GM_OP_COMPUTE, own);
    case GM_OP_STORE:
    case GM_OP_ATOMIC:
    case GM_OP_REDUCTION:
    case GM_OP_ASYNC_COPY:
        return idle_head(intake, instruction);
    case GM_OPS:
        break;
    }
    return start_of(GM_OP_COMPUTE, GM_UNITS);
}

static uint64_t access_head(const gm_intake_known *known)
{
    return start_of((gm_op)known->like.op, GM_UNIT_MEMORY) | (uint64_t)known->kind
                                                                 << GM_TIMED_KIND_AT;
}

/* Returns the head's fields for `count` registers, of which the first `written` are written. */
static uint64_t registers_of(unsigned written, unsigned count)
{
    return (uint64_t)written << GM_TIMED_DESTINATIONS_AT | (uint64_t)count << GM_TIMED_REGISTERS_AT;
}

/* Keeps what instructions of this form do, and the beginning of their records. */
static void learn(gm_intake *intake, gm_intake_known *known, const gm_instruction *like)
{
    if (intake->opcodes <= like->opcode) {
        gm_lower_learn(intake, like->opcode);
    }
    known->like = *like;
    known->lanes = gm_count_ones(like->mask);
    known->part = gm_lower_part_of(intake, like, &known->kind);
    if (known->part == GM_INTAKE_RUN && !gm_data_banks_suit_run(intake->data_banks, like->width)) {
        known->part = GM_INTAKE_ACCESS;
    }
    memset(known->registers, 0, sizeof known->registers);
    unsigned written = gm_timed_pack(known->registers, 0, like->destination, like->destinations);
    unsigned count = gm_timed_pack(known->registers, written, like->source, like->sources);
    bool result;
    if (gm_lower_reaches(like)) {
        known->head = access_head(known);
        result = like->op == GM_OP_LOAD || like->op == GM_OP_ATOMIC;
    } else {
        known->head = head_without_lines(intake, like);
        result = gm_timed_unit(known->head) != GM_UNITS;
    }
    known->head |= registers_of(result ? written : 0, count);
    known->start = (uint32_t)(intake->code + GM_WARP_HEAD + gm_timed_register_bytes(known->head));
    known->coded = known->part;
    known->mapped = false;
    known->part = intake->code != 0 ? GM_INTAKE_CODED : known->part;
}

/* Most bytes of address, head and registers. */
enum { MOST_START = GM_TIMED_CODE + GM_WARP_HEAD + GM_TIMED_REGISTER_WORDS * 8 };

/* Writes head and registers at the beginning of a record without an address. */
static inline void put_start(unsigned char *at, uint64_t head, const gm_intake_known *known)
{
    memcpy(at, &head, sizeof head);
    memcpy(at + GM_WARP_HEAD, known->registers, sizeof known->registers);
}

/* As put_start, behind the address if records have it. */
static inline void put_any_start(const gm_intake *intake, unsigned char *at, uint64_t head,
                                 const gm_intake_known *known)
{
    memcpy(at, &intake->address, sizeof intake->address); /* overwritten, unless intake->code */
    put_start(at + intake->code, head, known);
}

static __attribute__((noinline)) int put_start_only(gm_intake *intake, uint64_t head,
                                                    const gm_intake_known *known, gm_error *error)
{
    unsigned char *at = gm_lower_reserve(intake, MOST_START, error);
    if (at == NULL) {
        return error->code;
    }
    put_any_start(intake, at, head, known);
    gm_warp_store_commit(intake->stream, known->start);
    return 0;
}

/* Returns the head of a record of `count` narrow line requests, of which this is the first. */
static uint64_t lines_head(uint64_t head, const gm_line_request *request, uint32_t count)
{
    return head | (uint64_t)GM_TIMED_LINES << GM_TIMED_LINES_AT |
           (uint64_t)count << GM_TIMED_COUNT_AT |
           (uint64_t)request->sectors << GM_TIMED_SECTORS_AT |
           (uint64_t)request->whole << GM_TIMED_WHOLE_AT;
}

/* Most bytes of a record with one line. */
enum { MOST_LINE = MOST_START + (int)sizeof(uint64_t) };

static inline void put_line(gm_warp_stream *stream, unsigned char *at, uint64_t head, uint64_t line,
                            const gm_intake_known *known)
{
    put_start(at, head, known);
    memcpy(at + known->start, &line, sizeof line);
    gm_warp_store_commit(stream, known->start + sizeof line);
}

/* Puts a record with one line when the stream has no room for it in its chunk. */
static __attribute__((noinline)) int put_far_line(gm_intake *intake, uint64_t head, uint64_t line,
                                                  const gm_intake_known *known, gm_error *error)
{
    unsigned char *at = gm_lower_reserve(intake, MOST_LINE, error);
    if (at == NULL) {
        return error->code;
    }
    put_line(intake->stream, at, head, line, known);
    return 0;
}

static int put_local(gm_intake *intake, uint64_t head, const gm_intake_known *known,
                     const gm_instruction *instruction, gm_error *error)
{
    unsigned char *at =
        gm_lower_reserve(intake, MOST_START + gm_local_record_room(instruction), error);
    if (at == NULL) {
        return error->code;
    }
    put_any_start(intake, at, head | (uint64_t)GM_TIMED_LOCAL << GM_TIMED_LINES_AT, known);
    size_t bytes = gm_local_record_put(at + known->start, instruction);
    gm_warp_store_commit(intake->stream, known->start + bytes);
    return 0;
}

/* Line requests of a record. */
typedef struct lines {
    const gm_line_request *request;
    uint32_t count;
    bool wide; /* they do not fit narrow ones */
} lines;

static int put_wide(gm_intake *intake, uint64_t head, const gm_intake_known *known, lines lines,
                    gm_error *error)
{
    size_t bytes = gm_lower_wide_bytes(intake, gm_timed_kind(head), lines.count);
    unsigned char *at = gm_lower_reserve(intake, MOST_START + bytes, error);
    if (at == NULL) {
        return error->code;
    }
    head |= (uint64_t)GM_TIMED_WIDE << GM_TIMED_LINES_AT | (uint64_t)lines.count
                                                               << GM_TIMED_COUNT_AT;
    put_any_start(intake, at, head, known);
    gm_lower_put_wide(intake, at + known->start, gm_timed_kind(head), lines.request, lines.count);
    gm_warp_store_commit(intake->stream, known->start + bytes);
    return 0;
}

static int put_lines(gm_intake *intake, uint64_t head, const gm_intake_known *known, lines lines,
                     gm_error *error)
{
    if (lines.wide) {
        return put_wide(intake, head, known, lines, error);
    }
    size_t room = MOST_START + sizeof lines.request->line + (size_t)lines.count * GM_WARP_NEXT_LINE;
    unsigned char *at = gm_lower_reserve(intake, room, error);
    if (at == NULL) {
        return error->code;
    }
    put_any_start(intake, at, lines_head(head, lines.request, lines.count), known);
    size_t bytes = gm_lower_put_narrow(at + known->start, lines.request, lines.count);
    if (bytes == 0) {
        return put_wide(intake, head, known, lines, error);
    }
    gm_warp_store_commit(intake->stream, known->start + bytes);
    return 0;
}

/* Puts the records of an instruction: the first has its registers, others only more lines. */
static int put_requests(gm_intake *intake, uint64_t head, const gm_intake_known *known,
                        gm_error *error)
{
    const gm_intake_known bare = {.start = intake->code + GM_WARP_HEAD};
    lines next = {.request = intake->coalescer.request,
                  .wide = intake->wide || gm_lower_has_masks(intake, gm_timed_kind(head))};
    const uint32_t most = gm_lower_most(intake, gm_timed_kind(head), next.wide);
    int code = 0;
    for (uint32_t left = intake->coalescer.requests; left > 0 && code == 0; left -= next.count) {
        next.count = left < most ? left : most;
        code =
            put_lines(intake, head | (next.count < left ? GM_TIMED_MORE : 0), known, next, error);
        next.request += next.count;
        head &= ~registers_of(7, 15);
        known = &bare;
    }
    return code;
}

static __attribute__((noinline)) int take_access(gm_intake *intake, const gm_intake_known *known,
                                                 const gm_instruction *instruction, gm_error *error)
{
    uint32_t passes = gm_lower_coalesce(intake, known->kind, instruction);
    const gm_coalescer *coalescer = &intake->coalescer;
    if (coalescer->requests == 0 && passes == 0) { /* no active lane touches memory */
        uint64_t head = head_without_lines(intake, instruction);
        bool result = gm_timed_unit(head) != GM_UNITS; /* a constant's (sm.opcode_units) */
        head |= registers_of(result ? gm_timed_destinations(known->head) : 0,
                             gm_timed_registers(known->head));
        return put_start_only(intake, head, known, error);
    }
    if (intake->data_banks > 1 && coalescer->requests != 0 && known->kind < GM_REQUEST_ATOMIC) {
        passes = gm_data_banks_access(instruction, intake->data_banks,
                                      coalescer->local && !coalescer->global);
    }
    uint64_t head = known->head | (uint64_t)passes << GM_TIMED_PASSES_AT;
    if (coalescer->local) {
        return put_local(intake, head, known, instruction, error);
    }
    return coalescer->requests != 0 ? put_requests(intake, head, known, error)
                                    : put_start_only(intake, head, known, error);
}

static __attribute__((noinline)) int take_run(gm_intake *intake, const gm_intake_known *known,
                                              const gm_instruction *instruction, gm_error *error)
{
    gm_line_request request;
    if (!gm_lower_one_line(intake, known->kind, instruction, &request)) {
        return take_access(intake, known, instruction, error);
    }
    uint64_t head = lines_head(known->head, &request, 1);
    gm_warp_stream *stream = intake->stream;
    if ((size_t)(stream->limit - stream->write) < MOST_LINE) {
        return put_far_line(intake, head, request.line, known, error);
    }
    put_line(stream, stream->write, head, request.line, known);
    return 0;
}

/* Takes an instruction whose record has its address. */
static __attribute__((noinline)) int take_coded(gm_intake *intake, const gm_intake_known *known,
                                                const gm_instruction *instruction, gm_error *error)
{
    intake->address = intake->region + instruction->pc;
    int code = 0;
    if (intake->map != NULL && !known->mapped) {
        code = gm_code_map_note(intake->map, intake->address, instruction);
        if (code < 0) {
            return gm_fail(error, code, "out of memory: the code's instructions");
        }
        intake->known[known - intake->known].mapped = true;
    }
    switch (known->coded) {
    case GM_INTAKE_RUN:
    case GM_INTAKE_ACCESS:
        return take_access(intake, known, instruction, error);
    case GM_INTAKE_OTHER:
        code = gm_lower_count_other(intake, instruction, error);
        break;
    case GM_INTAKE_TURN:
    case GM_INTAKE_CODED:
        break;
    }
    return code < 0 ? code : put_start_only(intake, known->head, known, error);
}

/* Puts a record without lines, the most common one, without a call if the stream has room. */
static inline int take_turn(gm_intake *intake, const gm_intake_known *known, gm_error *error)
{
    gm_warp_stream *stream = intake->stream;
    if ((size_t)(stream->limit - stream->write) < MOST_START) {
        return put_start_only(intake, known->head, known, error);
    }
    put_start(stream->write, known->head, known);
    gm_warp_store_commit(stream, known->start);
    return 0;
}

static inline int take(gm_intake *intake, const gm_intake_known *known,
                       const gm_instruction *instruction, gm_error *error)
{
    intake->cta->core.thread_instructions += known->lanes;
    switch (known->part) {
    case GM_INTAKE_TURN:
        return take_turn(intake, known, error);
    case GM_INTAKE_RUN:
        return take_run(intake, known, instruction, error);
    case GM_INTAKE_ACCESS:
        return take_access(intake, known, instruction, error);
    case GM_INTAKE_CODED:
        return take_coded(intake, known, instruction, error);
    case GM_INTAKE_OTHER:
        break;
    }
    int code = gm_lower_count_other(intake, instruction, error);
    return code < 0 ? code : put_start_only(intake, known->head, known, error);
}

static __attribute__((noinline)) int take_new(gm_intake *intake, gm_intake_known *known,
                                              const gm_instruction *instruction, gm_error *error)
{
    learn(intake, known, instruction);
    return take(intake, known, instruction, error);
}

/* True if two instructions differ at most in their PC and addresses. */
static inline bool alike(const gm_instruction *a, const gm_instruction *b)
{
    enum {
        FROM = offsetof(gm_instruction, mask),
        TO = offsetof(gm_instruction, source) + sizeof a->source,
    };
    return a->immediate == b->immediate &&
           memcmp((const char *)a + FROM, (const char *)b + FROM, TO - FROM) == 0;
}

int gm_lower_timed(gm_intake *intake, const gm_instruction *instruction, gm_error *error)
{
    uint64_t key = instruction->pc + ((uint64_t)instruction->mask << 32);
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    gm_intake_known *known = &intake->known[hash >> (64 - GM_INTAKE_KNOWN_BITS)];
    intake->cta->core.warp_instructions++;
    return alike(&known->like, instruction) ? take(intake, known, instruction, error)
                                            : take_new(intake, known, instruction, error);
}
