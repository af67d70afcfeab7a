/* Requests and answers of the load/store unit, in each order in which requests reach the L1. */
#include "cycle/lsu/load_store_give.h"

#include "cycle/lsu/load_store_passes.h"

void gm_load_store_begin(gm_load_store *unit, gm_queued_access *access, gm_cycle now)
{
    access->begun = true;
    if (unit->counts_passes) {
        gm_load_store_begin_passes(unit, access, now);
        return;
    }
    access->last_pass = now;
    if (access->passes != 0) {
        access->last_pass = now + access->passes - 1;
        gm_due_later(&unit->shared, access->ticket, access->last_pass + unit->shared_latency);
    } else if (access->requests == 0) {
        gm_load_store_answered(unit, access->ticket);
    }
}

gm_cycle_l1_answer gm_load_store_attempt_any(gm_load_store *unit, const gm_line_request *line,
                                             gm_request_kind kind, uint32_t ticket, gm_cycle began,
                                             gm_cycle now)
{
    gm_cycle_l1_request request = {.line = line,
                                   .kind = kind,
                                   .ticket = ticket,
                                   .began = began,
                                   .again = unit->blocked != GM_CYCLE_L1_TAKEN};
    uint32_t answers = 0;
    gm_cycle_l1_answer answer = gm_cycle_l1_access(&unit->l1, &request, now, &answers);
    if (answer == GM_CYCLE_L1_TAKEN) {
        unit->pending[ticket] += (uint64_t)answers - 1; /* one was expected */
    }
    return answer;
}
