/* Random graphs, and the arrays of all graphs. */
#include "workload/graph.h"

#include "base/random.h"

#include <errno.h>
#include <stdlib.h>

int gm_graph_take_nodes(gm_graph *graph, size_t nodes, gm_error *error)
{
    *graph = (gm_graph){.nodes = nodes, .node = calloc(nodes, sizeof *graph->node)};
    return graph->node != NULL ? 0 : gm_fail(error, -ENOMEM, "graph: out of memory");
}

int gm_graph_take_edges(gm_graph *graph, size_t edges, gm_error *error)
{
    graph->edges = edges;
    graph->end = calloc(edges + 1, sizeof *graph->end);
    graph->weight = calloc(edges + 1, sizeof *graph->weight);
    bool all = graph->end != NULL && graph->weight != NULL;
    return all ? 0 : gm_fail(error, -ENOMEM, "graph: out of memory");
}

void gm_graph_free(gm_graph *graph)
{
    free(graph->node);
    free(graph->end);
    free(graph->weight);
    *graph = (gm_graph){0};
}

int gm_graph_make(gm_graph *graph, size_t nodes, uint64_t degree, uint64_t seed, gm_error *error)
{
    int code = gm_graph_take_nodes(graph, nodes, error);
    size_t edges = 0;
    for (size_t i = 0; code == 0 && i < nodes; i++) {
        int32_t own = 1 + (int32_t)gm_random_below(&seed, degree * 2 - 1);
        graph->node[i] = (gm_graph_node){(int32_t)edges, own};
        edges += (size_t)own;
    }
    if (code == 0) {
        code = gm_graph_take_edges(graph, edges, error);
    }
    for (size_t i = 0; code == 0 && i < edges; i++) {
        graph->end[i] = (int32_t)gm_random_below(&seed, nodes);
    }
    for (size_t i = 0; code == 0 && i < edges; i++) {
        graph->weight[i] = 1 + (int32_t)gm_random_below(&seed, 10);
    }
    return code;
}

int32_t gm_graph_weight(uint64_t seed, int32_t a, int32_t b)
{
    uint64_t low = (uint32_t)(a < b ? a : b);
    uint64_t high = (uint32_t)(a < b ? b : a);
    uint64_t state = gm_hash64(seed) ^ (high << 32 | low);
    return 1 + (int32_t)gm_random_below(&state, 10);
}
