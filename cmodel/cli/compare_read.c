/* goldmem compare: reads a JSON report of goldmem run, and flattens its counters. */
#include "cli/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int refuse(gm_error *error, const gm_compared_run *run, const char *field)
{
    return gm_fail(error, -EINVAL, "%s: no report of goldmem run --json: no %s", run->file, field);
}

/* Adds a counter. Returns 0 or -ENOMEM. */
static int add_counter(gm_compared_run *run, const char *name, uint64_t value, gm_error *error)
{
    enum { CHUNK = 256 };
    if (run->counters % CHUNK == 0) {
        gm_compared_counter *more =
            realloc(run->counter, (run->counters + CHUNK) * sizeof *run->counter);
        if (more == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory");
        }
        run->counter = more;
    }
    gm_compared_counter *counter = &run->counter[run->counters++];
    snprintf(counter->name, sizeof counter->name, "%s", name);
    counter->value = value;
    return 0;
}

/* Adds the counters below an object, whose path is `path`. Leaves the rates out, which follow from
 * others. */
static int flatten(gm_compared_run *run, const char *path, json_t *object, gm_error *error)
{
    int code = 0;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        char name[GM_COUNTER_NAME];
        snprintf(name, sizeof name, "%s%s%s", path, path[0] != '\0' ? "." : "", key);
        if (json_is_object(value) && strcmp(name, "rates") != 0) {
            code = flatten(run, name, value, error);
        } else if (json_is_integer(value) && json_integer_value(value) >= 0) {
            code = add_counter(run, name, (uint64_t)json_integer_value(value), error);
        }
        if (code < 0) {
            return code;
        }
    }
    return 0;
}

/* Adds a launch to its kernel. Requires room for one more. */
static void add_launch(gm_compared_run *run, const char *name, uint64_t cycles)
{
    size_t at = 0;
    while (at < run->kernels && strcmp(run->kernel[at].name, name) != 0) {
        at++;
    }
    if (at == run->kernels) {
        run->kernel[run->kernels++] = (gm_compared_kernel){.name = name};
    }
    run->kernel[at].launches++;
    run->kernel[at].cycles += cycles;
}

static int read_kernels(gm_compared_run *run, const json_t *kernels, gm_error *error)
{
    run->kernel = calloc(json_array_size(kernels) + 1, sizeof *run->kernel);
    if (run->kernel == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    run->kernels = 0;
    for (size_t i = 0; i < json_array_size(kernels); i++) {
        const json_t *kernel = json_array_get(kernels, i);
        const char *name = json_string_value(json_object_get(kernel, "name"));
        if (name == NULL) {
            return refuse(error, run, "kernels[].name");
        }
        json_int_t cycles = json_integer_value(json_object_get(kernel, "cycles"));
        add_launch(run, name, cycles > 0 ? (uint64_t)cycles : 0);
    }
    return 0;
}

static bool is_folder(const char *file)
{
    struct stat status;
    return stat(file, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Loads the JSON of a file, or of standard input. Returns NULL after a failure. */
static json_t *load(const char *file, gm_error *error)
{
    json_error_t wrong;
    errno = 0;
    json_t *report =
        strcmp(file, "-") == 0 ? json_loadf(stdin, 0, &wrong) : json_load_file(file, 0, &wrong);
    if (report == NULL && is_folder(file)) { /* opens, and reads as if it were empty */
        errno = EISDIR;
        gm_fail_errno(error, file);
    } else if (report == NULL && wrong.line < 0 && errno != 0) {
        gm_fail_errno(error, file);
    } else if (report == NULL) {
        gm_fail(error, -EINVAL, "%s:%d: %s", file, wrong.line, wrong.text);
    }
    return report;
}

int gm_compare_read(gm_compared_run *run, const char *file, gm_error *error)
{
    *run = (gm_compared_run){.file = file};
    run->report = load(file, error);
    if (run->report == NULL) {
        return error->code;
    }
    const json_int_t schema = json_integer_value(json_object_get(run->report, "schema"));
    if (schema != 1) {
        return json_object_get(run->report, "schema") == NULL
                   ? refuse(error, run, "schema")
                   : gm_fail(error, -EINVAL, "%s: schema=%lld: must be 1", file, (long long)schema);
    }
    json_t *total = json_object_get(run->report, "total");
    const json_t *kernels = json_object_get(run->report, "kernels");
    run->config = json_object_get(run->report, "config");
    run->input = json_string_value(json_object_get(run->report, "input"));
    run->preset = json_string_value(json_object_get(run->report, "preset"));
    run->engine = json_string_value(json_object_get(run->report, "engine"));
    run->preset = run->preset != NULL ? run->preset : "-";
    const json_t *sample = json_object_get(run->report, "sample");
    run->sampled = json_number_value(json_object_get(sample, "share"));
    run->seed = (uint64_t)json_integer_value(json_object_get(sample, "seed"));
    const char *lacks = !json_is_object(total)         ? "total"
                        : !json_is_array(kernels)      ? "kernels"
                        : !json_is_object(run->config) ? "config"
                        : run->input == NULL           ? "input"
                        : run->engine == NULL          ? "engine"
                                                       : NULL;
    if (lacks != NULL) {
        return refuse(error, run, lacks);
    }
    int code = flatten(run, "", total, error);
    code = code < 0 ? code : gm_compare_read_part(run, error);
    return code < 0 ? code : read_kernels(run, kernels, error);
}

void gm_compare_free(gm_compared_run *run)
{
    json_decref(run->report);
    free(run->part);
    free(run->counter);
    free(run->kernel);
    *run = (gm_compared_run){0};
}

const gm_compared_counter *gm_compare_find(const gm_compared_run *run, const char *name)
{
    for (size_t i = 0; i < run->counters; i++) {
        if (strcmp(run->counter[i].name, name) == 0) {
            return &run->counter[i];
        }
    }
    return NULL;
}

uint64_t gm_compare_value(const gm_compared_run *run, const char *name)
{
    const gm_compared_counter *counter = gm_compare_find(run, name);
    return counter != NULL ? counter->value : 0;
}

double gm_compare_change(uint64_t a, uint64_t b)
{
    return a == b ? 0 : a == 0 ? (double)INFINITY : ((double)b - (double)a) / (double)a;
}

double gm_compare_slot_cycles(const gm_compared_run *run, const char *name)
{
    static const char slots[] = "time.slots.";
    uint64_t sum = 0;
    for (size_t i = 0; i < run->counters; i++) {
        bool is_slot = strncmp(run->counter[i].name, slots, sizeof slots - 1) == 0;
        sum += is_slot ? run->counter[i].value : 0;
    }
    double cycles = (double)gm_compare_value(run, "cycles");
    return sum == 0 ? 0 : (double)gm_compare_value(run, name) * cycles / (double)sum;
}
