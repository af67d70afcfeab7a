/* Execution: pipes that take instructions, directly at issue or from operand collectors, as in
 * GPGPU-Sim. */
#include "cycle/sm/execute.h"

#include "cycle/sm/scoreboard.h"

void gm_cycle_sm_share(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler, unsigned pipe,
                       gm_cycle until)
{
    uint32_t units = sm->units[pipe];
    uint32_t first = (uint32_t)(scheduler - sm->scheduler) % units;
    for (uint32_t i = first; i < sm->schedulers; i += units) {
        sm->scheduler[i].busy[pipe] = until;
    }
}

/* Returns how long an instruction takes its unit (sm.opcode_units). */
static gm_unit_hold hold_of(const gm_cycle_warp *warp)
{
    gm_op op = gm_timed_op(warp->head);
    bool control = op == GM_OP_BARRIER || op == GM_OP_EXIT;
    return control && warp->pipe != GM_UNIT_CONTROL ? GM_HOLD_CYCLE
           : gm_timed_halves(warp->head)            ? GM_HOLD_HALF
                                                    : GM_HOLD_INTERVAL;
}

/* Returns the cycles for which an instruction takes its unit. */
static gm_cycle held(const gm_cycle_sm *sm, const gm_collected *instruction)
{
    gm_cycle interval = sm->interval[instruction->pipe];
    return instruction->kind == GM_HOLD_CYCLE || interval == 1 ? 1
           : instruction->kind == GM_HOLD_HALF                 ? interval / 2
                                                               : interval;
}

void gm_cycle_sm_collect(gm_cycle_sm *sm, uint32_t slot)
{
    gm_cycle_warp *warp = &sm->warp[slot];
    unsigned destinations = gm_timed_destinations(warp->head);
    const gm_operand_collector *collector = &sm->collector;
    const gm_register_reads reads =
        gm_operand_collector_reads(collector, warp->scheduler, slot, warp->registers, destinations,
                                   gm_timed_registers(warp->head));
    const gm_collected instruction = {
        .registers = warp->registers[0],
        .slot = (uint16_t)slot,
        .pipe = warp->pipe,
        .destinations = (uint8_t)destinations,
        .kind = (uint8_t)hold_of(warp),
        .banks = reads.banks,
        .rounds = (uint8_t)reads.count,
        .partition = (uint8_t)gm_operand_collector_partition(collector, warp->scheduler),
    };
    gm_operand_collector_put(&sm->collector, &instruction);
    warp->accesses++; /* the warp does not end before the instruction leaves its collector */
}

/* Returns the scheduler whose unit the instruction is for: that of its warp; without sub-cores,
 * with queues of reads, the one whose unit is free first. */
static gm_cycle_scheduler *scheduler_of(const gm_cycle_sm *sm, const gm_collected *instruction)
{
    gm_cycle_scheduler *own = &sm->scheduler[sm->warp[instruction->slot].scheduler];
    if (!sm->collector.any_unit) {
        return own;
    }
    uint8_t unit = sm->collector.unit[instruction->pipe];
    gm_cycle_scheduler *first = own;
    for (gm_cycle_scheduler *other = sm->scheduler; other < sm->end; other++) {
        first = other->busy[unit] < first->busy[unit] ? other : first;
    }
    return first;
}

/* Returns the address of the first cycle in which the instruction's unit, the scheduler's, takes
 * another one. */
static gm_cycle *unit_of(gm_cycle_sm *sm, gm_cycle_scheduler *scheduler,
                         const gm_collected *instruction)
{
    uint8_t unit = sm->collector.unit[instruction->pipe];
    return sm->collector.pool[unit] != 0 ? gm_operand_collector_pooled_unit(&sm->collector, unit)
                                         : &scheduler->busy[unit];
}

/* Gives the instruction to its unit. Returns true if the unit takes it in cycle `now`. */
static bool execute(gm_cycle_sm *sm, const gm_collected *instruction, gm_cycle now)
{
    uint32_t slot = instruction->slot;
    gm_cycle_warp *warp = &sm->warp[slot];
    gm_cycle_scheduler *scheduler = scheduler_of(sm, instruction);
    gm_cycle *free = unit_of(sm, scheduler, instruction);
    if (*free > now) {
        return false;
    }
    *free = now + held(sm, instruction);
    uint8_t unit = sm->collector.unit[instruction->pipe];
    if ((sm->pooled >> unit & 1) != 0) {
        gm_cycle_sm_share(sm, scheduler, unit, *free);
    }
    gm_cycle available = now + sm->latency[instruction->pipe];
    gm_scoreboard_set(gm_cycle_sm_score(sm, slot), &warp->written, instruction->registers,
                      instruction->destinations, available);
    gm_operand_collector_write(&sm->collector, warp->scheduler, slot, instruction->registers,
                               instruction->destinations, available);
    warp->accesses--;
    if (warp->state == GM_STATE_ENDING && instruction->kind == GM_HOLD_CYCLE) {
        warp->not_before = now + sm->drain;
    }
    return true;
}

/* Gives the oldest memory instruction that is behind the collectors to the load/store unit. */
static void give_oldest(gm_cycle_sm *sm, gm_cycle now)
{
    gm_operand_collector *collector = &sm->collector;
    for (uint32_t i = 0; i < collector->count; i++) {
        const gm_collected *instruction = &collector->entry[i];
        if (instruction->behind != 0 && instruction->pipe == GM_UNIT_MEMORY) {
            gm_memory_access access = gm_operand_collector_access(collector, instruction);
            gm_load_store_issue(sm->load_store, &access, now);
            gm_operand_collector_remove(collector, i);
            return;
        }
    }
}

/* With registers behind the collectors: instructions leave collectors, then registers behind them,
 * the oldest first. With a write port of the load/store unit, memory instructions leave those
 * registers in a later cycle than their collectors, as all do in GPGPU-Sim: for others the latency
 * of their unit has that cycle. */
static void step_partitions(gm_cycle_sm *sm, gm_cycle now, uint64_t *slots)
{
    gm_operand_collector *collector = &sm->collector;
    bool room = gm_load_store_has_room(sm->load_store);
    if (sm->load_store->port.enabled) {
        if (room) {
            give_oldest(sm, now);
        }
        room = false;
    }
    gm_operand_collector_step(collector, now);
    for (uint32_t i = 0; i < collector->count;) {
        const gm_collected *instruction = &collector->entry[i];
        bool leaves = instruction->behind != 0;
        if (leaves && instruction->pipe == GM_UNIT_MEMORY) {
            leaves = room;
            room = false;
            if (leaves) {
                gm_memory_access access = gm_operand_collector_access(collector, instruction);
                gm_load_store_issue(sm->load_store, &access, now);
            }
        } else if (leaves) {
            uint32_t slot = instruction->slot;
            leaves = execute(sm, instruction, now);
            if (leaves) {
                gm_bitset_add(slots, slot);
            }
        }
        if (leaves) {
            gm_operand_collector_remove(collector, i);
        } else {
            i++;
        }
    }
}

void gm_cycle_sm_step_collectors(gm_cycle_sm *sm, gm_cycle now, uint64_t *slots)
{
    gm_operand_collector *collector = &sm->collector;
    if (collector->numbered) {
        step_partitions(sm, now, slots);
        return;
    }
    bool room = gm_load_store_has_room(sm->load_store);
    uint32_t passed = 0; /* mask of the partitions whose oldest memory instruction was met */
    for (uint32_t i = 0; i < collector->count;) {
        const gm_collected *instruction = &collector->entry[i];
        uint32_t slot = instruction->slot;
        bool leaves = instruction->at <= now;
        if (instruction->pipe == GM_UNIT_MEMORY) {
            uint32_t partition = UINT32_C(1) << instruction->partition;
            leaves = leaves && room && (passed & partition) == 0;
            passed |= partition; /* in order, one a cycle */
            if (leaves) {
                room = false;
                gm_memory_access access = gm_operand_collector_access(collector, instruction);
                gm_load_store_issue(sm->load_store, &access, now);
            }
        } else if (leaves && execute(sm, instruction, now)) {
            gm_bitset_add(slots, slot);
        } else {
            if (leaves) {
                gm_operand_collector_put_behind(collector, i);
            }
            leaves = false;
        }
        if (leaves) {
            gm_operand_collector_remove(collector, i);
        } else {
            i++;
        }
    }
    gm_operand_collector_step(collector, now);
}

gm_cycle gm_cycle_sm_next_collection(gm_cycle_sm *sm, gm_cycle now)
{
    const gm_operand_collector *collector = &sm->collector;
    if (collector->register_banks.queued != 0 || gm_operand_collector_can_allocate(collector)) {
        return now + 1;
    }
    gm_cycle next = GM_NEVER;
    for (uint32_t i = 0; i < collector->count; i++) {
        const gm_collected *instruction = &collector->entry[i];
        gm_cycle at = instruction->at;
        if (at == GM_NEVER) {
            continue; /* until an instruction leaves a collector */
        }
        if (collector->register_banks.banks != 0 &&
            !gm_operand_collector_is_ready(collector, instruction, now)) {
            continue; /* until its banks have read */
        }
        if (collector->numbered && instruction->behind == 0) {
            if (gm_operand_collector_can_put_behind(collector, instruction)) {
                gm_wake(&next, at > now ? at : now + 1);
            }
            continue;
        }
        if (instruction->pipe != GM_UNIT_MEMORY) {
            gm_cycle free = *unit_of(sm, scheduler_of(sm, instruction), instruction);
            bool moves = gm_operand_collector_can_put_behind(collector, instruction);
            at = at > free || moves ? at : free;
        } else if (at <= now + 1 && !gm_load_store_has_room(sm->load_store)) {
            sm->wants_room = true;
            at = GM_NEVER;
        }
        gm_wake(&next, at > now ? at : now + 1);
    }
    return next;
}
