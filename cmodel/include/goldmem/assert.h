/* Invariants and preconditions. Debug builds (make DEBUG=1, and SANITIZE=1, which define GM_DEBUG)
 * check them; other builds do not evaluate them. */
#ifndef GOLDMEM_ASSERT_H
#define GOLDMEM_ASSERT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_ASSERT_PERIOD = 4096 }; /* transactions between two checks of a whole block or unit */

/* Private to the macro and the function below. The count belongs to the checking thread, not to the
 * state of a block. */
void gm_assert_failed(const char *file, int line, const char *condition, const char *format, ...)
    __attribute__((noreturn, format(printf, 4, 5)));
unsigned gm_assert_count(void);

/* gm_assert(condition, format, ...): prints file, line, condition and the text, and aborts, unless
 * the condition holds. */
#ifdef GM_DEBUG
#define gm_assert(condition, ...)                                                                  \
    ((condition) ? (void)0 : gm_assert_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))
#else
#define gm_assert(condition, ...) ((void)sizeof(!(condition)))
#endif

/* Counts a transaction of a block. Debug builds: returns true at every GM_ASSERT_PERIODth
 * transaction of the calling thread, over all blocks. Other builds: returns false. */
static inline bool gm_assert_whole(void)
{
#ifdef GM_DEBUG
    return gm_assert_count() % GM_ASSERT_PERIOD == 0;
#else
    return false;
#endif
}
#ifdef __cplusplus
}
#endif

#endif
