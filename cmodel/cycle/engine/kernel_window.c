/* Kernel window: which kernels are in flight, which is launched next, whose CTAs are dispatched. */
#include "cycle/engine/kernel_window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4 };

int gm_kernel_window_init(gm_kernel_window *window, const gm_config *config, gm_error *error)
{
    window->most = config->gpu.kernels;
    window->launch = config->sm.launch;
    window->end = calloc(window->most, sizeof *window->end);
    return window->end != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory: kernels");
}

void gm_kernel_window_free(gm_kernel_window *window)
{
    for (uint32_t i = 0; i < window->count; i++) {
        free(window->kernel[i].kernel);
    }
    free(window->kernel);
    free(window->end);
    *window = (gm_kernel_window){0};
}

static int make_room(gm_kernel_window *window, uint32_t count, gm_error *error)
{
    if (count <= window->room) {
        return 0;
    }
    uint32_t room = count < ROOM ? ROOM : 2 * count;
    gm_window_kernel *more = realloc(window->kernel, room * sizeof *more);
    if (more == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: kernels");
    }
    window->kernel = more;
    window->room = room;
    return 0;
}

static gm_cycle later(gm_cycle a, gm_cycle b)
{
    return a > b ? a : b;
}

int gm_kernel_window_add(gm_kernel_window *window, gm_kernel *kernel, gm_cycle now, gm_error *error)
{
    int code = make_room(window, window->count + 1, error);
    if (code < 0) {
        free(kernel);
        return code;
    }
    window->entered = later(window->entered, now);
    if (window->read >= window->most) { /* had to wait for an earlier kernel's end */
        const gm_stream_end *room = &window->end[(window->read - window->most) % window->most];
        window->entered = later(window->entered, room->at + 1);
    }
    window->kernel[window->count++] = (gm_window_kernel){
        .state = {.number = window->read++, .entered = window->entered},
        .kernel = kernel,
    };
    return 0;
}

void gm_kernel_window_keep(gm_window_kernel *kernel, gm_cta *cta)
{
    cta->next_read = NULL;
    if (kernel->first == NULL) {
        kernel->first = cta;
    } else {
        kernel->last->next_read = cta;
    }
    kernel->last = cta;
}

gm_cta *gm_kernel_window_take(gm_window_kernel *kernel)
{
    gm_cta *cta = kernel->first;
    if (cta != NULL) {
        kernel->first = cta->next_read;
    }
    return cta;
}

/* True if no earlier kernel of its stream is without an end. */
static bool is_stream_free(const gm_kernel_window *window, const gm_window_kernel *kernel)
{
    for (const gm_window_kernel *other = window->kernel; other < kernel; other++) {
        if (!other->state.ended && other->kernel->stream == kernel->kernel->stream) {
            return false;
        }
    }
    return true;
}

gm_window_kernel *gm_kernel_window_launchable(gm_kernel_window *window)
{
    for (uint32_t i = 0; i < window->count; i++) {
        gm_window_kernel *kernel = &window->kernel[i];
        if (!kernel->state.launched && is_stream_free(window, kernel)) {
            return kernel;
        }
    }
    return NULL;
}

/* Kernels of its stream whose ends are no longer in the ring ended before the window had room. */
gm_cycle gm_kernel_window_free_from(const gm_kernel_window *window, const gm_window_kernel *kernel)
{
    gm_cycle from = kernel->state.entered;
    for (uint64_t i = 0; i < window->most && i < window->ends; i++) {
        if (window->end[i].stream == kernel->kernel->stream) {
            from = later(from, window->end[i].at + 1);
        }
    }
    return from;
}

void gm_kernel_window_launch(gm_kernel_window *window, gm_window_kernel *kernel, gm_cycle start,
                             gm_cycle ready)
{
    kernel->state.launched = 1;
    kernel->state.more = 1;
    kernel->state.start = start;
    kernel->state.ready = ready;
    for (uint32_t i = 0; i < window->count; i++) {
        gm_window_kernel *other = &window->kernel[i];
        if (other != kernel && other->state.launched && !other->state.ended) {
            other->state.beside++;
            kernel->state.beside++;
        }
    }
}

gm_window_kernel *gm_kernel_window_dispatches(gm_kernel_window *window, gm_cycle now)
{
    for (uint32_t i = 0; i < window->count; i++) {
        gm_kernel_state *state = &window->kernel[i].state;
        if (state->launched && state->more && state->ready <= now + 1) {
            return &window->kernel[i];
        }
    }
    return NULL;
}

gm_window_kernel *gm_kernel_window_of(gm_kernel_window *window, uint64_t number)
{
    return &window->kernel[number - window->kernel[0].state.number];
}

bool gm_kernel_window_is_busy(const gm_kernel_window *window)
{
    for (uint32_t i = 0; i < window->count; i++) {
        const gm_kernel_state *state = &window->kernel[i].state;
        if (state->launched && (state->more || state->live != 0)) {
            return true;
        }
    }
    return false;
}

bool gm_kernel_window_closes(const gm_kernel_window *window)
{
    for (uint32_t i = 0; i < window->count; i++) {
        if (window->kernel[i].state.closing && !window->kernel[i].state.ended) {
            return true;
        }
    }
    return false;
}

gm_cycle gm_kernel_window_due(const gm_kernel_window *window, gm_cycle now)
{
    gm_cycle due = GM_NEVER;
    for (uint32_t i = 0; i < window->count; i++) {
        const gm_kernel_state *state = &window->kernel[i].state;
        if (state->launched && state->more && state->ready > now + 1 && state->ready - 1 < due) {
            due = state->ready - 1;
        }
        if (state->closing && !state->ended && state->visible > now && state->visible < due) {
            due = state->visible;
        }
    }
    return due;
}

void gm_kernel_window_end(gm_kernel_window *window, gm_window_kernel *kernel, gm_cycle now)
{
    kernel->state.ended = 1;
    window->end[window->ends++ % window->most] = (gm_stream_end){kernel->kernel->stream, now};
    gm_core_statistics_add(&window->core, &kernel->state.core);
}

void gm_kernel_window_remove(gm_kernel_window *window)
{
    free(window->kernel[0].kernel);
    window->count--;
    memmove(window->kernel, window->kernel + 1, window->count * sizeof *window->kernel);
}

int gm_kernel_window_snapshot(gm_kernel_window *window, gm_snapshot *snapshot, gm_error *error)
{
    GM_SNAPSHOT_VALUE(snapshot, window->read);
    GM_SNAPSHOT_VALUE(snapshot, window->ends);
    GM_SNAPSHOT_VALUE(snapshot, window->entered);
    GM_SNAPSHOT_VALUE(snapshot, window->core);
    GM_SNAPSHOT_ARRAY(snapshot, window->end, window->most);
    uint32_t count = window->count;
    GM_SNAPSHOT_VALUE(snapshot, count);
    if (snapshot->loading && snapshot->failed == 0) {
        int code = make_room(window, count, error);
        if (code < 0) {
            return code;
        }
        memset(window->kernel, 0, count * sizeof *window->kernel);
        window->count = count;
    }
    for (uint32_t i = 0; i < window->count; i++) {
        GM_SNAPSHOT_VALUE(snapshot, window->kernel[i].state);
    }
    return 0;
}
