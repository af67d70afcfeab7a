/* Breadth-first search, level by level [Rodinia bfs, Kernel and Kernel2; khairy, Table 2:
 * thrashing]. A thread is a node; those of the frontier walk their edges, so warps diverge and
 * lanes read lines of their own. */
#include "workload/graph.h"
#include "workload/workload_internal.h"

#include <string.h>

enum { NODES, DEGREE, SEED, GRAPH };
static const gm_workload_option options[] = {
    [NODES] = {"nodes", 1, 1 << 24, 1 << 16, false, "nodes of a random graph"},
    [DEGREE] = {"degree", 1, 1024, 6, false, "edges of a node, on average"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false,
              "of the random graph, or of weights that a file lacks"},
    [GRAPH] = {"graph", 0, 0, 0, true, "file of Rodinia, METIS or SNAP, instead of a random graph"},
    {0},
};

typedef struct bfs {
    gm_graph_node *node;
    int32_t *edge; /* node at the edge's other end */
    int32_t *cost; /* levels from the source; -1: not reached */
    uint8_t *frontier, *next, *visited;
    uint8_t *more;
    uint32_t nodes;
} bfs;

GM_THREAD(visit, bfs)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->nodes && LOAD(t, a->frontier + i) != 0) {
        STORE(t, a->frontier + i, 0);
        gm_graph_node own = LOAD(t, a->node + i);
        int32_t cost = LOAD(t, a->cost + i);
        for (int32_t e = own.first; e < own.first + own.edges; e++) {
            int32_t other = LOAD(t, a->edge + e);
            if (LOAD(t, a->visited + other) == 0) {
                COMPUTE(t, INTEGER, 1);
                STORE(t, a->cost + other, cost + 1);
                STORE(t, a->next + other, 1);
            }
            LOOP(t);
        }
    }
}
GM_KERNEL(visit, bfs)

GM_THREAD(advance, bfs)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->nodes && LOAD(t, a->next + i) != 0) {
        STORE(t, a->frontier + i, 1);
        STORE(t, a->visited + i, 1);
        STORE(t, a->more, 1);
        STORE(t, a->next + i, 0);
    }
}
GM_KERNEL(advance, bfs)

static int take_arrays(gm_workload *workload, bfs *s, const gm_graph *graph, gm_error *error)
{
    size_t nodes = graph->nodes;
    s->nodes = (uint32_t)nodes;
    s->node = gm_workload_input(workload, "node", nodes, sizeof *s->node, error);
    s->edge = gm_workload_input(workload, "edge", graph->edges, sizeof *s->edge, error);
    s->frontier = gm_workload_input(workload, "frontier", nodes, 1, error);
    s->next = gm_workload_input(workload, "next", nodes, 1, error);
    s->visited = gm_workload_input(workload, "visited", nodes, 1, error);
    s->cost = gm_workload_input(workload, "cost", nodes, sizeof *s->cost, error);
    s->more = gm_workload_output(workload, "more", 1, 1, error);
    bool all = s->node != NULL && s->edge != NULL && s->frontier != NULL && s->next != NULL &&
               s->visited != NULL && s->cost != NULL && s->more != NULL;
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
        memcpy(s->edge, graph.end, graph.edges * sizeof *s->edge);
    }
    for (uint32_t i = 0; code == 0 && i < s->nodes; i++) {
        s->cost[i] = i == graph.source ? 0 : -1;
        s->frontier[i] = i == graph.source;
        s->visited[i] = i == graph.source;
    }
    gm_graph_free(&graph);
    return code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    bfs *s = state;
    if (step % 2 == 0) {
        if (step > 0 && *s->more == 0) {
            return 0;
        }
        *s->more = 0;
    }
    launch->code = step % 2 == 0 ? &visit_code : &advance_code;
    launch->arguments = s;
    launch->block.x = 512;
    launch->grid.x = gm_blocks(s->nodes, 512);
    return 1;
}

extern const gm_workload_definition gm_workload_bfs;
const gm_workload_definition gm_workload_bfs = {
    .description = {"bfs", "breadth-first search by levels", "Rodinia [khairy, Table 2: BFS]",
                    options},
    .state_bytes = sizeof(bfs),
    .setup = setup,
    .launch = launch,
};
