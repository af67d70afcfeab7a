/* Cache tag array: tags of a set lie side by side, the order of its ways is a circular list, so
 * that the oldest way is found at once whatever the associativity; a line is found by comparing all
 * tags of its set, fully associative caches included. The tag kept is the whole line address, of
 * which hardware needs only the part above the index (see goldmem/set_index.h). */
#include "system/cache.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <string.h>

enum { MOST_SLOTS = 1 << 30, ALIGNMENT = 64, ARRAYS = 4 };

int gm_cache_describe(gm_cache_parameters *parameters, gm_set_index *index, const char *text,
                      uint64_t size, uint64_t line, uint64_t sets, gm_replacement replacement,
                      gm_error *error)
{
    *parameters = (gm_cache_parameters){
        .sets = sets,
        .ways = size == GM_UNBOUNDED ? GM_UNBOUNDED : size / line / sets,
        .replacement = replacement,
    };
    if (sets == 1) {
        return 0;
    }
    int code = gm_set_index_parse(index, text, sets, 64 - gm_log2_floor(line), error);
    parameters->index = code == 0 && index->kind != GM_INDEX_SEQUENTIAL ? index : NULL;
    return code;
}

size_t gm_cache_bytes(const gm_cache_parameters *parameters)
{
    if (parameters->ways == GM_UNBOUNDED) {
        return 0;
    }
    size_t slots = parameters->sets * parameters->ways;
    return slots * (sizeof(uint64_t) + sizeof(gm_sector_state) + sizeof(gm_cache_order)) +
           parameters->sets * sizeof(uint32_t) + (size_t)ARRAYS * ALIGNMENT;
}

int gm_cache_init(gm_cache *cache, const gm_cache_parameters *parameters, gm_arena *arena,
                  gm_error *error)
{
    *cache = (gm_cache){.parameters = *parameters};
    if (parameters->ways == GM_UNBOUNDED) {
        cache->unbounded = true;
        return gm_line_map_init(&cache->table, error);
    }
    if (!gm_is_power_of_two(parameters->sets) || parameters->sets > MOST_SLOTS) {
        return gm_fail(error, -EINVAL, "a cache of %llu sets: a power of two is needed",
                       (unsigned long long)parameters->sets);
    }
    if (parameters->ways == 0 || parameters->ways > MOST_SLOTS / parameters->sets) {
        return gm_fail(error, -EINVAL, "a cache of %llu ways: 1 to %llu are possible",
                       (unsigned long long)parameters->ways,
                       (unsigned long long)(MOST_SLOTS / parameters->sets));
    }
    uint32_t slots = (uint32_t)(parameters->sets * parameters->ways);
    uint32_t ways = (uint32_t)parameters->ways;
    cache->tag = gm_arena_take(arena, slots, sizeof *cache->tag);
    cache->state = gm_arena_take(arena, slots, sizeof *cache->state);
    cache->order = gm_arena_take(arena, slots, sizeof *cache->order);
    cache->newest = gm_arena_take(arena, parameters->sets, sizeof *cache->newest);
    if (cache->tag == NULL || cache->state == NULL || cache->order == NULL ||
        cache->newest == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: a cache of %u lines", slots);
    }
    memset(cache->tag, 0xff, slots * sizeof *cache->tag);
    for (uint32_t slot = 0; slot < slots; slot++) {
        uint32_t first = slot - slot % ways;
        cache->order[slot].older = slot + 1 == first + ways ? first : slot + 1;
        cache->order[slot].newer = slot == first ? first + ways - 1 : slot - 1;
        cache->newest[slot / ways] = first;
    }
    return 0;
}

void gm_cache_free(gm_cache *cache)
{
    gm_line_map_free(&cache->table);
}

void gm_cache_observe(gm_cache *cache, const gm_set_index *index, const gm_observer *observer)
{
    if (cache->parameters.sets == 1 || cache->unbounded) {
        return;
    }
    if (observer != NULL) {
        cache->parameters.index = index; /* the short cut of sequential is not observed */
    }
    cache->parameters.observer = observer;
}

void gm_cache_tell_observer(const gm_cache *cache, uint64_t line, uint32_t set)
{
    const gm_observer *observer = cache->parameters.observer;
    const gm_set_index_request request = {.op = GM_SET_INDEX_FORWARD, .line = line};
    const gm_set_index_response response = {
        .line = line, .tag = gm_set_index_tag(cache->parameters.index, line), .index = set};
    observer->call(observer->context, (const uint64_t *)&request, (const uint64_t *)&response);
}

gm_cache_place gm_cache_find_unbounded(const gm_cache *cache, uint64_t line)
{
    uint32_t slot = gm_line_map_find(&cache->table, line);
    bool there = slot != GM_NO_SLOT && cache->table.state[slot].valid != 0;
    return (gm_cache_place){0, there ? slot : GM_NO_SLOT};
}

/* Tags are compared two at a time, several pairs between branches. */
typedef int64_t tag_pair __attribute__((vector_size(16), aligned(8)));

static bool has_line(const uint64_t *tag, unsigned pairs, int64_t line)
{
    const tag_pair *pair = (const tag_pair *)tag;
    tag_pair same = pair[0] == line;
    for (unsigned i = 1; i < pairs; i++) {
        same |= pair[i] == line;
    }
    return (same[0] | same[1]) != 0;
}

uint32_t gm_cache_find_way(const gm_cache *cache, uint64_t line, uint32_t set)
{
    enum { PAIRS = 4, FEW_PAIRS = 2 };
    uint32_t ways = (uint32_t)cache->parameters.ways;
    uint32_t slot = set * ways;
    uint32_t end = slot + ways;
    const uint64_t *tag = cache->tag;
    while (end - slot >= 2 * PAIRS && !has_line(tag + slot, PAIRS, (int64_t)line)) {
        slot += 2 * PAIRS;
    }
    if (end - slot >= 2 * FEW_PAIRS && !has_line(tag + slot, FEW_PAIRS, (int64_t)line)) {
        slot += 2 * FEW_PAIRS;
    }
    while (slot < end && tag[slot] != line) {
        slot++;
    }
    return slot < end ? slot : GM_NO_SLOT;
}

static void take_out(gm_cache_order *order, uint32_t slot)
{
    order[order[slot].newer].older = order[slot].older;
    order[order[slot].older].newer = order[slot].newer;
}

/* Puts a slot between the newest of its set and the oldest. */
static void put_before(gm_cache_order *order, uint32_t slot, uint32_t newest)
{
    uint32_t oldest = order[newest].newer;
    order[slot] = (gm_cache_order){.older = newest, .newer = oldest};
    order[oldest].older = slot;
    order[newest].newer = slot;
}

void gm_cache_make_newest(gm_cache *cache, gm_cache_place place)
{
    uint32_t newest = cache->newest[place.set];
    if (place.slot != cache->order[newest].newer) {
        take_out(cache->order, place.slot);
        put_before(cache->order, place.slot, newest);
    }
    /* The list is circular: making the oldest the newest only turns it. */
    cache->newest[place.set] = place.slot;
}

/* An invalid way is the next to be used. */
static void make_oldest(gm_cache *cache, uint32_t set, uint32_t slot)
{
    uint32_t newest = cache->newest[set];
    if (slot == newest) {
        cache->newest[set] = cache->order[slot].older;
    } else if (slot != cache->order[newest].newer) {
        take_out(cache->order, slot);
        put_before(cache->order, slot, newest);
    }
}

uint32_t gm_cache_allocate_unbounded(gm_cache *cache, uint64_t line, gm_victim *victim)
{
    victim->state = (gm_sector_state){0};
    return gm_line_map_add(&cache->table, line);
}

void gm_cache_drop(gm_cache *cache, gm_cache_place place)
{
    *gm_cache_state(cache, place.slot) = (gm_sector_state){0};
    if (!cache->unbounded) {
        cache->tag[place.slot] = GM_NO_LINE;
        make_oldest(cache, place.set, place.slot);
    }
}

uint32_t gm_cache_slots(const gm_cache *cache)
{
    return cache->unbounded ? cache->table.count
                            : (uint32_t)(cache->parameters.sets * cache->parameters.ways);
}

uint64_t gm_cache_line(const gm_cache *cache, uint32_t slot)
{
    return cache->unbounded ? cache->table.line[slot] : cache->tag[slot];
}
