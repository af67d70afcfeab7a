/* goldmem report: reads a series (CSV of goldmem run --series) and a sweep (its results.jsonl). */
#include "cli/html.h"

#include "goldmem/assert.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A file being read. */
typedef struct reader {
    const char *name;
    FILE *file;
    char *line;
    size_t room;
    uint64_t number; /* of the line, from 1 */
    gm_error *error;
} reader;

static int open_reader(reader *reader, const char *name, gm_error *error)
{
    *reader = (struct reader){.name = name, .file = fopen(name, "r"), .error = error};
    return reader->file != NULL ? 0 : gm_fail_errno(error, name);
}

static void close_reader(reader *reader)
{
    free(reader->line);
    if (reader->file != NULL) {
        fclose(reader->file);
    }
}

/* Reads a line without its end. Returns 1, 0 at the end of the file, or a negative errno value. */
static int next_line(reader *reader)
{
    errno = 0;
    ssize_t length = getline(&reader->line, &reader->room, reader->file);
    reader->number++;
    if (length < 0) {
        return feof(reader->file) ? 0 : gm_fail_errno(reader->error, reader->name);
    }
    reader->line[strcspn(reader->line, "\r\n")] = '\0';
    return 1;
}

static int refuse(const reader *reader, const char *what)
{
    return gm_fail(reader->error, -EINVAL, "%s:%" PRIu64 ": %s", reader->name, reader->number,
                   what);
}

static int no_memory(const reader *reader)
{
    return gm_fail(reader->error, -ENOMEM, "%s: out of memory", reader->name);
}

static size_t cells_of(const char *line)
{
    size_t count = 1;
    for (; *line != '\0'; line++) {
        count += *line == ',';
    }
    return count;
}

/* Takes the header's names. */
static int read_header(reader *reader, gm_html_series *series)
{
    static const char first[] = "cycle,cycles,kernel,unit,number,";
    if (strncmp(reader->line, first, sizeof first - 1) != 0) {
        return refuse(reader, "no CSV of goldmem run --series");
    }
    size_t columns = cells_of(reader->line);
    series->name = calloc(columns, sizeof *series->name);
    series->column = calloc(columns, sizeof *series->column);
    if (series->name == NULL || series->column == NULL) {
        return no_memory(reader);
    }
    char *rest = reader->line;
    for (; series->columns < columns; series->columns++) {
        char *name = strdup(strsep(&rest, ","));
        if (name == NULL) {
            return no_memory(reader);
        }
        series->name[series->columns] = name;
    }
    return 0;
}

static int make_room(reader *reader, gm_html_series *series)
{
    if (series->rows < series->room) {
        return 0;
    }
    size_t room = series->room == 0 ? 256 : 2 * series->room;
    for (size_t i = 0; i < series->columns; i++) {
        double *more = realloc(series->column[i], room * sizeof *more);
        if (more == NULL) {
            return no_memory(reader);
        }
        series->column[i] = more;
    }
    series->room = room;
    return 0;
}

/* Takes a row of the whole machine; leaves out those of units. */
static int read_row(reader *reader, gm_html_series *series)
{
    enum { UNIT = 3 };
    if (cells_of(reader->line) != series->columns) {
        return refuse(reader, "another number of cells than the header has");
    }
    int code = make_room(reader, series);
    char *rest = reader->line;
    bool is_total = true;
    for (size_t i = 0; code == 0 && i < series->columns; i++) {
        gm_assert(series->column[i] != NULL, "column %zu has no room", i);
        const char *text = strsep(&rest, ",");
        char *end = NULL;
        double value = strtod(text, &end);
        if (i == UNIT) {
            is_total = strcmp(text, "total") == 0;
        } else if (*end != '\0') {
            return gm_fail(reader->error, -EINVAL, "%s:%" PRIu64 ": %s='%s': must be a number",
                           reader->name, reader->number, series->name[i], text);
        }
        series->column[i][series->rows] = end != text ? value : (double)NAN;
    }
    series->rows += code == 0 && is_total;
    return code;
}

int gm_html_read_series(gm_html_series *series, const char *file, gm_error *error)
{
    reader reader;
    int code = open_reader(&reader, file, error);
    series->file = file;
    if (code == 0) {
        code = next_line(&reader);
        code = code < 0   ? code
               : code > 0 ? read_header(&reader, series)
                          : refuse(&reader, "no CSV of goldmem run --series");
    }
    while (code == 0 && (code = next_line(&reader)) > 0) {
        code = read_row(&reader, series);
    }
    if (code == 0 && series->rows == 0) {
        code = refuse(&reader, "no interval of the whole machine");
    }
    close_reader(&reader);
    return code;
}

int gm_html_check_series(const gm_html_run *run, gm_error *error)
{
    const gm_html_series *series = &run->series;
    const json_t *stop = json_object_get(json_object_get(run->run.report, "stopped"), "cycles");
    bool warm_up = stop == NULL && json_object_get(run->run.report, "warm_up") != NULL;
    double last = gm_html_column(series, "cycle")[series->rows - 1];
    double end =
        stop != NULL ? json_number_value(stop) : (double)gm_compare_value(&run->run, "cycles");
    /* cycles of a warm-up are in the series, but not in the total */
    if (gm_compare_find(&run->run, "cycles") != NULL && (warm_up ? last >= end : last == end)) {
        return 0;
    }
    if (gm_compare_find(&run->run, "cycles") == NULL) {
        return gm_fail(error, -EINVAL, "%s: %s has no cycles", series->file, run->run.file);
    }
    return gm_fail(error, -EINVAL, "%s: ends with cycle %.0f: %s ends with %.0f", series->file,
                   last, run->run.file, end);
}

int gm_html_read_sweep(json_t **sweep, const char *file, gm_error *error)
{
    reader reader;
    *sweep = json_array();
    int code = open_reader(&reader, file, error);
    code = code == 0 && *sweep == NULL ? no_memory(&reader) : code;
    while (code == 0 && (code = next_line(&reader)) > 0) {
        json_error_t wrong;
        json_t *run = json_loads(reader.line, 0, &wrong);
        bool good = json_is_string(json_object_get(run, "input")) &&
                    json_is_object(json_object_get(run, "keys")) &&
                    json_is_string(json_object_get(run, "status"));
        if (run == NULL || !good) {
            json_decref(run);
            code = refuse(&reader, run == NULL ? wrong.text : "no run of a sweep's results.jsonl");
        } else {
            code = json_array_append_new(*sweep, run) == 0 ? 0 : no_memory(&reader);
        }
    }
    if (code == 0 && json_array_size(*sweep) == 0) {
        code = refuse(&reader, "no run");
    }
    close_reader(&reader);
    return code;
}

const double *gm_html_column(const gm_html_series *series, const char *name)
{
    for (size_t i = 0; i < series->columns; i++) {
        if (strcmp(series->name[i], name) == 0) {
            return series->column[i];
        }
    }
    return NULL;
}

void gm_html_free(gm_html_page *page)
{
    for (size_t i = 0; i < page->runs; i++) {
        gm_html_series *series = &page->run[i].series;
        gm_compare_free(&page->run[i].run);
        for (size_t k = 0; k < series->columns; k++) {
            free(series->name[k]);
            free(series->column[k]);
        }
        free(series->name);
        free(series->column);
    }
    json_decref(page->sweep);
    *page = (gm_html_page){0};
}
