/* Shortens a failing stream: first to its last transactions, then by removing pieces of halving
 * sizes (delta debugging), then by removing waits. */
#include "engine.h"

#include <string.h>

enum { BUDGET = 400000 }; /* RTL cycles that shortening may use */

typedef struct shrink {
    gm_run *run;
    gm_stop stop;
    char kind[64];
    uint64_t cycles;
} shrink;

static void copy(gm_stimulus *to, size_t to_at, const gm_stimulus *from, size_t from_at,
                 size_t count)
{
    memcpy(to->idle + to_at, from->idle + from_at, count);
    memcpy(to->stall + to_at, from->stall + from_at, count);
    memcpy(to->request + to_at * to->fields, from->request + from_at * from->fields,
           count * from->fields * sizeof(uint64_t));
}

static bool still_fails(shrink *s, const gm_stimulus *list)
{
    gm_error error;
    if (s->cycles > BUDGET || gm_examine(s->run, list, &error) < 0) {
        return false;
    }
    s->cycles += s->run->cycle;
    return s->run->failure.stop == s->stop && strcmp(s->run->failure.kind, s->kind) == 0;
}

/* Keeps the last n transactions, for the smallest power of two n that still fails. */
static void keep_tail(shrink *s, gm_stimulus *list, gm_stimulus *trial)
{
    for (size_t n = 1; n < list->count; n *= 2) {
        copy(trial, 0, list, list->count - n, n);
        trial->count = n;
        if (still_fails(s, trial)) {
            copy(list, 0, trial, 0, n);
            list->count = n;
            return;
        }
    }
}

static void leave_out(shrink *s, gm_stimulus *list, gm_stimulus *trial)
{
    for (size_t piece = list->count / 2; piece > 0; piece /= 2) {
        for (size_t at = 0; at + piece <= list->count && list->count > piece;) {
            copy(trial, 0, list, 0, at);
            copy(trial, at, list, at + piece, list->count - at - piece);
            trial->count = list->count - piece;
            if (still_fails(s, trial)) {
                copy(list, 0, trial, 0, trial->count);
                list->count = trial->count;
            } else {
                at += piece;
            }
        }
    }
}

static void remove_waits(shrink *s, gm_stimulus *list)
{
    for (size_t i = 0; i < list->count; i++) {
        uint8_t *wait[2] = {&list->idle[i], &list->stall[i]};
        for (unsigned k = 0; k < 2; k++) {
            uint8_t before = *wait[k];
            *wait[k] = 0;
            if (before != 0 && !still_fails(s, list)) {
                *wait[k] = before;
            }
        }
    }
}

int gm_shrink(gm_run *run, gm_stimulus *list, gm_error *error)
{
    shrink s = {.run = run, .stop = run->failure.stop};
    memcpy(s.kind, run->failure.kind, sizeof s.kind);
    gm_stimulus trial;
    int code = gm_stimulus_create(&trial, list->fields, list->count, error);
    if (code < 0) {
        return code;
    }
    keep_tail(&s, list, &trial);
    leave_out(&s, list, &trial);
    remove_waits(&s, list);
    gm_stimulus_free(&trial);
    return gm_examine(run, list, error); /* sets the failure of the shortened list */
}
