/* Miss-ratio curves: for each size of a fully associative LRU cache its misses, from the stack
 * distances of one pass. With sampling: SHARDS [Waldspurger, Park, Garthwaite, Ahmad: Efficient MRC
 * construction with SHARDS, FAST 2015], which follows only the lines whose hash is below a
 * threshold T of P; distances and counts of what is followed are divided by the rate T / P. With a
 * limit on the lines followed (fixed size), the line of the largest hash leaves, and T becomes its
 * hash. The paper then multiplies all counts by T_new / T_old, and the curve is their share of all
 * counts. Here a count is P / T of its time instead, which differs by a constant factor and needs
 * no rescaling. The expected and the actual number of samples differ by accesses that the paper
 * adds to the smallest distance (SHARDS_adj): the misses here are those of the samples, out of all
 * accesses, which is the same. */
#include "analysis/mrc.h"

#include "analysis/lru_stack.h"
#include "base/log_buckets.h"
#include "base/random.h"

#include <errno.h>
#include <stdlib.h>

#define SPACE ((uint64_t)GM_MRC_HASHES) /* P of the paper */

enum { STEP_BITS = 11 }; /* of buckets of distances: base/log_buckets.h */

typedef struct sampled {
    uint64_t hash, line;
} sampled;

struct gm_mrc_stream {
    gm_lru_stack stack;
    uint64_t threshold; /* T of the paper: lines of smaller hashes are followed */
    sampled *heap;      /* the lines of `stack`, if their number is limited: largest hash first */
    uint64_t allocated; /* of `heap` */
};

int gm_mrc_create(gm_mrc *mrc, gm_mrc_results *results)
{
    *mrc = (gm_mrc){.count = results->caches, .results = results};
    mrc->streams = calloc(mrc->count, sizeof *mrc->streams);
    if (mrc->streams == NULL) {
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < mrc->count; i++) {
        gm_lru_stack_init(&mrc->streams[i].stack, sizeof(gm_lru_stack_line));
    }
    gm_mrc_sample(mrc, NULL);
    return 0;
}

void gm_mrc_sample(gm_mrc *mrc, const gm_mrc_sampling *sampling)
{
    mrc->most = sampling != NULL ? sampling->lines : 0;
    for (uint64_t i = 0; i < mrc->count; i++) {
        mrc->streams[i].threshold =
            sampling != NULL && sampling->rate != 0 ? sampling->rate : SPACE;
    }
}

static uint64_t hash_of(uint64_t line)
{
    return gm_hash64(line + UINT64_C(0x9e3779b97f4a7c15)) % SPACE;
}

static unsigned bucket_of(uint64_t distance)
{
    return gm_log_bucket(distance, STEP_BITS);
}

/* Adds to the weight of a distance. Returns 0 or -ENOMEM. */
static int count(gm_mrc *mrc, uint64_t distance, uint64_t weight)
{
    unsigned bucket = bucket_of(distance);
    if (bucket >= mrc->buckets) {
        uint64_t buckets = mrc->buckets == 0 ? 256 : mrc->buckets;
        while (buckets <= bucket) {
            buckets *= 2;
        }
        uint64_t *larger = realloc(mrc->weight, buckets * sizeof *larger);
        if (larger == NULL) {
            return -ENOMEM;
        }
        for (uint64_t i = mrc->buckets; i < buckets; i++) {
            larger[i] = 0;
        }
        mrc->weight = larger;
        mrc->buckets = buckets;
    }
    mrc->weight[bucket] += weight;
    return 0;
}

/* Puts a line that the stack has just got into the heap. Returns 0 or -ENOMEM. */
static int push(gm_mrc_stream *stream, sampled entry)
{
    uint64_t lines = stream->stack.lines.count;
    if (lines > stream->allocated) {
        uint64_t allocated = stream->allocated == 0 ? 256 : stream->allocated * 2;
        sampled *heap = realloc(stream->heap, allocated * sizeof *heap);
        if (heap == NULL) {
            return -ENOMEM;
        }
        stream->heap = heap;
        stream->allocated = allocated;
    }
    uint64_t at = lines - 1;
    for (; at > 0 && stream->heap[(at - 1) / 2].hash < entry.hash; at = (at - 1) / 2) {
        stream->heap[at] = stream->heap[(at - 1) / 2];
    }
    stream->heap[at] = entry;
    return 0;
}

/* Takes the line of the largest hash out of the heap and the stack. */
static void pop(gm_mrc_stream *stream)
{
    gm_lru_stack_remove(&stream->stack, stream->heap[0].line);
    uint64_t lines = stream->stack.lines.count;
    sampled last = stream->heap[lines];
    uint64_t at = 0;
    for (uint64_t child; (child = 2 * at + 1) < lines; at = child) {
        child += child + 1 < lines && stream->heap[child + 1].hash > stream->heap[child].hash;
        if (stream->heap[child].hash <= last.hash) {
            break;
        }
        stream->heap[at] = stream->heap[child];
    }
    stream->heap[at] = last;
}

/* Lowers the threshold to the largest hash, and drops the lines that have it. */
static void lower_threshold(gm_mrc_stream *stream)
{
    stream->threshold = stream->heap[0].hash;
    while (stream->stack.lines.count > 0 && stream->heap[0].hash >= stream->threshold) {
        pop(stream);
    }
}

int gm_mrc_access(gm_mrc *mrc, uint64_t number, uint64_t line)
{
    gm_mrc_stream *stream = &mrc->streams[number];
    mrc->results->accesses++;
    uint64_t hash = stream->threshold == SPACE && mrc->most == 0 ? 0 : hash_of(line);
    if (hash >= stream->threshold) {
        return 0;
    }
    mrc->results->sampled++;
    uint64_t distance = 0;
    if (gm_lru_stack_touch(&stream->stack, line, &distance) == NULL) {
        return -ENOMEM;
    }
    uint64_t weight = (SPACE * GM_MRC_ONE + stream->threshold / 2) / stream->threshold;
    if (distance != GM_LRU_STACK_NEW) {
        return count(mrc, distance * SPACE / stream->threshold, weight);
    }
    mrc->cold += weight;
    if (mrc->most == 0) {
        return 0;
    }
    int code = push(stream, (sampled){hash, line});
    if (code == 0 && stream->stack.lines.count > mrc->most) {
        lower_threshold(stream);
    }
    return code;
}

void gm_mrc_flush(gm_mrc *mrc, uint64_t number)
{
    gm_lru_stack_free(&mrc->streams[number].stack);
}

/* Returns the accesses that a weight stands for: no more than there are. */
static uint64_t accesses_of(const gm_mrc_results *results, uint64_t weight)
{
    uint64_t accesses = (weight + GM_MRC_ONE / 2) / GM_MRC_ONE;
    return accesses < results->accesses ? accesses : results->accesses;
}

/* Returns the weight of re-references that an LRU cache of so many lines misses. */
static uint64_t weight_from(const gm_mrc *mrc, uint64_t lines)
{
    uint64_t sum = 0;
    for (uint64_t i = bucket_of(lines); i < mrc->buckets; i++) {
        sum += mrc->weight[i];
    }
    return sum;
}

/* 1 to 8, then four sizes for each power of two: all of them where a bucket begins. */
static uint64_t size_of(uint32_t point)
{
    return point < 8 ? point + 1 : (uint64_t)(4 + point % 4 + 1) << (point / 4 - 1);
}

void gm_mrc_read(gm_mrc *mrc)
{
    gm_mrc_results *results = mrc->results;
    uint64_t rest = 1;
    results->rate = SPACE;
    for (uint64_t i = 0; i < mrc->count; i++) {
        uint64_t threshold = mrc->streams[i].threshold;
        results->rate = threshold < results->rate ? (uint32_t)threshold : results->rate;
    }
    results->cold = accesses_of(results, mrc->cold);
    results->points = 0;
    while (rest != 0 && results->points < GM_MRC_POINTS) {
        gm_mrc_point *point = &results->point[results->points];
        point->lines = size_of(results->points++);
        rest = weight_from(mrc, point->lines);
        point->misses = accesses_of(results, rest + mrc->cold);
    }
    if (results->configured.lines != 0) {
        results->configured.misses =
            accesses_of(results, weight_from(mrc, results->configured.lines) + mrc->cold);
    }
}

uint64_t gm_mrc_misses(const gm_mrc_results *results, uint64_t lines)
{
    uint32_t at = 0;
    while (at + 1 < results->points && results->point[at + 1].lines <= lines) {
        at++;
    }
    return results->point[at].misses;
}

static void snapshot_stream(gm_mrc_stream *stream, bool limited, gm_snapshot *snapshot)
{
    gm_lru_stack_snapshot(&stream->stack, snapshot);
    GM_SNAPSHOT_VALUE(snapshot, stream->threshold);
    if (!limited || stream->stack.lines.count == 0) {
        return;
    }
    if (snapshot->loading && snapshot->failed == 0) {
        stream->allocated = stream->stack.lines.count;
        stream->heap = calloc(stream->allocated, sizeof *stream->heap);
        if (stream->heap == NULL) {
            snapshot->failed = -ENOMEM;
            return;
        }
    }
    GM_SNAPSHOT_ARRAY(snapshot, stream->heap, stream->stack.lines.count);
}

void gm_mrc_snapshot(gm_mrc *mrc, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, mrc->results->accesses);
    GM_SNAPSHOT_VALUE(snapshot, mrc->results->sampled);
    GM_SNAPSHOT_VALUE(snapshot, mrc->cold);
    GM_SNAPSHOT_VALUE(snapshot, mrc->buckets);
    if (snapshot->loading && snapshot->failed == 0 && mrc->buckets != 0) {
        mrc->weight = calloc(mrc->buckets, sizeof *mrc->weight);
        if (mrc->weight == NULL) {
            snapshot->failed = -ENOMEM;
            return;
        }
    }
    GM_SNAPSHOT_ARRAY(snapshot, mrc->weight, mrc->buckets);
    for (uint64_t i = 0; i < mrc->count; i++) {
        snapshot_stream(&mrc->streams[i], mrc->most != 0, snapshot);
    }
}

void gm_mrc_free(gm_mrc *mrc)
{
    for (uint64_t i = 0; mrc->streams != NULL && i < mrc->count; i++) {
        gm_lru_stack_free(&mrc->streams[i].stack);
        free(mrc->streams[i].heap);
    }
    free(mrc->streams);
    free(mrc->weight);
    mrc->streams = NULL;
    mrc->weight = NULL;
}
