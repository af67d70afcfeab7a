/* Fences under Temporal Coherence: what they wait for, and until when. */
#include "cycle/sm/fence.h"

#include "cache/values.h"

enum { ANSWERS = 1, TIME = 2 }; /* in `waited` */

static bool has_leases(const gm_config *config)
{
    const gm_coherence_ops *ops = gm_coherence_ops_of(config);
    return ops != NULL && ops->leases;
}

size_t gm_cycle_fences_bytes(const gm_config *config)
{
    enum { ALIGNMENT = 64, ARRAYS = 5 };
    size_t slots = config->sm.warps;
    size_t words = gm_bitset_words((uint32_t)slots);
    return !has_leases(config)
               ? 0
               : sizeof(gm_cycle_fences) + 2 * slots * sizeof(gm_cycle) + slots +
                     config->sm.ctas * words * sizeof(uint64_t) + (size_t)ARRAYS * ALIGNMENT;
}

bool gm_cycle_fences_init(gm_cycle_sm *sm, const gm_config *config, gm_arena *arena)
{
    if (!has_leases(config)) {
        return true;
    }
    gm_cycle_fences *fences = gm_arena_take(arena, 1, sizeof *fences);
    if (fences == NULL) {
        return false;
    }
    fences->next = GM_NEVER;
    fences->whole_cta = config->coherence.fence == GM_FENCE_OF_CTA;
    fences->until = gm_arena_take(arena, sm->slots, sizeof *fences->until);
    fences->since = gm_arena_take(arena, sm->slots, sizeof *fences->since);
    fences->waited = gm_arena_take(arena, sm->slots, sizeof *fences->waited);
    fences->of_cta = gm_arena_take(arena, (size_t)sm->ctas * sm->words, sizeof *fences->of_cta);
    sm->fences = fences;
    return fences->until != NULL && fences->since != NULL && fences->waited != NULL &&
           fences->of_cta != NULL;
}

void gm_cycle_fences_admit(gm_cycle_sm *sm, uint32_t cta, uint32_t slot, bool begins)
{
    uint64_t *row = &sm->fences->of_cta[(size_t)cta * sm->words];
    for (uint32_t i = 0; begins && i < sm->words; i++) {
        row[i] = 0;
    }
    gm_bitset_add(row, slot);
}

/* Adds what the warps `first` to `last` wait for to *wait. */
static void add_wait(gm_cycle_sm *sm, uint32_t first, uint32_t last, gm_cycle now,
                     gm_coherence_wait *wait)
{
    gm_coherence_wait more = gm_load_store_fence(sm->load_store, first, last, now);
    wait->answers |= more.answers;
    wait->until = more.until > wait->until ? more.until : wait->until;
}

/* A CTA's warps are in slots that need not follow each other. A slot whose warp has ended keeps its
 * GWCT, also under another CTA's warp, for which the fence may then wait too. */
static gm_coherence_wait wait_of_cta(gm_cycle_sm *sm, uint32_t cta, gm_cycle now)
{
    const uint64_t *row = &sm->fences->of_cta[(size_t)cta * sm->words];
    gm_coherence_wait wait = {0};
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        uint32_t first = slot;
        while (slot < sm->slots && gm_bitset_has(row, slot)) {
            slot++;
        }
        if (slot > first) {
            add_wait(sm, first, slot - 1, now, &wait);
        }
    }
    return wait;
}

/* Counts the cycles of the wait before cycle `now`. */
static void count_wait(gm_coherence_statistics *statistics, const gm_cycle_fences *fences,
                       uint32_t slot, gm_cycle now)
{
    if (fences->waited[slot] != 0 && now > fences->since[slot]) {
        gm_cycle cycles = now - fences->since[slot];
        *(fences->until[slot] == GM_NEVER ? &statistics->fence_answer_cycles
                                          : &statistics->fence_time_cycles) += cycles;
    }
}

bool gm_cycle_fence_waits(gm_cycle_sm *sm, uint32_t slot, gm_cycle now)
{
    gm_cycle_fences *fences = sm->fences;
    const gm_cycle_warp *warp = &sm->warp[slot];
    gm_coherence_wait wait = {0};
    if (fences->whole_cta) {
        wait = wait_of_cta(sm, warp->cta, now);
    } else {
        add_wait(sm, slot, slot, now, &wait);
    }
    wait.answers |= warp->accesses != 0;
    count_wait(&fences->statistics, fences, slot, now);
    fences->since[slot] = now;
    fences->until[slot] = wait.answers ? GM_NEVER : wait.until;
    fences->waited[slot] |= wait.answers ? ANSWERS : wait.until > now ? TIME : 0;
    if (!wait.answers && wait.until > now) {
        gm_wake(&fences->next, wait.until);
    }
    return wait.answers || wait.until > now;
}

void gm_cycle_fence_issued(gm_cycle_sm *sm, uint32_t slot)
{
    gm_cycle_fences *fences = sm->fences;
    fences->statistics.fences++;
    fences->statistics.fences_answers += (fences->waited[slot] & ANSWERS) != 0;
    fences->statistics.fences_time += (fences->waited[slot] & TIME) != 0;
    fences->waited[slot] = 0;
    gm_load_store_fence_done(sm->load_store);
    if (sm->shared->values != NULL) {
        gm_values_fence(sm->shared->values, sm->number, slot, sm->cta[sm->warp[slot].cta].kernel);
    }
}

void gm_cycle_fences_sum(const gm_cycle_sm *sm, gm_cycle now, gm_coherence_statistics *into)
{
    gm_coherence_statistics sum = sm->fences->statistics;
    for (uint32_t slot = 0; slot < sm->slots; slot++) {
        if (sm->warp[slot].state == GM_STATE_FENCE) {
            count_wait(&sum, sm->fences, slot, now);
        }
    }
    gm_coherence_statistics_add(into, &sum);
}

void gm_cycle_fences_snapshot(gm_cycle_sm *sm, gm_snapshot *snapshot)
{
    gm_cycle_fences *fences = sm->fences;
    GM_SNAPSHOT_VALUE(snapshot, fences->next);
    GM_SNAPSHOT_ARRAY(snapshot, fences->until, sm->slots);
    GM_SNAPSHOT_ARRAY(snapshot, fences->since, sm->slots);
    GM_SNAPSHOT_ARRAY(snapshot, fences->waited, sm->slots);
    GM_SNAPSHOT_ARRAY(snapshot, fences->of_cta, (size_t)sm->ctas * sm->words);
    GM_SNAPSHOT_VALUE(snapshot, fences->statistics);
}
