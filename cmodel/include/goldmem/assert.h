/* Invariants and preconditions. Debug builds (make DEBUG=1, and SANITIZE=1, which define GM_DEBUG)
 * check them; in others nothing is left of them, not even the condition. */
#ifndef GOLDMEM_ASSERT_H
#define GOLDMEM_ASSERT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GM_ASSERT_PERIOD = 4096 }; /* transactions between two checks of a whole block or unit */

/* Private to the functions below. The count is no block's state: it is of the check, not of what is
 * checked. */
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

/* Counts a transaction of a block. Debug builds: true at every GM_ASSERT_PERIODth of the calling
 * thread, of whatever blocks. Others: false. */
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
