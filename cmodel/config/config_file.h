/* A configuration file in memory. */
#ifndef GOLDMEM_CONFIG_CONFIG_FILE_H
#define GOLDMEM_CONFIG_CONFIG_FILE_H

#include "goldmem/error.h"

#include <stddef.h>

/* Reads the whole file into heap memory, which the caller frees, on failure as well. Returns 0,
 * -EINVAL for more than 4 MiB, -ENOMEM, or the negative errno value of the file. */
int gm_config_file_read(const char *path, char **text, size_t *length, gm_error *error);

#endif
