/* Sharing of lines within a kernel: by CTAs, and how far apart in linear id the two nearest of them
 * are [tabbakh, III-A, figure 3]; by SMs [tabbakh, III-B, figure 5]. */
#include "analysis/sharing.h"

#include "base/bitset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Keeps the line's CTAs, sorted, only until two neighbours are found, since 1 is the least
 * distance. */
typedef struct line_state {
    uint64_t first;   /* CTA; `ctas` holds all of them once there are two */
    uint64_t nearest; /* smallest distance so far; 0: one CTA only */
    uint64_t *ctas;
    uint32_t count;
    uint32_t capacity;
    uint64_t sms[]; /* bit set */
} line_state;

int gm_sharing_create(gm_sharing *sharing, uint64_t sms, gm_sharing_results *total,
                      gm_sharing_results *kernel)
{
    *sharing = (gm_sharing){.sms = sms, .total = total, .kernel = kernel};
    gm_kernel_lines_init(&sharing->kernels,
                         sizeof(line_state) + gm_bitset_words((uint32_t)sms) * sizeof(uint64_t));
    total->sms = kernel->sms = (uint32_t)sms;
    total->by_sms = calloc(sms + 1, sizeof *total->by_sms);
    kernel->by_sms = calloc(sms + 1, sizeof *kernel->by_sms);
    return total->by_sms != NULL && kernel->by_sms != NULL ? 0 : -ENOMEM;
}

static int reserve(line_state *state)
{
    if (state->count < state->capacity) {
        return 0;
    }
    uint32_t larger = state->capacity == 0 ? 4 : state->capacity * 2;
    uint64_t *ctas = realloc(state->ctas, larger * sizeof *ctas);
    if (ctas == NULL) {
        return -ENOMEM;
    }
    if (state->capacity == 0) {
        ctas[0] = state->first;
    }
    state->ctas = ctas;
    state->capacity = larger;
    return 0;
}

static void approach(line_state *state, uint64_t distance)
{
    if (state->nearest == 0 || distance < state->nearest) {
        state->nearest = distance;
    }
}

static int add_cta(line_state *state, uint64_t cta)
{
    if (state->nearest == 1 || cta == state->first) {
        return 0;
    }
    if (reserve(state) != 0) {
        return -ENOMEM;
    }
    uint32_t low = 0; /* the first CTA that is not smaller */
    for (uint32_t high = state->count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (state->ctas[middle] < cta) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < state->count && state->ctas[low] == cta) {
        return 0;
    }
    if (low < state->count) {
        approach(state, state->ctas[low] - cta);
    }
    if (low > 0) {
        approach(state, cta - state->ctas[low - 1]);
    }
    memmove(&state->ctas[low + 1], &state->ctas[low], (state->count - low) * sizeof state->ctas[0]);
    state->ctas[low] = cta;
    state->count++;
    if (state->nearest == 1) {
        free(state->ctas);
        state->ctas = NULL;
    }
    return 0;
}

int gm_sharing_access(gm_sharing *sharing, const gm_analysis_access *access)
{
    bool fresh = false;
    line_state *state =
        gm_kernel_lines_get(&sharing->kernels, access->kernel, access->line, &fresh);
    if (state == NULL) {
        return -ENOMEM;
    }
    gm_bitset_add(state->sms, access->sm);
    if (fresh) {
        state->first = access->cta;
        state->count = 1;
        return 0;
    }
    /* A later CTA in the slot of a warp has its own data in the same local memory. */
    return access->space == GM_SPACE_LOCAL ? 0 : add_cta(state, access->cta);
}

static void count_line(void *context, void *value)
{
    const gm_sharing *sharing = context;
    gm_sharing_results *results = sharing->kernel;
    line_state *state = value;
    uint32_t sharers = gm_bitset_count(state->sms, gm_bitset_words((uint32_t)sharing->sms));
    results->lines++;
    results->by_sms[sharers]++;
    if (sharers > 1) {
        results->shared_sms++;
        results->sharers += sharers;
    }
    if (state->nearest != 0) {
        results->shared_ctas++;
        results->cta_distance.count[gm_histogram_bucket(state->nearest)]++;
    }
    free(state->ctas);
}

/* Returns a copy of results, or one without by_sms if out of memory. */
static gm_sharing_results copy_of(const gm_sharing_results *results)
{
    gm_sharing_results copy = *results;
    copy.by_sms = calloc(results->sms + 1, sizeof *copy.by_sms);
    if (copy.by_sms != NULL) {
        memcpy(copy.by_sms, results->by_sms, (results->sms + 1) * sizeof *copy.by_sms);
    }
    return copy;
}

/* Keeps results with those of the kernels that have ended. Returns 0 or -ENOMEM. */
static int keep(gm_sharing *sharing, const gm_sharing_results *results)
{
    if (sharing->count == sharing->room) {
        uint64_t room = sharing->room == 0 ? 16 : 2 * sharing->room;
        gm_sharing_results *larger = realloc(sharing->ended, room * sizeof *larger);
        if (larger == NULL) {
            return -ENOMEM;
        }
        sharing->ended = larger;
        sharing->room = room;
    }
    sharing->ended[sharing->count] = copy_of(results);
    return sharing->ended[sharing->count++].by_sms != NULL ? 0 : -ENOMEM;
}

void gm_sharing_recall(gm_sharing *sharing, uint64_t place)
{
    uint64_t *by_sms = sharing->kernel->by_sms;
    const gm_sharing_results *ended = &sharing->ended[place];
    *sharing->kernel = *ended;
    sharing->kernel->by_sms = by_sms;
    memcpy(by_sms, ended->by_sms, (ended->sms + 1) * sizeof *by_sms);
}

int gm_sharing_kernel_end(gm_sharing *sharing, uint64_t number)
{
    gm_sharing_results *kernel = sharing->kernel;
    gm_sharing_results *total = sharing->total;
    memset(kernel->by_sms, 0, (sharing->sms + 1) * sizeof *kernel->by_sms);
    *kernel = (gm_sharing_results){.sms = kernel->sms, .by_sms = kernel->by_sms};
    gm_kernel_lines_end(&sharing->kernels, number, count_line, sharing);
    total->lines += kernel->lines;
    total->shared_ctas += kernel->shared_ctas;
    total->shared_sms += kernel->shared_sms;
    total->sharers += kernel->sharers;
    for (unsigned i = 0; i < GM_HISTOGRAM_BUCKETS; i++) {
        total->cta_distance.count[i] += kernel->cta_distance.count[i];
    }
    for (uint64_t i = 0; i <= sharing->sms; i++) {
        total->by_sms[i] += kernel->by_sms[i];
    }
    return sharing->keeps ? keep(sharing, kernel) : 0;
}

static void release_line(void *context, void *value)
{
    (void)context;
    free(((line_state *)value)->ctas);
}

/* A line keeps CTAs from the second one on, until two are neighbours. */
static void move_line(void *value, size_t size, gm_snapshot *snapshot)
{
    line_state *state = value;
    uint64_t *ctas = state->ctas;
    state->ctas = NULL; /* addresses are not state */
    gm_snapshot_bytes(snapshot, "a line's sharers", value, size);
    if (snapshot->loading && snapshot->failed == 0 && state->nearest > 1) {
        ctas = calloc(state->capacity, sizeof *ctas);
        snapshot->failed = ctas == NULL ? -ENOMEM : 0;
    }
    state->ctas = ctas;
    if (ctas != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, ctas, state->count);
    }
}

/* Saves or loads results, which have room for SMs. */
static void move_results(gm_sharing_results *results, gm_snapshot *snapshot)
{
    uint64_t *by_sms = results->by_sms;
    uint32_t sms = results->sms;
    results->by_sms = NULL; /* addresses are not state */
    GM_SNAPSHOT_VALUE(snapshot, *results);
    results->by_sms = by_sms;
    GM_SNAPSHOT_ARRAY(snapshot, by_sms, sms + 1);
}

/* The results of the last kernel are made at its end. */
void gm_sharing_snapshot(gm_sharing *sharing, gm_snapshot *snapshot)
{
    uint64_t ended = sharing->count;
    move_results(sharing->total, snapshot);
    GM_SNAPSHOT_VALUE(snapshot, ended);
    for (uint64_t i = 0; i < ended && snapshot->failed == 0; i++) {
        if (snapshot->loading && keep(sharing, sharing->kernel) != 0) {
            snapshot->failed = -ENOMEM;
            return;
        }
        move_results(&sharing->ended[i], snapshot);
    }
    gm_kernel_lines_snapshot(&sharing->kernels, snapshot, move_line);
}

void gm_sharing_free(gm_sharing *sharing)
{
    gm_kernel_lines_free(&sharing->kernels, release_line, NULL);
    for (uint64_t i = 0; i < sharing->count; i++) {
        free(sharing->ended[i].by_sms);
    }
    free(sharing->ended);
    if (sharing->total != NULL) {
        free(sharing->total->by_sms);
        free(sharing->kernel->by_sms);
        sharing->total->by_sms = sharing->kernel->by_sms = NULL;
    }
}
