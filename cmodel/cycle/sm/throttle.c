/* Throttling: a limit, static or found by sampling, decided by a block warp_limiter of each
 * scheduler; and loads by lost-locality scores. */
#include "cycle/sm/throttle.h"

#include "goldmem/assert.h"

#include <string.h>

enum { ALIGNMENT = 64, ARRAYS = 5 };

static uint32_t words_of(const gm_config *config)
{
    return gm_bitset_words((uint32_t)config->sm.warps);
}

gm_warp_limiter_parameters gm_cycle_throttle_limiter(const gm_config *config)
{
    uint64_t warps = (config->sm.warps + config->sm.schedulers - 1) / config->sm.schedulers;
    return (gm_warp_limiter_parameters){.warps = warps > 2 ? (unsigned)warps : 2};
}

size_t gm_cycle_throttle_bytes(const gm_config *config)
{
    return config->sm.throttle == GM_THROTTLE_NONE
               ? 0
               : sizeof(gm_cycle_throttle) +
                     (2 * words_of(config) + config->sm.warps) * sizeof(uint64_t) +
                     config->sm.schedulers * sizeof(gm_warp_limiter) + (size_t)ARRAYS * ALIGNMENT;
}

bool gm_cycle_throttle_init(gm_cycle_sm *sm, const gm_config *config, gm_arena *arena)
{
    if (config->sm.throttle == GM_THROTTLE_NONE) {
        return true;
    }
    gm_cycle_throttle *throttle = gm_arena_take(arena, 1, sizeof *throttle);
    uint64_t *sets = gm_arena_take(arena, 2 * (size_t)sm->words, sizeof *sets);
    gm_warp_limiter *limiter = gm_arena_take(arena, sm->schedulers, sizeof *limiter);
    uint64_t *started = gm_arena_take(arena, sm->slots, sizeof *started);
    if (throttle == NULL || sets == NULL || limiter == NULL || started == NULL) {
        return false;
    }
    const gm_warp_limiter_parameters parameters = gm_cycle_throttle_limiter(config);
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        gm_error error;
        if (gm_warp_limiter_init(&limiter[i], &parameters, &error) < 0) {
            return false;
        }
    }
    memset(sets, UINT8_MAX, 2 * sm->words * sizeof *sets);
    *throttle = (gm_cycle_throttle){
        .may_issue = sets,
        .may_load = sets + sm->words,
        .limiter = limiter,
        .limit = config->sm.throttle == GM_THROTTLE_STATIC ? (uint32_t)config->sm.limit
                                                           : (uint32_t)config->sm.warps,
        .policy = config->sm.throttle,
        .gates_loads = config->sm.throttle == GM_THROTTLE_CCWS,
        .ccws = sm->load_store->l1.ccws,
        .started = started,
    };
    if (throttle->ccws != NULL) {
        throttle->ccws->issued = &sm->slot[GM_SLOT_ISSUED];
    }
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        throttle->allowed[i] = gm_mask(parameters.warps);
    }
    sm->throttle = throttle;
    return true;
}

void gm_cycle_throttle_observe(gm_cycle_sm *sm, const gm_observer *observer)
{
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        sm->throttle->limiter[i].observer = &observer[i];
    }
}

void gm_cycle_throttle_snapshot(gm_cycle_sm *sm, gm_snapshot *snapshot)
{
    gm_cycle_throttle *throttle = sm->throttle;
    GM_SNAPSHOT_ARRAY(snapshot, throttle->may_issue, sm->words);
    GM_SNAPSHOT_ARRAY(snapshot, throttle->may_load, sm->words);
    GM_SNAPSHOT_ARRAY(snapshot, throttle->allowed, GM_MOST_SCHEDULERS);
    GM_SNAPSHOT_VALUE(snapshot, throttle->admitted);
    GM_SNAPSHOT_ARRAY(snapshot, throttle->excluded, GM_MOST_SCHEDULERS);
    GM_SNAPSHOT_VALUE(snapshot, throttle->limit);
    GM_SNAPSHOT_VALUE(snapshot, throttle->due);
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        GM_SNAPSHOT_VALUE(snapshot, throttle->limiter[i].order);
        GM_SNAPSHOT_VALUE(snapshot, throttle->limiter[i].counts);
        GM_SNAPSHOT_VALUE(snapshot, throttle->limiter[i].limit);
    }
    GM_SNAPSHOT_ARRAY(snapshot, throttle->started, sm->slots);
    GM_SNAPSHOT_VALUE(snapshot, throttle->held);
}

uint64_t gm_cycle_throttle_gate(const gm_cycle_sm *sm, uint64_t warps, uint32_t word)
{
    for (uint64_t left = warps & ~sm->throttle->may_load[word]; left != 0;) {
        uint32_t bit = gm_bitset_take_lowest(&left);
        if (gm_cycle_throttle_gates(sm->warp[word * GM_BITSET_WORD + bit].head)) {
            warps &= ~(UINT64_C(1) << bit);
        }
    }
    return warps;
}

/* Returns the scheduler's warps that count among the oldest, as the block numbers them. */
static uint64_t counting(const gm_cycle_sm *sm, uint32_t scheduler)
{
    uint64_t warps = 0;
    uint64_t bit = 1;
    for (uint32_t slot = scheduler; slot < sm->slots; slot += sm->schedulers, bit <<= 1) {
        bool counts = !gm_cycle_throttle_excludes((gm_warp_state)sm->warp[slot].state);
        warps |= counts ? bit : 0;
    }
    return warps;
}

/* Returns the scheduler's warps that were admitted as number `first` or later. */
static uint64_t admitted_from(const gm_cycle_sm *sm, uint32_t scheduler, uint64_t first)
{
    uint64_t warps = 0;
    uint64_t bit = 1;
    for (uint32_t slot = scheduler; slot < sm->slots; slot += sm->schedulers, bit <<= 1) {
        bool is_new = sm->age[slot] >= first && sm->warp[slot].state != GM_STATE_FREE;
        warps |= is_new ? bit : 0;
    }
    return warps;
}

/* Gives the scheduler's warps these permissions, a bit set as the block numbers them: those that
 * differ from its last ones. */
static void permit(gm_cycle_sm *sm, uint32_t scheduler, uint64_t allowed)
{
    uint64_t changed = sm->throttle->allowed[scheduler] ^ allowed;
    sm->throttle->allowed[scheduler] = allowed;
    while (changed != 0) {
        uint32_t slot = scheduler + gm_bitset_take_lowest(&changed) * sm->schedulers;
        if (slot < sm->slots) {
            uint64_t *word = &sm->throttle->may_issue[slot / GM_BITSET_WORD];
            *word ^= UINT64_C(1) << slot % GM_BITSET_WORD;
        }
    }
}

/* Static: tells the scheduler's limiter what has changed, and takes its permissions. Of warps
 * admitted in one cycle the one in the lower slot is the older, as the block has it. */
static void choose_oldest(gm_cycle_sm *sm, uint32_t number, uint64_t admitted)
{
    gm_warp_limiter *limiter = &sm->throttle->limiter[number];
    uint32_t limit = sm->throttle->limit < limiter->parameters.warps ? sm->throttle->limit
                                                                     : limiter->parameters.warps;
    uint64_t now = counting(sm, number);
    uint64_t admit = admitted != sm->admitted ? admitted_from(sm, number, admitted) : 0;
    uint64_t before = limiter->counts | admit;
    const gm_warp_limiter_request request = {
        .admit = admit,
        .resume = now & ~before,
        .hold = before & ~now,
        .sets = limit != limiter->limit ? GM_WARP_LIMITER_SET : GM_WARP_LIMITER_KEEP,
        .limit = limit,
    };
    if ((admit | request.resume | request.hold | request.sets) == 0) {
        return;
    }
    permit(sm, number, gm_warp_limiter_access(limiter, request).allowed);
}

/* CCWS: returns 1 + the age of the slot's warp; 0: none, or all its instructions have issued. */
static uint64_t warp_of(const gm_cycle_sm *sm, uint32_t slot)
{
    gm_warp_state state = (gm_warp_state)sm->warp[slot].state;
    return state == GM_STATE_FREE || state == GM_STATE_ENDING ? 0 : 1 + sm->age[slot];
}

/* CCWS: returns the slot of the oldest of the warps: a bit set that is not empty. */
static uint32_t oldest_of(const gm_cycle_sm *sm, uint64_t warps)
{
    uint32_t oldest = gm_bitset_take_lowest(&warps);
    while (warps != 0) {
        uint32_t slot = gm_bitset_take_lowest(&warps);
        oldest = sm->age[slot] < sm->age[oldest] ? slot : oldest;
    }
    return oldest;
}

/* CCWS: ends the scores of the scheduler's warps that have ended. */
static void end_scores(gm_cycle_sm *sm, uint32_t scheduler)
{
    gm_cycle_throttle *throttle = sm->throttle;
    for (uint32_t slot = scheduler; slot < sm->slots; slot += sm->schedulers) {
        if (throttle->started[slot] != 0 && throttle->started[slot] != warp_of(sm, slot)) {
            gm_ccws_end(throttle->ccws, slot);
            throttle->started[slot] = 0;
        }
    }
}

/* CCWS: starts the scores of new warps, the oldest first. */
static void start_scores(gm_cycle_sm *sm)
{
    gm_cycle_throttle *throttle = sm->throttle;
    uint64_t new = 0;
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        new |= (uint64_t)(warp_of(sm, slot) != throttle->started[slot]) << slot;
    }
    while (new != 0) {
        uint32_t slot = oldest_of(sm, new);
        new ^= UINT64_C(1) << slot;
        gm_ccws_start(throttle->ccws, slot);
        throttle->started[slot] = warp_of(sm, slot);
    }
}

/* CCWS: ends and starts scores. `due`: mask of the schedulers of whose warps some may have ended.
 */
static void renew_scores(gm_cycle_sm *sm, uint32_t due, uint64_t admitted)
{
    for (; due != 0; due &= due - 1) {
        end_scores(sm, gm_lowest_one(due));
    }
    if (admitted != sm->admitted) {
        start_scores(sm);
    }
    sm->throttle->may_load[0] = sm->throttle->ccws->allowed;
}

void gm_cycle_throttle_score(gm_cycle_sm *sm, gm_cycle now)
{
    gm_ccws *ccws = sm->throttle->ccws;
    if (ccws->change <= now) {
        gm_ccws_pass(ccws, now);
    }
    ccws->due = false;
    sm->throttle->may_load[0] = ccws->allowed;
}

/* Returns the number of the scheduler's warps that are excluded. */
static uint32_t excluded_of(const gm_cycle_scheduler *scheduler)
{
    const uint32_t *warps = scheduler->warps;
    return warps[GM_STATE_BARRIER] + warps[GM_STATE_FENCE] + warps[GM_STATE_ENDING] +
           warps[GM_STATE_LAUNCH];
}

/* Returns the mask of the schedulers that must decide: a warp was admitted or is no longer
 * excluded, or `due`. */
static uint32_t schedulers_due(const gm_cycle_sm *sm)
{
    const gm_cycle_throttle *throttle = sm->throttle;
    uint32_t due =
        throttle->admitted != sm->admitted ? (uint32_t)gm_mask(sm->schedulers) : throttle->due;
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        due |= (uint32_t)(throttle->excluded[i] != excluded_of(&sm->scheduler[i])) << i;
    }
    return due;
}

void gm_cycle_throttle_decide(gm_cycle_sm *sm)
{
    gm_cycle_throttle *throttle = sm->throttle;
    uint32_t due = schedulers_due(sm);
    uint64_t admitted = throttle->admitted;
    throttle->admitted = sm->admitted;
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        throttle->excluded[i] = excluded_of(&sm->scheduler[i]);
    }
    throttle->due = 0;
    switch (throttle->policy) {
    case GM_THROTTLE_NONE:
        break;
    case GM_THROTTLE_STATIC:
    case GM_THROTTLE_SAMPLING:
        for (; due != 0; due &= due - 1) {
            choose_oldest(sm, gm_lowest_one(due), admitted);
        }
        break;
    case GM_THROTTLE_CCWS:
        renew_scores(sm, due, admitted);
        break;
    }
}

/* Returns how many warps of a scheduler that count are older than `age`. For assertions. */
static inline uint32_t older_than(const gm_cycle_sm *sm, uint32_t scheduler, uint64_t age)
{
    uint32_t older = 0;
    for (uint32_t i = scheduler; i < sm->slots; i += sm->schedulers) {
        older += sm->age[i] < age && !gm_cycle_throttle_excludes((gm_warp_state)sm->warp[i].state);
    }
    return older;
}

/* True if a warp may issue exactly if fewer than the limit of its scheduler's older warps count, by
 * their ages: so for the youngest that may, and for the oldest that may not. For assertions. */
static inline bool is_right(const gm_cycle_sm *sm, uint32_t scheduler)
{
    uint64_t youngest = 0; /* that may issue */
    uint64_t oldest = UINT64_MAX;
    for (uint32_t i = scheduler; i < sm->slots; i += sm->schedulers) {
        if (sm->warp[i].state == GM_STATE_FREE) {
            continue;
        }
        if (gm_bitset_has(sm->throttle->may_issue, i)) {
            youngest = sm->age[i] > youngest ? sm->age[i] : youngest;
        } else {
            oldest = sm->age[i] < oldest ? sm->age[i] : oldest;
        }
    }
    return older_than(sm, scheduler, youngest) < sm->throttle->limit &&
           (oldest == UINT64_MAX || older_than(sm, scheduler, oldest) >= sm->throttle->limit);
}

static inline bool is_decided(const gm_cycle_sm *sm)
{
    bool right = true;
    for (uint32_t i = 0; right && i < sm->schedulers; i++) {
        right = is_right(sm, i);
    }
    return right;
}

/* A warp enters an excluding state only where `due` is set, and leaves it where their number
 * changes; both in one cycle set `due` as well. */
gm_cycle gm_cycle_throttle_end(gm_cycle_sm *sm, gm_cycle now)
{
    gm_cycle_throttle *throttle = sm->throttle;
    if (schedulers_due(sm) != 0) {
        gm_cycle_throttle_decide(sm);
    }
    gm_assert(is_decided(sm), "SM %u: permissions are not those of its warps' states", sm->number);
    if (throttle->ccws == NULL) {
        return GM_NEVER;
    }
    return throttle->ccws->change > now ? throttle->ccws->change : now + 1;
}

void gm_cycle_throttle_limit(gm_cycle_sm *sm, uint32_t limit, gm_cycle now)
{
    if (limit == sm->throttle->limit) {
        return;
    }
    sm->throttle->limit = limit;
    sm->throttle->due = (uint32_t)gm_mask(sm->schedulers);
    sm->quiet = 0;
    gm_wake(sm->wake, now);
}
