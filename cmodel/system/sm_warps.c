/* SM of the order engine: its warps' slots, run queue and barriers. */
#include "system/sm.h"

#include "goldmem/bits.h"
#include "system/run.h"

#include <errno.h>

enum { WORD = 64, ALIGNMENT = 64 };

size_t gm_sm_bytes(const gm_config *config)
{
    return config->sm.warps * (sizeof(gm_resident_warp) + sizeof(uint64_t)) + (size_t)2 * ALIGNMENT;
}

int gm_sm_init(gm_sm *sm, const gm_config *config, uint32_t number, gm_arena *arena,
               gm_error *error)
{
    uint32_t slots = (uint32_t)config->sm.warps;
    sm->number = number;
    sm->slots = slots;
    sm->warp = gm_arena_take(arena, slots, sizeof *sm->warp);
    sm->ready = gm_arena_take(arena, (slots + WORD - 1) / WORD, sizeof *sm->ready);
    return sm->warp != NULL && sm->ready != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory: SM");
}

static void set_ready(gm_sm *sm, uint32_t slot, bool ready)
{
    uint64_t bit = UINT64_C(1) << (slot % WORD);
    uint64_t *word = &sm->ready[slot / WORD];
    *word = ready ? *word | bit : *word & ~bit;
}

bool gm_sm_admit(gm_sm *sm, gm_cta *cta)
{
    uint32_t slot = 0;
    cta->sm = sm->number;
    cta->live = 0;
    cta->waiting = 0;
    sm->core.ctas++;
    sm->core.warps += cta->warps;
    for (uint32_t i = 0; i < cta->warps; i++) {
        if (cta->stream[i].count == 0) {
            cta->slot[i] = GM_NO_SLOT;
            continue;
        }
        while (sm->warp[slot].cta != NULL) {
            slot++;
        }
        sm->warp[slot] = (gm_resident_warp){.cta = cta, .place = i};
        cta->slot[i] = slot;
        cta->live++;
        set_ready(sm, slot, true);
    }
    sm->resident += cta->live;
    return cta->live == 0;
}

/* First slot at or after `next` that is ready, or the first one of all. */
static uint32_t pick(const gm_sm *sm)
{
    uint32_t words = (sm->slots + WORD - 1) / WORD;
    uint32_t word = sm->next / WORD;
    uint64_t ready = sm->ready[word] & ~gm_mask(sm->next % WORD);
    while (ready == 0) {
        word = word + 1 == words ? 0 : word + 1;
        ready = sm->ready[word];
    }
    return word * WORD + gm_lowest_one(ready);
}

/* Every live warp of the CTA is at the barrier: they go on. */
static void open_barrier(gm_sm *sm, gm_cta *cta)
{
    for (uint32_t i = 0; i < cta->warps; i++) {
        uint32_t slot = cta->slot[i];
        if (slot != GM_NO_SLOT && sm->warp[slot].waiting) {
            sm->warp[slot].waiting = false;
            set_ready(sm, slot, true);
        }
    }
    cta->waiting = 0;
}

static void retire(gm_sm *sm, uint32_t slot)
{
    gm_resident_warp *warp = &sm->warp[slot];
    warp->cta->slot[warp->place] = GM_NO_SLOT;
    warp->cta->live--;
    warp->cta->waiting -= warp->waiting; /* its last instruction was a barrier */
    warp->waiting = false;
    warp->cta = NULL;
    sm->resident--;
    set_ready(sm, slot, false);
}

/* Its warp instructions count at once, its turns pass one by one. */
static void begin_run(gm_sm *sm, gm_resident_warp *warp, const gm_instruction *record)
{
    gm_run run = gm_run_unpack(record);
    sm->core.warp_instructions += run.instructions;
    sm->core.thread_instructions += run.lanes;
    warp->idle = run.instructions - 1;
}

static int take(gm_sm *sm, gm_sm_shared *shared, gm_resident_warp *warp, uint32_t slot,
                gm_error *error)
{
    gm_cta *cta = warp->cta;
    gm_instruction instruction;
    int code = gm_warp_store_take(shared->store, &cta->stream[warp->place], &instruction,
                                  shared->address, error);
    if (code <= 0) {
        return code < 0 ? code : gm_fail(error, -EPROTO, "a warp lost its instructions");
    }
    if (gm_run_is(&instruction)) {
        begin_run(sm, warp, &instruction);
        return 0;
    }
    if (instruction.op == GM_OP_BARRIER && instruction.mask != 0) {
        warp->waiting = true;
        cta->waiting++;
        set_ready(sm, slot, false);
    }
    return gm_sm_execute(sm, shared, cta, slot, &instruction, error);
}

int gm_sm_step(gm_sm *sm, gm_sm_shared *shared, gm_cta **ended, gm_error *error)
{
    uint32_t slot = pick(sm);
    gm_resident_warp *warp = &sm->warp[slot];
    gm_cta *cta = warp->cta;
    int code = 0;
    *ended = NULL;
    sm->next = slot + 1 == sm->slots ? 0 : slot + 1;
    if (warp->idle != 0) {
        warp->idle--;
    } else {
        code = take(sm, shared, warp, slot, error);
    }
    if (cta->stream[warp->place].count == 0 && warp->idle == 0) {
        retire(sm, slot);
        *ended = cta->live == 0 ? cta : NULL;
    }
    if (cta->waiting != 0 && cta->waiting == cta->live) {
        open_barrier(sm, cta);
    }
    return code;
}
