/* Values of the timed L1. */
#include "cycle/l1/l1_values.h"

#include "cache/values.h"
#include "cycle/l1/l1_queue.h"
#include "cycle/l1/l1_sector.h"

static gm_value_request asked_of(const gm_cycle_l1 *l1, const gm_cycle_l1_request *request)
{
    return (gm_value_request){.sm = l1->number,
                              .ticket = request->ticket,
                              .line = request->line->line,
                              .sectors = request->line->sectors};
}

static uint32_t ticket_id(const gm_cycle_l1_request *request)
{
    return gm_cycle_l1_id(GM_CYCLE_L1_OF_TICKET, request->ticket);
}

void gm_cycle_l1_value_hit(gm_cycle_l1 *l1, const gm_cycle_l1_request *request, uint32_t dirtied)
{
    const gm_value_request asked = asked_of(l1, request);
    if (request->kind == GM_REQUEST_STORE) {
        gm_values_store(l1->values, &asked,
                        &(gm_value_effect){.held = asked.sectors, .dirtied = dirtied});
    } else {
        gm_values_load(l1->values, &asked, asked.sectors, 0);
    }
}

void gm_cycle_l1_value_miss(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                            const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                            uint32_t entry, bool waits)
{
    gm_value_request asked = asked_of(l1, request);
    uint32_t id = gm_cycle_l1_id(GM_CYCLE_L1_OF_ENTRY, gm_cycle_l1_owner(l1, entry));
    asked.since = effect->merges ? l1->entry[entry].since : 0;
    uint32_t held = waits ? found->line.held & asked.sectors : asked.sectors;
    if (request->kind != GM_REQUEST_STORE) {
        gm_values_load(l1->values, &asked, held, id);
        return;
    }
    gm_values_store(l1->values, &asked,
                    &(gm_value_effect){.held = held,
                                       .waiting = asked.sectors & ~held,
                                       .dirtied = effect->dirtied,
                                       .forwarded = effect->forwarded,
                                       .entry = id,
                                       .id = ticket_id(request)});
}

void gm_cycle_l1_value_forward(gm_cycle_l1 *l1, const gm_cycle_l1_request *request,
                               const gm_cycle_l1_found *found, const gm_l1_effect *effect,
                               uint32_t id)
{
    const gm_value_request asked = asked_of(l1, request);
    if (gm_request_access_kind(request->kind) == GM_LOAD) {
        gm_values_load(l1->values, &asked, 0, id);
        return;
    }
    uint32_t held = effect->invalidates ? 0 : found->line.held & asked.sectors;
    gm_values_store(
        l1->values, &asked,
        &(gm_value_effect){.held = held, .forwarded = effect->forwarded, .id = ticket_id(request)});
}

void gm_cycle_l1_value_answer(gm_cycle_l1 *l1, uint64_t line, uint32_t ticket, uint32_t sectors,
                              uint32_t id, bool last)
{
    gm_values_answer(l1->values, l1->number, ticket, line, sectors, id);
    if (last) {
        gm_values_end_reply(l1->values, l1->number, line, id);
    }
}
