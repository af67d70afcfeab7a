/* L1 instruction cache: look-ups, misses to the L2, fills. */
#include "cycle/sm/l1i.h"

#include "cache/cache_snapshot.h"
#include "frontend/intake.h"
#include "stats/invariants.h"

#include <errno.h>
#include <stdio.h>

enum { ALIGNMENT = 64, ARRAYS = 7 };

/* Where GPGPU-Sim has the code of all kernels, and of a trace no data are. */
#define SHARED_CODE UINT64_C(0xf0000000)

static gm_cache_parameters cache_of(const gm_config *config)
{
    uint64_t lines = config->l1i.size / config->l1i.line;
    uint64_t ways = config->l1i.ways == GM_FULL ? lines : config->l1i.ways;
    return (gm_cache_parameters){
        .sets = lines / ways, .ways = ways, .replacement = GM_REPLACE_LRU, .waits = true};
}

static gm_mshr_parameters mshr_of(const gm_config *config)
{
    return (gm_mshr_parameters){.entries = (unsigned)config->l1i.mshrs,
                                .merges = (unsigned)config->l1i.merges,
                                .line_bits = 64,
                                .requester_bits = 32};
}

size_t gm_l1i_bytes(const gm_config *config)
{
    if (config->l1i.size == 0) {
        return 0;
    }
    const gm_cache_parameters cache = cache_of(config);
    const gm_mshr_parameters mshr = mshr_of(config);
    size_t slots = config->sm.warps;
    return sizeof(gm_l1i) + gm_cache_bytes(&cache) + gm_mshr_bytes(&mshr) +
           3 * slots * sizeof(uint64_t) +
           2 * (size_t)gm_bitset_words((uint32_t)slots) * sizeof(uint64_t) +
           mshr.entries * sizeof(gm_l1i_entry) + gm_ring_places(mshr.entries) * sizeof(uint32_t) +
           (size_t)(ARRAYS + 1) * ALIGNMENT;
}

static bool take_arrays(gm_l1i *l1i, gm_arena *arena)
{
    l1i->next = gm_arena_take(arena, l1i->slots, sizeof *l1i->next);
    l1i->line = gm_arena_take(arena, l1i->slots, sizeof *l1i->line);
    l1i->behind = gm_arena_take(arena, l1i->slots, sizeof *l1i->behind);
    l1i->missing = gm_arena_take(arena, l1i->words, sizeof *l1i->missing);
    l1i->refused = gm_arena_take(arena, l1i->words, sizeof *l1i->refused);
    l1i->entry = gm_arena_take(arena, l1i->arrived.capacity, sizeof *l1i->entry);
    l1i->filled = gm_arena_take(arena, gm_ring_places(l1i->arrived.capacity), sizeof *l1i->filled);
    return l1i->next != NULL && l1i->line != NULL && l1i->behind != NULL && l1i->missing != NULL &&
           l1i->refused != NULL && l1i->entry != NULL && l1i->filled != NULL;
}

/* Returns the bytes that a packet asks for: of one L2 line, of one sector if the L2's MSHRs merge
 * by sector. */
static uint64_t packet_bytes(const gm_config *config)
{
    uint64_t line = config->l1i.line < config->l2.line ? config->l1i.line : config->l2.line;
    return config->l2.merge_by == GM_MERGE_BY_SECTOR ? GM_SECTOR : line;
}

gm_l1i *gm_l1i_make(const gm_config *config, uint32_t number, gm_arena *arena)
{
    const gm_cache_parameters cache = cache_of(config);
    const gm_mshr_parameters mshr = mshr_of(config);
    gm_error error;
    gm_l1i *l1i = gm_arena_take(arena, 1, sizeof *l1i);
    if (l1i == NULL) {
        return NULL;
    }
    *l1i = (gm_l1i){
        .sm = number,
        .latency = (uint32_t)config->l1i.latency,
        .fetch = config->l1i.fetch,
        .code = config->l1i.shared_code ? gm_mask(GM_CODE_BITS) : UINT64_MAX,
        .region = config->l1i.shared_code ? SHARED_CODE : 0,
        .line_bits = gm_log2_floor(config->l1i.line),
        .packet_bits = gm_log2_floor(packet_bytes(config)),
        .l2_bits = gm_log2_floor(config->l2.line),
        .slots = (uint32_t)config->sm.warps,
        .words = gm_bitset_words((uint32_t)config->sm.warps),
        .arrived = gm_ring_make(mshr.entries),
    };
    bool made = gm_cache_init(&l1i->cache, &cache, arena, &error) == 0 &&
                gm_mshr_init(&l1i->mshr, &mshr, arena, &error) == 0 && take_arrays(l1i, arena);
    return made ? l1i : NULL;
}

/* Requests a line from the L2. */
static void fetch(gm_l1i *l1i, uint64_t line, uint32_t entry, gm_load_store *port, gm_cycle now)
{
    uint64_t bytes = UINT64_C(1) << l1i->packet_bits;
    uint64_t end = (line + 1) << l1i->line_bits;
    uint32_t sectors = (uint32_t)gm_mask((unsigned)(bytes / GM_SECTOR));
    l1i->entry[entry] = (gm_l1i_entry){.since = now};
    for (uint64_t at = line << l1i->line_bits; at != end; at += bytes) {
        unsigned first = (unsigned)((at & gm_mask(l1i->l2_bits)) / GM_SECTOR);
        gm_load_store_fetch(port, at >> l1i->l2_bits, sectors << first, entry, now);
        l1i->entry[entry].packets++;
    }
}

bool gm_l1i_look_up(gm_l1i *l1i, uint32_t slot, gm_load_store *port, gm_cycle now)
{
    gm_l1i_statistics *count = &l1i->statistics;
    uint64_t line = l1i->next[slot];
    gm_cache_place place = gm_cache_find(&l1i->cache, line);
    count->accesses++;
    if (place.slot != GM_NO_SLOT) {
        gm_cache_touch(&l1i->cache, place);
        count->hits++;
        return true;
    }
    gm_bitset_add(l1i->missing, slot);
    gm_mshr_response response = gm_mshr_access(
        &l1i->mshr,
        (gm_mshr_request){
            .op = GM_MSHR_REQUEST_OP, .line = line, .requester = slot, .may_allocate = 1});
    if (response.outcome == GM_MSHR_FAIL) {
        gm_bitset_add(l1i->refused, slot);
        count->fails++;
    } else if (response.outcome == GM_MSHR_MERGED) {
        count->hits_pending++;
    } else {
        count->misses++;
        fetch(l1i, line, (uint32_t)response.id, port, now);
    }
    return false;
}

void gm_l1i_fill(gm_l1i *l1i, uint32_t entry, gm_cycle now)
{
    if (--l1i->entry[entry].packets != 0) {
        return;
    }
    gm_l1i_statistics *count = &l1i->statistics;
    uint64_t line = l1i->mshr.entry[entry].line;
    unsigned sectors = 1U << (l1i->line_bits - GM_SECTOR_SHIFT);
    gm_cache_place place = gm_cache_find(&l1i->cache, line);
    gm_victim victim;
    uint32_t slot = gm_cache_victim(&l1i->cache, place);
    slot = gm_cache_replace(&l1i->cache, line, place, slot, &victim);
    gm_cache_state(&l1i->cache, slot)->valid = (uint32_t)gm_mask(sectors);
    count->evictions += victim.state.valid != 0;
    count->sectors_filled += sectors;
    count->fill_cycles += now - l1i->entry[entry].since;
    l1i->filled[gm_ring_push(&l1i->arrived)] = entry;
    gm_cache_assert_access(&l1i->cache, line);
}

uint32_t gm_l1i_serve(gm_l1i *l1i)
{
    gm_mshr_response response = gm_mshr_access(
        &l1i->mshr, (gm_mshr_request){.op = GM_MSHR_RESPONSE_OP,
                                      .id = l1i->filled[gm_ring_first(&l1i->arrived)]});
    uint32_t slot = (uint32_t)response.requester;
    gm_bitset_remove(l1i->missing, slot);
    l1i->served++;
    if (response.count == 0) {
        gm_ring_pop(&l1i->arrived);
        l1i->freed = true;
    }
    return slot;
}

int gm_l1i_check(const gm_l1i *l1i, gm_error *error)
{
    const gm_l1i_statistics *count = &l1i->statistics;
    char where[32];
    snprintf(where, sizeof where, "L1I of SM %u", l1i->sm);
    GM_INVARIANT(where, "accesses = hits + hits_pending + misses + fails", count->accesses,
                 count->hits + count->hits_pending + count->misses + count->fails);
    GM_INVARIANT(where, "warps that missed = those served by lines that arrived",
                 count->hits_pending + count->misses, l1i->served);
    GM_INVARIANT(where, "sectors of lines missed = filled",
                 count->misses << (l1i->line_bits - GM_SECTOR_SHIFT), count->sectors_filled);
    GM_INVARIANT(where, "lines that have arrived and are waited for = 0",
                 gm_ring_count(&l1i->arrived), 0);
    for (uint32_t i = 0; i < l1i->words; i++) {
        GM_INVARIANT(where, "mask of warps that wait for a line = 0",
                     l1i->missing[i] | l1i->refused[i], 0);
    }
    for (unsigned i = 0; i < l1i->mshr.entries; i++) {
        GM_INVARIANT(where, "MSHR entries in use at the end = 0", gm_mshr_is_valid(&l1i->mshr, i),
                     0);
    }
    int code = gm_mshr_check(&l1i->mshr, error);
    return code < 0 ? code : gm_cache_check(&l1i->cache, count->evictions, where, error);
}

void gm_l1i_snapshot(gm_l1i *l1i, gm_snapshot *snapshot)
{
    gm_cache_snapshot(&l1i->cache, snapshot);
    gm_mshr_snapshot(&l1i->mshr, snapshot);
    GM_SNAPSHOT_ARRAY(snapshot, l1i->next, l1i->slots);
    GM_SNAPSHOT_ARRAY(snapshot, l1i->line, l1i->slots);
    GM_SNAPSHOT_ARRAY(snapshot, l1i->behind, l1i->slots);
    GM_SNAPSHOT_ARRAY(snapshot, l1i->missing, l1i->words);
    GM_SNAPSHOT_ARRAY(snapshot, l1i->refused, l1i->words);
    GM_SNAPSHOT_ARRAY(snapshot, l1i->entry, l1i->arrived.capacity);
    GM_SNAPSHOT_ARRAY(snapshot, l1i->filled, gm_ring_places(l1i->arrived.capacity));
    GM_SNAPSHOT_VALUE(snapshot, l1i->arrived.span);
    GM_SNAPSHOT_VALUE(snapshot, l1i->freed);
    GM_SNAPSHOT_VALUE(snapshot, l1i->served);
    GM_SNAPSHOT_VALUE(snapshot, l1i->statistics);
}
