/* L1 data cache with time: replies, fills, and the flush at the end of a kernel. */
#include "cycle/l1/l1_decoupled.h"
#include "cycle/l1/l1_miss.h"

/* Of a mask of reasons why requests failed. */
enum {
    FOR_ENTRY = 1 << GM_CYCLE_L1_FAIL_MSHR_ENTRY,
    /* A write-back of a fill's victim has a place for each entry that is free; which line is a
     * victim, or is dirty, decides how many packets a request needs. */
    FOR_QUEUE = 1 << GM_CYCLE_L1_FAIL_MISS_QUEUE,
    FOR_BYPASS = 1 << GM_CYCLE_L1_FAIL_BYPASS_QUEUE,
    FOR_LINE = 1 << GM_CYCLE_L1_FAIL_LINE | 1 << GM_CYCLE_L1_FAIL_MSHR_MERGE,
};

/* The data of an entry go into a slot, which has that state. */
static inline void install_at(gm_cycle_l1 *l1, uint32_t slot, gm_sector_state *state,
                              const gm_cycle_l1_entry *entry)
{
    state->valid |= entry->sectors;
    if (entry->dirty != 0) {
        gm_cycle_l1_make_dirty(l1, slot, entry->dirty);
    }
}

/* The slot of a line that gets it when its data arrive. Where every line has become protected since
 * the miss, one is evicted nonetheless. A fill is no access: it sees the protection that the last
 * access has found. */
static uint32_t victim_of_fill(const gm_cycle_l1 *l1, gm_cache_place place)
{
    if (l1->shared->policy.bypasses) {
        gm_protection protection = gm_bypass_protection(&l1->bypass, place.set);
        uint32_t slot = protection.until == NULL
                            ? GM_NO_SLOT
                            : gm_cache_victim_beside(&l1->cache, place, protection.until,
                                                     protection.access - 1);
        if (slot != GM_NO_SLOT) {
            return slot;
        }
    }
    return gm_cache_victim(&l1->cache, place);
}

/* Installs the data of an open entry. */
static void install(gm_cycle_l1 *l1, uint64_t line, gm_cycle_l1_entry *entry)
{
    uint32_t slot = entry->slot;
    if (slot != GM_NO_SLOT) {
        gm_cache_arrive(&l1->cache, slot);
        entry->slot = GM_NO_SLOT;
    } else {
        gm_cache_place place = gm_cache_find(&l1->cache, line);
        slot = place.slot;
        if (slot == GM_NO_SLOT) {
            slot = gm_cycle_l1_replace(l1, line, place, victim_of_fill(l1, place),
                                       (gm_access_kind)entry->kind, true);
            if (l1->shared->policy.bypasses) {
                gm_bypass_filled(&l1->bypass, slot);
            }
        }
    }
    install_at(l1, slot, gm_cache_state(&l1->cache, slot), entry);
}

/* The same in a plain L1, where the line has its slot, if they are `open`. Returns reasons that may
 * be gone. */
static inline uint32_t install_plain(gm_cycle_l1 *l1, gm_cycle_l1_entry *entry, bool open)
{
    if (!open) {
        return 0;
    }
    uint32_t slot = entry->slot;
    entry->slot = GM_NO_SLOT;
    gm_cache_arrive(&l1->cache, slot);
    install_at(l1, slot, &l1->cache.way[slot].state, entry);
    return FOR_LINE | FOR_QUEUE;
}

static void count_load(gm_cycle_l1 *l1, gm_cycle began, gm_cycle now)
{
    l1->time.loads++;
    l1->time.load_cycles += now - began;
}

/* The next requester of the entry whose data have come. Returns reasons that may be gone. */
static uint32_t answer(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket)
{
    uint32_t gone = 0;
    gm_cycle_l1_entry *entry = &l1->entry[l1->answering];
    gm_mshr_response response = gm_mshr_access(
        &l1->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = l1->answering});
    if (l1->usual) {
        gone = install_plain(l1, entry, response.install != 0);
    } else if (l1->decoupled != NULL) {
        bool changes =
            gm_cycle_l1_decoupled_install(l1, response.line, entry, response.install != 0);
        gone = changes ? FOR_LINE | FOR_QUEUE | FOR_ENTRY | FOR_BYPASS : 0;
    } else if (response.install != 0) {
        install(l1, response.line, entry);
        /* What a bypass policy protects has changed, and so whether a load bypasses. */
        gone = l1->shared->policy.bypasses ? UINT32_MAX : FOR_LINE | FOR_QUEUE;
    }
    if (response.count == 0) {
        gone |= FOR_ENTRY | FOR_QUEUE;
        l1->time.l1_mshr_cycles += now - entry->since;
        l1->entries--;
        l1->answering = GM_NO_ENTRY;
    }
    gm_cycle_l1_waiter waiter = gm_cycle_l1_waiter_of(response.requester);
    if (waiter.load) {
        count_load(l1, waiter.began, now);
    }
    *ticket = waiter.ticket;
    return gone;
}

static uint32_t bypassed_arrived(gm_cycle_l1 *l1, uint32_t place, gm_cycle now, uint32_t *ticket)
{
    gm_cycle_l1_bypassed *passing = &l1->bypassed[place];
    if (--passing->packets != 0) {
        return 0;
    }
    count_load(l1, passing->began, now);
    l1->free_bypassed[l1->bypassed_free++] = (uint16_t)place;
    *ticket = passing->ticket;
    return FOR_ENTRY | FOR_BYPASS;
}

/* A packet has come that is for no entry. */
static uint32_t other_arrived(gm_cycle_l1 *l1, uint32_t id, gm_cycle now, uint32_t *ticket)
{
    uint32_t number = gm_cycle_l1_id_number(id);
    switch (gm_cycle_l1_id_kind_of(id)) {
    case GM_CYCLE_L1_OF_ENTRY:
        break;
    case GM_CYCLE_L1_OF_BYPASSED:
        return bypassed_arrived(l1, number % GM_CYCLE_L1_BYPASS_PATH, now, ticket);
    case GM_CYCLE_L1_OF_TICKET:
        *ticket = number;
        break;
    case GM_CYCLE_L1_OF_WRITE_BACK:
        l1->write_backs--;
        break;
    }
    return 0;
}

uint32_t gm_cycle_l1_reply(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket)
{
    *ticket = GM_NO_TICKET;
    if (l1->answering != GM_NO_ENTRY) {
        return answer(l1, now, ticket);
    }
    gm_network *network = l1->shared->replies;
    const gm_packet *packet = gm_network_peek(network, l1->number, now);
    if (packet == NULL) {
        return 0;
    }
    uint32_t id = packet->id;
    gm_network_pop(network, l1->number, now);
    if (gm_cycle_l1_id_kind_of(id) != GM_CYCLE_L1_OF_ENTRY) {
        return other_arrived(l1, id, now, ticket);
    }
    uint32_t number = gm_cycle_l1_id_number(id);
    if (--l1->entry[number].packets != 0) {
        return 0;
    }
    l1->answering = number;
    return answer(l1, now, ticket);
}

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

static void end_flush(gm_cycle_l1 *l1)
{
    l1->flushing = false;
    if (l1->decoupled != NULL) {
        gm_decoupled_l1_transact(l1->decoupled, (gm_tag_store_request){.op = GM_TAG_STORE_FLUSH});
    } else if (l1->cache.unbounded) {
        gm_line_map_clear(&l1->cache.table);
    }
}

/* As in the order engine: lines that stores made dirty count as the stores', others as the
 * loads'. */
void gm_cycle_l1_flush_on(gm_cycle_l1 *l1)
{
    uint32_t slots = slots_of(l1);
    for (; l1->flushing && l1->flushed < slots; l1->flushed++) {
        gm_sector_state *state = gm_cycle_l1_state(l1, l1->flushed);
        uint32_t dirty = state->dirty;
        if (state->valid == 0) {
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

void gm_cycle_l1_flush(gm_cycle_l1 *l1)
{
    gm_mshr_access(&l1->mshr, (gm_mshr_request){.op = GM_MSHR_FLUSH_OP});
    l1->flushing = true;
    l1->flushed = 0;
    gm_cycle_l1_flush_on(l1);
}
