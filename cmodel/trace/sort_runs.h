/* Sorted runs of lines in a temporary file, and their merge. */
#ifndef GOLDMEM_TRACE_SORT_RUNS_H
#define GOLDMEM_TRACE_SORT_RUNS_H

#include "trace/line_sort.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

enum { GM_MERGE_WAYS = 64 };

typedef struct gm_sort_run {
    off_t start, end; /* in the file */
} gm_sort_run;

/* A temporary file of runs, one after another. */
typedef struct gm_sort_file {
    FILE *file;
    off_t length;
    gm_sort_run *runs;
    size_t count, capacity;
} gm_sort_file;

int gm_sort_file_open(gm_sort_file *file, gm_error *error);
int gm_sort_file_begin_run(gm_sort_file *file, gm_error *error);
int gm_sort_file_write(gm_sort_file *file, const gm_sorted_line *line, gm_error *error);
int gm_sort_file_end_run(gm_sort_file *file, gm_error *error);
void gm_sort_file_close(gm_sort_file *file);

/* Merges up to GM_MERGE_WAYS runs. */
typedef struct gm_merge gm_merge;
int gm_merge_open(gm_merge **merge, const gm_sort_file *file, size_t first, size_t count,
                  gm_error *error);
int gm_merge_next(gm_merge *merge, gm_sorted_line *line, gm_error *error); /* 1, 0, negative */
void gm_merge_close(gm_merge *merge);

/* Compares two lines: negative, 0 or positive as `a` precedes, equals or follows `b`. */
int gm_sorted_line_compare(const gm_sorted_line *a, const gm_sorted_line *b);

#endif
