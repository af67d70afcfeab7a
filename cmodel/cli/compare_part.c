/* goldmem compare and report: which part of its input a run counts. */
#include "cli/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static long long number_of(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

/* Writes the kernels of a run with --kernels, ", of kernels 0-3,7": those that have a number. */
static void write_kernels(FILE *file, const json_t *kernels)
{
    const char *before = ", of kernels ";
    const size_t count = json_array_size(kernels);
    for (size_t i = 0; i < count;) {
        const json_t *kernel = json_array_get(kernels, i++);
        if (json_object_get(kernel, "number") == NULL) {
            continue;
        }
        long long first = number_of(kernel, "number");
        long long last = first;
        while (i < count && number_of(json_array_get(kernels, i), "number") == last + 1) {
            last++;
            i++;
        }
        fprintf(file, last == first ? "%s%lld" : "%s%lld-%lld", before, first, last);
        before = ",";
    }
}

static void write_warm_up(FILE *file, json_t *warm_up)
{
    const char *unit;
    const json_t *count;
    json_object_foreach(warm_up, unit, count)
    {
        fprintf(file, ", after a warm-up of %s=%lld", unit, (long long)json_integer_value(count));
    }
}

/* Writes where the run ended before its input did. Limits are the work that two runs have in
 * common, an interruption is at no place that another run has. */
static void write_stop(FILE *file, const json_t *stopped)
{
    const char *reason = json_string_value(json_object_get(stopped, "reason"));
    if (reason == NULL) {
        return;
    }
    if (strcmp(reason, "interrupted") != 0) {
        fprintf(file, ", stopped at %s", reason);
        if (json_object_get(stopped, "limit") != NULL) {
            fprintf(file, "=%lld", number_of(stopped, "limit"));
        }
        return;
    }
    bool inside = json_is_true(json_object_get(stopped, "in_kernel"));
    fprintf(file, ", interrupted %s kernel %lld", inside ? "in" : "before",
            number_of(stopped, "kernel"));
    if (json_object_get(stopped, "cycles") != NULL) {
        fprintf(file, ", cycle %lld", number_of(stopped, "cycles"));
    }
}

int gm_compare_read_part(gm_compared_run *run, gm_error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    write_kernels(file, json_object_get(run->report, "kernels"));
    write_warm_up(file, json_object_get(run->report, "warm_up"));
    write_stop(file, json_object_get(run->report, "stopped"));
    bool good = fclose(file) == 0;
    bool whole = good && length == 0;
    run->part = good ? strdup(whole ? "whole" : text + 2) : NULL;
    run->is_whole = whole;
    free(text);
    return run->part != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory");
}
