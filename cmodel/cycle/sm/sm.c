/* SM of the cycle engine: storage, begin and end of kernels, admission of CTAs, counters and
 * invariants. issue.c has the SM's cycle. */
#include "cycle/sm/fence.h"
#include "cycle/sm/l1i.h"
#include "cycle/sm/launch.h"
#include "cycle/sm/memory_instruction.h"
#include "cycle/sm/throttle.h"
#include "cycle/sm/warp_state.h"

#include <errno.h>

enum {
    ALIGNMENT = 64,
    ARRAYS = 18,
    FETCH_CYCLES = 2, /* from a fetch to the issue, at most, beside l1i.latency */
};

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns the slots of the timing wheel: more than the most cycles until a warp is ready. */
static uint32_t wheel_slots_of(const gm_config *config)
{
    uint64_t most = 1;
    most = larger(most, config->unit.integer.latency);
    most = larger(most, config->unit.fp32.latency);
    most = larger(most, config->unit.fp64.latency);
    most = larger(most, config->unit.special.latency);
    most = larger(most, config->unit.tensor.latency);
    most = larger(most, config->unit.control.latency);
    most = larger(most, config->unit.texture.latency);
    most = larger(most, config->unit.uniform.latency);
    most = config->sm.collectors != 0 ? larger(most, config->sm.drain) : most;
    most = config->l1i.size != 0 ? larger(most, config->l1i.latency + FETCH_CYCLES) : most;
    return gm_wheel_slots((uint32_t)most + 1);
}

static uint32_t words_of(const gm_config *config)
{
    return gm_bitset_words((uint32_t)config->sm.warps);
}

size_t gm_cycle_sm_shared_bytes(const gm_config *config)
{
    return gm_coalescer_bytes(config->l1.line);
}

int gm_cycle_sm_shared_init(gm_cycle_sm_shared *shared, const gm_config *config, gm_arena *arena,
                            gm_error *error)
{
    shared->sms = (uint32_t)config->gpu.sms;
    shared->context.warp_slots = (uint32_t)(config->gpu.sms * config->sm.warps);
    shared->code = config->l1i.size != 0 ? GM_TIMED_CODE : 0;
    int code = gm_coalescer_init(&shared->coalescer, config->l1.line,
                                 config->sm.coalesce == GM_COALESCE_SECTOR, arena, error);
    shared->coalescer.atomic_passes = config->sm.atomic_passes;
    shared->coalescer.descending = config->sm.descending;
    shared->coalescer.narrow =
        config->sm.coalesce_narrow && config->sm.coalesce == GM_COALESCE_LINE;
    shared->coalescer.bypassed_sectors = gm_config_bypassed_sectors(config);
    shared->coalescer.keeps |= gm_config_sends_bytes(config) ? GM_KEEPS_BYTES : 0;
    return code;
}

size_t gm_cycle_sm_bytes(const gm_config *config)
{
    size_t slots = config->sm.warps;
    size_t of_slot = sizeof(gm_cycle_warp) + sizeof(uint64_t) + GM_SCORES * sizeof(gm_cycle) +
                     GM_GROUP_RING * sizeof(uint16_t) + sizeof(void *);
    size_t of_cta = sizeof(gm_resident_cta) + sizeof(void *);
    size_t words = words_of(config);
    size_t of_fetch = config->sm.fetch == 0 ? 0 : slots + words * sizeof(uint64_t);
    return gm_operand_collector_bytes(config) + gm_cycle_fences_bytes(config) + of_fetch +
           gm_l1i_bytes(config) + gm_cycle_throttle_bytes(config) + slots * of_slot +
           config->sm.schedulers * sizeof(gm_cycle_scheduler) + config->sm.ctas * of_cta +
           GM_TICKETS * (sizeof(gm_cycle_ticket) + sizeof(uint16_t)) +
           2 * words * sizeof(uint64_t) + wheel_slots_of(config) * (words + 1) * sizeof(uint64_t) +
           (size_t)ARRAYS * ALIGNMENT;
}

static bool take_arrays(gm_cycle_sm *sm, gm_arena *arena)
{
    sm->scheduler = gm_arena_take(arena, sm->schedulers, sizeof *sm->scheduler);
    sm->warp = gm_arena_take(arena, sm->slots, sizeof *sm->warp);
    sm->age = gm_arena_take(arena, sm->slots, sizeof *sm->age);
    sm->score = gm_arena_take(arena, (size_t)sm->slots * GM_SCORES, sizeof *sm->score);
    sm->copies = gm_arena_take(arena, (size_t)sm->slots * GM_GROUP_RING, sizeof *sm->copies);
    sm->cta = gm_arena_take(arena, sm->ctas, sizeof *sm->cta);
    sm->waiting = gm_arena_take(arena, sm->words, sizeof *sm->waiting);
    if (sm->fence == GM_FENCE_REGISTERS) {
        sm->fenced = gm_arena_take(arena, sm->words, sizeof *sm->fenced);
    }
    sm->ticket = gm_arena_take(arena, GM_TICKETS, sizeof *sm->ticket);
    sm->free_ticket = gm_arena_take(arena, GM_TICKETS, sizeof *sm->free_ticket);
    uint32_t slots = sm->wheel.slots;
    sm->waking = gm_arena_take(arena, (size_t)slots * sm->words, sizeof *sm->waking);
    sm->wheel.due = gm_arena_take(arena, gm_bitset_words(slots), sizeof *sm->wheel.due);
    sm->stream = gm_arena_take(arena, sm->slots, sizeof(void *));
    sm->resident_cta = gm_arena_take(arena, sm->ctas, sizeof(void *));
    if (sm->fetch != 0) {
        sm->unfetched = gm_arena_take(arena, sm->words, sizeof *sm->unfetched);
        sm->buffered = gm_arena_take(arena, sm->slots, sizeof *sm->buffered);
    }
    return (sm->fence != GM_FENCE_REGISTERS || sm->fenced != NULL) &&
           (sm->fetch == 0 || (sm->unfetched != NULL && sm->buffered != NULL)) &&
           sm->scheduler != NULL && sm->warp != NULL && sm->age != NULL && sm->score != NULL &&
           sm->copies != NULL && sm->cta != NULL && sm->waiting != NULL && sm->ticket != NULL &&
           sm->free_ticket != NULL && sm->waking != NULL && sm->wheel.due != NULL &&
           sm->stream != NULL && sm->resident_cta != NULL;
}

static void set_units(gm_cycle_sm *sm, const gm_config *config)
{
    const gm_unit_timing timing[GM_PIPES] = {
        [GM_UNIT_INTEGER] = config->unit.integer, [GM_UNIT_FP32] = config->unit.fp32,
        [GM_UNIT_FP64] = config->unit.fp64,       [GM_UNIT_SPECIAL] = config->unit.special,
        [GM_UNIT_TENSOR] = config->unit.tensor,   [GM_UNIT_CONTROL] = config->unit.control,
        [GM_UNIT_TEXTURE] = config->unit.texture, [GM_UNIT_UNIFORM] = config->unit.uniform,
    };
    for (unsigned pipe = 0; pipe < GM_PIPES; pipe++) {
        sm->latency[pipe] = (uint16_t)timing[pipe].latency;
        sm->interval[pipe] = (uint16_t)timing[pipe].interval;
        sm->slow |= (uint32_t)(timing[pipe].interval > 1) << pipe;
        bool each = timing[pipe].units == 0 || timing[pipe].units == GM_EACH;
        sm->units[pipe] = (uint8_t)(each ? sm->schedulers : timing[pipe].units);
        sm->pooled |= (uint32_t)(sm->units[pipe] < sm->schedulers) << pipe;
    }
}

int gm_cycle_sm_init(gm_cycle_sm *sm, const gm_config *config, uint32_t number,
                     gm_load_store *load_store, gm_cycle_sm_shared *shared, gm_arena *arena,
                     gm_error *error)
{
    *sm = (gm_cycle_sm){
        .number = number,
        .slots = (uint32_t)config->sm.warps,
        .words = words_of(config),
        .schedulers = (uint32_t)config->sm.schedulers,
        .in_turn = gm_divider_make(config->sm.schedulers),
        .ctas = (uint32_t)config->sm.ctas,
        .load_store = load_store,
        .shared = shared,
        .two_level = config->sm.scheduler == GM_SCHEDULE_TWO_LEVEL,
        .launch = config->sm.launch,
        .launches = config->sm.cta_launch != 0 || config->sm.warp_launch != 0,
        .cta_launch = config->sm.cta_launch,
        .warp_launch = config->sm.warp_launch,
        .next_launch = GM_NEVER,
        .free_tickets = GM_TICKETS,
        .collects = config->sm.collectors != 0,
        .atomics_hold = config->sm.atomic_wait,
        .fence_drops = config->l1.fence_drops,
        .turns_occupied = config->sm.turns == GM_TURNS_OCCUPIED,
        .drain = config->sm.collectors != 0 ? (uint8_t)config->sm.drain : 0,
        .fence = (uint8_t)config->sm.fence,
        .fetch = (uint8_t)config->sm.fetch,
        .fetch_warps = (uint8_t)config->sm.fetch_warps,
        .fetched = config->sm.turns == GM_TURNS_OCCUPIED ? 0 : (uint32_t)config->sm.warps - 1,
        .wheel.slots = wheel_slots_of(config),
    };
    if (!take_arrays(sm, arena) || !gm_operand_collector_init(&sm->collector, config, arena) ||
        !gm_cycle_fences_init(sm, config, arena) || !gm_cycle_throttle_init(sm, config, arena) ||
        (config->l1i.size != 0 && (sm->l1i = gm_l1i_make(config, number, arena)) == NULL)) {
        return gm_fail(error, -ENOMEM, "out of memory: SM %u", number);
    }
    sm->end = sm->scheduler + sm->schedulers;
    set_units(sm, config);
    bool simple = sm->words == 1 && !sm->two_level && sm->fences == NULL && sm->l1i == NULL;
    bool short_wheel = sm->wheel.slots == GM_BITSET_WORD;
    bool fetches = sm->collects || sm->fetch != 0;
    sm->collecting = simple && sm->throttle == NULL;
    bool plain = !fetches && short_wheel && sm->fenced == NULL;
    sm->common = sm->collecting && plain;
    sm->common_throttled = simple && sm->throttle != NULL && plain;
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        gm_warp_scheduler_init(&sm->scheduler[i].policy, config);
        sm->scheduler[i].use = GM_SLOT_IDLE;
    }
    for (uint32_t i = 0; i < GM_TICKETS; i++) {
        sm->free_ticket[i] = (uint16_t)(GM_TICKETS - 1 - i);
    }
    return 0;
}

void gm_cycle_sm_keep_code(gm_cycle_sm *sm)
{
    sm->common_coded = sm->common;
    sm->common = sm->collecting = sm->common_throttled = false;
}

void gm_cycle_sm_start(gm_cycle_sm *sm, gm_cycle now)
{
    sm->first = now + sm->launch;
    sm->quiet = 0;
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        sm->scheduler[i].since = now;
    }
}

void gm_cycle_sm_end(gm_cycle_sm *sm)
{
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        sm->scheduler[i].since = GM_NEVER;
    }
}

/* Puts a warp of the CTA into a slot. Requires that the slot is free: then no asynchronous copy of
 * the slot's last warp is unanswered. */
static void place_warp(gm_cycle_sm *sm, uint32_t slot, uint32_t cta, uint32_t place, gm_cycle now)
{
    uint32_t number = slot % sm->schedulers;
    gm_cycle_warp *warp = &sm->warp[slot];
    gm_warp_stream *stream = &sm->resident_cta[cta]->stream[place];
    gm_cycle *score = gm_cycle_sm_score(sm, slot);
    gm_scoreboard_clear(score, &warp->written);
    *warp = (gm_cycle_warp){
        .issued = now,
        .cta = (uint16_t)cta,
        .place = (uint16_t)place,
        .scheduler = (uint8_t)number,
    };
    sm->stream[slot] = stream;
    sm->age[slot] = sm->admitted++;
    gm_cycle_sm_decode_next(sm, warp, slot, score, gm_warp_store_ready(stream), GM_SM_ANY);
    gm_cycle_sm_launch(sm, slot, now);
}

/* Counts the admission of warps. The cycles without warps, and those of a kernel's launch, are none
 * of sm.turns=occupied. */
static void enter_warps(gm_cycle_sm *sm, uint32_t warps, gm_cycle now)
{
    if (sm->turns_occupied && sm->occupancy.resident == 0 && warps != 0) {
        gm_cycle from = sm->first > now + 1 ? sm->first : now + 1;
        sm->turns_from += from;
    }
    gm_occupancy_enter(&sm->occupancy, warps, now);
}

bool gm_cycle_sm_admit(gm_cycle_sm *sm, gm_cta *cta, gm_cycle now)
{
    uint32_t number = 0;
    uint32_t slot = 0;
    uint32_t live = 0;
    cta->sm = sm->number;
    cta->placed = now;
    gm_core_statistics_add(&sm->core, &cta->core);
    while (sm->cta[number].live != 0) {
        number++;
    }
    sm->resident_cta[number] = cta;
    for (uint32_t i = 0; i < cta->warps; i++) {
        if (cta->stream[i].count == 0) {
            continue;
        }
        while (sm->warp[slot].state != GM_STATE_FREE) {
            slot++;
        }
        place_warp(sm, slot, number, i, now);
        if (sm->fences != NULL) {
            gm_cycle_fences_admit(sm, number, slot, live == 0);
        }
        live++;
    }
    sm->cta[number] = (gm_resident_cta){.number = cta->number,
                                        .placed = now,
                                        .live = live,
                                        .running = live,
                                        .kernel = (uint32_t)cta->kernel};
    enter_warps(sm, live, now);
    sm->quiet = 0;
    if (live != 0) {
        gm_wake(sm->wake, now + 1);
    }
    return live == 0;
}

void gm_cycle_sm_statistics(gm_cycle_sm *sm, gm_cycle now, gm_statistics *into)
{
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        gm_cycle_scheduler *scheduler = &sm->scheduler[i];
        if (scheduler->since < now) {
            sm->slot[scheduler->use] += now - scheduler->since;
            scheduler->since = now;
        }
    }
    const gm_time_statistics time = {
        .slots_issued = sm->slot[GM_SLOT_ISSUED],
        .slots_memory = sm->slot[GM_SLOT_MEMORY],
        .slots_fetch = sm->slot[GM_SLOT_FETCH],
        .slots_dependence = sm->slot[GM_SLOT_DEPENDENCE],
        .slots_unit = sm->slot[GM_SLOT_UNIT],
        .slots_memory_unit = sm->slot[GM_SLOT_MEMORY_UNIT],
        .slots_barrier = sm->slot[GM_SLOT_BARRIER],
        .slots_fence = sm->slot[GM_SLOT_FENCE],
        .slots_idle = sm->slot[GM_SLOT_IDLE],
        .slots_throttled = sm->slot[GM_SLOT_THROTTLED],
        .warp_cycles = gm_occupancy_warp_cycles(&sm->occupancy, now),
        .occupied_cycles = gm_occupancy_cycles(&sm->occupancy, now),
    };
    gm_core_statistics_add(&into->core, &sm->core);
    gm_time_statistics_add(&into->time, &time);
    if (sm->l1i != NULL) {
        gm_l1i_statistics_add(&into->l1i, &sm->l1i->statistics);
    }
    if (sm->fences != NULL) {
        gm_cycle_fences_sum(sm, now, &into->coherence);
    }
}

bool gm_cycle_sm_waits_for_time(const gm_cycle_sm *sm)
{
    return sm->fences != NULL && sm->fences->next != GM_NEVER;
}

static int broken(const gm_cycle_sm *sm, const char *invariant, uint64_t value, uint64_t expected,
                  gm_error *error)
{
    return gm_fail(error, -EPROTO, "SM %u: %s: %llu, not %llu", sm->number, invariant,
                   (unsigned long long)value, (unsigned long long)expected);
}

int gm_cycle_sm_check(const gm_cycle_sm *sm, gm_error *error)
{
    uint64_t turns = 0;
    uint64_t ready = 0;
    uint64_t waiting = 0;
    uint64_t counted = 0;
    for (uint32_t i = 0; i < gm_bitset_words(sm->wheel.slots); i++) {
        turns |= sm->wheel.due[i];
    }
    for (uint32_t i = 0; i < sm->words; i++) {
        waiting |= sm->waiting[i];
    }
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        ready |= sm->scheduler[i].pipes;
        for (unsigned k = GM_STATE_FREE + 1; k < GM_STATES; k++) {
            counted += sm->scheduler[i].warps[k];
        }
    }
    if (sm->occupancy.resident != 0) {
        return broken(sm, "warps at a kernel's end", sm->occupancy.resident, 0, error);
    }
    if (sm->free_tickets != GM_TICKETS) {
        return broken(sm, "free tickets at a kernel's end", sm->free_tickets, GM_TICKETS, error);
    }
    if ((turns | ready | waiting) != 0) {
        return broken(sm, "masks of waiting warps at a kernel's end", turns | ready | waiting, 0,
                      error);
    }
    if (counted != 0) {
        return broken(sm, "warps counted in states at a kernel's end", counted, 0, error);
    }
    if (sm->collector.count != 0) {
        return broken(sm, "instructions in collectors at a kernel's end", sm->collector.count, 0,
                      error);
    }
    if (sm->slot[GM_SLOT_ISSUED] != sm->core.warp_instructions) {
        return broken(sm, "instructions issued, and delivered", sm->slot[GM_SLOT_ISSUED],
                      sm->core.warp_instructions, error);
    }
    const gm_ccws *ccws = sm->load_store->l1.ccws;
    if (ccws != NULL && ccws->statistics.loads > sm->core.memory_instructions) {
        return broken(sm, "loads that scores gate, and memory instructions", ccws->statistics.loads,
                      sm->core.memory_instructions, error);
    }
    return sm->l1i != NULL ? gm_l1i_check(sm->l1i, error) : 0;
}

void gm_cycle_sm_left(const gm_cycle_sm *sm, uint64_t kernel, gm_core_statistics *left)
{
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        const gm_cycle_warp *warp = &sm->warp[slot];
        if (warp->state != GM_STATE_FREE &&
            (kernel == GM_EVERY_KERNEL || sm->resident_cta[warp->cta]->kernel == kernel)) {
            gm_cta_left(sm->resident_cta[warp->cta], warp->place, left);
        }
    }
}

uint64_t gm_cycle_sm_issued_threads(const gm_cycle_sm *sm)
{
    gm_core_statistics left = {0};
    gm_cycle_sm_left(sm, GM_EVERY_KERNEL, &left);
    return sm->core.thread_instructions - left.thread_instructions;
}

/* Returns the text of what a warp in `state` waits for. */
static const char *reason(gm_warp_state state)
{
    switch (state) {
    case GM_STATE_READY:
        return "for a unit, room in the load/store unit, permission, or its turn";
    case GM_STATE_RESULT:
        return "for a result";
    case GM_STATE_FRONT:
        return "to be fetched, or for operands of the instruction whose result it needs";
    case GM_STATE_FETCH:
        return "for the line of its next instruction";
    case GM_STATE_DATA:
        return "for the data of a load";
    case GM_STATE_LIVE:
        return "for the value of a SYNC access";
    case GM_STATE_BARRIER:
        return "at a barrier";
    case GM_STATE_FENCE:
        return "at a fence";
    case GM_STATE_LAUNCH:
        return "for the end of its launch";
    case GM_STATE_ENDING:
        return "for its last accesses to be answered";
    case GM_STATE_FREE:
    case GM_STATES:
        break;
    }
    return "for nothing";
}

gm_cycle gm_cycle_sm_oldest(const gm_cycle_sm *sm, char *text, size_t size)
{
    gm_cycle oldest = GM_NEVER;
    for (uint32_t i = 0; i < sm->slots; i++) {
        const gm_cycle_warp *warp = &sm->warp[i];
        if (warp->state != GM_STATE_FREE && warp->issued < oldest) {
            oldest = warp->issued;
            const gm_cta *cta = sm->resident_cta[warp->cta];
            snprintf(text, size, "SM %u: warp %u of CTA %llu waits %s", sm->number,
                     cta->warp[warp->place], (unsigned long long)cta->number,
                     reason((gm_warp_state)warp->state));
        }
    }
    return oldest;
}
