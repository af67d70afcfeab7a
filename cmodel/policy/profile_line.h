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

/* Reads the next line. Returns 0, or -EINVAL at the end of the file; the message says that `wanted`
 * was expected. */
int gm_profile_line_next(gm_profile_line *line, const char *wanted, gm_error *error);

/* Takes the next field and returns true if it is this word; else returns false. */
bool gm_profile_line_has(gm_profile_line *line, const char *word);

/* Takes the next field. Returns 0, or -EINVAL if it is not this word. */
int gm_profile_line_word(gm_profile_line *line, const char *word, gm_error *error);

/* Takes the next field, a number in decimal or (base 16) hexadecimal that ends at `stop`, a space
 * or a separator. Returns 0, or -EINVAL when it is no number or not from `low` to `high`. */
int gm_profile_line_number(gm_profile_line *line, const char *field, unsigned base, char stop,
                           uint64_t low, uint64_t high, uint64_t *value, gm_error *error);

/* Returns true if no field is left; gm_profile_line_end returns -EINVAL if one is left. */
bool gm_profile_line_ends(const gm_profile_line *line);
int gm_profile_line_end(const gm_profile_line *line, gm_error *error);

/* Writes "FILE:LINE: FIELD VALUE: reason". Returns -EINVAL. */
int gm_profile_line_fail(const gm_profile_line *line, const char *field, uint64_t value,
                         const char *reason, gm_error *error);

#endif
