/* The workloads, sorted by name. */
#define GM_WORKLOADS(WORKLOAD)                                                                     \
    WORKLOAD(backprop)                                                                             \
    WORKLOAD(barneshut)                                                                            \
    WORKLOAD(bfs)                                                                                  \
    WORKLOAD(blackscholes)                                                                         \
    WORKLOAD(bptree)                                                                               \
    WORKLOAD(cfd)                                                                                  \
    WORKLOAD(conv2d)                                                                               \
    WORKLOAD(cutcp)                                                                                \
    WORKLOAD(fft)                                                                                  \
    WORKLOAD(fwt)                                                                                  \
    WORKLOAD(gather)                                                                               \
    WORKLOAD(gaussian)                                                                             \
    WORKLOAD(gesummv)                                                                              \
    WORKLOAD(gridding)                                                                             \
    WORKLOAD(heartwall)                                                                            \
    WORKLOAD(histo)                                                                                \
    WORKLOAD(hotspot)                                                                              \
    WORKLOAD(kmeans)                                                                               \
    WORKLOAD(lbm)                                                                                  \
    WORKLOAD(leukocyte)                                                                            \
    WORKLOAD(lud)                                                                                  \
    WORKLOAD(matmul_tiled)                                                                         \
    WORKLOAD(mm)                                                                                   \
    WORKLOAD(mriq)                                                                                 \
    WORKLOAD(nw)                                                                                   \
    WORKLOAD(particlefilter)                                                                       \
    WORKLOAD(pathfinder)                                                                           \
    WORKLOAD(sgemm)                                                                                \
    WORKLOAD(spmv)                                                                                 \
    WORKLOAD(srad)                                                                                 \
    WORKLOAD(srad2)                                                                                \
    WORKLOAD(sssp)                                                                                 \
    WORKLOAD(stencil3d)                                                                            \
    WORKLOAD(stream)                                                                               \
    WORKLOAD(syrk)                                                                                 \
    WORKLOAD(vectoradd)
