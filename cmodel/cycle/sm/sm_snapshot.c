/* Snapshots of an SM; attaching resident CTAs to a loaded SM. */
#include "cycle/sm/fence.h"
#include "cycle/sm/fetch.h"
#include "cycle/sm/l1i.h"
#include "cycle/sm/memory_instruction.h"
#include "cycle/sm/throttle.h"

#include <errno.h>

void gm_cycle_sm_snapshot(gm_cycle_sm *sm, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, sm->occupancy);
    GM_SNAPSHOT_VALUE(snapshot, sm->core);
    GM_SNAPSHOT_VALUE(snapshot, sm->slot);
    GM_SNAPSHOT_VALUE(snapshot, sm->first);
    GM_SNAPSHOT_VALUE(snapshot, sm->quiet);
    GM_SNAPSHOT_VALUE(snapshot, sm->wants_room);
    GM_SNAPSHOT_ARRAY(snapshot, sm->scheduler, sm->schedulers);
    GM_SNAPSHOT_ARRAY(snapshot, sm->warp, sm->slots);
    GM_SNAPSHOT_ARRAY(snapshot, sm->age, sm->slots);
    GM_SNAPSHOT_VALUE(snapshot, sm->admitted);
    GM_SNAPSHOT_ARRAY(snapshot, sm->score, (size_t)sm->slots * GM_SCORES);
    GM_SNAPSHOT_ARRAY(snapshot, sm->copies, (size_t)sm->slots * GM_GROUP_RING);
    GM_SNAPSHOT_ARRAY(snapshot, sm->cta, sm->ctas);
    GM_SNAPSHOT_ARRAY(snapshot, sm->waiting, sm->words);
    if (sm->fenced != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, sm->fenced, sm->words);
    }
    GM_SNAPSHOT_ARRAY(snapshot, sm->ticket, GM_TICKETS);
    GM_SNAPSHOT_ARRAY(snapshot, sm->free_ticket, GM_TICKETS);
    GM_SNAPSHOT_VALUE(snapshot, sm->free_tickets);
    GM_SNAPSHOT_ARRAY(snapshot, sm->waking, (size_t)sm->wheel.slots * sm->words);
    GM_SNAPSHOT_ARRAY(snapshot, sm->wheel.due, gm_bitset_words(sm->wheel.slots));
    gm_operand_collector_snapshot(&sm->collector, snapshot);
    if (sm->fetch != 0) {
        GM_SNAPSHOT_VALUE(snapshot, sm->fetched);
        GM_SNAPSHOT_ARRAY(snapshot, sm->unfetched, sm->words);
        GM_SNAPSHOT_ARRAY(snapshot, sm->buffered, sm->slots);
    }
    GM_SNAPSHOT_VALUE(snapshot, sm->turns_from);
    if (sm->l1i != NULL) {
        gm_l1i_snapshot(sm->l1i, snapshot);
    }
    if (sm->launches) {
        GM_SNAPSHOT_VALUE(snapshot, sm->launch_free);
        GM_SNAPSHOT_VALUE(snapshot, sm->next_launch);
    }
    if (sm->fences != NULL) {
        gm_cycle_fences_snapshot(sm, snapshot);
    }
    if (sm->throttle != NULL) {
        gm_cycle_throttle_snapshot(sm, snapshot);
    }
}

/* Removes the records that the warp had taken before the checkpoint. */
static int skip_taken(gm_cycle_sm *sm, uint32_t slot, gm_error *error)
{
    gm_cycle_sm_shared *shared = sm->shared;
    for (uint64_t i = 0; i < sm->warp[slot].taken; i++) {
        const unsigned char *record = gm_warp_store_first(shared->store, sm->stream[slot], error);
        if (record == NULL) {
            return error->code;
        }
        gm_warp_store_remove(sm->stream[slot], gm_cycle_sm_record_length(shared, record));
    }
    bool more = sm->stream[slot]->count != 0; /* the next record must be in memory */
    return more && gm_warp_store_first(shared->store, sm->stream[slot], error) == NULL ? error->code
                                                                                       : 0;
}

int gm_cycle_sm_attach(gm_cycle_sm *sm, gm_cta *cta, gm_error *error)
{
    uint32_t number = 0;
    while (number < sm->ctas &&
           (sm->cta[number].live == 0 || sm->cta[number].number != cta->number ||
            sm->cta[number].kernel != (uint32_t)cta->kernel)) {
        number++;
    }
    if (number == sm->ctas) {
        return 0;
    }
    cta->sm = sm->number;
    cta->placed = sm->cta[number].placed;
    sm->resident_cta[number] = cta;
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        const gm_cycle_warp *warp = &sm->warp[slot];
        if (warp->state == GM_STATE_FREE || warp->cta != number) {
            continue;
        }
        if (warp->place >= cta->warps || cta->stream[warp->place].count < warp->taken) {
            return gm_fail(error, -EPROTO,
                           "SM %u: CTA %llu is not the one of the checkpoint: its warps differ",
                           sm->number, (unsigned long long)cta->number);
        }
        sm->stream[slot] = &cta->stream[warp->place];
        int code = skip_taken(sm, slot, error);
        if (code < 0) {
            return code;
        }
    }
    return 1;
}
