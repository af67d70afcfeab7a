/* Compulsory, policy, capacity and conflict misses [tabbakh, I]. Beside each cache run two others
 * with the same policies: an unbounded one, and a fully associative LRU one of the same size. Both
 * are kept per sector, like the real one. */
#include "analysis/misses.h"

#include "base/line_table.h"

#include <errno.h>
#include <stdlib.h>

enum { NONE = 0 }; /* no node */

/* Sectors of a line in one of the two caches. */
typedef struct held {
    uint32_t valid;
    uint32_t partial; /* of `valid`, lazy: stores have written only a part */
} held;

typedef struct node {
    uint32_t ever; /* sectors referenced or filled at any time */
    held unbounded, lru;
    uint32_t epoch;        /* flushes before the two above were last touched */
    uint32_t older, newer; /* in the LRU cache's order, where resident */
    uint32_t resident;     /* 1: in the LRU cache */
} node;

struct gm_miss_cache {
    gm_line_table lines; /* line -> uint64_t number of its node */
    node *nodes;         /* [allocated]; number 0 is not used */
    uint32_t allocated;
    uint32_t epoch;
    uint32_t oldest, newest;
    uint64_t held; /* lines in the LRU cache */
};

int gm_misses_create(gm_misses *misses, uint64_t units, uint64_t capacity, gm_miss_results *results)
{
    *misses = (gm_misses){.units = units, .capacity = capacity, .results = results};
    misses->caches = calloc(units, sizeof *misses->caches);
    if (misses->caches == NULL) {
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < units; i++) {
        gm_line_table_init(&misses->caches[i].lines, sizeof(uint64_t));
    }
    return 0;
}

/* Returns the line's node number, NONE if out of memory. */
static uint32_t node_of(gm_miss_cache *cache, uint64_t line)
{
    if (cache->lines.count + 1 >= cache->allocated) {
        uint32_t larger = cache->allocated == 0 ? 256 : cache->allocated * 2;
        node *nodes =
            larger > cache->allocated ? realloc(cache->nodes, larger * sizeof *nodes) : NULL;
        if (nodes == NULL) {
            return NONE;
        }
        cache->nodes = nodes;
        cache->allocated = larger;
    }
    bool fresh = false;
    uint64_t *number = gm_line_table_get(&cache->lines, line, &fresh);
    if (number == NULL) {
        return NONE;
    }
    if (fresh) {
        *number = cache->lines.count;
        cache->nodes[*number] = (node){.epoch = cache->epoch};
    }
    return (uint32_t)*number;
}

/* As node_of, with the state that the line has in this epoch. */
static uint32_t current_node_of(gm_miss_cache *cache, uint64_t line)
{
    uint32_t number = node_of(cache, line);
    if (number == NONE) {
        return NONE;
    }
    node *of = &cache->nodes[number];
    if (of->epoch != cache->epoch) { /* flushed since */
        of->unbounded = of->lru = (held){0};
        of->resident = 0;
        of->epoch = cache->epoch;
    }
    return number;
}

static void take_out(gm_miss_cache *cache, uint32_t number)
{
    node *nodes = cache->nodes;
    node *out = &nodes[number];
    *(out->older != NONE ? &nodes[out->older].newer : &cache->oldest) = out->newer;
    *(out->newer != NONE ? &nodes[out->newer].older : &cache->newest) = out->older;
    out->resident = 0;
    cache->held--;
}

static void put_newest(gm_miss_cache *cache, uint32_t number)
{
    node *in = &cache->nodes[number];
    in->older = cache->newest;
    in->newer = NONE;
    *(cache->newest != NONE ? &cache->nodes[cache->newest].newer : &cache->oldest) = number;
    cache->newest = number;
    in->resident = 1;
    cache->held++;
}

/* Returns the sectors that the cache has for the access. */
static uint32_t known_of(const held *held, const gm_analysis_access *access)
{
    return held->valid & ~(access->kind == GM_STORE ? 0 : held->partial);
}

static void fill(held *held, const gm_analysis_access *access)
{
    uint32_t gained = access->fills & ~known_of(held, access);
    if (access->block > 1) {
        gained |= gm_blocks_of(gained, access->block) & ~held->valid;
    }
    if (access->lazy) {
        held->partial = access->kind == GM_STORE ? (held->partial | gained) & ~access->whole
                                                 : held->partial & ~gained;
    }
    held->valid |= gained;
}

static void update(gm_misses *misses, gm_miss_cache *cache, uint32_t number,
                   const gm_analysis_access *access)
{
    node *line = &cache->nodes[number];
    bool was_resident = line->resident != 0;
    if (was_resident) {
        take_out(cache, number);
    }
    if (access->drops) {
        line->unbounded = line->lru = (held){0};
        return;
    }
    fill(&line->unbounded, access);
    if (!was_resident && access->fills == 0) {
        return;
    }
    fill(&line->lru, access);
    put_newest(cache, number);
    if (cache->held > misses->capacity) {
        uint32_t victim = cache->oldest;
        take_out(cache, victim);
        cache->nodes[victim].lru = (held){0};
    }
}

static void classify(gm_miss_results *results, const node *line, const gm_analysis_access *access)
{
    bool unbounded_misses =
        access->stale || (access->sectors & ~known_of(&line->unbounded, access)) != 0;
    bool lru_misses = access->stale || (access->sectors & ~known_of(&line->lru, access)) != 0;
    results->unbounded += unbounded_misses;
    results->fully_associative += lru_misses;
    if (access->hit) {
        return;
    }
    if ((access->sectors & ~line->ever) != 0) {
        results->misses[GM_MISS_compulsory]++;
    } else if (unbounded_misses) {
        results->misses[GM_MISS_policy]++;
    } else if (lru_misses) {
        results->misses[GM_MISS_capacity]++;
    } else {
        results->misses[GM_MISS_conflict]++;
    }
}

int gm_misses_access(gm_misses *misses, const gm_analysis_access *access)
{
    gm_miss_cache *cache = &misses->caches[access->unit];
    uint32_t number = current_node_of(cache, access->line);
    if (number == NONE) {
        return -ENOMEM;
    }
    node *line = &cache->nodes[number];
    if (access->bypass) {
        line->ever |= access->referenced ? access->sectors : 0;
        if (access->drops) {
            update(misses, cache, number, access);
        }
        return 0;
    }
    if (access->origin != GM_ORIGIN_COPY) {
        classify(misses->results, line, access);
    }
    line->ever |= access->sectors | access->fills;
    if (access->block > 1 && !access->hit) {
        line->ever |= gm_blocks_of(access->sectors, access->block);
    }
    update(misses, cache, number, access);
    return 0;
}

void gm_misses_drop(gm_misses *misses, uint64_t unit, uint64_t line)
{
    gm_miss_cache *cache = &misses->caches[unit];
    uint32_t number = current_node_of(cache, line);
    const gm_analysis_access drop = {.drops = true};
    if (number != NONE) { /* else the next access fails for lack of memory */
        update(misses, cache, number, &drop);
    }
}

void gm_misses_flush(gm_misses *misses, uint64_t unit)
{
    gm_miss_cache *cache = &misses->caches[unit];
    cache->epoch++;
    cache->oldest = cache->newest = NONE;
    cache->held = 0;
}

static void snapshot_cache(gm_miss_cache *cache, gm_snapshot *snapshot)
{
    gm_line_table_snapshot(&cache->lines, snapshot);
    GM_SNAPSHOT_VALUE(snapshot, cache->allocated);
    GM_SNAPSHOT_VALUE(snapshot, cache->epoch);
    GM_SNAPSHOT_VALUE(snapshot, cache->oldest);
    GM_SNAPSHOT_VALUE(snapshot, cache->newest);
    GM_SNAPSHOT_VALUE(snapshot, cache->held);
    if (snapshot->loading && snapshot->failed == 0 && cache->allocated != 0) {
        cache->nodes = calloc(cache->allocated, sizeof *cache->nodes);
        if (cache->nodes == NULL) {
            snapshot->failed = -ENOMEM;
            return;
        }
    }
    if (cache->nodes != NULL) { /* number 0 is not used */
        GM_SNAPSHOT_ARRAY(snapshot, cache->nodes + 1, cache->lines.count);
    }
}

void gm_misses_snapshot(gm_misses *misses, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, *misses->results);
    GM_SNAPSHOT_VALUE(snapshot, misses->capacity);
    for (uint64_t i = 0; i < misses->units; i++) {
        snapshot_cache(&misses->caches[i], snapshot);
    }
}

void gm_misses_free(gm_misses *misses)
{
    for (uint64_t i = 0; misses->caches != NULL && i < misses->units; i++) {
        gm_line_table_free(&misses->caches[i].lines);
        free(misses->caches[i].nodes);
    }
    free(misses->caches);
    misses->caches = NULL;
}
