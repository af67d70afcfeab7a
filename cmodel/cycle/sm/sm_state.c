/* SM of the cycle engine: its counters, laws, oldest warp and snapshots. */
#include "cycle/sm/sm_parts.h"

#include <errno.h>

void gm_cycle_sm_statistics(gm_cycle_sm *sm, gm_cycle now, gm_statistics *into)
{
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        gm_cycle_scheduler *scheduler = &sm->scheduler[i];
        if (scheduler->since < now) {
            sm->slot[scheduler->use] += now - scheduler->since;
            scheduler->since = now;
        }
    }
    const gm_time_statistics time = {
        .slots_issued = sm->slot[GM_SLOT_ISSUED],
        .slots_memory = sm->slot[GM_SLOT_MEMORY],
        .slots_dependence = sm->slot[GM_SLOT_DEPENDENCE],
        .slots_unit = sm->slot[GM_SLOT_UNIT],
        .slots_memory_unit = sm->slot[GM_SLOT_MEMORY_UNIT],
        .slots_barrier = sm->slot[GM_SLOT_BARRIER],
        .slots_fence = sm->slot[GM_SLOT_FENCE],
        .slots_idle = sm->slot[GM_SLOT_IDLE],
    };
    gm_core_statistics_add(&into->core, &sm->core);
    gm_time_statistics_add(&into->time, &time);
}

static int broken(const gm_cycle_sm *sm, const char *law, uint64_t value, uint64_t expected,
                  gm_error *error)
{
    return gm_fail(error, -EPROTO, "SM %u: %s: %llu, not %llu", sm->number, law,
                   (unsigned long long)value, (unsigned long long)expected);
}

int gm_cycle_sm_check(const gm_cycle_sm *sm, gm_error *error)
{
    uint64_t turns = 0;
    uint64_t ready = 0;
    uint64_t waiting = 0;
    for (uint32_t i = 0; i < sm->turns / GM_WORD; i++) {
        turns |= sm->turning[i];
    }
    for (uint32_t i = 0; i < sm->words; i++) {
        waiting |= sm->waiting[i];
    }
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        ready |= sm->scheduler[i].pipes;
    }
    if (sm->resident != 0) {
        return broken(sm, "warps at a kernel's end", sm->resident, 0, error);
    }
    if (sm->free_tickets != GM_TICKETS) {
        return broken(sm, "free tickets at a kernel's end", sm->free_tickets, GM_TICKETS, error);
    }
    if ((turns | ready | waiting) != 0) {
        return broken(sm, "masks of waiting warps at a kernel's end", turns | ready | waiting, 0,
                      error);
    }
    if (sm->collector.count != 0) {
        return broken(sm, "instructions in collectors at a kernel's end", sm->collector.count, 0,
                      error);
    }
    if (sm->slot[GM_SLOT_ISSUED] != sm->core.warp_instructions) {
        return broken(sm, "instructions issued, and delivered", sm->slot[GM_SLOT_ISSUED],
                      sm->core.warp_instructions, error);
    }
    return 0;
}

void gm_cycle_sm_left(const gm_cycle_sm *sm, gm_core_statistics *left)
{
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        const gm_cycle_warp *warp = &sm->warp[slot];
        if (warp->state != GM_STATE_FREE) {
            gm_cta_left(sm->resident_cta[warp->cta], warp->place, left);
        }
    }
}

static const char *reason(gm_warp_state state)
{
    switch (state) {
    case GM_STATE_READY:
        return "for a unit, room in the load/store unit, or its turn";
    case GM_STATE_RESULT:
        return "for a result";
    case GM_STATE_FRONT:
        return "to be fetched, or for operands of the instruction whose result it needs";
    case GM_STATE_DATA:
        return "for the data of a load";
    case GM_STATE_BARRIER:
        return "at a barrier";
    case GM_STATE_FENCE:
        return "at a fence";
    case GM_STATE_ENDING:
        return "for its last accesses to be answered";
    case GM_STATE_FREE:
    case GM_STATES:
        break;
    }
    return "for nothing";
}

gm_cycle gm_cycle_sm_oldest(const gm_cycle_sm *sm, char *text, size_t size)
{
    gm_cycle oldest = GM_NEVER;
    for (uint32_t i = 0; i < sm->slots; i++) {
        const gm_cycle_warp *warp = &sm->warp[i];
        if (warp->state != GM_STATE_FREE && warp->issued < oldest) {
            oldest = warp->issued;
            const gm_cta *cta = sm->resident_cta[warp->cta];
            snprintf(text, size, "SM %u: warp %u of CTA %llu waits %s", sm->number,
                     cta->warp[warp->place], (unsigned long long)cta->number,
                     reason((gm_warp_state)warp->state));
        }
    }
    return oldest;
}

void gm_cycle_sm_snapshot(gm_cycle_sm *sm, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, sm->resident);
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
    GM_SNAPSHOT_ARRAY(snapshot, sm->ticket, GM_TICKETS);
    GM_SNAPSHOT_ARRAY(snapshot, sm->free_ticket, GM_TICKETS);
    GM_SNAPSHOT_VALUE(snapshot, sm->free_tickets);
    GM_SNAPSHOT_ARRAY(snapshot, sm->wheel, (size_t)sm->turns * sm->words);
    GM_SNAPSHOT_ARRAY(snapshot, sm->turning, sm->turns / GM_WORD);
    gm_operand_collector_snapshot(&sm->collector, snapshot);
    if (sm->fetch != 0) {
        GM_SNAPSHOT_VALUE(snapshot, sm->fetched);
        GM_SNAPSHOT_ARRAY(snapshot, sm->hungry, sm->words);
        GM_SNAPSHOT_ARRAY(snapshot, sm->buffered, sm->slots);
    }
}

/* Removes the records that the warp has taken. */
static int skip_taken(gm_cycle_sm *sm, uint32_t slot, gm_error *error)
{
    gm_cycle_sm_shared *shared = sm->shared;
    for (uint64_t i = 0; i < sm->warp[slot].taken; i++) {
        const unsigned char *record = gm_warp_store_first(shared->store, sm->stream[slot], error);
        if (record == NULL) {
            return error->code;
        }
        gm_warp_store_remove(sm->stream[slot], gm_cycle_length(record, shared->address));
    }
    bool more = sm->stream[slot]->count != 0; /* its next record is looked for */
    return more && gm_warp_store_first(shared->store, sm->stream[slot], error) == NULL ? error->code
                                                                                       : 0;
}

int gm_cycle_sm_attach(gm_cycle_sm *sm, gm_cta *cta, gm_error *error)
{
    uint32_t number = 0;
    while (number < sm->ctas &&
           (sm->cta[number].live == 0 || sm->cta[number].number != cta->number)) {
        number++;
    }
    if (number == sm->ctas) {
        return 0;
    }
    cta->sm = sm->number;
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
