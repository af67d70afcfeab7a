/* The output files of a subcommand against each other and against its inputs. */
#include "cli/output_files.h"

#include "base/same_file.h"
#include "goldmem/workload.h"
#include "trace/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool gm_cli_same_output(const gm_cli_output *a, const gm_cli_output *b)
{
    if (a->path == NULL || b->path == NULL) {
        return false;
    }
    return strcmp(a->path, b->path) == 0 ||
           (!is_standard(a->path) && !is_standard(b->path) && gm_same_file(a->path, b->path));
}

int gm_cli_protect_file(const gm_cli_outputs *outputs, const char *file, gm_error *error)
{
    for (size_t i = 0; file != NULL && !is_standard(file) && i < outputs->count; i++) {
        const gm_cli_output *output = &outputs->output[i];
        if (output->path != NULL && !is_standard(output->path) && access(file, F_OK) == 0 &&
            gm_same_file(output->path, file)) {
            return gm_fail(error, -EINVAL, "%s %s: would overwrite the input %s", output->option,
                           output->path, file);
        }
    }
    return 0;
}

static int protect(void *context, const char *file, gm_error *error)
{
    return gm_cli_protect_file(context, file, error);
}

/* Returns whether an output exists; only such a one can be a file of the input. */
static bool any_exists(const gm_cli_outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++) {
        const char *path = outputs->output[i].path;
        if (path != NULL && !is_standard(path) && access(path, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns the options of the workload whose name text[0, length) is, or NULL. */
static const gm_workload_option *options_of(const char *text, size_t length)
{
    unsigned count = 0;
    const gm_workload_description *const *all = gm_workloads(&count);
    for (unsigned i = 0; i < count; i++) {
        if (strlen(all[i]->name) == length && strncmp(all[i]->name, text, length) == 0) {
            return all[i]->options;
        }
    }
    return NULL;
}

/* Returns the value in `text`, "NAME=VALUE" and more, if it is of an option that is a path. */
static const char *path_in(const gm_workload_option *options, const char *text)
{
    size_t length = strcspn(text, "=,");
    for (; text[length] == '=' && options->name != NULL; options++) {
        if (options->is_path && strlen(options->name) == length &&
            strncmp(options->name, text, length) == 0) {
            return text + length + 1;
        }
    }
    return NULL;
}

/* Of "NAME[,OPTION=VALUE]...". */
static int protect_workload(const gm_cli_outputs *outputs, const char *text, gm_error *error)
{
    size_t length = strcspn(text, ",");
    const gm_workload_option *options = options_of(text, length);
    int code = 0;
    while (code == 0 && options != NULL && text[length] == ',') {
        text += length + 1;
        length = strcspn(text, ",");
        const char *path = path_in(options, text);
        if (path != NULL) {
            char *file = strndup(path, strcspn(path, ","));
            code = file != NULL ? gm_cli_protect_file(outputs, file, error)
                                : gm_fail(error, -ENOMEM, "out of memory");
            free(file);
        }
    }
    return code;
}

int gm_cli_protect_input(const gm_cli_outputs *outputs, const char *input, gm_error *error)
{
    static const char prefix[] = "workload:";
    if (!any_exists(outputs)) {
        return 0;
    }
    if (strncmp(input, prefix, sizeof prefix - 1) == 0) {
        return protect_workload(outputs, input + sizeof prefix - 1, error);
    }
    gm_cli_outputs copy = *outputs;
    return gm_list_each_file(input, protect, &copy, error);
}

int gm_cli_protect_index(const gm_cli_outputs *outputs, const char *function, gm_error *error)
{
    static const char prefix[] = "matrix:";
    return strncmp(function, prefix, sizeof prefix - 1) == 0
               ? gm_cli_protect_file(outputs, function + sizeof prefix - 1, error)
               : 0;
}
