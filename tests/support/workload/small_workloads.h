/* The built-in workloads at sizes that run in tens of milliseconds. */
#ifndef GOLDMEM_TESTS_SUPPORT_WORKLOAD_SMALL_WORKLOADS_H
#define GOLDMEM_TESTS_SUPPORT_WORKLOAD_SMALL_WORKLOADS_H

/* "syrk,n=8" for "syrk". Fails the test for a workload without a small size: small_workloads.c. */
const char *small_workload(const char *name);

#endif
