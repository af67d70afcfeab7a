/* Throttling: static limit. */
#include "cycle/sm/throttle.h"

#include "goldmem/assert.h"

#include <string.h>

enum { ALIGNMENT = 64, ARRAYS = 3 };

static uint32_t words_of(const gm_config *config)
{
    return gm_bitset_words((uint32_t)config->sm.warps);
}

size_t gm_cycle_throttle_bytes(const gm_config *config)
{
    return config->sm.throttle == GM_THROTTLE_NONE
               ? 0
               : sizeof(gm_cycle_throttle) + 2 * words_of(config) * sizeof(uint64_t) +
                     (size_t)ARRAYS * ALIGNMENT;
}

bool gm_cycle_throttle_init(gm_cycle_sm *sm, const gm_config *config, gm_arena *arena)
{
    if (config->sm.throttle == GM_THROTTLE_NONE) {
        return true;
    }
    gm_cycle_throttle *throttle = gm_arena_take(arena, 1, sizeof *throttle);
    uint64_t *sets = gm_arena_take(arena, 2 * (size_t)sm->words, sizeof *sets);
    if (throttle == NULL || sets == NULL) {
        return false;
    }
    memset(sets, UINT8_MAX, 2 * sm->words * sizeof *sets);
    *throttle = (gm_cycle_throttle){
        .may_issue = sets,
        .may_load = sets + sm->words,
        .limit = (uint32_t)config->sm.limit,
        .policy = config->sm.throttle,
    };
    sm->throttle = throttle;
    return true;
}

void gm_cycle_throttle_snapshot(gm_cycle_sm *sm, gm_snapshot *snapshot)
{
    gm_cycle_throttle *throttle = sm->throttle;
    GM_SNAPSHOT_ARRAY(snapshot, throttle->may_issue, sm->words);
    GM_SNAPSHOT_ARRAY(snapshot, throttle->may_load, sm->words);
    GM_SNAPSHOT_VALUE(snapshot, throttle->admitted);
    GM_SNAPSHOT_VALUE(snapshot, throttle->excluded);
    GM_SNAPSHOT_VALUE(snapshot, throttle->limit);
    GM_SNAPSHOT_VALUE(snapshot, throttle->due);
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

/* Returns the age of the scheduler's youngest warp that may issue: that of the limit-th oldest
 * which is not excluded, or UINT64_MAX if there are fewer. */
static uint64_t youngest_of(const gm_cycle_sm *sm, uint32_t scheduler)
{
    uint64_t oldest[GM_WARP_SLOTS] = {0}; /* ascending */
    uint32_t limit = sm->throttle->limit;
    uint32_t count = 0;
    for (uint32_t slot = scheduler; slot < sm->slots; slot += sm->schedulers) {
        uint64_t age = sm->age[slot];
        if (gm_cycle_throttle_excludes((gm_warp_state)sm->warp[slot].state) ||
            (count == limit && age > oldest[count - 1])) {
            continue;
        }
        uint32_t place = count < limit ? count++ : count - 1;
        for (; place != 0 && oldest[place - 1] > age; place--) {
            oldest[place] = oldest[place - 1];
        }
        oldest[place] = age;
    }
    return count < limit ? UINT64_MAX : oldest[count - 1];
}

/* Static: lets the limit oldest of each scheduler's warps issue. */
static void choose_oldest(gm_cycle_sm *sm)
{
    for (uint32_t scheduler = 0; scheduler < sm->schedulers; scheduler++) {
        uint64_t youngest = youngest_of(sm, scheduler);
        for (uint32_t slot = scheduler; slot < sm->slots; slot += sm->schedulers) {
            if (sm->age[slot] <= youngest) {
                gm_bitset_add(sm->throttle->may_issue, slot);
            } else {
                gm_bitset_remove(sm->throttle->may_issue, slot);
            }
        }
    }
}

/* Returns the number of warps that are excluded. */
static uint32_t count_excluded(const gm_cycle_sm *sm)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < sm->schedulers; i++) {
        const uint32_t *warps = sm->scheduler[i].warps;
        count += warps[GM_STATE_BARRIER] + warps[GM_STATE_FENCE] + warps[GM_STATE_ENDING] +
                 warps[GM_STATE_LAUNCH];
    }
    return count;
}

void gm_cycle_throttle_decide(gm_cycle_sm *sm)
{
    gm_cycle_throttle *throttle = sm->throttle;
    throttle->admitted = sm->admitted;
    throttle->excluded = count_excluded(sm);
    throttle->due = false;
    switch (throttle->policy) {
    case GM_THROTTLE_NONE:
        break;
    case GM_THROTTLE_STATIC:
        choose_oldest(sm);
        break;
    }
}

/* True if a decision would change nothing. For assertions. */
static inline bool is_decided(gm_cycle_sm *sm)
{
    uint64_t before[GM_WARP_WORDS];
    memcpy(before, sm->throttle->may_issue, sm->words * sizeof *before);
    gm_cycle_throttle_decide(sm);
    return memcmp(before, sm->throttle->may_issue, sm->words * sizeof *before) == 0;
}

/* A warp enters an excluding state only where `due` is set, and leaves it where their number
 * changes; both in one cycle set `due` as well. */
gm_cycle gm_cycle_throttle_end(gm_cycle_sm *sm, gm_cycle now)
{
    (void)now;
    gm_cycle_throttle *throttle = sm->throttle;
    if (throttle->due || throttle->excluded != count_excluded(sm)) {
        gm_cycle_throttle_decide(sm);
    }
    gm_assert(is_decided(sm), "SM %u: permissions are not those of its warps' states", sm->number);
    return GM_NEVER;
}

void gm_cycle_throttle_limit(gm_cycle_sm *sm, uint32_t limit, gm_cycle now)
{
    sm->throttle->limit = limit;
    sm->throttle->due = true;
    sm->quiet = 0;
    gm_wake(sm->wake, now);
}
