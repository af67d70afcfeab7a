/* Examines a failure: runs the failing stream in one instance alone, to the end of the segment
 * (from reset to reset) that fails. All its responses together distinguish a dropped, an extra or a
 * reordered response from a wrong one. */
#include "engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_bytes(const void *a, const void *b, void *size)
{
    return memcmp(a, b, *(const size_t *)size);
}

/* Returns true if both arrays hold the same responses, in any order. */
static bool same_when_sorted(const uint64_t *a, const uint64_t *b, size_t count, size_t size)
{
    char *sorted = malloc(2 * count * size + 1);
    if (sorted == NULL) {
        return false;
    }
    memcpy(sorted, a, count * size);
    memcpy(sorted + count * size, b, count * size);
    qsort_r(sorted, count, size, compare_bytes, &size);
    qsort_r(sorted + count * size, count, size, compare_bytes, &size);
    bool same = memcmp(sorted, sorted + count * size, count * size) == 0;
    free(sorted);
    return same;
}

/* True if both have the same words. Lists without responses may be NULL. */
static bool same(const uint64_t *one, const uint64_t *other, size_t bytes)
{
    return bytes == 0 || (one != NULL && other != NULL && memcmp(one, other, bytes) == 0);
}

/* Names the kind of difference of two lists of responses of `fields` words. */
static const char *classify(const uint64_t *expected, size_t expected_count, const uint64_t *actual,
                            size_t actual_count, size_t fields)
{
    size_t size = fields * sizeof(uint64_t);
    size_t shorter = expected_count < actual_count ? expected_count : actual_count;
    size_t first = 0; /* first response that differs */
    while (first < shorter &&
           memcmp(expected + first * fields, actual + first * fields, size) == 0) {
        first++;
    }
    const uint64_t *expected_rest = expected + first * fields;
    const uint64_t *actual_rest = actual + first * fields;
    if (actual_count + 1 == expected_count &&
        same(expected_rest + fields, actual_rest, (actual_count - first) * size)) {
        return "dropped response";
    }
    if (actual_count == expected_count + 1 &&
        same(expected_rest, actual_rest + fields, (expected_count - first) * size)) {
        return "extra response";
    }
    if (actual_count == expected_count && first < actual_count &&
        same_when_sorted(expected_rest, actual_rest, actual_count - first, size)) {
        return "reordered response";
    }
    return actual_count < expected_count   ? "dropped responses"
           : actual_count > expected_count ? "extra responses"
                                           : "wrong response";
}

/* Computes the model's responses to `count` transactions of the list's failing segment. */
static int expect(gm_run *run, const gm_stimulus *list, uint64_t *expected, size_t *count,
                  gm_error *error)
{
    gm_lane *lane = run->lane;
    const gm_cosim_block *block = run->plugin->block;
    size_t from = lane->segment;
    *count = lane->target - from;
    int code = gm_lane_reset(lane, block, error);
    if (code == 0) {
        block->access(lane->model, list->request + from * list->fields, expected, *count);
    }
    return code;
}

/* Finds the kind of a difference from the segment's responses. */
static int find_kind(gm_run *run, const gm_stimulus *list, gm_error *error)
{
    size_t fields = run->ports->responses;
    gm_failure *failure = &run->failure;
    if (failure->stop != GM_STOP_MISMATCH || (strcmp(failure->kind, "wrong response") != 0 &&
                                              strcmp(failure->kind, "extra response") != 0)) {
        return 0;
    }
    size_t count = 0;
    uint64_t *expected = calloc(list->count + 1, fields * sizeof(uint64_t));
    int code = expected == NULL ? gm_fail(error, -ENOMEM, "out of memory")
                                : expect(run, list, expected, &count, error);
    if (code == 0) {
        const char *kind = classify(expected, count, run->log, run->logged, fields);
        snprintf(failure->kind, sizeof failure->kind, "%s", kind);
    }
    free(expected);
    return code;
}

int gm_examine(gm_run *run, const gm_stimulus *list, gm_error *error)
{
    size_t room = list->count + GM_COSIM_RING;
    run->log = calloc(room, run->ports->responses * sizeof(uint64_t));
    run->log_size = room;
    run->logged = 0;
    run->failure = (gm_failure){0};
    run->cycle = 0;
    run->seed = list->seed;
    int code = run->log == NULL ? gm_fail(error, -ENOMEM, "out of memory") : 0;
    if (code == 0) {
        code = gm_run_episode(run, list->episode, list->count, list, error);
    }
    if (code == 0) {
        code = find_kind(run, list, error);
    }
    free(run->log);
    run->log = NULL;
    return code;
}
