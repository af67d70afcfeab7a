/* Foresight of a load/store unit (base/foresight.h). */
#include "base/foresight.h"
#include "cycle/lsu/load_store_give.h"

/* MSHR entries in use. With fewer most requests hit, in lines of which the host's caches have the
 * tags. */
enum { MANY = 16 };

/* Returns the oldest request of a bank's pipeline. */
static const gm_reordered_request *first_of(const gm_load_store *unit, unsigned bank)
{
    const gm_bank_pipeline *pipe = &unit->bank_pipe[bank];
    return &pipe->piped[gm_ring_first(&pipe->ring)];
}

void gm_load_store_foresee_heads(gm_load_store *unit, gm_cycle now)
{
    unit->foresees = unit->l1.entries >= MANY && gm_load_store_is_due(unit, now);
    if (!unit->foresees) {
        return;
    }
    gm_cycle_l1_foresee_heads(&unit->l1, now);
    gm_prefetch(gm_load_store_first(unit));
    for (unsigned bank = 0; unit->bank_pipe != NULL && bank < unit->banks; bank++) {
        gm_prefetch(first_of(unit, bank));
    }
}

void gm_load_store_foresee_places(gm_load_store *unit, gm_cycle now)
{
    unit->foreseen = 0;
    unit->foreseen_entry = GM_NO_ENTRY;
    if (!unit->foresees) {
        return;
    }
    unit->foreseen_entry = gm_cycle_l1_foresee_entry(&unit->l1, now);
    if (!gm_ring_is_empty(&unit->queue)) {
        gm_prefetch(gm_load_store_row(unit) + gm_load_store_first(unit)->next);
    }
    for (unsigned bank = 0; unit->bank_pipe != NULL && bank < unit->banks; bank++) {
        if (!gm_ring_is_empty(&unit->bank_pipe[bank].ring) &&
            first_of(unit, bank)->began + unit->pipeline <= now) {
            gm_cycle_l1_foresee_chains(&unit->l1, &first_of(unit, bank)->line);
            unit->foreseen |= UINT32_C(1) << bank;
        }
    }
}

void gm_load_store_foresee_state(gm_load_store *unit)
{
    if (unit->foreseen_entry != GM_NO_ENTRY) {
        gm_cycle_l1_foresee_fill(&unit->l1, unit->foreseen_entry);
    }
    for (uint32_t left = unit->foreseen; left != 0; left &= left - 1) {
        unsigned bank = gm_lowest_one(left);
        if (gm_cycle_l1_foresee_way(&unit->l1, &first_of(unit, bank)->line)) {
            unit->foreseen ^= UINT32_C(1) << bank;
        }
    }
}

void gm_load_store_foresee_victims(const gm_load_store *unit)
{
    for (uint32_t left = unit->foreseen; left != 0; left &= left - 1) {
        gm_cycle_l1_foresee_victim(&unit->l1, &first_of(unit, gm_lowest_one(left))->line);
    }
}
