/* Graph files of Rodinia's bfs: the number of nodes, "first edges" of each, the source, the number
 * of edges, then "end weight" of each. */
#include "workload/graph.h"

static int read_nodes(gm_graph *graph, gm_input_file *file, gm_error *error)
{
    int64_t nodes = 0;
    int code = gm_input_file_integer(file, "number of nodes", 1, 1 << 26, &nodes, error);
    if (code == 0) {
        code = gm_graph_take_nodes(graph, (size_t)nodes, error);
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

int gm_graph_read_rodinia(gm_graph *graph, gm_input_file *file, gm_error *error)
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
        code = gm_graph_take_edges(graph, (size_t)edges, error);
    }
    return code == 0 ? read_edges(graph, file, error) : code;
}
