/* Accel-Sim traces as sources: kernel lists, folders and kernel files; plain, .xz, .gz or .zst by
 * content; tracer versions 0 to 5, 6's text, raw .trace files, and goldmem's compact form. */
#ifndef GOLDMEM_TRACE_H
#define GOLDMEM_TRACE_H

#include "goldmem/source.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a kernelslist(.g), a folder with one, a folder of kernel files, or one kernel file. Checks
 * the list at once, kernel files as it reads them. Memory does not grow with the length of the
 * files. Messages read "FILE:LINE: reason". */
int gm_trace_open(gm_source **source, const char *path, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
