/* Supplies of the timed L1 to other L1s. */
#include "cycle/l1/l1_supply.h"

#include "cache/values.h"
#include "cycle/l1/l1_lookup.h"
#include "cycle/l1/l1_tracker.h"

bool gm_cycle_l1_has_supply(const gm_cycle_l1 *l1, gm_cycle now)
{
    return gm_network_arrival(l1->shared->peers, l1->number) <= now;
}

/* Sends the SUPPLY back to the tracker, as the READ of its requester. */
static void give_back(gm_cycle_l1 *l1, const gm_packet *packet)
{
    gm_packet *back = &l1->packet[gm_ring_push(&l1->queue)];
    *back = *packet;
    back->kind = GM_MESSAGE_RETURN;
    back->sm = (uint16_t)packet->peer;
    back->peer = l1->number;
    l1->tracked->missed++;
    l1->from_fetch++;
    l1->sent.messages[GM_MESSAGE_RETURN]++;
    l1->sent.sectors[GM_MESSAGE_RETURN] += gm_count_ones(packet->sectors);
}

void gm_cycle_l1_supply_other(gm_cycle_l1 *l1, const gm_packet *packet, gm_cycle now)
{
    gm_cycle_l1_tracked *tracked = l1->tracked;
    uint64_t line = packet->line >> (l1->shared->l1_sector_bits - l1->shared->l2_sector_bits);
    tracked->came++;
    if ((packet->sectors & ~gm_cycle_l1_held(l1, line)) != 0) {
        give_back(l1, packet);
        return;
    }
    if (l1->values != NULL) {
        gm_values_supply(l1->values, packet->peer, l1->number, line, packet->sectors, packet->id);
    }
    uint32_t place = gm_ring_push(&tracked->ring);
    tracked->leaves[place] = now + l1->shared->config->l1.latency;
    gm_wake(&l1->shared->port_wake[l1->number], tracked->leaves[place]);
    tracked->packet[place] = *packet;
    tracked->packet[place].kind = GM_MESSAGE_SUPPLIED;
    tracked->packet[place].sm = (uint16_t)packet->peer;
    tracked->packet[place].peer = l1->number;
}

/* Sends the oldest data for another L1, if they can leave. Requires some. */
static void send_supplied(gm_cycle_l1 *l1, gm_cycle now)
{
    gm_cycle_l1_tracked *tracked = l1->tracked;
    uint32_t first = gm_ring_first(&tracked->ring);
    const gm_packet *packet = &tracked->packet[first];
    if (tracked->leaves[first] > now ||
        !gm_network_offer(l1->shared->peers, l1->number, packet, now)) {
        return;
    }
    uint64_t sectors = gm_count_ones(packet->sectors);
    tracked->counts.supplied_sectors += sectors;
    l1->sent.messages[GM_MESSAGE_SUPPLIED]++;
    l1->sent.sectors[GM_MESSAGE_SUPPLIED] += sectors;
    gm_cycle_l1_free_place(l1, packet->bank, now);
    gm_ring_pop(&tracked->ring);
}

gm_cycle gm_cycle_l1_step_port(gm_cycle_l1 *l1, gm_cycle now)
{
    const gm_cycle_l1_tracked *tracked = l1->tracked;
    gm_cycle next = gm_network_arrival(l1->shared->peers, l1->number);
    if (!gm_ring_is_empty(&tracked->ring)) {
        send_supplied(l1, now);
    }
    if (!gm_ring_is_empty(&tracked->ring) && !gm_network_refuses(l1->shared->peers, l1->number)) {
        gm_wake(&next, tracked->leaves[gm_ring_first(&tracked->ring)]);
    }
    return next == GM_NEVER || next > now ? next : now + 1;
}
