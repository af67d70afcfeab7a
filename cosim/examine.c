/* Examines a failure: runs the failing stream to its end in one instance alone. All responses
 * together distinguish a dropped, an extra or a reordered response from a wrong one. */
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
        memcmp(expected_rest + fields, actual_rest, (actual_count - first) * size) == 0) {
        return "dropped response";
    }
    if (actual_count == expected_count + 1 &&
        memcmp(expected_rest, actual_rest + fields, (expected_count - first) * size) == 0) {
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

/* Computes the model's responses to a whole list. */
static int expect(gm_run *run, const gm_stimulus *list, uint64_t *expected, gm_error *error)
{
    gm_lane *lane = run->lane;
    const gm_cosim_block *block = run->plugin->block;
    int code = gm_lane_start(lane, block, run->seed, 0, list->count, list, error);
    if (code == 0) {
        block->access(lane->model, list->request, expected, list->count);
    }
    return code;
}

int gm_examine(gm_run *run, const gm_stimulus *list, gm_error *error)
{
    size_t fields = run->ports->responses;
    size_t room = list->count + GM_COSIM_RING;
    uint64_t *expected = calloc(room, fields * sizeof(uint64_t));
    run->log = calloc(room, fields * sizeof(uint64_t));
    run->log_size = room;
    run->logged = 0;
    run->failure = (gm_failure){0};
    run->cycle = 0;
    int code = expected == NULL || run->log == NULL ? gm_fail(error, -ENOMEM, "out of memory") : 0;
    if (code == 0) {
        code = expect(run, list, expected, error);
    }
    if (code == 0) {
        code = gm_run_episode(run, 0, list->count, list, error);
    }
    gm_failure *failure = &run->failure;
    if (code == 0 && failure->stop == GM_STOP_MISMATCH &&
        strcmp(failure->kind, "wrong state") != 0) {
        const char *kind = classify(expected, list->count, run->log, run->logged, fields);
        snprintf(failure->kind, sizeof failure->kind, "%s", kind);
    }
    free(expected);
    free(run->log);
    run->log = NULL;
    return code;
}
