/* The name that a mistyped word may have meant. */
#ifndef GOLDMEM_NEAREST_H
#define GOLDMEM_NEAREST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name nearest to `word` by edit distance, or NULL when none is near (up to a third of the word
 * and one edit). `names` points at the first of `count` names, `stride` bytes apart; those longer
 * than 64 characters are passed over. */
const char *gm_nearest(const char *word, const char *const *names, size_t count, size_t stride);

#ifdef __cplusplus
}
#endif

#endif
