/* A line of a profile, field by field. */
#include "policy/profile_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40 }; /* characters of a field in a message */

static int field_length(const gm_profile_line *line)
{
    size_t length = strcspn(line->at, " ");
    return length < SHOWN ? (int)length : SHOWN;
}

int gm_profile_line_next(gm_profile_line *line, const char *wanted, gm_error *error)
{
    errno = 0;
    ssize_t length = getline(&line->text, &line->size, line->file);
    line->number++;
    if (length < 0 && ferror(line->file)) {
        return gm_fail_errno(error, line->path);
    }
    if (length <= 0 || line->text[length - 1] != '\n') {
        return gm_fail(error, -EINVAL, "%s:%" PRIu64 ": the profile is cut short: %s should follow",
                       line->path, line->number, wanted);
    }
    line->text[length - 1] = '\0';
    line->at = line->text;
    if (strlen(line->text) != (size_t)length - 1) {
        return gm_fail(error, -EINVAL, "%s:%" PRIu64 ": not a line of text", line->path,
                       line->number);
    }
    return 0;
}

bool gm_profile_line_has(gm_profile_line *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line->at, word, length) != 0 ||
        (line->at[length] != ' ' && line->at[length] != '\0')) {
        return false;
    }
    line->at += length + (line->at[length] == ' ');
    return true;
}

int gm_profile_line_word(gm_profile_line *line, const char *word, gm_error *error)
{
    return gm_profile_line_has(line, word)
               ? 0
               : gm_fail(error, -EINVAL, "%s:%" PRIu64 ": '%.*s': must be '%s'", line->path,
                         line->number, field_length(line), line->at, word);
}

/* Reads digits. Returns the first character after them, or NULL. */
static const char *read_digits(const char *text, unsigned base, uint64_t *value)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = text;
    *value = 0;
    for (const char *digit; *at != '\0' && (digit = strchr(digits, *at)) != NULL; at++) {
        unsigned one = (unsigned)(digit - digits);
        if (one >= base || *value > (UINT64_MAX - one) / base) {
            return NULL;
        }
        *value = *value * base + one;
    }
    return at != text ? at : NULL;
}

int gm_profile_line_number(gm_profile_line *line, const char *field, unsigned base, char stop,
                           uint64_t low, uint64_t high, uint64_t *value, gm_error *error)
{
    const char *rest = read_digits(line->at, base, value);
    bool ended = rest != NULL && (*rest == stop || (*rest == '\0' && stop == ' '));
    if (!ended || *value < low || *value > high) {
        char range[64];
        if (base == 16) {
            snprintf(range, sizeof range, "%" PRIx64 " to %" PRIx64 " (hexadecimal)", low, high);
        } else {
            snprintf(range, sizeof range, "%" PRIu64 " to %" PRIu64, low, high);
        }
        return gm_fail(error, -EINVAL, "%s:%" PRIu64 ": %s '%.*s': must be a number, %s",
                       line->path, line->number, field, field_length(line), line->at, range);
    }
    line->at = rest + (*rest == stop);
    return 0;
}

bool gm_profile_line_ends(const gm_profile_line *line)
{
    return *line->at == '\0';
}

int gm_profile_line_end(const gm_profile_line *line, gm_error *error)
{
    return gm_profile_line_ends(line)
               ? 0
               : gm_fail(error, -EINVAL, "%s:%" PRIu64 ": '%.*s': the line should end here",
                         line->path, line->number, field_length(line), line->at);
}

int gm_profile_line_fail(const gm_profile_line *line, const char *field, uint64_t value,
                         const char *reason, gm_error *error)
{
    return gm_fail(error, -EINVAL, "%s:%" PRIu64 ": %s %" PRIu64 ": %s", line->path, line->number,
                   field, value, reason);
}
