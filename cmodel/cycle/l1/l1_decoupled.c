/* Transactions of the timed L1's decoupled tag store. */
#include "cycle/l1/l1_decoupled.h"

#include "cache/values.h"
#include "cycle/l1/l1_queue.h"
#include "cycle/l1/l1_tracker.h"

void gm_cycle_l1_decoupled_look_up(const gm_cycle_l1 *l1, uint64_t address,
                                   gm_cycle_l1_found *found)
{
    const gm_decoupled_l1 *decoupled = l1->decoupled;
    gm_tag_store_expected e =
        gm_tag_store_expect(&decoupled->tags, address, decoupled->conventional);
    bool present =
        e.outcome == GM_TAG_STORE_HIT || (e.outcome == GM_TAG_STORE_HIT_PENDING && !e.dead);
    found->outcome = e.outcome;
    found->place.slot = present ? gm_decoupled_l1_slot(decoupled, e.index, e.position) : GM_NO_SLOT;
    if (e.evicted) {
        found->victim = gm_decoupled_l1_slot(decoupled, e.index, e.evicted_position);
        found->victim_waits = l1->shared->policy.sectored && l1->entries != 0 &&
                              gm_mshr_find_open(&l1->mshr, e.evicted_line) != GM_NO_ENTRY;
    }
}

bool gm_cycle_l1_decoupled_has_victim(const gm_cycle_l1 *l1, const gm_cycle_l1_found *found,
                                      uint32_t *packets)
{
    const gm_sector_state *victim =
        found->victim != GM_NO_SLOT ? &l1->decoupled->state[found->victim] : NULL;
    *packets = victim == NULL        ? 0
               : l1->tracked != NULL ? victim->valid != 0
                                     : gm_cycle_l1_parts(l1->shared, victim->dirty);
    return found->outcome != GM_TAG_STORE_RESERVATION_FAIL && !found->victim_waits;
}

/* Empties the data line that a transaction has taken from another line, if any: writes its dirty
 * sectors back and increments *count; `tells` the sharing tracker, if there is one, unless the
 * request that goes to the L2 does. */
static void give_up(gm_cycle_l1 *l1, const gm_tag_store_response *response, gm_access_kind kind,
                    uint64_t *count, bool tells)
{
    if (response->evicted != 0) {
        gm_decoupled_l1 *decoupled = l1->decoupled;
        gm_sector_state *state = &decoupled->state[gm_decoupled_l1_slot(
            decoupled, response->index, response->evicted_position)];
        ++*count;
        gm_cycle_l1_write_back(l1, response->evicted_line, state->dirty, kind, false);
        if (tells && l1->tracked != NULL && state->valid != 0) {
            gm_cycle_l1_tell_evict(l1, response->evicted_line, state->valid, false);
        }
        *state = (gm_sector_state){0};
    }
}

void gm_cycle_l1_decoupled_remove(gm_cycle_l1 *l1, uint64_t address, gm_access_kind kind)
{
    gm_decoupled_l1 *decoupled = l1->decoupled;
    gm_tag_store_response response = gm_decoupled_l1_transact(
        decoupled, (gm_tag_store_request){.op = kind == GM_STORE ? GM_TAG_STORE_WRITE
                                                                 : GM_TAG_STORE_INVALIDATE,
                                          .line = address});
    decoupled->references++;
    decoupled->died += response.dead;
    give_up(l1, &response, kind, &l1->statistics.invalidations[kind], false);
}

uint32_t gm_cycle_l1_decoupled_allocate(gm_cycle_l1 *l1, uint64_t address, gm_access_kind kind,
                                        bool filled)
{
    gm_decoupled_l1 *decoupled = l1->decoupled;
    gm_tag_store_response response = gm_decoupled_l1_probe(decoupled, address, true, false);
    decoupled->references++;
    decoupled->allocated++;
    give_up(l1, &response, kind, &l1->statistics.evictions[kind], true);
    if (filled) {
        gm_decoupled_l1_fill(decoupled, address, (uint32_t)response.position);
    }
    return gm_decoupled_l1_slot(decoupled, response.index, response.position);
}

/* With l1.lfu_any the replaced tag entry may have a data line, which is given up. */
void gm_cycle_l1_decoupled_bypass(gm_cycle_l1 *l1, uint64_t address, gm_access_kind kind)
{
    gm_tag_store_response response = gm_decoupled_l1_probe(l1->decoupled, address, false, true);
    l1->decoupled->references++;
    give_up(l1, &response, kind, &l1->statistics.evictions[kind], true);
}

bool gm_cycle_l1_decoupled_install(gm_cycle_l1 *l1, uint64_t address, gm_cycle_l1_entry *entry,
                                   bool open)
{
    gm_decoupled_l1 *decoupled = l1->decoupled;
    uint32_t slot = entry->slot;
    bool changes = entry->fill != 0 || open;
    if (entry->fill != 0 &&
        !gm_decoupled_l1_fill(decoupled, address, slot % decoupled->tags.parameters.data_ways)) {
        slot = GM_NO_SLOT;
    }
    entry->fill = 0;
    entry->slot = GM_NO_SLOT;
    if (open && slot != GM_NO_SLOT) {
        decoupled->state[slot].valid |= entry->sectors;
        if (l1->values != NULL) {
            gm_values_install(l1->values, l1->number, address, entry->sectors, entry->dirty,
                              gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, l1->answering));
        }
        gm_cycle_l1_make_dirty(l1, slot, entry->dirty);
        if (l1->tracked != NULL) {
            gm_cycle_l1_tell_fill(l1, address, l1->answering, entry->sectors);
        }
    }
    return changes;
}
