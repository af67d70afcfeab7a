/* SRRIP and SHiP in a cache's tag array, by the block replacement [Jaleel et al., ISCA 2010; Wu et
 * al., MICRO 2011]: docs/blocks/replacement.md. A way is in use in the block while it holds a line.
 */
#include "cache/cache_rrip.h"

#include "cache/ship_signature.h"

#include <errno.h>

gm_replacement_parameters gm_cache_rrip_parameters(gm_replacement replacement, uint64_t sets,
                                                   uint64_t ways)
{
    bool ship = replacement == GM_REPLACE_SHIP;
    return (gm_replacement_parameters){
        .policy = ship ? GM_REPLACEMENT_SHIP : GM_REPLACEMENT_SRRIP,
        .index_bits = sets > 1 ? gm_log2_floor(sets) : 1,
        .ways = (unsigned)ways,
        .rrpv_bits = GM_RRPV_BITS,
        .signature_bits = ship ? GM_SHIP_SIGNATURE_BITS : 1,
        .counter_bits = GM_SHIP_COUNTER_BITS,
    };
}

static gm_replacement_parameters parameters_of(const gm_cache_parameters *parameters)
{
    return gm_cache_rrip_parameters(parameters->replacement, parameters->sets, parameters->ways);
}

size_t gm_cache_rrip_bytes(const gm_cache_parameters *parameters)
{
    gm_replacement_parameters replacement = parameters_of(parameters);
    return gm_replacement_bytes(&replacement);
}

int gm_cache_rrip_init(gm_cache *cache, gm_arena *arena, gm_error *error)
{
    gm_replacement_parameters replacement = parameters_of(&cache->parameters);
    return gm_replacement_init(&cache->rrpvs, &replacement, arena, error);
}

static uint64_t way_of(const gm_cache *cache, gm_cache_place place)
{
    return place.slot - place.set * cache->ways;
}

static void change_way(gm_cache *cache, uint64_t op, gm_cache_place place)
{
    gm_replacement_access(
        &cache->rrpvs,
        (gm_replacement_request){.op = op, .index = place.set, .way = way_of(cache, place)});
}

void gm_cache_rrip_touch(gm_cache *cache, gm_cache_place place)
{
    change_way(cache, GM_REPLACEMENT_TOUCH, place);
}

void gm_cache_rrip_remove(gm_cache *cache, gm_cache_place place)
{
    change_way(cache, GM_REPLACEMENT_REMOVE, place);
}

uint32_t gm_cache_rrip_victim(const gm_cache *cache, gm_cache_place place, bool clean)
{
    uint32_t first = place.set * cache->ways;
    uint64_t eligible = 0;
    for (uint32_t way = 0; way < cache->ways; way++) {
        bool waits = cache->waiting != NULL && gm_cache_waits(cache, first + way);
        bool dirty = cache->way[first + way].state.dirty != 0;
        eligible |= (uint64_t)(!waits && (!clean || !dirty)) << way;
    }
    gm_replacement_state rrpvs = cache->rrpvs; /* PEEK changes nothing */
    gm_replacement_response response = gm_replacement_access(
        &rrpvs, (gm_replacement_request){
                    .op = GM_REPLACEMENT_PEEK, .index = place.set, .eligible = eligible});
    return response.none != 0 ? GM_NO_SLOT : first + (uint32_t)response.way;
}

static uint32_t signature_of(const gm_cache *cache, uint64_t line)
{
    if (cache->parameters.replacement != GM_REPLACE_SHIP) {
        return 0;
    }
    uint64_t region = line >> cache->parameters.region_shift;
    return gm_ship_signature(region << GM_SHIP_REGION_SHIFT, GM_SHIP_SIGNATURE_BITS);
}

uint32_t gm_cache_rrip_take(gm_cache *cache, uint64_t line, gm_cache_place place, uint32_t eligible)
{
    gm_replacement_response response = gm_replacement_access(
        &cache->rrpvs, (gm_replacement_request){.op = GM_REPLACEMENT_REPLACE,
                                                .index = place.set,
                                                .eligible = eligible,
                                                .signature = signature_of(cache, line)});
    return place.set * cache->ways + (uint32_t)response.way;
}

int gm_cache_rrip_check_set(const gm_cache *cache, uint32_t set, const char *name, gm_error *error)
{
    for (uint32_t way = 0; way < cache->ways; way++) {
        bool used = (cache->rrpvs.used[set] >> way & 1) != 0;
        if (used != (cache->way[set * cache->ways + way].tag != GM_NO_LINE)) {
            return gm_fail(error, -EPROTO, "%s: set %u: way %u is %s for its replacement", name,
                           set, way, used ? "in use" : "free");
        }
    }
    return 0;
}

int gm_cache_rrip_check(const gm_cache *cache, const char *name, gm_error *error)
{
    gm_error inner = {0};
    int code = gm_replacement_check(&cache->rrpvs, &inner);
    if (code < 0) {
        return gm_fail(error, -EPROTO, "%s: %s", name, inner.text);
    }
    for (uint32_t set = 0; code == 0 && set < cache->parameters.sets; set++) {
        code = gm_cache_rrip_check_set(cache, set, name, error);
    }
    return code;
}
