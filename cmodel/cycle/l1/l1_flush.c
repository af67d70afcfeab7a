/* Flush of the timed L1 at the end of a kernel: drops every line; dirty ones are written back as
 * the miss queue takes them. */
#include "cycle/l1/l1_lookup.h"
#include "cycle/l1/l1_mesi.h"
#include "cycle/l1/l1_parts.h"
#include "cycle/l1/l1_queue.h"

static uint32_t slots_of(const gm_cycle_l1 *l1)
{
    const gm_tag_store_parameters *tags = &l1->shared->tags;
    return l1->decoupled == NULL ? gm_cache_slots(&l1->cache)
                                 : (uint32_t)tags->data_ways << tags->index->bits;
}

static uint64_t line_at(const gm_cycle_l1 *l1, uint32_t slot)
{
    uint32_t ways = l1->shared->tags.data_ways;
    return l1->decoupled == NULL
               ? gm_cache_line(&l1->cache, slot)
               : gm_tag_store_line_at(&l1->decoupled->tags, slot / ways, slot % ways);
}

/* Drops the tag of a slot without data, if there is one. */
static void drop_tag(gm_cycle_l1 *l1, uint32_t slot)
{
    uint64_t line = l1->streaming != NULL ? gm_cache_line(&l1->cache, slot) : GM_NO_LINE;
    if (line != GM_NO_LINE) {
        gm_cache_drop(&l1->cache, gm_cache_find(&l1->cache, line));
    }
}

static void end_flush(gm_cycle_l1 *l1)
{
    l1->flushing = false;
    if (l1->decoupled != NULL) {
        gm_decoupled_l1_transact(l1->decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_FLUSH});
    } else if (l1->cache.unbounded) {
        gm_line_map_clear(&l1->cache.table);
    }
}

/* Counts the eviction of a dirty line as a store's and of any other as a load's, as the order
 * engine does. */
void gm_cycle_l1_flush_on(gm_cycle_l1 *l1)
{
    uint32_t slots = slots_of(l1);
    bool owns = l1->coherent != NULL && l1->shared->coherence->owns;
    for (; l1->flushing && l1->flushed < slots; l1->flushed++) {
        gm_sector_state *state = gm_cycle_l1_state(l1, l1->flushed);
        uint32_t dirty = state->dirty;
        if (state->valid == 0) {
            drop_tag(l1, l1->flushed);
            continue;
        }
        if (owns) {
            if (!gm_cycle_l1_mesi_flush(l1, l1->flushed)) {
                return;
            }
            continue;
        }
        if (!gm_cycle_l1_has_room(l1, gm_cycle_l1_parts(l1->shared, dirty))) {
            return;
        }
        gm_access_kind kind = dirty != 0 ? GM_STORE : GM_LOAD;
        uint64_t line = line_at(l1, l1->flushed);
        gm_cycle_l1_write_back(l1, line, dirty, kind, false);
        l1->statistics.invalidations[kind]++;
        if (l1->decoupled != NULL) {
            *state = (gm_sector_state){0};
        } else {
            gm_cache_drop(&l1->cache, gm_cache_find(&l1->cache, line));
        }
    }
    if (l1->flushing) {
        end_flush(l1);
    }
}

/* Forgets what stores have written in parts. */
static void forget_parts(gm_cycle_l1 *l1)
{
    if (l1->parts != NULL) {
        gm_l1_parts_clear(l1->parts);
    }
}

/* Returns the requests so far that have used the L1's tags: loads that do not bypass, and stores
 * where these allocate. */
static uint64_t uses(const gm_cycle_l1 *l1)
{
    const gm_cache_statistics *count = &l1->statistics;
    return count->accesses[GM_LOAD] - count->bypasses[GM_LOAD] +
           (l1->shared->policy.allocate[0] ? count->accesses[GM_STORE] : 0);
}

void gm_cycle_l1_note_uses(gm_cycle_l1 *l1, gm_cycle now)
{
    l1->uses_before = uses(l1);
    l1->uses_noted = now;
}

void gm_cycle_l1_drop_clean(gm_cycle_l1 *l1, gm_cycle now)
{
    uint64_t used = l1->uses_noted == now ? l1->uses_before : uses(l1);
    if (used == l1->uses_dropped) {
        return;
    }
    l1->uses_dropped = used;
    forget_parts(l1);
    uint32_t slots = gm_cache_slots(&l1->cache);
    for (uint32_t slot = 0; slot < slots; slot++) {
        gm_sector_state *state = gm_cache_state(&l1->cache, slot);
        if (gm_cache_waits(&l1->cache, slot)) {
            state->valid &= state->dirty;
        } else if (state->valid != 0 && state->dirty == 0) {
            uint64_t line = gm_cache_line(&l1->cache, slot);
            l1->statistics.invalidations[GM_LOAD]++;
            gm_tell_l1_drop(l1->observer, l1->number, line);
            gm_cache_drop(&l1->cache, gm_cache_find(&l1->cache, line));
        }
    }
}

void gm_cycle_l1_flush(gm_cycle_l1 *l1)
{
    if (l1->observer != NULL) {
        l1->observer->l1_flush(l1->observer->context, l1->number);
    }
    gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = GM_MSHR_FLUSH_OP});
    if (l1->coherent != NULL) {
        l1->coherent->protocol.ops->flush(&l1->coherent->protocol);
    }
    forget_parts(l1);
    l1->flushing = true;
    l1->flushed = 0;
    gm_cycle_l1_flush_on(l1);
}
