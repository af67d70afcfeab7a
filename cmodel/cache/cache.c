/* Cache tag array: initialisation, caches without LRU words, and invariants. */
#include "cache/cache.h"

#include "cache/cache_rrip.h"
#include "cache/cache_sharing.h"
#include "cache/ship_signature.h"
#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <string.h>

enum { MOST_SLOTS = 1 << 30, ALIGNMENT = 64, ARRAYS = 4 };

gm_cache_request gm_cache_request_of_l1(const gm_config *config)
{
    return (gm_cache_request){
        .size = config->l1.unified != 0 ? config->l1.unified : config->l1.size,
        .banks = 1,
        .line = config->l1.line,
        .sets = gm_config_l1_sets(config),
        .replacement = config->l1.replacement,
        .sharing = {.enabled = config->sharing.enabled,
                    .level = GM_SHARING_L1,
                    .dead = config->sharing.dead,
                    .sm_bits = 1},
        .index = config->l1.index,
    };
}

gm_cache_request gm_cache_request_of_l2(const gm_config *config)
{
    return (gm_cache_request){
        .size = config->l2.size,
        .banks = config->memory.partitions * config->memory.banks,
        .line = config->l2.line,
        .sets = gm_config_l2_sets(config),
        .replacement = config->l2.replacement,
        .sharing = {.enabled = config->sharing.enabled,
                    .level = GM_SHARING_L2,
                    .dead = config->sharing.l2_dead ? GM_SHARING_DEAD_ANY : GM_SHARING_DEAD_OFF,
                    .sm_bits = config->gpu.sms < 2 ? 1 : gm_log2_ceil(config->gpu.sms)},
        .index = config->l2.index,
    };
}

int gm_cache_describe(gm_cache_parameters *parameters, gm_set_index *index,
                      const gm_cache_request *request, gm_error *error)
{
    uint64_t row = request->line * request->banks; /* bytes of memory to a line of the bank */
    bool unbounded = request->size == GM_UNBOUNDED;
    *parameters = (gm_cache_parameters){
        .sets = request->sets,
        .ways = unbounded ? GM_UNBOUNDED : request->size / row / request->sets,
        .replacement = request->replacement,
        .sharing = request->sharing,
        .region_shift = row >> GM_SHIP_REGION_SHIFT != 0
                            ? 0
                            : gm_log2_floor((UINT64_C(1) << GM_SHIP_REGION_SHIFT) / row),
    };
    if (request->sets == 1) {
        return 0;
    }
    int code = gm_set_index_parse(index, request->index, request->sets,
                                  64 - gm_log2_floor(request->line), error);
    parameters->index = code == 0 && index->kind != GM_INDEX_SEQUENTIAL ? index : NULL;
    return code;
}

static size_t waiting_words(const gm_cache_parameters *parameters)
{
    return parameters->waits ? gm_bitset_words((uint32_t)(parameters->sets * parameters->ways)) : 0;
}

static bool is_rrip(const gm_cache_parameters *parameters)
{
    return parameters->ways != GM_UNBOUNDED && (parameters->replacement == GM_REPLACE_SRRIP ||
                                                parameters->replacement == GM_REPLACE_SHIP);
}

/* True if the order of a set is an LRU list. */
static bool has_list(const gm_cache_parameters *parameters)
{
    return parameters->ways > GM_LRU_WORD_WAYS && !is_rrip(parameters) &&
           !parameters->sharing.enabled;
}

static size_t head_words(const gm_cache_parameters *parameters)
{
    return has_list(parameters) ? 1 : 1 + (parameters->ways + GM_WAY_HASHES - 1) / GM_WAY_HASHES;
}

/* Returns the words of the heads of all sets, of the given ways or of fewer: 16 ways have more
 * words than 17. */
static size_t all_head_words(const gm_cache_parameters *parameters)
{
    enum { MOST = 1 + GM_LRU_WORD_WAYS / GM_WAY_HASHES };
    size_t words = head_words(parameters);
    return parameters->sets * (words < MOST && has_list(parameters) ? MOST : words);
}

size_t gm_cache_bytes(const gm_cache_parameters *parameters)
{
    if (parameters->ways == GM_UNBOUNDED) {
        return 0;
    }
    size_t slots = parameters->sets * parameters->ways;
    return slots * (sizeof(gm_cache_way) + (has_list(parameters) ? sizeof(gm_lru_link) : 0)) +
           (has_list(parameters) ? gm_line_chains_bytes((uint32_t)slots) : 0) +
           all_head_words(parameters) * sizeof(uint64_t) +
           (is_rrip(parameters) ? gm_cache_rrip_bytes(parameters) : 0) +
           (parameters->sharing.enabled ? gm_cache_sharing_bytes(parameters) : 0) +
           waiting_words(parameters) * sizeof(uint64_t) + (size_t)ARRAYS * ALIGNMENT;
}

/* Orders each set: way 0 is its newest. */
static void begin_sets(gm_cache *cache, uint32_t sets)
{
    if (cache->order != NULL) {
        gm_line_chains_clear(&cache->chains);
    }
    for (uint32_t set = 0; set < sets; set++) {
        uint32_t first = set * cache->ways;
        for (uint32_t way = 0; way < cache->ways; way++) {
            cache->way[first + way].tag = GM_NO_LINE;
        }
        if (cache->order != NULL) {
            *gm_cache_head(cache, set) = first;
            gm_lru_list_start(cache->order, first, cache->ways, &cache->clock);
        } else {
            *gm_cache_head(cache, set) = gm_lru_word_start(&cache->places);
        }
    }
}

void gm_cache_set_ways(gm_cache *cache, uint32_t ways)
{
    cache->parameters.ways = ways;
    cache->ways = ways;
    cache->few = ways <= GM_LRU_WORD_WAYS && !cache->rrip && !cache->parameters.sharing.enabled;
    cache->places = gm_lru_places_of(ways);
    cache->head_words = (uint32_t)head_words(&cache->parameters);
    cache->order = has_list(&cache->parameters) ? cache->list : NULL;
}

bool gm_cache_is_empty(const gm_cache *cache)
{
    uint32_t slots = gm_cache_slots(cache);
    bool empty = true;
    for (uint32_t slot = 0; empty && slot < slots; slot++) {
        empty = (cache->unbounded ? cache->table.state[slot] : cache->way[slot].state).valid == 0 &&
                (cache->waiting == NULL || !gm_cache_waits(cache, slot));
    }
    return empty;
}

void gm_cache_resize(gm_cache *cache, uint32_t ways)
{
    uint32_t sets = (uint32_t)cache->parameters.sets;
    gm_assert(!cache->unbounded && !cache->rrip && cache->sharing == NULL && ways >= 1 &&
                  ways <= cache->most_ways,
              "a cache of %u ways, at most %u", ways, cache->most_ways);
    gm_assert(gm_cache_is_empty(cache), "a cache that holds lines gets %u ways", ways);
    gm_cache_set_ways(cache, ways);
    memset(cache->head, 0, sets * cache->head_words * sizeof *cache->head);
    begin_sets(cache, sets);
}

int gm_cache_init(gm_cache *cache, const gm_cache_parameters *parameters, gm_arena *arena,
                  gm_error *error)
{
    *cache = (gm_cache){.parameters = *parameters, .clock = gm_lru_clock_start()};
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
    cache->set_mask = (uint32_t)parameters->sets - 1;
    cache->rrip = is_rrip(parameters);
    cache->most_ways = (uint32_t)parameters->ways;
    cache->way = gm_arena_take(arena, slots, sizeof *cache->way);
    cache->head = gm_arena_take(arena, all_head_words(parameters), sizeof *cache->head);
    bool list = has_list(parameters);
    if (list && gm_line_chains_init(&cache->chains, slots, arena)) {
        cache->list = gm_arena_take(arena, slots, sizeof *cache->list);
    }
    if (parameters->waits) {
        cache->waiting = gm_arena_take(arena, waiting_words(parameters), sizeof *cache->waiting);
    }
    if (cache->way == NULL || cache->head == NULL || (cache->list == NULL && list) ||
        (cache->waiting == NULL && parameters->waits)) {
        return gm_fail(error, -ENOMEM, "out of memory: a cache of %u lines", slots);
    }
    gm_cache_set_ways(cache, slots / (uint32_t)parameters->sets);
    begin_sets(cache, (uint32_t)parameters->sets);
    if (parameters->sharing.enabled) {
        return gm_cache_sharing_init(cache, arena, error);
    }
    return cache->rrip ? gm_cache_rrip_init(cache, arena, error) : 0;
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
        cache->parameters.index = index; /* the shortcut for sequential calls no observer */
    }
    cache->parameters.observer = observer;
}

void gm_cache_tell_observer(const gm_set_index *index, const gm_observer *observer, uint64_t line,
                            uint32_t set)
{
    const gm_set_index_request request = {.op = GM_SET_INDEX_FORWARD, .line = line};
    const gm_set_index_response response = {
        .line = line, .tag = gm_set_index_tag(index, line), .index = set};
    gm_set_index_tell(observer, request, response);
}

/* Looks a line up where the ways have chains. */
static gm_cache_place find_in_chain(const gm_cache *cache, uint64_t line)
{
    uint32_t set = gm_cache_set_of(cache, line);
    uint32_t slot = *gm_line_chains_first(&cache->chains, line);
    while (slot != GM_NO_SLOT && cache->way[slot].tag != line) {
        slot = cache->chains.next[slot];
    }
    return (gm_cache_place){gm_cache_head(cache, set), set, slot};
}

gm_cache_place gm_cache_find_among_many(const gm_cache *cache, uint64_t line)
{
    if (cache->order != NULL) {
        return find_in_chain(cache, line);
    }
    if (cache->unbounded) {
        uint32_t slot = gm_line_map_find(&cache->table, line);
        bool there = slot != GM_NO_SLOT && cache->table.state[slot].valid != 0;
        return (gm_cache_place){NULL, 0, there ? slot : GM_NO_SLOT};
    }
    uint32_t set = gm_cache_set_of(cache, line);
    uint32_t slot = set * cache->ways;
    uint64_t *head = gm_cache_head(cache, set);
    const uint64_t *hashes = head + 1;
    for (uint32_t left = cache->ways;; left -= GM_WAY_HASHES, slot += GM_WAY_HASHES) {
        uint32_t way = gm_cache_find_of_eight(cache, *hashes++, slot, left, line);
        if (way < GM_WAY_HASHES || left <= GM_WAY_HASHES) {
            return (gm_cache_place){head, set, way < GM_WAY_HASHES ? slot + way : GM_NO_SLOT};
        }
    }
}

void gm_cache_touch_among_many(gm_cache *cache, gm_cache_place place)
{
    if (cache->sharing != NULL) {
        gm_cache_sharing_touch(cache, place);
    } else if (cache->rrip) {
        gm_cache_rrip_touch(cache, place);
    } else if (cache->parameters.replacement == GM_REPLACE_LRU && !cache->unbounded) {
        *place.head = gm_lru_list_make_newest(cache->order, *place.head, place.slot, &cache->clock);
    }
}

void gm_cache_make_chains(gm_cache *cache)
{
    gm_line_chains_clear(&cache->chains);
    for (uint32_t slot = 0; slot < gm_cache_slots(cache); slot++) {
        if (cache->way[slot].tag != GM_NO_LINE) {
            gm_line_chains_add(&cache->chains, cache->way[slot].tag, slot);
        }
    }
}

/* gm_cache_put of any bounded cache. */
static void put(gm_cache *cache, uint64_t line, gm_cache_place place, gm_victim *victim)
{
    if (cache->order == NULL) {
        gm_cache_put(cache, line, place, victim);
        return;
    }
    gm_cache_way *entry = &cache->way[place.slot];
    cache->allocations++;
    *victim = (gm_victim){entry->tag, entry->state};
    if (entry->tag != GM_NO_LINE) {
        gm_line_chains_remove(&cache->chains, entry->tag, place.slot);
    }
    *entry = (gm_cache_way){.tag = line};
    gm_line_chains_add(&cache->chains, line, place.slot);
}

uint32_t gm_cache_allocate_among_many(gm_cache *cache, uint64_t line, gm_cache_place place,
                                      gm_victim *victim)
{
    if (cache->unbounded) {
        cache->allocations++;
        victim->state = (gm_sector_state){0};
        return gm_line_map_add(&cache->table, line);
    }
    if (cache->sharing != NULL) {
        place.slot = gm_cache_sharing_take(cache, place);
        gm_assert(place.slot != GM_NO_SLOT, "a line that bypasses gets no way of set %u",
                  place.set);
    } else if (cache->rrip) {
        place.slot = gm_cache_rrip_take(cache, line, place, (uint32_t)gm_mask(cache->ways));
    } else {
        place.slot = gm_lru_list_oldest(cache->order, *place.head);
        *place.head = gm_lru_list_make_newest(cache->order, *place.head, place.slot, &cache->clock);
    }
    put(cache, line, place, victim);
    return place.slot;
}

uint32_t gm_cache_replace_any(gm_cache *cache, uint64_t line, gm_cache_place place,
                              gm_victim *victim)
{
    if (cache->unbounded) {
        return gm_cache_allocate_among_many(cache, line, place, victim);
    }
    if (cache->sharing != NULL) {
        uint32_t taken = gm_cache_sharing_take(cache, place);
        gm_assert(taken == place.slot, "a line gets slot %u, not its victim's %u", taken,
                  place.slot);
    } else if (cache->rrip) {
        uint32_t way = place.slot - place.set * cache->ways;
        gm_cache_rrip_take(cache, line, place, UINT32_C(1) << way);
    } else if (cache->few) {
        *place.head = gm_lru_word_make_newest(*place.head, place.slot - place.set * cache->ways);
    } else {
        *place.head = gm_lru_list_make_newest(cache->order, *place.head, place.slot, &cache->clock);
    }
    put(cache, line, place, victim);
    return place.slot;
}

/* Makes an invalid way the next to be allocated. */
static void make_oldest(gm_cache *cache, gm_cache_place place)
{
    uint64_t *head = place.head;
    *head =
        cache->order != NULL
            ? gm_lru_list_make_oldest(cache->order, *head, place.slot, &cache->clock)
            : gm_lru_word_make_oldest(*head, &cache->places, place.slot - place.set * cache->ways);
}

void gm_cache_drop(gm_cache *cache, gm_cache_place place)
{
    *gm_cache_state(cache, place.slot) = (gm_sector_state){0};
    if (!cache->unbounded) {
        if (cache->order != NULL) {
            gm_line_chains_remove(&cache->chains, cache->way[place.slot].tag, place.slot);
        }
        cache->way[place.slot].tag = GM_NO_LINE;
        if (cache->sharing != NULL) {
            gm_cache_sharing_remove(cache, place);
        } else if (cache->rrip) {
            gm_cache_rrip_remove(cache, place);
        } else {
            make_oldest(cache, place);
        }
    }
}

uint32_t gm_cache_slots(const gm_cache *cache)
{
    return cache->unbounded ? cache->table.count
                            : (uint32_t)(cache->parameters.sets * cache->parameters.ways);
}

uint64_t gm_cache_line(const gm_cache *cache, uint32_t slot)
{
    return cache->unbounded ? cache->table.line[slot] : cache->way[slot].tag;
}

static int check_state(gm_sector_state state, uint64_t line, const char *name, gm_error *error)
{
    return (state.dirty & ~state.valid) == 0
               ? 0
               : gm_fail(error, -EPROTO, "%s: line 0x%llx: sectors 0x%x are dirty, 0x%x valid",
                         name, (unsigned long long)line, state.dirty, state.valid);
}

/* Checks that the order of a set names each way once. */
static int check_order(const gm_cache *cache, uint32_t set, const char *name, gm_error *error)
{
    uint32_t first = set * cache->ways;
    uint32_t broken = first;
    uint64_t head = *gm_cache_head(cache, set);
    bool sound = cache->order == NULL
                     ? gm_lru_word_is_sound(head, cache->ways)
                     : gm_lru_list_is_sound(cache->order, head, first, cache->ways, &broken);
    return sound ? 0
                 : gm_fail(error, -EPROTO, "%s: set %u: the order of its ways is broken at slot %u",
                           name, set, broken);
}

/* Checks that the line of a way is in its set and has valid sectors or waits for them, and that
 * dirty sectors are valid. */
static int check_line(const gm_cache *cache, uint32_t set, uint32_t slot, const char *name,
                      gm_error *error)
{
    uint64_t line = cache->way[slot].tag;
    unsigned long long shown = line;
    gm_sector_state state = cache->way[slot].state;
    if (line != GM_NO_LINE && gm_cache_set_of(cache, line) != set) {
        return gm_fail(error, -EPROTO, "%s: set %u: line 0x%llx belongs in set %u", name, set,
                       shown, gm_cache_set_of(cache, line));
    }
    bool waits = cache->waiting != NULL && gm_cache_waits(cache, slot);
    bool tag = cache->parameters.tags_only && line != GM_NO_LINE;
    if ((line != GM_NO_LINE) != (state.valid != 0) && !waits && !tag) {
        return gm_fail(error, -EPROTO, "%s: set %u: line 0x%llx has valid sectors 0x%x", name, set,
                       shown, state.valid);
    }
    return check_state(state, line, name, error);
}

/* Checks as check_line does, and that a look-up of the line finds this way. */
static int check_way(const gm_cache *cache, uint32_t set, uint32_t slot, const char *name,
                     gm_error *error)
{
    uint64_t line = cache->way[slot].tag;
    int code = check_line(cache, set, slot, name, error);
    uint32_t found = code == 0 && line != GM_NO_LINE ? gm_cache_find(cache, line).slot : slot;
    if (found != slot) {
        return gm_fail(error, -EPROTO,
                       found == GM_NO_SLOT ? "%s: set %u: line 0x%llx is not found"
                                           : "%s: set %u: two ways hold line 0x%llx",
                       name, set, (unsigned long long)line);
    }
    return code;
}

static int check_set(const gm_cache *cache, uint32_t set, const char *name, gm_error *error)
{
    int code = cache->sharing != NULL ? gm_cache_sharing_check_set(cache, set, name, error)
               : cache->rrip          ? gm_cache_rrip_check_set(cache, set, name, error)
                                      : check_order(cache, set, name, error);
    for (uint32_t way = 0; code == 0 && way < cache->ways; way++) {
        code = check_way(cache, set, set * cache->ways + way, name, error);
    }
    return code;
}

static int check_tags(const gm_cache *cache, const char *name, gm_error *error)
{
    uint32_t sets = cache->unbounded ? 0 : (uint32_t)cache->parameters.sets;
    int code = cache->sharing != NULL ? gm_cache_sharing_check(cache, name, error)
               : cache->rrip          ? gm_cache_rrip_check(cache, name, error)
                                      : 0;
    for (uint32_t set = 0; code == 0 && set < sets; set++) {
        code = check_set(cache, set, name, error);
    }
    for (uint32_t slot = 0; code == 0 && cache->unbounded && slot < cache->table.count; slot++) {
        code = check_state(cache->table.state[slot], cache->table.line[slot], name, error);
    }
    return code;
}

int gm_cache_check_set(const gm_cache *cache, uint64_t line, const char *name, gm_error *error)
{
    if (cache->unbounded) {
        uint32_t slot = gm_cache_find(cache, line).slot;
        return slot == GM_NO_SLOT ? 0 : check_state(cache->table.state[slot], line, name, error);
    }
    gm_cache silent = *cache; /* the check's look-ups are not the run's */
    silent.parameters.observer = NULL;
    uint32_t set = gm_cache_set_of(&silent, line);
    return cache->order != NULL
               ? check_line(&silent, set, (uint32_t)*gm_cache_head(cache, set), name, error)
               : check_set(&silent, set, name, error);
}

void gm_cache_assert_invariants(const gm_cache *cache, uint64_t line)
{
    gm_error error;
    if (!cache->unbounded && cache->ways == 0) {
        return; /* the L1 is decoupled */
    }
    if (gm_assert_whole()) {
        gm_assert(gm_cache_check_tags(cache, "cache", &error) == 0, "%s", error.text);
    } else {
        gm_assert(gm_cache_check_set(cache, line, "cache", &error) == 0, "%s", error.text);
    }
}

int gm_cache_check_tags(const gm_cache *cache, const char *name, gm_error *error)
{
    gm_cache silent = *cache; /* the check's look-ups are not the run's */
    silent.parameters.observer = NULL;
    return check_tags(&silent, name, error);
}

int gm_cache_check(const gm_cache *cache, uint64_t gone, const char *name, gm_error *error)
{
    int code = gm_cache_check_tags(cache, name, error);
    if (code < 0) {
        return code;
    }
    uint64_t found = gone; /* lines, wherever they are now */
    for (uint32_t slot = 0; slot < gm_cache_slots(cache); slot++) {
        found += (cache->unbounded ? cache->table.state[slot] : cache->way[slot].state).valid != 0;
    }
    if (cache->allocations != found) {
        return gm_fail(error, -EPROTO, "%s: %llu lines allocated, %llu there or gone", name,
                       (unsigned long long)cache->allocations, (unsigned long long)found);
    }
    return 0;
}
