/* The workloads, sorted by name. */
#define GM_WORKLOADS(WORKLOAD)                                                                     \
    WORKLOAD(blackscholes)                                                                         \
    WORKLOAD(conv2d)                                                                               \
    WORKLOAD(fwt)                                                                                  \
    WORKLOAD(gather)                                                                               \
    WORKLOAD(gesummv)                                                                              \
    WORKLOAD(hotspot)                                                                              \
    WORKLOAD(mm)                                                                                   \
    WORKLOAD(nw)                                                                                   \
    WORKLOAD(stream)                                                                               \
    WORKLOAD(syrk)                                                                                 \
    WORKLOAD(vectoradd)
