/* Partition of an octree by task queues with stealing [singh, Table 3 (DLB): "task-stealing ...
 * non-blocking task queues to load balance the partitioning of an octree"; Cederman, Tsigas, On
 * dynamic load balancing on graphics processors, EUROGRAPHICS 2008]. A task is an octant with its
 * particles; a CTA sorts them into the eight octants below it, and each of these that still has
 * more than `leaf` becomes a task.
 *
 * Each CTA has a deque of Arora, Blumofe, Plaxton, Thread scheduling for multiprogrammed
 * multiprocessors, SPAA 1998: it pushes and pops at the bottom, others steal at the top, where a
 * tag tells one use of a place from the next. Their memory is sequentially consistent: here fences
 * stand between the accesses whose order matters.
 *
 * queues=1: all CTAs share one queue, in an array, after Tsigas, Zhang, A simple, fast and scalable
 * non-blocking concurrent FIFO queue for shared memory multiprocessor systems, SPAA 2001: a CAS on
 * a place inserts or takes; head and tail may lie behind. Here no place is used twice. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <stdlib.h>

enum { N, LEAF, CTAS, SEED, QUEUES, THREADS };
static const gm_workload_option options[] = {
    [N] = {"n", 1, 1 << 22, 8192, false, "particles; [singh]: 100000"},
    [LEAF] = {"leaf", 1, 1 << 16, 32, false, "most particles of an octant that is not divided"},
    [CTAS] = {"ctas", 1, 4096, 30, false, "CTAs"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the particles"},
    [QUEUES] = {"queues", 0, 1, 0, false, "0: a deque of each CTA, 1: one queue"},
    [THREADS] = {"threads", 8, 1024, 64, false, "of a CTA"},
    {0},
};

enum {
    OCTANTS = 8,
    LEVELS = 10,   /* bits of a coordinate */
    DEQUE = 32,    /* words of a deque's own line: bottom, then age */
    SIZE_BITS = 24 /* of a task's second word: particles, below the level */
};

/* What a place of the queue holds whose task is taken; 0: no task yet, else its number and one. */
#define TAKEN UINT32_MAX

/* A particle: its number, below its code, in which the coordinates' bits take turns, highest first.
 */
typedef uint64_t particle;

typedef struct worksteal {
    particle *particles[2]; /* those of level k are in [k & 1] */
    uint32_t *leaf;         /* [n] where a leaf begins: its size, below its level; else 0 */
    uint32_t *deque;        /* [ctas][DEQUE] */
    uint32_t *task;         /* [ctas][places][2] first particle; size and level */
    uint32_t *queue;        /* [places + 1] */
    uint32_t *ends;         /* [2][DEQUE] no task is before the head, or behind the tail */
    uint32_t *done;         /* particles in leaves */
    uint32_t *stolen;       /* [ctas] tasks that each CTA has stolen */
    uint32_t n, most, places;
    particle *input; /* the host's */
} worksteal;

typedef struct sort {
    uint32_t first, size, done;
    uint32_t count[OCTANTS], place[OCTANTS]; /* of each octant; where its next particle goes */
} sort;

typedef struct worksteal_locals {
    uint32_t first, size, done, level;
    uint32_t bottom; /* of the own deque: only its CTA changes it */
    uint32_t age, next, seen, old, victim, octant, leaves, stolen, place;
} worksteal_locals;

/* An age: tag, above the place of the top. */
static inline uint32_t top_of(uint32_t age)
{
    return age & UINT16_MAX;
}

static inline unsigned octant_of(particle p, uint32_t level)
{
    return (unsigned)(p >> (32 + 3 * (LEVELS - 1 - level))) & (OCTANTS - 1);
}

GM_PARTS(share)
GM_PARTS(steal)

GM_PART(clear_counts, worksteal)
{
    (void)a;
    sort *s = t->shared;
    if (t->thread.x < OCTANTS) {
        SHARED_STORE(t, &s->count[t->thread.x], 0U);
    }
}
GM_POINT(cleared)

/* Counts the thread's particles by octant. */
GM_PART(count_particles, worksteal)
{
    sort *s = t->shared;
    const worksteal_locals *l = t->locals;
    for (uint32_t i = t->thread.x; i < l->size; i += t->block.x) {
        particle p = LOAD(t, a->particles[l->level & 1] + l->first + i);
        COMPUTE(t, INTEGER, 3);
        (void)SHARED_ATOMIC_ADD(t, &s->count[octant_of(p, l->level)], 1U);
        LOOP(t);
    }
}
GM_POINT(counted)

/* Finds where each octant's particles begin. */
GM_PART(find_places, worksteal)
{
    (void)a;
    sort *s = t->shared;
    uint32_t place = 0;
    for (uint32_t k = 0; k < OCTANTS; k++) {
        uint32_t count = SHARED_LOAD(t, &s->count[k]);
        COMPUTE(t, INTEGER, 1);
        SHARED_STORE(t, &s->place[k], place);
        place += count;
        LOOP(t);
    }
}
GM_POINT(placed)

/* Moves the thread's particles. */
GM_PART(move_particles, worksteal)
{
    sort *s = t->shared;
    const worksteal_locals *l = t->locals;
    for (uint32_t i = t->thread.x; i < l->size; i += t->block.x) {
        particle p = LOAD(t, a->particles[l->level & 1] + l->first + i);
        COMPUTE(t, INTEGER, 3);
        uint32_t place = SHARED_ATOMIC_ADD(t, &s->place[octant_of(p, l->level)], 1U);
        COMPUTE(t, INTEGER, 1);
        STORE(t, a->particles[~l->level & 1] + l->first + place, p);
        LOOP(t);
    }
    FENCE(t, GPU);
}
GM_POINT(moved)

/* A CTA begins with the root, or with nothing; it divides its task, then gets another. */
GM_WHOLE(steal, worksteal)
{
    sort *s = t->shared;
    worksteal_locals *l = t->locals;
    uint32_t *own = a->deque + (size_t)t->cta.x * DEQUE;
    uint32_t *tasks = a->task + (size_t)t->cta.x * a->places * 2;
    BEGIN(t)
    l->size = t->cta.x == 0 ? a->n : 0;
    l->victim = t->cta.x;
    for (;;) {
        if (l->size != 0) {
            clear_counts(t, a);
            BARRIER_AT(t, cleared);
            count_particles(t, a);
            BARRIER_AT(t, counted);
            if (t->thread.x == 0) {
                find_places(t, a);
            }
            BARRIER_AT(t, placed);
            move_particles(t, a);
            BARRIER_AT(t, moved);
            if (t->thread.x == 0) {
                l->leaves = 0;
                for (l->octant = 0; l->octant < OCTANTS; l->octant++) {
                    uint32_t count = SHARED_LOAD(t, &s->count[l->octant]);
                    COMPUTE(t, INTEGER, 2);
                    l->seen = count | (l->level + 1) << SIZE_BITS;
                    if (count != 0 && (count <= a->most || l->level + 1 == LEVELS)) {
                        STORE(t, a->leaf + l->first, l->seen);
                        l->leaves += count;
                    } else if (count != 0) { /* push */
                        SYNC_STORE(t, tasks + (size_t)l->bottom * 2, l->first);
                        SYNC_STORE(t, tasks + (size_t)l->bottom * 2 + 1, l->seen);
                        l->bottom++;
                    }
                    l->first += l->seen & ((1U << SIZE_BITS) - 1);
                    LOOP(t);
                }
                FENCE(t, GPU);
                SYNC_STORE(t, own, l->bottom);
                if (l->leaves != 0) {
                    SYNC_ADD(t, l->old, a->done, l->leaves);
                }
            }
        }
        if (t->thread.x == 0) {
            l->size = 0;
            l->done = 0;
            if (l->bottom != 0) { /* pop */
                l->bottom--;
                SYNC_STORE(t, own, l->bottom);
                FENCE(t, GPU);
                SYNC_LOAD(t, l->first, tasks + (size_t)l->bottom * 2);
                SYNC_LOAD(t, l->size, tasks + (size_t)l->bottom * 2 + 1);
                SYNC_LOAD(t, l->age, own + 1);
                COMPUTE(t, INTEGER, 2);
                if (l->bottom <= top_of(l->age)) { /* perhaps another has it */
                    l->next = (l->age / (UINT16_MAX + 1) + 1) * (UINT16_MAX + 1);
                    SYNC_STORE(t, own, 0U);
                    FENCE(t, GPU);
                    l->old = ~l->age;
                    if (l->bottom == top_of(l->age)) {
                        SYNC_CAS(t, l->old, own + 1, l->age, l->next);
                    }
                    if (l->old != l->age) {
                        SYNC_STORE(t, own + 1, l->next);
                        l->size = 0;
                    }
                    l->bottom = 0;
                }
            }
            if (l->size == 0 && t->grid.x > 1) { /* steal */
                l->victim = (l->victim + 1) % t->grid.x;
                l->victim = l->victim == t->cta.x ? (l->victim + 1) % t->grid.x : l->victim;
                COMPUTE(t, INTEGER, 3);
                SYNC_LOAD(t, l->age, a->deque + (size_t)l->victim * DEQUE + 1);
                FENCE(t, GPU);
                SYNC_LOAD(t, l->seen, a->deque + (size_t)l->victim * DEQUE);
                COMPUTE(t, INTEGER, 2);
                if (l->seen > top_of(l->age)) {
                    FENCE(t, GPU);
                    l->octant = l->victim * a->places + top_of(l->age);
                    SYNC_LOAD(t, l->first, a->task + (size_t)l->octant * 2);
                    SYNC_LOAD(t, l->size, a->task + (size_t)l->octant * 2 + 1);
                    SYNC_CAS(t, l->old, a->deque + (size_t)l->victim * DEQUE + 1, l->age,
                             l->age + 1);
                    l->size = l->old == l->age ? l->size : 0;
                    l->stolen += l->size != 0;
                }
            }
            if (l->size == 0) {
                SYNC_LOAD(t, l->done, a->done);
            }
            SHARED_STORE(t, &s->first, l->first);
            SHARED_STORE(t, &s->size, l->size);
            SHARED_STORE(t, &s->done, l->done);
        }
        BARRIER(t);
        FENCE(t, GPU);
        l->first = SHARED_LOAD(t, &s->first);
        l->size = SHARED_LOAD(t, &s->size);
        l->done = SHARED_LOAD(t, &s->done);
        l->level = l->size >> SIZE_BITS;
        l->size &= (1U << SIZE_BITS) - 1;
        COMPUTE(t, INTEGER, 3);
        if (l->done == a->n) {
            break;
        }
        BARRIER(t);
        LOOP(t);
    }
    if (t->thread.x == 0) {
        STORE(t, a->stolen + t->cta.x, l->stolen);
    }
    END(t);
}
GM_SYNC_BARRIER_KERNEL(steal, worksteal, worksteal_locals, sort)

/* As steal, with one queue. */
GM_WHOLE(share, worksteal)
{
    sort *s = t->shared;
    worksteal_locals *l = t->locals;
    uint32_t *tasks = a->task + (size_t)t->cta.x * a->places * 2;
    BEGIN(t)
    l->size = t->cta.x == 0 ? a->n : 0;
    for (;;) {
        if (l->size != 0) {
            clear_counts(t, a);
            BARRIER_AT(t, cleared);
            count_particles(t, a);
            BARRIER_AT(t, counted);
            if (t->thread.x == 0) {
                find_places(t, a);
            }
            BARRIER_AT(t, placed);
            move_particles(t, a);
            BARRIER_AT(t, moved);
            if (t->thread.x == 0) {
                l->leaves = 0;
                for (l->octant = 0; l->octant < OCTANTS; l->octant++) {
                    uint32_t count = SHARED_LOAD(t, &s->count[l->octant]);
                    COMPUTE(t, INTEGER, 2);
                    l->seen = count | (l->level + 1) << SIZE_BITS;
                    if (count != 0 && (count <= a->most || l->level + 1 == LEVELS)) {
                        STORE(t, a->leaf + l->first, l->seen);
                        l->leaves += count;
                    } else if (count != 0) { /* insert */
                        SYNC_STORE(t, tasks + (size_t)l->bottom * 2, l->first);
                        SYNC_STORE(t, tasks + (size_t)l->bottom * 2 + 1, l->seen);
                        FENCE(t, GPU);
                        l->bottom++;
                        SYNC_LOAD(t, l->place, a->ends + DEQUE);
                        for (;;) {
                            SYNC_CAS(t, l->old, a->queue + l->place, 0U,
                                     t->cta.x * a->places + l->bottom);
                            COMPUTE(t, INTEGER, 1);
                            l->place++;
                            if (l->old == 0) {
                                break;
                            }
                            LOOP(t);
                        }
                        SYNC_MAX(t, l->old, a->ends + DEQUE, l->place);
                    }
                    l->first += l->seen & ((1U << SIZE_BITS) - 1);
                    LOOP(t);
                }
                if (l->leaves != 0) {
                    FENCE(t, GPU);
                    SYNC_ADD(t, l->old, a->done, l->leaves);
                }
            }
        }
        if (t->thread.x == 0) {
            l->size = 0;
            l->done = 0;
            SYNC_LOAD(t, l->place, a->ends);
            for (;;) { /* take the first task */
                SYNC_LOAD(t, l->seen, a->queue + l->place);
                COMPUTE(t, INTEGER, 1);
                l->place++;
                l->old = ~l->seen;
                if (l->seen != 0 && l->seen != TAKEN) {
                    SYNC_CAS(t, l->old, a->queue + l->place - 1, l->seen, TAKEN);
                }
                if (l->seen == 0 || l->old == l->seen) {
                    break;
                }
                LOOP(t);
            }
            if (l->seen == 0) {
                SYNC_LOAD(t, l->done, a->done);
            } else {
                SYNC_MAX(t, l->old, a->ends, l->place);
                FENCE(t, GPU);
                SYNC_LOAD(t, l->first, a->task + (size_t)(l->seen - 1) * 2);
                SYNC_LOAD(t, l->size, a->task + (size_t)(l->seen - 1) * 2 + 1);
                l->stolen += (l->seen - 1) / a->places != t->cta.x;
            }
            SHARED_STORE(t, &s->first, l->first);
            SHARED_STORE(t, &s->size, l->size);
            SHARED_STORE(t, &s->done, l->done);
        }
        BARRIER(t);
        FENCE(t, GPU);
        l->first = SHARED_LOAD(t, &s->first);
        l->size = SHARED_LOAD(t, &s->size);
        l->done = SHARED_LOAD(t, &s->done);
        l->level = l->size >> SIZE_BITS;
        l->size &= (1U << SIZE_BITS) - 1;
        COMPUTE(t, INTEGER, 3);
        if (l->done == a->n) {
            break;
        }
        BARRIER(t);
        LOOP(t);
    }
    if (t->thread.x == 0) {
        STORE(t, a->stolen + t->cta.x, l->stolen);
    }
    END(t);
}
GM_SYNC_BARRIER_KERNEL(share, worksteal, worksteal_locals, sort)

/* The octree on the host: writes the leaves below an octant, whose particles are sorted by code. */
static void divide_on_host(const worksteal *a, const particle *sorted, uint32_t first,
                           uint32_t size, uint32_t level, uint32_t *leaf)
{
    uint32_t end = first;
    for (unsigned k = 0; k < OCTANTS; k++) {
        uint32_t begin = end;
        while (end < first + size && octant_of(sorted[end], level) == k) {
            end++;
        }
        uint32_t count = end - begin;
        if (count > a->most && level + 1 < LEVELS) {
            divide_on_host(a, sorted, begin, count, level + 1, leaf);
        } else if (count != 0) {
            leaf[begin] = count | (level + 1) << SIZE_BITS;
        }
    }
}

static int by_number(const void *a, const void *b)
{
    particle x = *(const particle *)a;
    particle y = *(const particle *)b;
    return (x > y) - (x < y);
}

/* Compares leaves and their particles, whose order within a leaf is free, with the host's. */
static int compare(const worksteal *a, particle *sorted, const uint32_t *leaf, gm_error *error)
{
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->leaf[i] != leaf[i]) {
            return gm_fail(error, -EPROTO, "worksteal: particle %u begins leaf 0x%x, not 0x%x", i,
                           a->leaf[i], leaf[i]);
        }
        uint32_t size = leaf[i] & ((1U << SIZE_BITS) - 1);
        if (size != 0) {
            const particle *found = a->particles[leaf[i] >> SIZE_BITS & 1] + i;
            memcpy(sorted + i, found, size * sizeof *sorted);
            qsort(sorted + i, size, sizeof *sorted, by_number);
        }
    }
    for (uint32_t i = 0; i < a->n; i++) {
        if (sorted[i] != a->input[i]) {
            return gm_fail(error, -EPROTO, "worksteal: place %u has particle %u, not %u", i,
                           (unsigned)sorted[i], (unsigned)a->input[i]);
        }
    }
    return 0;
}

static int check(const worksteal *a, gm_error *error)
{
    particle *sorted = calloc(a->n, sizeof *sorted);
    uint32_t *leaf = calloc(a->n, sizeof *leaf);
    int code;
    if (sorted == NULL || leaf == NULL) {
        code = gm_fail(error, -ENOMEM, "out of memory: worksteal");
    } else {
        divide_on_host(a, a->input, 0, a->n, 0, leaf);
        code = compare(a, sorted, leaf, error);
    }
    free(sorted);
    free(leaf);
    return code;
}

/* Returns a code: half of the particles lie towards one corner, so that octants differ in size. */
static particle random_code(uint64_t *random, uint32_t number)
{
    uint32_t code = (uint32_t)gm_random_below(random, 1U << 3 * LEVELS);
    if (number % 2 == 0) {
        code &= (uint32_t)gm_random_below(random, 1U << 3 * LEVELS);
    }
    return (particle)code << 32;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    worksteal *a = state;
    size_t ctas = (size_t)workload->value[CTAS];
    a->n = (uint32_t)workload->value[N];
    a->most = (uint32_t)workload->value[LEAF];
    uint64_t places = (uint64_t)(LEVELS - 1) * (a->n / (a->most + 1)) + OCTANTS;
    if (places > UINT16_MAX && workload->value[QUEUES] == 0) {
        return gm_fail(error, -EINVAL,
                       "worksteal: n=%u, leaf=%u: a deque may need %llu places; it has at most %u",
                       a->n, a->most, (unsigned long long)places, UINT16_MAX);
    }
    a->places = (uint32_t)places;
    for (unsigned k = 0; k < 2; k++) {
        static const char *const names[] = {"particles", "moved"};
        a->particles[k] = gm_workload_input(workload, names[k], a->n, sizeof(particle), error);
        if (a->particles[k] == NULL) {
            return error->code;
        }
    }
    a->leaf = gm_workload_input(workload, "leaf", a->n, sizeof(uint32_t), error);
    a->deque = gm_workload_input(workload, "deque", ctas * DEQUE, sizeof(uint32_t), error);
    a->task = gm_workload_output(workload, "task", ctas * places * 2, sizeof(uint32_t), error);
    a->done = gm_workload_input(workload, "done", 1, sizeof(uint32_t), error);
    a->stolen = gm_workload_output(workload, "stolen", ctas, sizeof(uint32_t), error);
    if (a->leaf == NULL || a->deque == NULL || a->task == NULL || a->done == NULL ||
        a->stolen == NULL) {
        return error->code;
    }
    if (workload->value[QUEUES] == 1) {
        a->queue = gm_workload_input(workload, "queue", places + 1, sizeof(uint32_t), error);
        a->ends = gm_workload_input(workload, "ends", 2 * (size_t)DEQUE, sizeof(uint32_t), error);
        if (a->queue == NULL || a->ends == NULL) {
            return error->code;
        }
    }
    a->input = malloc(a->n * sizeof *a->input);
    if (a->input == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: worksteal");
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (uint32_t i = 0; i < a->n; i++) {
        a->particles[0][i] = random_code(&random, i) | i;
    }
    memcpy(a->input, a->particles[0], a->n * sizeof *a->input);
    qsort(a->input, a->n, sizeof *a->input, by_number);
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    worksteal *a = state;
    if (step == 1) {
        return check(a, error);
    }
    launch->code = workload->value[QUEUES] == 1 ? &share_code : &steal_code;
    launch->arguments = state;
    launch->block.x = (uint32_t)workload->value[THREADS];
    launch->grid.x = (uint32_t)workload->value[CTAS];
    return 1;
}

static void finish(void *state)
{
    worksteal *a = state;
    free(a->input);
}

extern const gm_workload_definition gm_workload_worksteal;
const gm_workload_definition gm_workload_worksteal = {
    .description = {"worksteal", "partition of an octree, task queues with stealing",
                    "after [singh] (DLB)", options},
    .state_bytes = sizeof(worksteal),
    .setup = setup,
    .launch = launch,
    .finish = finish,
    .communicates = true,
};
