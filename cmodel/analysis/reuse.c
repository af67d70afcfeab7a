/* Reuse counts and distances of each SM's L1 accesses [li, figures 3, 4, 5b]. */
#include "analysis/reuse.h"

#include "analysis/lru_stack.h"

#include <errno.h>
#include <stdlib.h>

typedef struct line_state {
    gm_lru_stack_line place;
    uint64_t references;
    uint64_t last; /* number of its last access in the stream */
} line_state;

struct gm_reuse_stream {
    gm_lru_stack stack;
    uint64_t accesses;
};

int gm_reuse_create(gm_reuse *reuse, uint64_t sms, gm_reuse_results *results)
{
    *reuse = (gm_reuse){.sms = sms, .results = results};
    reuse->streams = calloc(sms, sizeof *reuse->streams);
    if (reuse->streams == NULL) {
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < sms; i++) {
        gm_lru_stack_init(&reuse->streams[i].stack, sizeof(line_state));
    }
    return 0;
}

int gm_reuse_access(gm_reuse *reuse, const gm_analysis_access *access)
{
    gm_reuse_stream *stream = &reuse->streams[access->sm];
    uint64_t lines = 0;
    line_state *state = gm_lru_stack_touch(&stream->stack, access->line, &lines);
    if (state == NULL) {
        return -ENOMEM;
    }
    if (lines != GM_LRU_STACK_NEW) {
        uint64_t between = stream->accesses - state->last - 1;
        reuse->results->distances.count[gm_histogram_bucket(between)]++;
        reuse->results->stack_distances.count[gm_histogram_bucket(lines)]++;
    }
    state->references++;
    state->last = stream->accesses++;
    return 0;
}

void gm_reuse_read(gm_reuse *reuse)
{
    gm_reuse_results *results = reuse->results;
    results->accesses = results->lines = results->accesses_once = 0;
    results->references = (gm_histogram){0};
    for (uint64_t i = 0; i < reuse->sms; i++) {
        results->accesses += reuse->streams[i].accesses;
        results->lines += reuse->streams[i].stack.lines.count;
        uint64_t slot = 0;
        for (const line_state *state;
             (state = gm_line_table_next(&reuse->streams[i].stack.lines, &slot)) != NULL;) {
            results->references.count[gm_histogram_bucket(state->references)]++;
            results->accesses_once += state->references == 1;
        }
    }
}

void gm_reuse_snapshot(gm_reuse *reuse, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, *reuse->results);
    for (uint64_t i = 0; i < reuse->sms; i++) {
        GM_SNAPSHOT_VALUE(snapshot, reuse->streams[i].accesses);
        gm_lru_stack_snapshot(&reuse->streams[i].stack, snapshot);
    }
}

void gm_reuse_free(gm_reuse *reuse)
{
    for (uint64_t i = 0; reuse->streams != NULL && i < reuse->sms; i++) {
        gm_lru_stack_free(&reuse->streams[i].stack);
    }
    free(reuse->streams);
    reuse->streams = NULL;
}
