/* Banks of the L1, in front of its look-up. Requests stay in order: one that waits holds all later
 * ones. */
#include "cycle/lsu/load_store_banks.h"

#include "cycle/lsu/load_store_give.h"

uint32_t gm_load_store_width(const gm_config *config)
{
    return (uint32_t)(config->l1.banks > 1 ? config->l1.banks : config->l1.ports);
}

void gm_load_store_make_banks(gm_load_store *unit, const gm_config *config)
{
    unit->banks = (uint32_t)config->l1.banks;
    unit->bank_shift = gm_log2_floor(config->l1.bank_interleave / GM_SECTOR);
    unit->bank_bits = gm_log2_floor(config->l1.banks);
    unit->bank_xor = config->l1.bank_index == GM_BANKS_XOR;
    if (unit->banks > 1) {
        unit->order = unit->order == GM_ORDER_BEHIND_PIPELINE ? GM_ORDER_OF_BANKS_BEHIND_PIPELINE
                                                              : GM_ORDER_OF_BANKS;
    }
}

bool gm_load_store_conflicts(const gm_load_store *unit, gm_bank_side side,
                             const gm_line_request *request, gm_cycle now)
{
    uint32_t left = request->sectors;
    bool conflict = false;
    while (left != 0 && !conflict) {
        uint32_t bank = gm_load_store_take_piece(unit, request->line, &left);
        conflict = unit->bank_use[bank].until[side] > now;
    }
    return conflict;
}

uint32_t gm_load_store_occupy(gm_load_store *unit, gm_bank_side side,
                              const gm_line_request *request, gm_cycle now)
{
    uint32_t left = request->sectors;
    uint32_t cycles = 0;
    while (left != 0) {
        uint32_t bank = gm_load_store_take_piece(unit, request->line, &left);
        gm_cycle *until = &unit->bank_use[bank].until[side];
        *until = (*until > now ? *until : now) + 1;
        cycles++;
    }
    return cycles;
}

/* Gives the L1 requests of the oldest access until one waits. */
static gm_cycle serve(gm_load_store *unit, uint32_t gone, gm_cycle now)
{
    gm_cycle next;
    gm_queued_access *access = gm_load_store_due_access(unit, now, &next);
    if (access == NULL) {
        return next;
    }
    while (access->next < access->requests) {
        const gm_line_request *request = gm_load_store_next_request(unit, access);
        bool first = unit->blocked == GM_CYCLE_L1_TAKEN;
        if (first && gm_load_store_waits_for_bank(unit, request, now)) {
            return now + 1;
        }
        unit->began = first ? now : unit->began;
        if (gm_load_store_waits(unit, gone) ||
            !gm_load_store_give(unit, request, (gm_request_kind)access->kind, access->ticket,
                                unit->began, now)) {
            return GM_NEVER;
        }
        gm_load_store_take_banks(unit, request, now);
        access->next++;
    }
    return gm_load_store_retire(unit, access, now);
}

void gm_load_store_step_banked(gm_load_store *unit, gm_cycle now)
{
    gm_load_store_step_by(unit, now, serve, false);
}

void gm_load_store_snapshot_banks(gm_load_store *unit, gm_snapshot *snapshot)
{
    if (unit->banks > 1) {
        GM_SNAPSHOT_VALUE(snapshot, unit->bank_use);
        GM_SNAPSHOT_VALUE(snapshot, unit->bank_counts);
    }
}
