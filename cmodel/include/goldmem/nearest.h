/* Spelling suggestions: the known name nearest to a mistyped word. */
#ifndef GOLDMEM_NEAREST_H
#define GOLDMEM_NEAREST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the name nearest to `word` by edit distance, or NULL when none is near (up to a third of
 * the word and one edit). `names` points at the first of `count` names, `stride` bytes apart; names
 * longer than 64 characters are ignored. */
const char *gm_nearest(const char *word, const char *const *names, size_t count, size_t stride);

#ifdef __cplusplus
}
#endif

#endif
