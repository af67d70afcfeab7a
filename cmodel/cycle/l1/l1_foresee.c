/* Foresight of the timed L1 (base/foresight.h). */
#include "cycle/l1/l1_queue.h"
#include "cycle/util/mshr_foresee.h"

void gm_cycle_l1_foresee_heads(const gm_cycle_l1 *l1, gm_cycle now)
{
    gm_prefetch(gm_network_peek(l1->shared->replies, l1->number, now));
    if (!gm_ring_is_empty(&l1->queue)) {
        gm_prefetch(&l1->packet[gm_ring_first(&l1->queue)]);
        gm_network_foresee(l1->shared->requests, l1->number);
    }
}

uint32_t gm_cycle_l1_foresee_entry(const gm_cycle_l1 *l1, gm_cycle now)
{
    const gm_packet *packet = gm_network_peek(l1->shared->replies, l1->number, now);
    if (packet == NULL || l1->answering != GM_NO_ENTRY ||
        gm_cycle_l1_id_kind_of(packet->id) != GM_CYCLE_L1_OF_ENTRY) {
        return GM_NO_ENTRY;
    }
    uint32_t number = gm_cycle_l1_id_number(packet->id);
    gm_prefetch(&l1->entry[number]);
    gm_prefetch(&l1->mshr.entry[number]);
    if (l1->link != NULL) {
        gm_prefetch(&l1->link[number]);
    }
    return number;
}

void gm_cycle_l1_foresee_fill(const gm_cycle_l1 *l1, uint32_t entry)
{
    uint32_t slot = l1->entry[entry].slot;
    gm_mshr_foresee(&l1->mshr, l1->mshr.entry[entry].line);
    if (slot != GM_NO_SLOT && l1->cache.way != NULL) {
        gm_prefetch(&l1->cache.way[slot]);
    }
}

void gm_cycle_l1_foresee_chains(const gm_cycle_l1 *l1, const gm_line_request *request)
{
    gm_cache_foresee(&l1->cache, request->line);
    gm_mshr_foresee(&l1->mshr, request->line << l1->shared->mshr_shift);
}

bool gm_cycle_l1_foresee_way(const gm_cycle_l1 *l1, const gm_line_request *request)
{
    if (gm_cache_foresee_way(&l1->cache, request->line) != GM_NO_SLOT) {
        return true;
    }
    uint64_t sector = request->line << l1->shared->mshr_shift;
    sector |= l1->shared->by_sector ? gm_lowest_one(request->sectors) : 0;
    gm_cache_foresee_victim(&l1->cache, request->line);
    gm_mshr_foresee_entry(&l1->mshr, sector);
    return false;
}

void gm_cycle_l1_foresee_victim(const gm_cycle_l1 *l1, const gm_line_request *request)
{
    gm_cache_foresee_victim_chain(&l1->cache, request->line);
}
