/* Options of workloads: "name=value,...". */
#include "workload/workload_internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a whole number, decimal or 0x..., of `length` characters. */
static bool read_number(const char *text, size_t length, int64_t *number)
{
    char copy[32];
    if (length == 0 || length >= sizeof copy || isspace((unsigned char)text[0])) {
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    const char *digits = copy + (copy[0] == '-');
    bool hexadecimal = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end = NULL;
    errno = 0;
    *number = strtoll(copy, &end, hexadecimal ? 16 : 10);
    return errno == 0 && end == copy + length;
}

static int set_option(gm_workload *workload, unsigned index, const char *text, size_t length,
                      gm_error *error)
{
    const gm_workload_description *description = &workload->definition->description;
    const gm_workload_option *option = &description->options[index];
    if (option->is_path) {
        if (length == 0) {
            return gm_fail(error, -EINVAL, "workload %s: %s needs a file's path", description->name,
                           option->name);
        }
        free(workload->path[index]);
        workload->path[index] = strndup(text, length);
        return workload->path[index] != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory");
    }
    int64_t number = 0;
    if (!read_number(text, length, &number) || number < option->low || number > option->high) {
        return gm_fail(error, -EINVAL, "workload %s: %s=%.*s is not a whole number in %lld..%lld",
                       description->name, option->name, (int)(length < 64 ? length : 64), text,
                       (long long)option->low, (long long)option->high);
    }
    workload->value[index] = number;
    return 0;
}

static int unknown_option(const gm_workload_description *description, const char *text,
                          size_t length, gm_error *error)
{
    char known[256] = "none";
    size_t used = 0;
    for (const gm_workload_option *o = description->options; o->name != NULL; o++) {
        if (used < sizeof known) {
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                     used == 0 ? "" : ", ", o->name);
        }
    }
    return gm_fail(error, -EINVAL, "workload %s: no option '%.*s' (options: %s)", description->name,
                   (int)(length < 64 ? length : 64), text, known);
}

static int read_option(gm_workload *workload, const char *text, size_t length, gm_error *error)
{
    const gm_workload_description *description = &workload->definition->description;
    const char *equals = memchr(text, '=', length);
    size_t name = equals != NULL ? (size_t)(equals - text) : length;
    for (unsigned i = 0; description->options[i].name != NULL; i++) {
        const char *known = description->options[i].name;
        if (strlen(known) == name && memcmp(known, text, name) == 0) {
            if (equals == NULL) {
                return gm_fail(error, -EINVAL, "workload %s: option %s needs =value",
                               description->name, known);
            }
            return set_option(workload, i, equals + 1, length - name - 1, error);
        }
    }
    return unknown_option(description, text, name, error);
}

int gm_workload_options(gm_workload *workload, const char *text, gm_error *error)
{
    const gm_workload_option *options = workload->definition->description.options;
    for (unsigned i = 0; options[i].name != NULL; i++) {
        workload->value[i] = options[i].initial;
    }
    while (*text == ',') {
        size_t length = strcspn(++text, ",");
        int result = read_option(workload, text, length, error);
        if (result < 0) {
            return result;
        }
        text += length;
    }
    return 0;
}
