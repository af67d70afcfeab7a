/* Shortens a failing stream: first to its last transactions, then by removing pieces of halving
 * sizes (delta debugging), then by removing or halving waits and resets. */
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
    memcpy(to->wait + to_at, from->wait + from_at, count * sizeof *to->wait);
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

/* Tries a shorter wait. Returns false, with the wait as it was, if the failure needs it. */
static bool replace_wait(shrink *s, const gm_stimulus *list, uint32_t *wait, uint32_t trial)
{
    uint32_t before = *wait;
    *wait = trial;
    if (!still_fails(s, list)) {
        *wait = before;
        return false;
    }
    return true;
}

/* Removes a wait or, if the failure needs it, halves it as often as it can. */
static void shorten(shrink *s, const gm_stimulus *list, uint32_t *wait)
{
    if (*wait > 0 && !replace_wait(s, list, wait, 0)) {
        while (*wait > 1 && replace_wait(s, list, wait, *wait / 2)) {
        }
    }
}

static void remove_waits(shrink *s, gm_stimulus *list)
{
    for (size_t i = 0; i < list->count; i++) {
        gm_wait before = list->wait[i];
        list->wait[i].drain = false;
        if (before.drain && !still_fails(s, list)) {
            list->wait[i] = before;
        }
        before = list->wait[i];
        list->wait[i].reset_for = 0;
        if (before.reset_for > 0 && !still_fails(s, list)) {
            list->wait[i] = before;
        }
        shorten(s, list, &list->wait[i].idle);
        shorten(s, list, &list->wait[i].stall);
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
    trial.seed = list->seed;
    trial.episode = list->episode;
    keep_tail(&s, list, &trial);
    for (size_t before = 0; before != list->count;) { /* without waits, more may be left out */
        before = list->count;
        leave_out(&s, list, &trial);
        remove_waits(&s, list);
    }
    gm_stimulus_free(&trial);
    return gm_examine(run, list, error); /* sets the failure of the shortened list */
}
