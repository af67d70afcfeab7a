/* SM of the order engine: what a warp instruction does to the memory system, and how it counts. */
#include "system/sm.h"

#include "goldmem/bits.h"
#include "system/shared_memory.h"

/* An access that a cache tells apart, or none. */
static bool access_kind(const gm_instruction *instruction, gm_access_kind *kind)
{
    switch ((gm_op)instruction->op) {
    case GM_OP_LOAD:
    case GM_OP_ASYNC_COPY: /* its global side; the side of shared memory has no addresses */
        *kind = GM_LOAD;
        return true;
    case GM_OP_STORE:
        *kind = GM_STORE;
        return true;
    case GM_OP_ATOMIC:
    case GM_OP_REDUCTION:
        *kind = GM_ATOMIC;
        return true;
    case GM_OP_COMPUTE:
    case GM_OP_BRANCH:
    case GM_OP_EXIT:
    case GM_OP_COMMIT_GROUP:
    case GM_OP_WAIT_GROUP:
    case GM_OP_BARRIER:
    case GM_OP_FENCE:
    case GM_OP_CACHE_CONTROL:
    case GM_OPS:
        break;
    }
    return false;
}

static int analyse(const gm_sm *sm, gm_sm_shared *shared, const gm_cta *cta, uint32_t slot,
                   const gm_line_request *request, gm_access_kind kind, gm_outcome outcome,
                   gm_error *error)
{
    gm_analysis_access access = {
        .line = request->line,
        .kernel = shared->kernel,
        .cta = cta->number,
        .warp = cta->number * shared->warps + cta->warp[sm->warp[slot].place],
        .unit = sm->number,
        .sm = sm->number,
        .lanes = request->lanes,
        .sectors = request->sectors,
        .fills = outcome.fills,
        .space = request->local ? GM_SPACE_LOCAL : GM_SPACE_GLOBAL,
        .kind = kind,
        .origin = GM_ORIGIN_WARP,
        .drops = outcome.drops,
        .hit = outcome.hit,
        .bypass = outcome.bypass,
    };
    int code = gm_analysis_l1_access(shared->analysis, &access, error);
    /* The L2 is reported through what the request has caused so far. */
    shared->memory->cause = access;
    gm_noc_deliver(shared->noc);
    return code < 0 ? code : gm_memory_side_failed(shared->memory, error);
}

static int access_lines(gm_sm *sm, gm_sm_shared *shared, const gm_cta *cta, uint32_t slot,
                        const gm_instruction *instruction, gm_access_kind kind, gm_error *error)
{
    const gm_coalescer *coalescer = &shared->coalescer;
    bool strong = kind == GM_LOAD && gm_feeder_is_strong(shared->feeder, instruction->opcode);
    sm->requests[kind] += coalescer->requests;
    for (uint32_t i = 0; i < coalescer->requests; i++) {
        const gm_line_request *request = &coalescer->request[i];
        gm_outcome outcome = {0};
        switch (kind) {
        case GM_LOAD:
            gm_l1d_load(&sm->l1d, request, strong, &outcome);
            break;
        case GM_STORE:
            gm_l1d_store(&sm->l1d, request, &outcome);
            break;
        case GM_ATOMIC:
            gm_l1d_atomic(&sm->l1d, request, instruction->op == GM_OP_ATOMIC, &outcome);
            break;
        case GM_ACCESS_KINDS:
            break;
        }
        if (shared->analysis != NULL) {
            int code = analyse(sm, shared, cta, slot, request, kind, outcome, error);
            if (code < 0) {
                return code;
            }
        }
    }
    return 0;
}

static void access_shared(gm_sm *sm, const gm_sm_shared *shared, const gm_instruction *instruction,
                          gm_access_kind kind)
{
    const gm_coalescer *coalescer = &shared->coalescer;
    uint32_t count = coalescer->shared_accesses;
    unsigned rows = gm_feeder_rows(shared->feeder, instruction->opcode);
    while (rows != 0 && count > 1 && coalescer->shared[count - 1].lane >= rows) {
        count--; /* LDSM: lanes ascend, and those past the rows give no address */
    }
    gm_shared_passes passes = gm_shared_memory_access(coalescer->shared, count, instruction->width,
                                                      shared->banks, kind == GM_ATOMIC);
    sm->core.shared_instructions++;
    sm->core.shared_accesses += passes.accesses;
    sm->core.shared_conflicts += passes.conflicts;
}

static int access_memory(gm_sm *sm, gm_sm_shared *shared, const gm_cta *cta, uint32_t slot,
                         const gm_instruction *instruction, gm_access_kind kind, gm_error *error)
{
    gm_coalescer *coalescer = &shared->coalescer;
    gm_core_statistics *core = &sm->core;
    shared->context.warp_slot = sm->number * sm->slots + slot;
    gm_coalesce(coalescer, &shared->context, instruction);
    core->global_instructions += coalescer->global;
    core->local_instructions += coalescer->local;
    core->lane_accesses += coalescer->lane_accesses;
    core->atomic_instructions += kind == GM_ATOMIC && coalescer->global;
    if (coalescer->shared_accesses != 0) {
        access_shared(sm, shared, instruction, kind);
    }
    return access_lines(sm, shared, cta, slot, instruction, kind, error);
}

int gm_sm_execute(gm_sm *sm, gm_sm_shared *shared, const gm_cta *cta, uint32_t slot,
                  const gm_instruction *instruction, gm_error *error)
{
    gm_core_statistics *core = &sm->core;
    gm_access_kind kind = GM_LOAD;
    core->warp_instructions++;
    core->thread_instructions += gm_count_ones(instruction->mask);
    core->memory_instructions += instruction->width != 0;
    core->barriers += instruction->op == GM_OP_BARRIER;
    core->fences += instruction->op == GM_OP_FENCE;
    if (instruction->addresses == 0 || !access_kind(instruction, &kind)) {
        return 0;
    }
    return access_memory(sm, shared, cta, slot, instruction, kind, error);
}
