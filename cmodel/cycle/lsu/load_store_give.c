/* Requests and answers of the load/store unit, in each order in which requests reach the L1. */
#include "cycle/lsu/load_store_give.h"

#include "cache/l1_access_rules.h"
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
        gm_due_later(&unit->shared, access->ticket,
                     access->last_pass + unit->shared_latency - unit->port.enabled);
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

gm_cycle gm_load_store_put_early(gm_load_store *unit, gm_queued_access *access, uint32_t gone,
                                 gm_cycle now)
{
    const gm_cycle_l1_answer blocked = unit->blocked;
    const gm_request_kind blocked_kind = unit->blocked_kind;
    const gm_cycle blocked_from = unit->blocked_from;
    unit->blocked = unit->early_blocked;
    unit->blocked_from = unit->early_from;
    unit->early_began = unit->blocked == GM_CYCLE_L1_TAKEN ? now : unit->early_began;
    bool taken =
        !gm_load_store_waits(unit, gone) &&
        gm_load_store_give(unit, gm_load_store_next_request(unit, access),
                           (gm_request_kind)access->kind, access->ticket, unit->early_began, now);
    unit->early_blocked = unit->blocked;
    unit->early_from = unit->blocked_from;
    unit->blocked = blocked;
    unit->blocked_kind = blocked_kind;
    unit->blocked_from = blocked_from;
    if (!taken) {
        return GM_NEVER; /* until the L1 has sent a packet */
    }
    if (unit->port.enabled && gm_ring_count(&unit->l1.queue) == 1) {
        gm_cycle_l1_send(&unit->l1, now); /* it does not pass the miss queue */
    }
    access->next++;
    unit->bank_counts.requests += unit->banks > 1;
    return access->next < access->requests ? now + 1 : gm_load_store_retire(unit, access, now);
}

/* What a request counts as. */
typedef enum outcome { HIT, HIT_PENDING, MISS, BYPASS } outcome;

/* True if a request that bypasses the L1 counts as a reference to its line: it does not drop it. */
static bool is_referenced(const gm_cycle_l1 *l1, gm_request_kind kind)
{
    bool chosen = kind == GM_REQUEST_STORE && l1->shared->path == GM_CYCLE_L1_POLICY &&
                  gm_bypass_store(&l1->bypass);
    return !gm_l1_always_bypasses(&l1->shared->policy, kind, chosen);
}

/* Tells the observer of a request that the L1 has taken. `held`: its line had a way, under a
 * coherence protocol. */
static void tell(const gm_load_store *unit, const gm_line_request *line, gm_request_kind kind,
                 uint32_t ticket, outcome outcome, bool held, gm_cycle now)
{
    const gm_observed_access access = {
        .line = line->line,
        .sectors = line->sectors,
        .whole = line->whole,
        .sm = unit->number,
        .unit = unit->number,
        .id = ticket,
        .kind = kind,
        .local = line->local,
        .hit = outcome == HIT || outcome == HIT_PENDING,
        .waits = outcome == HIT_PENDING,
        .stale = held && outcome == MISS,
        .bypass = outcome == BYPASS,
        .referenced = outcome == BYPASS && is_referenced(&unit->l1, kind),
        .now = now,
    };
    unit->l1.observer->l1_access(unit->l1.observer->context, &access);
}

/* Counts a request for its instruction. */
static void count(const gm_pc_flight *pcs, uint32_t ticket, outcome outcome)
{
    gm_pc_counts *counts = gm_pc_counts_of(pcs->table, pcs->address[ticket]);
    counts->requests++;
    *(outcome == HIT           ? &counts->hits
      : outcome == MISS        ? &counts->misses
      : outcome == HIT_PENDING ? &counts->hits_pending
                               : &counts->bypasses) += 1;
}

/* What a request counts as follows from what the L1's counters gain, whatever kind of L1 it is. */
gm_cycle_l1_answer gm_load_store_attempt_counted(gm_load_store *unit, const gm_line_request *line,
                                                 gm_request_kind kind, uint32_t ticket,
                                                 gm_cycle began, gm_cycle now)
{
    gm_access_kind as = gm_request_access_kind(kind);
    const gm_cache_statistics *l1 = &unit->l1.statistics;
    uint64_t accesses = l1->accesses[as];
    uint64_t hits = l1->hits[as];
    uint64_t misses = l1->misses[as];
    uint64_t bypasses = l1->bypasses[as];
    bool held = unit->l1.observer != NULL && unit->l1.coherent != NULL &&
                gm_cache_find(&unit->l1.cache, line->line).slot != GM_NO_SLOT;
    gm_cycle_l1_answer answer =
        unit->l1.usual && kind == GM_REQUEST_LOAD
            ? gm_cycle_l1_load_usual(&unit->l1, line, ticket, began, now)
            : gm_load_store_attempt_any(unit, line, kind, ticket, began, now);
    if (l1->accesses[as] == accesses) {
        return answer; /* refused */
    }
    outcome outcome = l1->hits[as] != hits           ? HIT
                      : l1->misses[as] != misses     ? MISS
                      : l1->bypasses[as] != bypasses ? BYPASS
                                                     : HIT_PENDING;
    if (unit->l1.pcs != NULL) {
        count(unit->l1.pcs, ticket, outcome);
    }
    if (unit->l1.observer != NULL) {
        tell(unit, line, kind, ticket, outcome, held, now);
    }
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
