/* Progress line: the share of the input that was read, and an estimate of the time left. */
#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FINE = 1024 }; /* parts of what the source counts */

static const double redraw = 0.2; /* seconds */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void gm_progress_begin(gm_progress_line *line, const gm_source *source, bool quiet)
{
    *line = (gm_progress_line){.source = source, .shown = !quiet && isatty(STDERR_FILENO)};
    line->start = line->drawn = now();
}

void gm_progress_text(char *text, size_t size, gm_progress progress, uint64_t warp_instructions,
                      double seconds)
{
    double share = progress.total > 0 ? (double)progress.done / (double)progress.total : 0;
    bool known = share > 0 && share <= 1;
    char count[64] = "";
    if (warp_instructions > 0 && seconds > 0) {
        snprintf(count, sizeof count, "%.1f million warp instructions, %.2f million/s",
                 (double)warp_instructions * 1e-6, (double)warp_instructions * 1e-6 / seconds);
    }
    if (!known) {
        snprintf(text, size, "%s", count);
        return;
    }
    long left = (long)(seconds * (1 - share) / share);
    snprintf(text, size, "%5.1f%%%s  %s%s%ld:%02ld left%s", share * 100,
             progress.open ? " of the kernels so far" : "", count, count[0] != '\0' ? ", " : "",
             left / 60, left % 60, progress.open ? " of this one" : "");
}

void gm_progress_draw(gm_progress_line *line, uint64_t warp_instructions, uint64_t begun)
{
    if (!line->shown) {
        return;
    }
    double time = now();
    if (line->is_drawn && time - line->drawn < redraw) {
        return;
    }
    line->is_drawn = true;
    line->drawn = time;
    char text[192];
    gm_progress progress = gm_source_progress(line->source);
    if (warp_instructions < begun) { /* instructions were read that are not executed yet */
        double share = (double)warp_instructions / (double)begun;
        progress.done = (uint64_t)((double)progress.done * FINE * share);
        progress.total *= FINE;
    }
    gm_progress_text(text, sizeof text, progress, warp_instructions, time - line->start);
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
}

void gm_progress_tell(gm_progress_line *line, const gm_run_progress *run)
{
    double seconds = now() - line->start;
    char text[192];
    gm_progress_text(text, sizeof text, gm_source_progress(line->source),
                     run != NULL ? run->warp_instructions : 0, seconds);
    fputs(line->shown ? "\r\033[K" : "", stderr);
    fputs("goldmem: ", stderr);
    if (run != NULL) {
        fprintf(stderr, "kernel %" PRIu64 ": %" PRIu64 " CTAs done, %" PRIu64 " begun; ",
                run->kernel, run->ctas_done, run->ctas_begun);
    }
    if (run != NULL && run->cycles != 0) {
        fprintf(stderr, "%" PRIu64 " cycles; ", run->cycles);
    }
    fprintf(stderr, "%s\n", text[0] == '\0' ? "running" : text + strspn(text, " "));
    fflush(stderr);
}

void gm_progress_end(gm_progress_line *line)
{
    if (line->is_drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    line->shown = line->is_drawn = false;
}
