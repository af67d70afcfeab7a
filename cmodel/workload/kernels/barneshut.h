/* barneshut: the state that its files share. */
#ifndef GOLDMEM_WORKLOAD_KERNELS_BARNESHUT_H
#define GOLDMEM_WORKLOAD_KERNELS_BARNESHUT_H

#include "workload/octree.h"
#include "workload/workload_internal.h"

enum { GM_BARNESHUT_BLOCK = 256 }; /* threads */
#define GM_BARNESHUT_STEP 0.025F

typedef struct gm_barneshut {
    gm_octree tree;
    float *velocity[3], *acceleration[3];
    float *low[3], *high[3]; /* of each CTA's bodies */
    uint32_t box_ctas;
    float per_theta;
    bool has_acceleration; /* from the step before */
} gm_barneshut;

/* barneshut_force.c: the walk through the tree. */
extern const gm_code *const gm_barneshut_force;

#endif
