/* Barneshut's forces: a warp walks the tree for its 32 bodies together, its stack in shared memory:
 * it takes a cell as a point if that is far enough from all of them. */
#include "workload/kernels/barneshut.h"

#include <math.h>

enum { DEPTH = GM_OCTREE_DEPTH };
static const float SOFTENING = 0.0025F; /* added to squared distances */

typedef struct stack {
    int32_t cell[DEPTH], next[DEPTH]; /* a cell, and which of its children is next */
} stack;
typedef struct force_locals {
    float place[3], force[3];
    int32_t body, depth;
    uint32_t visits;
    stack kept; /* over a yield */
} force_locals;
typedef struct force_shared {
    float far[DEPTH]; /* squared distance from which on a child of a cell at that depth is far */
    stack stack[GM_BARNESHUT_BLOCK / GM_WARP_SIZE];
} force_shared;

static inline float squared_distance(const float *const to[3], int32_t node, const float from[3])
{
    float dx = to[0][node] - from[0];
    float dy = to[1][node] - from[1];
    float dz = to[2][node] - from[2];
    return dx * dx + (dy * dy + (dz * dz + SOFTENING));
}

/* The warp's vote (CUDA's __all): each lane computes it for all lanes, from shared memory. */
static inline bool all_are_far(const gm_barneshut *a, uint32_t thread, int32_t cell, float far)
{
    const float *const place[3] = {a->tree.place[0], a->tree.place[1], a->tree.place[2]};
    uint32_t first = thread / GM_WARP_SIZE * GM_WARP_SIZE;
    for (uint32_t k = first; k < first + GM_WARP_SIZE && k < (uint32_t)a->tree.bodies; k++) {
        int32_t body = a->tree.sorted[k];
        const float from[3] = {place[0][body], place[1][body], place[2][body]};
        if (squared_distance(place, cell, from) < far) {
            return false;
        }
    }
    return true;
}

GM_PARTS(force)

/* Computes the squared distances from which on cells are far. */
GM_PART(find_far, gm_barneshut)
{
    force_shared *s = t->shared;
    COMPUTE(t, INTEGER, 3);
    if (t->thread.x == 0) {
        float far = LOAD(t, a->tree.radius);
        COMPUTE(t, FP32, 3);
        far = far * a->per_theta * (far * a->per_theta);
        for (uint32_t i = 0; i < DEPTH; i++) {
            COMPUTE(t, FP32, 2);
            SHARED_STORE(t, &s->far[i], far + SOFTENING);
            far *= 0.25F;
            LOOP(t);
        }
    }
}

GM_POINT(far_known)

GM_PART(begin_walk, gm_barneshut)
{
    force_locals *l = t->locals;
    force_shared *s = t->shared;
    stack *own = &s->stack[t->thread.x / GM_WARP_SIZE];
    l->body = LOAD(t, a->tree.sorted + GM_GLOBAL_X(t));
    COMPUTE(t, INTEGER, 1);
    l->place[0] = LOAD(t, a->tree.place[0] + l->body);
    l->place[1] = LOAD(t, a->tree.place[1] + l->body);
    l->place[2] = LOAD(t, a->tree.place[2] + l->body);
    SHARED_STORE(t, &own->cell[0], 0);
    SHARED_STORE(t, &own->next[0], 0);
}

/* Visits a node: adds the force of a point, descends into a cell that is near. */
GM_PART(visit, gm_barneshut)
{
    force_locals *l = t->locals;
    force_shared *s = t->shared;
    stack *own = &s->stack[t->thread.x / GM_WARP_SIZE];
    int32_t next = SHARED_LOAD(t, &own->next[l->depth]);
    COMPUTE(t, INTEGER, 1);
    if (next == GM_OCTREE_CHILDREN) {
        l->depth--;
        return;
    }
    int32_t cell = SHARED_LOAD(t, &own->cell[l->depth]);
    COMPUTE(t, INTEGER, 2);
    int32_t node = LOAD(t, a->tree.child + (size_t)cell * GM_OCTREE_CHILDREN + next);
    SHARED_STORE(t, &own->next[l->depth], next + 1);
    COMPUTE(t, INTEGER, 1);
    if (node < 0) {
        l->depth--; /* the other children are missing too */
        return;
    }
    float dx = LOAD(t, a->tree.place[0] + node) - l->place[0];
    float dy = LOAD(t, a->tree.place[1] + node) - l->place[1];
    float dz = LOAD(t, a->tree.place[2] + node) - l->place[2];
    COMPUTE(t, FP32, 6);
    float distance = dx * dx + (dy * dy + (dz * dz + SOFTENING));
    bool is_point = node < a->tree.bodies;
    if (!is_point) {
        float far = SHARED_LOAD(t, &s->far[l->depth]);
        COMPUTE(t, INTEGER, 2);
        is_point = all_are_far(a, GM_GLOBAL_X(t), node, far);
    }
    if (is_point) {
        float mass = LOAD(t, a->tree.mass + node);
        COMPUTE(t, SPECIAL, 1);
        COMPUTE(t, FP32, 6);
        float scale = 1.0F / sqrtf(distance);
        scale = mass * scale * scale * scale;
        l->force[0] += dx * scale;
        l->force[1] += dy * scale;
        l->force[2] += dz * scale;
    } else {
        l->depth++;
        SHARED_STORE(t, &own->cell[l->depth], node - a->tree.bodies);
        SHARED_STORE(t, &own->next[l->depth], 0);
    }
}

/* All lanes of a warp take one path and write equal values to the stack. The executor runs the
 * lanes one after the other up to a yield, at which each keeps its copy of the stack. */
GM_WHOLE(force, gm_barneshut)
{
    force_locals *l = t->locals;
    force_shared *s = t->shared;
    stack *own = &s->stack[t->thread.x / GM_WARP_SIZE];
    BEGIN(t)
    find_far(t, a);
    BARRIER_AT(t, far_known);
    if (GM_GLOBAL_X(t) < (uint32_t)a->tree.bodies) {
        begin_walk(t, a);
        while (l->depth >= 0) {
            visit(t, a);
            if (++l->visits % 1024 == 0) {
                l->kept = *own;
                YIELD(t);
                *own = l->kept;
            }
            LOOP(t);
        }
        if (a->has_acceleration) {
            COMPUTE(t, INTEGER, 1);
            float ax = LOAD(t, a->acceleration[0] + l->body);
            float ay = LOAD(t, a->acceleration[1] + l->body);
            float az = LOAD(t, a->acceleration[2] + l->body);
            float vx = LOAD(t, a->velocity[0] + l->body);
            float vy = LOAD(t, a->velocity[1] + l->body);
            float vz = LOAD(t, a->velocity[2] + l->body);
            COMPUTE(t, FP32, 6);
            STORE(t, a->velocity[0] + l->body, vx + (l->force[0] - ax) * GM_BARNESHUT_STEP * 0.5F);
            STORE(t, a->velocity[1] + l->body, vy + (l->force[1] - ay) * GM_BARNESHUT_STEP * 0.5F);
            STORE(t, a->velocity[2] + l->body, vz + (l->force[2] - az) * GM_BARNESHUT_STEP * 0.5F);
        }
        STORE(t, a->acceleration[0] + l->body, l->force[0]);
        STORE(t, a->acceleration[1] + l->body, l->force[1]);
        STORE(t, a->acceleration[2] + l->body, l->force[2]);
    }
    END(t);
}
GM_BARRIER_KERNEL(force, gm_barneshut, force_locals, force_shared)

const gm_code *const gm_barneshut_force = &force_code;
