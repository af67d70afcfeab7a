/* Options as text, "name=value name=value": the form of configurations on command lines, in replay
 * files and in suites. */
#include "cosim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Finds the word at `text`: its length and the length of its name, before '='. */
static size_t word_length(const char *text, size_t *name_length)
{
    size_t length = strcspn(text, " ");
    const char *equals = memchr(text, '=', length);
    *name_length = equals == NULL ? length : (size_t)(equals - text);
    return length;
}

bool gm_cosim_option(const char *options, const char *name, char *value, size_t size)
{
    for (const char *word = options; *word != '\0';) {
        size_t name_length = 0;
        size_t length = word_length(word, &name_length);
        if (name_length == strlen(name) && strncmp(word, name, name_length) == 0 &&
            name_length < length && length - name_length <= size) {
            memcpy(value, word + name_length + 1, length - name_length - 1);
            value[length - name_length - 1] = '\0';
            return true;
        }
        word += length;
        word += strspn(word, " ");
    }
    return false;
}

int gm_cosim_option_number(const char *options, const char *name, uint64_t fallback,
                           uint64_t *value, gm_error *error)
{
    char text[GM_COSIM_OPTIONS];
    *value = fallback;
    if (!gm_cosim_option(options, name, text, sizeof text)) {
        return 0;
    }
    char *end = NULL;
    errno = 0;
    *value = strtoull(text, &end, 0);
    if (errno != 0 || text[0] < '0' || text[0] > '9' || *end != '\0') {
        return gm_fail(error, -EINVAL, "%s=%s: not a number", name, text);
    }
    return 0;
}

int gm_cosim_options_known(const char *options, const char *const *known, size_t count,
                           gm_error *error)
{
    for (const char *word = options + strspn(options, " "); *word != '\0';) {
        size_t name_length = 0;
        size_t length = word_length(word, &name_length);
        bool found = name_length < length;
        for (size_t i = 0; found && i < count; i++) {
            if (strlen(known[i]) == name_length && strncmp(known[i], word, name_length) == 0) {
                break;
            }
            found = i + 1 < count;
        }
        if (!found) {
            return gm_fail(error, -EINVAL, "'%.*s': no such option of the block", (int)length,
                           word);
        }
        word += length;
        word += strspn(word, " ");
    }
    return 0;
}

int gm_cosim_options_numbers(const char *options, const char *const *names, size_t known,
                             const uint64_t *fallback, size_t numbers, uint64_t *value,
                             gm_error *error)
{
    int code = gm_cosim_options_known(options, names, known, error);
    for (size_t i = 0; code == 0 && i < numbers; i++) {
        code = gm_cosim_option_number(options, names[i], fallback[i], &value[i], error);
        value[i] = value[i] > UINT32_MAX ? UINT32_MAX : value[i];
    }
    return code;
}

int gm_cosim_options_parameters(const char *options, const gm_ports *ports,
                                const char *const *names, uint64_t *value, gm_error *error)
{
    uint64_t initial[GM_PORTS_PARAMETERS];
    for (unsigned i = 0; i < ports->parameters; i++) {
        initial[i] = ports->parameter[i].value;
    }
    return gm_cosim_options_numbers(options, names, ports->parameters, initial, ports->parameters,
                                    value, error);
}
