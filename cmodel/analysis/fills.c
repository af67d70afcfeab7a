/* From the fill of a line to the accesses after it [tabbakh, VI-C]. Whether a line is shared is
 * known at the end of its kernel, so that each line has its own histograms until then, of the
 * buckets that it uses. */
#include "analysis/fills.h"

#include "base/bitset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The last fill of a line. */
typedef struct last_fill {
    uint64_t kernel; /* that accessed the line last */
    uint64_t cycle;  /* of the fill */
    uint32_t filled; /* 1: for an access of this kernel */
    uint32_t first;  /* 1: no access since */
} last_fill;

enum { NEXT, FUTURE, INTERVALS };

/* A bucket of the histograms of a line. */
typedef struct bucket {
    uint64_t number;
    uint64_t count[INTERVALS];
} bucket;

typedef struct line_state {
    uint64_t requests, hits_pending;
    uint64_t cycles[INTERVALS], most[INTERVALS]; /* core cycles: sum and longest */
    bucket *buckets;                             /* [used] by number */
    uint32_t used, room;
    uint64_t sms[]; /* bit set */
} line_state;

int gm_fills_create(gm_fills *fills, uint64_t units, uint64_t sms, gm_fill_results *results)
{
    *fills = (gm_fills){.units = units, .sms = sms, .results = results};
    gm_kernel_lines_init(&fills->kernels,
                         sizeof(line_state) + gm_bitset_words((uint32_t)sms) * sizeof(uint64_t));
    fills->filled = calloc(units, sizeof *fills->filled);
    if (fills->filled == NULL) {
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < units; i++) {
        gm_line_table_init(&fills->filled[i], sizeof(last_fill));
    }
    return 0;
}

/* Returns the bucket of a line, made if it has none; NULL: out of memory. */
static bucket *bucket_of(line_state *state, uint64_t number)
{
    uint32_t low = 0;
    for (uint32_t high = state->used; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (state->buckets[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < state->used && state->buckets[low].number == number) {
        return &state->buckets[low];
    }
    if (state->used == state->room) {
        uint32_t room = state->room == 0 ? 2 : 2 * state->room;
        bucket *buckets = realloc(state->buckets, room * sizeof *buckets);
        if (buckets == NULL) {
            return NULL;
        }
        state->buckets = buckets;
        state->room = room;
    }
    memmove(&state->buckets[low + 1], &state->buckets[low],
            (state->used - low) * sizeof state->buckets[0]);
    state->used++;
    state->buckets[low] = (bucket){.number = number};
    return &state->buckets[low];
}

static void count(line_state *state, bucket *in, unsigned interval, uint64_t cycles)
{
    in->count[interval]++;
    state->cycles[interval] += cycles;
    state->most[interval] = cycles > state->most[interval] ? cycles : state->most[interval];
}

/* Counts an access to filled data. */
static int count_interval(line_state *state, last_fill *fill, uint64_t now)
{
    uint64_t cycles = now - fill->cycle;
    bucket *in = bucket_of(state, gm_latency_bucket(cycles));
    if (in == NULL) {
        return -ENOMEM;
    }
    count(state, in, FUTURE, cycles);
    if (fill->first != 0) {
        count(state, in, NEXT, cycles);
        fill->first = 0;
    }
    return 0;
}

int gm_fills_access(gm_fills *fills, uint64_t unit, const gm_analysis_access *access)
{
    bool fresh = false;
    line_state *state = gm_kernel_lines_get(&fills->kernels, access->kernel, access->line, &fresh);
    last_fill *fill = gm_line_table_get(&fills->filled[unit], access->line, &fresh);
    if (state == NULL || fill == NULL) {
        return -ENOMEM;
    }
    if (fresh || fill->kernel != access->kernel) {
        *fill = (last_fill){.kernel = access->kernel};
    }
    gm_bitset_add(state->sms, access->sm);
    state->requests++;
    state->hits_pending += access->waits;
    return fill->filled != 0 && !access->waits ? count_interval(state, fill, access->cycle) : 0;
}

void gm_fills_fill(gm_fills *fills, uint64_t unit, uint64_t line, uint64_t cycle)
{
    bool fresh = false;
    last_fill *fill = gm_line_table_get(&fills->filled[unit], line, &fresh);
    if (fill != NULL) { /* else the next access fails for lack of memory */
        fill->kernel = fresh ? UINT64_MAX : fill->kernel;
        fill->cycle = cycle;
        fill->filled = fill->first = 1;
    }
}

static void add_interval(gm_latency_histogram *into, const line_state *state, unsigned interval)
{
    for (uint32_t i = 0; i < state->used; i++) {
        uint64_t times = state->buckets[i].count[interval];
        into->count += times;
        into->bucket[state->buckets[i].number] += times;
    }
    into->cycles += state->cycles[interval];
    into->most = state->most[interval] > into->most ? state->most[interval] : into->most;
}

static void add_line(void *context, void *value)
{
    const gm_fills *fills = context;
    line_state *state = value;
    bool shared = gm_bitset_count(state->sms, gm_bitset_words((uint32_t)fills->sms)) > 1;
    gm_fill_class *class = shared ? &fills->results->shared : &fills->results->exclusive;
    class->requests += state->requests;
    class->hits_pending += state->hits_pending;
    add_interval(&class->next, state, NEXT);
    add_interval(&class->future, state, FUTURE);
    free(state->buckets);
}

void gm_fills_kernel_end(gm_fills *fills, uint64_t kernel)
{
    gm_kernel_lines_end(&fills->kernels, kernel, add_line, fills);
}

static void release_line(void *context, void *value)
{
    (void)context;
    free(((line_state *)value)->buckets);
}

static void move_line(void *value, size_t size, gm_snapshot *snapshot)
{
    line_state *state = value;
    bucket *buckets = state->buckets;
    state->buckets = NULL; /* addresses are not state */
    gm_snapshot_bytes(snapshot, "a line's fills", value, size);
    if (snapshot->loading && snapshot->failed == 0 && state->room != 0) {
        buckets = calloc(state->room, sizeof *buckets);
        snapshot->failed = buckets == NULL ? -ENOMEM : 0;
    }
    state->buckets = buckets;
    if (buckets != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, buckets, state->used);
    }
}

void gm_fills_snapshot(gm_fills *fills, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, *fills->results);
    for (uint64_t i = 0; i < fills->units; i++) {
        gm_line_table_snapshot(&fills->filled[i], snapshot);
    }
    gm_kernel_lines_snapshot(&fills->kernels, snapshot, move_line);
}

void gm_fills_free(gm_fills *fills)
{
    gm_kernel_lines_free(&fills->kernels, release_line, NULL);
    for (uint64_t i = 0; fills->filled != NULL && i < fills->units; i++) {
        gm_line_table_free(&fills->filled[i]);
    }
    free(fills->filled);
    fills->filled = NULL;
}
