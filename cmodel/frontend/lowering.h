/* Lowering: turns instructions into records. This header computes what both engines' records need:
 * what an instruction does to memory, and its counters. Private to the intake. */
#ifndef GOLDMEM_FRONTEND_LOWERING_H
#define GOLDMEM_FRONTEND_LOWERING_H

#include "frontend/intake.h"
#include "frontend/local_record.h"
#include "frontend/shared_memory.h"
#include "frontend/warp_record.h"

/* Lowers an instruction to warp records (order engine), or to timed records (cycle engine). Return
 * 0 or a negative errno value of the warp store. */
int gm_lower_order(gm_intake *intake, const gm_instruction *instruction, gm_error *error);
int gm_lower_timed(gm_intake *intake, const gm_instruction *instruction, gm_error *error);

/* Order engine: writes the record of turns that reach no cache, at the end of a warp. Returns 0 or
 * a negative errno value. */
int gm_lower_end_run(gm_intake *intake, gm_error *error);

/* Returns room for a record at the end of the warp's stream, or NULL with error->code. */
static inline unsigned char *gm_lower_reserve(gm_intake *intake, size_t bytes, gm_error *error)
{
    return gm_warp_store_reserve(intake->store, intake->stream, bytes, error);
}

/* Looks up the source's new opcodes, up to this one. */
static inline void gm_lower_learn(gm_intake *intake, uint16_t last)
{
    const gm_opcode_table *table = &intake->source->opcodes;
    for (; intake->opcodes <= last && intake->opcodes < table->count; intake->opcodes++) {
        const gm_opcode *opcode = &table->opcodes[intake->opcodes];
        intake->strong[intake->opcodes] =
            opcode->bypasses_l1 && !(intake->coherent && opcode->strong);
        intake->rows[intake->opcodes] = opcode->rows;
        intake->lane_copy[intake->opcodes] =
            opcode->op == GM_OP_ASYNC_COPY && opcode->text[0] == 'L';
        intake->unit[intake->opcodes] = (uint8_t)gm_opcode_units_of(&intake->units, opcode);
        intake->halves[intake->opcodes] = gm_opcode_units_halves(&intake->units, opcode);
        intake->scope[intake->opcodes] = (uint8_t)opcode->scope;
    }
}

/* Operations that reach a cache, and the kind of their requests. An asynchronous copy has addresses
 * for its global side only. */
static const struct {
    bool reaches;
    uint8_t kind; /* gm_request_kind */
} gm_lower_access[GM_OPS + 1] = {
    [GM_OP_LOAD] = {true, GM_REQUEST_LOAD},           [GM_OP_ASYNC_COPY] = {true, GM_REQUEST_LOAD},
    [GM_OP_STORE] = {true, GM_REQUEST_STORE},         [GM_OP_ATOMIC] = {true, GM_REQUEST_ATOMIC},
    [GM_OP_REDUCTION] = {true, GM_REQUEST_REDUCTION},
};

static inline bool gm_lower_reaches(const gm_instruction *instruction)
{
    return instruction->addresses != 0 && gm_lower_access[instruction->op].reaches;
}

/* Returns what an instruction needs; for RUN and ACCESS also sets *kind. */
static inline gm_intake_part gm_lower_part_of(gm_intake *intake, const gm_instruction *instruction,
                                              gm_request_kind *kind)
{
    gm_op op = (gm_op)instruction->op;
    if (!gm_lower_reaches(instruction)) {
        bool counted = instruction->width != 0 || op == GM_OP_BARRIER || op == GM_OP_FENCE ||
                       op == GM_OP_CACHE_CONTROL || op == GM_OP_UNMODELLED;
        return counted ? GM_INTAKE_OTHER : GM_INTAKE_TURN;
    }
    if (intake->opcodes <= instruction->opcode) {
        gm_lower_learn(intake, instruction->opcode);
    }
    *kind = (gm_request_kind)gm_lower_access[op].kind;
    if (*kind == GM_REQUEST_LOAD && intake->strong[instruction->opcode]) {
        *kind = GM_REQUEST_STRONG_LOAD;
    }
    bool other = *kind == GM_REQUEST_STRONG_LOAD || *kind >= GM_REQUEST_ATOMIC;
    bool run = !intake->wide && op != GM_OP_ASYNC_COPY &&
               !(intake->bytes && *kind >= GM_REQUEST_STORE) &&
               !(intake->coalescer.bypassed_sectors && other) &&
               !gm_coalescer_is_narrow(&intake->coalescer, instruction->width);
    return run && gm_coalesce_may_run(instruction) ? GM_INTAKE_RUN : GM_INTAKE_ACCESS;
}

static inline void gm_lower_count_fence(gm_intake *intake, uint16_t opcode)
{
    gm_core_statistics *core = &intake->cta->core;
    if (intake->opcodes <= opcode) {
        gm_lower_learn(intake, opcode);
    }
    core->fences++;
    core->fences_gpu += intake->scope[opcode] == GM_SCOPE_GPU;
    core->fences_sys += intake->scope[opcode] == GM_SCOPE_SYS;
}

/* Counts an OTHER instruction. Returns 0 or -ENOMEM. */
static inline int gm_lower_count_other(gm_intake *intake, const gm_instruction *instruction,
                                       gm_error *error)
{
    gm_core_statistics *core = &intake->cta->core;
    core->memory_instructions += instruction->width != 0;
    core->barriers += instruction->op == GM_OP_BARRIER;
    if (instruction->op == GM_OP_FENCE) {
        gm_lower_count_fence(intake, instruction->opcode);
    }
    return gm_instruction_is_unmodelled(instruction)
               ? gm_opcode_tally_add(&intake->cta->tally, instruction->opcode, 1, error)
               : 0;
}

/* Returns true if a RUN lies in one line, the most common access, which needs no coalescer: then
 * counts it and sets *request, except for the lanes. */
static inline bool gm_lower_one_line(gm_intake *intake, gm_request_kind kind,
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

/* Returns the instruction's passes over shared memory, and counts them. */
static inline uint32_t gm_lower_shared(gm_intake *intake, const gm_instruction *instruction,
                                       bool atomic)
{
    const gm_coalescer *coalescer = &intake->coalescer;
    gm_core_statistics *core = &intake->cta->core;
    uint32_t count = coalescer->shared_accesses;
    unsigned rows = intake->rows[instruction->opcode];
    while (rows != 0 && count > 1 && coalescer->shared[count - 1].lane >= rows) {
        count--; /* LDSM: lanes ascend; lanes beyond the rows give no address */
    }
    unsigned width = instruction->width < intake->widest ? instruction->width : intake->widest;
    gm_shared_passes passes = gm_shared_memory_access(
        coalescer->shared, count, width, intake->banks, atomic && intake->atomic_passes);
    core->shared_instructions++;
    core->shared_accesses += passes.accesses;
    core->shared_conflicts += passes.conflicts;
    return passes.accesses + passes.conflicts;
}

/* Counts what an asynchronous copy writes to shared memory. A trace has no addresses of that side,
 * and of bulk copies no length for each address. */
static inline void gm_lower_count_copy(gm_intake *intake, const gm_instruction *instruction)
{
    gm_core_statistics *core = &intake->cta->core;
    core->copies_to_shared++;
    if (intake->lane_copy[instruction->opcode]) {
        core->copied_to_shared += (uint64_t)instruction->addresses * instruction->width;
    }
}

/* Coalesces an instruction that reaches memory and counts it. Returns its passes over shared
 * memory. */
static inline uint32_t gm_lower_coalesce(gm_intake *intake, gm_request_kind kind,
                                         const gm_instruction *instruction)
{
    const gm_coalescer *coalescer = &intake->coalescer;
    gm_core_statistics *core = &intake->cta->core;
    bool atomic = kind >= GM_REQUEST_ATOMIC;
    core->memory_instructions += instruction->width != 0;
    gm_coalescer_take_kind(&intake->coalescer, kind);
    gm_coalesce(&intake->coalescer, &intake->context, instruction);
    core->global_instructions += coalescer->global;
    core->local_instructions += coalescer->local;
    core->lane_accesses += coalescer->lane_accesses;
    core->atomic_instructions += atomic && coalescer->global;
    if (instruction->op == GM_OP_ASYNC_COPY) {
        gm_lower_count_copy(intake, instruction);
    }
    return coalescer->shared_accesses != 0 ? gm_lower_shared(intake, instruction, atomic) : 0;
}

/* Returns the bytes of `count` wide line requests in a record, with their words and bytes if kept.
 */
static inline size_t gm_lower_wide_bytes(const gm_intake *intake, gm_request_kind kind,
                                         uint32_t count)
{
    size_t words = intake->words ? intake->coalescer.sectors_per_line : 0;
    return count * (sizeof(gm_line_request) + words +
                    gm_warp_mask_bytes(intake->bytes, kind, intake->coalescer.sectors_per_line));
}

/* Returns the most line requests of a record: they fit a record of the warp store, narrow ones also
 * as wide ones if a line is too far from the first. */
static inline uint32_t gm_lower_most(const gm_intake *intake, gm_request_kind kind, bool wide)
{
    enum { START = GM_TIMED_CODE + GM_WARP_HEAD + GM_TIMED_REGISTER_WORDS * 8 };
    if (!wide && gm_warp_mask_bytes(intake->bytes, kind, 1) == 0) {
        return GM_WARP_MOST_LINES;
    }
    size_t most = (GM_WARP_STORE_RECORD - START) / gm_lower_wide_bytes(intake, kind, 1);
    return most < GM_WARP_MOST_LINES ? (uint32_t)most : GM_WARP_MOST_LINES;
}

/* Writes wide line requests of the last instruction, and their words and bytes if kept. */
static inline void gm_lower_put_wide(const gm_intake *intake, unsigned char *at,
                                     gm_request_kind kind, const gm_line_request *request,
                                     uint32_t count)
{
    const gm_coalescer *coalescer = &intake->coalescer;
    uint32_t first = (uint32_t)(request - coalescer->request);
    size_t masks = gm_warp_mask_bytes(intake->bytes, kind, coalescer->sectors_per_line);
    memcpy(at, request, count * sizeof *request);
    at += count * sizeof *request;
    for (uint32_t i = 0; intake->words && i < count; i++, at += coalescer->sectors_per_line) {
        gm_coalescer_words(coalescer, first + i, at);
    }
    for (uint32_t i = 0; masks != 0 && i < count; i++, at += masks) {
        uint32_t bytes[GM_LINE_SECTORS];
        gm_coalescer_masks(coalescer, first + i, bytes);
        memcpy(at, bytes, masks);
    }
}

/* True if the last instruction's bytes are kept, and narrow line requests cannot tell them: a
 * sector is not written whole. */
static inline bool gm_lower_has_masks(const gm_intake *intake, gm_request_kind kind)
{
    const gm_coalescer *coalescer = &intake->coalescer;
    bool masks = false;
    if (intake->bytes && kind >= GM_REQUEST_STORE) {
        for (uint32_t i = 0; !masks && i < coalescer->requests; i++) {
            masks = coalescer->request[i].whole != coalescer->request[i].sectors;
        }
    }
    return masks;
}

/* Writes narrow line requests, as in GM_WARP_LINES. Returns their bytes, or 0 if a line is too far
 * from the first. */
static inline size_t gm_lower_put_narrow(unsigned char *at, const gm_line_request *request,
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
