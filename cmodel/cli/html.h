/* goldmem report: runs as one HTML page, which needs no network and no script. html_report.c is the
 * command, html_read.c reads runs, series and sweeps, html_charts.c draws, html_sections.c is what
 * the page shows; html_latency.c and html_curves.c have a section each. */
#ifndef GOLDMEM_CLI_HTML_H
#define GOLDMEM_CLI_HTML_H

#include "cli/compare.h"
#include "goldmem/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { GM_HTML_RUNS = 8, GM_HTML_COLOURS = 12 };

/* The rows of a series of the whole machine, from CSV: column[c][row]. */
typedef struct gm_html_series {
    const char *file; /* NULL: none */
    char **name;      /* [columns] */
    double **column;  /* [columns][rows]; NaN: an empty cell */
    size_t columns, rows, room;
} gm_html_series;

typedef struct gm_html_run {
    gm_compared_run run;
    gm_html_series series;
} gm_html_run;

typedef struct gm_html_page {
    gm_html_run run[GM_HTML_RUNS];
    size_t runs;
    json_t *sweep; /* array of the objects of results.jsonl; NULL: none */
    const char *sweep_file;
} gm_html_page;

/* Reads the series that goldmem run --series has written as CSV. Returns 0, -ENOMEM, another
 * negative errno value of the file, or -EINVAL with file and line. */
int gm_html_read_series(gm_html_series *series, const char *file, gm_error *error);

/* Checks that a series ends with its run, so that it is not another's. Returns 0 or -EINVAL. */
int gm_html_check_series(const gm_html_run *run, gm_error *error);

/* Reads results.jsonl of a sweep. Returns as gm_html_read_series. */
int gm_html_read_sweep(json_t **sweep, const char *file, gm_error *error);
void gm_html_free(gm_html_page *page);

/* Returns a column of a series, or NULL. */
const double *gm_html_column(const gm_html_series *series, const char *name);

/* Writes a text with &, <, > and " as HTML has them. */
void gm_html_text(FILE *file, const char *text);

/* A number for people: 1234567 as "1,234,567", 0.12345 as "0.123". */
enum { GM_HTML_NUMBER = 40 };
const char *gm_html_number(double value, char text[GM_HTML_NUMBER]);

/* Rows of bars, each of parts that lie side by side; its length is the sum of its parts of the
 * longest row's sum, or the whole width (`shares`). */
typedef struct gm_html_bars {
    const char *title, *unit;
    size_t rows, parts;
    const char **row;       /* [rows] labels */
    const char **part;      /* [parts] names; with one part: NULL */
    const double *value;    /* [rows * parts] */
    const unsigned *colour; /* [parts] class numbers; NULL: 0, 1, ... */
    bool shares;
} gm_html_bars;
void gm_html_write_bars(FILE *file, const gm_html_bars *bars);

/* A vertical line in a plot, with a word. */
typedef struct gm_html_mark {
    double x;
    const char *name;
} gm_html_mark;

/* Lines over x; a value that is NaN is a gap. `stacked`: areas, one above the other. */
typedef struct gm_html_lines {
    const char *title, *unit, *x_name;
    size_t points, lines;
    const double *x;
    const double **y;       /* [lines][points] */
    const char **line;      /* [lines] names; with one line: NULL */
    const unsigned *colour; /* [lines] class numbers; NULL: 0, 1, ... */
    bool stacked;
    double x_least;           /* above 0: the x axis is logarithmic, from here */
    const gm_html_mark *mark; /* [marks], within the x axis */
    size_t marks;
} gm_html_lines;
void gm_html_write_lines(FILE *file, const gm_html_lines *lines);

/* A row of cells for each measure, coloured by value from the row's least to its greatest, or if
 * `most` is not 0 from 0 to that. */
typedef struct gm_html_heat {
    const char *title, *cell; /* what a cell is: "SM" */
    size_t rows, cells;
    size_t step;         /* units that a cell stands for, and is named by the first of; 0: one */
    double most;         /* of all rows; 0: each has its own colours */
    const char *unit;    /* with `most`: the words below the title */
    const char **row;    /* [rows] names of measures */
    const double *value; /* [rows * cells] */
} gm_html_heat;
void gm_html_write_heat(FILE *file, const gm_html_heat *heat);

/* Returns the number below `object` at a path with dots, NaN if there is none. */
double gm_html_at(const json_t *object, const char *path);

/* A chart of each run: returns "A: TITLE", or TITLE with one run. */
enum { GM_HTML_TITLE = 96 };
const char *gm_html_title(const gm_html_page *page, size_t run, const char *title,
                          char text[GM_HTML_TITLE]);

/* Writes a section with a part of each run. */
void gm_html_each_run(FILE *file, const gm_html_page *page, const char *id, const char *title,
                      void (*write)(FILE *file, const gm_html_page *page, size_t number));

/* Return true if a run has an array of this name in its report; slots; a series; an analysis of
 * reuse. */
bool gm_html_has(const gm_html_page *page, const char *member);
bool gm_html_has_slots(const gm_html_page *page);
bool gm_html_has_series(const gm_html_page *page);
bool gm_html_has_reuse(const gm_html_page *page);

/* Write the sections of all runs, and of the sweep. */
void gm_html_write_runs(FILE *file, const gm_html_page *page);
void gm_html_write_sweep(FILE *file, const gm_html_page *page);

/* The sets of the L2 (--per-set): true if a run has them, and writes them. */
bool gm_html_has_sets(const gm_html_page *page);
void gm_html_write_sets(FILE *file, const gm_html_page *page);

/* Latency histograms of --latency; miss-ratio curves of --analyze=mrc: true if a run has them, and
 * their sections. */
bool gm_html_has_latency(const gm_html_page *page);
void gm_html_write_latency(FILE *file, const gm_html_page *page);
bool gm_html_has_curves(const gm_html_page *page);
void gm_html_write_curves(FILE *file, const gm_html_page *page);

/* Writes the page. */
void gm_html_write(FILE *file, const gm_html_page *page);

#endif
