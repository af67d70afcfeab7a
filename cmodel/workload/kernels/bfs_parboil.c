/* Breadth-first search with queues [Parboil bfs, BFS_kernel; anssari, Table 4.2: dynamic sharing,
 * non-coalesced partitioned data, atomics]. A thread takes a node of the frontier from a queue; a
 * node found is counted by an atomic minimum of its cost, coloured by an exchange so that one
 * thread appends it, and appended to a queue of the CTA in shared memory, which becomes a block of
 * the next queue at a place given by one atomic addition of the CTA. */
#include "workload/graph.h"
#include "workload/workload_internal.h"

#include <string.h>

enum { NODES, DEGREE, SEED, GRAPH };
static const gm_workload_option options[] = {
    [NODES] = {"nodes", 1, 1 << 24, 1 << 16, false, "nodes of a random graph"},
    [DEGREE] = {"degree", 1, 1024, 6, false, "edges of a node, on average"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the random graph"},
    [GRAPH] = {"graph", 0, 0, 0, true, "file of Rodinia, METIS or SNAP, instead of a random graph"},
    {0},
};

enum { THREADS = 512, QUEUES = 8, LENGTH = 400, NOT_REACHED = INT32_MAX };
enum { WHITE, BLACK, GRAY /* and the next, by turns */ };

typedef struct edge {
    int32_t end, weight; /* 1: levels are asked for */
} edge;

typedef struct bfs {
    gm_graph_node *node;
    edge *edge;
    int32_t *cost, *colour;
    int32_t *queue[2]; /* this level's frontier, the next level's */
    int32_t *tail;     /* of queue[1] */
    int32_t frontier;  /* nodes in queue[0] */
    int32_t gray;
    uint32_t nodes;
} bfs;

typedef struct local_queues {
    int32_t tail[QUEUES];
    int32_t before[QUEUES]; /* elements in the queues before each */
    int32_t place;          /* of the CTA's elements in the next queue */
    int32_t element[QUEUES][LENGTH];
} local_queues;
typedef struct nothing {
    int32_t unused;
} nothing;

GM_PARTS(visit)

GM_PART(clear, bfs)
{
    (void)a;
    local_queues *s = t->shared;
    if (t->thread.x < QUEUES) {
        SHARED_STORE(t, &s->tail[t->thread.x], 0);
    }
}
GM_POINT(cleared)

/* Visits the edges of the thread's node. A full queue of the CTA passes its node on to the next
 * level's queue. */
GM_PART(expand, bfs)
{
    local_queues *s = t->shared;
    uint32_t i = GM_GLOBAL_X(t);
    uint32_t own = t->thread.x % QUEUES;
    COMPUTE(t, INTEGER, 2);
    if (i < (uint32_t)a->frontier) {
        int32_t parent = LOAD(t, a->queue[0] + i);
        COMPUTE(t, INTEGER, 1);
        STORE(t, a->colour + parent, BLACK);
        int32_t cost = LOAD(t, a->cost + parent);
        gm_graph_node node = LOAD(t, a->node + parent);
        COMPUTE(t, INTEGER, 1);
        for (int32_t e = node.first; e < node.first + node.edges; e++) {
            edge way = LOAD(t, a->edge + e);
            COMPUTE(t, INTEGER, 2);
            int32_t before = ATOMIC_MIN(t, a->cost + way.end, cost + way.weight);
            COMPUTE(t, INTEGER, 1);
            if (before > cost + way.weight) {
                int32_t colour = ATOMIC_EXCHANGE(t, a->colour + way.end, a->gray);
                COMPUTE(t, INTEGER, 1);
                if (colour != a->gray) {
                    int32_t at = SHARED_ATOMIC_ADD(t, &s->tail[own], 1);
                    COMPUTE(t, INTEGER, 1);
                    if (at < LENGTH) {
                        SHARED_STORE(t, &s->element[own][at], way.end);
                    } else {
                        int32_t place = ATOMIC_ADD(t, a->tail, 1);
                        COMPUTE(t, INTEGER, 1);
                        STORE(t, a->queue[1] + place, way.end);
                    }
                }
            }
            LOOP(t);
        }
    }
}
GM_POINT(expanded)

/* The first thread takes a block of the next queue for all elements of the CTA. */
GM_PART(reserve, bfs)
{
    local_queues *s = t->shared;
    if (t->thread.x == 0) {
        int32_t sum = 0;
        for (int32_t q = 0; q < QUEUES; q++) {
            int32_t tail = SHARED_LOAD(t, &s->tail[q]);
            COMPUTE(t, INTEGER, 2);
            SHARED_STORE(t, &s->before[q], sum);
            sum += tail < LENGTH ? tail : LENGTH;
            LOOP(t);
        }
        int32_t place = ATOMIC_ADD(t, a->tail, sum);
        SHARED_STORE(t, &s->place, place);
    }
}
GM_POINT(reserved)

GM_PART(append, bfs)
{
    local_queues *s = t->shared;
    uint32_t own = t->thread.x % QUEUES;
    COMPUTE(t, INTEGER, 2);
    int32_t tail = SHARED_LOAD(t, &s->tail[own]);
    int32_t before = SHARED_LOAD(t, &s->before[own]);
    int32_t place = SHARED_LOAD(t, &s->place);
    COMPUTE(t, INTEGER, 3);
    int32_t count = tail < LENGTH ? tail : LENGTH;
    for (int32_t i = (int32_t)(t->thread.x / QUEUES); i < count; i += THREADS / QUEUES) {
        int32_t node = SHARED_LOAD(t, &s->element[own][i]);
        COMPUTE(t, INTEGER, 1);
        STORE(t, a->queue[1] + place + before + i, node);
        LOOP(t);
    }
}

GM_WHOLE(visit, bfs)
{
    BEGIN(t)
    clear(t, a);
    BARRIER_AT(t, cleared);
    expand(t, a);
    BARRIER_AT(t, expanded);
    reserve(t, a);
    BARRIER_AT(t, reserved);
    append(t, a);
    END(t);
}
GM_BARRIER_KERNEL(visit, bfs, nothing, local_queues)

static int take_arrays(gm_workload *workload, bfs *s, const gm_graph *graph, gm_error *error)
{
    size_t nodes = graph->nodes;
    s->nodes = (uint32_t)nodes;
    s->node = gm_workload_input(workload, "node", nodes, sizeof *s->node, error);
    s->edge = gm_workload_input(workload, "edge", graph->edges, sizeof *s->edge, error);
    s->cost = gm_workload_input(workload, "cost", nodes, sizeof *s->cost, error);
    s->colour = gm_workload_input(workload, "colour", nodes, sizeof *s->colour, error);
    s->queue[0] = gm_workload_output(workload, "queue1", nodes, sizeof(int32_t), error);
    s->queue[1] = gm_workload_output(workload, "queue2", nodes, sizeof(int32_t), error);
    s->tail = gm_workload_output(workload, "tail", 1, sizeof *s->tail, error);
    bool all = s->node != NULL && s->edge != NULL && s->cost != NULL && s->colour != NULL &&
               s->queue[0] != NULL && s->queue[1] != NULL && s->tail != NULL;
    return all ? 0 : error->code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    bfs *s = state;
    gm_graph graph;
    const int64_t *value = workload->value;
    int code = workload->path[GRAPH] != NULL
                   ? gm_graph_read(&graph, workload->path[GRAPH], (uint64_t)value[SEED], error)
                   : gm_graph_make(&graph, (size_t)value[NODES], (uint64_t)value[DEGREE],
                                   (uint64_t)value[SEED], error);
    if (code == 0) {
        code = take_arrays(workload, s, &graph, error);
    }
    if (code == 0) {
        memcpy(s->node, graph.node, graph.nodes * sizeof *s->node);
        for (size_t i = 0; i < graph.edges; i++) {
            s->edge[i] = (edge){graph.end[i], 1};
        }
        for (uint32_t i = 0; i < s->nodes; i++) {
            s->cost[i] = i == graph.source ? 0 : NOT_REACHED;
            s->colour[i] = WHITE;
        }
        s->queue[0][0] = (int32_t)graph.source;
        s->frontier = 1;
        s->gray = GRAY;
    }
    gm_graph_free(&graph);
    return code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    bfs *s = state;
    if (step > 0) {
        int32_t *next = s->queue[1];
        s->queue[1] = s->queue[0];
        s->queue[0] = next;
        s->frontier = *s->tail;
        s->gray = GRAY + (int32_t)(step % 2);
    }
    *s->tail = 0;
    launch->code = &visit_code;
    launch->arguments = s;
    launch->block.x = THREADS;
    launch->grid.x = gm_blocks((uint64_t)s->frontier, THREADS);
    return s->frontier > 0;
}

extern const gm_workload_definition gm_workload_bfs_parboil;
const gm_workload_definition gm_workload_bfs_parboil = {
    .description = {"bfs_parboil", "breadth-first search with queues",
                    "Parboil bfs [anssari, Table 4.2: BFS]", options},
    .state_bytes = sizeof(bfs),
    .setup = setup,
    .launch = launch,
};
