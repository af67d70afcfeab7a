/* SM of the order engine: warp slots, run queue and barriers. */
#include "order/order_sm.h"

#include "base/bitset.h"
#include "frontend/warp_record.h"
#include "goldmem/bits.h"

#include <errno.h>

enum { ALIGNMENT = 64 };

size_t gm_order_sm_bytes(const gm_config *config)
{
    return config->sm.warps * (sizeof(gm_resident_warp) + sizeof(uint64_t)) + (size_t)2 * ALIGNMENT;
}

int gm_order_sm_init(gm_order_sm *sm, const gm_config *config, uint32_t number, gm_arena *arena,
                     gm_error *error)
{
    uint32_t slots = (uint32_t)config->sm.warps;
    sm->number = number;
    sm->slots = slots;
    sm->words = gm_bitset_words(slots);
    sm->warp = gm_arena_take(arena, slots, sizeof *sm->warp);
    sm->ready = gm_arena_take(arena, sm->words, sizeof *sm->ready);
    return sm->warp != NULL && sm->ready != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory: SM");
}

bool gm_order_sm_admit(gm_order_sm *sm, gm_cta *cta)
{
    uint32_t slot = 0;
    cta->sm = sm->number;
    cta->live = 0;
    cta->waiting = 0;
    gm_core_statistics_add(&sm->core, &cta->core);
    for (uint32_t i = 0; i < cta->warps; i++) {
        if (cta->stream[i].count == 0) {
            cta->slot[i] = GM_NO_SLOT;
            continue;
        }
        while (sm->warp[slot].cta != NULL) {
            slot++;
        }
        sm->warp[slot] = (gm_resident_warp){.cta = cta, .stream = &cta->stream[i], .place = i};
        cta->slot[i] = slot;
        cta->live++;
        gm_bitset_add(sm->ready, slot);
    }
    sm->resident += cta->live;
    return cta->live == 0;
}

/* Not inlined: most often the first word has a ready slot, and the caller stays small. */
static __attribute__((noinline)) uint32_t pick_behind(const gm_order_sm *sm, uint32_t from)
{
    return gm_bitset_next(sm->ready, sm->words, from);
}

/* Returns the first ready slot at or after `from`, else the first of all; GM_BITSET_NONE: none is
 * ready. */
static inline uint32_t pick(const gm_order_sm *sm, uint32_t from)
{
    uint64_t ready = sm->ready[from / GM_BITSET_WORD] >> from % GM_BITSET_WORD;
    return ready != 0 ? from + gm_lowest_one(ready) : pick_behind(sm, from);
}

/* Releases the CTA's warps. Requires that every live warp of the CTA is at the barrier. */
static void open_barrier(gm_order_sm *sm, gm_cta *cta)
{
    for (uint32_t i = 0; i < cta->warps; i++) {
        uint32_t slot = cta->slot[i];
        if (slot != GM_NO_SLOT && sm->warp[slot].waiting) {
            sm->warp[slot].waiting = false;
            gm_bitset_add(sm->ready, slot);
        }
    }
    cta->waiting = 0;
}

static void retire(gm_order_sm *sm, uint32_t slot)
{
    gm_resident_warp *warp = &sm->warp[slot];
    warp->cta->slot[warp->place] = GM_NO_SLOT;
    warp->cta->live--;
    warp->cta->waiting -= warp->waiting; /* its last instruction was a barrier */
    warp->waiting = false;
    warp->cta = NULL;
    sm->resident--;
    gm_bitset_remove(sm->ready, slot);
}

/* Executes a barrier: the warp waits, unless it is the last to arrive. */
static void wait(gm_order_sm *sm, gm_resident_warp *warp, uint32_t slot)
{
    warp->waiting = true;
    warp->cta->waiting++;
    gm_bitset_remove(sm->ready, slot);
}

/* Executes a turn that reads a record: not a later turn of a run of idle instructions. */
static int take(gm_order_sm *sm, gm_order_sm_shared *shared, gm_resident_warp *warp, uint32_t slot,
                gm_error *error)
{
    uint64_t head;
    do {
        const unsigned char *record = gm_warp_store_first(shared->store, warp->stream, error);
        int length = GM_WARP_HEAD;
        if (record == NULL) {
            return error->code;
        }
        head = gm_warp_load(record, sizeof head);
        switch (gm_warp_form_of(head)) {
        case GM_WARP_RUN:
            warp->idle = gm_warp_turns_of(head) - 1;
            break;
        case GM_WARP_BARRIER:
            wait(sm, warp, slot);
            break;
        case GM_WARP_LINES:
        case GM_WARP_WIDE:
        case GM_WARP_LOCAL:
            length = gm_order_sm_access(sm, shared, slot, record, error);
            if (length < 0) {
                return length;
            }
            break;
        }
        gm_warp_store_remove(warp->stream, (size_t)length);
    } while ((head & GM_WARP_MORE) != 0);
    return 0;
}

/* Ends a turn that may have been the warp's last, or a barrier. Returns the CTA if it ended. */
static gm_cta *end_turn(gm_order_sm *sm, gm_resident_warp *warp, uint32_t slot)
{
    gm_cta *cta = warp->cta;
    gm_cta *ended = NULL;
    if (warp->stream->count == 0) {
        retire(sm, slot);
        ended = cta->live == 0 ? cta : NULL;
    }
    if (cta->waiting != 0 && cta->waiting == cta->live) {
        open_barrier(sm, cta);
    }
    return ended;
}

/* Ends the turn of `slot`: selects the next slot and prefetches its data, as other SMs' steps run
 * before its turn. */
static void pass_turn(gm_order_sm *sm, uint32_t slot)
{
    sm->next = slot + 1 == sm->slots ? 0 : slot + 1;
    uint32_t next = pick(sm, sm->next);
    if (next != GM_BITSET_NONE) {
        __builtin_prefetch(sm->warp[next].stream->read);
    }
}

int gm_order_sm_step(gm_order_sm *sm, gm_order_sm_shared *shared, gm_cta **ended, gm_error *error)
{
    uint32_t slot = pick(sm, sm->next);
    gm_resident_warp *warp = &sm->warp[slot];
    int code = 0;
    *ended = NULL;
    sm->turns++;
    if (warp->idle != 0) {
        warp->idle--;
    } else {
        code = take(sm, shared, warp, slot, error);
    }
    if (warp->idle == 0 && (warp->waiting || warp->stream->count == 0)) {
        *ended = end_turn(sm, warp, slot);
    }
    pass_turn(sm, slot);
    return code;
}
