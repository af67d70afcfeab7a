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

/* `path` must stay valid. -ENOENT, -EIO, -EINVAL, -ENOMEM. */
int gm_input_file_load(gm_input_file *file, const char *path, gm_error *error);
void gm_input_file_free(gm_input_file *file);

/* Nothing but white space is left. */
bool gm_input_file_ended(gm_input_file *file);

/* The next number, white space before it skipped; `what` names it in messages. */
int gm_input_file_integer(gm_input_file *file, const char *what, int64_t low, int64_t high,
                          int64_t *value, gm_error *error);
int gm_input_file_real(gm_input_file *file, const char *what, double *value, gm_error *error);

/* The whole file as exactly `count` finite numbers, as Rodinia's inputs are. */
int gm_input_file_floats(const char *path, float *number, size_t count, gm_error *error);

/* Goes past white space and the word behind it. */
void gm_input_file_word(gm_input_file *file);

/* Goes past the rest of the line; gives it, NUL-ended in place. */
char *gm_input_file_line(gm_input_file *file);

/* The next `bytes` bytes as they are. */
int gm_input_file_bytes(gm_input_file *file, const char *what, void *into, size_t bytes,
                        gm_error *error);

/* "FILE:LINE: reason" at the next byte. Returns -EINVAL. */
int gm_input_file_fail(const gm_input_file *file, gm_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
