/* Cheapest ways from a node to all others [LonestarGPU sssp, kernels initialize and drelax; li,
 * Table 1: cache unfriendly]: every launch relaxes the edges of all nodes, until none changes
 * (Bellman and Ford). A thread is a node. Distances are read while other threads lower them: the
 * values read decide the number of launches, but not the final distances. */
#include "workload/graph.h"
#include "workload/workload_internal.h"

#include <errno.h>
#include <string.h>

enum { NODES, DEGREE, SEED, GRAPH };
static const gm_workload_option options[] = {
    [NODES] = {"nodes", 1, 1 << 24, 1 << 15, false, "nodes of a random graph"},
    [DEGREE] = {"degree", 1, 1024, 6, false, "edges of a node, on average"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false,
              "of the random graph, or of weights that a file lacks"},
    [GRAPH] = {"graph", 0, 0, 0, true, "file of Rodinia, METIS or SNAP, instead of a random graph"},
    {0},
};

enum { BLOCK = 512, FAR = 1000000000 /* no way known */ };

typedef struct sssp {
    gm_graph_node *node;
    int32_t *edge; /* node at the edge's other end */
    int32_t *weight;
    int32_t *distance;
    uint8_t *changed;
    uint32_t nodes, source;
} sssp;

GM_THREAD(initialize, sssp)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->nodes) {
        STORE(t, a->distance + i, FAR);
    }
}
GM_KERNEL(initialize, sssp)

GM_THREAD(relax, sssp)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (i < a->nodes) {
        bool changed = false;
        gm_graph_node own = LOAD(t, a->node + i);
        COMPUTE(t, INTEGER, 1);
        for (int32_t e = own.first; e < own.first + own.edges; e++) {
            int32_t other = LOAD(t, a->edge + e);
            int32_t weight = LOAD(t, a->weight + e);
            int32_t here = LOAD(t, a->distance + i);
            COMPUTE(t, INTEGER, 2);
            int32_t there = LOAD(t, a->distance + other);
            COMPUTE(t, INTEGER, 1);
            if (here + weight < there) {
                int32_t before = ATOMIC_MIN(t, a->distance + other, here + weight);
                COMPUTE(t, INTEGER, 1);
                changed = changed || here + weight < before;
            }
            LOOP(t);
        }
        if (changed) {
            STORE(t, a->changed, 1);
        }
    }
}
GM_KERNEL(relax, sssp)

/* Returns -EINVAL if a path could be as long as FAR. */
static int check_weights(const gm_graph *graph, const char *path, gm_error *error)
{
    int32_t most = (int32_t)((FAR - 1) / graph->nodes);
    for (size_t i = 0; i < graph->edges; i++) {
        if (graph->weight[i] < 0 || graph->weight[i] > most) {
            return gm_fail(error, -EINVAL, "%s: edge %zu: weight %d is not in 0..%d", path, i,
                           graph->weight[i], most);
        }
    }
    return 0;
}

static int take_arrays(gm_workload *workload, sssp *s, const gm_graph *graph, gm_error *error)
{
    s->nodes = (uint32_t)graph->nodes;
    s->source = (uint32_t)graph->source;
    s->node = gm_workload_input(workload, "node", graph->nodes, sizeof *s->node, error);
    s->edge = gm_workload_input(workload, "edge", graph->edges, sizeof *s->edge, error);
    s->weight = gm_workload_input(workload, "weight", graph->edges, sizeof *s->weight, error);
    s->distance = gm_workload_output(workload, "distance", graph->nodes, sizeof(int32_t), error);
    s->changed = gm_workload_output(workload, "changed", 1, 1, error);
    bool all = s->node != NULL && s->edge != NULL && s->weight != NULL && s->distance != NULL &&
               s->changed != NULL;
    return all ? 0 : error->code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    sssp *s = state;
    gm_graph graph;
    const int64_t *value = workload->value;
    const char *path = workload->path[GRAPH];
    int code = path != NULL ? gm_graph_read(&graph, path, (uint64_t)value[SEED], error)
                            : gm_graph_make(&graph, (size_t)value[NODES], (uint64_t)value[DEGREE],
                                            (uint64_t)value[SEED], error);
    if (code == 0) {
        code = check_weights(&graph, path != NULL ? path : "sssp", error);
    }
    if (code == 0) {
        code = take_arrays(workload, s, &graph, error);
    }
    if (code == 0) {
        memcpy(s->node, graph.node, graph.nodes * sizeof *s->node);
        memcpy(s->edge, graph.end, graph.edges * sizeof *s->edge);
        memcpy(s->weight, graph.weight, graph.edges * sizeof *s->weight);
    }
    gm_graph_free(&graph);
    return code;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    sssp *s = state;
    if (step == 1) {
        s->distance[s->source] = 0;
    } else if (step > 1 && *s->changed == 0) {
        return 0;
    }
    *s->changed = 0;
    launch->code = step == 0 ? &initialize_code : &relax_code;
    launch->arguments = s;
    launch->block.x = BLOCK;
    launch->grid.x = gm_blocks(s->nodes, BLOCK);
    return 1;
}

extern const gm_workload_definition gm_workload_sssp;
const gm_workload_definition gm_workload_sssp = {
    .description = {"sssp", "cheapest ways from a node, all edges relaxed in each launch",
                    "LonestarGPU [li, Table 1: SSSP, cache unfriendly]", options},
    .state_bytes = sizeof(sssp),
    .setup = setup,
    .launch = launch,
};
