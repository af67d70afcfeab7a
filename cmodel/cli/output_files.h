/* The output files of a subcommand: checked against each other and against its inputs before
 * anything is written. */
#ifndef GOLDMEM_CLI_OUTPUT_FILES_H
#define GOLDMEM_CLI_OUTPUT_FILES_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { GM_CLI_OUTPUTS = 8 };

typedef struct gm_cli_output {
    const char *option; /* "--json" */
    const char *path;   /* "-": standard output; NULL: not given */
} gm_cli_output;

typedef struct gm_cli_outputs {
    gm_cli_output output[GM_CLI_OUTPUTS];
    size_t count;
} gm_cli_outputs;

/* Returns whether both write to one file, or to standard output. */
bool gm_cli_same_output(const gm_cli_output *a, const gm_cli_output *b);

/* Checks that no output would overwrite the file, which the command reads. NULL and "-" are none.
 * Returns 0 or -EINVAL. */
int gm_cli_protect_file(const gm_cli_outputs *outputs, const char *file, gm_error *error);

/* Checks it of all files of an INPUT: a trace's list and kernel files, or those that a workload's
 * options name. Returns 0 or a negative errno value, also of a trace that cannot be read. */
int gm_cli_protect_input(const gm_cli_outputs *outputs, const char *input, gm_error *error);

/* Checks it of the file in "matrix:FILE", a set-index function's text. Returns 0 or -EINVAL. */
int gm_cli_protect_index(const gm_cli_outputs *outputs, const char *function, gm_error *error);

#endif
