/* The progress line of a run: on a terminal only, redrawn a few times a second, gone at the end. */
#ifndef GOLDMEM_CLI_PROGRESS_H
#define GOLDMEM_CLI_PROGRESS_H

#include "goldmem/engine.h"

#include <stdbool.h>

typedef struct gm_progress_line {
    const gm_source *source;
    bool shown; /* on a terminal, and not --quiet */
    bool is_drawn;
    double start; /* seconds */
    double drawn; /* seconds: when it was last drawn */
} gm_progress_line;

void gm_progress_begin(gm_progress_line *line, const gm_source *source, bool quiet);
/* Draws the line. `warp_instructions`: executed so far, of `begun` taken from the source; both 0
 * where they are not counted. */
void gm_progress_draw(gm_progress_line *line, uint64_t warp_instructions, uint64_t begun);
void gm_progress_end(gm_progress_line *line);

/* Prints a progress line that stays, also without a terminal. `run` NULL: only the share of the
 * input read. */
void gm_progress_tell(gm_progress_line *line, const gm_run_progress *run);

/* Writes the progress line for `seconds` since the start: share of the input (of the kernels so
 * far, if their number is not known yet), instructions per second, time left (of the kernel). */
void gm_progress_text(char *text, size_t size, gm_progress progress, uint64_t warp_instructions,
                      double seconds);

#endif
