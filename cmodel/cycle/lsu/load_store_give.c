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

gm_cycle_l1_answer gm_load_store_attempt_counted(gm_load_store *unit, const gm_line_request *line,
                                                 gm_request_kind kind, uint32_t ticket,
                                                 gm_cycle began, gm_cycle now)
{
    gm_access_kind as = gm_request_access_kind(kind);
    const gm_cache_statistics *l1 = &unit->l1.statistics;
    const gm_pc_counts before = {.requests = l1->accesses[as],
                                 .hits = l1->hits[as],
                                 .hits_pending = l1->hits_pending[as],
                                 .misses = l1->misses[as],
                                 .bypasses = l1->bypasses[as]};
    gm_cycle_l1_answer answer =
        unit->l1.usual && kind == GM_REQUEST_LOAD
            ? gm_cycle_l1_load_usual(&unit->l1, line, ticket, began, now)
            : gm_load_store_attempt_any(unit, line, kind, ticket, began, now);
    const gm_pc_flight *pcs = unit->l1.pcs;
    gm_pc_counts *counts = gm_pc_counts_of(pcs->table, pcs->address[ticket]);
    counts->requests += l1->accesses[as] - before.requests;
    counts->hits += l1->hits[as] - before.hits;
    counts->hits_pending += l1->hits_pending[as] - before.hits_pending;
    counts->misses += l1->misses[as] - before.misses;
    counts->bypasses += l1->bypasses[as] - before.bypasses;
    return answer;
}

void gm_load_store_count_done(const gm_load_store *unit, gm_cycle now)
{
    const gm_pc_flight *pcs = unit->l1.pcs;
    for (uint32_t i = 0; i < unit->done_count; i++) {
        uint32_t ticket = unit->done[i];
        gm_pc_counts_of(pcs->table, pcs->address[ticket])->memory_cycles +=
            now - pcs->issued[ticket];
    }
}
