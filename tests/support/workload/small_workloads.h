/* The built-in workloads at sizes that run in tens of milliseconds. */
#ifndef GOLDMEM_TESTS_SUPPORT_WORKLOAD_SMALL_WORKLOADS_H
#define GOLDMEM_TESTS_SUPPORT_WORKLOAD_SMALL_WORKLOADS_H

/* "syrk,n=24" for "syrk"; the name itself when the test has no smaller size. */
const char *small_workload(const char *name);

#endif
