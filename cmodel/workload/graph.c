/* Graphs of the graph workloads. */
#include "workload/graph.h"

#include "base/random.h"
#include "workload/input_file.h"

#include <errno.h>
#include <stdlib.h>

static int take_nodes(gm_graph *graph, size_t nodes, gm_error *error)
{
    *graph = (gm_graph){.nodes = nodes, .node = calloc(nodes, sizeof *graph->node)};
    return graph->node != NULL ? 0 : gm_fail(error, -ENOMEM, "graph: out of memory");
}

static int take_edges(gm_graph *graph, size_t edges, gm_error *error)
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
    int code = take_nodes(graph, nodes, error);
    size_t edges = 0;
    for (size_t i = 0; code == 0 && i < nodes; i++) {
        int32_t own = 1 + (int32_t)gm_random_below(&seed, degree * 2 - 1);
        graph->node[i] = (gm_graph_node){(int32_t)edges, own};
        edges += (size_t)own;
    }
    if (code == 0) {
        code = take_edges(graph, edges, error);
    }
    for (size_t i = 0; code == 0 && i < edges; i++) {
        graph->end[i] = (int32_t)gm_random_below(&seed, nodes);
    }
    for (size_t i = 0; code == 0 && i < edges; i++) {
        graph->weight[i] = 1 + (int32_t)gm_random_below(&seed, 10);
    }
    return code;
}

static int read_nodes(gm_graph *graph, gm_input_file *file, gm_error *error)
{
    int64_t nodes = 0;
    int code = gm_input_file_integer(file, "number of nodes", 1, 1 << 26, &nodes, error);
    if (code == 0) {
        code = take_nodes(graph, (size_t)nodes, error);
    }
    for (int64_t i = 0; code == 0 && i < nodes; i++) {
        int64_t first = 0;
        int64_t count = 0;
        code = gm_input_file_integer(file, "first edge", 0, 1 << 29, &first, error);
        if (code == 0) {
            code = gm_input_file_integer(file, "number of edges", 0, 1 << 29, &count, error);
        }
        graph->node[i] = (gm_graph_node){(int32_t)first, (int32_t)count};
    }
    return code;
}

static int read_edges(gm_graph *graph, gm_input_file *file, gm_error *error)
{
    int code = 0;
    for (size_t i = 0; code == 0 && i < graph->edges; i++) {
        int64_t end = 0;
        int64_t weight = 0;
        code = gm_input_file_integer(file, "end of an edge", 0, (int64_t)graph->nodes - 1, &end,
                                     error);
        if (code == 0) {
            code = gm_input_file_integer(file, "weight of an edge", INT32_MIN, INT32_MAX, &weight,
                                         error);
        }
        graph->end[i] = (int32_t)end;
        graph->weight[i] = (int32_t)weight;
    }
    for (size_t i = 0; code == 0 && i < graph->nodes; i++) {
        if (graph->node[i].first + (int64_t)graph->node[i].edges > (int64_t)graph->edges) {
            code = gm_input_file_fail(file, error, "node %zu has edges beyond the file's %zu", i,
                                      graph->edges);
        }
    }
    return code;
}

static int read_graph(gm_graph *graph, gm_input_file *file, gm_error *error)
{
    int64_t source = 0;
    int64_t edges = 0;
    int code = read_nodes(graph, file, error);
    if (code == 0) {
        code = gm_input_file_integer(file, "source", 0, (int64_t)graph->nodes - 1, &source, error);
        graph->source = source;
    }
    if (code == 0) {
        code = gm_input_file_integer(file, "number of edges", 0, 1 << 29, &edges, error);
    }
    if (code == 0) {
        code = take_edges(graph, (size_t)edges, error);
    }
    return code == 0 ? read_edges(graph, file, error) : code;
}

int gm_graph_read(gm_graph *graph, const char *path, gm_error *error)
{
    *graph = (gm_graph){0};
    gm_input_file file;
    int code = gm_input_file_load(&file, path, error);
    if (code == 0) {
        code = read_graph(graph, &file, error);
        gm_input_file_free(&file);
    }
    return code;
}
