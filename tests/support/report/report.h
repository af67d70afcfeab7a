/* What the tests of reports share: a run with small numbers that all differ, and its report. */
#ifndef GOLDMEM_TESTS_SUPPORT_REPORT_REPORT_H
#define GOLDMEM_TESTS_SUPPORT_REPORT_REPORT_H

#include "goldmem/report.h"
#include "support/support.h"

/* Counter number i, in the order of the struct, is first + i; but those of l2.dirty=byte are 0. */
void test_statistics_fill(gm_statistics *statistics, uint64_t first);

/* The report of a run of `kernels` kernels on gtx480 with 2 SMs, 3 partitions of 2 banks. The
 * k-th kernel's counters are filled from 1000 * (7 * k mod kernels + 1), the total's from 100000,
 * SM i's from 200000 + 1000 * i, bank i's likewise from 300000, partition i's from 400000. Heap. */
char *test_report_of(gm_engine engine, gm_report_form form, unsigned kernels, bool per_unit,
                     const char *kernel_name, gm_analysis *analysis);

/* As test_report_of, with a coherence protocol. */
char *test_report_coherent(gm_coherence_protocol protocol, gm_engine engine, gm_report_form form,
                           unsigned kernels, bool per_unit, const char *kernel_name,
                           gm_analysis *analysis);

/* As test_report_of, of the order engine. */
char *test_report(gm_report_form form, unsigned kernels, bool per_unit, const char *kernel_name,
                  gm_analysis *analysis);

#endif
