/* Reuse counts and distances of each SM's L1 accesses [li, figures 3, 4, 5b]. The stack distance
 * comes from a Fenwick tree over access times in which only the last access to each line is marked;
 * when the times run out, the marks are packed together, so memory follows the number of lines. */
#include "analysis/reuse.h"

#include "analysis/line_table.h"

#include <errno.h>
#include <stdlib.h>

typedef struct line_state {
    uint64_t references;
    uint64_t last; /* number of its last access in the stream */
    uint64_t time; /* of the mark in the tree, from 1 */
} line_state;

struct gm_reuse_stream {
    gm_line_table lines;
    uint64_t accesses;
    uint32_t *tree; /* [times + 1], Fenwick */
    uint64_t times;
    uint64_t now; /* last time used */
};

int gm_reuse_create(gm_reuse *reuse, uint64_t sms, gm_reuse_results *results)
{
    *reuse = (gm_reuse){.sms = sms, .results = results};
    reuse->streams = calloc(sms, sizeof *reuse->streams);
    if (reuse->streams == NULL) {
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < sms; i++) {
        gm_line_table_init(&reuse->streams[i].lines, sizeof(line_state));
    }
    return 0;
}

static uint64_t low_bit(uint64_t value)
{
    return value & (~value + 1);
}

/* Adds 1 to, or takes 1 from (UINT32_MAX), the mark at `time`. */
static void mark(gm_reuse_stream *stream, uint64_t time, uint32_t change)
{
    for (; time <= stream->times; time += low_bit(time)) {
        stream->tree[time] += change;
    }
}

/* Returns the number of marks at times 1 to `time`. */
static uint64_t marks_up_to(const gm_reuse_stream *stream, uint64_t time)
{
    uint64_t sum = 0;
    for (; time > 0; time -= low_bit(time)) {
        sum += stream->tree[time];
    }
    return sum;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Renumbers the marks 1 to n, in order, and leaves as many times free. */
static int pack(gm_reuse_stream *stream)
{
    uint64_t slot = 0;
    for (line_state *state; (state = gm_line_table_next(&stream->lines, &slot)) != NULL;) {
        if (state->time != 0) {
            state->time = marks_up_to(stream, state->time);
        }
    }
    uint64_t marks = marks_up_to(stream, stream->now);
    uint64_t times = marks * 2 < 1024 ? 1024 : marks * 2;
    uint32_t *tree = realloc(stream->tree, (times + 1) * sizeof *tree);
    if (tree == NULL) {
        return -ENOMEM;
    }
    for (uint64_t i = 1; i <= times; i++) {
        tree[i] = (uint32_t)(smaller(i, marks) - smaller(i - low_bit(i), marks));
    }
    stream->tree = tree;
    stream->times = times;
    stream->now = marks;
    return 0;
}

int gm_reuse_access(gm_reuse *reuse, const gm_analysis_access *access)
{
    gm_reuse_stream *stream = &reuse->streams[access->sm];
    if (stream->now == stream->times && pack(stream) != 0) {
        return -ENOMEM;
    }
    bool fresh = false;
    line_state *state = gm_line_table_get(&stream->lines, access->line, &fresh);
    if (state == NULL) {
        return -ENOMEM;
    }
    if (!fresh) {
        uint64_t between = stream->accesses - state->last - 1;
        uint64_t lines = (stream->lines.count - marks_up_to(stream, state->time));
        reuse->results->distances.count[gm_histogram_bucket(between)]++;
        reuse->results->stack_distances.count[gm_histogram_bucket(lines)]++;
        mark(stream, state->time, UINT32_MAX);
    }
    state->references++;
    state->last = stream->accesses++;
    state->time = ++stream->now;
    mark(stream, state->time, 1);
    return 0;
}

void gm_reuse_read(gm_reuse *reuse)
{
    gm_reuse_results *results = reuse->results;
    results->accesses = results->lines = results->accesses_once = 0;
    results->references = (gm_histogram){0};
    for (uint64_t i = 0; i < reuse->sms; i++) {
        results->accesses += reuse->streams[i].accesses;
        results->lines += reuse->streams[i].lines.count;
        uint64_t slot = 0;
        for (const line_state *state;
             (state = gm_line_table_next(&reuse->streams[i].lines, &slot)) != NULL;) {
            results->references.count[gm_histogram_bucket(state->references)]++;
            results->accesses_once += state->references == 1;
        }
    }
}

void gm_reuse_free(gm_reuse *reuse)
{
    for (uint64_t i = 0; reuse->streams != NULL && i < reuse->sms; i++) {
        gm_line_table_free(&reuse->streams[i].lines);
        free(reuse->streams[i].tree);
    }
    free(reuse->streams);
    reuse->streams = NULL;
}
