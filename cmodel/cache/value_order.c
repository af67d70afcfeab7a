/* Coherence order of values. */
#include "cache/value_order.h"

#include <stdio.h>
#include <stdlib.h>

enum { CHUNK_BITS = 16, CHUNK = 1 << CHUNK_BITS, FIRST_CHUNKS = 16 };

typedef unsigned long long number;

void gm_value_order_init(gm_value_order *order, const char *unit)
{
    *order = (gm_value_order){.count = 1, .unit = unit};
}

void gm_value_order_free(gm_value_order *order)
{
    for (uint32_t i = 0; i < order->chunks; i++) {
        free(order->chunk[i]);
    }
    free(order->chunk);
    free(order->open);
    *order = (gm_value_order){0};
}

static gm_value_store *at(const gm_value_order *order, uint32_t value)
{
    return &order->chunk[value >> CHUNK_BITS][value & (CHUNK - 1)];
}

const gm_value_store *gm_value_order_store(const gm_value_order *order, uint32_t value)
{
    return at(order, value);
}

/* Makes room for the store order->count. */
static bool make_room(gm_value_order *order)
{
    uint32_t number = order->count >> CHUNK_BITS;
    if (number >= order->chunks) {
        uint32_t chunks = order->chunks == 0 ? FIRST_CHUNKS : 2 * order->chunks;
        gm_value_store **chunk = realloc(order->chunk, chunks * sizeof(void *));
        order->chunk = chunk != NULL ? chunk : order->chunk;
        uint32_t *open = realloc(order->open, chunks * sizeof *open);
        order->open = open != NULL ? open : order->open;
        if (chunk == NULL || open == NULL) {
            return false;
        }
        for (uint32_t i = order->chunks; i < chunks; i++) {
            chunk[i] = NULL;
            open[i] = 0;
        }
        order->chunks = chunks;
    }
    if (order->chunk[number] == NULL) {
        order->chunk[number] = calloc(CHUNK, sizeof **order->chunk);
    }
    return order->chunk[number] != NULL;
}

uint32_t gm_value_order_add(gm_value_order *order, const gm_value_store *store)
{
    if (order->count == UINT32_MAX || !make_room(order)) {
        order->failed = true;
        return 0;
    }
    *at(order, order->count) = *store;
    order->open[order->count >> CHUNK_BITS]++;
    return order->count++;
}

void gm_value_order_perform(gm_value_order *order, uint32_t value, unsigned word, uint32_t before,
                            uint64_t visible)
{
    uint32_t number = value >> CHUNK_BITS;
    if (value == 0 || order->chunk[number] == NULL) {
        return;
    }
    gm_value_store *store = at(order, value);
    store->before[word] = before;
    store->visible = visible;
    if (store->place == 0) {
        store->place = ++order->performed;
        order->open[number]--;
    }
    if (order->forgets && order->open[number] == 0 && number < order->count >> CHUNK_BITS) {
        free(order->chunk[number]);
        order->chunk[number] = NULL;
    }
}

uint32_t gm_value_order_visible(const gm_value_order *order, uint32_t last, unsigned word,
                                uint64_t cycle)
{
    while (last != 0 && at(order, last)->visible >= cycle) {
        last = at(order, last)->before[word];
    }
    return last;
}

bool gm_value_is_older(const gm_value_order *order, uint32_t seen, uint32_t bound)
{
    if (bound == 0 || seen == bound || order->forgets) {
        return false;
    }
    uint32_t place = at(order, bound)->place;
    return place == 0 || seen == 0 ||
           (at(order, seen)->place != 0 && at(order, seen)->place < place);
}

void gm_value_order_pass(gm_value_order *order, uint32_t value)
{
    if (value != 0 && at(order, value)->passed == 0) {
        at(order, value)->passed = ++order->passed;
    }
}

bool gm_value_passed_before(const gm_value_order *order, uint32_t seen, uint32_t bound)
{
    if (bound == 0 || seen == bound || order->forgets) {
        return false;
    }
    return seen == 0 ||
           (at(order, seen)->passed != 0 && at(order, seen)->passed < at(order, bound)->passed);
}

void gm_value_order_describe(const gm_value_order *order, uint32_t value, char *text, size_t size)
{
    if (value == 0) {
        snprintf(text, size, "what memory held at first");
        return;
    }
    const gm_value_store *store = at(order, value);
    if (store->copy) {
        snprintf(text, size, "store %u (host copy before kernel %u)", value, store->warp.kernel);
        return;
    }
    const gm_value_warp *warp = &store->warp;
    snprintf(text, size, "store %u (SM %u, warp %u of CTA %llu, kernel %u, %s %llu)", value,
             warp->sm, warp->warp, (number)warp->cta, store->warp.kernel, order->unit,
             (number)store->time);
}
