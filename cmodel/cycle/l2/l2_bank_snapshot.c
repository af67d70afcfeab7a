/* Timed L2 bank: saves and loads its state. */
#include "cache/cache_snapshot.h"
#include "cache/l2_bytes.h"
#include "cache/l2_parts.h"
#include "cache/streaming.h"
#include "cycle/dram/gddr5.h"
#include "cycle/l2/l2_bank.h"
#include "cycle/l2/l2_coherent.h"

/* Fills in the arrivals of the elements of `in`, which the items have. */
static void note_arrivals(gm_l2_bank *bank)
{
    for (uint32_t place = 0; place <= bank->in.mask; place++) {
        uint32_t number = bank->in_item[place];
        bank->in_arrived[place] = number < bank->items ? bank->item[number].arrived : 0;
    }
}

void gm_l2_bank_snapshot(gm_l2_bank *bank, gm_snapshot *snapshot)
{
    gm_cache_snapshot(&bank->l2.cache, snapshot);
    if (bank->l2.partial != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, bank->l2.partial, gm_cache_slots(&bank->l2.cache));
    }
    if (bank->l2.bytes != NULL) {
        gm_l2_bytes *bytes = bank->l2.bytes;
        GM_SNAPSHOT_ARRAY(snapshot, bytes->mask, gm_cache_slots(&bank->l2.cache));
        GM_SNAPSHOT_VALUE(snapshot, bytes->statistics);
        GM_SNAPSHOT_VALUE(snapshot, bytes->dirtied);
        GM_SNAPSHOT_VALUE(snapshot, bytes->overwritten);
    }
    if (bank->l2.parts != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, bank->l2.parts->written,
                          (size_t)gm_cache_slots(&bank->l2.cache) * bank->l2.parts->sectors);
    }
    gm_mshr_snapshot(&bank->mshr, snapshot);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.statistics);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.received);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.dirtied);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.dirty_sectors);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.overwritten);
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.through);
    GM_SNAPSHOT_VALUE(snapshot, bank->time);
    GM_SNAPSHOT_VALUE(snapshot, bank->answered);
    GM_SNAPSHOT_VALUE(snapshot, bank->fetched);
    GM_SNAPSHOT_VALUE(snapshot, bank->in);
    GM_SNAPSHOT_VALUE(snapshot, bank->out);
    GM_SNAPSHOT_VALUE(snapshot, bank->dram);
    GM_SNAPSHOT_ARRAY(snapshot, bank->in_item, bank->in.mask + 1);
    GM_SNAPSHOT_ARRAY(snapshot, bank->out_item, bank->out.mask + 1);
    GM_SNAPSHOT_ARRAY(snapshot, bank->dram_request, bank->dram.mask + 1);
    GM_SNAPSHOT_ARRAY(snapshot, bank->fill, bank->mshr.entries);
    GM_SNAPSHOT_ARRAY(snapshot, bank->item, bank->items);
    note_arrivals(bank);
    GM_SNAPSHOT_ARRAY(snapshot, bank->vacant, bank->items);
    GM_SNAPSHOT_VALUE(snapshot, bank->vacancies);
    GM_SNAPSHOT_VALUE(snapshot, bank->entries);
    GM_SNAPSHOT_VALUE(snapshot, bank->held);
    GM_SNAPSHOT_VALUE(snapshot, bank->fail);
    GM_SNAPSHOT_VALUE(snapshot, bank->failed_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->cycle);
    GM_SNAPSHOT_VALUE(snapshot, bank->soonest);
    GM_SNAPSHOT_VALUE(snapshot, bank->look_up_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->push_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->atomic_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->port_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->fill_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->requested);
    GM_SNAPSHOT_VALUE(snapshot, bank->answering);
    GM_SNAPSHOT_VALUE(snapshot, bank->next);
    GM_SNAPSHOT_VALUE(snapshot, bank->left);
    if (bank->filled_item != NULL) {
        GM_SNAPSHOT_VALUE(snapshot, bank->filled);
        GM_SNAPSHOT_ARRAY(snapshot, bank->filled_item, bank->filled.mask + 1);
    }
    if (bank->l2.streaming != NULL) {
        GM_SNAPSHOT_VALUE(snapshot, bank->bypassing);
        gm_streaming_snapshot(bank->l2.streaming, snapshot);
    }
    if (bank->l2.policy.bypasses) {
        GM_SNAPSHOT_VALUE(snapshot, bank->bypassing);
        GM_SNAPSHOT_VALUE(snapshot, bank->l2.coalesced);
    }
    GM_SNAPSHOT_VALUE(snapshot, bank->l2.bypassed);
    if (bank->l2.policy.victims) {
        GM_SNAPSHOT_VALUE(snapshot, bank->l2.victim);
    }
    if (bank->l2.atomics != NULL) {
        gm_atomic_unit_snapshot(bank->l2.atomics, snapshot);
    }
    gm_l2_bank_sharing_snapshot(bank, snapshot);
    if (bank->far != NULL) {
        gm_l2_far_snapshot(bank->far, snapshot);
    }
    if (bank->coherent != NULL) {
        gm_l2_coherent_snapshot(bank, snapshot);
    }
}
