/* Fills of the timed L1: replies arrive, their data are installed, their requesters answered. */
#include "cycle/l1/l1_fill.h"

#include "cache/streaming.h"
#include "cache/values.h"
#include "cycle/l1/l1_coherent.h"
#include "cycle/l1/l1_decoupled.h"
#include "cycle/l1/l1_latency.h"
#include "cycle/l1/l1_miss.h"
#include "cycle/l1/l1_sector.h"
#include "cycle/l1/l1_sharing.h"
#include "cycle/l1/l1_supply.h"
#include "cycle/l1/l1_tracker.h"
#include "cycle/l1/l1_values.h"

/* Returns the slot of a line that is allocated when its data arrive. If every line of the set has
 * become protected since the miss, one is evicted nonetheless. A fill is no access: the protection
 * is that of the last access. */
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

/* Installs in an L1 with a gate: a new line is none that the closed gate has seen, and a tag gets
 * data. Requires the slot of a line that gets its data without having waited. */
static void note_install(gm_cycle_l1 *l1, uint32_t slot, bool replaced)
{
    if (replaced) {
        l1->streaming->seen[slot] = 0;
    } else {
        l1->cache.allocations += gm_streaming_is_tag(&l1->cache, slot);
    }
}

/* Installs the data of an open entry. `special`, here and below: a constant, true if the
 * L1 may have values or merge by sector. */
GM_TEMPLATE void install(gm_cycle_l1 *l1, uint64_t line, gm_cycle_l1_entry *entry,
                         const bool special)
{
    uint32_t slot = entry->slot;
    if (slot != GM_NO_SLOT) {
        if (!special || !l1->shared->by_sector ||
            !gm_cycle_l1_sector_waits(l1, line,
                                      entry->sectors | gm_cache_state(&l1->cache, slot)->valid)) {
            gm_cache_arrive(&l1->cache, slot);
        }
        entry->slot = GM_NO_SLOT;
    } else {
        gm_cache_place place = gm_cache_find(&l1->cache, line);
        slot = place.slot;
        bool absent = slot == GM_NO_SLOT;
        if (special && absent && l1->cache.sharing != NULL &&
            !gm_cycle_l1_sharing_admits(l1, place, entry)) {
            return; /* the data answer those that wait [tabbakh, VI-C] */
        }
        if (absent) {
            uint32_t warp = l1->ccws != NULL ? l1->ccws->fetcher[l1->answering] : 0;
            slot = gm_cycle_l1_replace(l1, line, place, victim_of_fill(l1, place),
                                       (gm_access_kind)entry->kind, true, warp, true);
            if (l1->shared->policy.bypasses) {
                gm_bypass_filled(&l1->bypass, slot);
            }
        }
        if (special && l1->streaming != NULL) {
            note_install(l1, slot, absent);
        }
    }
    gm_cache_state(&l1->cache, slot)->valid |= entry->sectors;
    if (entry->dirty != 0) {
        gm_cycle_l1_make_dirty(l1, slot, entry->dirty);
    }
    if (special && l1->values != NULL) {
        gm_values_install(l1->values, l1->number, line, entry->sectors, entry->dirty,
                          gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY,
                                         gm_cycle_l1_owner(l1, (uint32_t)(entry - l1->entry))));
    }
    if (special && l1->tracked != NULL) {
        gm_cycle_l1_tell_fill(l1, line, l1->answering, entry->sectors);
    }
}

void gm_cycle_l1_install(gm_cycle_l1 *l1, uint64_t line, gm_cycle_l1_entry *entry)
{
    install(l1, line, entry, true);
}

/* Answers the next requester of the entry whose data have arrived; the first answer installs them.
 * Returns the stall reasons that may be gone. */
GM_TEMPLATE uint32_t answer_by(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket, const bool special)
{
    uint32_t gone = 0;
    gm_cycle_l1_entry *entry = &l1->entry[l1->answering];
    gm_mshr_response response = gm_mshr_access(
        &l1->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP, .id = l1->answering});
    uint64_t line = special ? gm_cycle_l1_mshr_line(l1, response.line) : response.line;
    if (l1->decoupled != NULL) {
        bool changes = gm_cycle_l1_decoupled_install(l1, line, entry, response.install != 0);
        gone = changes ? GM_CYCLE_L1_FREED_LINE | GM_CYCLE_L1_FREED_QUEUE |
                             GM_CYCLE_L1_FREED_ENTRY | GM_CYCLE_L1_FREED_BYPASS
                       : 0;
    } else if (response.install != 0) {
        install(l1, line, entry, special);
        /* A bypass policy protects other lines now, so that other loads bypass; a gate bypasses
         * loads of lines that are no longer dirty. */
        bool all = l1->shared->policy.bypasses || (special && l1->streaming != NULL);
        gone = all ? UINT32_MAX : GM_CYCLE_L1_FREED_LINE | GM_CYCLE_L1_FREED_QUEUE;
    }
    if (special && l1->observer != NULL && response.install != 0) {
        l1->observer->l1_fill(l1->observer->context, l1->number, line, now);
    }
    if (special && l1->tracked != NULL) {
        gm_cycle_l1_tell_no_fill(l1, l1->answering);
    }
    if (special && l1->cache.sharing != NULL) {
        gm_cycle_l1_sharing_answered(l1, entry, response.install != 0);
    }
    gm_cache_assert_access(&l1->cache, line);
    const uint64_t requester_word = response.requester;
    uint64_t requester = requester_word;
    bool done =
        !special || !gm_cycle_l1_is_split(requester) || gm_cycle_l1_split_answered(l1, &requester);
    gm_cycle_l1_waiter waiter = gm_cycle_l1_waiter_of(requester);
    uint32_t owner = special ? gm_cycle_l1_owner(l1, l1->answering) : l1->answering;
    if (special && l1->values != NULL) {
        bool last = response.count == 0 && owner == l1->answering;
        gm_cycle_l1_value_answer(l1, line, waiter.ticket,
                                 l1->shared->by_sector ? entry->sectors : UINT32_MAX,
                                 gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, owner), last);
    }
    if (special && l1->latency != NULL) {
        bool last = response.count == 0 && owner == l1->answering;
        gm_cycle_l1_latency_answer(l1, owner, requester_word, last, now);
    }
    if (response.count == 0) {
        gone |= GM_CYCLE_L1_FREED_ENTRY | GM_CYCLE_L1_FREED_QUEUE;
        l1->time.l1_mshr_cycles += now - entry->since;
        l1->entries--;
        l1->answering = owner == l1->answering ? GM_NO_ENTRY : l1->link[l1->answering].next;
    }
    if (!done) {
        return gone;
    }
    if (waiter.load) {
        gm_cycle_l1_count_load(l1, waiter.began, now);
    }
    *ticket = waiter.ticket;
    return gone;
}

static __attribute__((noinline)) uint32_t answer(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket)
{
    return answer_by(l1, now, ticket, false);
}

static __attribute__((noinline)) uint32_t answer_one(gm_cycle_l1 *l1, gm_cycle now,
                                                     uint32_t *ticket)
{
    return answer_by(l1, now, ticket, true);
}

/* With whole answers, takes the answers of a packet until one completes its request. */
static __attribute__((noinline)) uint32_t answer_whole(gm_cycle_l1 *l1, gm_cycle now,
                                                       uint32_t *ticket)
{
    uint32_t gone = 0;
    do {
        gone |= answer_one(l1, now, ticket);
    } while (*ticket == GM_NO_TICKET && l1->answering != GM_NO_ENTRY);
    return gone;
}

/* The loop is a function of its own: with it in the other's, a random gather of a big machine takes
 * 0.9% more instructions. */
static inline uint32_t answer_special(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket)
{
    return l1->shared->whole_answers ? answer_whole(l1, now, ticket) : answer_one(l1, now, ticket);
}

static uint32_t bypassed_arrived(gm_cycle_l1 *l1, uint32_t id, gm_cycle now, uint32_t *ticket)
{
    uint32_t place = gm_cycle_l1_id_number(id) % GM_CYCLE_L1_BYPASS_PATH;
    gm_cycle_l1_bypassed *load = &l1->bypassed[place];
    if (--load->packets != 0) {
        return 0;
    }
    if (l1->values != NULL) {
        gm_cycle_l1_value_answer(l1, load->line, load->ticket, UINT32_MAX, id, true);
    }
    if (l1->tracked != NULL && (gm_cycle_l1_id_number(id) & GM_CYCLE_L1_BYPASS_PATH) != 0) {
        gm_cycle_l1_answered_elsewhere(l1, id); /* a strong load asks no tracker */
    }
    if (l1->latency != NULL) {
        gm_cycle_l1_latency_bypassed(l1, place, now);
    }
    gm_cycle_l1_count_load(l1, load->began, now);
    l1->free_bypassed[l1->bypassed_free++] = (uint16_t)place;
    *ticket = load->ticket;
    return GM_CYCLE_L1_FREED_ENTRY | GM_CYCLE_L1_FREED_BYPASS;
}

uint32_t gm_cycle_l1_other_arrived(gm_cycle_l1 *l1, uint32_t id, gm_cycle now, uint32_t *ticket)
{
    uint32_t number = gm_cycle_l1_id_number(id);
    switch (gm_cycle_l1_id_kind_of(id)) {
    case GM_CYCLE_L1_OF_ENTRY:
        break;
    case GM_CYCLE_L1_OF_BYPASSED:
        return bypassed_arrived(l1, id, now, ticket);
    case GM_CYCLE_L1_OF_TICKET:
        *ticket = number;
        break;
    case GM_CYCLE_L1_OF_WRITE_BACK:
        l1->write_backs--;
        break;
    case GM_CYCLE_L1_OF_INSTRUCTIONS:
        l1->fetched = 1 + number;
        break;
    }
    return 0;
}

GM_TEMPLATE uint32_t take_reply(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket, const bool special)
{
    if (l1->answering != GM_NO_ENTRY) {
        return special ? answer_special(l1, now, ticket) : answer(l1, now, ticket);
    }
    gm_network *network = l1->shared->replies;
    const gm_packet *packet = gm_network_peek(network, l1->number, now);
    if (packet == NULL) {
        return 0;
    }
    uint32_t id = packet->id;
    if (special && l1->latency != NULL) {
        gm_cycle_l1_latency_arrive(l1, packet, false);
    }
    uint8_t flags = packet->flags;
    gm_network_pop(network, l1->number, now);
    if (gm_cycle_l1_id_kind_of(id) != GM_CYCLE_L1_OF_ENTRY) {
        return gm_cycle_l1_other_arrived(l1, id, now, ticket);
    }
    uint32_t number = gm_cycle_l1_id_number(id);
    if (special && l1->cache.sharing != NULL) {
        gm_cycle_l1_sharing_arrived(&l1->entry[number], flags);
    }
    if (--l1->entry[number].packets != 0) {
        return 0;
    }
    if (special && l1->tracked != NULL) {
        gm_cycle_l1_answered_elsewhere(l1, id);
    }
    l1->answering = special && l1->shared->by_sector ? l1->link[number].next : number;
    return special ? answer_special(l1, now, ticket) : answer(l1, now, ticket);
}

/* Takes data from another L1: all that the LOOKUP has asked for. */
static uint32_t take_supplied(gm_cycle_l1 *l1, const gm_packet *packet, gm_cycle now,
                              uint32_t *ticket)
{
    uint32_t id = packet->id;
    uint32_t number = gm_cycle_l1_id_number(id);
    l1->tracked->counts.remote_hits++;
    l1->tracked->counts.remote_sectors += gm_count_ones(packet->sectors);
    if (l1->latency != NULL) {
        gm_cycle_l1_latency_arrive(l1, packet, true);
    }
    gm_network_pop(l1->shared->peers, l1->number, now);
    if (gm_cycle_l1_id_kind_of(id) == GM_CYCLE_L1_OF_BYPASSED) {
        l1->bypassed[number % GM_CYCLE_L1_BYPASS_PATH].packets = 1;
        return bypassed_arrived(l1, id, now, ticket);
    }
    l1->entry[number].packets = 0;
    gm_cycle_l1_answered_elsewhere(l1, id);
    l1->answering = number;
    return answer_special(l1, now, ticket);
}

/* One cycle of both ports. A SUPPLY does not use the L1's port for data. Data of the two networks
 * take turns if both have some. A LOOKUP that is answered lets held stores go on. */
static uint32_t take_tracked_reply(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket)
{
    gm_cycle_l1_tracked *tracked = l1->tracked;
    const gm_packet *reply = gm_network_peek(l1->shared->replies, l1->number, now);
    if (reply != NULL && reply->kind == GM_MESSAGE_SUPPLY) {
        const gm_packet supply = *reply;
        gm_network_pop(l1->shared->replies, l1->number, now);
        gm_cycle_l1_supply_other(l1, &supply, now);
        reply = NULL;
    }
    if (l1->answering != GM_NO_ENTRY) {
        return answer_special(l1, now, ticket);
    }
    const gm_packet *peer = gm_network_peek(l1->shared->peers, l1->number, now);
    bool of_peer = peer != NULL && (reply == NULL || tracked->peer_first);
    tracked->peer_first = peer != NULL && reply != NULL ? !of_peer : tracked->peer_first;
    uint32_t unanswered = tracked->unanswered;
    uint32_t gone = of_peer         ? take_supplied(l1, peer, now, ticket)
                    : reply != NULL ? take_reply(l1, now, ticket, true)
                                    : 0;
    return tracked->unanswered != unanswered ? gone | GM_CYCLE_L1_FREED_LINE : gone;
}

static __attribute__((noinline)) uint32_t take_special_reply(gm_cycle_l1 *l1, gm_cycle now,
                                                             uint32_t *ticket)
{
    return l1->coherent != NULL  ? gm_cycle_l1_coherent_reply(l1, now, ticket)
           : l1->tracked != NULL ? take_tracked_reply(l1, now, ticket)
                                 : take_reply(l1, now, ticket, true);
}

uint32_t gm_cycle_l1_reply(gm_cycle_l1 *l1, gm_cycle now, uint32_t *ticket)
{
    *ticket = GM_NO_TICKET;
    return l1->special ? take_special_reply(l1, now, ticket) : take_reply(l1, now, ticket, false);
}
