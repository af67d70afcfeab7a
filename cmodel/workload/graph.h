/* Graphs of the graph workloads, as lists of edges with weights: random ones, and files in the form
 * of Rodinia's bfs. They lie on the host; a workload copies what it needs into its arrays. */
#ifndef GOLDMEM_WORKLOAD_GRAPH_H
#define GOLDMEM_WORKLOAD_GRAPH_H

#include "goldmem/error.h"

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

/* Reads a file: "nodes", then "first edges" of each, the source, the number of edges, then "end
 * weight" of each. Returns 0, -ENOENT, -EIO, -EINVAL (the message names file and line) or -ENOMEM.
 */
int gm_graph_read(gm_graph *graph, const char *path, gm_error *error);

/* Frees the graph, also after a failure. */
void gm_graph_free(gm_graph *graph);

#endif
