/* Input files of workloads (graphs, matrices, images): the whole file in memory, decompressed by
 * content, read as text numbers or little-endian words. Messages read "FILE:LINE: reason". */
#ifndef GOLDMEM_WORKLOAD_INPUT_FILE_H
#define GOLDMEM_WORKLOAD_INPUT_FILE_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gm_input_file {
    const char *path;
    char *bytes;   /* `length` of them and a NUL */
    size_t length; /* at most 1 GB */
    size_t at;     /* next byte */
    uint64_t line; /* of the next byte, from 1 */
} gm_input_file;

/* Loads a file. Requires that `path` stays valid. Returns 0, -ENOENT, -EIO, -EINVAL or -ENOMEM. */
int gm_input_file_load(gm_input_file *file, const char *path, gm_error *error);
void gm_input_file_free(gm_input_file *file);

/* True if only white space is left. */
bool gm_input_file_ended(gm_input_file *file);

/* Skips blanks within the line. True if nothing else is left of it. */
bool gm_input_file_line_ended(gm_input_file *file);

/* Read the next number after white space; `what` names it in messages. Return 0 or -EINVAL. */
int gm_input_file_integer(gm_input_file *file, const char *what, int64_t low, int64_t high,
                          int64_t *value, gm_error *error);
int gm_input_file_real(gm_input_file *file, const char *what, double *value, gm_error *error);

/* Reads a file of exactly `count` finite numbers, the form of Rodinia's inputs. */
int gm_input_file_floats(const char *path, float *number, size_t count, gm_error *error);

/* Skips white space and the word behind it. */
void gm_input_file_word(gm_input_file *file);

/* Moves to the next line. Returns the rest of this one, terminated in place by a NUL. */
char *gm_input_file_line(gm_input_file *file);

/* Reads the next `bytes` bytes unchanged. Returns 0 or -EINVAL. */
int gm_input_file_bytes(gm_input_file *file, const char *what, void *into, size_t bytes,
                        gm_error *error);

/* Sets the error "FILE:LINE: reason" at the next byte. Returns -EINVAL. */
int gm_input_file_fail(const gm_input_file *file, gm_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
