/* Sizes and places of what a caller lays out itself who cannot read these headers (another language
 * than C), so that it can check its layout against the library that it has loaded. */
#ifndef GOLDMEM_ABI_H
#define GOLDMEM_ABI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the bytes of a struct, "gm_memory_request", or of a member, "gm_memory_request.port"; 0
 * for a name that is not in the table of cmodel/base/abi.c. */
size_t gm_abi_size(const char *name);

/* Returns a member's offset in its struct; 0 for a struct or a name that is not there. */
size_t gm_abi_offset(const char *name);

#ifdef __cplusplus
}
#endif

#endif
