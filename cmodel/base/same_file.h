/* Whether two paths name one file. */
#ifndef GOLDMEM_BASE_SAME_FILE_H
#define GOLDMEM_BASE_SAME_FILE_H

#include <stdbool.h>

/* Returns true if both paths name one regular file, or the name of one that is yet to be written,
 * however they are spelled and through whatever links. Devices and pipes are never one file: each
 * may be written to twice. */
bool gm_same_file(const char *a, const char *b);

#endif
