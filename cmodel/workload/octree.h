/* The tree of Barnes and Hut's method [Barnes and Hut, A hierarchical O(N log N) force-calculation
 * algorithm, 1986], built by the host in arrays that a kernel walks: cubes cut into eight, down to
 * single bodies. */
#ifndef GOLDMEM_WORKLOAD_OCTREE_H
#define GOLDMEM_WORKLOAD_OCTREE_H

#include "goldmem/error.h"

#include <stddef.h>
#include <stdint.h>

enum { GM_OCTREE_DEPTH = 32, GM_OCTREE_CHILDREN = 8 };

/* Nodes are bodies, from 0, then cells, from `bodies`, the root first; a cell has a higher number
 * than the one that it is in. */
typedef struct gm_octree {
    float *place[3];        /* of nodes; of cells, their centres of mass */
    float *mass;            /* of nodes */
    int32_t *child;         /* of cell c, packed from [c * 8] on; -1: none */
    int32_t *sorted;        /* bodies, grouped by cell */
    int32_t *count, *start; /* bodies of a cell; where they begin in sorted[] */
    float *radius;          /* half of the root's side */
    int32_t bodies;
    int32_t cells, capacity; /* in use; in the arrays */
} gm_octree;

/* Builds the tree from the bodies' places, which lie between low and high, and their masses.
 * Returns 0, or -ERANGE if it needs more cells or levels than the capacity. */
int gm_octree_build(gm_octree *tree, const float low[3], const float high[3], gm_error *error);

#endif
