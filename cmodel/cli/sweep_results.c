/* goldmem sweep: gathers the runs' counters in one table. */
#include "cli/sweep.h"
#include "goldmem/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The table being written. */
typedef struct table {
    const gm_sweep *sweep;
    gm_output lines, csv;
    json_t *counters; /* object: names of all counters of all runs, in the order met */
    gm_sweep_counts counts;
    gm_error *error;
} table;

static int out_of_memory(const table *table)
{
    return gm_fail(table->error, -ENOMEM, "out of memory");
}

/* Adds the numbers below an object to `flat`, named by their path: "l1d.load.misses". */
static int flatten(json_t *flat, const char *path, json_t *object)
{
    int failed = 0;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        char name[256];
        snprintf(name, sizeof name, "%s%s%s", path, path[0] != '\0' ? "." : "", key);
        if (json_is_object(value)) {
            failed |= flatten(flat, name, value);
        } else if (json_is_number(value)) {
            failed |= json_object_set(flat, name, value);
        }
    }
    return failed;
}

/* Returns the counters of a run's report, flat; an empty object for a run without a report. */
static int read_counters(const table *table, const gm_sweep_run *run, json_t **counters)
{
    char path[GM_SWEEP_PATH];
    json_error_t wrong;
    *counters = json_object();
    if (*counters == NULL) {
        return out_of_memory(table);
    }
    if (!gm_sweep_is_done(table->sweep, run)) {
        return 0;
    }
    gm_sweep_path(table->sweep, run, "json", path);
    json_t *report = json_load_file(path, 0, &wrong);
    json_t *total = json_object_get(report, "total");
    int code = 0;
    if (!json_is_object(total)) {
        code = gm_fail(table->error, -EINVAL, "%s:%d: %s", path, wrong.line,
                       report == NULL ? wrong.text : "no total");
    } else if (flatten(*counters, "", total) != 0) {
        code = out_of_memory(table);
    }
    json_decref(report);
    return code;
}

static const char *input_of(const gm_sweep_run *run)
{
    return json_string_value(json_array_get(run->argument, json_array_size(run->argument) - 1));
}

/* Writes a run's object to the lines. `failure`: NULL unless it failed. */
static int write_line(table *table, size_t number, const char *status, json_t *failure,
                      json_t *counters)
{
    const gm_sweep_run *run = &table->sweep->run[number];
    char *command = gm_sweep_command(run);
    json_t *object = json_pack("{s:I, s:s, s:s, s:s?, s:O, s:s?}", "run", (json_int_t)number,
                               "status", status, "input", input_of(run), "point", run->point,
                               "keys", run->keys, "command", command);
    int failed = object == NULL || command == NULL;
    free(command);
    if (failure != NULL) {
        failed |= json_object_set(object, "failure", failure);
    }
    if (json_object_size(counters) > 0) {
        char report[GM_SWEEP_ID + 16];
        snprintf(report, sizeof report, "runs/%s.json", run->id);
        failed |= json_object_set_new(object, "report", json_string(report));
        failed |= json_object_set(object, "total", counters);
    }
    errno = 0;
    failed |= json_dumpf(object, table->lines.file, JSON_COMPACT);
    failed |= fputc('\n', table->lines.file) == EOF;
    json_decref(object);
    return failed ? gm_fail_errno(table->error, table->lines.path) : 0;
}

/* Gathers one run: its line, and the names of its counters. */
static int gather_run(table *table, size_t number)
{
    const gm_sweep_run *run = &table->sweep->run[number];
    json_t *counters = NULL;
    int code = read_counters(table, run, &counters);
    bool done = json_object_size(counters) > 0;
    json_t *failure = code == 0 && !done ? gm_sweep_failure(table->sweep, run) : NULL;
    const char *status = done ? "done" : failure != NULL ? "failed" : "missing";
    table->counts.done += done;
    table->counts.failed += failure != NULL;
    table->counts.missing += !done && failure == NULL;
    code = code < 0 ? code : write_line(table, number, status, failure, counters);
    const char *name;
    json_t *value;
    json_object_foreach(counters, name, value)
    {
        if (code == 0 && json_object_get(table->counters, name) == NULL) {
            code = json_object_set_new(table->counters, name, json_true()) == 0
                       ? 0
                       : out_of_memory(table);
        }
    }
    json_decref(failure);
    json_decref(counters);
    return code;
}

/* Writes a cell as RFC 4180 has it. NULL: an empty one. */
static void write_cell(FILE *file, const char *text)
{
    if (text == NULL || text[strcspn(text, ",\"\n\r")] == '\0') {
        fputs(text != NULL ? text : "", file);
        return;
    }
    fputc('"', file);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, file);
    }
    fputc('"', file);
}

static void write_value(FILE *file, const json_t *value)
{
    fputc(',', file);
    if (json_is_string(value)) {
        write_cell(file, json_string_value(value));
    } else if (value != NULL && !json_is_null(value)) {
        json_dumpf(value, file, JSON_ENCODE_ANY);
    }
}

static void write_header(const table *table)
{
    FILE *file = table->csv.file;
    fputs("run,status,input", file);
    fputs(table->sweep->has_points ? ",point" : "", file);
    for (size_t i = 0; i < json_array_size(table->sweep->columns); i++) {
        write_value(file, json_array_get(table->sweep->columns, i));
    }
    const char *name;
    json_t *value;
    json_object_foreach(table->counters, name, value)
    {
        fputc(',', file);
        write_cell(file, name);
    }
    fputc('\n', file);
}

static void write_row(const table *table, size_t number, const char *status, const json_t *counters)
{
    const gm_sweep_run *run = &table->sweep->run[number];
    FILE *file = table->csv.file;
    fprintf(file, "%zu,%s,", number, status);
    write_cell(file, input_of(run));
    if (table->sweep->has_points) {
        fputc(',', file);
        write_cell(file, run->point);
    }
    const char *name;
    json_t *value;
    json_object_foreach(run->keys, name, value)
    {
        write_value(file, value);
    }
    json_object_foreach(table->counters, name, value)
    {
        write_value(file, json_object_get(counters, name));
    }
    fputc('\n', file);
}

/* Requires that errno was 0 before the writes. */
static int check_written(const table *table)
{
    return ferror(table->csv.file) ? gm_fail_errno(table->error, table->csv.path) : 0;
}

/* Writes the CSV. The reports are read once more, so that memory does not grow with the runs. */
static int write_csv(table *table)
{
    errno = 0;
    write_header(table);
    int code = check_written(table);
    for (size_t i = 0; code == 0 && i < table->sweep->runs; i++) {
        json_t *counters = NULL;
        code = read_counters(table, &table->sweep->run[i], &counters);
        json_t *failure = gm_sweep_failure(table->sweep, &table->sweep->run[i]);
        if (code == 0) {
            bool done = json_object_size(counters) > 0;
            errno = 0;
            write_row(table, i, done ? "done" : failure != NULL ? "failed" : "missing", counters);
            code = check_written(table);
        }
        json_decref(failure);
        json_decref(counters);
    }
    return code;
}

int gm_sweep_gather(const gm_sweep *sweep, gm_sweep_counts *counts, gm_error *error)
{
    char csv[GM_SWEEP_PATH + 16];
    char lines[GM_SWEEP_PATH + 16];
    snprintf(csv, sizeof csv, "%s/results.csv", sweep->folder);
    snprintf(lines, sizeof lines, "%s/results.jsonl", sweep->folder);
    table table = {.sweep = sweep, .counters = json_object(), .error = error};
    int code = table.counters == NULL ? out_of_memory(&table) : 0;
    code = code < 0 ? code : gm_output_open(&table.lines, lines, error);
    code = code < 0 ? code : gm_output_open(&table.csv, csv, error);
    for (size_t i = 0; code == 0 && i < sweep->runs; i++) {
        code = gather_run(&table, i);
    }
    code = code < 0 ? code : write_csv(&table);
    code = code < 0 ? code : gm_output_commit(&table.lines, error);
    code = code < 0 ? code : gm_output_commit(&table.csv, error);
    gm_output_discard(&table.lines);
    gm_output_discard(&table.csv);
    json_decref(table.counters);
    *counts = table.counts;
    return code;
}

void gm_sweep_tell(const gm_sweep *sweep, const gm_sweep_counts *counts)
{
    printf("%zu runs: %zu done, %zu failed, %zu without a result\n", sweep->runs, counts->done,
           counts->failed, counts->missing);
    printf("results: %s/results.csv, %s/results.jsonl\n", sweep->folder, sweep->folder);
    for (size_t i = 0; counts->failed > 0 && i < sweep->runs; i++) {
        const gm_sweep_run *run = &sweep->run[i];
        json_t *failure = gm_sweep_is_done(sweep, run) ? NULL : gm_sweep_failure(sweep, run);
        char *command = failure != NULL ? gm_sweep_command(run) : NULL;
        if (command != NULL) {
            const char *message = json_string_value(json_object_get(failure, "message"));
            printf("failed, run %zu: %s\n  %s\n", i, message != NULL ? message : "", command);
        }
        free(command);
        json_decref(failure);
    }
}
