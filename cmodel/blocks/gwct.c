/* GWCT table [singh, 6.3.1]: counts a warp's outstanding operations, keeps the largest GWCT of its
 * writes, and tells when a fence over a range of warps completes. */
#include "goldmem/gwct.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

size_t gm_gwct_bytes(const gm_gwct_parameters *parameters)
{
    enum { ALIGNMENT = 64 };
    return parameters->warps * sizeof(gm_gwct_entry) + ALIGNMENT;
}

int gm_gwct_init(gm_gwct *table, const gm_gwct_parameters *parameters, gm_arena *arena,
                 gm_error *error)
{
    const gm_gwct_parameters *p = parameters;
    const struct {
        const char *name;
        unsigned value, least, most;
    } ranges[] = {
        {"warps", p->warps, 1, GM_GWCT_WARPS},
        {"count_bits", p->count_bits, 1, 16},
        {"time_bits", p->time_bits, 2, 32},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < ranges[i].least || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "gwct: %s %u: must be %u to %u", ranges[i].name,
                           ranges[i].value, ranges[i].least, ranges[i].most);
        }
    }
    *table = (gm_gwct){
        .parameters = *p,
        .entry = gm_arena_take(arena, p->warps, sizeof *table->entry),
    };
    return table->entry == NULL
               ? gm_fail(error, -ENOMEM, "gwct: the arena is full: it needs %zu bytes",
                         gm_gwct_bytes(p))
               : 0;
}

static uint16_t *count_of(gm_gwct_entry *entry, bool store)
{
    return store ? &entry->stores : &entry->loads;
}

static void raise_entry(gm_gwct_entry *entry, uint64_t timestamp)
{
    if (timestamp > entry->visible) {
        entry->visible = (uint32_t)timestamp;
    }
}

bool gm_gwct_issue(gm_gwct *table, uint64_t warp, bool store)
{
    uint16_t *count = count_of(&table->entry[warp], store);
    bool refused = *count == gm_mask(table->parameters.count_bits);
    *count = (uint16_t)(*count + !refused);
    return refused;
}

/* Takes an answer. A GWCT of another epoch is ignored: the copies that it waits for are gone. */
bool gm_gwct_acknowledge(gm_gwct *table, uint64_t warp, bool store, bool has_gwct, uint64_t epoch,
                         uint64_t timestamp)
{
    gm_gwct_entry *entry = &table->entry[warp];
    uint16_t *count = count_of(entry, store);
    if (*count == 0) {
        return true;
    }
    --*count;
    if (has_gwct && epoch == table->epoch) {
        raise_entry(entry, timestamp);
    }
    return false;
}

void gm_gwct_raise(gm_gwct *table, uint64_t warp, uint64_t timestamp)
{
    raise_entry(&table->entry[warp], timestamp);
}

void gm_gwct_roll_over(gm_gwct *table)
{
    table->epoch ^= 1;
    for (unsigned warp = 0; warp < table->parameters.warps; warp++) {
        table->entry[warp].visible = 0;
    }
}

gm_gwct_wait gm_gwct_ask(const gm_gwct *table, uint64_t warp, uint64_t last, uint64_t now)
{
    unsigned outstanding = 0;
    uint64_t visible = 0;
    for (; warp <= last && warp < table->parameters.warps; warp++) {
        const gm_gwct_entry *entry = &table->entry[warp];
        outstanding |= (unsigned)entry->loads | entry->stores;
        visible = entry->visible > visible ? entry->visible : visible;
    }
    gm_gwct_wait wait = {.waits = outstanding != 0 ? GM_GWCT_ANSWERS : 0};
    if (visible >= now) {
        wait.waits |= GM_GWCT_TIME;
        wait.left = visible - now + 1;
    }
    return wait;
}

/* Returns the largest number in the width of a warp's, and the last time. */
static uint64_t last_number(const gm_gwct *table)
{
    unsigned warps = table->parameters.warps;
    return gm_mask(warps < 3 ? 1 : gm_log2_ceil(warps));
}

static uint64_t last_time(const gm_gwct *table)
{
    return gm_mask(table->parameters.time_bits);
}

void gm_gwct_assert_request(const gm_gwct *table, const gm_gwct_request *request)
{
    gm_assert(request->op < 8, "gwct: operation %llu", (unsigned long long)request->op);
    gm_assert(request->warp <= last_number(table) && request->last <= last_number(table),
              "gwct: warps %llu to %llu", (unsigned long long)request->warp,
              (unsigned long long)request->last);
    gm_assert(request->store < 2 && request->has_gwct < 2 && request->epoch < 2,
              "gwct: store %llu, has_gwct %llu, epoch %llu", (unsigned long long)request->store,
              (unsigned long long)request->has_gwct, (unsigned long long)request->epoch);
    gm_assert(request->timestamp <= last_time(table) && request->now <= last_time(table),
              "gwct: timestamp %llu, now %llu", (unsigned long long)request->timestamp,
              (unsigned long long)request->now);
    gm_assert(request->op < GM_GWCT_FENCE || request->now > 0, "gwct: a fence at time 0");
}

static int check_entry(const gm_gwct *table, unsigned warp, gm_error *error)
{
    const gm_gwct_entry *entry = &table->entry[warp];
    uint64_t most = gm_mask(table->parameters.count_bits);
    return entry->loads <= most && entry->stores <= most && entry->visible <= last_time(table)
               ? 0
               : gm_fail(error, -EINVAL, "gwct: warp %u: %u loads, %u stores, GWCT %u", warp,
                         entry->loads, entry->stores, entry->visible);
}

void gm_gwct_assert_invariants(const gm_gwct *table, const gm_gwct_request *request)
{
    gm_error error;
    gm_assert(request->warp >= table->parameters.warps ||
                  check_entry(table, (unsigned)request->warp, &error) == 0,
              "%s", error.text);
    gm_assert(!gm_assert_whole() || gm_gwct_check(table, &error) == 0, "%s", error.text);
}

__attribute__((noinline)) gm_gwct_response gm_gwct_transact_observed(gm_gwct *table,
                                                                     gm_gwct_request request)
{
    gm_gwct_response response = gm_gwct_transact(table, &request);
    gm_gwct_tell(table->observer, request, response);
    return response;
}

int gm_gwct_check(const gm_gwct *table, gm_error *error)
{
    int code = table->epoch <= 1 ? 0 : gm_fail(error, -EINVAL, "gwct: epoch %u", table->epoch);
    for (unsigned warp = 0; warp < table->parameters.warps && code == 0; warp++) {
        code = check_entry(table, warp, error);
    }
    return code;
}

GM_PORTS_TABLE(gwct, GWCT)
