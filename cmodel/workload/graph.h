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

/* Each node has between 1 and 2 * degree - 1 edges to nodes anywhere, with weights of 1 to 10, as
 * Rodinia's generator gives them; the source is node 0. -ENOMEM. */
int gm_graph_make(gm_graph *graph, size_t nodes, uint64_t degree, uint64_t seed, gm_error *error);

/* A file: "nodes", then "first edges" of each, the source, the number of edges, then "end weight"
 * of each. -ENOENT, -EIO, -EINVAL (naming file and line), -ENOMEM. */
int gm_graph_read(gm_graph *graph, const char *path, gm_error *error);

/* Also after a failure. */
void gm_graph_free(gm_graph *graph);

#endif
