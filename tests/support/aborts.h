/* Transactions that debug assertions end (goldmem/assert.h). */
#ifndef GOLDMEM_TESTS_SUPPORT_ABORTS_H
#define GOLDMEM_TESTS_SUPPORT_ABORTS_H

#include "support/support.h"

/* True in builds that check invariants. */
extern const bool test_debug;

/* Fails the calling test unless the transaction aborts with the text on its standard error. Skips
 * it in builds that check no invariants. */
void test_aborts(void (*transaction)(void *state), void *state, const char *text);

#endif
