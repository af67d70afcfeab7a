/* RTL in the loop: where the plug-in of a block is. */
#ifndef GOLDMEM_CLI_RTL_PLUGIN_H
#define GOLDMEM_CLI_RTL_PLUGIN_H

#include "goldmem/error.h"

#include <limits.h>

/* Finds the file goldmem-rtl-BLOCK.so: in the folder of the program, as in the source's build
 * folder; or, of an installed command, in the user's cache, where it is built from the installed
 * source when it is first wanted. Returns 0; -ENOENT, or what stops the build. */
int gm_rtl_plugin_find(char path[PATH_MAX], const char *block, gm_error *error);

#endif
