/* Graph files of METIS [METIS 5 manual, 4.1.1]: a line "nodes edges [format [constraints]]", then a
 * line for each node: its size, its weights (`constraints` of them), and its neighbours, from 1,
 * each followed by the edge's weight. `format` has a digit each for sizes, weights of nodes,
 * weights of edges. Each edge stands in the lines of both its ends. Lines that begin with '%' are
 * comments. */
#include "workload/graph.h"

typedef struct header {
    int64_t nodes, edges, format, constraints;
} header;

static void skip_comments(gm_input_file *file)
{
    while (file->at < file->length && file->bytes[file->at] == '%') {
        gm_input_file_line(file);
    }
}

static int read_header(gm_input_file *file, header *read, gm_error *error)
{
    *read = (header){.constraints = 1};
    skip_comments(file);
    int code =
        gm_input_file_integer(file, "number of nodes", 1, INT64_C(1) << 26, &read->nodes, error);
    if (code == 0) {
        code = gm_input_file_integer(file, "number of edges", 0, INT64_C(1) << 28, &read->edges,
                                     error);
    }
    if (code == 0 && !gm_input_file_line_ended(file)) {
        code = gm_input_file_integer(file, "format", 0, 111, &read->format, error);
    }
    if (code == 0 && (read->format % 10 > 1 || read->format / 10 % 10 > 1)) {
        code = gm_input_file_fail(file, error, "format: %lld has digits other than 0 and 1",
                                  (long long)read->format);
    }
    if (code == 0 && !gm_input_file_line_ended(file)) {
        code =
            gm_input_file_integer(file, "number of node weights", 1, 64, &read->constraints, error);
    }
    if (code == 0 && !gm_input_file_line_ended(file)) {
        code = gm_input_file_fail(file, error, "more than four numbers in the first line");
    }
    gm_input_file_line(file);
    return code;
}

/* Skips a node's size and weights. */
static int skip_node_weights(gm_input_file *file, const header *read, gm_error *error)
{
    int64_t count = read->format / 100 + (read->format / 10 % 10 == 1 ? read->constraints : 0);
    int64_t ignored = 0;
    int code = 0;
    for (int64_t i = 0; code == 0 && i < count; i++) {
        if (gm_input_file_line_ended(file)) {
            return gm_input_file_fail(file, error, "a node's size or weight is missing");
        }
        code =
            gm_input_file_integer(file, "size or weight of a node", 0, INT32_MAX, &ignored, error);
    }
    return code;
}

/* Reads the neighbours of node `i` into the next edges. */
static int read_neighbours(gm_graph *graph, gm_input_file *file, const header *read, size_t i,
                           uint64_t seed, gm_error *error)
{
    size_t next = (size_t)graph->node[i].first;
    int code = 0;
    while (code == 0 && !gm_input_file_line_ended(file)) {
        if (next == graph->edges) {
            return gm_input_file_fail(file, error,
                                      "more neighbours than twice the %lld edges of the first line",
                                      (long long)read->edges);
        }
        int64_t end = 0;
        code = gm_input_file_integer(file, "neighbour", 1, read->nodes, &end, error);
        int64_t weight = gm_graph_weight(seed, (int32_t)i, (int32_t)end - 1);
        if (code == 0 && read->format % 10 == 1) {
            if (gm_input_file_line_ended(file)) {
                return gm_input_file_fail(file, error, "weight of an edge is missing");
            }
            code = gm_input_file_integer(file, "weight of an edge", 1, INT32_MAX, &weight, error);
        }
        graph->end[next] = (int32_t)end - 1;
        graph->weight[next++] = (int32_t)weight;
    }
    graph->node[i].edges = (int32_t)next - graph->node[i].first;
    return code;
}

int gm_graph_read_metis(gm_graph *graph, gm_input_file *file, uint64_t seed, gm_error *error)
{
    header read;
    int code = read_header(file, &read, error);
    if (code == 0) {
        code = gm_graph_take_nodes(graph, (size_t)read.nodes, error);
    }
    if (code == 0) {
        code = gm_graph_take_edges(graph, (size_t)read.edges * 2, error);
    }
    int32_t next = 0;
    for (size_t i = 0; code == 0 && i < graph->nodes; i++) {
        skip_comments(file);
        if (file->at == file->length) {
            return gm_input_file_fail(file, error, "the file ends before node %zu of %zu", i + 1,
                                      graph->nodes);
        }
        graph->node[i].first = next;
        code = skip_node_weights(file, &read, error);
        code = code == 0 ? read_neighbours(graph, file, &read, i, seed, error) : code;
        next += graph->node[i].edges;
        if (code == 0) {
            gm_input_file_line(file);
        }
    }
    if (code == 0 && (size_t)next != graph->edges) {
        code = gm_input_file_fail(file, error,
                                  "%d neighbours, not twice the %lld edges of the first line", next,
                                  (long long)read.edges);
    }
    skip_comments(file);
    if (code == 0 && !gm_input_file_ended(file)) {
        code = gm_input_file_fail(file, error, "text behind the last of %zu nodes", graph->nodes);
    }
    return code;
}
