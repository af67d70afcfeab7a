/* Lease store [singh, 6.2.1]: the unexpired leases of lines that the L2 has evicted. PUT stores
 * one, TAKE returns it to a refetch, and each operation removes those that are past. */
#include "goldmem/lease_store.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

size_t gm_lease_store_bytes(const gm_lease_store_parameters *parameters)
{
    enum { ALIGNMENT = 64 };
    return parameters->entries * sizeof(gm_lease_store_entry) + ALIGNMENT;
}

int gm_lease_store_init(gm_lease_store *store, const gm_lease_store_parameters *parameters,
                        gm_arena *arena, gm_error *error)
{
    const gm_lease_store_parameters *p = parameters;
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"entries", p->entries, 1, GM_LEASE_STORE_ENTRIES},
        {"line_bits", p->line_bits, 1, 64},
        {"time_bits", p->time_bits, 2, 32},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "lease_store: %s %u: must be %u to %u", ranges[i].name,
                           ranges[i].value, ranges[i].least, ranges[i].most);
        }
    }
    *store = (gm_lease_store){
        .parameters = *p,
        .entry = gm_arena_take(arena, p->entries, sizeof *store->entry),
    };
    return store->entry == NULL
               ? gm_fail(error, -ENOMEM, "lease_store: the arena is full: it needs %zu bytes",
                         gm_lease_store_bytes(p))
               : 0;
}

static gm_lease_store_entry *find(const gm_lease_store *store, uint64_t line)
{
    gm_lease_store_entry *end = store->entry + store->parameters.entries;
    gm_lease_store_entry *entry = store->entry;
    while (entry < end && !(entry->valid && entry->line == line)) {
        entry++;
    }
    return entry < end ? entry : NULL;
}

bool gm_lease_store_holds(const gm_lease_store *store, uint64_t line)
{
    return find(store, line) != NULL;
}

static gm_lease_store_entry *lowest_free(gm_lease_store *store)
{
    gm_lease_store_entry *end = store->entry + store->parameters.entries;
    gm_lease_store_entry *entry = store->entry;
    while (entry < end && entry->valid) {
        entry++;
    }
    return entry < end ? entry : NULL;
}

static void expire(gm_lease_store *store, uint64_t now)
{
    for (unsigned i = 0; i < store->parameters.entries; i++) {
        store->entry[i].valid &= store->entry[i].lease >= now;
    }
}

/* Stores a lease; one that is past needs no storage. Returns false, and changes nothing, without a
 * free entry or permission. */
static bool put(gm_lease_store *store, const gm_lease_store_request *request)
{
    gm_lease_store_entry *entry = find(store, request->line);
    if (request->lease < request->now) {
        return true;
    }
    if (entry != NULL) {
        entry->lease = (uint32_t)(request->lease > entry->lease ? request->lease : entry->lease);
        return true;
    }
    entry = request->may != 0 ? lowest_free(store) : NULL;
    if (entry != NULL) {
        *entry = (gm_lease_store_entry){
            .line = request->line, .lease = (uint32_t)request->lease, .valid = true};
    }
    return entry != NULL;
}

static void take(gm_lease_store *store, uint64_t line, gm_lease_store_response *response)
{
    gm_lease_store_entry *entry = find(store, line);
    if (entry != NULL) {
        response->found = 1;
        response->lease = entry->lease;
        entry->valid = false;
    }
}

/* Counts the leases and finds the earliest. */
static void sum_up(const gm_lease_store *store, gm_lease_store_response *response)
{
    for (unsigned i = 0; i < store->parameters.entries; i++) {
        const gm_lease_store_entry *entry = &store->entry[i];
        if (entry->valid) {
            bool earlier = response->used == 0 || entry->lease < response->next;
            response->next = earlier ? entry->lease : response->next;
            response->used++;
        }
    }
}

static void assert_request(const gm_lease_store *store, const gm_lease_store_request *request)
{
    gm_assert(request->op < 4, "lease_store: operation %llu", (unsigned long long)request->op);
    gm_assert((request->line & ~gm_mask(store->parameters.line_bits)) == 0,
              "lease_store: line address 0x%llx", (unsigned long long)request->line);
    gm_assert((request->lease | request->now) <= gm_mask(store->parameters.time_bits) &&
                  request->may < 2,
              "lease_store: lease %llu, now %llu, may %llu", (unsigned long long)request->lease,
              (unsigned long long)request->now, (unsigned long long)request->may);
}

gm_lease_store_response gm_lease_store_access(gm_lease_store *store, gm_lease_store_request request)
{
    gm_lease_store_response response = {0};
    assert_request(store, &request);
    if (request.op == GM_LEASE_STORE_CLEAR) {
        for (unsigned i = 0; i < store->parameters.entries; i++) {
            store->entry[i].valid = false;
        }
    } else {
        expire(store, request.now);
    }
    if (request.op == GM_LEASE_STORE_PUT) {
        response.done = put(store, &request);
    } else if (request.op == GM_LEASE_STORE_TAKE) {
        take(store, request.line, &response);
    }
    sum_up(store, &response);
    gm_error error;
    gm_assert(!gm_assert_whole() || gm_lease_store_check(store, &error) == 0, "%s", error.text);
    if (store->observer != NULL) {
        gm_lease_store_tell(store->observer, request, response);
    }
    return response;
}

int gm_lease_store_check(const gm_lease_store *store, gm_error *error)
{
    for (unsigned i = 1; i < store->parameters.entries; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (store->entry[i].valid && store->entry[j].valid &&
                store->entry[i].line == store->entry[j].line) {
                return gm_fail(error, -EINVAL, "lease_store: entry %u: line 0x%llx is in %u too", i,
                               (unsigned long long)store->entry[i].line, j);
            }
        }
    }
    return 0;
}

GM_PORTS_TABLE(lease_store, LEASE_STORE)
