/* Cache tag array. The order of a set's ways is a word or a circular list, so that the oldest way
 * is found at once whatever the associativity; SRRIP and SHiP are in cache_rrip.c. The tag kept is
 * the whole line address, of which hardware needs only the part above the index (see
 * goldmem/set_index.h). */
#include "cache/cache.h"

#include "cache/ship_signature.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <string.h>

enum { MOST_SLOTS = 1 << 30, ALIGNMENT = 64, ARRAYS = 4, HASHES = 8 };

gm_cache_request gm_cache_request_of_l1(const gm_config *config)
{
    return (gm_cache_request){
        .size = config->l1.size,
        .banks = 1,
        .line = config->l1.line,
        .sets = gm_config_l1_sets(config),
        .replacement = config->l1.replacement,
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
    return parameters->waits ? (parameters->sets * parameters->ways + 63) / 64 : 0;
}

static bool is_rrip(const gm_cache_parameters *parameters)
{
    return parameters->ways != GM_UNBOUNDED && (parameters->replacement == GM_REPLACE_SRRIP ||
                                                parameters->replacement == GM_REPLACE_SHIP);
}

/* Is the order a list? */
static bool has_list(const gm_cache_parameters *parameters)
{
    return parameters->ways > GM_CACHE_FEW_WAYS && !is_rrip(parameters);
}

static size_t head_words(uint64_t ways)
{
    return 1 + (ways + HASHES - 1) / HASHES;
}

size_t gm_cache_bytes(const gm_cache_parameters *parameters)
{
    if (parameters->ways == GM_UNBOUNDED) {
        return 0;
    }
    size_t slots = parameters->sets * parameters->ways;
    return slots * (sizeof(gm_cache_way) + (has_list(parameters) ? sizeof(gm_cache_order) : 0)) +
           parameters->sets * head_words(parameters->ways) * sizeof(uint64_t) +
           (is_rrip(parameters) ? gm_cache_rrip_bytes(parameters) : 0) +
           waiting_words(parameters) * sizeof(uint64_t) + (size_t)ARRAYS * ALIGNMENT;
}

/* Way 0 is the newest of its set at first. */
static void begin_orders(gm_cache *cache, uint32_t slots)
{
    uint32_t ways = cache->ways;
    for (uint32_t set = 0; set < slots / ways; set++) {
        *gm_cache_head(cache, set) =
            cache->order != NULL ? set * ways : UINT64_C(0xfedcba9876543210) & cache->order_mask;
    }
    for (uint32_t slot = 0; slot < slots; slot++) {
        cache->way[slot].tag = GM_NO_LINE;
        if (cache->order != NULL) {
            uint32_t first = slot - slot % ways;
            cache->order[slot].older = slot + 1 == first + ways ? first : slot + 1;
            cache->order[slot].newer = slot == first ? first + ways - 1 : slot - 1;
        }
    }
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
    cache->ways = (uint32_t)parameters->ways;
    cache->set_mask = (uint32_t)parameters->sets - 1;
    cache->rrip = is_rrip(parameters);
    cache->few = cache->ways <= GM_CACHE_FEW_WAYS && !cache->rrip;
    cache->oldest = 4 * (cache->ways - 1);
    cache->order_mask = gm_mask(4 * cache->ways);
    cache->head_words = (uint32_t)head_words(parameters->ways);
    cache->way = gm_arena_take(arena, slots, sizeof *cache->way);
    cache->head = gm_arena_take(arena, parameters->sets * cache->head_words, sizeof *cache->head);
    if (has_list(parameters)) {
        cache->order = gm_arena_take(arena, slots, sizeof *cache->order);
    }
    if (parameters->waits) {
        cache->waiting = gm_arena_take(arena, waiting_words(parameters), sizeof *cache->waiting);
    }
    if (cache->way == NULL || cache->head == NULL ||
        (cache->order == NULL && has_list(parameters)) ||
        (cache->waiting == NULL && parameters->waits)) {
        return gm_fail(error, -ENOMEM, "out of memory: a cache of %u lines", slots);
    }
    begin_orders(cache, slots);
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
        cache->parameters.index = index; /* the short cut of sequential is not observed */
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

gm_cache_place gm_cache_find_among_many(const gm_cache *cache, uint64_t line)
{
    if (cache->unbounded) {
        uint32_t slot = gm_line_map_find(&cache->table, line);
        bool there = slot != GM_NO_SLOT && cache->table.state[slot].valid != 0;
        return (gm_cache_place){NULL, 0, there ? slot : GM_NO_SLOT};
    }
    uint32_t set = gm_cache_set_of(cache, line);
    uint32_t slot = set * cache->ways;
    uint64_t *head = gm_cache_head(cache, set);
    const uint64_t *hashes = head + 1;
    for (uint32_t left = cache->ways;; left -= HASHES, slot += HASHES) {
        uint32_t way = gm_cache_find_of_eight(cache, *hashes++, slot, left, line);
        if (way < HASHES || left <= HASHES) {
            return (gm_cache_place){head, set, way < HASHES ? slot + way : GM_NO_SLOT};
        }
    }
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

void gm_cache_turn_list(gm_cache *cache, gm_cache_place place)
{
    uint64_t *newest = place.head;
    if (place.slot == *newest) {
        return;
    }
    if (place.slot != cache->order[*newest].newer) {
        take_out(cache->order, place.slot);
        put_before(cache->order, place.slot, (uint32_t)*newest);
    }
    /* The list is circular: making the oldest the newest only turns it. */
    *newest = place.slot;
}

void gm_cache_touch_among_many(gm_cache *cache, gm_cache_place place)
{
    if (cache->rrip) {
        gm_cache_rrip_touch(cache, place);
    } else if (cache->parameters.replacement == GM_REPLACE_LRU && !cache->unbounded) {
        gm_cache_turn_list(cache, place);
    }
}

static void make_oldest_in_list(gm_cache *cache, gm_cache_place place)
{
    uint64_t *newest = place.head;
    if (place.slot == *newest) {
        *newest = cache->order[place.slot].older;
    } else if (place.slot != cache->order[*newest].newer) {
        take_out(cache->order, place.slot);
        put_before(cache->order, place.slot, (uint32_t)*newest);
    }
}

/* An invalid way is the next to be used. */
static void make_oldest(gm_cache *cache, gm_cache_place place)
{
    if (cache->order != NULL) {
        make_oldest_in_list(cache, place);
        return;
    }
    uint64_t *order = place.head;
    uint64_t way = place.slot - place.set * cache->ways;
    unsigned position = gm_cache_position(*order, (unsigned)way);
    uint64_t older = ~gm_mask(position); /* and the way itself */
    *order = (*order & ~older) | ((*order & older) >> 4 & older) | way << cache->oldest;
}

uint32_t gm_cache_allocate_among_many(gm_cache *cache, uint64_t line, gm_cache_place place,
                                      gm_victim *victim)
{
    if (cache->unbounded) {
        victim->state = (gm_sector_state){0};
        return gm_line_map_add(&cache->table, line);
    }
    uint32_t slot = 0;
    if (cache->rrip) {
        slot = gm_cache_rrip_take(cache, line, place, (uint32_t)gm_mask(cache->ways));
    } else {
        slot = cache->order[*place.head].newer; /* the list is circular */
        *place.head = slot;
    }
    gm_cache_way *entry = &cache->way[slot];
    *victim = (gm_victim){entry->tag, entry->state};
    *entry = (gm_cache_way){.tag = line};
    gm_cache_hashes(place.head)[slot - place.set * cache->ways] = gm_cache_hash(line);
    return slot;
}

void gm_cache_drop(gm_cache *cache, gm_cache_place place)
{
    *gm_cache_state(cache, place.slot) = (gm_sector_state){0};
    if (!cache->unbounded) {
        cache->way[place.slot].tag = GM_NO_LINE;
        if (cache->rrip) {
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
