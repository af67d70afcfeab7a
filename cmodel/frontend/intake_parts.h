/* Private to the intake: what the records of both engines have in common. */
#ifndef GOLDMEM_FRONTEND_INTAKE_PARTS_H
#define GOLDMEM_FRONTEND_INTAKE_PARTS_H

#include "frontend/intake.h"
#include "frontend/local_record.h"
#include "frontend/shared_memory.h"
#include "frontend/warp_record.h"

/* An instruction of the cycle engine's form. */
int gm_intake_timed(gm_intake *intake, const gm_instruction *instruction, gm_error *error);

/* Room for a record at the end of the warp's stream. */
static inline unsigned char *gm_intake_reserve(gm_intake *intake, size_t bytes, gm_error *error)
{
    return gm_warp_store_reserve(intake->store, intake->stream, bytes, error);
}

/* Looks up the opcodes that have come since the last time, up to this one. */
static inline void gm_intake_learn(gm_intake *intake, uint16_t last)
{
    const gm_opcode_table *table = &intake->source->opcodes;
    for (; intake->opcodes <= last && intake->opcodes < table->count; intake->opcodes++) {
        const gm_opcode *opcode = &table->opcodes[intake->opcodes];
        intake->strong[intake->opcodes] = opcode->bypasses_l1;
        intake->rows[intake->opcodes] = opcode->rows;
        intake->unit[intake->opcodes] = (uint8_t)opcode->unit;
    }
}

/* What a cache sees of an operation. An asynchronous copy has addresses for its global side only.
 */
static const struct {
    bool reaches;
    uint8_t kind; /* gm_request_kind */
} gm_intake_access[GM_OPS + 1] = {
    [GM_OP_LOAD] = {true, GM_REQUEST_LOAD},           [GM_OP_ASYNC_COPY] = {true, GM_REQUEST_LOAD},
    [GM_OP_STORE] = {true, GM_REQUEST_STORE},         [GM_OP_ATOMIC] = {true, GM_REQUEST_ATOMIC},
    [GM_OP_REDUCTION] = {true, GM_REQUEST_REDUCTION},
};

static inline bool gm_intake_reaches(const gm_instruction *instruction)
{
    return instruction->addresses != 0 && gm_intake_access[instruction->op].reaches;
}

/* What happens with an instruction, and the kind of its requests. */
static inline gm_intake_way gm_intake_way_of(gm_intake *intake, const gm_instruction *instruction,
                                             gm_request_kind *kind)
{
    gm_op op = (gm_op)instruction->op;
    if (!gm_intake_reaches(instruction)) {
        bool counted = instruction->width != 0 || op == GM_OP_BARRIER || op == GM_OP_FENCE ||
                       op == GM_OP_CACHE_CONTROL || op == GM_OP_UNMODELLED;
        return counted ? GM_INTAKE_OTHER : GM_INTAKE_PLAIN;
    }
    if (intake->opcodes <= instruction->opcode) {
        gm_intake_learn(intake, instruction->opcode);
    }
    *kind = (gm_request_kind)gm_intake_access[op].kind;
    if (*kind == GM_REQUEST_LOAD && intake->strong[instruction->opcode]) {
        *kind = GM_REQUEST_STRONG_LOAD;
    }
    return !intake->wide && gm_coalesce_may_run(instruction) ? GM_INTAKE_RUN : GM_INTAKE_ACCESS;
}

/* Counts an OTHER instruction. -ENOMEM. */
static inline int gm_intake_count_other(gm_intake *intake, const gm_instruction *instruction,
                                        gm_error *error)
{
    gm_core_statistics *core = &intake->cta->core;
    core->memory_instructions += instruction->width != 0;
    core->barriers += instruction->op == GM_OP_BARRIER;
    core->fences += instruction->op == GM_OP_FENCE;
    return gm_instruction_is_unmodelled(instruction)
               ? gm_opcode_tally_add(&intake->cta->tally, instruction->opcode, 1, error)
               : 0;
}

/* A run in one line, the most common access, needs no coalescer. True: this RUN is one, was
 * counted, and is this request but for the lanes. */
static inline bool gm_intake_one_line(gm_intake *intake, gm_request_kind kind,
                                      const gm_instruction *instruction, gm_line_request *request)
{
    uint32_t count = instruction->addresses;
    uint32_t width = instruction->width;
    gm_core_statistics *core = &intake->cta->core;
    if (instruction->stride != width || !gm_coalesce_line(&intake->coalescer, instruction->base,
                                                          (uint64_t)count * width, request)) {
        return false;
    }
    core->memory_instructions++;
    core->global_instructions++;
    core->lane_accesses += count;
    core->atomic_instructions += kind >= GM_REQUEST_ATOMIC;
    return true;
}

/* Passes over shared memory, counted. */
static inline uint32_t gm_intake_shared(gm_intake *intake, const gm_instruction *instruction,
                                        bool atomic)
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
    return passes.accesses + passes.conflicts;
}

/* Coalesces an instruction that reaches memory, and counts that. Returns its passes over shared
 * memory. */
static inline uint32_t gm_intake_coalesce(gm_intake *intake, gm_request_kind kind,
                                          const gm_instruction *instruction)
{
    const gm_coalescer *coalescer = &intake->coalescer;
    gm_core_statistics *core = &intake->cta->core;
    bool atomic = kind >= GM_REQUEST_ATOMIC;
    core->memory_instructions += instruction->width != 0;
    gm_coalesce(&intake->coalescer, &intake->context, instruction);
    core->global_instructions += coalescer->global;
    core->local_instructions += coalescer->local;
    core->lane_accesses += coalescer->lane_accesses;
    core->atomic_instructions += atomic && coalescer->global;
    return coalescer->shared_accesses != 0 ? gm_intake_shared(intake, instruction, atomic) : 0;
}

/* Narrow line requests, as in GM_WARP_LINES: their bytes, or 0 when not all lines are near the
 * first. */
static inline size_t gm_intake_put_narrow(unsigned char *at, const gm_line_request *request,
                                          uint32_t count)
{
    uint64_t first = request->line;
    memcpy(at, &first, sizeof first);
    unsigned char *next = at + sizeof first;
    uint64_t outside = 0;
    for (uint32_t i = 1; i < count; i++, next += GM_WARP_NEXT_LINE) {
        uint64_t distance = request[i].line - first;
        uint32_t low = (uint32_t)distance;
        memcpy(next, &low, sizeof low);
        next[4] = (unsigned char)request[i].sectors;
        next[5] = (unsigned char)request[i].whole;
        outside |= (distance + UINT64_C(0x80000000)) >> 32;
    }
    return outside == 0 ? (size_t)(next - at) : 0;
}

#endif
