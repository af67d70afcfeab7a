/* What the tests of gpgpusim.config share: texts that are read, and texts that are refused. */
#ifndef GOLDMEM_TESTS_SUPPORT_CONFIG_GPGPUSIM_H
#define GOLDMEM_TESTS_SUPPORT_CONFIG_GPGPUSIM_H

#include "support/support.h"

#include "goldmem/config.h"

enum { TEST_GPGPUSIM_KEYS = 40 };

/* A file, assignments that make the same configuration from the defaults, and what is
 * told: "-unmodelled (instead)\n", "-unknown ?NEAREST\n", "-irrelevant\n". */
typedef struct test_gpgpusim_row {
    const char *text;
    const char *same[TEST_GPGPUSIM_KEYS];
    const char *told;
} test_gpgpusim_row;

typedef struct test_gpgpusim_refusal {
    const char *text, *message;
} test_gpgpusim_refusal;

/* The defaults, then the text as "g.config". */
int test_gpgpusim_read(gm_config *config, const char *text, gm_import *import, gm_error *error);

void test_gpgpusim_rows(const test_gpgpusim_row *rows, size_t count);

/* -EINVAL with the message, and the configuration as it was. */
void test_gpgpusim_refusals(const test_gpgpusim_refusal *rows, size_t count);

#endif
