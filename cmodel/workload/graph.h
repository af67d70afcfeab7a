/* Graphs of the graph workloads, as lists of edges with weights: random ones, and files in the
 * forms of Rodinia's bfs, of METIS and of SNAP. They lie on the host; a workload copies what it
 * needs into its arrays. */
#ifndef GOLDMEM_WORKLOAD_GRAPH_H
#define GOLDMEM_WORKLOAD_GRAPH_H

#include "workload/input_file.h"

#include <stddef.h>
#include <stdint.h>

typedef struct gm_graph_node {
    int32_t first, edges; /* its edges are first, first + 1, ... */
} gm_graph_node;

typedef struct gm_graph {
    gm_graph_node *node;
    int32_t *end;    /* the other end of each edge */
    int32_t *weight; /* of each edge */
    size_t nodes, edges;
    int64_t source; /* where a search begins */
} gm_graph;

/* Makes a random graph: each node has between 1 and 2 * degree - 1 edges to random nodes, with
 * weights of 1 to 10, as from Rodinia's generator; the source is node 0. Returns 0 or -ENOMEM. */
int gm_graph_make(gm_graph *graph, size_t nodes, uint64_t degree, uint64_t seed, gm_error *error);

/* Reads a file in one of three forms, told apart by content: SNAP's begins with '#'; METIS's has
 * two or more words in its first line that is no comment ('%'); Rodinia's has one. Edges without
 * weights in the file get 1 to 10, by `seed`, both directions of a pair the same. Returns 0,
 * -ENOENT, -EIO, -EINVAL (the message names file and line) or -ENOMEM. */
int gm_graph_read(gm_graph *graph, const char *path, uint64_t seed, gm_error *error);

/* Readers of the forms, each in its own file. Require a file at its beginning and an empty graph,
 * which gm_graph_free frees, also after a failure. Return 0, -EINVAL or -ENOMEM. */
int gm_graph_read_rodinia(gm_graph *graph, gm_input_file *file, gm_error *error);
int gm_graph_read_metis(gm_graph *graph, gm_input_file *file, uint64_t seed, gm_error *error);
int gm_graph_read_snap(gm_graph *graph, gm_input_file *file, uint64_t seed, gm_error *error);

/* Allocate the arrays of nodes and of edges, zeroed. Return 0 or -ENOMEM. */
int gm_graph_take_nodes(gm_graph *graph, size_t nodes, gm_error *error);
int gm_graph_take_edges(gm_graph *graph, size_t edges, gm_error *error);

/* Returns the weight, 1 to 10, of an edge between two nodes in a file without weights. */
int32_t gm_graph_weight(uint64_t seed, int32_t a, int32_t b);

/* Frees the graph, also after a failure. */
void gm_graph_free(gm_graph *graph);

#endif
