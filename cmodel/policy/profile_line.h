/* A line of a profile, field by field: private to the reader (profile.c). */
#ifndef GOLDMEM_POLICY_PROFILE_LINE_H
#define GOLDMEM_POLICY_PROFILE_LINE_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct gm_profile_line {
    const char *path;
    FILE *file;
    char *text; /* freed by the caller */
    size_t size;
    uint64_t number; /* in the file, from 1 */
    const char *at;  /* the next field */
} gm_profile_line;

/* Reads the next line. -EINVAL: there is none; the message says that `wanted` was expected. */
int gm_profile_line_next(gm_profile_line *line, const char *wanted, gm_error *error);

/* True if the next field is this word; then takes it. */
bool gm_profile_line_has(gm_profile_line *line, const char *word);

/* Takes the next field, which must be this word. -EINVAL. */
int gm_profile_line_word(gm_profile_line *line, const char *word, gm_error *error);

/* Takes the next field, a number in decimal or (base 16) hexadecimal, which `stop` ends: a space,
 * or what separates two numbers. -EINVAL when it is no number, or not from `low` to `high`. */
int gm_profile_line_number(gm_profile_line *line, const char *field, unsigned base, char stop,
                           uint64_t low, uint64_t high, uint64_t *value, gm_error *error);

/* True if the line ends here; gm_profile_line_end fails with -EINVAL if it does not. */
bool gm_profile_line_ends(const gm_profile_line *line);
int gm_profile_line_end(const gm_profile_line *line, gm_error *error);

/* "FILE:LINE: FIELD VALUE: reason". -EINVAL. */
int gm_profile_line_fail(const gm_profile_line *line, const char *field, uint64_t value,
                         const char *reason, gm_error *error);

#endif
