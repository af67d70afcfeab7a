/* An external merge sort of text lines by thread block, warp and original order: bounded memory,
 * and temporary files that have no name. */
#ifndef GOLDMEM_TRACE_LINE_SORT_H
#define GOLDMEM_TRACE_LINE_SORT_H

#include "goldmem/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct gm_line_sort gm_line_sort;

/* A line with its sort keys: cta, then warp, then number. */
typedef struct gm_sorted_line {
    uint64_t cta;    /* linear id */
    uint64_t number; /* line number in its file, ascending as lines are added */
    uint32_t warp;
    uint32_t length;  /* bytes of text, with its newline */
    const char *text; /* GM_INPUT_PADDING readable bytes follow; valid until the next call */
} gm_sorted_line;

/* Uses about three times `memory` bytes at most. Requires lines of at most GM_INPUT_LINE bytes.
 * Returns 0 or a negative errno value. */
int gm_line_sort_open(gm_line_sort **sort, size_t memory, gm_error *error);

/* Copies the line. Writes to a temporary file in $TMPDIR (or /tmp) when the memory is full. */
int gm_line_sort_add(gm_line_sort *sort, const gm_sorted_line *line, gm_error *error);

/* Ends the adding of lines. Called once, before gm_line_sort_next. */
int gm_line_sort_finish(gm_line_sort *sort, gm_error *error);

/* Takes the next line in order. Returns 1, 0 at the end, or a negative errno value. */
int gm_line_sort_next(gm_line_sort *sort, gm_sorted_line *line, gm_error *error);

void gm_line_sort_close(gm_line_sort *sort);

#endif
