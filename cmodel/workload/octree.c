/* The tree of Barnes and Hut's method. */
#include "workload/octree.h"

#include <errno.h>
#include <math.h>

/* Inserts a body: descends to a free place, or makes a new cell for it and the body that has the
 * place. A cell lies at its middle until it is summed up. */
static int insert(gm_octree *tree, int32_t body, gm_error *error)
{
    int32_t cell = 0;
    float half = *tree->radius;
    for (int depth = 0; depth < GM_OCTREE_DEPTH; depth++) {
        int octant = 0;
        for (int d = 0; d < 3; d++) {
            octant |= (tree->place[d][body] > tree->place[d][tree->bodies + cell]) << d;
        }
        int32_t *child = &tree->child[(size_t)cell * GM_OCTREE_CHILDREN + (size_t)octant];
        if (*child < 0) {
            *child = body;
            return 0;
        }
        if (*child < tree->bodies) {
            int32_t other = *child;
            if (tree->cells == tree->capacity) {
                break;
            }
            int32_t fresh = tree->cells++;
            *child = tree->bodies + fresh;
            int sub = 0;
            for (int d = 0; d < 3; d++) {
                float shift = (octant >> d & 1) != 0 ? half * 0.5F : -half * 0.5F;
                tree->place[d][tree->bodies + fresh] = tree->place[d][tree->bodies + cell] + shift;
                sub |= (tree->place[d][other] > tree->place[d][tree->bodies + fresh]) << d;
            }
            for (int k = 0; k < GM_OCTREE_CHILDREN; k++) {
                tree->child[(size_t)fresh * GM_OCTREE_CHILDREN + (size_t)k] = k == sub ? other : -1;
            }
        }
        cell = *child - tree->bodies;
        half *= 0.5F;
    }
    return gm_fail(error, -ERANGE, "octree: bodies too near to each other for a tree");
}

/* Computes mass, centre and bodies of a cell, and packs its children. Requires that its cells are
 * summed up. */
static void sum_up(gm_octree *tree, int32_t cell)
{
    int32_t *child = tree->child + (size_t)cell * GM_OCTREE_CHILDREN;
    float mass = 0.0F;
    float middle[3] = {0.0F, 0.0F, 0.0F};
    int32_t count = 0;
    int there = 0;
    for (int k = 0; k < GM_OCTREE_CHILDREN; k++) {
        int32_t node = child[k];
        if (node >= 0) {
            child[k] = -1;
            child[there++] = node;
            count += node < tree->bodies ? 1 : tree->count[node - tree->bodies];
            mass += tree->mass[node];
            for (int d = 0; d < 3; d++) {
                middle[d] += tree->place[d][node] * tree->mass[node];
            }
        }
    }
    tree->count[cell] = count;
    tree->mass[tree->bodies + cell] = mass;
    for (int d = 0; d < 3; d++) {
        tree->place[d][tree->bodies + cell] = middle[d] / mass;
    }
}

static void sort(gm_octree *tree)
{
    tree->start[0] = 0;
    for (int32_t cell = 0; cell < tree->cells; cell++) {
        int32_t at = tree->start[cell];
        for (int k = 0; k < GM_OCTREE_CHILDREN &&
                        tree->child[(size_t)cell * GM_OCTREE_CHILDREN + (size_t)k] >= 0;
             k++) {
            int32_t node = tree->child[(size_t)cell * GM_OCTREE_CHILDREN + (size_t)k];
            if (node < tree->bodies) {
                tree->sorted[at++] = node;
            } else {
                tree->start[node - tree->bodies] = at;
                at += tree->count[node - tree->bodies];
            }
        }
    }
}

int gm_octree_build(gm_octree *tree, const float low[3], const float high[3], gm_error *error)
{
    *tree->radius = 1e-6F;
    for (int d = 0; d < 3; d++) {
        tree->place[d][tree->bodies] = (low[d] + high[d]) * 0.5F;
        *tree->radius = fmaxf(*tree->radius, (high[d] - low[d]) * 0.5F);
    }
    tree->cells = 1;
    for (int k = 0; k < GM_OCTREE_CHILDREN; k++) {
        tree->child[k] = -1;
    }
    int code = 0;
    for (int32_t body = 0; code == 0 && body < tree->bodies; body++) {
        code = insert(tree, body, error);
    }
    if (code < 0) {
        return code;
    }
    for (int32_t cell = tree->cells - 1; cell >= 0; cell--) { /* cells inside have higher numbers */
        sum_up(tree, cell);
    }
    sort(tree);
    return 0;
}
