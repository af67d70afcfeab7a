/* Digests: one number for each kernel, copy, CTA, warp and instruction of a source, so that two
 * sources can be compared and the first difference named. */
#ifndef GOLDMEM_TESTS_SUPPORT_TRACE_DIGEST_H
#define GOLDMEM_TESTS_SUPPORT_TRACE_DIGEST_H

#include "goldmem/source.h"

#include <stddef.h>

/* What a form of trace cannot say, or'ed. */
enum {
    TEST_NO_IMMEDIATE = 1, /* tracer versions before late 4 */
    TEST_ONLY_GENERAL = 2, /* text: only registers R0..R255 */
    TEST_NO_VERSION = 4,   /* written as another tracer version */
};

typedef struct test_digest {
    uint64_t *values;
    size_t count, capacity;
} test_digest;

/* Digests what is left of the source; CTAs without instructions do not count. Returns 0 or the
 * source's error. */
int test_digest_source(test_digest *digest, gm_source *source, unsigned cannot, gm_error *error);

/* Fails the test at the first difference. */
void test_digest_equal(const test_digest *got, const test_digest *expected, const char *what);

void test_digest_free(test_digest *digest);

#endif
