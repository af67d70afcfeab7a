/* Latencies of the timed L1's requests. */
#include "cycle/l1/l1_latency.h"

#include "cycle/l1/l1_queue.h"
#include "cycle/l1/l1_sector.h"

void gm_cycle_l1_latency_arrive(gm_cycle_l1 *l1, const gm_packet *packet, bool of_peer)
{
    gm_cycle_latency *own = l1->latency;
    uint32_t number = gm_cycle_l1_id_number(packet->id);
    uint8_t level = of_peer                                   ? GM_SERVED_BY_peer
                    : packet->response == GM_RESPONSE_OF_DRAM ? GM_SERVED_BY_dram
                                                              : GM_SERVED_BY_l2;
    switch (gm_cycle_l1_id_kind_of(packet->id)) {
    case GM_CYCLE_L1_OF_ENTRY:
        gm_latency_raise(&own->of_entry[number], level);
        break;
    case GM_CYCLE_L1_OF_BYPASSED:
        gm_latency_raise(&own->of_bypassed[number % GM_CYCLE_L1_BYPASS_PATH], level);
        break;
    case GM_CYCLE_L1_OF_TICKET:
        gm_latency_raise(&own->level[number], level);
        break;
    case GM_CYCLE_L1_OF_WRITE_BACK:
    case GM_CYCLE_L1_OF_INSTRUCTIONS:
        break;
    }
}

void gm_cycle_l1_latency_answer(gm_cycle_l1 *l1, uint32_t owner, uint64_t requester, bool last,
                                gm_cycle now)
{
    gm_cycle_latency *own = l1->latency;
    uint8_t level = own->of_entry[owner];
    bool done = true;
    if (last) {
        own->of_entry[owner] = GM_SERVED_BY_l1;
    }
    if (gm_cycle_l1_is_split(requester)) {
        gm_cycle_l1_split *split = gm_cycle_l1_split_of(l1, requester);
        split->level = level > split->level ? level : split->level;
        level = (uint8_t)split->level;
        requester = split->requester;
        done = split->left == 0;
    }
    if (done) {
        gm_cycle_l1_waiter waiter = gm_cycle_l1_waiter_of(requester);
        gm_latency_answer(own, waiter.ticket, level, waiter.load, now - waiter.began);
    }
}

void gm_cycle_l1_latency_bypassed(gm_cycle_l1 *l1, uint32_t place, gm_cycle now)
{
    gm_cycle_latency *own = l1->latency;
    const gm_cycle_l1_bypassed *load = &l1->bypassed[place];
    gm_latency_answer(own, load->ticket, own->of_bypassed[place], true, now - load->began);
    own->of_bypassed[place] = GM_SERVED_BY_l1;
}
