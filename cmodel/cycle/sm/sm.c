/* SM of the cycle engine: its storage, the wheel of warps that will be ready, CTAs that come. */
#include "cycle/sm/sm_warp.h"

#include <errno.h>

enum { LEAST_TURNS = GM_WORD, ALIGNMENT = 64, ARRAYS = 17 };

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Turns of the wheel: more than the cycles after which a warp can be ready. */
static uint32_t turns_of(const gm_config *config)
{
    uint64_t most = 1;
    most = larger(most, config->unit.integer.latency);
    most = larger(most, config->unit.fp32.latency);
    most = larger(most, config->unit.fp64.latency);
    most = larger(most, config->unit.special.latency);
    most = larger(most, config->unit.tensor.latency);
    most = larger(most, config->unit.control.latency);
    uint32_t turns = LEAST_TURNS;
    while (turns <= most + 1) {
        turns *= 2;
    }
    return turns;
}

static uint32_t words_of(const gm_config *config)
{
    return (uint32_t)((config->sm.warps + GM_WORD - 1) / GM_WORD);
}

size_t gm_cycle_sm_shared_bytes(const gm_config *config)
{
    return gm_coalescer_bytes(config->l1.line);
}

int gm_cycle_sm_shared_init(gm_cycle_sm_shared *shared, const gm_config *config, gm_arena *arena,
                            gm_error *error)
{
    shared->context.warp_slots = (uint32_t)(config->gpu.sms * config->sm.warps);
    return gm_coalescer_init(&shared->coalescer, config->l1.line, arena, error);
}

void gm_cycle_sm_shared_kernel(gm_cycle_sm_shared *shared, const gm_kernel *kernel)
{
    shared->context.shared_base = kernel->shared_base;
    shared->context.local_base = kernel->local_base;
}

size_t gm_cycle_sm_bytes(const gm_config *config)
{
    size_t slots = config->sm.warps;
    size_t of_slot = sizeof(gm_cycle_warp) + sizeof(uint64_t) + GM_SCORES * sizeof(gm_cycle) +
                     GM_GROUP_RING * sizeof(uint16_t) + sizeof(void *);
    size_t of_cta = sizeof(gm_resident_cta) + sizeof(void *);
    size_t words = words_of(config);
    size_t of_fetch = config->sm.fetch == 0 ? 0 : slots + words * sizeof(uint64_t);
    return gm_operand_collector_bytes(config) + of_fetch + slots * of_slot +
           config->sm.schedulers * sizeof(gm_cycle_scheduler) + config->sm.ctas * of_cta +
           GM_TICKETS * (sizeof(gm_cycle_ticket) + sizeof(uint16_t)) + words * sizeof(uint64_t) +
           turns_of(config) * (words + 1) * sizeof(uint64_t) + (size_t)ARRAYS * ALIGNMENT;
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
    sm->ticket = gm_arena_take(arena, GM_TICKETS, sizeof *sm->ticket);
    sm->free_ticket = gm_arena_take(arena, GM_TICKETS, sizeof *sm->free_ticket);
    sm->wheel = gm_arena_take(arena, (size_t)sm->turns * sm->words, sizeof *sm->wheel);
    sm->turning = gm_arena_take(arena, sm->turns / GM_WORD, sizeof *sm->turning);
    sm->stream = gm_arena_take(arena, sm->slots, sizeof(void *));
    sm->resident_cta = gm_arena_take(arena, sm->ctas, sizeof(void *));
    if (sm->fetch != 0) {
        sm->hungry = gm_arena_take(arena, sm->words, sizeof *sm->hungry);
        sm->buffered = gm_arena_take(arena, sm->slots, sizeof *sm->buffered);
    }
    return (sm->fetch == 0 || (sm->hungry != NULL && sm->buffered != NULL)) &&
           sm->scheduler != NULL && sm->warp != NULL && sm->age != NULL && sm->score != NULL &&
           sm->copies != NULL && sm->cta != NULL && sm->waiting != NULL && sm->ticket != NULL &&
           sm->free_ticket != NULL && sm->wheel != NULL && sm->turning != NULL &&
           sm->stream != NULL && sm->resident_cta != NULL;
}

static void set_units(gm_cycle_sm *sm, const gm_config *config)
{
    const gm_unit_timing timing[GM_PIPES] = {
        [GM_UNIT_INTEGER] = config->unit.integer, [GM_UNIT_FP32] = config->unit.fp32,
        [GM_UNIT_FP64] = config->unit.fp64,       [GM_UNIT_SPECIAL] = config->unit.special,
        [GM_UNIT_TENSOR] = config->unit.tensor,   [GM_UNIT_CONTROL] = config->unit.control,
    };
    for (unsigned pipe = 0; pipe < GM_PIPES; pipe++) {
        sm->latency[pipe] = (uint16_t)timing[pipe].latency;
        sm->interval[pipe] = (uint16_t)timing[pipe].interval;
        sm->slow |= (uint32_t)(timing[pipe].interval > 1) << pipe;
    }
}

gm_cycle gm_cycle_sm_next_turn(const gm_cycle_sm *sm, gm_cycle now)
{
    uint32_t words = sm->turns / GM_WORD;
    uint32_t turn = (uint32_t)(now + 1) & (sm->turns - 1);
    uint32_t word = turn / GM_WORD;
    gm_cycle base = now + 1 - turn % GM_WORD; /* of the word's first turn */
    uint64_t left = sm->turning[word] & (UINT64_MAX << turn % GM_WORD);
    for (uint32_t i = 0; i <= words; i++) {
        if (left != 0) {
            return base + gm_lowest_one(left);
        }
        word = word + 1 == words ? 0 : word + 1;
        base += GM_WORD;
        left = sm->turning[word];
    }
    return GM_NEVER;
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
        .groups = config->sm.scheduler == GM_SCHEDULE_TWO_LEVEL,
        .launch = config->sm.launch,
        .free_tickets = GM_TICKETS,
        .collects = config->sm.collectors != 0,
        .fetch = (uint8_t)config->sm.fetch,
        .fetched = (uint32_t)config->sm.warps - 1,
        .turns = turns_of(config),
    };
    if (!take_arrays(sm, arena) || !gm_operand_collector_init(&sm->collector, config, arena)) {
        return gm_fail(error, -ENOMEM, "out of memory: SM %u", number);
    }
    sm->end = sm->scheduler + sm->schedulers;
    set_units(sm, config);
    sm->plain = sm->words == 1 && sm->turns == GM_WORD && gm_is_power_of_two(sm->schedulers) &&
                !sm->collects && sm->fetch == 0 && !sm->groups;
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        gm_warp_scheduler_init(&sm->scheduler[i].policy, config);
        sm->scheduler[i].use = GM_SLOT_IDLE;
    }
    for (uint32_t i = 0; i < GM_TICKETS; i++) {
        sm->free_ticket[i] = (uint16_t)(GM_TICKETS - 1 - i);
    }
    return 0;
}

void gm_cycle_sm_start(gm_cycle_sm *sm, const gm_kernel *kernel, gm_cycle now)
{
    gm_cycle_sm_shared_kernel(sm->shared, kernel);
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

/* A warp of the CTA takes a slot; its first instruction can issue in the next cycle. Of the slot's
 * last warp no copy is unanswered. */
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
    gm_cycle_sm_take_head(warp, score, gm_warp_store_ready(stream));
    if (sm->fetch != 0) {
        gm_cycle_sm_hunger(sm, slot);
        gm_cycle_sm_enter(sm, &sm->scheduler[number], warp, slot, GM_STATE_FRONT, false);
    } else {
        gm_cycle_sm_set_ready(&sm->scheduler[number], warp, slot, false);
    }
}

bool gm_cycle_sm_admit(gm_cycle_sm *sm, gm_cta *cta, gm_cycle now)
{
    uint32_t number = 0;
    uint32_t slot = 0;
    uint32_t live = 0;
    cta->sm = sm->number;
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
        live++;
    }
    sm->cta[number] = (gm_resident_cta){.number = cta->number, .live = live, .running = live};
    sm->resident += live;
    sm->quiet = 0;
    if (live != 0) {
        gm_wake(sm->wake, now + 1);
    }
    return live == 0;
}
