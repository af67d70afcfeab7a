/* The workloads, sorted by name. */
#define GM_WORKLOADS(WORKLOAD)                                                                     \
    WORKLOAD(gather)                                                                               \
    WORKLOAD(stream)                                                                               \
    WORKLOAD(syrk)                                                                                 \
    WORKLOAD(vectoradd)
