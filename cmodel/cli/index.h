/* Private to `goldmem index`: what its files share. */
#ifndef GOLDMEM_CLI_INDEX_H
#define GOLDMEM_CLI_INDEX_H

#include "cli/set_index_options.h"

typedef enum gm_index_format { GM_INDEX_TEXT, GM_INDEX_CSV, GM_INDEX_JSON } gm_index_format;

typedef struct gm_index_arguments {
    gm_cli_geometry geometry;
    gm_index_format format;
    bool matrix, strides, standard_input;
    uint64_t last_stride;
    const char *histogram; /* the input, or NULL */
    const char **text;     /* functions as written */
    gm_set_index *function;
    unsigned functions;
    uint64_t *address;
    uint64_t addresses;
} gm_index_arguments;

/* Print one kind of answer each. Return an exit code. */
int gm_index_describe(const gm_index_arguments *own);
int gm_index_print_matrices(const gm_index_arguments *own);
int gm_index_map(const gm_index_arguments *own);
int gm_index_print_strides(const gm_index_arguments *own);
int gm_index_print_histogram(const gm_index_arguments *own);

#endif
